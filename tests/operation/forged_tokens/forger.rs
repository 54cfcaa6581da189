//! The forger: makes tokens that must be refused, some with the issuer's keys, some without.

use std::cell::Cell;

use kith_server::auth::jwt::Issuer;
use serde_json::{Map, Value, json};

use crate::forged_tokens::class::Class;
use crate::forged_tokens::site::issuer_of;
use crate::support::issuer::{Signer, base64, claims, jwks};

/// The issuer's keys, keys of strangers, and dice.
pub(crate) struct Forger {
    /// One key of each algorithm: EdDSA, ES256, RS256.
    pub(crate) genuine: [Signer; 3],
    /// Another key for EdDSA, so that a token for one has to name it.
    spare: Signer,
    /// Keys that are called as the genuine ones are, and not in the set.
    pub(crate) strangers: [Signer; 2],
    /// Keys that are in the set and must not be used, as the set shows them.
    pub(crate) unfit: Vec<(Signer, Value)>,
    /// RSA keys that are too small, as the set shows them, each with a token that it signed.
    pub(crate) small: Vec<(Value, String)>,
    dice: Cell<u64>,
    turn: Cell<usize>,
}

/// A sound token, in parts that can be put together wrongly.
pub(crate) struct Parts<'a> {
    pub(crate) signer: &'a Signer,
    pub(crate) header: String,
    pub(crate) claims: String,
    pub(crate) signature: Vec<u8>,
}

impl Parts<'_> {
    /// The bytes that are signed.
    pub(crate) fn message(&self) -> String {
        format!("{}.{}", self.header, self.claims)
    }

    /// The token with another signature.
    pub(crate) fn with(&self, signature: &[u8]) -> String {
        format!("{}.{}", self.message(), base64(signature))
    }

    pub(crate) fn whole(&self) -> String {
        self.with(&self.signature)
    }
}

impl Forger {
    pub(crate) fn new(seed: u64) -> Self {
        let genuine = [Signer::ed25519("ed-1"), Signer::p256("ec-1"), Signer::rsa("rsa-1")];
        let strangers = [Signer::ed25519("ed-1"), Signer::p256("ec-1")];
        let small: Vec<Value> =
            serde_json::from_str(include_str!("../../../fixtures/jwt/small-rsa.json")).unwrap();
        let small = small.iter().map(|small| {
            let token = small["token"].as_str().unwrap().to_owned();
            (small["jwk"].clone(), token)
        });
        Self {
            genuine,
            spare: Signer::ed25519("ed-2"),
            strangers,
            unfit: unfit(),
            small: small.collect(),
            dice: Cell::new(seed),
            turn: Cell::new(0),
        }
    }

    /// The set that the issuer publishes.
    pub(crate) fn jwks(&self) -> String {
        let shared = json!({ "kty": "oct", "kid": "oct-1", "alg": "HS256", "k": base64(b"shared secret") });
        let mut keys: Vec<Value> = self.genuine.iter().map(Signer::jwk).collect();
        keys.extend([self.spare.jwk(), shared]);
        keys.extend(self.unfit.iter().map(|(_, jwk)| jwk.clone()));
        keys.extend(self.small.iter().map(|(jwk, _)| jwk.clone()));
        jwks(&keys)
    }

    /// The issuer, by itself.
    pub(crate) fn issuer(&self) -> Issuer {
        issuer_of(&self.jwks()).1
    }

    /// The token of `class` for this turn.
    pub(crate) fn forge(&self, class: &Class, turn: usize) -> String {
        self.turn.set(turn);
        (class.forge)(self)
    }

    /// One of `choices`: each turn the next.
    pub(crate) fn pick<T: Clone>(&self, choices: &[T]) -> T {
        self.one_of(choices).clone()
    }

    /// Like [`Self::pick`], by reference.
    pub(crate) fn one_of<'a, T>(&self, choices: &'a [T]) -> &'a T {
        &choices[self.turn.get() % choices.len()]
    }

    /// A number below `bound`, at random (SplitMix64).
    pub(crate) fn below(&self, bound: usize) -> usize {
        let state = self.dice.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.dice.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// A genuine key, at random; seldom the one of RSA, which is slow.
    pub(crate) fn signer(&self) -> &Signer {
        &self.genuine[match self.below(20) {
            0 => 2,
            draw => draw % 2,
        }]
    }

    /// Sound claims, never the same twice.
    pub(crate) fn claims(&self) -> Map<String, Value> {
        let Value::Object(mut claims) = claims() else { panic!("claims are an object") };
        claims.insert("jti".to_owned(), self.below(usize::MAX).into());
        claims
    }

    /// Sound claims as text.
    pub(crate) fn claims_text(&self) -> String {
        Value::Object(self.claims()).to_string()
    }

    /// A sound token in parts.
    pub(crate) fn parts(&self) -> Parts<'_> {
        self.parts_by(self.signer())
    }

    /// A sound token of `signer` in parts.
    pub(crate) fn parts_by<'a>(&self, signer: &'a Signer) -> Parts<'a> {
        let (header, claims) = (signer.header().to_string(), self.claims_text());
        let (header, claims) = (base64(header.as_bytes()), base64(claims.as_bytes()));
        let signature = signer.sign(format!("{header}.{claims}").as_bytes());
        Parts { signer, header, claims, signature }
    }

    /// A token with its header changed, signed all the same.
    pub(crate) fn with_header(&self, edit: impl FnOnce(&mut Map<String, Value>)) -> String {
        self.with_header_by(self.signer(), edit)
    }

    /// Like [`Self::with_header`], by `signer`.
    pub(crate) fn with_header_by(
        &self,
        signer: &Signer,
        edit: impl FnOnce(&mut Map<String, Value>),
    ) -> String {
        let Value::Object(mut header) = signer.header() else { panic!("a header is an object") };
        edit(&mut header);
        signer.signed(Value::Object(header).to_string().as_bytes(), self.claims_text().as_bytes())
    }

    /// A token whose header says `value` for `name`, signed all the same.
    pub(crate) fn header_saying(&self, name: &str, value: &Value) -> String {
        self.with_header(|header| drop(header.insert(name.to_owned(), value.clone())))
    }

    /// A token whose claims say `value` for `name`, signed all the same.
    pub(crate) fn claiming(&self, name: &str, value: &Value) -> String {
        let mut claims = self.claims();
        claims.insert(name.to_owned(), value.clone());
        self.signer().token(&Value::Object(claims))
    }

    /// A token without the claim `name`, signed all the same.
    pub(crate) fn not_claiming(&self, name: &str) -> String {
        let mut claims = self.claims();
        claims.remove(name);
        self.signer().token(&Value::Object(claims))
    }

    /// A token with these bytes as its claims, signed all the same.
    pub(crate) fn claiming_bytes(&self, claims: &[u8]) -> String {
        let signer = self.signer();
        signer.signed(signer.header().to_string().as_bytes(), claims)
    }

    /// A token with the bytes that `make` makes of its header, signed all the same.
    pub(crate) fn header_of(&self, make: impl FnOnce(&str) -> Vec<u8>) -> String {
        let signer = self.signer();
        signer.signed(&make(&signer.header().to_string()), self.claims_text().as_bytes())
    }
}

/// Keys that the set shows and that must not be used, each for its own reason.
fn unfit() -> Vec<(Signer, Value)> {
    let shown = |signer: Signer, name: &str, value: Value| {
        let mut jwk = signer.jwk();
        jwk[name] = value;
        (signer, jwk)
    };
    vec![
        shown(Signer::ed25519("use-1"), "use", "enc".into()),
        shown(Signer::ed25519("ops-1"), "key_ops", json!(["sign"])),
        shown(Signer::ed25519("private-1"), "d", base64(&[7; 32]).into()),
        shown(Signer::p256("alg-1"), "alg", "ES384".into()),
        shown(Signer::p256("alg-2"), "alg", "HS256".into()),
        shown(Signer::p256("crv-1"), "crv", "secp256k1".into()),
        shown(Signer::rsa("alg-3"), "alg", "PS256".into()),
    ]
}
