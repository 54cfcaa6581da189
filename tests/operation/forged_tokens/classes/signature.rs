//! Tokens whose signature does not match the key they name.

use data_encoding::{BASE64URL_NOPAD, HEXUPPER};
use kith_server::auth::jwt::refusal::Refusal;
use serde_json::Value;

use crate::forged_tokens::class::{ANY, Class, class};
use crate::forged_tokens::forger::Forger;
use crate::support::issuer::base64;

const SIGNATURE: &[Refusal] = &[Refusal::Signature];
/// The order of P-256.
const P256_ORDER: &[u8] = b"FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551";
/// The order of Ed25519, little end first.
const ED25519_ORDER: &[u8] = b"EDD3F55C1A631258D69CF7A2DEF9DE1400000000000000000000000000000010";

pub(crate) fn classes() -> Vec<Class> {
    vec![
        class("signed by a stranger's key of the same name", SIGNATURE, |f| {
            f.one_of(&f.strangers).token(&Value::Object(f.claims()))
        }),
        class("no signature", SIGNATURE, |f| f.parts().with(&[])),
        class("a signature of zeros, or of ones", SIGNATURE, |f| {
            let parts = f.parts();
            parts.with(&vec![f.pick(&[0, 0xff, 1]); parts.signature.len()])
        }),
        class("a random signature", SIGNATURE, |f| {
            let parts = f.parts();
            let random: Vec<u8> = parts.signature.iter().map(|_| f.below(256) as u8).collect();
            parts.with(&random)
        }),
        class("the signature of another token", SIGNATURE, |f| {
            let signer = f.signer();
            f.parts_by(signer).with(&f.parts_by(signer).signature)
        }),
        class("a bit flipped in the signature", SIGNATURE, |f| {
            let parts = f.parts();
            parts.with(&flipped(f, &parts.signature))
        }),
        class("a bit flipped in the claims", &[Refusal::Signature], |f| {
            let parts = f.parts();
            let claims = base64(&flipped(f, &BASE64URL_NOPAD.decode(parts.claims.as_bytes()).unwrap()));
            format!("{}.{claims}.{}", parts.header, base64(&parts.signature))
        }),
        class("a bit flipped in the header", ANY, |f| {
            let parts = f.parts();
            let header = base64(&flipped(f, &BASE64URL_NOPAD.decode(parts.header.as_bytes()).unwrap()));
            format!("{header}.{}.{}", parts.claims, base64(&parts.signature))
        }),
        class("a byte put into the signature, or taken out", SIGNATURE, |f| {
            let parts = f.parts();
            let (mut signature, place) = (parts.signature.clone(), f.below(parts.signature.len()));
            match f.below(2) {
                0 => drop(signature.remove(place)),
                _ => signature.insert(place, f.below(256) as u8),
            }
            parts.with(&signature)
        }),
        class("a zero before or after the signature", SIGNATURE, |f| {
            let parts = f.parts();
            match f.below(2) {
                0 => parts.with(&[&[0], &*parts.signature].concat()),
                _ => parts.with(&[&*parts.signature, &[0]].concat()),
            }
        }),
        class("a truncated signature", SIGNATURE, |f| {
            let parts = f.parts();
            parts.with(&parts.signature[..f.below(parts.signature.len())])
        }),
        class("a signature backwards, or its halves swapped", SIGNATURE, |f| {
            let parts = f.parts();
            let (mut signature, half) = (parts.signature.clone(), parts.signature.len() / 2);
            match f.below(2) {
                0 => signature.reverse(),
                _ => signature.rotate_left(half),
            }
            parts.with(&signature)
        }),
        class("a signature twice", SIGNATURE, |f| {
            let parts = f.parts();
            parts.with(&parts.signature.repeat(2))
        }),
        class("the other claims of the same user", SIGNATURE, |f| {
            let signer = f.signer();
            let (one, two) = (f.parts_by(signer), f.parts_by(signer));
            format!("{}.{}.{}", one.header, two.claims, base64(&one.signature))
        }),
        class("claims of more than was signed", SIGNATURE, |f| {
            let parts = f.parts();
            let mut claims = f.claims();
            claims.insert("scope".to_owned(), "mcp:read mcp:write".into());
            let claims = base64(Value::Object(claims).to_string().as_bytes());
            format!("{}.{claims}.{}", parts.header, base64(&parts.signature))
        }),
        class("a signature over the claims alone, or the header", SIGNATURE, |f| {
            let parts = f.parts();
            let claims = BASE64URL_NOPAD.decode(parts.claims.as_bytes()).unwrap();
            let dotted = format!("{}.", parts.message());
            let others: [&[u8]; 5] =
                [parts.claims.as_bytes(), parts.header.as_bytes(), &claims, b"", dotted.as_bytes()];
            parts.with(&parts.signer.sign(f.pick(&others)))
        }),
        class("a signature over what was decoded", SIGNATURE, |f| {
            let parts = f.parts();
            let decoded = |part: &str| BASE64URL_NOPAD.decode(part.as_bytes()).unwrap();
            let message = [decoded(&parts.header), b".".to_vec(), decoded(&parts.claims)].concat();
            parts.with(&parts.signer.sign(&message))
        }),
        class("an ES256 signature as DER", SIGNATURE, |f| {
            let parts = f.parts_by(&f.genuine[1]);
            parts.with(&parts.signer.sign_der(parts.message().as_bytes()))
        }),
        class("an ES256 signature with r or s zero", SIGNATURE, |f| es256(f, &[0; 32])),
        class("an ES256 signature with r or s the order", SIGNATURE, |f| {
            es256(f, &HEXUPPER.decode(P256_ORDER).unwrap())
        }),
        class("an ES256 signature with r or s one", SIGNATURE, |f| {
            let mut one = [0; 32];
            one[31] = 1;
            es256(f, &one)
        }),
        class("an EdDSA signature with the order added to s", SIGNATURE, |f| {
            let parts = f.parts_by(&f.genuine[0]);
            let (r, s) = parts.signature.split_at(32);
            parts.with(&[r, &sum(s, &HEXUPPER.decode(ED25519_ORDER).unwrap())].concat())
        }),
        class("an EdDSA signature with the neutral point, or s zero", SIGNATURE, |f| {
            let parts = f.parts_by(&f.genuine[0]);
            let mut neutral = vec![0; 64];
            neutral[0] = 1;
            let (r, _) = parts.signature.split_at(32);
            parts.with(&f.pick(&[neutral, [r, &[0; 32]].concat()]))
        }),
        class("an RS256 signature of a small number", SIGNATURE, |f| {
            let parts = f.parts_by(&f.genuine[2]);
            let mut number = vec![0; 256];
            number[255] = f.pick(&[0, 1, 2, 3]);
            parts.with(&number)
        }),
        class("an RS256 signature that is the modulus, or beyond", SIGNATURE, |f| {
            let parts = f.parts_by(&f.genuine[2]);
            let modulus =
                BASE64URL_NOPAD.decode(parts.signer.jwk()["n"].as_str().unwrap().as_bytes()).unwrap();
            let mut before = modulus.clone();
            before[255] -= 1;
            parts.with(&f.pick(&[modulus, before, vec![0xff; 256]]))
        }),
    ]
}

fn flipped(f: &Forger, bytes: &[u8]) -> Vec<u8> {
    let (mut flipped, bit) = (bytes.to_vec(), f.below(bytes.len() * 8));
    flipped[bit / 8] ^= 1 << (bit % 8);
    flipped
}

/// An ES256 token with `number` as r, as s, or as both.
fn es256(f: &Forger, number: &[u8]) -> String {
    let parts = f.parts_by(&f.genuine[1]);
    let (r, s) = parts.signature.split_at(32);
    parts.with(&f.pick(&[[number, s].concat(), [r, number].concat(), [number, number].concat()]))
}

/// The sum of two numbers of 32 bytes, little end first.
fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let add = |(a, b): (&u8, &u8)| {
        carry += u16::from(*a) + u16::from(*b);
        let byte = carry as u8;
        carry >>= 8;
        byte
    };
    a.iter().zip(b).map(add).collect()
}
