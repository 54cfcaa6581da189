//! Network search: the fields of its body, the body itself, and the order of errors.

use axum::body::Body;
use axum::http::{Method, Request};
use futures_util::stream;
use kith::limits::Limits;
use kith_server::search::engine::{Engine, Engines};
use serde_json::{Value, json};

use super::{
    BAD_CREDENTIAL, INSUFFICIENT_SCOPE, Kind, NO_CREDENTIAL, NO_SNAPSHOT, Tiny, UNAVAILABLE, UNKNOWN_PATH,
    VALIDATION, check, envelope_faults,
};
use crate::support::{Answer, Served, network_of, project};

const PATH: &str = "/api/v1/search/network";
const WRONG_METHOD: Kind = Kind { status: 405, code: "method_not_allowed", headers: &[("allow", "POST")] };
const WRONG_TYPE: Kind = Kind { status: 415, code: "unsupported_media_type", headers: &[] };
const TOO_LARGE: Kind = Kind { status: 413, code: "payload_too_large", headers: &[] };
/// Maximum bytes of a body.
const BYTES_MAX: usize = 65_536;
const JSON: &[&str] = &["application/json"];

/// A request with these headers.
fn request(
    method: &Method,
    path: &str,
    credential: Option<&str>,
    types: &[&str],
    body: Body,
) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(credential) = credential {
        request = request.header("authorization", format!("Bearer {credential}"));
    }
    for content_type in types {
        request = request.header("content-type", *content_type);
    }
    request.body(body).unwrap()
}

impl Tiny {
    /// The answer to a body of these bytes.
    async fn search(&self, body: impl Into<Body>) -> Answer {
        self.served.send(request(&Method::POST, PATH, Some(&self.key), JSON, body.into())).await
    }

    #[track_caller]
    fn assert_taken(answer: &Answer, what: &str) {
        assert_eq!(answer.status, 200, "{what}: {}", String::from_utf8_lossy(&answer.bytes));
        assert_eq!(envelope_faults(answer), [""; 0], "{what}");
    }
}

#[tokio::test]
async fn of_several_errors_of_a_search_the_first_in_the_contracts_order_is_reported() {
    let tiny = Tiny::serve();
    let credentials = &tiny.credentials;
    let key = Some(tiny.key.clone());
    let bad = Some("service_sk_bad".to_owned());
    let elsewhere = Some(credentials.key("org_elsewhere"));
    let write = Some(credentials.token_with("org_tiny", "user_ana", "mcp:write"));
    let write_elsewhere = Some(credentials.token_with("org_elsewhere", "user_ana", "mcp:write"));
    let write_left = Some(credentials.token_with("org_tiny", "user_zoe", "mcp:write"));
    let token = Some(credentials.token("org_tiny", "user_ana"));
    let wrong = format!("{PATH}?colour=%ff");
    let (large, broken) = ("{".repeat(BYTES_MAX + 1), "{".to_owned());
    let all_fields = json!({ "query": " ", "limit": 0, "networks": [], "mode": "x", "asUserId": "user_zoe" });
    let post = Method::POST;
    for (method, path, credential, types, body, kind) in [
        (&post, "/api/v1/search/network/", &key, &[][..], &large, UNKNOWN_PATH),
        (&post, "/api/v1/search/Network", &key, &[], &large, UNKNOWN_PATH),
        (&Method::GET, &wrong, &None, &[], &large, WRONG_METHOD),
        (&Method::GET, PATH, &key, JSON, &large, WRONG_METHOD),
        (&Method::PUT, PATH, &key, JSON, &broken, WRONG_METHOD),
        (&Method::DELETE, PATH, &bad, &[], &broken, WRONG_METHOD),
        (&Method::PATCH, PATH, &None, &[], &broken, WRONG_METHOD),
        (&Method::OPTIONS, PATH, &key, &[], &broken, WRONG_METHOD),
        (&post, &wrong, &None, &[], &large, NO_CREDENTIAL),
        (&post, &wrong, &bad, &[], &large, BAD_CREDENTIAL),
        (&post, &wrong, &elsewhere, &[], &large, NO_SNAPSHOT),
        (&post, &wrong, &write_elsewhere, &[], &large, NO_SNAPSHOT),
        (&post, &wrong, &write_left, &[], &large, BAD_CREDENTIAL),
        (&post, &wrong, &write, &[], &large, INSUFFICIENT_SCOPE),
        (&post, &wrong, &key, &[], &large, WRONG_TYPE),
        (&post, &wrong, &token, &["text/plain"], &large, WRONG_TYPE),
        (&post, &wrong, &key, JSON, &large, TOO_LARGE),
        (&post, &wrong, &key, JSON, &broken, VALIDATION),
        (&post, &wrong, &key, JSON, &"{\"query\":\"who\"}".to_owned(), VALIDATION),
        (&post, PATH, &token, JSON, &broken, VALIDATION),
        (&post, PATH, &token, JSON, &all_fields.to_string(), VALIDATION),
    ] {
        let body = Body::from(body.clone());
        let answer = tiny.served.send(request(method, path, credential.as_deref(), types, body)).await;
        check(&answer, &kind, &format!("{method} {path} {types:?}"));
    }
    let head = tiny.served.ask(Method::HEAD, PATH, &[]).await;
    assert_eq!((head.status.as_u16(), head.header("allow")), (405, Some("POST")));
}

#[tokio::test]
async fn a_body_says_once_that_it_is_json() {
    let tiny = Tiny::serve();
    let body = json!({ "query": "engineers" }).to_string();
    let ask = async |types: &[&str]| {
        tiny.served.send(request(&Method::POST, PATH, Some(&tiny.key), types, Body::from(body.clone()))).await
    };
    for types in [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        "APPLICATION/JSON ; a=\"b;c\"",
        " application/json ",
        "application/json;",
    ] {
        Tiny::assert_taken(&ask(&[types]).await, types);
    }
    for types in [
        &[][..],
        &[""],
        &["json"],
        &["application/"],
        &["application/jso"],
        &["application/json5"],
        &["application/json+x"],
        &["application/ld+json"],
        &["application/x-www-form-urlencoded"],
        &["text/json"],
        &["text/plain"],
        &["; application/json"],
        &["application/json, application/json"],
        &["application/json", "application/json"],
        &["application/json", "text/plain"],
        &["text/plain", "application/json"],
    ] {
        check(&ask(types).await, &WRONG_TYPE, &format!("{types:?}"));
    }
}

#[tokio::test]
async fn a_body_has_at_most_64_kib_however_it_comes() {
    let tiny = Tiny::serve();
    for (bytes, is_taken) in
        [(BYTES_MAX - 1, true), (BYTES_MAX, true), (BYTES_MAX + 1, false), (BYTES_MAX * 4, false)]
    {
        let around = json!({ "query": "engineers", "padding": "" }).to_string();
        let padding = "x".repeat(bytes - around.len());
        let body = json!({ "query": "engineers", "padding": padding }).to_string();
        assert_eq!(body.len(), bytes);
        let mut said = request(&Method::POST, PATH, Some(&tiny.key), JSON, Body::from(body.clone()));
        said.headers_mut().insert("content-length", bytes.into());
        let chunks: Vec<Result<Vec<u8>, std::io::Error>> =
            body.as_bytes().chunks(1_000).map(|chunk| Ok(chunk.to_vec())).collect();
        let chunked = Body::from_stream(stream::iter(chunks));
        let chunked = request(&Method::POST, PATH, Some(&tiny.key), JSON, chunked);
        for (how, request) in [("with a length", said), ("in chunks", chunked)] {
            let (answer, what) = (tiny.served.send(request).await, format!("{bytes} bytes {how}"));
            if is_taken {
                Tiny::assert_taken(&answer, &what);
            } else {
                check(&answer, &TOO_LARGE, &what);
                let sentence = answer.json()["error"].as_str().unwrap().to_owned();
                assert!(sentence.contains("65536 bytes"), "{sentence}");
            }
        }
    }
    let broken_off = stream::iter([Ok("{\"query\":".to_owned()), Err(std::io::Error::other("gone"))]);
    check(&tiny.search(Body::from_stream(broken_off)).await, &VALIDATION, "a body that breaks off");
}

#[tokio::test]
async fn a_refused_body_is_reported_with_what_was_sent_and_what_is_accepted() {
    let tiny = Tiny::serve();
    for (body, sent) in [
        (&b""[..], "the body is missing"),
        (b" \n\t", "the body is missing"),
        (b"{", "was \"{\""),
        (b"query", "was \"query\""),
        (b"{\"query\":\"a\"", "was \"{\"query\":\"a\"\""),
        (b"{\"query\":\"a\"}}", "\"}}\""),
        (b"{\"query\":\"a\"} {\"query\":\"b\"}", "\"b\"}\""),
        (b"{\"query\":\"a\",}", ",}\""),
        (b"{'query':'a'}", "{'query':'a'}"),
        (b"{\"query\":\"a\"}//", "//\""),
        (b"{\"query\":\"a\",\"limit\":05}", "05}\""),
        (b"{\"query\":\"a\",\"limit\":+5}", "+5}\""),
        (b"{\"query\":\"a\",\"limit\":NaN}", "NaN}\""),
        (b"{\"query\":\"a\nb\"}", "was \""),
        (b"null", "\"null\""),
        (b"[]", "\"[]\""),
        (b"[\"a\"]", "\"[\"a\"]\""),
        (b"[{\"query\":\"a\"}]", "\"[{"),
        (b"\"a\"", "\"\"a\"\""),
        (b"7", "\"7\""),
        (b"true", "\"true\""),
        (b"query=engineers", "query=engineers"),
        (b"{\"query\":\"\xff\"}", "\u{fffd}"),
        (b"{\"query\":\"\xc3\"}", "\u{fffd}"),
        (b"{\"query\":\"\xed\xa0\x80\"}", "\u{fffd}"),
        (b"\xff", "\u{fffd}"),
        (b"{\"query\":\"a\"}\x00", "query"),
    ] {
        let what = String::from_utf8_lossy(body);
        let answer = tiny.search(body).await;
        check(&answer, &VALIDATION, &what);
        let sentence = answer.json()["error"].as_str().unwrap().to_owned();
        for part in ["the body", sent, "a JSON object"] {
            assert!(sentence.contains(part), "{what}: {sentence} lacks {part}");
        }
    }
    let answer = tiny.search("é".repeat(300)).await;
    check(&answer, &VALIDATION, "no JSON");
    assert_eq!(String::from_utf8_lossy(&answer.bytes).matches('é').count(), 100);
}

#[tokio::test]
async fn a_refused_field_is_named_with_what_was_sent_and_what_is_accepted() {
    let tiny = Tiny::serve();
    let (long_query, long_id) = ("é".repeat(1_001), format!("user_{}", "x".repeat(196)));
    let (long_query_shown, long_id_shown) = ("é".repeat(100), &long_id[..100]);
    let (query, limits, levels) = ("1 to 1000 characters", "from 1 to 50", "from 1 to 3");
    let (networks, modes) = ("user, advocate, organization", "auto, vector, graph, relational");
    let (member, id, once) = ("a member of the organization", "1 to 200 bytes", "once, not several times");
    for (fields, named, sent, accepted) in [
        // The query.
        ("", "query", "missing", query),
        ("\"Query\":\"a\"", "query", "missing", query),
        ("\"query\":null", "query", "missing", query),
        ("\"query\":\"\"", "query", "missing", query),
        ("\"query\":\" \\t\\n\\u00a0\\u3000\"", "query", "missing", query),
        ("\"query\":\"LONG\"", "query", &long_query_shown, query),
        ("\"query\":7", "query", "\"7\"", query),
        ("\"query\":true", "query", "\"true\"", query),
        ("\"query\":[\"a\"]", "query", "[\"a\"]", query),
        ("\"query\":{\"text\":\"a\"}", "query", "{\"text\":\"a\"}", query),
        ("\"query\":\"\\ud800\"", "query", "\\ud800", query),
        ("\"query\":\"a\",\"query\":\"b\"", "query", "\"b\"", once),
        ("\"query\":\"a\",\"query\":\"a\"", "query", "\"a\"", once),
        ("\"query\":null,\"query\":\"a\"", "query", "\"a\"", once),
        ("\"query\":\"a\",\"\\u0071uery\":\"b\"", "query", "\"b\"", once),
        // Networks.
        ("GOOD,\"networks\":[]", "networks", "\"[]\"", networks),
        ("GOOD,\"networks\":[ ]", "networks", "[", networks),
        ("GOOD,\"networks\":\"user\"", "networks", "\"user\"", networks),
        ("GOOD,\"networks\":[\"user\",\"team\"]", "networks", "\"team\"", networks),
        ("GOOD,\"networks\":[\"User\"]", "networks", "\"User\"", networks),
        ("GOOD,\"networks\":[\"\"]", "networks", "\"\"", networks),
        ("GOOD,\"networks\":[null]", "networks", "[null]", networks),
        ("GOOD,\"networks\":[1]", "networks", "[1]", networks),
        ("GOOD,\"networks\":[[\"user\"]]", "networks", "[[\"user\"]]", networks),
        ("GOOD,\"networks\":{\"user\":true}", "networks", "{\"user\":true}", networks),
        ("GOOD,\"networks\":[\"user\"],\"networks\":[\"user\"]", "networks", "[\"user\"]", once),
        // Strictness and limit.
        ("GOOD,\"strictness\":0", "strictness", "\"0\"", levels),
        ("GOOD,\"strictness\":4", "strictness", "\"4\"", levels),
        ("GOOD,\"strictness\":-1", "strictness", "\"-1\"", levels),
        ("GOOD,\"strictness\":-0", "strictness", "\"-0\"", levels),
        ("GOOD,\"strictness\":1.0", "strictness", "\"1.0\"", levels),
        ("GOOD,\"strictness\":1e0", "strictness", "\"1e0\"", levels),
        ("GOOD,\"strictness\":10E-1", "strictness", "\"10E-1\"", levels),
        ("GOOD,\"strictness\":\"1\"", "strictness", "\"1\"", levels),
        ("GOOD,\"strictness\":\"strict\"", "strictness", "\"strict\"", levels),
        ("GOOD,\"strictness\":true", "strictness", "\"true\"", levels),
        ("GOOD,\"strictness\":[1]", "strictness", "[1]", levels),
        ("GOOD,\"strictness\":4294967297", "strictness", "\"4294967297\"", levels),
        ("GOOD,\"strictness\":1,\"strictness\":1", "strictness", "\"1\"", once),
        ("GOOD,\"limit\":0", "limit", "\"0\"", limits),
        ("GOOD,\"limit\":51", "limit", "\"51\"", limits),
        ("GOOD,\"limit\":-1", "limit", "\"-1\"", limits),
        ("GOOD,\"limit\":1.5", "limit", "\"1.5\"", limits),
        ("GOOD,\"limit\":20.0", "limit", "\"20.0\"", limits),
        ("GOOD,\"limit\":2e1", "limit", "\"2e1\"", limits),
        ("GOOD,\"limit\":\"5\"", "limit", "\"5\"", limits),
        ("GOOD,\"limit\":99999999999999999999999", "limit", "99999999999999999999999", limits),
        ("GOOD,\"limit\":5,\"limit\":null", "limit", "\"null\"", once),
        // The acting member.
        ("GOOD,\"asUserId\":\"user_zoe\"", "asUserId", "\"user_zoe\"", member),
        ("GOOD,\"asUserId\":\"person_zoe\"", "asUserId", "\"person_zoe\"", member),
        ("GOOD,\"asUserId\":\"person_hal\"", "asUserId", "\"person_hal\"", member),
        ("GOOD,\"asUserId\":\"USER_ANA\"", "asUserId", "\"USER_ANA\"", member),
        ("GOOD,\"asUserId\":\"user_ana \"", "asUserId", "\"user_ana \"", member),
        ("GOOD,\"asUserId\":\"\"", "asUserId", "\"\"", id),
        ("GOOD,\"asUserId\":\" \"", "asUserId", "\" \"", id),
        ("GOOD,\"asUserId\":\"ID\"", "asUserId", long_id_shown, id),
        ("GOOD,\"asUserId\":1", "asUserId", "\"1\"", member),
        ("GOOD,\"asUserId\":[\"user_ana\"]", "asUserId", "[\"user_ana\"]", member),
        ("GOOD,\"asUserId\":\"user_ana\",\"asUserId\":\"user_ana\"", "asUserId", "\"user_ana\"", once),
        // The mode.
        ("GOOD,\"mode\":\"keyword\"", "mode", "\"keyword\"", modes),
        ("GOOD,\"mode\":\"graph-keyword\"", "mode", "\"graph-keyword\"", modes),
        ("GOOD,\"mode\":\"Auto\"", "mode", "\"Auto\"", modes),
        ("GOOD,\"mode\":\"\"", "mode", "\"\"", modes),
        ("GOOD,\"mode\":1", "mode", "\"1\"", modes),
        ("GOOD,\"mode\":\"auto\",\"mode\":\"graph\"", "mode", "\"graph\"", once),
    ] {
        let fields = fields.replace("GOOD", "\"query\":\"engineers\"");
        let fields = fields.replace("LONG", &long_query).replace("\"ID\"", &format!("\"{long_id}\""));
        let answer = tiny.search(format!("{{{fields}}}")).await;
        check(&answer, &VALIDATION, &fields);
        let sentence = answer.json()["error"].as_str().unwrap().to_owned();
        let starts = [format!("{named} was \""), format!("{named} is missing")];
        assert!(starts.iter().any(|start| sentence.starts_with(start)), "{fields}: {sentence}");
        for part in [sent, accepted] {
            assert!(sentence.contains(part), "{fields}: {sentence} lacks {part}");
        }
        assert!(sentence.matches('é').count() <= 100 && sentence.matches('x').count() < 110, "{sentence}");
    }
}

#[tokio::test]
async fn what_the_contract_allows_of_a_search_is_not_refused() {
    let tiny = Tiny::serve();
    for fields in [
        "\"query\":\"engineers\"",
        " \"limit\" : 5 ,\n\"query\"\t:\"engineers\"\r\n",
        "\"query\":\"LONG\"",
        "\"query\":\" a \"",
        "\"query\":\"?!\"",
        "\"query\":\"\\u0000\"",
        "\"query\":\"\\ud83d\\ude00\"",
        "\"\\u0071uery\":\"engineers\"",
        "GOOD,\"networks\":[\"organization\",\"user\",\"user\",\"organization\",\"user\"]",
        "GOOD,\"networks\":null,\"strictness\":null,\"asUserId\":null,\"limit\":null,\"mode\":null",
        "GOOD,\"strictness\":3,\"limit\":50,\"mode\":\"graph\",\"asUserId\":\"person_ben\"",
        "GOOD,\"strictness\":1,\"limit\":1,\"mode\":\"auto\",\"asUserId\":\"user_ana\"",
        "GOOD,\"offsets\":\"x\",\"Limit\":0,\"as_user_id\":7,\"colour\":[{\"a\":null}]",
        "GOOD,\"colour\":1,\"colour\":2,\"colour\":null",
        "GOOD,\"deep\":DEEP",
        "GOOD,\"number\":1e999999",
    ] {
        let fields = fields.replace("GOOD", "\"query\":\"engineers\"").replace("LONG", &"é".repeat(1_000));
        let fields = fields.replace("DEEP", &format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)));
        Tiny::assert_taken(&tiny.search(format!("{{{fields}}}")).await, &fields);
    }
    let body = json!({ "query": "engineers" });
    let answer = tiny.served.post(&format!("{PATH}?limit=0&colour=blue"), &tiny.key, &body).await;
    Tiny::assert_taken(&answer, "parameters are ignored");
    let other = json!({ "query": "engineers", "asUserId": "user_ben" });
    let token = tiny.credentials.token("org_tiny", "user_ana");
    Tiny::assert_taken(&tiny.served.post(PATH, &token, &other).await, "a token may name another member");
}

#[tokio::test]
async fn a_search_with_null_fields_or_repeated_networks_is_the_same_search() {
    let tiny = Tiny::serve();
    let ask = async |body: Value| tiny.search(body.to_string()).await.bytes;
    let plain = ask(json!({ "query": "engineers" })).await;
    let nulls = json!({ "query": "engineers", "networks": null, "strictness": null, "asUserId": null,
        "limit": null, "mode": null });
    assert_eq!(ask(nulls).await, plain);
    let networks = |networks: &[&str]| json!({ "query": "who", "networks": networks });
    let repeated = ask(networks(&["organization", "user", "organization"])).await;
    assert_eq!(repeated, ask(networks(&["user", "organization"])).await);
}

#[tokio::test]
async fn a_pinned_engine_that_cannot_answer_is_a_validation_error_and_no_engine_at_all_is_a_503() {
    let tiny = Tiny::serve();
    let network = || network_of(&project("fixtures/tiny"));
    let serve =
        |engines: Engines| Served::with_engines([network()], &tiny.credentials, Limits::DEFAULT, engines);
    for left_out in Engine::ALL {
        let others: Engines = Engine::ALL.into_iter().filter(|engine| *engine != left_out).collect();
        for served in [serve(others), serve(Engines::from_iter([]))] {
            let body = json!({ "query": "engineers", "mode": left_out.mode() });
            let answer = served.post(PATH, &tiny.key, &body).await;
            check(&answer, &VALIDATION, left_out.mode());
            let sentence = answer.json()["error"].as_str().unwrap().to_owned();
            let start = format!("mode was \"{}\"; expected auto, or", left_out.mode());
            assert!(sentence.starts_with(&start) && sentence.contains("not in service"), "{sentence}");
        }
    }
    let none = serve(Engines::from_iter([]));
    for body in [json!({ "query": "engineers" }), json!({ "query": "engineers", "mode": "auto" })] {
        check(&none.post(PATH, &tiny.key, &body).await, &UNAVAILABLE, "no engine");
    }
    check(
        &none.post(PATH, &tiny.key, &json!({ "query": "a", "limit": 0 })).await,
        &VALIDATION,
        "limit first",
    );
}
