//! Tokens in the wrong form.

use data_encoding::{BASE64_NOPAD, BASE64URL};
use kith_server::auth::jwt::refusal::Refusal;
use kith_server::limits::TOKEN_BYTES_MAX;
use serde_json::{Value, json};

use crate::forged_tokens::class::{ANY, Class, class};
use crate::forged_tokens::forger::Forger;
use crate::support::issuer::base64;

const FORM: &[Refusal] = &[Refusal::Form];
/// If the dots or the first part are misplaced, the first fault that is seen differs.
const FORM_OR_HEADER: &[Refusal] = &[Refusal::Form, Refusal::Header];
/// The form of the claims is looked at once the signature holds.
const FORM_OR_SIGNATURE: &[Refusal] = &[Refusal::Form, Refusal::Signature];
const TOO_LONG: &[Refusal] = &[Refusal::TooLong];
const SIGNATURE: &[Refusal] = &[Refusal::Signature];
/// The digits of base64url.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(crate) fn classes() -> Vec<Class> {
    vec![
        class("one part", FORM, |f| f.parts().message().replace('.', "")),
        class("two parts", FORM, |f| {
            let parts = f.parts();
            f.pick(&[parts.message(), format!("{}.{}", parts.claims, base64(&parts.signature))])
        }),
        class("four parts", FORM, |f| {
            let token = f.parts().whole();
            f.pick(&[format!("{token}."), format!("{token}.AAAA"), format!("{token}.{token}")])
        }),
        class("four parts, the first empty or doubled", FORM, |f| {
            let parts = f.parts();
            f.pick(&[format!(".{}", parts.whole()), format!("{}.{}", parts.header, parts.whole())])
        }),
        class("five parts, as an encrypted token has", FORM, |f| {
            format!("{}.{}.AAAA", f.parts().whole(), base64(b"iv"))
        }),
        class("empty parts", FORM_OR_HEADER, |f| {
            let parts = f.parts();
            let signature = base64(&parts.signature);
            f.pick(&[
                "..".to_owned(),
                ".".to_owned(),
                format!(".{}.{signature}", parts.claims),
                "...".to_owned(),
            ])
        }),
        class("no claims", SIGNATURE, |f| {
            let parts = f.parts();
            format!("{}..{}", parts.header, base64(&parts.signature))
        }),
        class("parts in another order", ANY, |f| {
            let parts = f.parts();
            let (header, claims, signature) = (&parts.header, &parts.claims, &base64(&parts.signature));
            f.pick(&[
                format!("{claims}.{header}.{signature}"),
                format!("{signature}.{claims}.{header}"),
                format!("{header}.{signature}.{claims}"),
            ])
        }),
        class("padded", FORM, |f| {
            let parts = f.parts();
            let padded = |part: &str| {
                let fill = "=".repeat((4 - part.len() % 4) % 4);
                if fill.is_empty() { format!("{part}====") } else { format!("{part}{fill}") }
            };
            let signature = base64(&parts.signature);
            f.pick(&[
                format!("{}.{}.{}", parts.header, parts.claims, padded(&signature)),
                format!("{}.{}.{signature}", padded(&parts.header), parts.claims),
            ])
        }),
        class("padded claims, signed so", FORM, |f| {
            signed_as(f, |claims| format!("{}{}", base64(claims), f.pick(&["=", "==", "===", "===="])))
        }),
        class("claims in padded base64url, signed so", FORM, |f| {
            signed_as(f, |claims| BASE64URL.encode(&uneven(claims)))
        }),
        class("a signature with bits that stand for nothing", FORM, |f| {
            let parts = f.parts();
            format!("{}.{}", parts.message(), with_spare_bit(&base64(&parts.signature)))
        }),
        class("claims with bits that stand for nothing, signed so", FORM, |f| {
            signed_as(f, |claims| with_spare_bit(&base64(&uneven(claims))))
        }),
        class("a signature in the alphabet of plain base64", FORM, |f| {
            let parts = f.parts();
            let plain = format!("+{}", BASE64_NOPAD.encode(&parts.signature));
            format!("{}.{plain}", parts.message())
        }),
        class("claims in the alphabet of plain base64, signed so", FORM, |f| {
            signed_as(f, |claims| {
                let claims = [&claims[..claims.len() - 1], br#","more":"???>>>~~~"}"#].concat();
                let mut plain =
                    (0..3).map(|blanks| BASE64_NOPAD.encode(&[&*claims, &b"  "[..blanks]].concat()));
                plain.find(|text| text.contains(['+', '/'])).unwrap()
            })
        }),
        class("white space within", FORM_OR_SIGNATURE, |f| {
            let mut token = f.parts().whole();
            token.insert_str(1 + f.below(token.len() - 1), f.pick(&[" ", "\t", "\u{a0}", "  ", "\u{200b}"]));
            token
        }),
        class("line breaks within", FORM_OR_SIGNATURE, |f| {
            let mut token = f.parts().whole();
            token.insert_str(f.below(token.len()), f.pick(&["\n", "\r\n", "\r"]));
            token
        }),
        class("other dots", FORM, |f| {
            f.parts()
                .whole()
                .replace('.', f.pick(&["\u{2024}", "\u{ff0e}", "%2E", ":", "~", "..", ",", "\u{0}"]))
        }),
        class("letters that are no base64url", FORM_OR_SIGNATURE, |f| {
            let mut token = f.parts().whole();
            token.insert_str(
                1 + f.below(token.len() - 1),
                f.pick(&["!", "+", "/", "=", "%41", "\u{e9}", "*", "'", "\u{0}"]),
            );
            token
        }),
        class("a letter changed", ANY, |f| {
            let mut token = f.parts().whole().into_bytes();
            let place = f.below(token.len());
            let other = DIGITS[f.below(64)];
            token[place] = if token[place] == other { b'.' } else { other };
            String::from_utf8(token).unwrap()
        }),
        class("a letter put in", ANY, |f| {
            let mut token = f.parts().whole();
            token.insert(f.below(token.len() + 1), char::from(DIGITS[f.below(64)]));
            token
        }),
        class("a letter left out", ANY, |f| {
            let mut token = f.parts().whole();
            token.remove(f.below(token.len()));
            token
        }),
        class("truncated anywhere", ANY, |f| {
            let token = f.parts().whole();
            token[..1 + f.below(token.len() - 1)].to_owned()
        }),
        class("truncated in front", ANY, |f| {
            let token = f.parts().whole();
            token[1 + f.below(token.len() - 1)..].to_owned()
        }),
        class("a stretch of it twice", ANY, |f| {
            let token = f.parts().whole();
            let (from, to) = (f.below(token.len()), f.below(token.len()));
            let (from, to) = (from.min(to), from.max(to) + 1);
            format!("{}{}{}", &token[..to], &token[from..to], &token[to..])
        }),
        class("a token as JSON", FORM, |f| {
            let parts = f.parts();
            let signature = base64(&parts.signature);
            let flat = json!({ "protected": parts.header, "payload": parts.claims, "signature": signature });
            let general = json!({ "payload": parts.claims, "signatures": [{ "protected": parts.header, "signature": signature }] });
            f.pick(&[flat.to_string(), general.to_string(), base64(flat.to_string().as_bytes())])
        }),
        class("random text of three parts", ANY, |f| {
            let part = |bytes: usize| base64(&(0..bytes).map(|_| f.below(256) as u8).collect::<Vec<_>>());
            format!("{}.{}.{}", part(1 + f.below(60)), part(1 + f.below(200)), part(64))
        }),
        class("no token at all", ANY, |f| {
            let texts = [
                "null",
                "undefined",
                "Bearer",
                "e30.e30.e30",
                "true",
                "0",
                "[object Object]",
                "eyJ",
                "basic dTpw",
                "a.b",
            ];
            f.pick(&texts).to_owned()
        }),
        class("just too long, and signed so", TOO_LONG, |f| {
            let token = f.signer().long_token(&Value::Object(f.claims()), TOKEN_BYTES_MAX + 1);
            assert!(token.len() < TOKEN_BYTES_MAX + 8, "{}", token.len());
            token
        }),
        class("a million bytes", TOO_LONG, |f| {
            let parts = f.parts();
            let filler = "A".repeat(1 << 20);
            let signature = base64(&parts.signature);
            match f.below(4) {
                0 => format!("{}.{}{filler}.{signature}", parts.header, parts.claims),
                1 => format!("{filler}.{}.{signature}", parts.claims),
                2 => format!("{}.{}.{filler}", parts.header, parts.claims),
                _ => ".".repeat(1 << 20),
            }
        }),
        // The door takes it for a credential of the store; the issuer sees no header in it.
        class("a token that begins like a credential of the store", FORM_OR_HEADER, |f| {
            let parts = f.parts();
            format!("service_{}_{}", f.pick(&["sk", "at"]), parts.whole())
        }),
    ]
}

/// A token whose claims are written by `write`, signed over what it wrote.
fn signed_as(f: &Forger, write: impl FnOnce(&[u8]) -> String) -> String {
    let signer = f.signer();
    let header = base64(signer.header().to_string().as_bytes());
    let message = format!("{header}.{}", write(f.claims_text().as_bytes()));
    let signature = signer.sign(message.as_bytes());
    format!("{message}.{}", base64(&signature))
}

/// The same bytes, written with one of the last digit's spare bits set; there must be some.
fn with_spare_bit(text: &str) -> String {
    assert_ne!(text.len() % 4, 0, "every bit counts");
    let (most, last) = text.split_at(text.len() - 1);
    let value = DIGITS.iter().position(|digit| [*digit] == last.as_bytes()).unwrap();
    format!("{most}{}", char::from(DIGITS[value | 1]))
}

/// `claims` with a blank behind them if they would fill their last digit to the last bit.
fn uneven(claims: &[u8]) -> Vec<u8> {
    let blank = if claims.len().is_multiple_of(3) { &b" "[..] } else { b"" };
    [claims, blank].concat()
}
