//! Access to `/mcp`: credentials and rates, and how clients learn the issuer of tokens.
//!
//! Promise: Calls have the credentials, rates, networks and counts of the API, and isolation and hidden existence hold
//!   for them.
//! Control: services that leak are caught; an issuer without a public URL is not named.
//! Also in: `tests/api/isolation/agents.rs`, `tests/api/hidden_existence.rs`.

use axum::http::Method;
use kith_server::mcp::settings::McpSettings;
use kith_server::rates::{RateSettings, Rates};
use serde_json::json;
use std::time::SystemTime;

use crate::mcp::{Agent, HEADERS, call, request, served, tiny};
use crate::support::Credentials;

#[tokio::test]
async fn a_credential_that_is_revoked_between_two_calls_is_refused_at_the_second() {
    let credentials = Credentials::new();
    let (served, _) = tiny(&credentials);
    let now = SystemTime::now();
    let issued = credentials.store.create_key("org_tiny", "agent", now).unwrap();
    let agent = Agent { served: &served, credential: issued.secret.reveal().to_owned() };
    let message = call("find_person", &json!({ "query": "ana" }));
    assert_eq!(agent.send(&message).await.status, 200);
    credentials.store.revoke_key(&issued.id, now).unwrap();
    assert_eq!(agent.send(&message).await.status, 401);
}

#[tokio::test]
async fn calls_are_taken_from_the_bucket_of_the_credential() {
    let credentials = Credentials::new();
    let served = served("tiny", &credentials);
    let rates = Rates::new(RateSettings::new(Some(0.001), Some(3.0)).unwrap().unwrap());
    let served = served.at_rates(rates).serving_agents(&McpSettings::default());
    let agent = Agent { served: &served, credential: credentials.key("org_tiny") };
    let message = call("find_person", &json!({ "query": "ana" }));
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let answer = agent.send(&message).await;
        assert!(answer.header("ratelimit").is_some());
        statuses.push(answer.status.as_u16());
    }
    // A request to the API is from the same one.
    assert_eq!(served.get("/api/v1/people/person_pia", &agent.credential).await.status, 429);
    let late = agent.send(&message).await;
    assert_eq!((statuses, late.status.as_u16()), (vec![200, 200, 200], 429));
    assert!(late.header("retry-after").is_some() && late.json()["code"] == "rate_limited");
}

#[tokio::test]
async fn with_an_issuer_and_a_public_url_clients_learn_where_tokens_are_issued() {
    let credentials = Credentials::new();
    let settings = McpSettings {
        public_url: Some("https://kith.example".to_owned()),
        issuer: Some("https://idp.example".to_owned()),
        ..McpSettings::default()
    };
    let served = served("tiny", &credentials).serving_agents(&settings);
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let answer = served.ask(Method::GET, path, &[]).await;
        let expected = json!({
            "resource": "https://kith.example/mcp", "authorization_servers": ["https://idp.example"],
            "scopes_supported": ["mcp:read"], "bearer_methods_supported": ["header"]
        });
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("application/json")));
        assert_eq!(answer.json(), expected);
    }
    let metadata = "resource_metadata=\"https://kith.example/.well-known/oauth-protected-resource/mcp\", scope=\"mcp:read\"";
    let blind = credentials.token_with("org_tiny", "user_ana", "profile");
    for (authorization, status, challenge) in [
        (None, 401, format!("Bearer {metadata}")),
        (Some("nonsense"), 401, format!("Bearer error=\"invalid_token\", {metadata}")),
        (Some(blind.as_str()), 403, format!("Bearer error=\"insufficient_scope\", {metadata}")),
    ] {
        let bearer = authorization.map(|secret| format!("Bearer {secret}"));
        let sent = bearer.iter().map(|bearer| ("authorization", bearer.as_str()));
        let headers: Vec<(&str, &str)> = HEADERS.into_iter().chain(sent).collect();
        let answer = served.send(request(&headers, call("find_person", &json!({})).to_string())).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("www-authenticate")),
            (status, Some(challenge.as_str()))
        );
    }
    // The service is asked by its public name, and by pages of it.
    let key = format!("Bearer {}", credentials.key("org_tiny"));
    let names =
        [("host", "kith.example"), ("origin", "https://kith.example"), ("authorization", key.as_str())];
    let headers: Vec<(&str, &str)> = HEADERS[1..].iter().chain(&names).copied().collect();
    let message = call("find_person", &json!({ "query": "ana" })).to_string();
    assert_eq!(served.send(request(&headers, message)).await.status, 200);
    // The control: of an issuer without a public URL nothing is said.
    let silent = McpSettings { public_url: None, ..settings };
    let served = crate::mcp::served("tiny", &credentials).serving_agents(&silent);
    let answer = served.ask(Method::POST, "/mcp", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("www-authenticate")), (401, Some("Bearer")));
}

#[tokio::test]
async fn calls_are_counted_by_tool_and_outcome_and_by_nothing_a_caller_sent() {
    let credentials = Credentials::new();
    let (served, key) = tiny(&credentials);
    let agent = Agent { served: &served, credential: key };
    agent.data("find_person", json!({ "query": "ana" })).await;
    agent.refusal("find_person", json!({ "query": "" })).await;
    agent.send(&call("drop_tables", &json!({}))).await;
    let networks = served.state.gate.pin_for("org_tiny").await.unwrap();
    let text = served.state.metrics.write(&networks, &Default::default()).unwrap();
    let text = String::from_utf8(text).unwrap();
    for line in [
        "kith_mcp_tool_calls_total{outcome=\"answered\",tool=\"find_person\"} 1",
        "kith_mcp_tool_calls_total{outcome=\"refused\",tool=\"find_person\"} 1",
        "kith_requests_total{route=\"/mcp\",status=\"200\"} 3",
    ] {
        assert!(text.lines().any(|said| said == line), "{line} in {text}");
    }
    assert!(!text.contains("drop_tables"));
}
