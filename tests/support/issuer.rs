//! An issuer of JWTs for tests: keys of the three algorithms, their JWKS, and tokens.

use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::BASE64URL_NOPAD;
use kith_server::auth::jwt::settings::IssuerSettings;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    RSA_PKCS1_SHA256, RsaEncoding, RsaKeyPair, RsaPublicKeyComponents,
};
use serde_json::{Value, json};

pub(crate) const ISSUER: &str = "https://idp.example";
pub(crate) const AUDIENCE: &str = "https://kith.example";
/// A member of the tiny network.
pub(crate) const USER: &str = "user_cai";
pub(crate) const ORGANIZATION: &str = "org_tiny";

/// A key pair, and what the JWKS calls it.
pub(crate) struct Signer {
    pub(crate) kid: String,
    pair: Pair,
}

enum Pair {
    Ed25519(Ed25519KeyPair),
    /// The same key twice: for signatures as JWTs have them, and as DER.
    P256(Box<EcdsaKeyPair>, Box<EcdsaKeyPair>),
    Rsa(Box<RsaKeyPair>),
}

impl Signer {
    /// A fresh key for EdDSA.
    pub(crate) fn ed25519(kid: &str) -> Self {
        let pair = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(pair.as_ref()).unwrap();
        Self { kid: kid.to_owned(), pair: Pair::Ed25519(pair) }
    }

    /// A fresh key for ES256.
    pub(crate) fn p256(kid: &str) -> Self {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let read = |form| Box::new(EcdsaKeyPair::from_pkcs8(form, pair.as_ref(), &random).unwrap());
        let (fixed, der) = (read(&ECDSA_P256_SHA256_FIXED_SIGNING), read(&ECDSA_P256_SHA256_ASN1_SIGNING));
        Self { kid: kid.to_owned(), pair: Pair::P256(fixed, der) }
    }

    /// The key for RS256 of `fixtures/jwt`.
    pub(crate) fn rsa(kid: &str) -> Self {
        let pair = RsaKeyPair::from_pkcs8(include_bytes!("../../fixtures/jwt/rsa-2048.pk8")).unwrap();
        Self { kid: kid.to_owned(), pair: Pair::Rsa(Box::new(pair)) }
    }

    pub(crate) fn alg(&self) -> &'static str {
        match self.pair {
            Pair::Ed25519(_) => "EdDSA",
            Pair::P256(..) => "ES256",
            Pair::Rsa(_) => "RS256",
        }
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.pair {
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Pair::P256(pair, _) => pair.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec(),
            Pair::Rsa(_) => self.sign_rsa(&RSA_PKCS1_SHA256, message),
        }
    }

    /// Like [`Self::sign`], in another form or by another hash, for a key of RSA.
    pub(crate) fn sign_rsa(&self, form: &'static dyn RsaEncoding, message: &[u8]) -> Vec<u8> {
        let Pair::Rsa(pair) = &self.pair else { panic!("no key of RSA") };
        let mut signature = vec![0; pair.public().modulus_len()];
        pair.sign(form, &SystemRandom::new(), message, &mut signature).unwrap();
        signature
    }

    /// Like [`Self::sign`], as DER, for a key on P-256.
    pub(crate) fn sign_der(&self, message: &[u8]) -> Vec<u8> {
        let Pair::P256(_, pair) = &self.pair else { panic!("no key on P-256") };
        pair.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec()
    }

    /// The public key: 32 bytes, an uncompressed point, or PKCS #1.
    pub(crate) fn public(&self) -> Vec<u8> {
        match &self.pair {
            Pair::Ed25519(pair) => pair.public_key().as_ref().to_vec(),
            Pair::P256(pair, _) => pair.public_key().as_ref().to_vec(),
            Pair::Rsa(pair) => pair.public_key().as_ref().to_vec(),
        }
    }

    /// The public key as a JWKS shows it, without more than it needs.
    pub(crate) fn jwk(&self) -> Value {
        let public = self.public();
        match &self.pair {
            Pair::Ed25519(_) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "kid": self.kid, "x": base64(&public) })
            }
            Pair::P256(..) => {
                let (x, y) = public[1..].split_at(32);
                json!({ "kty": "EC", "crv": "P-256", "kid": self.kid, "x": base64(x), "y": base64(y) })
            }
            Pair::Rsa(pair) => {
                let RsaPublicKeyComponents::<Vec<u8>> { n, e } = pair.public().into();
                json!({ "kty": "RSA", "kid": self.kid, "n": base64(&n), "e": base64(&e) })
            }
        }
    }

    /// The header of its tokens.
    pub(crate) fn header(&self) -> Value {
        json!({ "alg": self.alg(), "typ": "at+jwt", "kid": self.kid })
    }

    /// A token with these claims.
    pub(crate) fn token(&self, claims: &Value) -> String {
        self.signed(self.header().to_string().as_bytes(), claims.to_string().as_bytes())
    }

    /// A token with these claims and one more, so long that it has `bytes` or a few more.
    pub(crate) fn long_token(&self, claims: &Value, bytes: usize) -> String {
        let (header, mut claims) = (self.header().to_string(), claims.clone());
        let frame = base64(header.as_bytes()).len() + base64(&self.sign(b"")).len() + 2;
        let mut more = String::new();
        loop {
            claims["more"] = more.as_str().into();
            let text = claims.to_string();
            let length = frame + base64(text.as_bytes()).len();
            if length >= bytes {
                return self.signed(header.as_bytes(), text.as_bytes());
            }
            more.push_str(&"x".repeat((bytes - length).div_ceil(2)));
        }
    }

    /// A token with this header and these claims, valid or not.
    pub(crate) fn signed(&self, header: &[u8], claims: &[u8]) -> String {
        let message = format!("{}.{}", base64(header), base64(claims));
        let signature = self.sign(message.as_bytes());
        format!("{message}.{}", base64(&signature))
    }
}

/// Sound claims of [`USER`], good for ten minutes from `now`.
pub(crate) fn claims_at(now: u64) -> Value {
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": USER, "org": ORGANIZATION, "scope": "mcp:read",
        "iat": now, "nbf": now, "exp": now + 600,
    })
}

/// Sound claims of [`USER`], good for ten minutes.
pub(crate) fn claims() -> Value {
    claims_at(seconds(SystemTime::now()))
}

pub(crate) fn seconds(now: SystemTime) -> u64 {
    now.duration_since(UNIX_EPOCH).unwrap().as_secs()
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

/// A JWKS of these keys.
pub(crate) fn jwks(keys: &[Value]) -> String {
    json!({ "keys": keys }).to_string()
}

/// The settings for the keys in `file`.
pub(crate) fn file_settings(file: &std::path::Path) -> IssuerSettings {
    IssuerSettings::new("", file.to_str().unwrap(), ISSUER, AUDIENCE).unwrap().unwrap()
}

/// The settings for the keys at `url`.
pub(crate) fn url_settings(url: &str) -> IssuerSettings {
    IssuerSettings::new(url, "", ISSUER, AUDIENCE).unwrap().unwrap()
}
