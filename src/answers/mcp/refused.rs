//! Why a call is refused, as the agent sees it.

use crate::api::error::ApiError;

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Refused like a request to the API.
    Like(ApiError),
    /// The person cannot be seen, or does not exist: the same bytes for both.
    Unseen,
    /// The list of a cursor has changed.
    Changed,
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::NotFound => Self::Unseen,
            error => Self::Like(error),
        }
    }
}

impl Refused {
    /// The error code for programs.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Like(error) => error.code(),
            Self::Unseen => ApiError::NotFound.code(),
            Self::Changed => "list_changed",
        }
    }

    /// The error sentence for agents.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Like(error) => error.sentence(),
            Self::Unseen => {
                "Nobody that you can see has this id; find_person and search_network answer with ids."
                    .to_owned()
            }
            Self::Changed => {
                "The network has changed since that cursor was given; start again without cursor.".to_owned()
            }
        }
    }
}
