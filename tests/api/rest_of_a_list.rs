//! Further pages of searches, the member in a request, and the members who know a person.
//!
//! Promise: Pages of searches neither overlap nor skip, and their totals are of all; the ties of a person are the edges
//!   of members in the tables, with the days of their evidence.
//! Control: the same search without `offset` says nothing of pages; an edge that is not a member's is no tie.
//! Also in: `crates/kith/src/query/members.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kith_server::limits::Limits;
use serde_json::{Value, json};

use crate::support::encoding::encoded;
use crate::support::{Credentials, Served, project};

const SEARCH: &str = "/api/v1/search/network";

/// The tiny network, with evidence.
pub(crate) fn with_evidence(folder: &Path) {
    for entry in fs::read_dir(project("fixtures/tiny")).unwrap() {
        let file = entry.unwrap().path();
        fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let row = |from, to, at| json!({ "from": from, "to": to, "kind": "meeting", "at": at }).to_string();
    let rows = [
        row("person_ana", "person_dee", "2024-05-06T07:08:09Z"),
        row("person_ana", "person_dee", "2026-01-31T23:30:00-02:00"),
        row("person_ana", "person_dee", "2025-03-03T00:00:00Z"),
        row("person_ben", "person_dee", "2023-12-31T00:00:00Z"),
    ];
    fs::write(folder.join("evidence.ndjson"), rows.join("\n")).unwrap();
}

fn lines(table: &str) -> Vec<Value> {
    let text = fs::read_to_string(project("fixtures/tiny").join(table)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names of the members by the ids of their persons.
fn members() -> BTreeMap<String, String> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    lines("members.ndjson").iter().map(|row| (text(row, "personId"), text(row, "userId"))).collect()
}

#[tokio::test]
async fn members_and_who_asks_are_said_to_keys_and_tokens() {
    let folder = tempfile::tempdir().unwrap();
    with_evidence(folder.path());
    let credentials = Credentials::new();
    let served = Served::folders(&[folder.path()], &credentials, Limits::DEFAULT);
    let (key, token) = (credentials.key("org_tiny"), credentials.token("org_tiny", "user_ana"));
    let whole = served.get("/api/v1/members", &key).await.json()["data"].take();
    assert_eq!(whole, served.get("/api/v1/members", &token).await.json()["data"]);
    let rows = whole["members"].as_array().unwrap();
    let ids: BTreeMap<String, String> = rows
        .iter()
        .map(|row| (row["personId"].as_str().unwrap().to_owned(), row["userId"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(ids, members());
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted_by_key(|name| name.to_lowercase()), "{names:?}");
    assert_eq!((&whole["totalCount"], &whole["hasMore"]), (&json!(rows.len()), &json!(false)));
    let second = served.get("/api/v1/members?limit=1&offset=1", &key).await.json()["data"].take();
    assert_eq!((&second["members"][0], &second["nextOffset"]), (&rows[1], &json!(2)));

    let now = served.get("/api/v1/me", &key).await.header("service-generation").unwrap().to_owned();
    let asks = async |credential: &str| served.get("/api/v1/me", credential).await.json()["data"].take();
    let (by_key, by_token) = (asks(&key).await, asks(&token).await);
    let organization = json!({ "id": "org_tiny", "name": lines_of_organization()["name"] });
    assert_eq!((&by_key["organization"], &by_key["scopes"]), (&organization, &json!(["mcp:read"])));
    assert_eq!(by_key.get("member"), None);
    let ana = rows.iter().find(|row| row["userId"] == "user_ana").unwrap();
    let member = json!({ "userId": "user_ana", "personId": ana["personId"], "name": ana["name"] });
    assert_eq!(by_token["member"], member);
    assert_eq!(by_token["generation"].to_string(), now);
    let newest = "2026-02-01T01:30:00.000Z".max(by_key["dataAsOf"].as_str().unwrap()).to_owned();
    assert_eq!(by_key["dataAsOf"], *newest);
}

fn lines_of_organization() -> Value {
    serde_json::from_str(&fs::read_to_string(project("fixtures/tiny/organization.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn pages_of_people_make_up_the_whole_and_are_there_only_if_asked_for() {
    let credentials = Credentials::new();
    let folder = project("fixtures/demo/fernhollow");
    let served = Served::folders(&[&folder], &credentials, Limits::DEFAULT);
    let key = credentials.key("org_fernhollow");
    for text in ["a", "engineer", "zzzz", "an"] {
        let ask = async |more: &str| {
            served.get(&format!("/api/v1/search/people?q={}{more}", encoded(text)), &key).await.json()
        };
        let (mut walked, mut offset) = (Vec::new(), 0);
        let total = loop {
            let page = ask(&format!("&limit=17&offset={offset}")).await;
            walked.extend(page["data"].as_array().unwrap().iter().cloned());
            assert_eq!(page["returnedCount"], page["data"].as_array().unwrap().len(), "{text}");
            assert_eq!(page["hasMore"], page.get("nextOffset").is_some(), "{text}");
            match page.get("nextOffset").and_then(Value::as_u64) {
                Some(next) => offset = next,
                None => break page["totalCount"].as_u64().unwrap() as usize,
            }
        };
        assert_eq!(walked.len(), total, "{text}");
        let ids: std::collections::BTreeSet<&str> =
            walked.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), total, "{text}");
        let plain = ask("&limit=50").await;
        assert_eq!(plain["data"].as_array().unwrap()[..], walked[..total.min(50)], "{text}");
        assert_eq!(plain.as_object().unwrap().len(), 1, "{text}");
        assert_eq!(ask("&include=page").await["totalCount"], total, "{text}");
    }
}

#[tokio::test]
async fn pages_of_a_network_search_make_up_the_whole_within_their_bound() {
    let credentials = Credentials::new();
    let folder = project("fixtures/demo/fernhollow");
    let served = Served::folders(&[&folder], &credentials, Limits::DEFAULT);
    let key = credentials.key("org_fernhollow");
    let ask = async |body: Value| served.post(SEARCH, &key, &body).await;
    for query in ["engineers", "heads of finance", "people"] {
        let whole = ask(json!({ "query": query, "limit": 50 })).await.json();
        assert_eq!(whole["meta"].get("offset"), None, "{query}");
        let mut walked = Vec::new();
        for offset in [0, 20, 40] {
            let page = ask(json!({ "query": query, "limit": 20, "offset": offset })).await.json();
            let (rows, meta) = (page["data"].as_array().unwrap(), &page["meta"]);
            assert_eq!((&meta["offset"], &meta["limit"]), (&json!(offset), &json!(20)), "{query}");
            assert_eq!(meta["returnedCount"], rows.len(), "{query}");
            assert_eq!(meta["totalCount"], whole["meta"]["totalCount"], "{query}");
            let end = offset + 20;
            let has_more = meta["totalCount"].as_u64().unwrap() > end;
            assert_eq!(meta["hasMore"], has_more, "{query}");
            assert_eq!(meta.get("nextOffset").and_then(Value::as_u64), has_more.then_some(end), "{query}");
            walked.extend(rows.iter().cloned());
        }
        let count = walked.len().min(50);
        assert_eq!(walked[..count], whole["data"].as_array().unwrap()[..count], "{query}");
    }
    assert_eq!(ask(json!({ "query": "people", "offset": 1000 })).await.status, 200);
    for offset in [json!(1001), json!(-1), json!("1"), json!(1.5)] {
        assert_eq!(ask(json!({ "query": "people", "offset": offset })).await.status, 400, "{offset}");
    }
}

#[tokio::test]
async fn ties_are_the_edges_of_members_with_the_days_of_their_evidence() {
    let folder = tempfile::tempdir().unwrap();
    with_evidence(folder.path());
    let credentials = Credentials::new();
    let served = Served::folders(&[folder.path()], &credentials, Limits::DEFAULT);
    let key = credentials.key("org_tiny");
    let members = members();
    let (edges, advocates) = (lines("connections.ndjson"), lines("advocates.ndjson"));
    let found =
        served.get("/api/v1/search/people?q=e&limit=50&include=ties", &key).await.json()["data"].take();
    let (mut counts, mut searched) = ((0, 0), 0);
    for row in found.as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        let person =
            served.get(&format!("/api/v1/people/{id}?include=ties"), &key).await.json()["data"].take();
        assert_eq!(person["ties"], row["ties"], "{id}");
        let search = json!({ "query": row["name"], "strictness": 3, "limit": 50, "include": ["ties"] });
        let asked = served.post("/api/v1/search/network", &key, &search).await.json();
        let listed = asked["data"].as_array().unwrap().iter().find(|entry| entry["person"]["id"] == id);
        // A search does not find everybody.
        if let Some(entry) = listed {
            assert_eq!(entry["ties"], row["ties"], "{id}, searched");
            searched += 1;
        }
        let ties = row["ties"].as_array().unwrap();
        let mut expected: Vec<(i64, &str)> = edges
            .iter()
            .filter(|edge| edge["to"] == id)
            .filter_map(|edge| {
                Some((
                    edge["warmness"].as_i64().map_or(1, |score| -score),
                    &**members.get(edge["from"].as_str()?)?,
                ))
            })
            .collect();
        // Of several rows with the same pair the warmest counts.
        expected.sort_unstable();
        let mut seen = std::collections::BTreeSet::new();
        expected.retain(|(_, user)| seen.insert(*user));
        // An accepted advocate is known to the member, also without a row of their own.
        let advocates = advocates.iter().filter(|row| row["personId"] == id && row["status"] == "accepted");
        let helped: Vec<&str> = advocates.map(|row| row["userId"].as_str().unwrap()).collect();
        let implied = helped.into_iter().filter(|user| expected.iter().all(|(_, other)| other != user));
        let implied: Vec<_> = implied.map(|user| (1, user)).collect();
        expected.extend(implied);
        expected.sort_unstable();
        let said: Vec<(i64, &str)> = ties
            .iter()
            .map(|tie| (tie["warmness"].as_i64().map_or(1, |score| -score), tie["userId"].as_str().unwrap()))
            .collect();
        assert_eq!(said, expected, "{id}");
        assert!(row["degree"] == "first" || ties.is_empty(), "{id}");
        counts = (counts.0 + usize::from(ties.is_empty()), counts.1 + ties.len());
    }
    assert!(counts.0 > 0 && counts.1 > 5 && searched > 5, "{counts:?}, {searched}");
    let dee = served.get("/api/v1/people/person_dee?include=ties", &key).await.json()["data"].take();
    let of = |user: &str| {
        dee["ties"].as_array().unwrap().iter().find(|tie| tie["userId"] == user).unwrap().clone()
    };
    let ana = of("user_ana");
    assert_eq!((&ana["since"], &ana["lastContact"]), (&json!("2024-05-06"), &json!("2026-02-01")));
    let own = credentials.token("org_tiny", "user_ana");
    let contacts = async |query: &str| {
        let answer = served.get(&format!("/api/v1/connections{query}"), &own).await.json();
        answer["data"]["connections"].as_array().unwrap().clone()
    };
    let known = contacts("?limit=50&include=ties").await;
    let ties_of = |row: &serde_json::Value, ties: &serde_json::Value| (row["id"].clone(), ties.clone());
    let found: std::collections::BTreeMap<String, serde_json::Value> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), row["ties"].clone()))
        .collect();
    let compared = known.iter().filter_map(|row| Some((row, found.get(row["id"].as_str()?)?)));
    let compared = compared.map(|(row, ties)| assert_eq!(ties_of(row, &row["ties"]), ties_of(row, ties)));
    assert!(compared.count() > 2, "{known:?}");
    // The control: without being asked for there are none.
    assert!(contacts("").await.iter().all(|row| row.get("ties").is_none()));
    assert_eq!(served.get("/api/v1/people/person_dee", &key).await.json()["data"].get("ties"), None);
}
