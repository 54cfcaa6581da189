//! The parameters in the document match those that are accepted and refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::openapi::document::{Document, only_operation, served_document, since_edited, tiny};
use crate::oracle::Request;
use crate::oracle::random::{Dice, random_request};
use crate::props::case::Case;
use crate::support::encoding::query_string;
use crate::support::{Credentials, Served};

type Params = Vec<(String, String)>;

/// The parameter of which the document lists true and false, and every other text is taken for false.
const TAKES_ANYTHING: (&str, &str) = ("/api/v1/people/network", "includeIntroRequested");

/// Groups of which exactly one is sent: the document says so in words alone.
const ALTERNATIVES: [&[&str]; 2] = [
    &["prospectLinkedinId", "prospectName", "prospectCompany", "prospectId", "prospectEmail", "prospect"],
    &["name", "linkedinId", "personId"],
];

/// Parameters that make a request to `path` valid, without `but` and without what excludes it.
fn valid_params(path: &str, but: &str) -> Params {
    let params: &[(&str, &str)] = match path {
        "/api/v1/search/warm-paths" if but == "position" => &[("prospectCompany", "mill")],
        "/api/v1/search/warm-paths" => &[("prospectName", "pia")],
        "/api/v1/people/network" => &[("name", "ana")],
        "/api/v1/search/people" | "/api/v1/search/companies" => &[("q", "a")],
        "/api/v1/changes" => &[("since", "1")],
        _ => &[],
    };
    let excluded = |name: &str| {
        name == but || ALTERNATIVES.iter().any(|group| group.contains(&name) && group.contains(&but))
    };
    let params = params.iter().filter(|(name, _)| !excluded(name));
    params.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Values that follow from a schema: some that are taken, some just outside.
#[derive(Debug, Default)]
struct Values {
    taken: Vec<String>,
    refused: Vec<String>,
}

fn values(name: &str, schema: &Value) -> Values {
    let default =
        schema.get("default").map(|default| default.as_str().map_or(default.to_string(), str::to_owned));
    let mut values = match schema["type"].as_str().unwrap() {
        "integer" => whole(schema),
        "boolean" => strings(&["true", "false"], &["TRUE", "yes", "1", ""]),
        "array" => listed(name, &schema["items"]),
        _ if schema["enum"].is_array() => {
            let names =
                schema["enum"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
            let taken: Vec<String> = names.collect();
            let other =
                taken.iter().map(|name| name.to_uppercase()).chain(["nonesuch".into(), String::new()]);
            Values { refused: other.collect(), taken }
        }
        _ => text(schema),
    };
    values.taken.extend(default);
    values
}

fn strings(taken: &[&str], refused: &[&str]) -> Values {
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    Values { taken: owned(taken), refused: owned(refused) }
}

fn whole(schema: &Value) -> Values {
    let bound = |name| i128::from(schema[name].as_u64().unwrap());
    let (least, most) = (bound("minimum"), bound("maximum"));
    let mut values = strings(&[], &["", "x", "1.5", "+1", "1e1", "0x1", "true", "-", " 1"]);
    values.taken.extend([least, most, least + 1].map(|number| number.to_string()));
    values.refused.extend([least - 1, most + 1].map(|number| number.to_string()));
    values
}

fn listed(name: &str, items: &Value) -> Values {
    if let Some(names) = items["enum"].as_array() {
        let names: Vec<&str> = names.iter().map(|name| name.as_str().unwrap()).collect();
        let mut values = strings(&names, &["", "nonesuch", "direct,", "direct,nonesuch"]);
        values.taken.push(names.join(","));
        return values;
    }
    assert_eq!(name, "fromUserIds", "say which ids {name} takes");
    let too_long = format!("user_{}", "x".repeat(items["maxLength"].as_u64().unwrap() as usize));
    strings(&["user_ana", "person_ben", "user_ana,person_ben"], &["", "user_nobody", "user_ana,,", &too_long])
}

/// Texts at the bounds. If the schema says how they begin, they begin so.
fn text(schema: &Value) -> Values {
    let start = match schema["pattern"].as_str() {
        Some("^(person|company)_") => "company_",
        Some("@") => "@",
        Some(pattern) if pattern.starts_with('^') => &pattern[1..],
        _ => "",
    };
    let mut values = Values::default();
    if let Some(most) = schema["maxLength"].as_u64() {
        let of_length = |length: u64| format!("{start}{}", "x".repeat(length as usize - start.len()));
        values.taken.push(of_length(most));
        values.refused.push(of_length(most + 1));
    }
    if schema["minLength"].as_u64().is_some_and(|least| least > 0) {
        values.taken.push(format!("{start}x"));
        values.refused.extend(["", " ", "\u{3000}\t"].map(str::to_owned));
    } else {
        values.taken.extend(["", "anything", "é"].map(str::to_owned));
    }
    values
}

/// Differences between the router and the document, in words.
async fn faults(document: &Document, served: &Served, token: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, operation) in document.operations() {
        for parameter in operation["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            if parameter["in"] != "query" {
                continue;
            }
            let Values { mut taken, mut refused } = values(name, &parameter["schema"]);
            if (path, name) == TAKES_ANYTHING {
                // Every other text is as good as false.
                taken.append(&mut refused);
            }
            let mut requests: Vec<(Params, bool)> = Vec::new();
            let with = |values: &[&String]| {
                let sent = values.iter().map(|value| (name.to_owned(), (*value).clone()));
                valid_params(path, name).into_iter().chain(sent).collect::<Params>()
            };
            requests.extend(taken.iter().map(|value| (with(&[value]), true)));
            requests.extend(refused.iter().map(|value| (with(&[value]), false)));
            let is_list = parameter["schema"]["type"] == "array";
            requests.extend(taken.iter().map(|value| (with(&[value, value]), is_list)));
            if parameter["required"] == true {
                requests.push((with(&[]), false));
            }
            for (params, is_taken) in requests {
                let request = format!("{path}?{}", query_string(&params));
                let answer = served.get(&request, token).await;
                let sentence = answer.json()["error"].as_str().unwrap_or("").to_owned();
                match (answer.status.as_u16(), is_taken) {
                    (400, false) if sentence.contains(name) => {}
                    (200 | 403 | 404 | 410, true) => {}
                    (status, _) => faults.push(format!("{request}: {status} {sentence}")),
                }
            }
        }
    }
    faults
}

#[tokio::test]
async fn each_parameter_takes_what_its_schema_says_and_refuses_the_rest() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let token = credentials.token("org_tiny", "user_ana");
    assert_eq!(faults(&document, &tiny(&credentials), &token).await, [""; 0]);
}

/// The control: a document with one bound, name or type changed is caught.
#[tokio::test]
async fn each_changed_bound_name_and_type_is_caught() {
    let document = served_document().await;
    let credentials = Credentials::new();
    let (served, token) = (tiny(&credentials), credentials.token("org_tiny", "user_ana"));
    let mut changes = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let (_, whole) = only_operation(item);
        for (place, parameter) in whole["parameters"].as_array().unwrap().iter().enumerate() {
            if (&**path, parameter["name"].as_str().unwrap()) == TAKES_ANYTHING {
                continue;
            }
            for change in changed_schemas(&parameter["schema"]) {
                let mut changed = document.clone();
                // The operation alone, with the one parameter alone.
                let mut operation = whole.clone();
                operation["parameters"] = json!([parameter]);
                operation["parameters"][0]["schema"] = change.clone();
                changed["paths"] = json!({ path: { "get": operation } });
                let found = faults(&Document::new(changed), &served, &token).await;
                assert_ne!(found, [""; 0], "{path}, parameter {place} as {change}");
                changes += 1;
            }
        }
    }
    assert!(changes > 60, "only {changes} changes");
}

fn changed_schemas(schema: &Value) -> Vec<Value> {
    let with = |name: &str, value: Value| {
        let mut changed = schema.clone();
        changed[name] = value;
        changed
    };
    let mut changes = Vec::new();
    for (name, steps) in [("minimum", [-1_i128, 1]), ("maximum", [-1, 1]), ("maxLength", [-1, 1])] {
        if let Some(bound) = schema[name].as_u64() {
            for step in steps {
                if let Ok(bound) = u64::try_from(i128::from(bound) + step) {
                    changes.push(with(name, json!(bound)));
                }
            }
        }
    }
    if let Some(names) = schema["enum"].as_array() {
        changes.push(with("enum", Value::from([&names[..], &[json!("another")]].concat())));
    }
    if schema["type"] == "integer" || schema["type"] == "boolean" {
        changes.push(with("default", json!("nonesuch")));
    }
    changes
}

#[tokio::test]
async fn every_required_choice_is_reported_and_enforced() {
    let credentials = Credentials::new();
    let (served, token) = (tiny(&credentials), credentials.token("org_tiny", "user_ana"));
    let document = served_document().await;
    for (path, group) in ["/api/v1/search/warm-paths", "/api/v1/people/network"].into_iter().zip(ALTERNATIVES)
    {
        let (last, others) = group.split_last().unwrap();
        let said = format!("Exactly one of `{}` and `{last}` must be sent", others.join("`, `"));
        assert!(document["paths"][path]["get"]["description"].as_str().unwrap().contains(&said), "{path}");
        let sent =
            |names: &[&str]| names.iter().map(|name| format!("{name}=x")).collect::<Vec<_>>().join("&");
        for names in [&[][..], &group[..2], &group[1..], &[group[0], group[2]], group] {
            let answer = served.get(&format!("{path}?{}", sent(names)), &token).await;
            assert_eq!(answer.status, 400, "{path} {names:?}");
        }
    }
}

/// A value that is not the default.
fn other_than_default(schema: &Value) -> &'static str {
    match &schema["default"] {
        Value::String(text) if text == "false" => "true",
        Value::String(text) if text == "organization" => "me",
        Value::String(text) if text == "newest" => "oldest",
        Value::String(text) if text == "tier" => "warmness",
        Value::Bool(true) => "false",
        Value::Bool(false) => "true",
        Value::Number(number) if number.as_u64() == Some(20) => "1",
        Value::Number(number) if number.as_u64() == Some(0) => "1",
        Value::Number(number) if number.as_u64() == Some(1) => "2",
        other => panic!("say what is not {other}"),
    }
}

/// `request` with `name` as `value`, or without it.
fn with(request: &Request, name: &str, value: Option<&str>) -> Request {
    let mut params = request.params.clone();
    params.retain(|(sent, _)| sent != name);
    params.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    Request { params, ..request.clone() }
}

#[tokio::test]
async fn each_default_applies_if_nothing_is_sent() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let (mut pairs, mut expected, mut differing) = (0, BTreeSet::new(), BTreeSet::new());
    for (path, operation) in document.operations() {
        for parameter in operation["parameters"].as_array().unwrap() {
            if parameter["schema"].get("default").is_some() {
                expected.insert((path.to_owned(), parameter["name"].as_str().unwrap().to_owned()));
            }
        }
    }
    for seed in 0..150 {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..12 {
            let request = random_request(&case.network, &mut dice);
            let (path, operation) = document.operation(&request.path);
            for parameter in operation["parameters"].as_array().unwrap() {
                let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
                let Some(default) = schema.get("default") else { continue };
                let default = default.as_str().map_or(default.to_string(), str::to_owned);
                let without = case.ask(&credentials, &with(&request, name, None)).await;
                let said = case.ask(&credentials, &with(&request, name, Some(&default))).await;
                assert_eq!(without.status, said.status);
                assert!(without.bytes == said.bytes, "seed {seed}, {request:?}: {name} is not {default}");
                pairs += 1;
                let key = (path.to_owned(), name.to_owned());
                if !differing.contains(&key) {
                    let other = with(&request, name, Some(other_than_default(schema)));
                    if case.ask(&credentials, &other).await.bytes != without.bytes {
                        differing.insert(key);
                    }
                }
            }
        }
    }
    // No random request is for changes or members: of them the tiny network has some.
    let served = since_edited(&credentials);
    let key = credentials.key("org_tiny");
    for (path, name, default, other) in [
        ("/api/v1/changes", "limit", "20", "1"),
        ("/api/v1/changes", "offset", "0", "1"),
        ("/api/v1/members", "limit", "20", "1"),
        ("/api/v1/members", "offset", "0", "1"),
    ] {
        let ask = async |more: &str| served.get(&format!("{path}?since=1{more}"), &key).await.bytes;
        let without = ask("").await;
        assert!(without == ask(&format!("&{name}={default}")).await, "{path}: {name}");
        if without != ask(&format!("&{name}={other}")).await {
            differing.insert((path.to_owned(), name.to_owned()));
        }
    }
    assert!(pairs > 3_000, "only {pairs} pairs");
    assert_eq!(differing, expected, "a default that nothing differs from shows nothing");
}
