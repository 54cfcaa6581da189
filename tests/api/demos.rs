//! Everybody and every company of the demos can be found: by id, and by exact full name with every namesake listed or
//! counted.
//!
//! Promise: Every person and company of the demos is found by id, and by exact full name every namesake is listed or
//!   counted.
//! Control: one namesake more or less in the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kith::limits::Limits;
use serde_json::Value;

use crate::oracle::{Network, fold};
use crate::support::encoding::encoded;
use crate::support::{Credentials, Served, project};

const DEMOS: [&str; 2] = ["fernhollow", "harbourlight"];
const PATHS: &str = "/api/v1/search/warm-paths";
/// As many of those who may have been meant are listed.
const ALTERNATIVES_MAX: usize = 5;

struct Demo {
    network: Network,
    served: Served,
    key: String,
}

impl Demo {
    fn open(name: &str, credentials: &Credentials) -> Self {
        let folder = project("fixtures/demo").join(name);
        let folder: &Path = &folder;
        let served = Served::folders(&[folder], credentials, Limits::DEFAULT);
        Self { network: Network::read(folder), served, key: credentials.key(&format!("org_{name}")) }
    }

    /// `data` of the answer to a question for paths.
    async fn ask(&self, query: &str) -> Value {
        let answer = self.served.get(&format!("{PATHS}?{query}&limit=1"), &self.key).await;
        assert_eq!(answer.status, 200, "{query}");
        answer.json()["data"].take()
    }
}

#[tokio::test]
async fn every_person_and_company_is_found_by_id() {
    let credentials = Credentials::new();
    let (mut people, mut companies) = (0, 0);
    for name in DEMOS {
        let demo = Demo::open(name, &credentials);
        for (id, person) in &demo.network.people {
            let data = demo.ask(&format!("prospectId={}", encoded(id))).await;
            assert_eq!(data["prospect"]["id"], id.as_str());
            assert_eq!(data["prospect"]["name"], person.name.as_str());
            assert!(data["company"].is_null(), "{id}");
            people += 1;
        }
        for (id, company) in &demo.network.companies {
            let data = demo.ask(&format!("prospectId={}", encoded(id))).await;
            assert_eq!(data["company"]["id"], id.as_str());
            assert_eq!(data["company"]["name"], company.name.as_str());
            assert!(data["prospect"].is_null(), "{id}");
            companies += 1;
        }
        // The control: an id of nobody finds nobody.
        for id in ["person_nobody", "company_nobody"] {
            let data = demo.ask(&format!("prospectId={id}")).await;
            assert!(data["prospect"].is_null() && data["company"].is_null());
        }
    }
    assert!(people >= 3_000 && companies >= 100, "{people} people, {companies} companies");
}

/// What an answer lacks if all of `namesakes` have the name that was asked for.
fn faults(data: &Value, namesakes: &BTreeSet<&str>) -> Vec<String> {
    let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
    let found = id(&data["prospect"]);
    let others: Vec<String> = data["match"]["alternatives"].as_array().unwrap().iter().map(id).collect();
    let named: BTreeSet<&str> = others.iter().chain([&found]).map(String::as_str).collect();
    let mut faults = Vec::new();
    if data["match"]["by"] != "equal" {
        faults.push(format!("by {}", data["match"]["by"]));
    }
    if data["match"]["others"] != namesakes.len() - 1 {
        faults.push(format!("{} others of {}", data["match"]["others"], namesakes.len()));
    }
    if named.len() != namesakes.len().min(ALTERNATIVES_MAX + 1) || !named.is_subset(namesakes) {
        faults.push(format!("{named:?} instead of {namesakes:?}"));
    }
    faults
}

#[tokio::test]
async fn by_exact_full_name_every_namesake_is_listed_or_counted() {
    let credentials = Credentials::new();
    let (mut asked, mut shared, mut most, mut caught) = (0, 0, 0, 0);
    for name in DEMOS {
        let demo = Demo::open(name, &credentials);
        let mut namesakes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (id, person) in &demo.network.people {
            namesakes.entry(fold(&person.name)).or_default().insert(id);
        }
        for person in demo.network.people.values() {
            let all = &namesakes[&fold(&person.name)];
            let query = format!("prospectName={}&include=match", encoded(&person.name));
            let data = demo.ask(&query).await;
            assert_eq!(faults(&data, all), [""; 0], "{}", person.name);
            asked += 1;
            shared += usize::from(all.len() > 1);
            most = most.max(all.len());
            // The control: one namesake more or less in the tables, and the same check fails.
            let mut fewer = all.clone();
            fewer.pop_last();
            let mut more = all.clone();
            more.insert("person_another");
            let is_caught = |wrong: &BTreeSet<&str>| wrong.is_empty() || !faults(&data, wrong).is_empty();
            caught += usize::from(is_caught(&fewer) && is_caught(&more));
        }
    }
    assert!(
        asked >= 3_000 && shared > 100 && most > 1,
        "{asked} asked, {shared} with a namesake, at most {most}"
    );
    assert_eq!(caught, asked);
}
