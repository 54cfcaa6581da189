//! One key of a JWKS (RFC 7517), or why it is not used.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value};

use crate::auth::jwt::key::PublicKey;

/// The fields that only a private key has.
const PRIVATE: [&str; 7] = ["d", "p", "q", "dp", "dq", "qi", "oth"];

/// A key for checking tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The key's id in tokens.
    pub(crate) kid: Option<String>,
    /// The key itself.
    pub(crate) public: PublicKey,
}

/// A key that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unused {
    /// Its name.
    pub(crate) kid: Option<String>,
    pub(crate) why: Why,
}

/// Why a key is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    /// A member is missing or invalid.
    #[error("its {0} is missing or not what it should be")]
    Member(&'static str),
    /// It is a shared secret: any service that checks tokens with it could also sign them.
    #[error("it is a shared secret, by which all who check tokens could make them")]
    Symmetric,
    /// It includes the private key, which is thus public.
    #[error("it holds the private key too; replace it, everybody can know it")]
    Private,
    /// Its use is not signatures.
    #[error("its use is not sig")]
    Use,
    /// Its operations do not include checking signatures.
    #[error("its key_ops have no verify")]
    Operations,
    /// No accepted algorithm uses its kind or curve.
    #[error("it is neither Ed25519, P-256 nor RSA")]
    Kind,
    /// It is for another algorithm than the one used with its kind here.
    #[error("its alg is not EdDSA, ES256 or RS256, as its kty and crv say")]
    Algorithm,
    /// Its numbers are invalid for its kind, or its modulus is too small.
    #[error("its numbers are not those of a key, or its modulus has not 2048 to 8192 bits")]
    Numbers,
}

/// Reads a key of a set.
///
/// # Errors
/// Returns an error if the key must not be used.
pub(crate) fn read(jwk: &Value) -> Result<Key, Unused> {
    let empty = Map::new();
    let members = jwk.as_object().unwrap_or(&empty);
    let kid = || text(members, "kid").unwrap_or_default().map(str::to_owned);
    key(members).map_err(|why| Unused { kid: kid(), why })
}

fn key(members: &Map<String, Value>) -> Result<Key, Why> {
    let kind = text(members, "kty")?.ok_or(Why::Member("kty"))?;
    if kind == "oct" || members.contains_key("k") {
        return Err(Why::Symmetric);
    }
    if PRIVATE.iter().any(|name| members.contains_key(*name)) {
        return Err(Why::Private);
    }
    if text(members, "use")?.is_some_and(|purpose| purpose != "sig") {
        return Err(Why::Use);
    }
    if !may_verify(members)? {
        return Err(Why::Operations);
    }
    let public = match (kind, text(members, "crv")?) {
        ("OKP", Some("Ed25519")) => PublicKey::ed25519(bytes(members, "x")?),
        ("EC", Some("P-256")) => PublicKey::p256(&bytes(members, "x")?, &bytes(members, "y")?),
        ("RSA", None) => PublicKey::rsa(bytes(members, "n")?, bytes(members, "e")?),
        _ => return Err(Why::Kind),
    };
    let public = public.ok_or(Why::Numbers)?;
    if text(members, "alg")?.is_some_and(|name| name != public.algorithm().name()) {
        return Err(Why::Algorithm);
    }
    Ok(Key { kid: text(members, "kid")?.map(str::to_owned), public })
}

/// Whether its operations, if listed, include checking signatures.
fn may_verify(members: &Map<String, Value>) -> Result<bool, Why> {
    match members.get("key_ops") {
        None => Ok(true),
        Some(Value::Array(operations)) => Ok(operations.iter().any(|operation| operation == "verify")),
        Some(_) => Err(Why::Member("key_ops")),
    }
}

fn text<'a>(members: &'a Map<String, Value>, name: &'static str) -> Result<Option<&'a str>, Why> {
    members.get(name).map(|value| value.as_str().ok_or(Why::Member(name))).transpose()
}

fn bytes(members: &Map<String, Value>, name: &'static str) -> Result<Vec<u8>, Why> {
    let text = text(members, name)?.ok_or(Why::Member(name))?;
    BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| Why::Member(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(bytes: usize) -> String {
        BASE64URL_NOPAD.encode(&vec![0xff; bytes])
    }

    /// A sound key of each kind.
    fn sound() -> [Value; 3] {
        [
            json!({ "kty": "OKP", "crv": "Ed25519", "x": number(32), "kid": "a" }),
            json!({ "kty": "EC", "crv": "P-256", "x": number(32), "y": number(32), "kid": "a" }),
            json!({ "kty": "RSA", "n": number(256), "e": "AQAB", "kid": "a" }),
        ]
    }

    #[test]
    fn a_key_is_used_with_the_one_algorithm_of_its_kind() {
        for (mut jwk, alg) in sound().into_iter().zip(["EdDSA", "ES256", "RS256"]) {
            for more in [
                json!({}),
                json!({ "alg": alg, "use": "sig", "key_ops": ["verify"], "x5c": ["x"], "more": { "d": 1 } }),
                json!({ "key_ops": ["sign", "verify"] }),
            ] {
                jwk.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                let key = read(&jwk);
                assert_eq!(key.as_ref().map(|key| key.public.algorithm().name()), Ok(alg), "{jwk}");
                assert_eq!(key.map(|key| key.kid), Ok(Some("a".to_owned())));
            }
        }
    }

    #[test]
    fn an_unfit_key_is_logged_with_its_name() {
        let [okp, ec, rsa] = sound();
        for (jwk, member, value, why) in [
            (&okp, "kty", json!("oct"), Why::Symmetric),
            (&okp, "k", json!("AAAA"), Why::Symmetric),
            (&okp, "d", json!("AAAA"), Why::Private),
            (&rsa, "q", json!(null), Why::Private),
            (&okp, "use", json!("enc"), Why::Use),
            (&okp, "use", json!(["sig"]), Why::Member("use")),
            (&okp, "key_ops", json!([]), Why::Operations),
            (&okp, "key_ops", json!(["sign", "Verify"]), Why::Operations),
            (&okp, "key_ops", json!("verify"), Why::Member("key_ops")),
            (&okp, "crv", json!("X25519"), Why::Kind),
            (&okp, "crv", json!("Ed448"), Why::Kind),
            (&okp, "kty", json!("EC"), Why::Kind),
            (&ec, "crv", json!("P-384"), Why::Kind),
            (&ec, "crv", json!("secp256k1"), Why::Kind),
            (&ec, "kty", json!("OKP"), Why::Kind),
            (&okp, "kty", json!("okp"), Why::Kind),
            (&okp, "kty", json!(1), Why::Member("kty")),
            (&okp, "alg", json!("ES256"), Why::Algorithm),
            (&okp, "alg", json!("HS256"), Why::Algorithm),
            (&rsa, "alg", json!("RS512"), Why::Algorithm),
            (&rsa, "alg", json!("PS256"), Why::Algorithm),
            (&ec, "alg", json!(256), Why::Member("alg")),
            (&okp, "x", json!(number(33)), Why::Numbers),
            (&okp, "x", json!("AAA="), Why::Member("x")),
            (&ec, "y", json!(number(31)), Why::Numbers),
            (&ec, "y", json!(null), Why::Member("y")),
            (&rsa, "n", json!(number(128)), Why::Numbers),
            (&rsa, "e", json!("AQ"), Why::Numbers),
            (&rsa, "e", json!(65537), Why::Member("e")),
        ] {
            let mut jwk = jwk.clone();
            jwk[member] = value;
            assert_eq!(read(&jwk), Err(Unused { kid: Some("a".to_owned()), why }), "{jwk}");
        }
        for jwk in [json!(null), json!([]), json!("a"), json!({})] {
            assert_eq!(read(&jwk), Err(Unused { kid: None, why: Why::Member("kty") }), "{jwk}");
        }
        let numbered = read(&json!({ "kty": "OKP", "crv": "Ed25519", "x": number(32), "kid": 7 }));
        assert_eq!(numbered, Err(Unused { kid: None, why: Why::Member("kid") }));
    }
}
