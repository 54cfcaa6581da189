//! Asks reveal nothing to another organization, nothing about people who cannot be seen, and nothing about suppressed
//! people.
//!
//! Promise: Another organization's asks change no byte of any answer; a person who cannot be seen is as one that there
//!   is not, to every reader and writer of asks; over a network without a person, asks with them are as if they had
//!   never been written.
//! Control: the same asks of the organization itself, and of people who can be seen, change answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::ask_file::store::AskStore;
use kith_server::limits::Limits;
use kith_server::live::network::LiveNetwork;
use kith_server::prepare::without::without;
use kith_server::snapshot::encode::encode;
use kith_server::snapshot::read::decode;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Value, json};
use std::sync::Arc;

use kith_server::ask_file::service::AskService;
use kith_server::mcp::settings::McpSettings;

use crate::asks::overlay::{Drawn, answers, bodies, draw, ids, write};
use crate::asks::{ASKER, Asks, ORG, OTHER, TARGET, agent, asked, press};
use crate::support::{Answer, Credentials, Served, network_of};

/// The tables of a generated network of `organization`.
fn tables(organization: &str, seed: u64, folder: &Path) {
    let mut plan = Plan::sized(300, 1_500);
    (plan.seed, plan.organization_id) = (seed, organization.to_owned());
    write_tables(&plan, folder).unwrap();
}

/// [`answers`], and those that asks have a part of their own in.
async fn all_answers(served: &Served, key: &str, people: &[String]) -> Vec<Answer> {
    let mut all = answers(served, key, people).await;
    for state in ["open", "closed", "all"] {
        all.push(served.get(&format!("/api/v1/asks?state={state}&limit=100"), key).await);
    }
    for id in people {
        let path = format!("/api/v1/search/warm-paths?prospectId={id}&limit=20&include=asks");
        all.push(served.get(&path, key).await);
        all.push(served.get(&format!("/api/v1/asks?personId={id}&state=all"), key).await);
        all.push(served.get(&format!("/api/v1/asks?connectorId={id}&state=all"), key).await);
    }
    let targets: Vec<Value> = people.iter().map(|id| json!({ "id": id })).collect();
    let batch = json!({ "targets": targets, "plan": true, "include": ["asks"] });
    all.push(served.post("/api/v1/search/warm-paths/batch", key, &batch).await);
    all
}

fn serve(asks: &Asks, networks: Vec<LiveNetwork>, credentials: &Credentials) -> Served {
    let service = Arc::new(AskService::open(asks.settings()).unwrap());
    let served = Served::networks(networks, credentials, Limits::DEFAULT);
    served.changed(|state| state.asks = Some(service)).serving_agents(&McpSettings::default())
}

fn drawn(seed: u64, users: &[String], people: &[String]) -> Vec<Drawn> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    (0..80).map(|_| draw(&mut dice, users, people)).collect()
}

#[tokio::test]
async fn asks_of_another_organization_change_no_byte() {
    for seed in 0..3 {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        // Alike to the last id.
        tables("org_one", seed, one.path());
        tables("org_other", seed, other.path());
        let people = ids(one.path(), "people.ndjson", "id")[..30].to_vec();
        let users = ids(one.path(), "members.ndjson", "userId");
        assert_eq!(users, ids(other.path(), "members.ndjson", "userId"));
        let (asks, credentials) = (Asks::new(), Credentials::new());
        let keys = ["org_one", "org_other"].map(|org| credentials.key(org));
        let networks = vec![network_of(one.path()), network_of(other.path())];
        let served = serve(&asks, networks, &credentials);
        let store = AskStore::open(&asks.path).unwrap();
        let half = drawn(seed, &users, &people);
        for drawn in &half[..40] {
            write(&store, "org_one", drawn);
        }
        let before =
            [all_answers(&served, &keys[0], &people).await, all_answers(&served, &keys[1], &people).await];
        for drawn in &half[40..] {
            write(&store, "org_other", drawn);
        }
        let after =
            [all_answers(&served, &keys[0], &people).await, all_answers(&served, &keys[1], &people).await];
        assert!(bodies(&before[0]) == bodies(&after[0]), "network {seed}");
        assert!(bodies(&before[1]) != bodies(&after[1]), "the control: its own asks change its answers");
    }
}

#[tokio::test]
async fn an_ask_of_another_organization_is_as_one_that_is_not_there() {
    let (asks, credentials, folder) = (Asks::new(), Credentials::new(), tempfile::tempdir().unwrap());
    tables("org_other", 1, folder.path());
    let user = ids(folder.path(), "members.ndjson", "userId")[0].clone();
    let demo = crate::support::project("fixtures/demo/fernhollow");
    let served = serve(&asks, vec![network_of(&demo), network_of(folder.path())], &credentials);
    let asker = agent(&served, &credentials, ASKER);
    let written = asker.data("record_ask", asked("a")).await;
    let id = written["ask"]["id"].as_str().unwrap();
    let stranger = credentials.token_with("org_other", &user, "mcp:read mcp:write");
    let stranger = crate::mcp::Agent { served: &served, credential: stranger };
    let never = "ask_0000000000000000000000";
    let mut seen = Vec::new();
    for ask in [id, never] {
        let outcome = json!({ "ask": ask, "outcome": "met", "key": "k" });
        let mut all = vec![stranger.called("report_outcome", &outcome).await.to_string()];
        for path in [format!("/explore/asks/{ask}"), format!("/explore/asks/{ask}/link")] {
            let body =
                if path.ends_with("link") { json!({}) } else { json!({ "outcome": "met", "key": "k" }) };
            let answer = press(&served, &path, &stranger.credential, &body).await;
            all.push(format!("{:?}", (answer.status, String::from_utf8_lossy(&answer.bytes))));
        }
        let answer = served.get(&format!("/api/v1/asks/{ask}"), &stranger.credential).await;
        all.push(format!("{:?}", (answer.status, String::from_utf8_lossy(&answer.bytes))));
        seen.push(all);
    }
    assert_eq!(seen[0], seen[1]);
    // The control: a colleague sees it.
    let colleague = credentials.token(ORG, OTHER);
    assert_eq!(served.get(&format!("/api/v1/asks/{id}"), &colleague).await.status, 200);
    assert_eq!(written["ask"]["person"]["id"], TARGET);
}

#[tokio::test]
async fn a_person_who_cannot_be_seen_is_as_one_that_there_is_not() {
    let folder = tempfile::tempdir().unwrap();
    tables("org_one", 7, folder.path());
    // People whom nobody knows.
    let people = folder.path().join("people.ndjson");
    let mut text = fs::read_to_string(&people).unwrap();
    let hidden: Vec<String> = (0..5).map(|number| format!("person_hidden{number}")).collect();
    for id in &hidden {
        text += &format!("{}\n", json!({ "id": id, "name": format!("Hid Den {id}"), "linkedinId": id }));
    }
    fs::write(&people, text).unwrap();
    let user = ids(folder.path(), "members.ndjson", "userId")[0].clone();
    let known = ids(folder.path(), "people.ndjson", "id")[0].clone();
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = serve(&asks, vec![network_of(folder.path())], &credentials);
    let token = credentials.token_with("org_one", &user, "mcp:read mcp:write");
    let member = crate::mcp::Agent { served: &served, credential: token.clone() };
    let told = async |id: &str| {
        let named = |text: String| text.replace(id, "ID");
        let mut all = Vec::new();
        for arguments in [
            json!({ "target": id, "key": "k" }),
            json!({ "target": known, "connector": id, "key": "k", "dry_run": true }),
            json!({ "target": format!("Hid Den {id}"), "key": "k" }),
        ] {
            all.push(named(member.called("record_ask", &arguments).await.to_string()));
            let answer = press(&served, "/explore/asks", &token, &arguments).await;
            all.push(named(format!("{:?}", (answer.status, String::from_utf8_lossy(&answer.bytes)))));
        }
        for path in
            [format!("/api/v1/asks?personId={id}"), format!("/api/v1/asks?connectorId={id}&state=all")]
        {
            let answer = served.get(&path, &token).await;
            all.push(named(format!("{:?}", (answer.status, String::from_utf8_lossy(&answer.bytes)))));
        }
        all
    };
    let never = told("person_nobody00").await;
    for id in &hidden {
        assert_eq!(told(id).await, never, "{id}");
    }
    assert_ne!(told(&known).await, never, "the control: a person who can be seen");
}

#[tokio::test]
async fn over_a_network_without_a_person_asks_with_them_were_never_written() {
    for seed in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        tables("org_one", seed, folder.path());
        let people = ids(folder.path(), "people.ndjson", "id")[..30].to_vec();
        let users = ids(folder.path(), "members.ndjson", "userId");
        let (asks, forgotten, credentials) = (Asks::new(), Asks::new(), Credentials::new());
        let key = credentials.key("org_one");
        let store = AskStore::open(&asks.path).unwrap();
        let all = drawn(seed, &users, &people);
        for drawn in &all {
            write(&store, "org_one", drawn);
        }
        drop(store);
        // The people in most asks.
        let count = |id: &String| {
            all.iter().filter(|ask| ask.person == *id || ask.connector.as_ref() == Some(id)).count()
        };
        let mut most = people.clone();
        most.sort_by_key(|id| std::cmp::Reverse(count(id)));
        let gone: BTreeSet<String> = most[..3].iter().cloned().collect();
        fs::copy(&asks.path, &forgotten.path).unwrap();
        let store = AskStore::open(&forgotten.path).unwrap();
        assert!(store.forget("org_one", &gone, &BTreeSet::new()).unwrap() > 3);
        let bytes = fs::read(&forgotten.path).unwrap();
        for id in &gone {
            assert!(!bytes.windows(id.len()).any(|window| window == id.as_bytes()), "{id} is in the file");
        }
        let data = read_folder(folder.path(), &Silent).unwrap().dataset;
        let rows: Vec<u32> = gone.iter().map(|id| data.people.ids.find_sorted(id).unwrap()).collect();
        let reduced = || {
            let left = without(&data, &rows).dataset;
            LiveNetwork::new(decode(&encode(&left).unwrap()).unwrap(), "test.kith")
        };
        let with_theirs = serve(&asks, vec![reduced()], &credentials);
        let without_theirs = serve(&forgotten, vec![reduced()], &credentials);
        let found = all_answers(&with_theirs, &key, &people).await;
        let expected = all_answers(&without_theirs, &key, &people).await;
        for (place, (found, expected)) in bodies(&found).iter().zip(bodies(&expected)).enumerate() {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(text(found), text(expected), "answer {place} of network {seed}");
        }
        let with_them = serve(&asks, vec![network_of(folder.path())], &credentials);
        let control = all_answers(&with_them, &key, &people).await;
        assert!(
            bodies(&control) != bodies(&expected),
            "the control: while they are there, they are in answers"
        );
    }
}
