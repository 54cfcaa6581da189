//! Tokens that try to choose the algorithm.

use data_encoding::{BASE64, BASE64URL_NOPAD};
use kith_server::auth::jwt::refusal::Refusal;
use ring::hmac;
use ring::signature::{RSA_PKCS1_SHA512, RSA_PSS_SHA256};
use serde_json::{Value, json};

use crate::forged_tokens::class::{Class, class};
use crate::forged_tokens::forger::Forger;
use crate::support::issuer::{Signer, base64};

const ALGORITHM: &[Refusal] = &[Refusal::Algorithm];

pub(crate) fn classes() -> Vec<Class> {
    vec![
        class("alg none, without a signature", ALGORITHM, |f| unsigned(f, &"none".into())),
        class("alg none, with a good signature", ALGORITHM, |f| f.header_saying("alg", &"none".into())),
        class("alg none in other letters", ALGORITHM, |f| {
            unsigned(
                f,
                f.one_of(
                    &["None", "NONE", "nOnE", "none ", " none", "n\u{f6}ne", "none\u{0}"].map(Value::from),
                ),
            )
        }),
        class("alg none, with the signature none", ALGORITHM, |f| {
            format!("{}{}", unsigned(f, &"none".into()), f.pick(&["bm9uZQ", "AA", "e30"]))
        }),
        class("no alg", ALGORITHM, |f| f.with_header(|header| drop(header.remove("alg")))),
        class("no alg and no signature", ALGORITHM, |f| {
            let header = json!({ "typ": "at+jwt", "kid": f.signer().kid });
            format!("{}.{}.", base64(header.to_string().as_bytes()), base64(f.claims_text().as_bytes()))
        }),
        class("an alg that is no text", ALGORITHM, |f| {
            let values = [json!(null), json!(0), json!(true), json!(["EdDSA"]), json!({ "alg": "EdDSA" })];
            f.header_saying("alg", f.one_of(&values))
        }),
        class("an empty alg", ALGORITHM, |f| f.header_saying("alg", &"".into())),
        class("a good alg in other letters", ALGORITHM, |f| {
            f.with_header(|header| {
                let alg = header["alg"].as_str().unwrap();
                let other =
                    [alg.to_lowercase(), format!("{alg} "), format!("{alg}\u{0}"), format!("\u{feff}{alg}")];
                header.insert("alg".to_owned(), f.pick(&other).as_str().into());
            })
        }),
        class("an alg nobody accepts here", ALGORITHM, |f| {
            let names = [
                "ES384", "ES512", "ES256K", "RS384", "RS512", "PS256", "Ed25519", "Ed448", "HS256", "dir",
                "RSA-OAEP",
            ];
            f.header_saying("alg", f.one_of(&names.map(Value::from)))
        }),
        class("RS512, signed so", ALGORITHM, |f| {
            by_rsa(f, "RS512", |signer, message| signer.sign_rsa(&RSA_PKCS1_SHA512, message))
        }),
        class("PS256, signed so", ALGORITHM, |f| {
            by_rsa(f, "PS256", |signer, message| signer.sign_rsa(&RSA_PSS_SHA256, message))
        }),
        class("RS256, signed as RS512 or PS256 would be", &[Refusal::Signature], |f| {
            by_rsa(f, "RS256", |signer, message| match f.below(2) {
                0 => signer.sign_rsa(&RSA_PKCS1_SHA512, message),
                _ => signer.sign_rsa(&RSA_PSS_SHA256, message),
            })
        }),
        class("HS256 with the raw public key as the secret", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |signer| signer.public())
        }),
        class("HS256 with the public key in base64url", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |signer| base64(&signer.public()).into_bytes())
        }),
        class("HS256 with the JWK as the secret", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |signer| signer.jwk().to_string().into_bytes())
        }),
        class("HS256 with the JWK's x or n as the secret", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |signer| {
                let jwk = signer.jwk();
                let number = jwk.get("x").or(jwk.get("n")).unwrap().as_str().unwrap();
                BASE64URL_NOPAD.decode(number.as_bytes()).unwrap()
            })
        }),
        class("HS256 with the public key as DER", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, spki)
        }),
        class("HS256 with the public key as PEM", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |signer| pem(signer).into_bytes())
        }),
        class("HS256 with the public key as PEM without its last line break", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |signer| pem(signer).trim_end().as_bytes().to_vec())
        }),
        class("HS384 with the public key as the secret", ALGORITHM, |f| {
            by_secret(f, "HS384", hmac::HMAC_SHA384, |signer| signer.public())
        }),
        class("HS512 with the public key as PEM", ALGORITHM, |f| {
            by_secret(f, "HS512", hmac::HMAC_SHA512, |signer| pem(signer).into_bytes())
        }),
        class("HS256 with an empty secret, or a guessed one", ALGORITHM, |f| {
            by_secret(f, "HS256", hmac::HMAC_SHA256, |_| {
                f.pick(&["", "secret", "password", "\u{0}"]).as_bytes().to_vec()
            })
        }),
        class("HS256 with the set's shared secret", ALGORITHM, |f| {
            let header = json!({ "alg": "HS256", "typ": "at+jwt", "kid": "oct-1" });
            mac(f, &header, hmac::HMAC_SHA256, b"shared secret")
        }),
        class("a MAC by the public key under the key's own alg", &[Refusal::Signature], |f| {
            let signer = f.signer();
            mac(f, &signer.header(), hmac::HMAC_SHA256, &signer.public())
        }),
        class("the alg of another key's kind", &[Refusal::UnknownKey], |f| {
            f.with_header(|header| {
                let others = ["EdDSA", "ES256", "RS256"].into_iter().filter(|alg| header["alg"] != *alg);
                let other = f.pick(&others.collect::<Vec<_>>());
                header.insert("alg".to_owned(), other.into());
            })
        }),
        class("the alg and the name of another key than the signer", &[Refusal::Signature], |f| {
            let (signer, other) = two(f);
            signer.signed(other.header().to_string().as_bytes(), f.claims_text().as_bytes())
        }),
        class("the name of another key than the signer", &[Refusal::UnknownKey], |f| {
            let (signer, other) = two(f);
            f.with_header_by(signer, |header| {
                drop(header.insert("kid".to_owned(), other.kid.as_str().into()))
            })
        }),
    ]
}

/// A token without a signature.
fn unsigned(f: &Forger, alg: &Value) -> String {
    let mut header = f.signer().header();
    header["alg"] = alg.clone();
    format!("{}.{}.", base64(header.to_string().as_bytes()), base64(f.claims_text().as_bytes()))
}

fn by_rsa(f: &Forger, alg: &str, sign: impl FnOnce(&Signer, &[u8]) -> Vec<u8>) -> String {
    let signer = &f.genuine[2];
    let mut header = signer.header();
    header["alg"] = alg.into();
    let message = format!("{}.{}", base64(header.to_string().as_bytes()), base64(f.claims_text().as_bytes()));
    let signature = sign(signer, message.as_bytes());
    format!("{message}.{}", base64(&signature))
}

fn by_secret(
    f: &Forger,
    alg: &str,
    algorithm: hmac::Algorithm,
    secret: impl FnOnce(&Signer) -> Vec<u8>,
) -> String {
    let signer = f.signer();
    let mut header = signer.header();
    header["alg"] = alg.into();
    mac(f, &header, algorithm, &secret(signer))
}

fn mac(f: &Forger, header: &Value, algorithm: hmac::Algorithm, secret: &[u8]) -> String {
    let message = format!("{}.{}", base64(header.to_string().as_bytes()), base64(f.claims_text().as_bytes()));
    let tag = hmac::sign(&hmac::Key::new(algorithm, secret), message.as_bytes());
    format!("{message}.{}", base64(tag.as_ref()))
}

/// Two genuine keys of different kinds.
fn two(f: &Forger) -> (&Signer, &Signer) {
    let first = f.below(3);
    (&f.genuine[first], &f.genuine[(first + 1 + f.below(2)) % 3])
}

/// The public key as a SubjectPublicKeyInfo.
fn spki(signer: &Signer) -> Vec<u8> {
    let head: &[u8] = match signer.alg() {
        "EdDSA" => b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00",
        "ES256" => b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00",
        _ => b"\x30\x82\x01\x22\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00\x03\x82\x01\x0f\x00",
    };
    [head, &signer.public()].concat()
}

fn pem(signer: &Signer) -> String {
    let text = BASE64.encode(&spki(signer));
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"))
}
