//! Open asks in the file count like the same rows in the tables, byte for byte.
//!
//! Promise: A network with open asks over it answers as one whose table of intro requests has them.
//! Control: without them, or with the closed ones among the rows, other answers come.

use std::path::Path;

use kith::asks::event::{AskedOver, AskedPeople, EventKind};
use kith::model::time::Timestamp;
use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::ask_file::store::AskStore;
use kith_server::ask_file::writing::{MemberWords, MemberWrite};
use kith_server::limits::Limits;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::asks::Asks;
use crate::support::{Answer, Credentials, Served};

/// A drawn ask: its people, its time, and its outcome.
pub(super) struct Drawn {
    pub(super) user: String,
    pub(super) person: String,
    pub(super) connector: Option<String>,
    at: Timestamp,
    events: Vec<EventKind>,
}

pub(super) fn ids(folder: &Path, table: &str, field: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(table)).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| row[field].as_str().unwrap().to_owned()).collect()
}

pub(super) fn draw(dice: &mut ChaCha8Rng, users: &[String], people: &[String]) -> Drawn {
    let mut one = |count: usize| (dice.next_u64() % count as u64) as usize;
    let events = [
        &[][..],
        &[EventKind::Agreed],
        &[EventKind::Declined],
        &[EventKind::Withdrawn],
        &[EventKind::NoAnswer, EventKind::Reopened],
        &[EventKind::Introduced, EventKind::Met],
    ];
    Drawn {
        user: users[one(users.len())].clone(),
        person: people[one(people.len())].clone(),
        connector: (one(2) == 0).then(|| people[one(people.len())].clone()),
        at: Timestamp::new(1_700_000_000 + one(50_000_000) as i64, 0).unwrap(),
        events: events[one(events.len())].to_vec(),
    }
}

/// Writes `drawn` to the file; whether it is open then. One that is a second open ask of the member is none.
pub(super) fn write(store: &AskStore, org: &str, drawn: &Drawn) -> Option<bool> {
    let write = MemberWrite {
        org: org.to_owned(),
        user: drawn.user.clone(),
        name: String::new(),
        is_admin: false,
        at: drawn.at,
        note: None,
        key: None,
        is_dry_run: false,
    };
    let people =
        AskedPeople { person: drawn.person.clone(), connector: drawn.connector.clone(), via_advocate: None };
    let asked = store.write(&write, MemberWords::Asked(people, AskedOver::default())).unwrap();
    let mut state = EventKind::Asked;
    for &kind in drawn.events.iter().filter(|_| asked.is_new) {
        let words = MemberWords::Outcome { ask: asked.ask.id.clone(), kind };
        state = store.write(&write, words).unwrap().ask.state();
    }
    asked.is_new.then(|| state.is_open())
}

pub(super) async fn answers(served: &Served, key: &str, people: &[String]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for id in people {
        answers.push(served.get(&format!("/api/v1/people/{id}"), key).await);
        answers.push(served.get(&format!("/api/v1/search/warm-paths?prospectId={id}&limit=5"), key).await);
        answers.push(served.get(&format!("/api/v1/people/network?personId={id}"), key).await);
    }
    for query in ["q=a", "q=e&limit=50"] {
        answers.push(served.get(&format!("/api/v1/search/people?{query}"), key).await);
        let companies = served.get(&format!("/api/v1/search/companies?{query}"), key).await;
        for company in companies.json()["data"].as_array().unwrap() {
            let id = company["id"].as_str().unwrap();
            for more in ["", "&includeIntroRequested=true", "&position=e", "&include=reasons"] {
                let path = format!("/api/v1/search/warm-paths?prospectId={id}{more}");
                answers.push(served.get(&path, key).await);
            }
        }
    }
    answers.push(served.get("/api/v1/ghost/opportunities?limit=50", key).await);
    let targets: Vec<Value> = people.iter().map(|id| json!({ "id": id })).collect();
    answers.push(served.post("/api/v1/search/warm-paths/batch", key, &json!({ "targets": targets })).await);
    let query = json!({ "query": "people we asked for an introduction to", "limit": 50 });
    answers.push(served.post("/api/v1/search/network", key, &query).await);
    answers
}

pub(super) fn bodies(answers: &[Answer]) -> Vec<&[u8]> {
    answers.iter().map(|answer| answer.bytes.as_slice()).collect()
}

#[tokio::test]
async fn open_asks_answer_as_rows_of_the_table_do() {
    for seed in 0..4 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let mut plan = Plan::sized(300, 1_500);
        plan.seed = seed;
        write_tables(&plan, folder.path()).unwrap();
        let people = ids(folder.path(), "people.ndjson", "id");
        let users = ids(folder.path(), "members.ndjson", "userId");
        let organization = std::fs::read_to_string(folder.path().join("organization.json")).unwrap();
        let org = serde_json::from_str::<Value>(&organization).unwrap()["id"].as_str().unwrap().to_owned();
        let (asks, credentials) = (Asks::new(), Credentials::new());
        let key = credentials.key(&org);
        let store = AskStore::open(&asks.path).unwrap();
        let served = asks.over(folder.path(), &credentials);
        let before = answers(&served, &key, &people[..40]).await;

        let (mut rows, mut closed) = (String::new(), 0);
        for _ in 0..60 {
            let drawn = draw(&mut dice, &users, &people[..120]);
            match write(&store, &org, &drawn) {
                Some(true) => {
                    let row = json!({
                        "personId": drawn.person, "status": "ACTIVE", "requestedBy": drawn.user,
                        "requestedAt": drawn.at.to_rfc3339_ms(),
                    });
                    rows += &format!("{row}\n");
                }
                Some(false) => closed += 1,
                None => {}
            }
        }
        assert!(closed > 5 && rows.lines().count() > 20);
        let with_asks = answers(&served, &key, &people[..40]).await;
        let table = folder.path().join("intro_requests.ndjson");
        let former = std::fs::read_to_string(&table).unwrap_or_default();
        std::fs::write(&table, former + &rows).unwrap();
        let of_tables = Served::folders(&[folder.path()], &credentials, Limits::DEFAULT);
        let expected = answers(&of_tables, &key, &people[..40]).await;
        for (place, (got, expected)) in bodies(&with_asks).iter().zip(bodies(&expected)).enumerate() {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(text(got), text(expected), "answer {place} of network {seed}");
        }
        // The control.
        assert_ne!(bodies(&before), bodies(&with_asks));
    }
}
