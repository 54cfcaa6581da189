//! The list of tools: schemas that every client accepts, hints, and answers that fit the schemas.
//!
//! Promise: Schemas of tools hold nothing that clients refuse, describe every property, and every answer keeps to them.
//! Control: each such fault in a schema is found.

use jsonschema::validator_for;
use serde_json::{Value, json};

use crate::mcp::{Agent, TOOLS, served};
use crate::support::Credentials;

/// The most bytes that the definitions of all tools take together, with the schemas of answers, which clients read and
/// models do not.
const DEFINITIONS_BYTES_MAX: usize = 22 << 10;
/// Of them, those that a model reads: names, texts and arguments.
const READ_BYTES_MAX: usize = 8 << 10;

/// What is wrong with a schema that stands at `place`, and with those inside it.
fn faults(schema: &Value, place: &str, is_top: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let object = schema.as_object().unwrap();
    for key in ["format", "$ref", "$schema", "$defs", "nullable", "default"] {
        if object.contains_key(key) {
            faults.push(format!("{place}: {key}"));
        }
    }
    for key in ["anyOf", "oneOf", "allOf", "not"] {
        if object.contains_key(key) {
            faults.push(format!("{place}: {key}{}", if is_top { " at the top" } else { "" }));
        }
    }
    if !object["type"].is_string() || object["type"] == "null" {
        faults.push(format!("{place}: type {}", object["type"]));
    }
    for (name, property) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let text = property["description"].as_str().unwrap_or("");
        if text.len() < 5 {
            faults.push(format!("{place}.{name}: described as {text:?}"));
        }
        faults.extend(self::faults(property, &format!("{place}.{name}"), false));
    }
    if let Some(items) = object.get("items") {
        faults.extend(self::faults(items, &format!("{place}[]"), false));
    }
    faults
}

async fn tools(credential: impl Fn(&Credentials) -> String) -> Vec<Value> {
    let credentials = Credentials::new();
    let served = served("tiny", &credentials);
    let agent = Agent { served: &served, credential: credential(&credentials) };
    agent.result("tools/list", json!({})).await["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn schemas_hold_nothing_that_a_client_refuses_and_every_property_is_described() {
    let tools = tools(|credentials| credentials.token("org_tiny", "user_ana")).await;
    let mut read = 0;
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        for key in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[key]["type"], "object");
            assert_eq!(faults(&tool[key], &format!("{name} {key}"), true), [""; 0]);
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        let text = tool["description"].as_str().unwrap();
        assert!(text.len() < 500 && text.contains("Example") || name == "list_opportunities", "{text}");
        assert!(name.len() <= 64 && name.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_'));
        let hints = json!({
            "title": tool["title"], "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
            "openWorldHint": false
        });
        assert_eq!(tool["annotations"], hints, "{name}");
        read += json!([name, text, tool["inputSchema"]]).to_string().len();
    }
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), TOOLS);
    let all = json!(tools).to_string().len();
    assert!(all <= DEFINITIONS_BYTES_MAX && read <= READ_BYTES_MAX, "{all} bytes, {read} of them read");
}

/// The control: each fault that a schema may have is found.
#[test]
fn schemas_that_clients_refuse_are_found() {
    let good =
        json!({ "type": "object", "properties": { "a": { "type": "string", "description": "A text." } } });
    assert_eq!(faults(&good, "x", true), [""; 0]);
    for (place, value) in [
        ("/properties/a/type", json!(["string", "null"])),
        ("/properties/a/description", json!("")),
        ("/properties/a", json!({ "type": "integer", "format": "uint32", "description": "A number." })),
        ("/properties/a", json!({ "type": "array", "items": { "type": "null" }, "description": "A list." })),
        ("", json!({ "type": "object", "anyOf": [] })),
    ] {
        let mut broken = good.clone();
        *broken.pointer_mut(place).unwrap() = value;
        assert!(!faults(&broken, "x", true).is_empty(), "{broken}");
    }
}

#[tokio::test]
async fn a_key_is_not_offered_what_needs_a_user() {
    let tools = tools(|credentials| credentials.key("org_tiny")).await;
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS.into_iter().filter(|name| *name != "list_my_network").collect::<Vec<_>>());
}

#[tokio::test]
async fn answers_keep_to_their_schemas() {
    let credentials = Credentials::new();
    let served = served("demo/fernhollow", &credentials);
    let agent = Agent { served: &served, credential: credentials.token("org_fernhollow", "user_f37qch") };
    let tools = agent.result("tools/list", json!({})).await["tools"].as_array().unwrap().clone();
    let people = agent.data("find_person", json!({ "query": "a", "limit": 20 })).await["people"].clone();
    let mut calls = vec![
        ("find_person", json!({ "query": "e", "limit": 20 })),
        ("search_network", json!({ "description": "sales leaders", "networks": ["user"] })),
        ("find_company", json!({ "query": "a" })),
        ("list_my_network", json!({})),
        ("list_my_network", json!({ "degree": "second" })),
        ("list_my_network", json!({ "degree": "quiet" })),
        ("list_opportunities", json!({ "limit": 20 })),
        ("find_introductions", json!({ "company": "Bramblequay Software" })),
        ("find_introductions", json!({ "targets": ["Bramblequay Software", "person_nobody", "Deepa"] })),
    ];
    for person in people.as_array().unwrap() {
        calls.push(("find_introductions", json!({ "person": person["id"] })));
        calls.push(("find_introductions", json!({ "person": person["name"] })));
        calls.push(("get_person", json!({ "id": person["id"] })));
        calls.push(("get_person", json!({ "id": person["id"], "with_connections": true })));
    }
    for (name, arguments) in calls {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        assert!(validator_for(&tool["inputSchema"]).unwrap().is_valid(&arguments), "{name} {arguments}");
        // Nothing is answered that the schema does not know.
        let mut strict = tool["outputSchema"].clone();
        close(&mut strict);
        let result = agent.called(name, &arguments).await;
        let validator = validator_for(&strict).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(&result["structuredContent"])
            .map(|fault| format!("{} {fault}", fault.instance_path()))
            .collect();
        assert_eq!(faults, [""; 0], "{name} {arguments}");
    }
}

/// Makes a schema, and those inside it, refuse what it does not name.
fn close(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    if object.contains_key("properties") {
        object.insert("additionalProperties".to_owned(), false.into());
        object["properties"].as_object_mut().unwrap().values_mut().for_each(close);
    }
    if let Some(items) = object.get_mut("items") {
        close(items);
    }
}
