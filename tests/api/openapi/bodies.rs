//! The fields of a body in the document match those that are accepted and refused.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::openapi::document::{Document, served_document, tiny};
use crate::oracle::Search;
use crate::oracle::random::{Dice, random_network_search};
use crate::props::case::Case;
use crate::support::{Credentials, Served};

const SEARCH: &str = "/api/v1/search/network";
const BATCH: &str = "/api/v1/search/warm-paths/batch";

/// Values that follow from a schema: some that are taken; some just outside, each with what the error then
/// names as accepted.
#[derive(Debug, Default)]
struct Values {
    taken: Vec<Value>,
    refused: Vec<(Value, String)>,
}

impl Values {
    fn refuse(&mut self, values: Value, accepted: &str) {
        let values = values.as_array().unwrap().iter();
        self.refused.extend(values.map(|value| (value.clone(), accepted.to_owned())));
    }
}

/// The schema of a value that is not null.
fn shape(schema: &Value) -> &Value {
    if schema["oneOf"].is_array() { &schema["oneOf"][0] } else { schema }
}

fn values(name: &str, schema: &Value) -> Values {
    let shape = shape(schema);
    let mut values = match shape["type"].as_str().unwrap() {
        "integer" => whole(shape),
        "boolean" => flag(),
        "array" if name == "targets" => targets(shape),
        "array" if name == "fromUserIds" => members(&shape["items"]),
        "array" => listed(shape),
        _ if shape["enum"].is_array() => choice(shape),
        _ if name == "asUserId" => member(shape),
        _ => text(shape),
    };
    if schema["oneOf"].is_array() {
        assert_eq!(schema["oneOf"][1], json!({ "type": "null" }));
        values.taken.push(Value::Null);
    } else {
        values.refuse(json!([null]), "");
    }
    values.taken.extend(schema.get("default").cloned());
    values
}

fn whole(shape: &Value) -> Values {
    let bound = |name| shape[name].as_i64().unwrap();
    let (least, most) = (bound("minimum"), bound("maximum"));
    let mut values = Values { taken: vec![json!(least), json!(most), json!(least + 1)], ..Values::default() };
    let accepted = format!("a whole number from {least} to {most}");
    values.refuse(json!([least - 1, most + 1, 1.5, "1", "", "x", true, [1], { "a": 1 }]), &accepted);
    values
}

fn flag() -> Values {
    let mut values = Values { taken: vec![json!(true), json!(false)], ..Values::default() };
    values.refuse(json!(["true", "", 0, 1, [true], {}]), "true or false");
    values
}

/// Targets at the bounds on them. What is wrong with one of them spoils no other, and stands in its place.
fn targets(shape: &Value) -> Values {
    let (least, most) = (shape["minItems"].as_u64().unwrap(), shape["maxItems"].as_u64().unwrap());
    let parts = shape["items"]["properties"].as_object().unwrap();
    let name = |name: &str| json!({ parts.get_key_value(name).unwrap().0: "pia" });
    let many = |count: u64| Value::from(vec![name("name"); count as usize]);
    let mut values = Values { taken: vec![many(least), many(most)], ..Values::default() };
    values.taken.extend(parts.keys().map(|part| json!([{ part: "person_pia@" }])));
    let accepted = format!("a list of {least} to {most} targets");
    values.refuse(json!([many(least - 1), many(most + 1), name("name"), "pia", 1, true]), &accepted);
    values
}

/// One or more ids of members.
fn members(item: &Value) -> Values {
    let too_long = format!("user_{}", "x".repeat(item["maxLength"].as_u64().unwrap() as usize));
    assert_eq!(item["pattern"], "^(user|person)_");
    let taken = vec![json!(["user_ana"]), json!(["person_ben", "user_ana", "user_ana"])];
    let mut values = Values { taken, ..Values::default() };
    let wrong = json!([[], ["user_nobody"], ["user_ana", ""], ["ana"], [too_long], [1], "user_ana", {}]);
    values.refuse(wrong, "ids of members");
    values
}

fn choice(shape: &Value) -> Values {
    let taken = shape["enum"].as_array().unwrap().clone();
    let names: Vec<&str> = taken.iter().map(|name| name.as_str().unwrap()).collect();
    let mut values = Values::default();
    let accepted = format!("one of {}", names.join(", "));
    values.refuse(json!([names[0].to_uppercase(), "nonesuch", "", 1, true, [names[0]]]), &accepted);
    Values { taken, ..values }
}

fn listed(shape: &Value) -> Values {
    let names = shape["items"]["enum"].as_array().unwrap().clone();
    let words: Vec<&str> = names.iter().map(|name| name.as_str().unwrap()).collect();
    let mut values = Values::default();
    values.taken.extend(names.iter().map(|name| json!([name])));
    values.taken.extend([json!(names), json!([names[0], names[0]])]);
    let wrong = json!([["nonesuch"], [names[0], "nonesuch"], [""], [1], [null], names[0], "", 1, true]);
    values.refuse(wrong, &format!("of {}", words.join(", ")));
    match shape["minItems"].as_u64() {
        Some(1) => values.refuse(json!([[]]), "one or more"),
        _ => values.taken.push(json!([])),
    }
    values
}

fn text(shape: &Value) -> Values {
    let most = shape["maxLength"].as_u64().unwrap() as usize;
    let mut values = Values { taken: vec![json!("é".repeat(most)), json!("x")], ..Values::default() };
    let accepted = format!("1 to {most} characters");
    values.refuse(json!(["x".repeat(most + 1), 1, true, ["x"], { "x": "x" }]), &accepted);
    match (shape["minLength"].as_u64(), shape["pattern"].as_str()) {
        (Some(1), Some(r"\S")) => values.refuse(json!(["", " ", "\u{3000}\t"]), &accepted),
        _ => values.taken.push(json!(" ")),
    }
    values
}

/// A text of as many characters as there may be is only nobody's id.
fn member(shape: &Value) -> Values {
    let (most, start) = (shape["maxLength"].as_u64().unwrap() as usize, "user_");
    assert_eq!(shape["pattern"], "^(user|person)_");
    let of_length = |length: usize| format!("{start}{}", "x".repeat(length - start.len()));
    let mut values = Values { taken: vec![json!("user_ben"), json!("person_cai")], ..Values::default() };
    values.refuse(json!(["ana", "user_nobody", "person_pia", of_length(most), 1, ["user_ana"]]), "a member");
    values.refuse(json!([of_length(most + 1), "", " "]), &format!("1 to {most} bytes"));
    values
}

/// A body that is taken, with `name` as `value` in it, or without it.
fn body(path: &str, name: &str, value: Option<&Value>) -> Value {
    let fields = match path {
        SEARCH => [("query", json!("engineers")), ("mode", json!("graph"))],
        _ => [("targets", json!([{ "id": "person_pia" }])), ("perTarget", json!(2))],
    };
    let mut body: Map<String, Value> =
        fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
    body.remove(name);
    body.extend(value.map(|value| (name.to_owned(), value.clone())));
    body.into()
}

/// Differences between the router and the document, in words.
async fn faults(document: &Document, path: &str, served: &Served, token: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let schema = document.body_schema(path).unwrap();
    let required = schema["required"].as_array().unwrap();
    for (name, schema) in schema["properties"].as_object().unwrap() {
        let Values { taken, refused } = values(name, schema);
        let mut requests: Vec<(Value, Option<String>)> = Vec::new();
        requests.extend(taken.iter().map(|value| (body(path, name, Some(value)), None)));
        requests
            .extend(refused.into_iter().map(|(value, said)| (body(path, name, Some(&value)), Some(said))));
        let is_required = required.contains(&name.as_str().into());
        requests.push((body(path, name, None), is_required.then(String::new)));
        for (body, refusal) in requests {
            let answer = served.post(path, token, &body).await;
            let sentence = answer.json()["error"].as_str().unwrap_or("").to_owned();
            // The document does not state which engines can answer.
            let is_pinned = name == "mode" && sentence.contains("an engine that can answer");
            match (answer.status.as_u16(), refusal) {
                (400, Some(accepted)) if sentence.starts_with(name) && sentence.contains(&accepted) => {}
                (200, None) => {}
                (400, None) if is_pinned => {}
                (status, refusal) => faults.push(format!("{body}: {status} {sentence} ({refusal:?})")),
            }
        }
    }
    faults
}

#[tokio::test]
async fn each_field_takes_what_its_schema_says_and_refuses_the_rest() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let token = credentials.token("org_tiny", "user_ana");
    for path in [SEARCH, BATCH] {
        assert_eq!(faults(&document, path, &tiny(&credentials), &token).await, [""; 0]);
    }
    let bodies = document.operations().filter(|(_, operation)| operation.get("requestBody").is_some());
    assert_eq!(bodies.map(|(path, _)| path).collect::<Vec<_>>(), [SEARCH, BATCH], "say what the others take");
}

/// The control: a document with one bound, name or type changed is caught.
#[tokio::test]
async fn each_changed_field_of_a_body_is_caught() {
    let document = served_document().await;
    let credentials = Credentials::new();
    let (served, token) = (tiny(&credentials), credentials.token("org_tiny", "user_ana"));
    let mut changes = 0;
    for path in [SEARCH, BATCH] {
        let whole = Document::new(document.clone()).body_schema(path).unwrap().clone();
        let escaped = path.replace('/', "~1");
        let place = format!("/paths/{escaped}/post/requestBody/content/application~1json/schema");
        for (name, schema) in whole["properties"].as_object().unwrap() {
            for change in changed_schemas(schema) {
                let mut changed = document.clone();
                // The body alone, with the one field alone.
                changed["components"]["responses"] = json!({});
                changed["paths"].as_object_mut().unwrap().retain(|other, _| other == path);
                changed["paths"][path]["post"]["responses"] = json!({});
                let body = changed.pointer_mut(&place).unwrap();
                body["properties"] = json!({ name: change });
                let found = faults(&Document::new(changed), path, &served, &token).await;
                assert_ne!(found, [""; 0], "{name} as {change}");
                changes += 1;
            }
            let mut changed = document.clone();
            let required = changed.pointer_mut(&format!("{place}/required")).unwrap();
            match required.as_array().unwrap().contains(&name.as_str().into()) {
                true => *required = json!([]),
                false => required.as_array_mut().unwrap().push(name.as_str().into()),
            }
            let found = faults(&Document::new(changed), path, &served, &token).await;
            assert_ne!(found, [""; 0], "{name}, required");
            changes += 1;
        }
    }
    assert!(changes > 40, "only {changes} changes");
}

fn changed_schemas(schema: &Value) -> Vec<Value> {
    let mut changes = Vec::new();
    let mut change_shape = |change: &dyn Fn(&mut Value)| {
        let mut changed = schema.clone();
        change(if schema["oneOf"].is_array() { &mut changed["oneOf"][0] } else { &mut changed });
        changes.push(changed);
    };
    let shape = shape(schema);
    for name in ["minimum", "maximum", "maxLength", "maxItems"] {
        if let Some(bound) = shape[name].as_i64() {
            change_shape(&|shape| shape[name] = json!(bound - 1));
            change_shape(&|shape| shape[name] = json!(bound + 1));
        }
    }
    for name in ["enum", "items"] {
        let names = if name == "enum" { &shape["enum"] } else { &shape["items"]["enum"] };
        let Some(names) = names.as_array() else { continue };
        let more = Value::from([&names[..], &[json!("another")]].concat());
        // Of one name alone there is none left: another in its place.
        let other = [json!("another")];
        let fewer = Value::from(if names.len() > 1 { &names[1..] } else { &other[..] });
        for names in [more, fewer] {
            change_shape(&|shape| match name {
                "enum" => shape["enum"] = names.clone(),
                _ => shape["items"]["enum"] = names.clone(),
            });
        }
    }
    if shape["minItems"].is_u64() && shape["maxItems"].is_null() && shape["items"]["enum"].is_array() {
        change_shape(&|shape| drop(shape.as_object_mut().unwrap().remove("minItems")));
    }
    if shape["pattern"] == r"\S" {
        change_shape(&|shape| drop(shape.as_object_mut().unwrap().remove("pattern")));
    }
    if schema.get("default").is_some() {
        changes.push(json!({ "oneOf": schema["oneOf"], "default": "nonesuch" }));
    }
    if !schema["oneOf"].is_array() {
        changes.push(json!({ "oneOf": [schema, { "type": "null" }] }));
    } else {
        changes.push(schema["oneOf"][0].clone());
    }
    changes
}

/// A value that is not the default.
fn other_than_default(name: &str) -> Value {
    match name {
        "networks" => json!(["user"]),
        "strictness" => json!(3),
        "limit" => json!(1),
        "mode" => json!("graph"),
        _ => panic!("say what is not the default of {name}"),
    }
}

#[tokio::test]
async fn each_default_of_a_body_applies_if_nothing_is_sent() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let fields = document.body_schema(SEARCH).unwrap()["properties"].as_object().unwrap();
    let defaults: Vec<(&String, &Value)> =
        fields.iter().filter_map(|(name, schema)| Some((name, schema.get("default")?))).collect();
    let (mut pairs, mut differing) = (0, BTreeSet::new());
    for seed in 0..100 {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..4 {
            let search = random_network_search(&case.network, &mut dice);
            for (name, default) in &defaults {
                let without = case.search(&credentials, &with(&search, name, None)).await;
                assert_eq!(without.status, 200, "seed {seed}, {search:?}");
                for value in [default, &Value::Null] {
                    let said = case.search(&credentials, &with(&search, name, Some(value))).await;
                    assert!(without.bytes == said.bytes, "seed {seed}, {search:?}: {name} is not {value}");
                    pairs += 1;
                }
                if !differing.contains(*name) {
                    let other = with(&search, name, Some(&other_than_default(name)));
                    if case.search(&credentials, &other).await.bytes != without.bytes {
                        differing.insert((*name).clone());
                    }
                }
            }
        }
    }
    assert!(pairs > 2_000, "only {pairs} pairs");
    let names: BTreeSet<String> = defaults.into_iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(differing, names, "a default that nothing differs from shows nothing");
}

/// `search` with `name` as `value`, or without it.
fn with(search: &Search, name: &str, value: Option<&Value>) -> Search {
    let mut changed = search.clone();
    let body = changed.body.as_object_mut().unwrap();
    body.remove(name);
    body.extend(value.map(|value| (name.to_owned(), value.clone())));
    changed
}
