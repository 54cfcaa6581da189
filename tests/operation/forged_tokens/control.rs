//! The control: the same classes detect verifiers that are careless in one way each.

use std::time::SystemTime;

use data_encoding::{BASE64URL_NOPAD, Specification};
use ring::hmac;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY,
    RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde_json::Value;

use crate::forged_tokens::SEED;
use crate::forged_tokens::classes;
use crate::forged_tokens::forger::Forger;
use crate::support::issuer::{AUDIENCE, ISSUER, seconds};

/// Tokens of each class that a verifier is tried with.
const TURNS: usize = 12;

/// A flaw of a verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    /// It takes alg none for signed.
    AcceptsNone,
    /// It takes the public key for the secret of a MAC if the token says HS256.
    TrustsAlgorithm,
    /// It takes the key that the token brings.
    TrustsBroughtKey,
    /// It uses every key of the set for anything its kind can do.
    UsesUnfitKeys,
    /// It does not look at the key's name.
    IgnoresName,
    /// It takes RSA keys of any size.
    TakesSmallKeys,
    /// It takes ES256 signatures as DER, too.
    TakesDer,
    /// It does not look at the signature.
    IgnoresSignature,
    /// It takes the last of two names, as most JSON readers do.
    TakesLastName,
    /// It takes padding and spare bits.
    DecodesLoosely,
    /// It reads tokens of any length.
    ReadsAnyLength,
    IgnoresType,
    IgnoresCritical,
    IgnoresIssuer,
    IgnoresAudience,
    /// It looks for our name anywhere in the audience.
    SearchesAudience,
    /// It checks the times that are there.
    TimesOptional,
    IgnoresExpiry,
    /// It takes an end however far away.
    TakesAnyLife,
    IgnoresNotBefore,
    IgnoresIssuedAt,
    IgnoresSubject,
    IgnoresOrganization,
    IgnoresScopeType,
    TakesIdTokens,
}

/// Every flaw, each with a class that has to catch it.
const FLAWS: [(Flaw, &str); 25] = [
    (Flaw::AcceptsNone, "alg none, without a signature"),
    (Flaw::TrustsAlgorithm, "HS256 with the raw public key as the secret"),
    (Flaw::TrustsBroughtKey, "a stranger's key in the header, signed by it"),
    (Flaw::UsesUnfitKeys, "a key that the set shows and that is not for this"),
    (Flaw::IgnoresName, "the name of another key than the signer"),
    (Flaw::TakesSmallKeys, "an RSA key that is too small"),
    (Flaw::TakesDer, "an ES256 signature as DER"),
    (Flaw::IgnoresSignature, "signed by a stranger's key of the same name"),
    (Flaw::TakesLastName, "a claim twice, the good one last"),
    (Flaw::DecodesLoosely, "a signature with bits that stand for nothing"),
    (Flaw::ReadsAnyLength, "just too long, and signed so"),
    (Flaw::IgnoresType, "another typ"),
    (Flaw::IgnoresCritical, "crit with what is not understood"),
    (Flaw::IgnoresIssuer, "another iss"),
    (Flaw::IgnoresAudience, "a list of other auds"),
    (Flaw::SearchesAudience, "another aud"),
    (Flaw::TimesOptional, "no exp"),
    (Flaw::IgnoresExpiry, "expired"),
    (Flaw::TakesAnyLife, "an exp too far away"),
    (Flaw::IgnoresNotBefore, "not yet"),
    (Flaw::IgnoresIssuedAt, "issued in the future"),
    (Flaw::IgnoresSubject, "no sub"),
    (Flaw::IgnoresOrganization, "an org that is no text"),
    (Flaw::IgnoresScopeType, "a scope that is no text"),
    (Flaw::TakesIdTokens, "an ID token"),
];

#[test]
fn a_verifier_with_any_one_flaw_is_caught_by_the_class_for_it() {
    let forger = Forger::new(SEED);
    let keys: Value = serde_json::from_str(&forger.jwks()).unwrap();
    let forged: Vec<(&str, Vec<String>)> = classes::all()
        .iter()
        .filter(|class| !class.refused.is_empty())
        .map(|class| (class.name, (0..TURNS).map(|turn| forger.forge(class, turn)).collect()))
        .collect();
    let caught_by = |flaw: Flaw| -> Vec<&str> {
        let is_caught = |tokens: &[String]| tokens.iter().any(|token| accepts(flaw, &keys, token));
        forged.iter().filter(|(_, tokens)| is_caught(tokens)).map(|(name, _)| *name).collect()
    };
    assert_eq!(caught_by(Flaw::None), [""; 0], "a second verifier, written apart, accepts nothing either");
    for (flaw, class) in FLAWS {
        let caught = caught_by(flaw);
        assert!(caught.contains(&class), "{flaw:?} is caught by {caught:?}");
        println!("{flaw:?} is caught by {} classes", caught.len());
    }
}

/// A second verifier, written apart from the first, with one flaw: whether it accepts `token`.
fn accepts(flaw: Flaw, keys: &Value, token: &str) -> bool {
    judge(flaw, keys, token).unwrap_or(false)
}

/// Like [`accepts`]. Returns `None` if something that is needed is missing.
fn judge(flaw: Flaw, keys: &Value, token: &str) -> Option<bool> {
    if token.len() > 8_192 && flaw != Flaw::ReadsAnyLength {
        return None;
    }
    let parts: Vec<&str> = token.split('.').collect();
    let [header, claims, signature] = parts[..] else { return None };
    let message = format!("{header}.{claims}");
    let header = object(flaw, &decode(flaw, header)?)?;
    let (claims, signature) = (decode(flaw, claims)?, decode(flaw, signature)?);
    // The signature last: it costs more than all else together.
    if !has_good_header(flaw, &header) || !has_good_claims(flaw, &object(flaw, &claims)?)? {
        return Some(false);
    }
    Some(flaw == Flaw::IgnoresSignature || is_signed(flaw, keys, &header, &message, &signature)?)
}

fn decode(flaw: Flaw, part: &str) -> Option<Vec<u8>> {
    if flaw != Flaw::DecodesLoosely {
        return BASE64URL_NOPAD.decode(part.as_bytes()).ok();
    }
    let mut loose = Specification::new();
    loose.symbols.push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    loose.check_trailing_bits = false;
    loose.ignore.push_str("= \t\r\n");
    loose.encoding().unwrap().decode(part.as_bytes()).ok()
}

/// A JSON object; unless the flaw is another one, only if writing it again gives as many names.
fn object(flaw: Flaw, bytes: &[u8]) -> Option<Value> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let names = |text: &str| text.matches("\":").count();
    let text = std::str::from_utf8(bytes).ok()?;
    let has_each_once = names(&text.replace(": ", ":").replace("\" :", "\":")) == names(&value.to_string());
    (value.is_object() && (has_each_once || flaw == Flaw::TakesLastName)).then_some(value)
}

fn has_good_header(flaw: Flaw, header: &Value) -> bool {
    let kind = header["typ"].as_str().unwrap_or_default().to_ascii_lowercase();
    let is_token =
        ["jwt", "at+jwt", "application/at+jwt"].contains(&kind.as_str()) || header.get("typ").is_none();
    let has = |name: &str| header.get(name).is_some();
    let brings_key = ["jwk", "jku", "x5u", "x5c"].into_iter().any(has);
    (is_token || flaw == Flaw::IgnoresType)
        && (!brings_key || flaw == Flaw::TrustsBroughtKey)
        && (!(has("crit") || has("b64")) || flaw == Flaw::IgnoresCritical)
        && (header.get("kid").is_none_or(Value::is_string))
}

fn is_signed(flaw: Flaw, keys: &Value, header: &Value, message: &str, signature: &[u8]) -> Option<bool> {
    let alg = header["alg"].as_str()?;
    if alg.eq_ignore_ascii_case("none") {
        return Some(flaw == Flaw::AcceptsNone);
    }
    if flaw == Flaw::TrustsBroughtKey && header.get("jwk").is_some() {
        return Some(verifies(flaw, &header["jwk"], message, signature));
    }
    let is_fit = |key: &&Value| flaw == Flaw::UsesUnfitKeys || is_fit(flaw, key);
    let is_meant = |key: &&Value| {
        flaw == Flaw::IgnoresName
            || match header.get("kid") {
                Some(kid) => key["kid"] == *kid,
                None => alg_of(key) == alg,
            }
    };
    let meant: Vec<&Value> = keys["keys"].as_array()?.iter().filter(is_fit).filter(is_meant).collect();
    if flaw == Flaw::TrustsAlgorithm && alg == "HS256" {
        let secret = |key: &Value| hmac::Key::new(hmac::HMAC_SHA256, &number(key, "x").unwrap_or_default());
        return Some(
            meant.iter().any(|key| hmac::verify(&secret(key), message.as_bytes(), signature).is_ok()),
        );
    }
    if flaw == Flaw::IgnoresName {
        return Some(meant.iter().any(|key| verifies(flaw, key, message, signature)));
    }
    let [key] = meant[..] else { return None };
    Some(alg_of(key) == alg && verifies(flaw, key, message, signature))
}

fn is_fit(flaw: Flaw, key: &Value) -> bool {
    let is_small = key["kty"] == "RSA"
        && number(key, "n").is_none_or(|modulus| modulus[0] < 0x80 || modulus.len() < 256);
    key["kty"] != "oct"
        && key.get("d").is_none()
        && key.get("use").is_none_or(|purpose| purpose == "sig")
        && key.get("key_ops").is_none()
        && key.get("alg").is_none_or(|alg| alg == alg_of(key))
        && key.get("crv").is_none_or(|curve| curve == "Ed25519" || curve == "P-256")
        && (!is_small || flaw == Flaw::TakesSmallKeys)
}

fn alg_of(key: &Value) -> &'static str {
    match key["kty"].as_str() {
        Some("OKP") => "EdDSA",
        Some("EC") => "ES256",
        Some("RSA") => "RS256",
        _ => "HS256",
    }
}

fn number(key: &Value, name: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(key[name].as_str()?.as_bytes()).ok()
}

fn verifies(flaw: Flaw, key: &Value, message: &str, signature: &[u8]) -> bool {
    let member = |name| number(key, name).unwrap_or_default();
    let message = message.as_bytes();
    match alg_of(key) {
        "EdDSA" => UnparsedPublicKey::new(&ED25519, member("x")).verify(message, signature).is_ok(),
        "ES256" => {
            let point = [&[4], &*member("x"), &*member("y")].concat();
            let fixed = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &point);
            let der = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &point);
            fixed.verify(message, signature).is_ok()
                || (flaw == Flaw::TakesDer && der.verify(message, signature).is_ok())
        }
        "RS256" => {
            let key = RsaPublicKeyComponents { n: member("n"), e: member("e") };
            let form = match flaw {
                Flaw::TakesSmallKeys => &RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY,
                _ => &RSA_PKCS1_2048_8192_SHA256,
            };
            key.verify(form, message, signature).is_ok()
        }
        _ => false,
    }
}

fn has_good_claims(flaw: Flaw, claims: &Value) -> Option<bool> {
    let now = seconds(SystemTime::now()) as f64;
    let id = |name: &str, prefix: &str| {
        let id = claims[name].as_str().unwrap_or_default();
        id.starts_with(prefix) && id.len() <= 200 && !id.contains(|c: char| c == ',' || c.is_control())
    };
    let time = |name: &str, is_right: &dyn Fn(f64) -> bool| match claims.get(name) {
        None => flaw == Flaw::TimesOptional || name != "exp",
        Some(at) => at.as_f64().is_some_and(is_right),
    };
    let audience = match &claims["aud"] {
        Value::String(one) => one == AUDIENCE,
        Value::Array(several) => {
            several.iter().all(Value::is_string) && several.iter().any(|one| one == AUDIENCE)
        }
        _ => false,
    };
    let is_far = |exp: f64| exp > now + 100.0 * 365.0 * 86_400.0 + 5.0;
    let is_named = flaw == Flaw::SearchesAudience && claims["aud"].to_string().contains(AUDIENCE);
    let user = claims["sub"].as_str().unwrap_or_default();
    let is_name = !user.trim().is_empty() && user.len() <= 200 && !user.contains(char::is_control);
    let says = |name: &str, kinds: &[&str]| {
        claims[name].as_str().is_some_and(|kind| kinds.contains(&kind.to_ascii_lowercase().as_str()))
    };
    let is_id_token = claims.get("nonce").is_some()
        || says("typ", &["id", "refresh", "offline", "logout"])
        || says("token_use", &["id"]);
    let is_scope = |scope: &Value| {
        scope.is_string() || scope.as_array().is_some_and(|words| words.iter().all(Value::is_string))
    };
    Some(
        (flaw == Flaw::IgnoresIssuer || claims["iss"] == ISSUER)
            && (flaw == Flaw::IgnoresAudience || audience || is_named)
            && (flaw == Flaw::IgnoresExpiry || time("exp", &|exp| now < exp + 5.0))
            && (flaw == Flaw::TakesAnyLife || !claims["exp"].as_f64().is_some_and(is_far))
            && (flaw == Flaw::IgnoresNotBefore || time("nbf", &|nbf| nbf <= now + 5.0))
            && (flaw == Flaw::IgnoresIssuedAt || time("iat", &|iat| iat <= now + 5.0))
            && (flaw == Flaw::IgnoresSubject || is_name)
            && (flaw == Flaw::TakesIdTokens || !is_id_token)
            && (flaw == Flaw::IgnoresOrganization || id("org", "org_"))
            && (flaw == Flaw::IgnoresScopeType || claims.get("scope").is_none_or(is_scope)),
    )
}
