//! Why a token is refused: for the log and for tests, never for who sent it.

use std::fmt;

/// The first rule that a token breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// It is longer than any token may be.
    TooLong,
    /// It is not three parts in base64url without padding, each written in the one way there is.
    Form,
    /// Its header is not a JSON object in which every name stands once.
    Header,
    /// Its algorithm is missing, or none of those accepted.
    Algorithm,
    /// Its type is missing, or none of those accepted.
    Type,
    /// Its header holds a field that would change what is checked, or with which key.
    HeaderField,
    /// Its header names its key by something else than a text.
    KeyId,
    /// No key of this name and algorithm is among those at hand.
    UnknownKey,
    /// It names no key, and several fit its algorithm.
    SeveralKeys,
    /// Its signature is not that of the key.
    Signature,
    /// Its claims are not a JSON object in which every name stands once.
    Claims,
    /// It is of another issuer, or of none.
    Issuer,
    /// It is for another audience, or for none.
    Audience,
    /// It has expired, or does not say when it does.
    Expired,
    /// It does not hold yet, or does not say since when it does.
    NotYet,
    /// It says that it will be made in the future, or when is no number.
    IssuedAt,
    /// It is for no user, or what it says is no user's id.
    Subject,
    /// It is for no organization, or what it says is no organization's id.
    Organization,
    /// Its scope is no text.
    Scope,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::TooLong => "it is too long",
            Self::Form => "it is not three parts in base64url without padding",
            Self::Header => "its header is not a JSON object with every name once",
            Self::Algorithm => "its alg is not EdDSA, ES256 or RS256",
            Self::Type => "its typ is not at+jwt or JWT",
            Self::HeaderField => "its header holds crit, b64, jwk, jku, x5u or x5c",
            Self::KeyId => "its kid is not a text",
            Self::UnknownKey => "no key of the JWKS has its kid and alg",
            Self::SeveralKeys => "it has no kid, and several keys of the JWKS have its alg",
            Self::Signature => "its signature is wrong",
            Self::Claims => "its claims are not a JSON object with every name once",
            Self::Issuer => "its iss is not oauth.issuer",
            Self::Audience => "its aud is not oauth.audience",
            Self::Expired => "its exp has passed or is not a number",
            Self::NotYet => "its nbf is not reached or is not a number",
            Self::IssuedAt => "its iat is in the future or is not a number",
            Self::Subject => "its sub is not a user's id",
            Self::Organization => "its org is not an organization's id",
            Self::Scope => "its scope is not a text",
        })
    }
}
