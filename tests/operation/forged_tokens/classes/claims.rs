//! Tokens signed by the issuer's keys with another audience, another time, or no known subject.

use kith_server::auth::jwt::refusal::Refusal;
use serde_json::{Value, json};

use crate::forged_tokens::class::{Class, class, outsider};
use crate::forged_tokens::forger::Forger;
use crate::forged_tokens::site::{OTHER_ORGANIZATION, OTHER_USER};
use crate::support::issuer::{AUDIENCE, ISSUER};

const ISSUER_REFUSED: &[Refusal] = &[Refusal::Issuer];
const AUDIENCE_REFUSED: &[Refusal] = &[Refusal::Audience];
const EXPIRED: &[Refusal] = &[Refusal::Expired];
const LONG_LIVED: &[Refusal] = &[Refusal::LongLived];
const ID_TOKEN: &[Refusal] = &[Refusal::IdToken];
const NOT_YET: &[Refusal] = &[Refusal::NotYet];
const ISSUED: &[Refusal] = &[Refusal::IssuedAt];
const SUBJECT: &[Refusal] = &[Refusal::Subject];
const ORGANIZATION: &[Refusal] = &[Refusal::Organization];
const SCOPE: &[Refusal] = &[Refusal::Scope];

pub(crate) fn classes() -> Vec<Class> {
    let mut classes = names();
    classes.extend(times());
    classes.extend(subjects());
    classes.extend(outsiders());
    classes
}

/// The audience and the issuer.
fn names() -> Vec<Class> {
    vec![
        class("no iss", ISSUER_REFUSED, |f| f.not_claiming("iss")),
        class("another iss", ISSUER_REFUSED, |f| {
            let names = [
                "https://evil.example",
                "https://idp.example/",
                "https://idp.example.evil.example",
                "http://idp.example",
                "HTTPS://IDP.EXAMPLE",
                "https://idp.example#",
                "idp.example",
                "",
                " https://idp.example",
                "https://idp.example\u{0}",
                "https://idp.exampl\u{435}",
                AUDIENCE,
            ];
            f.claiming("iss", f.one_of(&names.map(Value::from)))
        }),
        class("an iss that is no text", ISSUER_REFUSED, |f| {
            f.claiming(
                "iss",
                f.one_of(&[json!(null), json!([ISSUER]), json!({ "iss": ISSUER }), json!(1), json!(true)]),
            )
        }),
        class("no aud", AUDIENCE_REFUSED, |f| f.not_claiming("aud")),
        class("another aud", AUDIENCE_REFUSED, |f| {
            let names = [
                "https://other.example",
                "https://kith.example/",
                "https://kith.example.evil.example",
                "https://kith",
                "HTTPS://KITH.EXAMPLE",
                "",
                "*",
                "https://kith.example,https://other.example",
                "https://kith.example https://other.example",
                ISSUER,
            ];
            f.claiming("aud", f.one_of(&names.map(Value::from)))
        }),
        class("a list of other auds", AUDIENCE_REFUSED, |f| {
            f.claiming(
                "aud",
                f.one_of(&[json!([]), json!(["https://other.example"]), json!(["", "*", "https://kith"])]),
            )
        }),
        class("a list of auds with ours in something else", AUDIENCE_REFUSED, |f| {
            f.claiming(
                "aud",
                f.one_of(&[
                    json!([[AUDIENCE]]),
                    json!([AUDIENCE, 1]),
                    json!([null, AUDIENCE]),
                    json!([{ "aud": AUDIENCE }]),
                ]),
            )
        }),
        class("an aud that is neither text nor list", AUDIENCE_REFUSED, |f| {
            f.claiming(
                "aud",
                f.one_of(&[
                    json!(null),
                    json!({ AUDIENCE: true }),
                    json!(1),
                    json!(true),
                    json!({ "0": AUDIENCE }),
                ]),
            )
        }),
    ]
}

/// When.
fn times() -> Vec<Class> {
    vec![
        class("no exp", EXPIRED, |f| f.not_claiming("exp")),
        class("expired", EXPIRED, |f| {
            f.claiming("exp", &(now(f) - f.pick(&[6.0, 7.5, 60.0, 3_600.0, 1e9])).into())
        }),
        class("expired long ago", EXPIRED, |f| {
            f.claiming(
                "exp",
                f.one_of(&[json!(0), json!(1), json!(-1), json!(-1e300), json!(i64::MIN), json!(0.0)]),
            )
        }),
        class("an exp that is no number", EXPIRED, |f| {
            let later = (now(f) as u64 + 600).to_string();
            let values = [
                json!(null),
                json!(later),
                json!("never"),
                json!(true),
                json!([9_999_999_999_u64]),
                json!({}),
                json!(""),
            ];
            f.claiming("exp", f.one_of(&values))
        }),
        class("an exp too far away", LONG_LIVED, |f| {
            let far = [
                json!(now(f) + 3.2e9),
                json!(9_999_999_999_u64),
                json!(i64::MAX),
                json!(u64::MAX),
                json!(1e300),
            ];
            f.claiming("exp", f.one_of(&far))
        }),
        class("not yet", NOT_YET, |f| {
            f.claiming("nbf", &(now(f) + f.pick(&[3_600.0, 7_200.5, 86_400.0, 1e9, 1e300])).into())
        }),
        class("an nbf that is no number", NOT_YET, |f| {
            f.claiming(
                "nbf",
                f.one_of(&[json!(null), json!("0"), json!(false), json!([0]), json!({}), json!("")]),
            )
        }),
        class("times in milliseconds", NOT_YET, |f| {
            let now = now(f) as u64;
            let mut claims = f.claims();
            for (name, at) in [("iat", now), ("nbf", now), ("exp", now + 600)] {
                claims.insert(name.to_owned(), (at * 1_000).into());
            }
            f.signer().token(&Value::Object(claims))
        }),
        class("issued in the future", ISSUED, |f| {
            f.claiming("iat", &(now(f) + f.pick(&[3_600.0, 86_400.0, 1e12])).into())
        }),
        class("an iat that is no number", ISSUED, |f| {
            f.claiming(
                "iat",
                f.one_of(&[json!(null), json!("0"), json!(true), json!([]), json!({ "at": 0 })]),
            )
        }),
    ]
}

/// The subject and the scope.
fn subjects() -> Vec<Class> {
    vec![
        class("no sub", SUBJECT, |f| f.not_claiming("sub")),
        class("a sub that names nobody", SUBJECT, |f| {
            let long = format!("user_{}", "x".repeat(196));
            let ids = ["", " ", "\t", "user_cai\u{0}", "user_cai\n", "\u{85}user_cai", &long];
            f.claiming("sub", f.one_of(&ids.map(Value::from)))
        }),
        class("a sub that is no text", SUBJECT, |f| {
            f.claiming(
                "sub",
                f.one_of(&[
                    json!(null),
                    json!(1),
                    json!(["user_cai"]),
                    json!({ "id": "user_cai" }),
                    json!(true),
                ]),
            )
        }),
        class("an ID token", ID_TOKEN, |f| match f.pick(&[0, 1, 2]) {
            0 => f.claiming("nonce", f.one_of(&[json!("n-0S6"), json!(null), json!("")])),
            1 => f.claiming("typ", f.one_of(&["ID", "id", "Refresh", "Logout"].map(Value::from))),
            _ => f.claiming("token_use", &json!("id")),
        }),
        class("no org", ORGANIZATION, |f| f.not_claiming("org")),
        class("an org that is no organization's id", ORGANIZATION, |f| {
            let long = format!("org_{}", "x".repeat(197));
            let ids = [
                "",
                "tiny",
                "user_cai",
                "ORG_TINY",
                " org_tiny",
                "org_tiny,org_other",
                "org_tiny\u{0}",
                "*",
                "../org_tiny",
                &long,
            ];
            f.claiming("org", f.one_of(&ids.map(Value::from)))
        }),
        class("an org that is no text", ORGANIZATION, |f| {
            f.claiming(
                "org",
                f.one_of(&[
                    json!(null),
                    json!(["org_tiny"]),
                    json!({ "id": "org_tiny" }),
                    json!(0),
                    json!(false),
                ]),
            )
        }),
        class("a scope that is no text", SCOPE, |f| {
            f.claiming(
                "scope",
                f.one_of(&[
                    json!(["mcp:read", 1]),
                    json!([["mcp:read"]]),
                    json!(null),
                    json!({ "mcp:read": true }),
                    json!(1),
                    json!(true),
                ]),
            )
        }),
    ]
}

/// Valid tokens for users who are not let in.
fn outsiders() -> Vec<Class> {
    vec![
        outsider("the member of another organization", 401, |f| f.claiming("sub", &OTHER_USER.into())),
        outsider("the organization of another member", 401, |f| {
            f.claiming("org", &OTHER_ORGANIZATION.into())
        }),
        outsider("nobody's user id", 401, |f| {
            let ids = [
                "user_",
                "user_nobody",
                "cai",
                "person_cai",
                "USER_CAI",
                " user_cai",
                "user_cai,user_ana",
                "org_tiny",
                "users/user_cai",
                "auth0|user_cai",
                "cai@lantern.example",
                "user_cai ",
                "user_CAI",
                "user_c\u{430}i",
                "user_../cai",
                "user_' OR '1'='1",
            ];
            f.claiming("sub", f.one_of(&ids.map(Value::from)))
        }),
        outsider("an organization that is not served", 503, |f| {
            f.claiming(
                "org",
                f.one_of(&["org_", "org_nowhere", "org_tiny ", "org_TINY", "org_../tiny"].map(Value::from)),
            )
        }),
        outsider("no scope", 403, |f| f.not_claiming("scope")),
        outsider("a scope that may not read", 403, |f| {
            let scopes = [
                "",
                " ",
                "mcp:write",
                "openid profile",
                "MCP:READ",
                "mcp:reader",
                "mcp:read,mcp:write",
                "mcp:read\tx",
                "read",
                "mcp:*",
            ];
            f.claiming("scope", f.one_of(&scopes.map(Value::from)))
        }),
        outsider("the scope under another name", 403, |f| {
            let mut claims = f.claims();
            let scope = claims.remove("scope").unwrap();
            claims.insert(f.pick(&["scps", "scopes", "Scope", "permissions"]).to_string(), scope);
            f.signer().token(&Value::Object(claims))
        }),
    ]
}

/// The time, in seconds; the claims of this turn go by the same clock.
fn now(f: &Forger) -> f64 {
    f.claims()["iat"].as_f64().unwrap()
}
