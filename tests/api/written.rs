//! Targets as people write them, over a network of thousands: forms of lists, and the same answer in each interface.
//!
//! Promise: Of targets that are there, written in any of twelve forms, 95 % or more are found and none is another
//!   person without a doubt; of names that nobody has, none is found; a batch answers what one request and an agent's
//!   tool answer.
//! Control: the whole line asked as a name finds less than half of them.
//! Also in: `crates/kith/src/query/paths/written/tests.rs`, `tests/process/shell/answers.rs`.

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::limits::Limits;
use kith_server::mcp::settings::McpSettings;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::mcp::Agent;
use crate::support::encoding::encoded;
use crate::support::{Credentials, Served};

const BATCH: &str = "/api/v1/search/warm-paths/batch";
const TARGETS: usize = 240;

/// A person as a line of the tables has them.
struct Person {
    id: String,
    name: String,
    company: String,
    position: String,
    handle: Option<String>,
}

fn lines(folder: &std::path::Path, table: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(table)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The people who have a company and a role, and whose name has no two bearers there.
fn people(folder: &std::path::Path) -> Vec<Person> {
    let companies: std::collections::HashMap<String, String> = lines(folder, "companies.ndjson")
        .iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), row["name"].as_str().unwrap().to_owned()))
        .collect();
    let text = |row: &Value, key: &str| row[key].as_str().map(str::to_owned);
    let person = |row: &Value| {
        Some(Person {
            id: text(row, "id")?,
            name: text(row, "name")?,
            company: companies.get(row["currentCompanyId"].as_str()?)?.clone(),
            position: text(row, "position")?,
            handle: text(row, "linkedinId"),
        })
    };
    lines(folder, "people.ndjson").iter().filter_map(person).collect()
}

/// The person in form `form` of twelve.
fn written(person: &Person, form: usize) -> String {
    let Person { name, company, position, handle, .. } = person;
    match form {
        0 => format!("{name} ({company})"),
        1 => format!("{name} - {company}"),
        2 => format!("• {name} – {position}, {company}"),
        3 => format!("{name}\t{position}\t{company}"),
        4 => format!(
            "{name} <{}@mail.example>, {company}",
            name.split(' ').next().unwrap_or("x").to_ascii_lowercase()
        ),
        5 => format!("7. {name}, {company}"),
        6 => format!("{name} | {position} @ {company}"),
        7 => format!("\"{name}\" at {company} 🚀"),
        8 => format!("{company} / {name}"),
        9 => format!("- [ ] Dr. {name}; {company}"),
        10 => format!("{name} · 2nd · {position} at {company}"),
        _ => handle.as_ref().map_or_else(
            || format!("{name} — {company}"),
            |it| format!("{name} https://www.linkedin.com/in/{it}/"),
        ),
    }
}

#[tokio::test]
async fn people_are_found_as_they_are_written_and_strangers_are_not() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(&Plan::sized(6_000, 30_000), folder.path()).unwrap();
    let credentials = Credentials::new();
    let served = Served::folders(&[folder.path()], &credentials, Limits::DEFAULT);
    let served = served.serving_agents(&McpSettings::default());
    let organization: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("organization.json")).unwrap())
            .unwrap();
    let key = credentials.key(organization["id"].as_str().unwrap());
    let people = people(folder.path());
    let mut dice = ChaCha8Rng::seed_from_u64(11);
    let chosen: Vec<(&Person, String)> = (0..TARGETS)
        .map(|number| {
            let person = &people[(dice.next_u64() % people.len() as u64) as usize];
            (person, written(person, number % 12))
        })
        .collect();
    let ask = async |way: &str, texts: Vec<&str>| -> Vec<Value> {
        let targets: Vec<_> = texts.iter().map(|text| json!({ way: text })).collect();
        let answer = served
            .post(BATCH, &key, &json!({ "targets": targets, "perTarget": 1, "include": ["near"] }))
            .await;
        assert_eq!(answer.status, 200);
        answer.json()["data"]["results"].as_array().unwrap().clone()
    };
    let texts: Vec<&str> = chosen.iter().map(|(_, text)| &**text).collect();
    let results = ask("text", texts.clone()).await;
    let is_found = |result: &Value, person: &Person| result["prospect"]["id"] == *person.id;
    let missed: Vec<&str> = chosen
        .iter()
        .zip(&results)
        .filter(|((person, _), result)| !is_found(result, person))
        .map(|((_, text), _)| &**text)
        .collect();
    assert!(missed.len() * 20 <= TARGETS, "{} of {TARGETS} missed: {missed:?}", missed.len());
    for ((person, text), result) in chosen.iter().zip(&results) {
        let is_doubted = result["match"]["doubt"].is_array() || result["match"]["others"] != 0;
        assert!(is_found(result, person) || result["prospect"].is_null() || is_doubted, "{text}: {result}");
    }
    // The control: the line as a name, as it was asked before.
    let named = ask("name", texts.clone()).await;
    let found = chosen.iter().zip(&named).filter(|((person, _), result)| is_found(result, person)).count();
    assert!(found * 2 < TARGETS, "{found}");

    let strangers: Vec<String> = (0..24)
        .map(|number| {
            let person = Person {
                id: String::new(),
                name: format!("Xqz{number} Vvrk"),
                handle: None,
                position: "Partner".into(),
                company: chosen[number].0.company.clone(),
            };
            written(&person, number % 12)
        })
        .collect();
    for (text, result) in
        strangers.iter().zip(ask("text", strangers.iter().map(|text| &**text).collect()).await)
    {
        assert_eq!((&result["prospect"], &result["company"]), (&Value::Null, &Value::Null), "{text}");
        assert_eq!(result["near"]["people"], json!([]), "{text}");
    }

    for (text, result) in texts.iter().zip(&results).take(48) {
        let path = format!(
            "/api/v1/search/warm-paths?limit=1&include=match,near,reasons&prospect={}",
            encoded(text)
        );
        let mut alone = served.get(&path, &key).await.json()["data"].take();
        for page in ["returnedCount", "limit", "offset", "hasMore", "nextOffset"] {
            alone.as_object_mut().unwrap().remove(page);
        }
        alone["index"] = result["index"].clone();
        assert_eq!(alone, *result, "{text}");
    }

    let agent = Agent { served: &served, credential: key.clone() };
    let mut same = 0;
    for (texts, results) in texts.chunks(8).zip(results.chunks(8)) {
        let told = agent.data("find_introductions", json!({ "targets": texts })).await["results"].clone();
        for (mine, theirs) in told.as_array().unwrap().iter().zip(results) {
            let meant = theirs["prospect"]["id"].as_str().or(theirs["company"]["id"].as_str());
            assert_eq!(mine["id"].as_str(), meant, "{mine}: {theirs}");
            same += usize::from(meant.is_some());
        }
    }
    assert!(same * 2 > TARGETS, "the control: agents were answered, {same}");
}
