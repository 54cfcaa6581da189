//! Why a language model gave no draft, in our own sentences: they contain nothing that a provider sent.

use crate::search::conditions::{TERM_CHARS_MAX, TERMS_MAX};

/// Why there is no draft. The built-in parser then handles the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftFailure {
    /// No provider is configured.
    #[error("no language model is configured")]
    Off,
    /// The provider recently failed too often for the organization, which pauses.
    #[error("the language-model provider failed too often; it is left alone for a while")]
    Open,
    /// The organization already has its maximum of requests waiting for the provider.
    #[error("too many requests of the organization wait for the language-model provider")]
    Busy,
    /// No complete answer came in time.
    #[error("the language-model provider did not answer in time")]
    Late,
    /// The provider answered with a status other than success; redirects count as failures.
    #[error("the language-model provider refused the request with status {status}")]
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// There was no connection, or it broke before the answer was complete.
    #[error("the language-model provider cannot be reached, or broke off its answer")]
    Unreachable,
    /// The answer has a fault.
    #[error("the language model's answer cannot be taken: {0}")]
    Malformed(AnswerFault),
    /// The answer exceeds the maximum size.
    #[error("the language-model provider's answer is too long")]
    TooLarge,
}

/// The fault of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerFault {
    /// It is not HTTP.
    #[error("it is not HTTP")]
    NotHttp,
    /// It is not JSON.
    #[error("it is not JSON")]
    NotJson,
    /// It is JSON without a text at `choices[0].message.content`.
    #[error("it holds no message")]
    NoContent,
    /// The model's text is not JSON.
    #[error("its message is not JSON")]
    ContentNotJson,
    /// The model's JSON has unknown fields, lacks some, or has the wrong types.
    #[error("its message has other fields or types than those asked for")]
    WrongShape,
    /// There are too many terms.
    #[error("it has more than {TERMS_MAX} terms")]
    TooManyTerms,
    /// The text of a term is blank.
    #[error("a term is blank")]
    BlankTerm,
    /// The text of a term is too long.
    #[error("a term has more than {TERM_CHARS_MAX} characters")]
    LongTerm,
    /// The text of a term contains control characters.
    #[error("a term holds control characters")]
    ControlCharacter,
    /// A term has an unknown kind.
    #[error("a term is of an unknown kind")]
    UnknownKind,
    /// A network is unknown.
    #[error("it names an unknown network")]
    UnknownNetwork,
    /// A network is named twice.
    #[error("it names a network twice")]
    RepeatedNetwork,
}

impl DraftFailure {
    /// The failure's name in metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Open => "left_alone",
            Self::Busy => "no_place",
            Self::Late => "late",
            Self::Refused { .. } => "refused",
            Self::Unreachable => "unreachable",
            Self::Malformed(_) => "malformed",
            Self::TooLarge => "too_large",
        }
    }

    /// Whether it shows that the provider is unhealthy. Failures that the text of one query can cause do not count:
    /// otherwise one caller could switch the provider off for the rest of the organization.
    pub(crate) fn blames_provider(self) -> bool {
        match self {
            Self::Off | Self::Open | Self::Busy => false,
            // The request is too long, or a content filter refuses it.
            Self::Refused { status: 400 | 413 | 422 } => false,
            Self::Late | Self::Refused { .. } | Self::Unreachable | Self::TooLarge => true,
            Self::Malformed(reason) => matches!(reason, AnswerFault::NotHttp | AnswerFault::NotJson),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_query_can_bring_about_does_not_blame_the_provider() {
        for (failure, blames) in [
            (DraftFailure::Off, false),
            (DraftFailure::Open, false),
            (DraftFailure::Busy, false),
            (DraftFailure::Late, true),
            (DraftFailure::Unreachable, true),
            (DraftFailure::TooLarge, true),
            (DraftFailure::Refused { status: 400 }, false),
            (DraftFailure::Refused { status: 422 }, false),
            (DraftFailure::Refused { status: 302 }, true),
            (DraftFailure::Refused { status: 401 }, true),
            (DraftFailure::Refused { status: 429 }, true),
            (DraftFailure::Refused { status: 529 }, true),
            (DraftFailure::Malformed(AnswerFault::NotHttp), true),
            (DraftFailure::Malformed(AnswerFault::NotJson), true),
            (DraftFailure::Malformed(AnswerFault::NoContent), false),
            (DraftFailure::Malformed(AnswerFault::WrongShape), false),
            (DraftFailure::Malformed(AnswerFault::LongTerm), false),
        ] {
            assert_eq!(failure.blames_provider(), blames, "{failure}");
        }
    }
}
