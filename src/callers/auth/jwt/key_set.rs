//! A JWKS: the used and the unused keys of an issuer.

use serde_json::Value;

use crate::auth::jwt::error::KeysFault;
use crate::auth::jwt::json;
use crate::auth::jwt::jwk::{self, Key, Unused};
use crate::auth::jwt::key::Algorithm;
use crate::auth::jwt::refusal::Refusal;
use crate::limits::JWKS_KEYS_MAX;

/// The keys of an issuer. No two usable keys have the same name and algorithm.
#[derive(Debug, Default)]
pub(crate) struct KeySet {
    keys: Vec<Key>,
    /// The unused keys.
    pub(crate) unused: Vec<Unused>,
}

impl KeySet {
    /// Parses a JWKS. One without a usable key is sound: it withdraws all keys.
    ///
    /// # Errors
    /// Returns an error if it is not a set, has too many keys, or has two keys that cannot be distinguished.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, KeysFault> {
        let set = json::object(bytes).ok_or(KeysFault::NoSet)?;
        let listed = set.get("keys").and_then(Value::as_array).ok_or(KeysFault::NoSet)?;
        if listed.len() > JWKS_KEYS_MAX {
            return Err(KeysFault::TooManyKeys);
        }
        let mut read = Self::default();
        for jwk in listed {
            match jwk::read(jwk) {
                Ok(key) if read.has_twin_of(&key) => return Err(KeysFault::RepeatedName),
                Ok(key) => read.keys.push(key),
                Err(unused) => read.unused.push(unused),
            }
        }
        Ok(read)
    }

    /// Whether it has no usable key.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the number of usable keys.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The key for a token of `algorithm` with key id `kid`; without a `kid`, the only key of that algorithm.
    ///
    /// # Errors
    /// Returns an error if there is no such key, or more than one.
    pub(crate) fn choose(&self, algorithm: Algorithm, kid: Option<&str>) -> Result<&Key, Refusal> {
        let is_meant = |key: &&Key| {
            key.public.algorithm() == algorithm && kid.is_none_or(|kid| key.kid.as_deref() == Some(kid))
        };
        let mut meant = self.keys.iter().filter(is_meant);
        match (meant.next(), meant.next()) {
            (Some(key), None) => Ok(key),
            (None, _) => Err(Refusal::UnknownKey),
            (Some(_), Some(_)) => Err(Refusal::SeveralKeys),
        }
    }

    fn has_twin_of(&self, key: &Key) -> bool {
        let algorithm = key.public.algorithm();
        key.kid.is_some()
            && self.keys.iter().any(|other| other.kid == key.kid && other.public.algorithm() == algorithm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64URL_NOPAD;
    use serde_json::json;

    fn okp(kid: Option<&str>, byte: u8) -> Value {
        let x = BASE64URL_NOPAD.encode(&[byte; 32]);
        let mut jwk = json!({ "kty": "OKP", "crv": "Ed25519", "x": x });
        kid.into_iter().for_each(|kid| jwk["kid"] = kid.into());
        jwk
    }

    fn ec(kid: &str) -> Value {
        let x = BASE64URL_NOPAD.encode(&[1; 32]);
        json!({ "kty": "EC", "crv": "P-256", "x": x, "y": x, "kid": kid })
    }

    fn parse(keys: &[Value]) -> Result<KeySet, KeysFault> {
        KeySet::parse(json!({ "keys": keys, "more": 1 }).to_string().as_bytes())
    }

    #[test]
    fn a_token_s_key_is_the_one_of_its_name_and_algorithm() -> Result<(), KeysFault> {
        use Algorithm::{EdDsa, Es256, Rs256};
        let set = parse(&[okp(Some("a"), 1), okp(Some("b"), 2), ec("a"), json!({ "kty": "oct" })])?;
        for (algorithm, kid, place) in [
            (EdDsa, Some("a"), Ok(0)),
            (EdDsa, Some("b"), Ok(1)),
            (Es256, Some("a"), Ok(2)),
            (Es256, None, Ok(2)),
            (EdDsa, None, Err(Refusal::SeveralKeys)),
            (Es256, Some("b"), Err(Refusal::UnknownKey)),
            (Rs256, Some("a"), Err(Refusal::UnknownKey)),
            (Rs256, None, Err(Refusal::UnknownKey)),
            (EdDsa, Some(""), Err(Refusal::UnknownKey)),
            (EdDsa, Some("A"), Err(Refusal::UnknownKey)),
        ] {
            let chosen = set.choose(algorithm, kid);
            assert_eq!(chosen, place.map(|place: usize| &set.keys[place]), "{algorithm:?} {kid:?}");
        }
        assert_eq!(set.unused.len(), 1);
        Ok(())
    }

    #[test]
    fn a_key_without_a_name_serves_tokens_without_one_alone() -> Result<(), KeysFault> {
        let set = parse(&[okp(None, 1)])?;
        assert!(set.choose(Algorithm::EdDsa, None).is_ok());
        assert_eq!(set.choose(Algorithm::EdDsa, Some("a")), Err(Refusal::UnknownKey));
        let set = parse(&[okp(None, 1), okp(None, 2)])?;
        assert_eq!(set.choose(Algorithm::EdDsa, None), Err(Refusal::SeveralKeys));
        Ok(())
    }

    #[test]
    fn a_set_is_taken_whole_or_not_at_all() {
        let whole = |keys: &[Value]| parse(keys).map(|set| (set.keys.len(), set.unused.len()));
        assert_eq!(whole(&[]), Ok((0, 0)));
        assert_eq!(whole(&[json!({ "kty": "oct" }), json!(7)]), Ok((0, 2)));
        assert_eq!(whole(&[okp(Some("a"), 1), ec("a")]), Ok((2, 0)));
        assert_eq!(whole(&[okp(Some("a"), 1), okp(Some("a"), 2)]), Err(KeysFault::RepeatedName));
        assert_eq!(whole(&vec![json!({}); JWKS_KEYS_MAX]), Ok((0, JWKS_KEYS_MAX)));
        assert_eq!(whole(&vec![json!({}); JWKS_KEYS_MAX + 1]), Err(KeysFault::TooManyKeys));
        for text in ["", "{}", "[]", "null", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#, r#"{"keys":[]}x"#]
        {
            assert_eq!(KeySet::parse(text.as_bytes()).err(), Some(KeysFault::NoSet), "{text}");
        }
        let twice = r#"{"keys":[{"kty":"RSA","kty":"OKP"}]}"#;
        assert_eq!(KeySet::parse(twice.as_bytes()).err(), Some(KeysFault::NoSet));
    }
}
