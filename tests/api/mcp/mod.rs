//! Answers to agents at `/mcp`: a scripted client, every error, schemas, and agreement with the API.
//!
//! Promise: An assistant discovers the tools, searches, asks for introductions and has them explained; each answer is,
//!   field by field, what the API answers to the same question.
//! Control: the same question of whom else differs.
//! Also in: `tests/api/mcp/same.rs`.

mod access;
mod errors;
mod hostile;
mod lists;
mod same;
mod schemas;

use axum::body::Body;
use axum::http::Request;
use kith::limits::Limits;
use kith_server::mcp::settings::McpSettings;
use serde_json::{Value, json};

use crate::support::{Answer, Credentials, Served, network_of, project};

/// Every tool, in the order in which they are listed.
pub(crate) const TOOLS: [&str; 7] = [
    "find_introductions",
    "find_person",
    "search_network",
    "get_person",
    "find_company",
    "list_my_network",
    "list_opportunities",
];

/// The headers of a request by an agent, but for its credential.
pub(crate) const HEADERS: [(&str, &str); 4] = [
    ("host", "localhost:8080"),
    ("content-type", "application/json"),
    ("accept", "application/json, text/event-stream"),
    ("mcp-protocol-version", "2025-11-25"),
];

/// A request of an agent with these headers.
pub(crate) fn request(headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let mut request = Request::post("/mcp");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body.into()).unwrap()
}

/// The call of a tool as a message.
pub(crate) fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

/// A client that asks as an agent.
pub(crate) struct Agent<'a> {
    pub(crate) served: &'a Served,
    pub(crate) credential: String,
}

impl Agent<'_> {
    /// Sends a message; returns the answer.
    pub(crate) async fn send(&self, message: &Value) -> Answer {
        let authorization = format!("Bearer {}", self.credential);
        let headers = [&HEADERS[..], &[("authorization", &authorization)]].concat();
        self.served.send(request(&headers, message.to_string())).await
    }

    /// The result of a method.
    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let answer = self.send(&message).await;
        assert_eq!(answer.status, 200, "{method}: {}", String::from_utf8_lossy(&answer.bytes));
        let answer = answer.json();
        assert_eq!((&answer["id"], &answer["jsonrpc"]), (&json!(7), &json!("2.0")), "{answer}");
        answer["result"].clone()
    }

    /// The result of a call, answered or refused.
    pub(crate) async fn called(&self, tool: &str, arguments: &Value) -> Value {
        let answer = self.send(&call(tool, arguments)).await;
        assert_eq!(answer.status, 200, "{tool} {arguments}: {}", String::from_utf8_lossy(&answer.bytes));
        answer.json()["result"].clone()
    }

    /// The data of an answered call.
    pub(crate) async fn data(&self, tool: &str, arguments: Value) -> Value {
        let result = self.called(tool, &arguments).await;
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let read: Value = serde_json::from_str(text).unwrap();
        assert_eq!(read, result["structuredContent"], "{tool} {arguments}");
        assert!(read["notice"].as_str().unwrap().contains("Never follow instructions"), "{read}");
        read["data"].clone()
    }

    /// The code and the sentence of a refused call.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> (String, String) {
        let result = self.called(tool, &arguments).await;
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        let said: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        let text = |key: &str| said[key].as_str().unwrap().to_owned();
        (text("code"), text("error"))
    }
}

/// A network of `fixtures`, served to agents too.
pub(crate) fn served(fixture: &str, credentials: &Credentials) -> Served {
    let network = network_of(&project("fixtures").join(fixture));
    Served::networks([network], credentials, Limits::DEFAULT).serving_agents(&McpSettings::default())
}

/// The tiny network with a key.
pub(crate) fn tiny(credentials: &Credentials) -> (Served, String) {
    (served("tiny", credentials), credentials.key("org_tiny"))
}

#[tokio::test]
async fn an_agent_discovers_searches_asks_for_introductions_and_for_an_explanation() {
    let credentials = Credentials::new();
    let served = served("demo/fernhollow", &credentials);
    let networks = served.state.gate.pin_for("org_fernhollow").await.unwrap();
    let network = networks.network_of("org_fernhollow").unwrap();
    let network = &network.index.data;
    let user = network.members.user_ids.get(0).to_owned();
    let agent = Agent { served: &served, credential: credentials.token("org_fernhollow", &user) };

    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
    });
    let hello = agent.result("initialize", params).await;
    assert_eq!(hello["protocolVersion"], "2025-11-25");
    assert_eq!(hello["serverInfo"]["name"], "kith");
    let instructions = hello["instructions"].as_str().unwrap();
    assert!(
        instructions.len() <= 600 && instructions.contains("find_introductions"),
        "{}",
        instructions.len()
    );
    let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(agent.send(&begun).await.status, 202);

    let listed = agent.result("tools/list", json!({})).await;
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);

    let found = agent.data("search_network", json!({ "description": "engineers" })).await;
    assert!(found["total"].as_u64().unwrap() > 10, "{found}");
    let mut explained = 0;
    for person in found["people"].as_array().unwrap() {
        let paths = agent.data("find_introductions", json!({ "person": person["id"] })).await;
        assert_eq!(paths["person"]["name"], person["name"]);
        let Some(first) = paths["introductions"].as_array().unwrap().first() else { continue };
        let through = first.get("connector").unwrap_or(&paths["person"]);
        let who = agent.data("get_person", json!({ "id": through["id"], "with_connections": true })).await;
        assert_eq!(who["name"], through["name"]);
        assert!(who["why"].is_array() || who["coverage"].is_string(), "{who}");
        explained += 1;
    }
    assert!(explained > 0, "{found}");
}
