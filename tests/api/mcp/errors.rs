//! Every error an agent can get: before the protocol, from the protocol, and from a tool.
//!
//! Promise: Every call that cannot be answered is refused in shape, before the protocol, by it, or in a sentence by the
//!   names of the tool.
//! Control: the same request unchanged is answered; a service without the setting has no such path.

use axum::http::Method;
use kith::limits::ID_BYTES_MAX;
use kith_server::limits::{BODY_BYTES_MAX, MCP_TARGETS_MAX, QUERY_CHARS_MAX, TEXT_CHARS_MAX};
use serde_json::{Value, json};

use crate::mcp::{Agent, HEADERS, call, request, tiny};
use crate::support::{Answer, Credentials, Served};

fn said(answer: &Answer) -> (u16, String, Option<&str>) {
    let body = answer.json();
    assert_eq!(answer.header("content-type"), Some("application/json"), "{body}");
    assert!(
        answer.header("service-request-id").is_some() && answer.header("cache-control") == Some("no-store")
    );
    assert!(body["error"].as_str().unwrap().ends_with('.') && body.as_object().unwrap().len() == 2, "{body}");
    (answer.status.as_u16(), body["code"].as_str().unwrap().to_owned(), answer.header("www-authenticate"))
}

#[tokio::test]
async fn what_comes_before_the_protocol_is_refused_as_the_api_refuses() {
    let credentials = Credentials::new();
    let (served, key) = tiny(&credentials);
    let key = format!("Bearer {key}");
    let bearer = |secret: String| format!("Bearer {secret}");
    let blind = bearer(credentials.token_with("org_tiny", "user_ana", "profile"));
    let stranger = bearer(credentials.token("org_tiny", "user_nobody"));
    let elsewhere = bearer(credentials.key("org_elsewhere"));
    let message = call("find_person", &json!({ "query": "ana" })).to_string();
    let long = format!("{message}{}", " ".repeat(BODY_BYTES_MAX));
    let (challenge, invalid) = (Some("Bearer"), Some("Bearer error=\"invalid_token\""));
    let scope = Some("Bearer error=\"insufficient_scope\", scope=\"mcp:read\"");
    type Row<'a> = (&'a [(&'a str, &'a str)], &'a str, (u16, &'a str, Option<&'a str>));
    let rows: [Row<'_>; 17] = [
        (&[], &message, (401, "unauthorized", challenge)),
        (&[("authorization", "Bearer nonsense")], &message, (401, "unauthorized", invalid)),
        (&[("authorization", &stranger)], &message, (401, "unauthorized", invalid)),
        (&[("cookie", "kith=1")], &message, (401, "unauthorized", challenge)),
        (&[("authorization", &elsewhere)], &message, (503, "unavailable", None)),
        (&[("authorization", &blind)], &message, (403, "insufficient_scope", scope)),
        (
            &[("authorization", &key), ("content-type", "text/plain")],
            &message,
            (415, "unsupported_media_type", None),
        ),
        (&[("authorization", &key)], &long, (413, "payload_too_large", None)),
        (&[("authorization", &key)], "{", (400, "validation_error", None)),
        (&[("authorization", &key)], "{}", (400, "validation_error", None)),
        (&[("authorization", &key)], &format!("[{message}]"), (400, "validation_error", None)),
        (&[("authorization", &key), ("accept", "application/json")], &message, (406, "not_acceptable", None)),
        (&[("authorization", &key), ("host", "kith.example")], &message, (403, "forbidden_host", None)),
        (
            &[("authorization", &key), ("origin", "https://evil.example")],
            &message,
            (403, "forbidden_origin", None),
        ),
        (&[("authorization", &key), ("origin", "null")], &message, (403, "forbidden_origin", None)),
        (
            &[("authorization", &key), ("mcp-protocol-version", "1999-01-01")],
            &message,
            (400, "validation_error", None),
        ),
        (&[("authorization", &key), ("host", "a b")], &message, (400, "validation_error", None)),
    ];
    for (changed, body, (status, code, expected)) in rows {
        let kept = HEADERS.iter().filter(|(name, _)| !changed.iter().any(|(other, _)| name == other));
        let headers: Vec<(&str, &str)> = kept.chain(changed).copied().collect();
        let answer = served.send(request(&headers, body.to_owned())).await;
        assert_eq!(said(&answer), (status, code.to_owned(), expected), "{changed:?} {:.60}", body);
    }
    // The control: the same request, unchanged.
    let headers = [&HEADERS[..], &[("authorization", &key), ("origin", "http://localhost:6274")]].concat();
    assert_eq!(served.send(request(&headers, message.clone())).await.status, 200);
    for (method, path, status) in [
        (Method::GET, "/mcp", 405),
        (Method::DELETE, "/mcp", 405),
        (Method::POST, "/mcp/", 404),
        (Method::POST, "/mcp/sse", 404),
        (Method::GET, "/.well-known/oauth-protected-resource", 404),
        (Method::GET, "/.well-known/oauth-protected-resource/mcp", 404),
    ] {
        let answer =
            served.ask(method.clone(), path, &[("authorization", &key), ("host", "localhost")]).await;
        assert_eq!(said(&answer).0, status, "{method} {path}");
        assert_eq!(answer.header("allow"), (status == 405).then_some("POST"), "{method} {path}");
    }
}

#[tokio::test]
async fn without_the_setting_there_is_no_such_path() {
    let credentials = Credentials::new();
    let (served, key) = tiny(&credentials);
    let router = kith_server::api::router::public(served.state.clone(), &[], axum::Router::new());
    let plain = Served { router, state: served.state };
    let agent = Agent { served: &plain, credential: key };
    let answer = agent.send(&call("find_person", &json!({ "query": "ana" }))).await;
    assert_eq!(said(&answer), (404, "not_found".to_owned(), None));
}

#[tokio::test]
async fn faults_of_the_protocol_are_errors_of_the_protocol() {
    let credentials = Credentials::new();
    let (served, key) = tiny(&credentials);
    let agent = Agent { served: &served, credential: key };
    let asked = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
    for (message, code) in [
        (call("drop_tables", &json!({})), -32602),
        (call("", &json!({})), -32602),
        (call("Find_Person", &json!({ "query": "a" })), -32602),
        (asked("tools/call", json!({ "arguments": {} })), -32602),
        (asked("tools/call", json!({ "name": "find_person", "arguments": ["a"] })), -32602),
        (asked("tools/call", json!({ "name": "find_person", "arguments": "{}" })), -32602),
        (asked("prompts/get", json!({ "name": "x" })), -32601),
        (asked("resources/subscribe", json!({ "uri": "x" })), -32601),
        (asked("no/such", json!({})), -32601),
    ] {
        let answer = agent.send(&message).await;
        let body = answer.json();
        assert_eq!(body["error"]["code"], code, "{message}: {body}");
        assert!(body.get("result").is_none() && answer.header("service-request-id").is_some());
    }
    // Missing values are an empty list.
    assert_eq!(agent.result("prompts/list", json!({})).await["prompts"], json!([]));
    assert_eq!(agent.result("resources/list", json!({})).await["resources"], json!([]));
}

/// Tool, arguments, code, and what the sentence holds.
type Refused<'a> = (&'a str, Value, &'a str, &'a str);

fn refused(long_id: &str, long_text: &str, long_question: &str) -> Vec<Refused<'static>> {
    let many: Vec<String> = (0..=MCP_TARGETS_MAX).map(|number| format!("person_{number}")).collect();
    let v = "validation_error";
    vec![
        (
            "find_introductions",
            json!({}),
            v,
            "person or company or targets is missing; expected exactly one of",
        ),
        (
            "find_introductions",
            json!({ "person": "a", "company": "b" }),
            v,
            "company was \"b\"; expected exactly one of",
        ),
        ("find_introductions", json!({ "person": 5 }), v, "person was \"5\"; expected a text"),
        ("find_introductions", json!({ "person": null }), v, "is missing"),
        ("find_introductions", json!({ "person": "" }), v, "person is missing; expected 1 to 300 characters"),
        ("find_introductions", json!({ "person": " " }), v, "person is missing"),
        ("find_introductions", json!({ "person": "x".repeat(301) }), v, "expected 1 to 300 characters"),
        ("find_introductions", json!({ "company": long_text }), v, "expected 1 to 200 characters"),
        (
            "find_introductions",
            json!({ "company": "x", "at": "y" }),
            v,
            "at was \"y\"; expected it only beside person",
        ),
        (
            "find_introductions",
            json!({ "person": "x", "position": "y" }),
            v,
            "position was \"y\"; expected it only beside",
        ),
        (
            "find_introductions",
            json!({ "person": "x", "limit": 0 }),
            v,
            "limit was \"0\"; expected a whole number from 1 to 20",
        ),
        (
            "find_introductions",
            json!({ "person": "x", "limit": 5000 }),
            v,
            "limit was \"5000\"; expected a whole number from 1 to 20",
        ),
        (
            "find_introductions",
            json!({ "person": "x", "limit": "5" }),
            v,
            "expected a whole number from 1 to 20",
        ),
        ("find_introductions", json!({ "person": "x", "limit": 1.5 }), v, "limit was \"1.5\""),
        ("find_introductions", json!({ "person": "x", "types": "direct" }), v, "types was"),
        (
            "find_introductions",
            json!({ "person": "x", "types": ["warm"] }),
            v,
            "expected one of direct, advocate",
        ),
        ("find_introductions", json!({ "person": "x", "types": [] }), v, "types was \"[]\""),
        (
            "find_introductions",
            json!({ "person": "x", "from_members": ["user_zoe"] }),
            v,
            "from_members was \"user_zoe\"; expected user ids",
        ),
        ("find_introductions", json!({ "person": "x", "only_me": "yes" }), v, "expected true or false"),
        (
            "find_introductions",
            json!({ "person": "x", "only_me": true }),
            "forbidden_scope",
            "only_me needs a user-scoped token",
        ),
        ("find_introductions", json!({ "person": "x", "sort": "best" }), v, "expected one of tier, warmness"),
        (
            "find_introductions",
            json!({ "person": "x", "cursor": "9" }),
            v,
            "cursor was \"9\"; expected next_cursor",
        ),
        ("find_introductions", json!({ "person": "x", "prospectId": "y" }), v, "prospectId was"),
        ("find_introductions", json!({ "persons": "x" }), v, "of which person is the nearest"),
        ("find_introductions", json!({ "targets": [] }), v, "expected a list of 1 to 25"),
        ("find_introductions", json!({ "targets": many }), v, "expected a list of 1 to 25"),
        ("find_introductions", json!({ "targets": ["a"], "limit": 11 }), v, "1 to 10 with targets"),
        ("find_introductions", json!({ "targets": ["a"], "position": "b" }), v, "not beside targets"),
        ("find_introductions", json!({ "targets": [1] }), v, "targets was \"1\"; expected a text"),
        ("find_person", json!({}), v, "query is missing"),
        ("find_person", json!({ "query": " \n" }), v, "query is missing"),
        ("find_person", json!({ "query": long_text }), v, "1 to 200 characters once folded"),
        ("find_person", json!({ "query": ["a"] }), v, "expected a text"),
        ("find_person", json!({ "q": "a" }), v, "of which query is the nearest"),
        ("search_network", json!({}), v, "description is missing"),
        ("search_network", json!({ "description": "" }), v, "description is missing"),
        ("search_network", json!({ "description": long_question }), v, "1 to 1000 characters"),
        ("search_network", json!({ "description": "a", "strictness": 9 }), v, "strictness was \"9\""),
        ("search_network", json!({ "description": "a", "networks": ["all"] }), v, "networks was"),
        ("get_person", json!({}), v, "id is missing"),
        ("get_person", json!({ "id": "" }), v, "expected an id of 1 to 200 bytes"),
        ("get_person", json!({ "id": long_id }), v, "expected an id of 1 to 200 bytes"),
        ("get_person", json!({ "id": "person_nobody" }), "not_found", "Nobody that you can see has this id"),
        ("get_person", json!({ "id": "person_pia", "with_connections": 1 }), v, "expected true or false"),
        ("find_company", json!({}), v, "query is missing"),
        ("find_company", json!({ "query": "a", "cursor": "0.0.0" }), v, "expected next_cursor"),
        ("list_my_network", json!({}), "forbidden_scope", "list_my_network needs a user-scoped token"),
        (
            "list_opportunities",
            json!({ "status": "open" }),
            v,
            "status was \"open\"; expected one of visible",
        ),
        ("list_opportunities", json!({ "search": "" }), v, "search is missing"),
    ]
}

#[tokio::test]
async fn what_an_agent_can_mend_is_said_in_a_sentence_by_the_names_it_used() {
    let credentials = Credentials::new();
    let (served, key) = tiny(&credentials);
    let key = Agent { served: &served, credential: key };
    let long_id = format!("person_{}", "x".repeat(ID_BYTES_MAX));
    let (long_text, long_question) = ("x".repeat(TEXT_CHARS_MAX + 1), "x ".repeat(QUERY_CHARS_MAX));
    for (tool, arguments, code, holds) in refused(&long_id, &long_text, &long_question) {
        let (said, sentence) = key.refusal(tool, arguments.clone()).await;
        assert_eq!(said, code, "{tool} {arguments}: {sentence}");
        assert!(sentence.contains(holds), "{tool} {arguments}: {sentence}");
        for name in
            ["prospectName", "prospectId", "fromUserIds", "connectionTypes", "viaConnector", "asUserId"]
        {
            assert!(!sentence.contains(name) || arguments.to_string().contains(name), "{tool}: {sentence}");
        }
    }
    let user = Agent { served: &served, credential: credentials.token("org_tiny", "user_ana") };
    for (arguments, code) in [
        (json!({ "degree": "third" }), "validation_error"),
        (json!({ "degree": "second", "via_person": "person_nobody" }), "not_found"),
        (json!({ "degree": "second", "via_person": "" }), "validation_error"),
        (json!({ "via_person": "person_pia" }), "validation_error"),
    ] {
        assert_eq!(user.refusal("list_my_network", arguments.clone()).await.0, code, "{arguments}");
    }
}
