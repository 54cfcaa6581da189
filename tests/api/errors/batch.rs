//! The batch of targets: its body, its limits, the order of errors, and targets that do not spoil others.
//!
//! Promise: A malformed target has its error in its place and spoils no other; anything else wrong fails the batch, in
//!   the contract's order.
//! Control: each bound on the other side; a document with one bound changed.
//! Also in: `tests/api/openapi/bodies.rs`.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};

use super::{
    BAD_CREDENTIAL, FORBIDDEN_SCOPE, INSUFFICIENT_SCOPE, Kind, NO_CREDENTIAL, NO_SNAPSHOT, Tiny,
    UNKNOWN_PATH, VALIDATION, check,
};
use crate::support::Answer;

const PATH: &str = "/api/v1/search/warm-paths/batch";
const WRONG_METHOD: Kind = Kind { status: 405, code: "method_not_allowed", headers: &[("allow", "POST")] };
const WRONG_TYPE: Kind = Kind { status: 415, code: "unsupported_media_type", headers: &[] };
const TOO_LARGE: Kind = Kind { status: 413, code: "payload_too_large", headers: &[] };
/// Maximum bytes of a body.
const BYTES_MAX: usize = 1 << 20;

fn request(
    method: &Method,
    path: &str,
    credential: Option<&str>,
    media: Option<&str>,
    body: String,
) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(credential) = credential {
        request = request.header("authorization", format!("Bearer {credential}"));
    }
    if let Some(media) = media {
        request = request.header("content-type", media);
    }
    request.body(Body::from(body)).unwrap()
}

impl Tiny {
    async fn batch_of(&self, body: impl Into<String>) -> Answer {
        let media = Some("application/json");
        self.served.send(request(&Method::POST, PATH, Some(&self.key), media, body.into())).await
    }

    /// The results of a batch that is taken.
    async fn results(&self, body: &Value) -> Vec<Value> {
        let answer = self.batch_of(body.to_string()).await;
        assert_eq!(answer.status, 200, "{body}: {}", String::from_utf8_lossy(&answer.bytes));
        answer.json()["data"]["results"].as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn of_several_errors_of_a_batch_the_first_in_the_contracts_order_is_reported() {
    let tiny = Tiny::serve();
    let credentials = &tiny.credentials;
    let key = Some(tiny.key.clone());
    let bad = Some("service_sk_bad".to_owned());
    let elsewhere = Some(credentials.key("org_elsewhere"));
    let write = Some(credentials.token_with("org_tiny", "user_ana", "mcp:write"));
    let write_left = Some(credentials.token_with("org_tiny", "user_zoe", "mcp:write"));
    let token = Some(credentials.token("org_tiny", "user_ana"));
    let (encoded, json_type) = (format!("{PATH}?colour=%ff"), Some("application/json"));
    let (large, broken) = ("{".repeat(BYTES_MAX + 1), "{".to_owned());
    let mine =
        json!({ "scope": "me", "targets": [], "perTarget": 0, "fromUserIds": ["user_zoe"] }).to_string();
    let mine_twice = r#"{"scope":"me","scope":"me","targets":[{"id":"person_pia"}]}"#.to_owned();
    let mine_right = r#"{"scope":"me","targets":[{"id":"person_pia"}]}"#.to_owned();
    let post = Method::POST;
    for (method, path, credential, media, body, kind) in [
        (&post, "/api/v1/search/warm-paths/batch/", &key, None, &large, UNKNOWN_PATH),
        (&post, "/api/v1/search/warm-paths/Batch", &key, None, &large, UNKNOWN_PATH),
        (&Method::GET, &encoded, &None, None, &large, WRONG_METHOD),
        (&Method::PUT, PATH, &key, json_type, &broken, WRONG_METHOD),
        (&post, &encoded, &None, None, &large, NO_CREDENTIAL),
        (&post, &encoded, &bad, None, &large, BAD_CREDENTIAL),
        (&post, &encoded, &elsewhere, None, &large, NO_SNAPSHOT),
        (&post, &encoded, &write_left, None, &large, BAD_CREDENTIAL),
        (&post, &encoded, &write, None, &mine, INSUFFICIENT_SCOPE),
        (&post, &encoded, &key, None, &mine, WRONG_TYPE),
        (&post, &encoded, &token, Some("text/plain"), &large, WRONG_TYPE),
        (&post, &encoded, &key, json_type, &large, TOO_LARGE),
        (&post, &encoded, &key, json_type, &mine, FORBIDDEN_SCOPE),
        (&post, PATH, &key, json_type, &mine_right, FORBIDDEN_SCOPE),
        (&post, PATH, &key, json_type, &mine_twice, VALIDATION),
        (&post, PATH, &token, json_type, &mine, VALIDATION),
        (&post, &encoded, &token, json_type, &mine_right, VALIDATION),
        (&post, &encoded, &key, json_type, &broken, VALIDATION),
        (&post, PATH, &key, json_type, &broken, VALIDATION),
    ] {
        let answer =
            tiny.served.send(request(method, path, credential.as_deref(), media, body.clone())).await;
        check(&answer, &kind, &format!("{method} {path} {:.60}", body));
    }
}

#[tokio::test]
async fn a_body_of_a_batch_may_have_one_mebibyte_and_targets_500() {
    let tiny = Tiny::serve();
    let empty = r#"{"targets":[{"id":"person_pia"}],"x":""}"#;
    for (bytes, kind) in [(BYTES_MAX, None), (BYTES_MAX + 1, Some(TOO_LARGE))] {
        let body = empty.replace("\"\"", &format!("\"{}\"", "x".repeat(bytes - empty.len())));
        assert_eq!(body.len(), bytes);
        let answer = tiny.batch_of(body).await;
        match kind {
            None => assert_eq!(answer.status, 200),
            Some(kind) => {
                check(&answer, &kind, "too large");
                assert_eq!(answer.json()["error"], "The body is longer than 1048576 bytes.");
            }
        }
    }
    let targets = |count: usize| json!({ "targets": vec![json!({ "id": "person_pia" }); count] });
    for (count, is_taken) in [(0, false), (1, true), (500, true), (501, false), (40_000, false)] {
        let answer = tiny.batch_of(targets(count).to_string()).await;
        if is_taken {
            assert_eq!(answer.json()["data"]["results"].as_array().unwrap().len(), count);
        } else {
            check(&answer, &VALIDATION, "so many targets");
            let sentence = answer.json()["error"].as_str().unwrap().to_owned();
            assert!(sentence.starts_with("targets was ") && sentence.contains("1 to 500"), "{sentence}");
        }
    }
}

/// What is wrong outside the targets, or with the list of them: the name that the sentence begins with.
/// More is not read, so that a body that is refused costs little.
#[tokio::test]
async fn an_object_may_have_64_fields_and_a_list_10_000_texts() {
    let tiny = Tiny::serve();
    let further = |count: usize| (0..count).map(|field| format!("\"f{field}\":1,")).collect::<String>();
    let target = "{\"id\":\"person_pia\"}";
    let body = |fields: usize, target: &str| format!("{{{}\"targets\":[{target}]}}", further(fields));
    assert_eq!(tiny.batch_of(body(63, target)).await.status, 200);
    let long = format!("{{{}\"id\":\"person_pia\"}}", further(64));
    let taken = tiny.batch_of(body(0, &long.replace("\"f63\":1,", ""))).await;
    assert_eq!(taken.json()["data"]["results"][0]["prospect"]["id"], "person_pia");
    let answer = tiny.batch_of(body(64, target)).await;
    check(&answer, &VALIDATION, "fields");
    assert!(answer.json()["error"].as_str().unwrap().contains("of at most 64 fields"), "{}", answer.json());
    let answer = tiny.batch_of(body(0, &long)).await;
    assert_eq!(answer.json()["data"]["results"][0]["code"], "validation_error", "{}", answer.json());
    let from = |count: usize| {
        let ids = vec!["\"user_ana\""; count].join(",");
        format!("{{\"targets\":[{target}],\"fromUserIds\":[{ids}]}}")
    };
    assert_eq!(tiny.batch_of(from(10_000)).await.status, 200);
    let answer = tiny.batch_of(from(10_001)).await;
    check(&answer, &VALIDATION, "texts");
    assert!(answer.json()["error"].as_str().unwrap().contains("at most 10000"), "{}", answer.json());
}

#[tokio::test]
async fn anything_wrong_outside_the_targets_fails_the_whole_batch() {
    let tiny = Tiny::serve();
    let targets = json!([{ "id": "person_pia" }]);
    for (name, values) in [
        ("targets", json!([null, {}, "person_pia", 1, true, []])),
        ("perTarget", json!([0, 11, -1, 1.0, 2.5, "3", true, [3]])),
        ("scope", json!(["", "ME", "all", 1, ["organization"]])),
        ("sort", json!(["", "Warmness", "none", 1])),
        ("groupBy", json!(["", "Connector", "company", {}])),
        ("fromUserIds", json!([[], "user_ana", ["user_zoe"], [""], ["user_ana,user_ben"], [1], [null], {}])),
        ("connectionTypes", json!([[], "direct", ["Direct"], ["direct,advocate"], [""], [1]])),
        ("includeIntroRequested", json!(["true", "false", 1, "", []])),
        ("include", json!([[], "match", ["ids"], ["understood"], ["match,reasons"], [""], [null]])),
    ] {
        for value in values.as_array().unwrap() {
            let mut body = json!({ "targets": targets });
            body[name] = value.clone();
            let answer = tiny.batch_of(body.to_string()).await;
            check(&answer, &VALIDATION, &body.to_string());
            let sentence = answer.json()["error"].as_str().unwrap().to_owned();
            assert!(sentence.starts_with(&format!("{name} ")), "{body}: {sentence}");
        }
        // The same field twice, and null as good as nothing.
        let twice = format!("{{\"targets\":{targets},\"{name}\":null,\"{name}\":null}}");
        check(&tiny.batch_of(twice).await, &VALIDATION, name);
        if name != "targets" {
            let null = format!("{{\"targets\":{targets},\"{name}\":null}}");
            assert_eq!(tiny.batch_of(null).await.status, 200, "{name}");
        }
    }
    for body in
        ["", " ", "[]", "1", "null", "{\"targets\":[{\"id\":\"person_pia\"}]} x", "{\"targets\":[{]}", "{}"]
    {
        check(&tiny.batch_of(body).await, &VALIDATION, body);
    }
}

/// Each malformed target, and what its sentence begins with.
#[tokio::test]
async fn a_malformed_target_is_reported_in_its_place_and_spoils_no_other() {
    let tiny = Tiny::serve();
    let long = "x".repeat(255);
    let malformed = [
        (json!(null), "targets[1] was \"null\""),
        (json!(7), "targets[1] was \"7\""),
        (json!([]), "targets[1] was \"[]\""),
        (json!("person_pia"), "targets[1] was "),
        (json!({}), "linkedinId or name or company or id or email or text is missing"),
        (json!({ "id": null }), "linkedinId or name or company or id or email or text is missing"),
        (json!({ "colour": "red" }), "linkedinId or name or company or id or email or text is missing"),
        (json!({ "id": "person_pia", "name": "Pia" }), "id was \"person_pia\"; expected exactly one of "),
        (json!({ "id": "" }), "id is missing"),
        (json!({ "id": "user_ana" }), "id was \"user_ana\""),
        (json!({ "id": "Person_pia" }), "id was "),
        (json!({ "id": format!("person_{long}") }), "id was "),
        (json!({ "id": 5 }), "id was \"5\"; expected a text"),
        (json!({ "linkedinId": " " }), "linkedinId is missing"),
        (json!({ "linkedinId": long }), "linkedinId was "),
        (json!({ "email": "pia" }), "email was \"pia\""),
        (json!({ "email": format!("{long}@x") }), "email was "),
        (json!({ "name": long }), "name was "),
        (json!({ "name": "Pia", "at": " " }), "at is missing"),
        (json!({ "name": "Pia", "position": "x" }), "position was \"x\"; expected it only beside a company"),
        (json!({ "id": "person_pia", "position": "x" }), "position was \"x\""),
        (json!({ "id": "company_mill", "at": "x" }), "at was \"x\"; expected it only beside name"),
        (json!({ "company": "Mill", "position": "\u{301}" }), "position was "),
        (json!({ "company": "" }), "company is missing"),
        (json!({ "text": " " }), "text is missing"),
        (json!({ "text": "x".repeat(301) }), "text was "),
        (json!({ "text": "Pia", "at": "x" }), "at was \"x\"; expected it only beside name"),
        (json!({ "text": "Copper Mill", "position": "x" }), "position was \"x\""),
    ];
    let good = [json!({ "id": "person_pia" }), json!({ "company": "Copper Mill" })];
    let alone = tiny.results(&json!({ "targets": good })).await;
    for (target, begins) in malformed {
        let results = tiny.results(&json!({ "targets": [good[0], target, good[1]] })).await;
        let sentence = results[1]["error"].as_str().unwrap_or_default();
        assert!(sentence.starts_with(begins) && sentence.ends_with('.'), "{target}: {}", results[1]);
        let expected = json!({ "index": 1, "error": sentence, "code": "validation_error" });
        assert_eq!(results[1], expected, "{target}");
        let moved = |result: &Value, index: usize| {
            let mut moved = result.clone();
            moved["index"] = index.into();
            moved
        };
        assert_eq!([&results[0], &results[2]], [&alone[0], &moved(&alone[1], 2)], "{target}");
    }
    let twice = r#"{"targets":[{"id":"person_pia","id":"person_pia"},{"id":"person_pia"}]}"#;
    let results = tiny.results(&serde_json::from_str(r#"{"targets":[{"id":"person_pia"}]}"#).unwrap()).await;
    let answer = tiny.batch_of(twice).await.json();
    assert_eq!(answer["data"]["results"][0]["code"], "validation_error");
    assert_eq!(answer["data"]["results"][1]["paths"], results[0]["paths"]);
}

#[tokio::test]
async fn a_position_stands_beside_a_company_by_name_and_by_id() {
    let tiny = Tiny::serve();
    let targets = [
        json!({ "company": "Copper Mill", "position": "HEAD" }),
        json!({ "id": "company_mill", "position": "head" }),
        json!({ "id": "company_mill" }),
    ];
    let results = tiny.results(&json!({ "targets": targets, "perTarget": 10 })).await;
    let candidates: Vec<&Value> =
        results.iter().map(|result| &result["coverage"]["candidatePeople"]).collect();
    assert_eq!(candidates, [1, 1, 2]);
    assert_eq!(results[0]["paths"], results[1]["paths"]);
    assert_eq!((results[2]["paths"].as_array().unwrap().len(), &results[2]["totalCount"]), (10, &json!(28)));
    let default = tiny.results(&json!({ "targets": targets })).await;
    assert_eq!(default[2]["paths"].as_array().unwrap().len(), 3, "perTarget is 3 if it is not sent");
}
