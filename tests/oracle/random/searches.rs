//! Random valid network searches.

use serde_json::{Map, Value, json};

use super::super::network::Network;
use super::super::network_search::{NETWORKS, Search};
use super::dice::Dice;
use super::requests::{random_caller, random_member_ids};

/// Queries that ask nothing of anybody: everybody in the pool is found.
pub(crate) const EVERYBODY: [&str; 5] =
    ["who do we know", "Who do we know?", "anybody", "People we know, please", "  who is there\t"];

/// Draws a valid network search; its query names no network.
pub(crate) fn random_network_search(network: &Network, dice: &mut Dice) -> Search {
    let caller = random_caller(network, dice);
    let mut body = Map::new();
    body.insert("query".to_owned(), random_search_query(network, dice).into());
    for (name, percent, value) in [
        ("networks", 60, json!(random_networks(dice))),
        ("strictness", 50, json!(dice.between(1, 3))),
        ("asUserId", 40, json!(random_member_ids(network, dice)[0])),
        ("limit", 50, json!(dice.pick(&[1, 2, 5, 50, 50]))),
        (
            "include",
            40,
            json!(dice.pick(&[&["ids"][..], &["ids", "ids"], &["understood"], &["understood", "ids"]])),
        ),
        ("mode", 50, json!(dice.pick(&["auto", "graph"]))),
    ] {
        if dice.chance(percent) {
            body.insert(name.to_owned(), value);
        } else if dice.chance(10) {
            body.insert(name.to_owned(), Value::Null);
        }
    }
    if dice.chance(10) {
        body.insert("unknownField".to_owned(), json!({"query": [1, null]}));
    }
    Search { caller, body: body.into() }
}

/// One or more of the networks, in any order, some twice.
pub(crate) fn random_networks(dice: &mut Dice) -> Vec<&'static str> {
    let how_many = dice.between(1, 3);
    let mut networks = dice.some(&NETWORKS, how_many);
    if dice.chance(20) {
        networks.push(networks[0]);
    }
    networks
}

/// A question with no condition, one or several, in words of the network and in others.
pub(crate) fn random_search_query(network: &Network, dice: &mut Dice) -> String {
    if dice.chance(15) {
        return dice.pick(&EVERYBODY).to_owned();
    }
    let parts = dice.pick(&[1, 1, 1, 2, 3]);
    let parts: Vec<String> = (0..parts).map(|_| random_condition(network, dice)).collect();
    parts.join(dice.pick(&[" ", ", ", " and "]))
}

fn random_condition(network: &Network, dice: &mut Dice) -> String {
    let person = network.people.values().nth(dice.below(network.people.len())).unwrap();
    let company = network.company_name(person);
    let text = match dice.below(8) {
        0 | 1 => person.position.clone(),
        2 | 3 => person.city.as_ref().map(|city| format!("in {city}")),
        4 => company.map(|name| format!("at {name}")),
        5 => Some(format!("named {}", person.name)),
        6 => person.position.as_ref().map(|position| format!("not {position}")),
        _ => Some(
            dice.pick(&["engineers", "head of finance", "recruiter", "zzgrub", "in software"]).to_owned(),
        ),
    };
    text.unwrap_or_else(|| "engineer".to_owned())
}
