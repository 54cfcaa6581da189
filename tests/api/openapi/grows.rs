//! The API grows by addition: the served document contains everything in that of the last release, and requires nothing
//! more (`docs/promise.md`).
//!
//! Promise: The API document lacks nothing of the last release's and asks for nothing more.
//! Control: 19 documents that take something away, 5 that add.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::document::served_document;
use crate::support::project;

/// The direction in which values of a schema go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// From callers: what they may send has to stay allowed.
    Sent,
    /// To callers: what they may count on has to stay there.
    Answered,
}

/// Two documents, and what the later one lacks of the earlier.
struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Named schemas that were compared, so that one that holds itself ends.
    seen: BTreeSet<(String, Way)>,
    faults: Vec<String>,
}

/// The parts of the API of `old` that are missing in `new`.
fn lacking(old: &Value, new: &Value) -> Vec<String> {
    let mut comparison = Comparison { old, new, seen: BTreeSet::new(), faults: Vec::new() };
    comparison.paths();
    comparison.faults
}

fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn entries(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(all) => all.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    }
}

/// Whether the release said that it will go.
fn is_announced(value: &Value) -> bool {
    value["deprecated"] == true
}

/// The value that `value` refers to in `document`, or itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null),
        None => value,
    }
}

impl Comparison<'_> {
    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place} {what}"));
    }

    fn paths(&mut self) {
        let (old, new) = (self.old, self.new);
        for (path, item) in &fields(&old["paths"]) {
            for (method, operation) in &fields(item) {
                let place = format!("{method} {path}");
                match &new["paths"][path][method] {
                    Value::Null if is_announced(operation) => {}
                    Value::Null => self.fault(&place, "is gone"),
                    later => self.operation(&place, operation, later),
                }
            }
        }
    }

    fn operation(&mut self, place: &str, old: &Value, new: &Value) {
        self.parameters(place, old, new);
        let (before, after) = (&old["requestBody"], &new["requestBody"]);
        if after["required"] == true && before["required"] != true {
            self.fault(place, "needs a body now");
        }
        self.contents(&format!("{place}, its body"), before, after, Way::Sent);
        for (status, answer) in &fields(&old["responses"]) {
            let place = format!("{place}, {status}");
            let later = resolved(self.new, &new["responses"][status]).clone();
            let answer = resolved(self.old, answer).clone();
            if later.is_null() {
                self.fault(&place, "is gone");
                continue;
            }
            self.contents(&place, &answer, &later, Way::Answered);
            for (name, header) in &fields(&answer["headers"]) {
                let place = format!("{place}, header {name}");
                match &later["headers"][name] {
                    Value::Null => self.fault(&place, "is gone"),
                    later if header["required"] == true && later["required"] != true => {
                        self.fault(&place, "is not always there any more");
                    }
                    _ => {}
                }
            }
        }
    }

    fn parameters(&mut self, place: &str, old: &Value, new: &Value) {
        let listed = |of: &Value, document: &Value| -> Vec<Value> {
            entries(&of["parameters"]).iter().map(|it| resolved(document, it).clone()).collect()
        };
        let (before, after) = (listed(old, self.old), listed(new, self.new));
        let is_same = |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for parameter in &before {
            let place = format!("{place}, parameter {}", parameter["name"]);
            match after.iter().find(|other| is_same(parameter, other)) {
                None if is_announced(parameter) => {}
                None => self.fault(&place, "is gone"),
                Some(later) => {
                    if later["required"] == true && parameter["required"] != true {
                        self.fault(&place, "became required");
                    }
                    self.schema(&place, &parameter["schema"], &later["schema"], Way::Sent);
                }
            }
        }
        for parameter in after.iter().filter(|it| it["required"] == true) {
            if !before.iter().any(|other| is_same(parameter, other)) {
                self.fault(place, &format!("needs the new parameter {}", parameter["name"]));
            }
        }
    }

    fn contents(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        for (kind, content) in &fields(&old["content"]) {
            match &new["content"][kind] {
                Value::Null => self.fault(place, &format!("is not {kind} any more")),
                later => self.schema(place, &content["schema"], &later["schema"], way),
            }
        }
    }

    fn schema(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let name = old["$ref"].as_str();
        if name.is_some_and(|name| !self.seen.insert((name.to_owned(), way))) {
            return;
        }
        let (old, new) = (resolved(self.old, old).clone(), resolved(self.new, new).clone());
        for name in ["type", "const", "pattern", "format"] {
            if old[name] != new[name] {
                self.fault(place, &format!("had {name} {} and has {}", old[name], new[name]));
            }
        }
        for value in entries(&old["enum"]) {
            if !entries(&new["enum"]).contains(&value) {
                self.fault(place, &format!("has no value {value} any more"));
            }
        }
        if old["enum"].is_null() && !new["enum"].is_null() {
            self.fault(place, "has a list of values now");
        }
        self.bounds(place, &old, &new, way);
        self.required(place, &old, &new, way);
        for (name, field) in &fields(&old["properties"]) {
            let place = format!("{place}.{name}");
            match &new["properties"][name] {
                Value::Null if is_announced(field) => {}
                Value::Null => self.fault(&place, "is gone"),
                later => self.schema(&place, field, later, way),
            }
        }
        if !old["items"].is_null() {
            self.schema(&format!("{place}[]"), &old["items"], &new["items"], way);
        }
        let (before, after) = (entries(&old["oneOf"]), entries(&new["oneOf"]));
        if after.len() < before.len() || (way == Way::Answered && after.len() > before.len()) {
            self.fault(place, &format!("could be {} kinds and can be {}", before.len(), after.len()));
        }
        for (one, other) in before.iter().zip(&after) {
            self.schema(place, one, other, way);
        }
    }

    /// Fails if fewer values may be sent than before.
    fn bounds(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let number = |of: &Value, name: &str| of[name].as_f64();
        for (name, is_least) in [
            ("minimum", true),
            ("minLength", true),
            ("minItems", true),
            ("maximum", false),
            ("maxLength", false),
            ("maxItems", false),
        ] {
            let is_narrower = match (number(old, name), number(new, name)) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(old), Some(new)) => {
                    if is_least {
                        new > old
                    } else {
                        new < old
                    }
                }
            };
            if way == Way::Sent && is_narrower {
                self.fault(place, &format!("had {name} {} and has {}", old[name], new[name]));
            }
        }
    }

    /// Requests need no more fields, and answers have no fewer.
    fn required(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let (before, after) = (entries(&old["required"]), entries(&new["required"]));
        let (these, those, what) = match way {
            Way::Sent => (after, before, "is needed now"),
            Way::Answered => (before, after, "is not always there any more"),
        };
        for name in these.iter().filter(|name| !those.contains(name)) {
            self.fault(place, &format!("{name} {what}"));
        }
    }
}

/// The documents of releases, the last one last.
fn releases() -> Vec<PathBuf> {
    let number = |path: &PathBuf| -> Vec<u32> {
        let name = path.file_stem().unwrap().to_str().unwrap();
        name.split('.').map(|part| part.parse().unwrap()).collect()
    };
    let found = fs::read_dir(project("docs/api")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        found.filter(|path| path.extension().is_some_and(|it| it == "json")).collect();
    found.sort_by_key(number);
    found
}

fn read(path: &PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[tokio::test]
async fn the_document_lacks_nothing_of_the_last_release() {
    let served = served_document().await;
    if std::env::var_os("UPDATE_RELEASE").is_some() {
        let file = project("docs/api").join(format!("{}.json", env!("CARGO_PKG_VERSION")));
        fs::write(file, format!("{served:#}\n")).unwrap();
    }
    let last = releases().pop().unwrap();
    assert_eq!(lacking(&read(&last), &served), [""; 0], "{}", last.display());
}

/// The control: a document that lacks something is found to, and one that has more is not.
#[tokio::test]
async fn a_document_that_takes_something_away_is_caught() {
    let served = served_document().await;
    let paths = "/paths/~1api~1v1~1search~1warm-paths/get";
    let network = "/paths/~1api~1v1~1search~1network/post";
    let body = format!("{network}/requestBody/content/application~1json/schema");
    let changed = |place: &str, change: &dyn Fn(&mut Value)| {
        let mut document = served.clone();
        change(document.pointer_mut(place).unwrap_or_else(|| panic!("{place} is no place")));
        lacking(&served, &document)
    };
    let without = |place: &str, name: &str| {
        changed(place, &|value| {
            assert!(value.as_object_mut().unwrap().remove(name).is_some(), "{place} {name}")
        })
    };
    let with = |place: &str, name: &str, value: Value| changed(place, &|it| it[name] = value.clone());
    let person = "/components/schemas/Prospect";
    let taken = [
        ("a path", without("/paths", "/api/v1/search/people")),
        ("a method", without("/paths/~1api~1v1~1search~1people", "get")),
        (
            "a parameter",
            changed(&format!("{paths}/parameters"), &|all| drop(all.as_array_mut().unwrap().remove(0))),
        ),
        ("a parameter is required", with(&format!("{paths}/parameters/0"), "required", json!(true))),
        ("another type", with(&format!("{paths}/parameters/0/schema"), "type", json!("integer"))),
        ("another pattern", with(&format!("{paths}/parameters/0/schema"), "pattern", json!("^x"))),
        ("a bound", with(&format!("{paths}/parameters/0/schema"), "minLength", json!(2))),
        ("a new bound", with(&format!("{paths}/parameters/0/schema"), "maxLength", json!(9))),
        ("values", with(&format!("{paths}/parameters/0/schema"), "enum", json!(["x"]))),
        (
            "a new parameter that is needed",
            changed(&format!("{paths}/parameters"), &|all| {
                all.as_array_mut()
                    .unwrap()
                    .push(json!({ "name": "x", "in": "query", "required": true, "schema": {} }));
            }),
        ),
        ("a status", without(&format!("{paths}/responses"), "200")),
        ("a header", without(&format!("{paths}/responses/200/headers"), "Service-Request-Id")),
        ("the kind of an answer", without(&format!("{paths}/responses/200/content"), "application/json")),
        ("a field of a body", without(&format!("{body}/properties"), "query")),
        ("a field of a body is needed", with(&body, "required", json!(["query", "mode"]))),
        ("a field of an answer", without(&format!("{person}/properties"), "name")),
        ("a field may be left out", with(person, "required", json!([]))),
        (
            "a field has another type",
            with(&format!("{person}/properties/name"), "type", json!(["string", "null"])),
        ),
        (
            "an answer may be null",
            changed("/components/schemas/WarmPaths/properties/paths", &|it| {
                *it = json!({ "oneOf": [it.clone(), { "type": "null" }] });
            }),
        ),
    ];
    for (what, faults) in taken {
        assert!(!faults.is_empty(), "{what} is not found");
    }
    let added = [
        ("a path", with("/paths", "/api/v1/more", json!({ "get": { "responses": {} } }))),
        (
            "a parameter",
            changed(&format!("{paths}/parameters"), &|all| {
                all.as_array_mut()
                    .unwrap()
                    .push(json!({ "name": "x", "in": "query", "schema": { "type": "string" } }));
            }),
        ),
        ("a field of an answer", with(&format!("{person}/properties"), "more", json!({ "type": "string" }))),
        ("a field of a body", with(&format!("{body}/properties"), "more", json!({ "type": "string" }))),
        ("a description", with(person, "description", json!("Other words."))),
    ];
    for (what, faults) in added {
        assert_eq!(faults, [""; 0], "{what}");
    }
    // Parts announced by the last release may be removed.
    let mut announced = served.clone();
    announced["paths"]["/api/v1/search/people"]["get"]["deprecated"] = json!(true);
    let mut later = announced.clone();
    later["paths"].as_object_mut().unwrap().remove("/api/v1/search/people");
    assert_eq!(lacking(&announced, &later), [""; 0]);
}
