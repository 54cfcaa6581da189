//! A network written as text, for tests.

use serde_json::{Value, json};

use crate::oracle::{Caller, Caps, Network, Rules, Tables};

/// Builds a network from edges such as `m1 -80-> p`, separated by commas; `m1 ---> p` is unscored.
///
/// `m1`, `m2`, `m3` are members (`user_1`, …). `a1`, `a2` are accepted advocates of `user_1`, `b2` of
/// `user_2`, `q1` is a pending one of `user_1`. People whose name begins with `e` work at Acme, and `ei`
/// has been asked for.
pub(crate) fn drawn(edges: &str) -> Network {
    drawn_by(Rules::default(), edges)
}

/// Like [`drawn`], built and answered by other rules.
pub(crate) fn drawn_by(rules: Rules, edges: &str) -> Network {
    Network::from_tables_by(rules, &tables(edges))
}

fn tables(edges: &str) -> Tables {
    let mut names: Vec<String> = ["m1", "m2", "m3"].map(str::to_owned).to_vec();
    let mut connections = Vec::new();
    for edge in edges.split(',').filter(|edge| !edge.trim().is_empty()) {
        let parts: Vec<&str> = edge.split_whitespace().collect();
        let [from, arrow, to] = parts[..] else { panic!("not an edge: {edge}") };
        let score = arrow.trim_start_matches('-').trim_end_matches("->");
        let warmness = score.parse::<u64>().ok();
        connections.push(json!({"from": person(from), "to": person(to), "warmness": warmness}));
        names.extend([from.to_owned(), to.to_owned()]);
    }
    let advocates =
        [("a1", 1, "accepted"), ("a2", 1, "accepted"), ("b2", 2, "accepted"), ("q1", 1, "pending")];
    let advocates: Vec<_> =
        advocates.into_iter().filter(|it| names.iter().any(|name| name == it.0)).collect();
    names.sort();
    names.dedup();
    let asked = names.iter().filter(|name| *name == "ei");
    let company = |name: &str| name.starts_with('e').then_some("company_acme");
    let file = |table: &str, rows: Vec<Value>| {
        (format!("{table}.ndjson"), rows.iter().map(|row| format!("{row}\n")).collect::<String>())
    };
    let people =
        names.iter().map(|name| json!({"id": person(name), "name": name, "currentCompanyId": company(name)}));
    let members = (1..=3).map(|n| {
        json!({"userId": format!("user_{n}"), "personId": format!("person_m{n}"), "role": "member",
            "joinedAt": "2020-01-01T00:00:00Z"})
    });
    let advocates = advocates.iter().map(|(name, user, status)| {
        json!({"personId": person(name), "userId": format!("user_{user}"), "status": status})
    });
    let requests = asked.map(|name| {
        json!({"personId": person(name), "status": "ACTIVE", "requestedBy": "user_1",
            "requestedAt": "2024-01-01T00:00:00Z"})
    });
    Tables {
        files: vec![
            ("organization.json".to_owned(), json!({"id": "org_1", "name": "One"}).to_string()),
            file("companies", vec![json!({"id": "company_acme", "name": "Acme"})]),
            file("people", people.collect()),
            file("members", members.collect()),
            file("advocates", advocates.collect()),
            file("connections", connections),
            file("intro_requests", requests.collect()),
        ],
    }
}

fn person(name: &str) -> String {
    format!("person_{name}")
}

/// Parameters written as `name=value&name=value`, not encoded.
pub(crate) fn params(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap()).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

/// The answer of warm paths to an organization key.
pub(crate) fn answer(network: &Network, query: &str, caps: &Caps) -> Value {
    network.warm_paths(&Caller::Organization, &params(query), caps)
}

/// The paths of an answer, one for each line: type, people, scores
/// (`second_degree m1 c p 40 = 50 x 80`, `advocate_second_degree m1 a1 c p …`).
pub(crate) fn said(answer: &Value) -> Vec<String> {
    answer["paths"].as_array().unwrap().iter().map(path_line).collect()
}

fn path_line(path: &Value) -> String {
    let name = |value: &Value| value["name"].as_str().map_or(String::new(), |name| format!(" {name}"));
    let direct = path["connectionType"] == "direct";
    let connector = if direct { String::new() } else { name(&path["connector"]) };
    format!(
        "{} {}{}{connector}{} {} = {} x {}",
        path["connectionType"].as_str().unwrap(),
        path["fromUserName"].as_str().unwrap(),
        name(&path["viaAdvocate"]),
        name(&path["target"]),
        path["warmness"],
        path["userToConnectorWarmness"],
        path["connectorToProspectWarmness"]
    )
}
