//! The plan of a batch, held against its rules one by one, and against the best that there is.
//!
//! Promise: Each found target is in one list; nobody is above the cap; what is asked, cools or is not wanted is never asked for.
//! Control: with a cap of one, fewer are asked for now, and the rest later.

use std::collections::HashMap;
use std::sync::Arc;

use kith::asks::caps::AskCaps;
use kith_server::ask_file::service::{AskService, AskSettings};
use serde_json::{Value, json};

use crate::asks::{ASKER, Asks, CONNECTOR, ORG, TARGET, agent, asked};
use crate::support::{Credentials, Served};

const BATCH: &str = "/api/v1/search/warm-paths/batch";

async fn planned(served: &Served, credential: &str, targets: &[Value]) -> Value {
    let body = json!({ "targets": targets, "plan": true, "fromUserIds": [ASKER], "include": ["asks"], "perTarget": 1 });
    let answer = served.post(BATCH, credential, &body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["data"].clone()
}

/// How often each connector is asked now, and that each place below `count` is in one list.
fn load(plan: &Value, count: usize) -> HashMap<String, usize> {
    let mut places: Vec<u64> = Vec::new();
    for list in ["now", "later", "never"] {
        places.extend(plan[list].as_array().unwrap().iter().map(|entry| entry["index"].as_u64().unwrap()));
    }
    places.sort_unstable();
    assert_eq!(places, (0..count as u64).collect::<Vec<_>>());
    let mut load = HashMap::new();
    for entry in plan["now"].as_array().unwrap() {
        *load.entry(entry["path"]["connector"]["id"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    load
}

/// People of the demo, everybody whom a search finds at first.
async fn people(served: &Served, credential: &str) -> Vec<Value> {
    let mut ids = Vec::new();
    for query in ["an", "er", "li"] {
        let found = served.get(&format!("/api/v1/search/people?q={query}&limit=50"), credential).await.json();
        ids.extend(found["data"].as_array().unwrap().iter().map(|person| json!({ "id": person["id"] })));
    }
    ids.dedup();
    ids.truncate(60);
    ids
}

#[tokio::test]
async fn a_plan_keeps_to_its_caps_and_leaves_out_what_is_asked_cools_or_is_not_wanted() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let key = credentials.key(ORG);
    let targets = people(&served, &key).await;
    let mut now = Vec::new();
    for per_connector in [0, 1, 3] {
        let caps = AskCaps { per_connector, ..AskCaps::default() };
        let settings = AskSettings { caps, ..asks.settings() };
        let served = asks.demo(&credentials);
        let served = served.changed(|state| state.asks = Some(Arc::new(AskService::open(settings).unwrap())));
        let data = planned(&served, &key, &targets).await;
        let load = load(&data["plan"], targets.len());
        let most = load.values().max().copied().unwrap_or(0);
        assert!(per_connector == 0 || most <= per_connector as usize, "{most} of {per_connector}");
        let later = data["plan"]["later"].as_array().unwrap().len();
        assert!((per_connector == 0 && later == 0) || per_connector == 3 || later > 0, "{later}");
        for entry in data["plan"]["later"].as_array().unwrap() {
            assert_eq!(entry["after"].as_str().unwrap().len(), 10);
        }
        let never: HashMap<u64, &str> = data["plan"]["never"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (entry["index"].as_u64().unwrap(), entry["reason"].as_str().unwrap()))
            .collect();
        for (place, result) in data["results"].as_array().unwrap().iter().enumerate() {
            let is_asked = result["prospect"]["introRequested"] == true;
            assert_eq!(never.get(&(place as u64)) == Some(&"asked"), is_asked, "{result}");
        }
        now.push(data["plan"]["now"].as_array().unwrap().len());
    }
    assert!(now[1] < now[2] && now[2] <= now[0], "{now:?}");
}

#[tokio::test]
async fn asks_steer_the_plan_from_the_next_request_on() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let asker = agent(&served, &credentials, ASKER);
    let target = [json!({ "id": TARGET }), json!({ "id": "person_nobody" })];
    let reason = async || {
        let data = planned(&served, &asker.credential, &target).await;
        (data["plan"]["never"].clone(), data["results"][0].clone())
    };
    assert_eq!(reason().await.0, json!([]));
    let written = asker.data("record_ask", asked("a")).await;
    let (never, result) = reason().await;
    assert_eq!(never, json!([{ "index": 0, "reason": "asked" }]));
    let marks = &result["prospect"]["asks"];
    assert_eq!((&marks["open"], &marks["at"]), (&json!(1), &written["ask"]["askedAt"]));
    assert_eq!(marks["by"]["userId"], ASKER);
    let outcome =
        |outcome: &str, key: &str| json!({ "ask": written["ask"]["id"], "outcome": outcome, "key": key });
    asker.data("report_outcome", outcome("declined", "b")).await;
    let (never, result) = reason().await;
    assert_eq!(never, json!([{ "index": 0, "reason": "cooling" }]));
    assert!(result["prospect"]["asks"]["coolUntil"].is_string(), "{result}");
    asker.data("report_outcome", outcome("reopened", "c")).await;
    asker.data("report_outcome", outcome("withdrawn", "d")).await;
    assert_eq!(reason().await.0, json!([]), "withdrawn asks count nowhere");

    // Over the connector: open and recent.
    asker.data("record_ask", asked("e")).await;
    let found = format!("/api/v1/search/warm-paths?prospectId={TARGET}&include=asks&limit=50");
    let paths = served.get(&found, &asker.credential).await.json()["data"]["paths"].clone();
    for path in paths.as_array().unwrap() {
        let count = u32::from(path["connector"]["id"] == CONNECTOR);
        assert_eq!(path["asks"], json!({ "open": count, "recent": count }), "{path}");
    }
}
