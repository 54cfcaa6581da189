//! Why a token is refused: for the log and for tests, never for the sender.

use crate::model::named::named;

/// The first rule that a token breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// It exceeds the maximum length.
    #[error("it is too long")]
    TooLong,
    /// It is not three parts in canonical base64url without padding.
    #[error("it is not three parts in base64url without padding")]
    Form,
    /// Its header is not a JSON object with distinct names.
    #[error("its header is not a JSON object with every name once")]
    Header,
    /// Its algorithm is missing or not accepted.
    #[error("its alg is not EdDSA, ES256 or RS256")]
    Algorithm,
    /// Its type is not accepted.
    #[error("its typ is not at+jwt or JWT")]
    Type,
    /// Its header has a field that would change what is checked, or with which key.
    #[error("its header holds crit, b64, jwk, jku, x5u or x5c")]
    HeaderField,
    /// Its key id is not a text.
    #[error("its kid is not a text")]
    KeyId,
    /// No known key has this name and algorithm.
    #[error("no key of the JWKS has its kid and alg")]
    UnknownKey,
    /// The known keys were last read too long ago.
    #[error("the JWKS was last read too long ago to check it")]
    OldKeys,
    /// It names no key, and several fit its algorithm.
    #[error("it has no kid, and several keys of the JWKS have its alg")]
    SeveralKeys,
    /// Its signature does not match the key.
    #[error("its signature is wrong")]
    Signature,
    /// Its claims are not a JSON object with distinct names.
    #[error("its claims are not a JSON object with every name once")]
    Claims,
    /// It is an ID token, which is only for logging in.
    #[error("it has a nonce, or says that it is no access token")]
    IdToken,
    /// An ID token that this log-in did not request.
    #[error("its nonce is not the one of this log-in")]
    Nonce,
    /// An ID token of a user in none of the groups that may sign in.
    #[error("its groups have none of oauth.groups")]
    Group,
    /// Its issuer is missing or another one.
    #[error("its iss is not oauth.issuer")]
    Issuer,
    /// Its audience is missing or another one.
    #[error("its aud is not oauth.audience")]
    Audience,
    /// It has expired, or has no expiry.
    #[error("its exp has passed or is not a number")]
    Expired,
    /// It is valid for longer than allowed.
    #[error("its exp is too far in the future")]
    LongLived,
    /// It is not valid yet, or `nbf` is not a number.
    #[error("its nbf is not reached or is not a number")]
    NotYet,
    /// It was issued in the future, or `iat` is not a number.
    #[error("its iat is in the future or is not a number")]
    IssuedAt,
    /// It does not name the user.
    #[error("its oauth.user_claim is missing, blank or not a text")]
    Subject,
    /// It names no organization, or an invalid organization id.
    #[error("its org is not an organization's id")]
    Organization,
    /// Its scope is neither a text nor a list of texts.
    #[error("its scope is neither a text nor a list of texts")]
    Scope,
}

impl Refusal {
    /// Whether the token might pass with newer keys.
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
