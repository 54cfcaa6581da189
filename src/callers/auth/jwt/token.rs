//! A token in its compact form (RFC 7515), split into parts; nothing in it is trusted yet.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value};

use crate::auth::jwt::json;
use crate::auth::jwt::key::Algorithm;
use crate::auth::jwt::key_set::KeySet;
use crate::auth::jwt::refusal::Refusal;
use crate::limits::TOKEN_BYTES_MAX;

/// Accepted values of `typ`, if present, in any case: an access token (RFC 9068), or any JWT.
const TYPES: [&str; 3] = ["at+jwt", "application/at+jwt", "JWT"];
/// Header fields that would change what is signed (`b64`), require understanding (`crit`), or bring or name a key of
/// the sender's choice.
const REFUSED: [&str; 6] = ["crit", "b64", "jwk", "jku", "x5u", "x5c"];

/// The parts of a token.
#[derive(Debug)]
pub(crate) struct SignedToken<'a> {
    /// The algorithm in its header.
    algorithm: Algorithm,
    /// The key id in its header.
    kid: Option<String>,
    /// The signed part: header and claims as sent.
    signed: &'a [u8],
    signature: Vec<u8>,
    claims: &'a str,
}

impl<'a> SignedToken<'a> {
    /// Splits `text` and reads its header.
    ///
    /// # Errors
    /// Returns an error if it is too long, does not have three parts, or has a header that is not accepted.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Refusal> {
        if text.len() > TOKEN_BYTES_MAX {
            return Err(Refusal::TooLong);
        }
        let (signed, signature) = text.rsplit_once('.').ok_or(Refusal::Form)?;
        // A fourth part would leave a dot in the header, which is not base64url.
        let (header, claims) = signed.rsplit_once('.').ok_or(Refusal::Form)?;
        let header = json::object(&decode(header)?).ok_or(Refusal::Header)?;
        check_fields(&header)?;
        Ok(Self {
            algorithm: read_algorithm(&header)?,
            kid: read_kid(&header)?,
            signed: signed.as_bytes(),
            signature: decode(signature)?,
            claims,
        })
    }

    /// The claims, if a key of `keys` signed them. Costs checking one signature.
    ///
    /// # Errors
    /// Returns an error if there is no single matching key, the signature does not match, or the claims are not
    /// base64url.
    pub(crate) fn payload(&self, keys: &KeySet) -> Result<Vec<u8>, Refusal> {
        let key = keys.choose(self.algorithm, self.kid.as_deref())?;
        if !key.public.is_signer_of(self.signed, &self.signature) {
            return Err(Refusal::Signature);
        }
        decode(self.claims)
    }
}

fn check_fields(header: &Map<String, Value>) -> Result<(), Refusal> {
    if REFUSED.iter().any(|name| header.contains_key(*name)) {
        return Err(Refusal::HeaderField);
    }
    let Some(kind) = header.get("typ") else { return Ok(()) };
    let kind = kind.as_str().ok_or(Refusal::Type)?;
    let is_accepted = TYPES.iter().any(|accepted| accepted.eq_ignore_ascii_case(kind));
    if is_accepted { Ok(()) } else { Err(Refusal::Type) }
}

fn read_algorithm(header: &Map<String, Value>) -> Result<Algorithm, Refusal> {
    let named = header.get("alg").and_then(Value::as_str).and_then(Algorithm::named);
    named.ok_or(Refusal::Algorithm)
}

fn read_kid(header: &Map<String, Value>) -> Result<Option<String>, Refusal> {
    let kid = header.get("kid").map(|kid| kid.as_str().ok_or(Refusal::KeyId)).transpose()?;
    Ok(kid.map(str::to_owned))
}

/// Decodes base64url without padding; unused bits must be 0, so that each byte string has only one spelling.
fn decode(part: &str) -> Result<Vec<u8>, Refusal> {
    BASE64URL_NOPAD.decode(part.as_bytes()).map_err(|_| Refusal::Form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_as_many_bytes_as_are_allowed_and_no_more() {
        let longest = format!("e30.e30.{}", "A".repeat(TOKEN_BYTES_MAX - 8));
        assert_eq!(SignedToken::parse(&longest).err(), Some(Refusal::Algorithm));
        assert_eq!(SignedToken::parse(&format!("{longest}A")).err(), Some(Refusal::TooLong));
    }
}
