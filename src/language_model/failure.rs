//! Why a language model gave no draft, in sentences of ours: nothing a provider sends gets into one.

use std::error::Error;
use std::fmt;

use crate::search::conditions::{TERM_CHARS_MAX, TERMS_MAX};

/// Why there is no draft. The built-in parser serves the query instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No provider is configured.
    Off,
    /// The provider failed too often of late; it is left alone for a while.
    Open,
    /// As many requests as are allowed wait for the provider already.
    Busy,
    /// No whole answer came in time.
    Late,
    /// The provider answered with a status that is no success; redirects are none.
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// There was no connection, or it broke before the answer was whole.
    Unreachable,
    /// The answer is not what was asked for.
    Malformed(Reason),
    /// The answer is longer than any that could be right.
    TooLarge,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not HTTP.
    NotHttp,
    /// It is not JSON.
    NotJson,
    /// It is JSON that holds no text at `choices[0].message.content`.
    NoContent,
    /// The model's text is not JSON.
    ContentNotJson,
    /// The model's JSON has fields that were not asked for, lacks some, or holds the wrong types.
    WrongShape,
    /// There are more terms than a draft may hold.
    TooManyTerms,
    /// The text of a term is blank.
    BlankTerm,
    /// The text of a term is too long.
    LongTerm,
    /// The text of a term holds control characters.
    ControlCharacter,
    /// A term is of no known kind.
    UnknownKind,
    /// A network is none of those there are.
    UnknownNetwork,
    /// A network is named twice.
    RepeatedNetwork,
}

impl Failure {
    /// Whether it tells that the provider is not well. What the text of one query can bring about
    /// does not: else one caller could switch the provider off for all others.
    pub(crate) fn blames_provider(self) -> bool {
        match self {
            Self::Off | Self::Open | Self::Busy => false,
            // A request too long, or one that a content filter turns down.
            Self::Refused { status: 400 | 413 | 422 } => false,
            Self::Late | Self::Refused { .. } | Self::Unreachable | Self::TooLarge => true,
            Self::Malformed(reason) => matches!(reason, Reason::NotHttp | Reason::NotJson),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => out.write_str("no language model is configured"),
            Self::Open => {
                out.write_str("the language-model provider failed too often; it is left alone for a while")
            }
            Self::Busy => out.write_str("too many requests wait for the language-model provider"),
            Self::Late => out.write_str("the language-model provider did not answer in time"),
            Self::Refused { status } => {
                write!(out, "the language-model provider refused the request with status {status}")
            }
            Self::Unreachable => {
                out.write_str("the language-model provider cannot be reached, or broke off its answer")
            }
            Self::Malformed(reason) => write!(out, "the language model's answer cannot be taken: {reason}"),
            Self::TooLarge => out.write_str("the language-model provider's answer is too long"),
        }
    }
}

impl Error for Failure {}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHttp => out.write_str("it is not HTTP"),
            Self::NotJson => out.write_str("it is not JSON"),
            Self::NoContent => out.write_str("it holds no message"),
            Self::ContentNotJson => out.write_str("its message is not JSON"),
            Self::WrongShape => out.write_str("its message has other fields or types than those asked for"),
            Self::TooManyTerms => write!(out, "it has more than {TERMS_MAX} terms"),
            Self::BlankTerm => out.write_str("a term is blank"),
            Self::LongTerm => write!(out, "a term has more than {TERM_CHARS_MAX} characters"),
            Self::ControlCharacter => out.write_str("a term holds control characters"),
            Self::UnknownKind => out.write_str("a term is of an unknown kind"),
            Self::UnknownNetwork => out.write_str("it names an unknown network"),
            Self::RepeatedNetwork => out.write_str("it names a network twice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_query_can_bring_about_does_not_blame_the_provider() {
        for (failure, blames) in [
            (Failure::Off, false),
            (Failure::Open, false),
            (Failure::Busy, false),
            (Failure::Late, true),
            (Failure::Unreachable, true),
            (Failure::TooLarge, true),
            (Failure::Refused { status: 400 }, false),
            (Failure::Refused { status: 422 }, false),
            (Failure::Refused { status: 302 }, true),
            (Failure::Refused { status: 401 }, true),
            (Failure::Refused { status: 429 }, true),
            (Failure::Refused { status: 529 }, true),
            (Failure::Malformed(Reason::NotHttp), true),
            (Failure::Malformed(Reason::NotJson), true),
            (Failure::Malformed(Reason::NoContent), false),
            (Failure::Malformed(Reason::WrongShape), false),
            (Failure::Malformed(Reason::LongTerm), false),
        ] {
            assert_eq!(failure.blames_provider(), blames, "{failure}");
        }
    }
}
