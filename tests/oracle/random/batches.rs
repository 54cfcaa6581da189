//! Random batches of targets.

use serde_json::{Map, Value, json};

use super::super::batch::PARTS;
use super::super::network::Network;
use super::super::request::{Caller, list, one};
use super::dice::Dice;
use super::requests::random_warm_paths_request;

/// Draws a batch of which nothing outside its targets is malformed: whose credential it carries, and its body.
pub(crate) fn random_batch(network: &Network, dice: &mut Dice) -> (Caller, Value) {
    let (caller, params) = random_warm_paths_request(network, dice);
    let mut body = Map::new();
    for name in ["scope", "sort", "groupBy"] {
        body.extend(one(&params, name).map(|value| (name.to_owned(), json!(value))));
    }
    for name in ["fromUserIds", "connectionTypes", "include"] {
        body.extend(list(&params, name).map(|values| (name.to_owned(), json!(values))));
    }
    let include = one(&params, "includeIntroRequested").map(|value| json!(value == "true"));
    body.extend(include.map(|include| ("includeIntroRequested".to_owned(), include)));
    if dice.chance(60) {
        body.insert("perTarget".to_owned(), json!(dice.between(1, 10)));
    }
    for name in ["perTarget", "scope", "fromUserIds", "include"] {
        if !body.contains_key(name) && dice.chance(10) {
            body.insert(name.to_owned(), Value::Null);
        }
    }
    if dice.chance(10) {
        body.insert("unknownField".to_owned(), json!([1]));
    }
    let mut targets: Vec<Value> = Vec::new();
    for _ in 0..dice.between(1, 18) {
        let target = match dice.below(12) {
            0 => malformed(dice),
            1 if !targets.is_empty() => dice.pick(&targets),
            _ => random_target(network, dice),
        };
        targets.push(target);
    }
    body.insert("targets".to_owned(), targets.into());
    (caller, body.into())
}

/// A target that can be taken, sometimes with a field that is nothing.
fn random_target(network: &Network, dice: &mut Dice) -> Value {
    let (_, params) = random_warm_paths_request(network, dice);
    let part = |(name, parameter): (&str, &str)| Some((name.to_owned(), json!(one(&params, parameter)?)));
    let mut target: Map<String, Value> = PARTS.into_iter().filter_map(part).collect();
    if dice.chance(10) {
        let (name, _) = dice.pick(&PARTS);
        target.entry(name).or_insert(Value::Null);
    }
    if dice.chance(5) {
        target.insert("unknownField".to_owned(), json!({}));
    }
    target.into()
}

/// A target that cannot be taken.
fn malformed(dice: &mut Dice) -> Value {
    let long = "x".repeat(201);
    dice.pick(&[
        json!(null),
        json!(5),
        json!("person_1"),
        json!(["person_1"]),
        json!({}),
        json!({ "id": null }),
        json!({ "id": "user_1" }),
        json!({ "id": format!("person_{long}") }),
        json!({ "id": "person_1", "name": "x" }),
        json!({ "id": "person_1", "position": "x" }),
        json!({ "linkedinId": "x", "at": "x" }),
        json!({ "linkedinId": long }),
        json!({ "email": "nobody" }),
        json!({ "name": " " }),
        json!({ "name": 5 }),
        json!({ "name": long }),
        json!({ "name": "x", "at": "" }),
        json!({ "at": "x" }),
        json!({ "company": ["x"] }),
        json!({ "company": "x", "position": "\u{301}" }),
    ])
}
