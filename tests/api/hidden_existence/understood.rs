//! The reported understanding of a query neither counts nor quotes people outside.
//!
//! Promise: An outsider who has the words of a query changes no byte of its answer, in any mode.
//! Control: a request that looks among everybody differs.

use std::collections::{BTreeMap, BTreeSet};

use kith::limits::Limits;
use kith_server::live::network::LiveNetwork;
use kith_server::model::dataset::Dataset;
use kith_server::prepare::without::without;
use kith_server::search::known::findable;
use kith_server::snapshot::encode::encode;
use kith_server::snapshot::read::decode;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use serde_json::{Value, json};

use crate::oracle::Network;
use crate::oracle::random::{Dice, random_network, random_search_query};
use crate::support::scale::of;
use crate::support::{Credentials, Served, network_of};

const NETWORKS: u64 = 60;
const QUERIES: usize = 8;

/// What `served` says of how it understood `query`, and by person why they fit.
async fn said(served: &Served, key: &str, query: &str) -> (Value, BTreeMap<String, Value>) {
    let body = json!({ "query": query, "mode": "graph", "limit": 50, "include": ["understood"] });
    let answer = served.post("/api/v1/search/network", key, &body).await.json();
    let meta = ["understood", "ignored", "counts"].map(|name| answer["meta"][name].clone());
    let people = answer["data"].as_array().unwrap().iter();
    let people = people
        .map(|hit| (hit["person"]["id"].as_str().unwrap().to_owned(), hit["matched"].clone()))
        .collect();
    (json!(meta), people)
}

/// Serves the network of `tables` without the people numbered `gone`.
fn served_without(tables: &Dataset, gone: &[u32], credentials: &Credentials) -> Served {
    let bytes = encode(&without(tables, gone).dataset).unwrap();
    Served::networks([LiveNetwork::new(decode(&bytes).unwrap(), "less.kith")], credentials, Limits::DEFAULT)
}

#[tokio::test]
async fn what_a_search_understood_is_the_same_without_those_outside_and_another_without_those_inside() {
    let credentials = Credentials::new();
    let (mut left_out, mut differ) = (0, 0);
    for seed in 0..NETWORKS {
        let folder = tempfile::tempdir().unwrap();
        random_network(seed).write(folder.path());
        let (oracle, network) = (Network::read(folder.path()), network_of(folder.path()));
        let tables = read_folder(folder.path(), &Silent).unwrap().dataset;
        let (index, inside) = (&network.index, findable(&network.index));
        // Without members and advocates the pools would be others.
        let members = index.data.members.people.iter().map(|person| person.0);
        let stay: BTreeSet<u32> = members.chain(index.data.advocates.iter().map(|it| it.person.0)).collect();
        let others = (0..index.data.people.len() as u32).filter(|row| !stay.contains(row));
        let (near, outside): (Vec<u32>, Vec<u32>) = others.partition(|&row| inside.contains(row as usize));
        let (fewer, other) =
            (served_without(&tables, &outside, &credentials), served_without(&tables, &near, &credentials));
        let key = credentials.key(&index.data.organization.id);
        let whole = Served::networks([network], &credentials, Limits::DEFAULT);
        let mut dice = Dice::new(seed);
        for _ in 0..QUERIES {
            let query = random_search_query(&oracle, &mut dice);
            let all = said(&whole, &key, &query).await;
            assert_eq!(all, said(&fewer, &key, &query).await, "seed {seed}, {query}");
            // The control: those inside are counted.
            differ += usize::from(all != said(&other, &key, &query).await);
        }
        left_out += outside.len();
    }
    assert!(left_out > 60 && differ > 100, "{left_out} left out, {differ} answers differ");
}

/// A person whom nobody knows and who knows nobody has all words of the query: as position, city, country and name.
#[tokio::test]
async fn an_outsider_with_the_words_of_a_query_changes_no_byte_of_any_answer() {
    let credentials = Credentials::new();
    let networks = of(60, 1_000);
    let (mut found, mut differ) = (0, 0);
    for seed in 0..networks {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        random_network(seed).write(folder.path());
        random_network(seed).write(other.path());
        let oracle = Network::read(folder.path());
        let mut dice = Dice::new(seed);
        let queries: Vec<String> = (0..3).map(|_| random_search_query(&oracle, &mut dice)).collect();
        // A rare word, which is asked for by sense and by its letters.
        let queries =
            [queries, vec!["heads of quaxology in Ouagadougou".to_owned(), "qaxology".to_owned()]].concat();
        let path = other.path().join("people.ndjson");
        let mut people = std::fs::read_to_string(&path).unwrap();
        for (number, text) in queries.iter().chain(&["Quaxology".to_owned()]).enumerate() {
            let row = json!({
                "id": format!("person_zz_outsider{number}"), "name": text, "position": text,
                "city": "Ouagadougou", "country": "Burkina Faso",
            });
            people += &format!("{row}\n");
        }
        std::fs::write(&path, people).unwrap();
        let organization = network_of(folder.path()).index.data.organization.id.clone();
        let key = credentials.key(&organization);
        let [less, more] = [&folder, &other]
            .map(|folder| Served::networks([network_of(folder.path())], &credentials, Limits::DEFAULT));
        for (query, mode) in
            queries.iter().flat_map(|query| [(query, "vector"), (query, "graph"), (query, "auto")])
        {
            let body = json!({
                "query": query, "mode": mode, "strictness": 1, "limit": 50, "include": ["understood", "ids"],
            });
            let one = less.post("/api/v1/search/network", &key, &body).await.json();
            let two = more.post("/api/v1/search/network", &key, &body).await.json();
            assert_eq!(one, two, "seed {seed}, {mode}: {query}");
            found += usize::from(one["meta"]["totalCount"].as_u64() > Some(0));
        }
        // The control: people whom every caller may find by name differ, so the outsiders are there.
        let path = "/api/v1/search/warm-paths?prospectId=person_zz_outsider0";
        let answers = [less.get(path, &key).await.json(), more.get(path, &key).await.json()];
        differ += usize::from(answers[0] != answers[1]);
    }
    assert!(found > 100 && differ == networks as usize, "{found} searches found people, {differ} differ");
}
