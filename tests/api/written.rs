//! Targets as people paste them, over the demo's networks: forms of lists, and the same answer in each interface.
//!
//! Promise: Of 400 pasted targets in 48 forms, at least 95 % of the known ones are found, and at most 1 % match another
//!   person without a doubt; an unknown name matches nobody; a batch answers what one request and an agent's tool
//!   answer.
//! Control: the whole line asked as a name finds less than half of them.
//! Also in: `crates/kith/src/query/paths/written/tests.rs`, `tests/process/shell/answers.rs`.

use kith_server::limits::Limits;
use kith_server::mcp::settings::McpSettings;
use serde_json::{Value, json};

use crate::mcp::Agent;
use crate::support::encoding::encoded;
use crate::support::pasted::Pasted;
use crate::support::{Credentials, Served, project};

const BATCH: &str = "/api/v1/search/warm-paths/batch";
const NETWORKS: [&str; 2] = ["fernhollow", "harbourlight"];

/// The id of the person or company that a result is about.
fn meant(result: &Value) -> Option<&str> {
    result["prospect"]["id"].as_str().or(result["company"]["id"].as_str())
}

/// Whether a result says that it may be another one.
fn is_doubted(result: &Value) -> bool {
    let found = &result["match"];
    found["doubt"].is_array() || found["others"] != 0 || found["by"] == "prefix" || found["by"] == "fuzzy"
}

async fn ask(served: &Served, key: &str, way: &str, lines: &[Pasted]) -> Vec<Value> {
    let targets: Vec<_> = lines.iter().map(|line| json!({ way: line.text })).collect();
    let body = json!({ "targets": targets, "perTarget": 1, "include": ["near"] });
    let answer = served.post(BATCH, key, &body).await;
    assert_eq!(answer.status, 200);
    answer.json()["data"]["results"].as_array().unwrap().clone()
}

#[tokio::test]
async fn people_and_firms_are_found_as_they_are_pasted_and_strangers_are_not() {
    let (mut there, mut found, mut wrong, mut as_names) = (0, Vec::new(), Vec::new(), 0);
    let mut missed = Vec::new();
    for network in NETWORKS {
        let credentials = Credentials::new();
        let folder = project(&format!("fixtures/demo/{network}"));
        let served = Served::folders(&[&folder], &credentials, Limits::DEFAULT);
        let served = served.serving_agents(&McpSettings::default());
        let key = credentials.key(&format!("org_{network}"));
        let lines = Pasted::list(network);
        let results = ask(&served, &key, "text", &lines).await;
        for (line, result) in lines.iter().zip(&results) {
            match line.expected.as_deref() {
                None => assert_eq!(meant(result), None, "{line:?}"),
                Some(id) if meant(result) == Some(id) => found.push(line.form.clone()),
                Some(_) if meant(result).is_none() || is_doubted(result) => missed.push(line.text.clone()),
                Some(_) => wrong.push(line.text.clone()),
            }
        }
        there += lines.iter().filter(|line| line.expected.is_some()).count();
        // The control: the line as a name.
        let named = ask(&served, &key, "name", &lines).await;
        let is_found = |(line, result): &(&Pasted, &Value)| {
            line.expected.is_some() && meant(result) == line.expected.as_deref()
        };
        as_names += lines.iter().zip(&named).filter(is_found).count();
        same_everywhere(&served, &key, &lines, &results).await;
    }
    assert!(there > 280, "{there}");
    assert!(found.len() * 100 >= there * 95, "{} of {there} found, missed: {missed:?}", found.len());
    assert!(wrong.len() * 100 <= there, "{wrong:?}");
    assert!(as_names * 2 < there, "{as_names} of {there}");
    found.sort_unstable();
    found.dedup();
    assert!(found.len() > 12, "{found:?}");
}

/// One request and an agent's tool answer each line as the batch does.
async fn same_everywhere(served: &Served, key: &str, lines: &[Pasted], results: &[Value]) {
    for (Pasted { text, .. }, result) in lines.iter().zip(results).step_by(4) {
        let path = format!(
            "/api/v1/search/warm-paths?limit=1&include=match,near,reasons&prospect={}",
            encoded(text)
        );
        let mut alone = served.get(&path, key).await.json()["data"].take();
        for page in ["returnedCount", "limit", "offset", "hasMore", "nextOffset"] {
            alone.as_object_mut().unwrap().remove(page);
        }
        alone["index"] = result["index"].clone();
        assert_eq!(alone, *result, "{text}");
    }
    let agent = Agent { served, credential: key.to_owned() };
    let mut same = 0;
    for (lines, results) in lines.chunks(8).zip(results.chunks(8)) {
        let texts: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
        let told = agent.data("find_introductions", json!({ "targets": texts })).await["results"].clone();
        for (mine, theirs) in told.as_array().unwrap().iter().zip(results) {
            assert_eq!(mine["id"].as_str(), meant(theirs), "{mine}: {theirs}");
            same += usize::from(meant(theirs).is_some());
        }
    }
    assert!(same * 2 > lines.len(), "the control: agents were answered, {same}");
}
