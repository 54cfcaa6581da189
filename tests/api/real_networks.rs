//! On networks of thousands of people the engine answers like the oracle: the demo networks, and those in the folders
//! below `KITH_REAL_NETWORKS`, if that is set.
//!
//! The requests are chosen, not random: they ask for the best-connected people and the largest companies, where limits
//! are hit and a page is a small part of the whole.

use std::cmp::Reverse;
use std::path::Path;

use kith::limits::Limits;
use serde_json::Value;

use crate::oracle::{Caller, Caps, Mistake, Network, Rules, Tables, same_answer};
use crate::support::encoding::query_string;
use crate::support::{Credentials, Served, network_of, project};

/// Requests of one network, at least.
const REQUESTS_MIN: usize = 24;

/// A warm-paths request and the bounds it is answered within.
#[derive(Debug)]
struct Question {
    caller: Caller,
    params: Vec<(String, String)>,
    caps: Caps,
}

/// The bounds by name: those of production, tiny ones, and none at all.
fn caps(name: &str) -> Caps {
    let all = |bound| Caps {
        company_candidates: bound,
        edges_per_target: bound,
        edges_per_connector: bound,
        ..Caps::default()
    };
    match name {
        "default" => Caps::default(),
        "tiny" => Caps { edges_per_target: 9, edges_per_connector: 2, ..all(3) },
        "none" => all(Limits::MAX as usize),
        other => panic!("no bounds are called {other}"),
    }
}

fn limits(caps: &Caps) -> Limits {
    let bound = |bound| u32::try_from(bound).unwrap();
    Limits {
        company_candidates: bound(caps.company_candidates),
        edges_per_target: bound(caps.edges_per_target),
        edges_per_connector: bound(caps.edges_per_connector),
        ..Limits::DEFAULT
    }
}

/// The questions put to a network: each names whom to reach, of which types, within which bounds.
fn questions(network: &Network) -> Vec<Question> {
    let (people, companies) = (well_known_people(network), large_companies(network));
    let users: Vec<&String> = network.members.keys().collect();
    let (first, last) = (users[0].as_str(), users[users.len() - 1].as_str());
    let handle = |place: usize| ("prospectLinkedinId", people[place].0.clone());
    let name = |place: usize| ("prospectName", people[place].1.clone());
    let company = |place: usize| ("prospectCompany", companies[place].clone());
    let two = format!("{first},{last}");
    let all = "";
    let (direct, second) = ("direct,advocate", "second_degree");
    let (advocate, both) = ("advocate_second_degree", "advocate_second_degree,second_degree");
    let rows: Vec<((&str, String), &str, &str, &str)> = vec![
        (handle(0), all, "limit=50", "default"),
        (handle(0), all, "", "tiny"),
        (handle(0), all, "limit=50&offset=40", "none"),
        (handle(1), second, "limit=50", "default"),
        (handle(1), advocate, "limit=50", "default"),
        (handle(2), both, "offset=100&limit=50", "none"),
        (handle(2), direct, "limit=50", "tiny"),
        (handle(3), "direct", "", "default"),
        (handle(3), "advocate", "", "none"),
        (handle(4), all, "scope=me", "default"),
        (handle(5), all, "scope=me", "none"),
        (handle(6), all, "fromUserIds", "default"),
        (handle(7), all, "limit=50", "tiny"),
        (name(0), all, "fromUserIds", "default"),
        (name(1), both, "limit=50", "tiny"),
        (name(2), all, "fromUserIds", "none"),
        (name(3), "direct,second_degree", "limit=3&offset=3", "default"),
        (name(4), all, "limit=50", "default"),
        (name(5), advocate, "limit=50", "none"),
        (company(0), all, "limit=50&offset=1000", "default"),
        (company(0), all, "limit=50", "tiny"),
        (company(0), second, "scope=me&limit=50", "none"),
        (company(1), advocate, "includeIntroRequested=true&fromUserIds", "default"),
        (company(1), direct, "includeIntroRequested=true&limit=50", "tiny"),
        (company(2), all, "fromUserIds", "default"),
        (company(3), all, "limit=50", "none"),
    ];
    rows.into_iter()
        .map(|((target, value), types, more, bounds)| {
            let mut params = vec![(target.to_owned(), value)];
            if !types.is_empty() {
                params.push(("connectionTypes".to_owned(), types.to_owned()));
            }
            for pair in more.split('&').filter(|pair| !pair.is_empty()) {
                let (name, value) = pair.split_once('=').unwrap_or((pair, two.as_str()));
                params.push((name.to_owned(), value.to_owned()));
            }
            let me = more.contains("scope=me");
            let caller = if me { Caller::User(first.to_owned()) } else { Caller::Organization };
            Question { caller, params, caps: caps(bounds) }
        })
        .collect()
}

/// Handle and name of the three people of the first and of the second degree who have the most edges,
/// then of the best-connected of all and of one in the middle.
fn well_known_people(network: &Network) -> Vec<(String, String)> {
    let mut people: Vec<_> =
        network.people.values().filter_map(|it| Some((it, it.linkedin_id.clone()?))).collect();
    people.sort_by_cached_key(|(person, _)| (Reverse(network.edge_count(&person.id)), person.id.clone()));
    let degrees = [network.first_degree(), network.second_degree()];
    let most = degrees.iter().flat_map(|ids| people.iter().filter(|(it, _)| ids.contains(&it.id)).take(3));
    let chosen = most.chain([&people[0], &people[people.len() / 2]]);
    chosen.map(|(person, handle)| (handle.clone(), person.name.clone())).collect()
}

/// The names of the two companies where most people work, and of two where fewer do.
fn large_companies(network: &Network) -> Vec<String> {
    let mut companies: Vec<_> = network
        .companies
        .values()
        .map(|company| (network.employees(&company.id).len(), company))
        .filter(|(employees, _)| *employees > 0)
        .collect();
    companies.sort_by_key(|(employees, company)| (Reverse(*employees), company.id.clone()));
    [0, 1, companies.len() / 4, companies.len() / 2].map(|place| companies[place].1.name.clone()).to_vec()
}

/// One network, served within each of the bounds.
struct Case {
    network: Network,
    organization: String,
    served: Vec<(Caps, Served)>,
}

impl Case {
    fn read(folder: &Path, credentials: &Credentials) -> Self {
        let tables = Tables::read(folder);
        let organization: Value = serde_json::from_str(tables.organization()).unwrap();
        let served = ["default", "tiny", "none"].map(|name| {
            let caps = caps(name);
            let served = Served::networks([network_of(folder)], credentials, limits(&caps));
            (caps, served)
        });
        Self {
            network: Network::from_tables(&tables),
            organization: organization["id"].as_str().unwrap().to_owned(),
            served: served.into(),
        }
    }

    async fn ask(&self, credentials: &Credentials, question: &Question) -> Value {
        let credential = match &question.caller {
            Caller::Organization => credentials.key(&self.organization),
            Caller::User(user) => credentials.token(&self.organization, user),
        };
        let (_, served) = self.served.iter().find(|(caps, _)| *caps == question.caps).unwrap();
        let path = format!("/api/v1/search/warm-paths?{}", query_string(&question.params));
        let answer = served.get(&path, &credential).await;
        assert_eq!(answer.status, 200, "{question:?}: {}", String::from_utf8_lossy(&answer.bytes));
        answer.json()["data"].clone()
    }
}

/// Puts every question to the engine and to the oracle, and stops the test if they differ.
async fn compare(folder: &Path) {
    let credentials = Credentials::new();
    let case = Case::read(folder, &credentials);
    let questions = questions(&case.network);
    assert!(questions.len() >= REQUESTS_MIN);
    let (mut capped, mut paths) = (0, 0);
    for question in &questions {
        let expected = case.network.warm_paths(&question.caller, &question.params, &question.caps);
        let got = case.ask(&credentials, question).await;
        if let Err(difference) = same_answer(&got, &expected) {
            panic!("{}, {question:?}: {difference}", case.organization);
        }
        capped += usize::from(got["coverage"]["capped"] == true);
        paths += got["totalCount"].as_u64().unwrap();
    }
    assert!(capped >= 3 && paths > 1_000, "{}: {capped} capped, {paths} paths", case.organization);
    compare_second_degree(folder, &case, &credentials).await;
}

/// Asks every member's second-degree connections within the bounds of production, and compares. The control: by a
/// rule that lists each person with the first contact who knows them, some member's are others.
async fn compare_second_degree(folder: &Path, case: &Case, credentials: &Credentials) {
    let (caps, served) = &case.served[0];
    let rules = Rules::with(Mistake::FirstBridgeWins);
    let before = Network::from_tables_by(rules, &Tables::read(folder));
    let params = [("limit".to_owned(), "50".to_owned())];
    let path = "/api/v1/connections/second-degree?limit=50";
    let mut caught = 0;
    for user in case.network.members.keys() {
        let expected = case.network.second_degree_connections(user, &params, caps).unwrap();
        let got = served.get(path, &credentials.token(&case.organization, user)).await.json()["data"].clone();
        if let Err(difference) = same_answer(&got, &expected) {
            panic!("{}, {user}: {difference}", case.organization);
        }
        let wrong = before.second_degree_connections(user, &params, caps).unwrap();
        caught += usize::from(same_answer(&got, &wrong).is_err());
    }
    assert!(caught > 0, "{}: nobody is known to two contacts of a member", case.organization);
}

#[tokio::test]
async fn the_engine_answers_as_the_oracle_on_an_investors_network() {
    compare(&project("fixtures/demo/harbourlight")).await;
}

#[tokio::test]
async fn the_engine_answers_as_the_oracle_on_a_sales_teams_network() {
    compare(&project("fixtures/demo/fernhollow")).await;
}

#[tokio::test]
async fn the_engine_answers_as_the_oracle_on_the_networks_given() {
    let Some(real) = std::env::var_os("KITH_REAL_NETWORKS") else { return };
    let entries = std::fs::read_dir(real).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = entries.filter(|path| path.join("organization.json").is_file()).collect();
    assert!(!folders.is_empty(), "KITH_REAL_NETWORKS is set, and there is no folder of source tables in it");
    for folder in folders {
        compare(&folder).await;
    }
}

/// The control: on a large network, too, an oracle with a broken rule disagrees with the engine.
#[tokio::test]
async fn a_broken_rule_is_caught_on_a_large_network() {
    let (credentials, folder) = (Credentials::new(), project("fixtures/demo/fernhollow"));
    let case = Case::read(&folder, &credentials);
    let broken = Network::from_tables_by(Rules::with(Mistake::LegsRoundedOneByOne), &Tables::read(&folder));
    let mut caught = 0;
    for question in questions(&case.network).iter().take(6) {
        let wrong = broken.warm_paths(&question.caller, &question.params, &question.caps);
        caught += usize::from(same_answer(&case.ask(&credentials, question).await, &wrong).is_err());
    }
    assert!(caught > 0);
}
