//! Tokens signed by the issuer's keys with ambiguous or invalid JSON.

use kith_server::auth::jwt::refusal::Refusal;

use crate::forged_tokens::class::{Class, class};

const HEADER: &[Refusal] = &[Refusal::Header];
const CLAIMS: &[Refusal] = &[Refusal::Claims];

pub(crate) fn classes() -> Vec<Class> {
    vec![
        class("alg twice, the good one last", HEADER, |f| {
            f.header_of(|header| {
                with_first(header, f.pick(&[r#""alg":"none""#, r#""alg":"HS256""#, r#""alg":null"#]))
            })
        }),
        class("alg twice, the good one first", HEADER, |f| {
            f.header_of(|header| {
                with_last(header, f.pick(&[r#""alg":"none""#, r#""alg":"HS256""#, r#""alg":"EdDSA""#]))
            })
        }),
        class("kid or typ twice", HEADER, |f| {
            let fields = [r#""kid":"ed-9""#, r#""typ":"JWT""#, r#""kid":null"#, r#""typ":"at+jwt""#];
            match f.below(2) {
                0 => f.header_of(|header| with_first(header, f.pick(&fields))),
                _ => f.header_of(|header| with_last(header, f.pick(&fields))),
            }
        }),
        class("alg twice, once with an escape", HEADER, |f| {
            f.header_of(|header| {
                with_last(header, f.pick(&[r#""\u0061lg":"none""#, r#""al\u0067":"EdDSA""#]))
            })
        }),
        class("an unknown header field twice", HEADER, |f| {
            f.header_of(|header| {
                with_last(header, f.pick(&[r#""a":1,"a":1"#, r#""a":{"b":1,"b":2}"#, r#""":1,"":2"#]))
            })
        }),
        class("a header that is no object", HEADER, |f| {
            f.header_of(|header| match f.below(6) {
                0 => format!("[{header}]").into_bytes(),
                1 => format!("{header:?}").into_bytes(),
                2 => b"null".to_vec(),
                3 => b"1".to_vec(),
                4 => b"EdDSA".to_vec(),
                _ => Vec::new(),
            })
        }),
        class("a header that is not quite JSON", HEADER, |f| {
            f.header_of(|header| nearly_json(f.below(8), header))
        }),
        class("a header in another encoding", HEADER, |f| {
            f.header_of(|header| otherwise_encoded(f.below(4), header))
        }),
        class("a header of many levels", HEADER, |f| {
            let deep = format!(r#""a":{}{}"#, "[".repeat(200 + f.below(200)), "]".repeat(200));
            f.header_of(|header| with_last(header, &deep))
        }),
        class("a claim twice, the good one last", CLAIMS, |f| {
            f.claiming_bytes(&with_first(&f.claims_text(), f.pick(&OTHERS)))
        }),
        class("a claim twice, the good one first", CLAIMS, |f| {
            f.claiming_bytes(&with_last(&f.claims_text(), f.pick(&OTHERS)))
        }),
        class("a claim twice, both alike", CLAIMS, |f| {
            let alike = [
                r#""sub":"user_cai""#,
                r#""org":"org_tiny""#,
                r#""scope":"mcp:read""#,
                r#""iss":"https://idp.example""#,
            ];
            f.claiming_bytes(&with_last(&f.claims_text(), f.pick(&alike)))
        }),
        class("a claim twice, once with an escape", CLAIMS, |f| {
            let escaped =
                [r#""\u0073ub":"user_ana""#, r#""or\u0067":"org_other""#, r#""e\u0078p":9999999999"#];
            f.claiming_bytes(&with_first(&f.claims_text(), f.pick(&escaped)))
        }),
        class("an unknown claim twice, also within", CLAIMS, |f| {
            let twice = [
                r#""a":1,"a":2"#,
                r#""a":{"sub":1,"sub":2}"#,
                r#""a":[{"b":{"c":1,"c":1}}]"#,
                r#""":0,"":0"#,
            ];
            f.claiming_bytes(&with_last(&f.claims_text(), f.pick(&twice)))
        }),
        class("claims that are no object", CLAIMS, |f| {
            let text = f.claims_text();
            let texts = [
                format!("[{text}]"),
                format!("{text:?}"),
                "null".into(),
                "true".into(),
                "1".into(),
                String::new(),
                " ".into(),
            ];
            f.claiming_bytes(f.pick(&texts).as_bytes())
        }),
        class("claims that are not quite JSON", CLAIMS, |f| {
            f.claiming_bytes(&nearly_json(f.below(8), &f.claims_text()))
        }),
        class("claims in another encoding", CLAIMS, |f| {
            f.claiming_bytes(&otherwise_encoded(f.below(4), &f.claims_text()))
        }),
        class("claims with numbers that JSON has not", CLAIMS, |f| {
            let numbers = [
                "NaN",
                "Infinity",
                "-Infinity",
                "1e999",
                "0x7fffffff",
                "+1",
                "01",
                "1.",
                ".5",
                "1_000",
                "1e",
            ];
            f.claiming_bytes(&with_last(&f.claims_text(), &format!(r#""more":{}"#, f.pick(&numbers))))
        }),
        class("claims with broken escapes", CLAIMS, |f| {
            let texts = [
                r#""\ud800""#,
                r#""\udc00x""#,
                r#""\x41""#,
                r#""\u00""#,
                "\"a\nb\"",
                "\"\u{0}\"",
                "\"\t\"",
                r#""a"#,
            ];
            f.claiming_bytes(&with_last(&f.claims_text(), &format!(r#""more":{}"#, f.pick(&texts))))
        }),
        class("claims of many levels", CLAIMS, |f| {
            let levels = 150 + f.below(500);
            let deep = format!(r#""a":{}1{}"#, r#"{"a":"#.repeat(levels), "}".repeat(levels));
            f.claiming_bytes(&with_last(&f.claims_text(), &deep))
        }),
        class("claims that are a token", CLAIMS, |f| f.claiming_bytes(f.parts().whole().as_bytes())),
    ]
}

/// Claims that say something else than the sound ones.
const OTHERS: [&str; 9] = [
    r#""sub":"user_ana""#,
    r#""sub":null"#,
    r#""org":"org_other""#,
    r#""scope":"mcp:read mcp:write""#,
    r#""exp":9999999999"#,
    r#""nbf":0"#,
    r#""aud":"https://other.example""#,
    r#""iss":"https://other.example""#,
    r#""iat":0"#,
];

/// The object `text` with `more` before all else.
fn with_first(text: &str, more: &str) -> Vec<u8> {
    format!("{{{more},{}", &text[1..]).into_bytes()
}

/// The object `text` with `more` after all else.
fn with_last(text: &str, more: &str) -> Vec<u8> {
    format!("{},{more}}}", &text[..text.len() - 1]).into_bytes()
}

/// The object `text`, spoilt in the way of this number.
fn nearly_json(way: usize, text: &str) -> Vec<u8> {
    let most = &text[..text.len() - 1];
    match way {
        0 => format!("{most},}}"),
        1 => format!("{text}{text}"),
        2 => format!("{text} x"),
        3 => format!("// comment\n{text}"),
        4 => text.replace('"', "'"),
        5 => most.to_owned(),
        6 => format!("{text}\u{0}"),
        _ => text.replacen('"', "", 2),
    }
    .into_bytes()
}

/// `text` in an encoding that is not UTF-8, or marked as something.
fn otherwise_encoded(way: usize, text: &str) -> Vec<u8> {
    match way {
        0 => format!("\u{feff}{text}").into_bytes(),
        1 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        2 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        // An overlong slash within a text.
        _ => [&text.as_bytes()[..2], b"\xc0\xaf", &text.as_bytes()[2..]].concat(),
    }
}
