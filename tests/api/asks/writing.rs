//! Writes asks by tools and by the page, and reads them back.
//!
//! Promise: What a member writes is there for the next request of everybody, by any process; what does not fit, is
//!   others' to say, or about a person unseen is refused by its code; the same key writes once.
//! Control: the same service without asks knows neither path nor tool.
//! Also in: `crates/kith/src/asks/ask.rs`.

use axum::http::StatusCode;
use kith_server::limits::Limits;
use kith_server::mcp::settings::McpSettings;
use serde_json::{Value, json};

use crate::asks::{ADMIN, ASKER, Asks, CONNECTOR, ORG, OTHER, TARGET, agent, asked, press};
use crate::mcp::{Agent, served as without_asks};
use crate::support::{Credentials, Served, project};

async fn list(served: &Served, credential: &str, query: &str) -> Value {
    let answer = served.get(&format!("/api/v1/asks{query}"), credential).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["data"].clone()
}

#[tokio::test]
async fn an_ask_is_there_for_the_next_request_and_its_outcomes_follow_the_rules() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let (served, elsewhere) = (asks.demo(&credentials), asks.demo(&credentials));
    let asker = agent(&served, &credentials, ASKER);
    let written = asker.data("record_ask", asked("a")).await;
    assert_eq!((&written["written"], &written["ask"]["state"]), (&json!(true), &json!("asked")));
    assert_eq!(written["ask"]["connectionType"], "second_degree");
    let id = written["ask"]["id"].as_str().unwrap();

    // Another process sees it, and the annotation of the person.
    let key = credentials.key(ORG);
    let all = list(&elsewhere, &key, "").await;
    assert_eq!((all["totalCount"].clone(), &all["asks"][0]), (json!(1), &written["ask"]));
    let person = elsewhere.get(&format!("/api/v1/people/{TARGET}"), &key).await.json();
    let paths = elsewhere.get(&format!("/api/v1/search/warm-paths?prospectId={TARGET}"), &key).await.json();
    assert_eq!(paths["data"]["prospect"]["introStatus"], "ACTIVE", "{person}");
    assert_eq!(paths["data"]["prospect"]["introRequestedAt"], written["ask"]["askedAt"]);

    // The same by its key, and a second one for the target, write nothing.
    for key in ["a", "b"] {
        let again = asker.data("record_ask", asked(key)).await;
        assert_eq!((&again["written"], &again["event"]), (&json!(false), &written["event"]), "{key}");
    }
    let refused = asker.refusal("record_ask", json!({ "target": CONNECTOR, "key": "a" })).await;
    assert_eq!(refused.0, "conflict");

    let outcome = |outcome: &str, key: &str| json!({ "ask": id, "outcome": outcome, "key": key });
    let (admin, other) = (agent(&served, &credentials, ADMIN), agent(&served, &credentials, OTHER));
    assert_eq!(other.refusal("report_outcome", outcome("introduced", "1")).await.0, "forbidden");
    assert_eq!(asker.refusal("report_outcome", outcome("reopened", "1")).await.0, "conflict");
    let tried = json!({ "ask": id, "outcome": "agreed", "key": "2", "dry_run": true });
    let dry = asker.data("report_outcome", tried).await;
    assert_eq!((&dry["written"], &dry["ask"]["state"]), (&json!(false), &json!("agreed")));
    assert_eq!(asker.data("report_outcome", outcome("agreed", "2")).await["written"], true);
    let (code, said) = asker.refusal("report_outcome", outcome("agreed", "3")).await;
    assert!(code == "conflict" && said.contains("agreed"), "{said}");
    assert_eq!(asker.data("report_outcome", outcome("met", "4")).await["ask"]["open"], false);
    assert_eq!(admin.data("report_outcome", outcome("reopened", "5")).await["ask"]["state"], "agreed");
    assert_eq!(admin.data("report_outcome", outcome("withdrawn", "6")).await["ask"]["state"], "withdrawn");

    // Closed: a new one may be asked, and then the first cannot be taken up again.
    assert_eq!(list(&served, &key, "").await["totalCount"], 0);
    assert_eq!(list(&served, &key, "?state=closed").await["totalCount"], 1);
    let second = asker.data("record_ask", asked("c")).await;
    assert_eq!(second["written"], true);
    assert_eq!(asker.refusal("report_outcome", outcome("reopened", "7")).await.0, "conflict");
    let one = served.get(&format!("/api/v1/asks/{id}"), &key).await.json();
    let kinds: Vec<&str> = one["data"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["asked", "agreed", "met", "reopened", "withdrawn"]);
    assert_eq!(one["data"]["events"][3]["undoes"], one["data"]["events"][2]["id"]);
    for (query, count) in [
        ("?state=all", 2),
        (&format!("?state=all&personId={TARGET}"), 2),
        (&format!("?state=all&connectorId={CONNECTOR}"), 2),
        (&format!("?state=all&personId={CONNECTOR}"), 0),
        ("?state=all&limit=1", 2),
    ] {
        assert_eq!(list(&served, &key, query).await["totalCount"], count, "{query}");
    }
    let mine = credentials.token(ORG, OTHER);
    assert_eq!(list(&served, &mine, "?state=all&mine=true").await["totalCount"], 0);
    assert_eq!(list(&served, &mine, "?state=all").await["totalCount"], 2);
}

#[tokio::test]
async fn who_may_not_write_gets_the_code_and_reads_all_the_same() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let key = Agent { served: &served, credential: credentials.key(ORG) };
    let reader = Agent { served: &served, credential: credentials.token(ORG, ASKER) };
    for (agent, code, tools) in [(&key, "forbidden_scope", 7), (&reader, "insufficient_scope", 8)] {
        assert_eq!(agent.refusal("record_ask", asked("a")).await.0, code);
        let listed = agent.result("tools/list", json!({})).await;
        assert_eq!(listed["tools"].as_array().unwrap().len(), tools, "{code}");
        let answer = press(&served, "/explore/asks", &agent.credential, &asked("a")).await;
        assert_eq!((answer.status, answer.json()["code"].as_str()), (StatusCode::FORBIDDEN, Some(code)));
    }
    assert_eq!(served.get("/api/v1/asks?mine=true", &key.credential).await.json()["code"], "forbidden_scope");
    let writer = agent(&served, &credentials, ASKER);
    let tools = writer.result("tools/list", json!({})).await;
    let record = tools["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "record_ask").unwrap();
    let hints = &record["annotations"];
    assert_eq!((&hints["readOnlyHint"], &hints["idempotentHint"]), (&json!(false), &json!(true)));
    for (arguments, code) in [
        (json!({ "target": "person_nobody", "key": "a" }), "not_found"),
        (json!({ "target": TARGET, "connector": "person_nobody", "key": "a" }), "not_found"),
        (json!({ "target": TARGET, "connector": TARGET, "key": "a" }), "validation_error"),
        (json!({ "target": TARGET, "via_advocate": CONNECTOR, "key": "a" }), "validation_error"),
        (json!({ "target": TARGET }), "validation_error"),
        (json!({ "target": TARGET, "key": " " }), "validation_error"),
        (json!({ "target": TARGET, "key": "k", "note": "x".repeat(501) }), "validation_error"),
    ] {
        assert_eq!(writer.refusal("record_ask", arguments.clone()).await.0, code, "{arguments}");
    }
    let missing = json!({ "ask": "ask_none", "outcome": "agreed", "key": "a" });
    assert_eq!(writer.refusal("report_outcome", missing).await.0, "not_found");
    let unseen = served.get("/api/v1/people/person_nobody", &writer.credential).await;
    let answer = served.get("/api/v1/asks/ask_none", &writer.credential).await;
    assert_eq!((answer.status, answer.bytes), (unseen.status, unseen.bytes));
    // From another page, nothing is written.
    let elsewhere = served.post("/explore/asks", &writer.credential, &asked("a")).await;
    assert_eq!(elsewhere.status, 400);
}

#[tokio::test]
async fn the_page_writes_as_the_tools_do() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let token = credentials.token_with(ORG, ASKER, "mcp:read mcp:write");
    let answer = press(&served, "/explore/asks", &token, &asked("a")).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    let written = answer.json();
    assert_eq!((&written["written"], &written["event"]["kind"]), (&json!(true), &json!("asked")));
    let path = format!("/explore/asks/{}", written["ask"]["id"].as_str().unwrap());
    let answer =
        press(&served, &path, &token, &json!({ "outcome": "introduced", "key": "b", "note": "by mail" }))
            .await;
    assert_eq!(answer.json()["event"]["note"], "by mail");
    let answer = press(&served, &path, &token, &json!({ "outcome": "agreed", "key": "c" })).await;
    assert_eq!((answer.status, answer.json()["code"].clone()), (StatusCode::CONFLICT, json!("conflict")));
    let tool = agent(&served, &credentials, ASKER).data("record_ask", asked("a")).await;
    assert_eq!((&tool["written"], &tool["event"]), (&json!(false), &written["event"]));
}

#[tokio::test]
async fn without_asks_neither_path_nor_tool_is_known() {
    let credentials = Credentials::new();
    let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
    let key = credentials.key("org_tiny");
    let unknown = served.get("/api/v1/nothing", &key).await;
    for path in ["/api/v1/asks", "/api/v1/asks/ask_1", "/answer", "/explore/asks"] {
        let answer = served.get(path, &key).await;
        assert_eq!((answer.status, &answer.bytes), (unknown.status, &unknown.bytes), "{path}");
    }
    let paths = "/api/v1/search/warm-paths?prospectName=x&include=asks";
    assert_eq!(served.get(paths, &key).await.status, 400);
    let served = without_asks("tiny", &credentials);
    let agent = Agent { served: &served, credential: key };
    let answer = agent.send(&crate::mcp::call("list_asks", &json!({}))).await.json();
    assert!(answer["error"]["message"].as_str().unwrap().contains("no tool"), "{answer}");
}

#[tokio::test]
async fn asks_that_cannot_be_read_fail_requests_unless_they_need_not_be() {
    for is_required in [true, false] {
        let (asks, credentials) = (Asks::new(), Credentials::new());
        let key = credentials.key(ORG);
        let served = asks.demo(&credentials);
        let served = served.changed(|state| {
            let settings = kith_server::ask_file::service::AskSettings { is_required, ..asks.settings() };
            state.asks = Some(std::sync::Arc::new(
                kith_server::ask_file::service::AskService::open(settings).unwrap(),
            ));
        });
        assert_eq!(served.get("/api/v1/asks", &key).await.status, 200);
        std::fs::rename(&asks.path, asks.path.with_extension("away")).unwrap();
        let expected = if is_required { 503 } else { 200 };
        assert_eq!(served.get("/api/v1/me", &key).await.status, expected);
        let asks_answer = served.get("/api/v1/asks", &key).await.status;
        assert_eq!(asks_answer, if is_required { 503 } else { 404 });
    }
}

#[tokio::test]
async fn clients_learn_that_there_is_something_to_write() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let settings = McpSettings {
        public_url: Some("https://kith.example".to_owned()),
        issuer: Some("https://idp.example".to_owned()),
        ..McpSettings::default()
    };
    let served = asks.demo(&credentials).serving_agents(&settings);
    let answer = served.get("/.well-known/oauth-protected-resource/mcp", "").await.json();
    assert_eq!(answer["scopes_supported"], json!(["mcp:read", "mcp:write"]));
}
