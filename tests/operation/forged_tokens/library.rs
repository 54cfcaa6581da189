//! A second opinion: `jsonwebtoken`, configured as in a service, gives the same verdict on each token, or the
//! difference has a name.
//!
//! Promise: `jsonwebtoken`, set up with care, gives the same verdict on each token, or the difference is one that
//!   `docs/dependencies.md` names.
//! Control: the library without one of its checks, seven times.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use kith_server::auth::jwt::refusal::Refusal;
use serde_json::{Map, Value, json};

use crate::forged_tokens::SEED;
use crate::forged_tokens::classes;
use crate::forged_tokens::forger::Forger;
use crate::support::issuer::{AUDIENCE, ISSUER, Signer, base64, seconds};
use crate::support::scale;

/// Tokens of each class of forged ones.
const TURNS: usize = 12;

/// The service over the library, with one carelessness at most.
struct Library {
    keys: Vec<(Option<String>, Algorithm, DecodingKey)>,
    careless: Careless,
}

/// Checks that the configuration of the library leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Careless {
    Nothing,
    Signature,
    Expiry,
    NotBefore,
    Audience,
    Issuer,
    Leeway,
    Required,
}

impl Library {
    fn new(jwks: &str, careless: Careless) -> Self {
        let set: Value = serde_json::from_str(jwks).unwrap();
        let keys = set["keys"].as_array().unwrap().iter();
        let known = keys.filter_map(|key| serde_json::from_value::<Jwk>(key.clone()).ok());
        let keys = known.filter_map(|jwk| {
            let algorithm = match jwk.algorithm {
                AlgorithmParameters::OctetKeyPair(_) => Algorithm::EdDSA,
                AlgorithmParameters::EllipticCurve(_) => Algorithm::ES256,
                AlgorithmParameters::RSA(_) => Algorithm::RS256,
                _ => return None,
            };
            let key = DecodingKey::from_jwk(&jwk).ok()?;
            Some((jwk.common.key_id, algorithm, key))
        });
        Self { keys: keys.collect(), careless }
    }

    fn accepts(&self, token: &str) -> bool {
        let Ok(header) = decode_header(token) else { return false };
        let is_meant = |(kid, algorithm, _): &&(Option<String>, Algorithm, DecodingKey)| {
            *algorithm == header.alg && (header.kid.is_none() || *kid == header.kid)
        };
        let mut meant = self.keys.iter().filter(is_meant);
        let (Some((_, algorithm, key)), None) = (meant.next(), meant.next()) else { return false };
        decode::<Value>(token, key, &self.validation(*algorithm)).is_ok()
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = if self.careless == Careless::Leeway { 7_200 } else { 5 };
        validation.validate_exp = self.careless != Careless::Expiry;
        validation.validate_nbf = self.careless != Careless::NotBefore;
        validation.validate_aud = self.careless != Careless::Audience;
        validation.set_audience(&[AUDIENCE]);
        validation.set_issuer(&[ISSUER]);
        if self.careless == Careless::Issuer {
            validation.iss = None;
        }
        match self.careless {
            Careless::Required => validation.required_spec_claims.clear(),
            _ => validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]),
        }
        if self.careless == Careless::Signature {
            validation.insecure_disable_signature_validation();
        }
        validation
    }
}

/// A token, read without a key.
struct Read {
    header: Value,
    claims: Value,
    now: f64,
}

impl Read {
    fn new(token: &str) -> Self {
        let mut parts = token.split('.').map(|part| {
            let bytes = BASE64URL_NOPAD.decode(part.as_bytes()).unwrap_or_default();
            serde_json::from_slice(&bytes).unwrap_or_default()
        });
        let (header, claims) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        Self { header, claims, now: seconds(SystemTime::now()) as f64 }
    }

    /// Whether a time is so near that a second more or less, or a fraction of one, decides.
    fn is_within_two_seconds(&self, name: &str, of: f64) -> bool {
        self.claims[name].as_f64().is_some_and(|at| (at - of).abs() <= 2.0)
    }
}

/// Why the verdicts differ: a name, and what has to be so.
type Difference = (&'static str, fn(&Result<(), Refusal>, &Read) -> bool);

/// Every difference there is.
const DIFFERENCES: &[Difference] = &[
    ("the library passes over crit, b64, jwk, jku, x5u and x5c", |ours, _| {
        *ours == Err(Refusal::HeaderField)
    }),
    ("the library does not look at typ", |ours, _| *ours == Err(Refusal::Type)),
    ("the library takes the last of two names in a header", |ours, _| *ours == Err(Refusal::Header)),
    ("the library takes the last of two names in claims", |ours, _| *ours == Err(Refusal::Claims)),
    ("the library reads tokens of any length", |ours, _| *ours == Err(Refusal::TooLong)),
    ("the library uses a key whatever its use, key_ops, alg or private half say", |ours, read| {
        let unfit = ["use-1", "ops-1", "private-1", "alg-1", "alg-2", "alg-3"];
        *ours == Err(Refusal::UnknownKey) && unfit.iter().any(|kid| read.header["kid"] == *kid)
    }),
    ("the library takes an RSA key of 2,047 bits", |ours, read| {
        *ours == Err(Refusal::UnknownKey) && read.header["kid"] == "rsa-2047"
    }),
    (
        "the library finds several keys for a token that names none, those for something else among them",
        |ours, read| ours.is_ok() && read.header.get("kid").is_none(),
    ),
    ("the library takes a list for iss", |ours, read| {
        *ours == Err(Refusal::Issuer) && read.claims["iss"].is_array()
    }),
    ("the library has no bound on the life of a token", |ours, _| *ours == Err(Refusal::LongLived)),
    ("the library does not look at iat", |ours, _| *ours == Err(Refusal::IssuedAt)),
    ("an ID token is one to the library too", |ours, _| *ours == Err(Refusal::IdToken)),
    ("org and scope are kith's own", |ours, _| matches!(ours, Err(Refusal::Organization | Refusal::Scope))),
    ("the library takes any text for sub", |ours, read| {
        *ours == Err(Refusal::Subject) && read.claims["sub"].is_string()
    }),
    ("the library counts whole seconds", |ours, read| match ours {
        Err(Refusal::Expired) => read.is_within_two_seconds("exp", read.now - 5.0),
        Err(Refusal::NotYet) => read.is_within_two_seconds("nbf", read.now + 5.0),
        _ => false,
    }),
    ("the library passes over an nbf that it cannot read", |ours, read| {
        *ours == Err(Refusal::NotYet) && read.claims["nbf"].as_u64().is_none()
    }),
    ("the library reads fields of a header that kith does not", |ours, read| {
        let is_odd = |name: &str| read.header.get(name).is_some_and(|value| !value.is_string());
        ours.is_ok() && ["cty", "x5t", "x5t#S256"].iter().any(|name| is_odd(name))
    }),
];

/// The verdicts of both on the same tokens.
#[derive(Default)]
struct Compared {
    both: usize,
    neither: usize,
    differ: BTreeMap<&'static str, usize>,
    unexplained: Vec<String>,
}

impl Compared {
    fn give(&mut self, ours: &Result<(), Refusal>, library: &Library, token: &str) {
        match (ours.is_ok(), library.accepts(token)) {
            (true, true) => self.both += 1,
            (false, false) => self.neither += 1,
            (_, theirs) => {
                let read = Read::new(token);
                match DIFFERENCES.iter().find(|(_, is_so)| is_so(ours, &read)) {
                    Some((name, _)) => *self.differ.entry(name).or_default() += 1,
                    None => {
                        let Read { header, claims, .. } = read;
                        self.unexplained.push(format!("{ours:?}, theirs {theirs}: {header} {claims}"));
                    }
                }
            }
        }
    }
}

/// Names, each with a value to set it to.
type Edits = Vec<(&'static str, Value)>;

/// Values that a header and claims may have for a name; `null` takes it out.
fn edits(now: u64) -> (Edits, Edits) {
    let all = |name: &'static str, values: Value| -> Vec<(&'static str, Value)> {
        values.as_array().unwrap().iter().map(|value| (name, value.clone())).collect()
    };
    let header = [
        all("alg", json!(["none", "HS256", "ES256", "EdDSA", "RS256", "PS256", "es256", null, 1])),
        all("kid", json!(["ed-1", "ec-1", "ed-2", "use-1", "alg-1", "oct-1", "", null, 1])),
        all("typ", json!(["JWT", "jwt", "at+jwt", "application/AT+JWT", "JOSE", "id+jwt", null, 1])),
        all("crit", json!([["exp"], [], "exp"])),
        all("b64", json!([true, false])),
        all("jku", json!(["https://evil.example/jwks"])),
        all("cty", json!(["JWT", 1])),
        all("more", json!([1, {}])),
    ];
    let (soon, past) = (now + 600, now - 3_600);
    let claims = [
        all("exp", json!([soon, past, soon as f64 + 0.5, soon.to_string(), null, true, [soon], -1, 0])),
        all("exp", json!([u64::MAX, 1e300, soon * 1_000, now + 3_600])),
        all("nbf", json!([now, past, now + 3_600, past as f64 + 0.5, now.to_string(), null, -1, 0, [], {}])),
        all("iat", json!([now, past, now + 3_600, "0", null])),
        all(
            "aud",
            json!([AUDIENCE, [AUDIENCE], ["x", AUDIENCE], ["x"], [], [AUDIENCE, 1], "x", null, 1, {}]),
        ),
        all("iss", json!([ISSUER, [ISSUER], ["x"], [ISSUER, 1], "x", "https://idp.example/", null, 1])),
        all("sub", json!(["user_cai", "user_dee", "cai", "", null, 1, ["user_cai"]])),
        all("org", json!(["org_tiny", "tiny", null, 1])),
        all("scope", json!(["mcp:read", "", null, 1])),
    ];
    (header.concat(), claims.concat())
}

/// A token with up to two of `edits` in its header and its claims, mostly signed by a key of the set; one in six is
/// written in a way that is not the one there is.
fn generated(f: &Forger, edits: &(Edits, Edits)) -> String {
    let signer: &Signer = if f.below(10) == 0 { &f.strangers[f.below(2)] } else { f.signer() };
    let changed = |object: Value, edits: &[(&'static str, Value)]| -> Map<String, Value> {
        let Value::Object(mut object) = object else { panic!("an object") };
        for _ in 0..f.below(3) {
            let (name, value) = &edits[f.below(edits.len())];
            match value {
                Value::Null => drop(object.remove(*name)),
                value => drop(object.insert((*name).to_owned(), value.clone())),
            }
        }
        object
    };
    let twice = |text: String, edits: &[(&'static str, Value)]| {
        let (name, value) = &edits[f.below(edits.len())];
        if f.below(15) == 0 { text.replacen('{', &format!("{{\"{name}\":{value},"), 1) } else { text }
    };
    let header = twice(Value::Object(changed(signer.header(), &edits.0)).to_string(), &edits.0);
    let claims = twice(Value::Object(changed(Value::Object(f.claims()), &edits.1)).to_string(), &edits.1);
    let pad = |text: String| match f.below(40) {
        0 => format!("{text}="),
        1 => format!("{text}\n"),
        2 => format!("{text}A"),
        3 => text.replace('_', "/").replace('-', "+"),
        4 => text[..text.len() - 1].to_owned(),
        _ => text,
    };
    let message = format!("{}.{}", pad(base64(header.as_bytes())), pad(base64(claims.as_bytes())));
    let signature = pad(base64(&signer.sign(message.as_bytes())));
    match f.below(60) {
        0 => format!("{message}.{signature}."),
        1 => message,
        _ => format!("{message}.{signature}"),
    }
}

/// The verdicts of libraries, each set up as carelessly as one of `careless`, beside ours: on tokens of every class, a sound one
/// by each signer, and so many that are `generated`.
fn compared<const N: usize>(careless: [Careless; N], wanted: usize) -> [Compared; N] {
    let forger = Forger::new(SEED);
    let (issuer, keys) = (forger.issuer(), forger.jwks());
    let mut each = careless.map(|careless| (Library::new(&keys, careless), Compared::default()));
    let mut give = |token: String| {
        let ours = issuer.check(&token, SystemTime::now()).map(drop);
        each.iter_mut().for_each(|(library, compared)| compared.give(&ours, library, &token));
    };
    for class in &classes::all() {
        (0..TURNS).for_each(|turn| give(forger.forge(class, turn)));
    }
    forger.genuine.iter().for_each(|signer| give(forger.parts_by(signer).whole()));
    let edits = edits(seconds(SystemTime::now()));
    (0..wanted).for_each(|_| give(generated(&forger, &edits)));
    each.map(|(_, compared)| compared)
}

#[test]
fn the_library_gives_the_same_verdict_or_the_difference_has_a_name() {
    let [found] = compared([Careless::Nothing], scale::of(6_000, 1_000_000) as usize);
    let unexplained = &found.unexplained[..found.unexplained.len().min(20)];
    assert!(unexplained.is_empty(), "{} of {unexplained:#?}", found.unexplained.len());
    assert!(
        found.both >= 500 && found.neither >= 2_000,
        "{} by both, {} by neither",
        found.both,
        found.neither
    );
    // Times at the bound are met by chance alone.
    let named: BTreeSet<&str> = DIFFERENCES.iter().map(|(name, _)| *name).collect();
    let met: BTreeSet<&str> = found.differ.keys().copied().collect();
    let never: Vec<_> = named.difference(&met).filter(|name| !name.contains("whole seconds")).collect();
    assert!(never.is_empty(), "never met: {never:?}");
    println!("{} accepted by both, {} by neither", found.both, found.neither);
    for (name, count) in &found.differ {
        println!("{count:>6} {name}");
    }
}

/// The controls: a service that leaves one check of the library out differs without a reason.
#[test]
fn a_library_that_is_set_up_carelessly_is_caught() {
    let careless = [
        Careless::Signature,
        Careless::Expiry,
        Careless::NotBefore,
        Careless::Audience,
        Careless::Issuer,
        Careless::Leeway,
        Careless::Required,
    ];
    for (careless, found) in careless.iter().zip(compared(careless, 1_000)) {
        assert!(!found.unexplained.is_empty(), "{careless:?}");
    }
}
