//! A class of forged or invalid tokens.

use kith_server::auth::jwt::refusal::Refusal;

use crate::forged_tokens::forger::Forger;

/// Any reason will do: what breaks depends on which bit was flipped.
pub(crate) const ANY: &[Refusal] = &[
    Refusal::TooLong,
    Refusal::Form,
    Refusal::Header,
    Refusal::Algorithm,
    Refusal::Type,
    Refusal::HeaderField,
    Refusal::KeyId,
    Refusal::UnknownKey,
    Refusal::SeveralKeys,
    Refusal::Signature,
];

/// Tokens that are wrong in one way.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    /// The reasons for which one may be refused; empty if it is sound, and yet not for anybody here.
    pub(crate) refused: &'static [Refusal],
    /// The status of the answer.
    pub(crate) status: u16,
    /// Makes one; if there are several, another one at each turn.
    pub(crate) forge: fn(&Forger) -> String,
}

/// A class of tokens that are refused for one of the reasons `refused`.
pub(crate) fn class(name: &'static str, refused: &'static [Refusal], forge: fn(&Forger) -> String) -> Class {
    Class { name, refused, status: 401, forge }
}

/// A class of sound tokens for a caller who is not let in, and gets `status`.
pub(crate) fn outsider(name: &'static str, status: u16, forge: fn(&Forger) -> String) -> Class {
    Class { name, refused: &[], status, forge }
}
