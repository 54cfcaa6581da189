//! Why a token is refused: for the log and for tests, never for who sent it.

use crate::model::named::named;

/// The first rule that a token breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// It is longer than any token may be.
    #[error("it is too long")]
    TooLong,
    /// It is not three parts in base64url without padding, each written in the one way there is.
    #[error("it is not three parts in base64url without padding")]
    Form,
    /// Its header is not a JSON object in which every name stands once.
    #[error("its header is not a JSON object with every name once")]
    Header,
    /// Its algorithm is missing, or none of those accepted.
    #[error("its alg is not EdDSA, ES256 or RS256")]
    Algorithm,
    /// Its type is none of those accepted.
    #[error("its typ is not at+jwt or JWT")]
    Type,
    /// Its header holds a field that would change what is checked, or with which key.
    #[error("its header holds crit, b64, jwk, jku, x5u or x5c")]
    HeaderField,
    /// Its header names its key by something else than a text.
    #[error("its kid is not a text")]
    KeyId,
    /// No key of this name and algorithm is among those at hand.
    #[error("no key of the JWKS has its kid and alg")]
    UnknownKey,
    /// The keys at hand were last read too long ago.
    #[error("the JWKS was last read too long ago to check it")]
    OldKeys,
    /// It names no key, and several fit its algorithm.
    #[error("it has no kid, and several keys of the JWKS have its alg")]
    SeveralKeys,
    /// Its signature is not that of the key.
    #[error("its signature is wrong")]
    Signature,
    /// Its claims are not a JSON object in which every name stands once.
    #[error("its claims are not a JSON object with every name once")]
    Claims,
    /// It is an ID token, for a log-in alone.
    #[error("it has a nonce, or says that it is no access token")]
    IdToken,
    /// An ID token that was not asked for by this log-in.
    #[error("its nonce is not the one of this log-in")]
    Nonce,
    /// An ID token of a user who is in none of the groups that may sign in.
    #[error("its groups have none of oauth.groups")]
    Group,
    /// It is of another issuer, or of none.
    #[error("its iss is not oauth.issuer")]
    Issuer,
    /// It is for another audience, or for none.
    #[error("its aud is not oauth.audience")]
    Audience,
    /// It has expired, or does not say when it does.
    #[error("its exp has passed or is not a number")]
    Expired,
    /// It holds for longer than any token may.
    #[error("its exp is too far in the future")]
    LongLived,
    /// It does not hold yet, or since when it does is not a number.
    #[error("its nbf is not reached or is not a number")]
    NotYet,
    /// It says that it will be made in the future, or its time is not a number.
    #[error("its iat is in the future or is not a number")]
    IssuedAt,
    /// It does not say who the user is.
    #[error("its oauth.user_claim is missing, blank or not a text")]
    Subject,
    /// It is for no organization, or what it says is no organization's id.
    #[error("its org is not an organization's id")]
    Organization,
    /// Its scope is neither a text nor a list of texts.
    #[error("its scope is neither a text nor a list of texts")]
    Scope,
}

impl Refusal {
    /// Whether the token may pass with newer keys.
    #[must_use]
    pub fn asks_for_newer_keys(self) -> bool {
        matches!(self, Self::UnknownKey | Self::OldKeys)
    }
}

named! {
    /// All of them.
    Refusal {
        TooLong = "too_long",
        Form = "form",
        Header = "header",
        Algorithm = "algorithm",
        Type = "type",
        HeaderField = "header_field",
        KeyId = "key_id",
        UnknownKey = "unknown_key",
        OldKeys = "old_keys",
        SeveralKeys = "several_keys",
        Signature = "signature",
        Claims = "claims",
        IdToken = "id_token",
        Nonce = "nonce",
        Group = "group",
        Issuer = "issuer",
        Audience = "audience",
        Expired = "expired",
        LongLived = "long_lived",
        NotYet = "not_yet",
        IssuedAt = "issued_at",
        Subject = "subject",
        Organization = "organization",
        Scope = "scope",
    }
}
