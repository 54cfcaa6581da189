//! Why a language model gave no draft, in sentences of ours: nothing a provider sends gets into one.

use crate::search::conditions::{TERM_CHARS_MAX, TERMS_MAX};

/// Why there is no draft. The built-in parser serves the query instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftFailure {
    /// No provider is configured.
    #[error("no language model is configured")]
    Off,
    /// The provider failed the organization too often of late, which leaves it alone for a while.
    #[error("the language-model provider failed too often; it is left alone for a while")]
    Open,
    /// As many requests of the organization as are allowed wait for the provider already.
    #[error("too many requests of the organization wait for the language-model provider")]
    Busy,
    /// No whole answer came in time.
    #[error("the language-model provider did not answer in time")]
    Late,
    /// The provider answered with a status that is no success; redirects are none.
    #[error("the language-model provider refused the request with status {status}")]
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// There was no connection, or it broke before the answer was whole.
    #[error("the language-model provider cannot be reached, or broke off its answer")]
    Unreachable,
    /// The answer is not what was asked for.
    #[error("the language model's answer cannot be taken: {0}")]
    Malformed(AnswerFault),
    /// The answer is longer than any that could be right.
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
    /// It is JSON that holds no text at `choices[0].message.content`.
    #[error("it holds no message")]
    NoContent,
    /// The model's text is not JSON.
    #[error("its message is not JSON")]
    ContentNotJson,
    /// The model's JSON has fields that were not asked for, lacks some, or holds the wrong types.
    #[error("its message has other fields or types than those asked for")]
    WrongShape,
    /// There are more terms than a draft may hold.
    #[error("it has more than {TERMS_MAX} terms")]
    TooManyTerms,
    /// The text of a term is blank.
    #[error("a term is blank")]
    BlankTerm,
    /// The text of a term is too long.
    #[error("a term has more than {TERM_CHARS_MAX} characters")]
    LongTerm,
    /// The text of a term holds control characters.
    #[error("a term holds control characters")]
    ControlCharacter,
    /// A term is of no known kind.
    #[error("a term is of an unknown kind")]
    UnknownKind,
    /// A network is not one of those in the service.
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

    /// Whether it says that the provider is not well. What the text of one query can bring about
    /// does not: else one caller could switch the provider off for all others of the organization.
    pub(crate) fn blames_provider(self) -> bool {
        match self {
            Self::Off | Self::Open | Self::Busy => false,
            // A request too long, or one that a content filter turns down.
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
