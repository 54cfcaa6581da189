//! Tokens whose header contains, names or hides a key, or has unknown content.

use kith_server::auth::jwt::refusal::Refusal;
use serde_json::{Value, json};

use crate::forged_tokens::class::{Class, class};
use crate::forged_tokens::forger::Forger;
use crate::support::issuer::base64;

const FIELD: &[Refusal] = &[Refusal::HeaderField];
const UNKNOWN: &[Refusal] = &[Refusal::UnknownKey];
const TYPE: &[Refusal] = &[Refusal::Type];

pub(crate) fn classes() -> Vec<Class> {
    vec![
        class("another typ", TYPE, |f| {
            let kinds = [
                "",
                "JOSE",
                "at-jwt",
                "at+jwt ",
                "application/jwt",
                "id+jwt",
                "logout+jwt",
                "dpop+jwt",
                "jwt+at",
                "*",
                "application/at+jwt; charset=utf-8",
                "\u{ff2a}WT",
                "\u{212a}JWT",
                "secevent+jwt",
                "kb+jwt",
            ];
            f.header_saying("typ", f.one_of(&kinds.map(Value::from)))
        }),
        class("a typ that is no text", TYPE, |f| {
            f.header_saying("typ", f.one_of(&[json!(null), json!(1), json!(["at+jwt"]), json!({})]))
        }),
        class("a stranger's key in the header, signed by it", FIELD, |f| {
            let stranger = f.one_of(&f.strangers);
            f.with_header_by(stranger, |header| drop(header.insert("jwk".to_owned(), stranger.jwk())))
        }),
        class("a stranger's key in the header, and no kid", FIELD, |f| {
            let stranger = f.one_of(&f.strangers);
            f.with_header_by(stranger, |header| {
                header.remove("kid");
                header.insert("jwk".to_owned(), stranger.jwk());
            })
        }),
        class("the genuine key in the header", FIELD, |f| {
            let signer = f.signer();
            f.with_header_by(signer, |header| drop(header.insert("jwk".to_owned(), signer.jwk())))
        }),
        class("a jku", FIELD, |f| with_place(f, "jku")),
        class("an x5u", FIELD, |f| with_place(f, "x5u")),
        class("an x5c", FIELD, |f| {
            f.header_saying("x5c", f.one_of(&[json!(["MIIB"]), json!([]), json!("MIIB"), json!(null)]))
        }),
        class("a field of a key, null", FIELD, |f| {
            f.header_saying(f.pick(&["jwk", "jku", "x5u", "x5c", "crit", "b64"]), &Value::Null)
        }),
        class("crit with what is understood", FIELD, |f| {
            f.header_saying("crit", f.one_of(&[json!(["exp"]), json!(["alg"]), json!(["typ", "kid"])]))
        }),
        class("crit with what is not understood", FIELD, |f| {
            f.with_header(|header| {
                header.insert("crit".to_owned(), json!(["http://idp.example/x"]));
                header.insert("http://idp.example/x".to_owned(), true.into());
            })
        }),
        class("crit that is empty or no list", FIELD, |f| {
            f.header_saying("crit", f.one_of(&[json!([]), json!("exp"), json!({}), json!(false), json!([1])]))
        }),
        class("b64 false, and the claims as they are", FIELD, |f| {
            let signer = f.signer();
            let mut header = signer.header();
            header["b64"] = false.into();
            header["crit"] = json!(["b64"]);
            let message =
                format!("{}.{}", base64(header.to_string().as_bytes()), f.claims_text().replace('.', "_"));
            format!("{message}.{}", base64(&signer.sign(message.as_bytes())))
        }),
        class("b64 that changes nothing", FIELD, |f| {
            f.header_saying("b64", f.one_of(&[json!(true), json!(false), json!("false"), json!(0)]))
        }),
        class("an unknown kid", UNKNOWN, |f| {
            let kid = format!("ed-{}", f.below(usize::MAX));
            f.header_saying("kid", &kid.into())
        }),
        class("a kid that is a path", UNKNOWN, |f| {
            let paths = [
                "../../../../dev/null",
                "/dev/null",
                "/proc/self/environ",
                "file:///etc/passwd",
                "..\\..\\ed-1",
                "./ed-1",
                "ed-1/../ed-1",
                "keys/ed-1.pem",
                "ed-1\u{0}.pem",
            ];
            f.header_saying("kid", f.one_of(&paths.map(Value::from)))
        }),
        class("a kid that is SQL", UNKNOWN, |f| {
            let statements = [
                "' OR '1'='1",
                "ed-1' --",
                "x' UNION SELECT 'AAAA",
                "ed-1'; DROP TABLE keys; --",
                "ed-_",
                "%",
                "ed-1\" OR \"\"=\"",
            ];
            f.header_saying("kid", f.one_of(&statements.map(Value::from)))
        }),
        class("a kid that is a command, an address or a template", UNKNOWN, |f| {
            let texts = [
                "$(id)",
                "| id",
                "`id`",
                "https://evil.example/jwks.json",
                "{{7*7}}",
                "${jndi:ldap://evil.example}",
                "<script>",
                "ed-1\r\nx: y",
            ];
            f.header_saying("kid", f.one_of(&texts.map(Value::from)))
        }),
        class("a kid that is nearly one", UNKNOWN, |f| {
            let kids = [
                "",
                " ",
                "ED-1",
                "ed-1 ",
                " ed-1",
                "ed-01",
                "ed-1\n",
                "ed\u{2011}1",
                "\u{435}d-1",
                "ed-",
                "d-1",
                "ed-1,ed-2",
                "0",
            ];
            f.header_saying("kid", f.one_of(&kids.map(Value::from)))
        }),
        class("a very long kid", UNKNOWN, |f| {
            f.header_saying("kid", &"ed-1".repeat(500 + f.below(500)).into())
        }),
        class("a kid that is no text", &[Refusal::KeyId], |f| {
            let kids = [
                json!(null),
                json!(1),
                json!(0),
                json!(true),
                json!(["ed-1"]),
                json!({ "kid": "ed-1" }),
                json!(1.5),
            ];
            f.header_saying("kid", f.one_of(&kids))
        }),
        class("no kid, where several keys fit", &[Refusal::SeveralKeys], |f| {
            f.with_header_by(&f.genuine[0], |header| drop(header.remove("kid")))
        }),
        class("no kid, signed by a stranger, where one key fits", &[Refusal::Signature], |f| {
            f.with_header_by(&f.strangers[1], |header| drop(header.remove("kid")))
        }),
        class("the key id under another name", &[Refusal::SeveralKeys], |f| {
            f.with_header_by(&f.genuine[0], |header| {
                let kid = header.remove("kid").unwrap();
                header.insert(f.pick(&["Kid", "KID", "key_id", "x5t", "kid\u{0}"]).to_string(), kid);
            })
        }),
        class("a key that the set shows and that is not for this", UNKNOWN, |f| {
            let (signer, _) = f.one_of(&f.unfit);
            signer.token(&Value::Object(f.claims()))
        }),
        class("the set's shared secret as a key", UNKNOWN, |f| f.header_saying("kid", &"oct-1".into())),
        class("an RSA key that is too small", UNKNOWN, |f| f.one_of(&f.small).1.clone()),
        class("an RSA key that is too small, and no kid", &[Refusal::Signature], |f| {
            // The only key that fits is the large one.
            let (_, token) = f.one_of(&f.small);
            let header = base64(br#"{"alg":"RS256","typ":"at+jwt"}"#);
            format!("{header}{}", &token[token.find('.').unwrap()..])
        }),
    ]
}

fn with_place(f: &Forger, name: &str) -> String {
    let places = [
        "https://evil.example/k",
        "http://127.0.0.1:1/",
        "https://idp.example/jwks.json",
        "file:///dev/null",
        "",
    ];
    let stranger = f.one_of(&f.strangers);
    f.with_header_by(stranger, |header| drop(header.insert(name.to_owned(), f.pick(&places).into())))
}
