//! Why a call is not answered, as the agent sees it.

use crate::api::error::ApiError;

/// Why a call is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Refused as the API refuses a request.
    Like(ApiError),
    /// The person who is asked for cannot be seen, or does not exist: the same bytes.
    Unseen,
    /// The list that a cursor belongs to has changed.
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
    /// The code a program can act on.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Like(error) => error.code(),
            Self::Unseen => ApiError::NotFound.code(),
            Self::Changed => "list_changed",
        }
    }

    /// The sentence an agent can act on.
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
