//! Lists of several pages: cursors, and the report of what is left out.
//!
//! Promise: Pages of a tool's list are the list; a cursor is valid only for its question and its network.
//! Control: another credential of the same network goes on.
//! Also in: `src/answers/mcp/cursor.rs`.

use serde_json::{Value, json};

use crate::mcp::{Agent, served};
use crate::support::Credentials;

/// All entries of a list, page by page, and how many pages there were.
async fn walk(agent: &Agent<'_>, tool: &str, arguments: &Value, key: &str) -> (Vec<Value>, u64, usize) {
    let (mut entries, mut asked, mut pages) = (Vec::new(), arguments.clone(), 0);
    loop {
        let data = agent.data(tool, asked.clone()).await;
        entries.extend(data[key].as_array().unwrap().iter().cloned());
        pages += 1;
        assert!(pages < 1_000, "{tool} {arguments}");
        let total = data["total"].as_u64().unwrap();
        match data["next_cursor"].as_str() {
            Some(cursor) => asked["cursor"] = cursor.into(),
            None => return (entries, total, pages),
        }
    }
}

#[tokio::test]
async fn pages_of_a_list_are_the_list_and_neither_overlap_nor_skip() {
    let credentials = Credentials::new();
    let served = served("demo/fernhollow", &credentials);
    let agent = Agent { served: &served, credential: credentials.token("org_fernhollow", "user_f37qch") };
    for (tool, arguments, key) in [
        (
            "find_introductions",
            json!({ "company": "Bramblequay Software", "types": ["direct", "advocate"] }),
            "introductions",
        ),
        ("find_company", json!({ "query": "a" }), "companies"),
        ("list_my_network", json!({}), "people"),
        ("list_my_network", json!({ "degree": "second" }), "people"),
        ("list_opportunities", json!({}), "opportunities"),
    ] {
        let mut lists = Vec::new();
        for limit in [7, 20] {
            let mut asked = arguments.clone();
            asked["limit"] = limit.into();
            let (entries, total, pages) = walk(&agent, tool, &asked, key).await;
            assert_eq!(entries.len() as u64, total, "{tool} {asked}");
            assert!(pages > 1, "{tool} {asked}: {pages} pages of {total}");
            lists.push(entries);
        }
        assert_eq!(lists[0], lists[1], "{tool}");
    }
}

#[tokio::test]
async fn who_went_quiet_is_strong_and_long_without_contact_and_page_by_page_the_same() {
    let credentials = Credentials::new();
    let served = served("demo/fernhollow", &credentials);
    let agent = Agent { served: &served, credential: credentials.token("org_fernhollow", "user_f37qch") };
    let quiet = agent.data("list_my_network", json!({ "degree": "quiet" })).await["people"].clone();
    let quiet = quiet.as_array().unwrap();
    assert!(quiet.len() > 2 && quiet.is_sorted_by_key(|one| -one["warmness"].as_i64().unwrap()), "{quiet:?}");
    for one in quiet {
        let id = one["id"].as_str().unwrap();
        let person = served.get(&format!("/api/v1/people/{id}?include=ties"), &agent.credential).await.json();
        let ties = person["data"]["ties"].as_array().unwrap();
        let own = ties.iter().find(|tie| tie["userId"] == "user_f37qch").unwrap();
        assert_eq!(
            (&own["warmness"], &own["lastContact"]),
            (&one["warmness"], &one["last_contact"]),
            "{id}: {own}"
        );
        assert!(
            one["warmness"].as_i64() > Some(30) && one["last_contact"].as_str() < Some("2025-12-01"),
            "{one}"
        );
    }
    for limit in [7, 20] {
        let asked = json!({ "degree": "quiet", "limit": limit });
        let (entries, total, _) = walk(&agent, "list_my_network", &asked, "people").await;
        assert_eq!((&entries[..quiet.len()], entries.len() as u64), (&quiet[..], total), "{asked}");
    }
    // The control: without it others are listed, and no days.
    let all = agent.data("list_my_network", json!({})).await["people"].clone();
    assert!(all.as_array().unwrap().iter().all(|one| one.get("last_contact").is_none()));
    assert_ne!(all[0]["id"], quiet[0]["id"]);
    let (code, sentence) =
        agent.refusal("list_my_network", json!({ "degree": "quiet", "via_person": "person_x" })).await;
    assert_eq!(code, "validation_error", "{sentence}");
}

#[tokio::test]
async fn a_cursor_is_of_its_question_and_its_network_alone() {
    let credentials = Credentials::new();
    let served = served("demo/fernhollow", &credentials);
    let agent = Agent { served: &served, credential: credentials.token("org_fernhollow", "user_f37qch") };
    let first = agent.data("find_company", json!({ "query": "a", "limit": 2 })).await;
    let cursor = &first["next_cursor"];
    let again = json!({ "query": "a", "limit": 2, "cursor": cursor });
    assert!(agent.data("find_company", again.clone()).await["companies"].is_array());
    for (tool, arguments) in [
        ("find_company", json!({ "query": "b", "limit": 2, "cursor": cursor })),
        ("find_company", json!({ "query": "a", "limit": 3, "cursor": cursor })),
        ("list_my_network", json!({ "limit": 2, "cursor": cursor })),
    ] {
        let (code, sentence) = agent.refusal(tool, arguments).await;
        assert_eq!(code, "validation_error", "{sentence}");
    }
    // The same question to another network.
    let mut other = crate::support::network_of(&crate::support::project("fixtures/demo/harbourlight"));
    let index = std::sync::Arc::get_mut(&mut other.index).unwrap();
    index.snapshot_mut().data.organization.id = "org_fernhollow".to_owned();
    let other = crate::support::Served::networks([other], &credentials, kith::limits::Limits::DEFAULT)
        .serving_agents(&kith_server::mcp::settings::McpSettings::default());
    let key = credentials.key("org_fernhollow");
    let elsewhere = Agent { served: &other, credential: key.clone() };
    let (code, sentence) = elsewhere.refusal("find_company", again.clone()).await;
    assert_eq!(code, "list_changed", "{sentence}");
    assert!(sentence.contains("start again"), "{sentence}");
    // The control: another credential of the same network goes on.
    let key = Agent { served: &served, credential: key };
    assert!(key.data("find_company", again).await["companies"].is_array());
}

#[tokio::test]
async fn a_namesake_is_a_candidate_and_an_id_settles_it() {
    let credentials = Credentials::new();
    let served = served("demo/fernhollow", &credentials);
    let agent = Agent { served: &served, credential: credentials.key("org_fernhollow") };
    let networks = served.state.gate.pin_for("org_fernhollow").await.unwrap();
    let network = networks.network_of("org_fernhollow").unwrap();
    let people = &network.index.data.people;
    let mut names: Vec<&str> = (0..people.len() as u32).map(|row| people.names.get(row)).collect();
    names.sort_unstable();
    let namesakes = names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let Some(name) = namesakes else { panic!("the demo has two people of one name") };
    let found = agent.data("find_introductions", json!({ "person": name })).await;
    assert!(found["others"].as_u64().unwrap() >= 1, "{found}");
    let other = &found["candidates"][0];
    assert_eq!(other["name"], name);
    let again = agent.data("find_introductions", json!({ "person": other["id"] })).await;
    assert_eq!((&again["person"]["id"], again.get("candidates")), (&other["id"], None));
    let nobody = agent.data("find_introductions", json!({ "person": "Qqq Wwww" })).await;
    assert_eq!((&nobody["found"], &nobody["reasons"][0]["code"]), (&json!(false), &json!("target_unknown")));
}
