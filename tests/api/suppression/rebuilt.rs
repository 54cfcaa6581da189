//! A network without some people is, byte for byte, a build without their rows; and so are all answers.
//!
//! Promise: A network without them is what the tables without them build, table by table and answer by answer.
//! Control: one row too many or too few is another dataset.

use kith::limits::Limits;
use kith_server::graph::index::GraphIndex;
use kith_server::model::dataset::Dataset;
use kith_server::prepare::without::without as prepared_without;
use serde_json::{Value, json};

use crate::oracle::random::{Dice, random_network, random_network_search, random_request};
use crate::oracle::{Caller, Network, Tables};
use crate::support::encoding::query_string;
use crate::support::scale;
use crate::support::{Credentials, Served};
use crate::suppression::site::{Site, alone, built, fixture};
use crate::suppression::tables::{marked, named, wishes, without};

/// The fixtures, the largest only if all is to be tried.
fn fixtures() -> Vec<Tables> {
    let paths = ["fixtures/tiny", "fixtures/demo/fernhollow", "fixtures/demo/harbourlight"];
    paths[..scale::of(2, 3) as usize].iter().map(|path| fixture(path)).collect()
}

/// A network that forgets some of its people.
struct Case<'a> {
    tables: &'a Tables,
    full: Dataset,
}

impl<'a> Case<'a> {
    fn of(tables: &'a Tables) -> Self {
        Self { tables, full: built(tables) }
    }

    /// Forgets `percent` of a hundred people and some more: from memory if `in_memory`, in two steps,
    /// else at the load. Compares with what a build makes; how many are gone, and where it is served.
    async fn forget(&self, seed: u64, percent: usize, in_memory: bool) -> (usize, Site, Dataset) {
        let mut dice = Dice::new(seed);
        let mut draw = |percent| wishes(self.tables, &mut dice, percent);
        let (first, second) = (draw(percent), draw(percent / 2));
        let both = [&first[..], &second[..]].concat();
        let gone = named(self.tables, &both);
        let expected = built(&without(self.tables, &gone));
        let organization = &self.full.organization.id;
        let site = Site::of(&[&self.full]);
        if in_memory {
            site.network(organization).await;
            site.add(organization, &first);
            site.network(organization).await;
            site.add(organization, &second);
        } else {
            site.add(organization, &both);
            site.reload();
        }
        let network = site.network(organization).await;
        let built_anew = GraphIndex::build(expected.clone());
        assert!(network.index.data == built_anew.data, "seed {seed}, in memory: {in_memory}");
        assert!(derived(&network.index) == derived(&built_anew), "seed {seed}");
        assert!(network.store.is_ok(), "seed {seed}: {:?}", network.store);
        (gone.len(), site, expected)
    }
}

/// The parts of an index that depend on its edges, and on the texts it lists.
fn derived(index: &GraphIndex) -> impl PartialEq {
    (&index.near, &index.people_text, &index.employees, &index.advocacy)
}

#[tokio::test]
async fn the_fixtures_without_some_people_are_what_a_build_without_their_rows_makes() {
    for (seed, tables) in fixtures().iter().enumerate() {
        let case = Case::of(tables);
        for (percent, in_memory) in [(0, true), (5, true), (5, false), (60, true), (100, false)] {
            let gone = case.forget(seed as u64, percent, in_memory).await.0;
            let is_right = if percent == 0 { gone == 0 } else { percent < 60 || gone > 0 };
            assert!(is_right, "fixture {seed}, {percent} %");
        }
    }
}

#[tokio::test]
async fn random_networks_without_some_people_are_what_a_build_without_their_rows_makes() {
    let (mut gone, mut networks) = (0, 0);
    for seed in 0..scale::of(30, 10_000) {
        let mut tables = random_network(seed);
        if seed % 3 != 0 {
            tables = marked(&tables);
        }
        let percent = [5, 20, 60, 100][(seed % 4) as usize];
        gone += Case::of(&tables).forget(seed, percent, seed % 2 == 0).await.0;
        networks += 1;
    }
    assert!(gone > networks * 3, "only {gone} people in {networks} networks");
}

/// How many rows each table has that can refer to people, and how many paths opportunities have.
fn row_counts(dataset: &Dataset) -> [usize; 10] {
    [
        dataset.people.len(),
        dataset.members.len(),
        dataset.advocates.len(),
        dataset.intro_requests.people.len(),
        dataset.opportunities.ids.len(),
        dataset.opportunities.path_connections.len(),
        dataset.edges.out.ends.len(),
        dataset.breakdowns.len(),
        dataset.people.aliases.handles.len(),
        dataset.people.aliases.emails.len(),
    ]
}

/// The control: the networks drawn put every rule to the test, and one row too many or too few is another
/// dataset.
#[test]
fn every_table_loses_rows_and_a_row_that_stays_behind_is_noticed() {
    let mut lost = [0; 10];
    for seed in 0..40 {
        let tables = marked(&random_network(seed));
        let gone = named(&tables, &wishes(&tables, &mut Dice::new(seed), 30));
        let (full, expected) = (built(&tables), built(&without(&tables, &gone)));
        let numbers: Vec<u32> = gone.iter().map(|id| full.people.ids.find_sorted(id).unwrap()).collect();
        let remaining = |gone: &[u32]| prepared_without(&full, gone).dataset;
        assert!(remaining(&numbers) == expected, "seed {seed}");
        if let Some((_, but_one)) = numbers.split_last() {
            assert!(remaining(but_one) != expected, "seed {seed}: one is still there");
        }
        if let Some(other) = (0..full.people.len() as u32).find(|person| !numbers.contains(person)) {
            let too_many = [&numbers[..], &[other]].concat();
            assert!(remaining(&too_many) != expected, "seed {seed}: one is gone who should not be");
        }
        let (before, after) = (row_counts(&full), row_counts(&expected));
        lost.iter_mut().zip(before.iter().zip(after)).for_each(|(lost, (&before, after))| {
            *lost += usize::from(after < before);
        });
    }
    assert!(lost.iter().all(|&networks| networks > 3), "{lost:?}");
}

/// A request to `served`, drawn from the whole network: also about removed people.
async fn ask(
    served: &[&Served],
    network: &Network,
    credentials: &Credentials,
    organization: &str,
    seed: u64,
) {
    let mut dice = Dice::new(seed);
    let credential = |caller: &Caller| match caller {
        Caller::Organization => credentials.key(organization),
        Caller::User(user) => credentials.token(organization, user),
    };
    let mut answers = Vec::new();
    if dice.chance(30) {
        let search = random_network_search(network, &mut dice);
        let mut body: Value = search.body;
        body["mode"] = json!(dice.pick(&["auto", "vector", "graph", "relational"]));
        for served in served {
            let answer = served.post("/api/v1/search/network", &credential(&search.caller), &body).await;
            answers.push((body.to_string(), answer));
        }
    } else {
        let request = random_request(network, &mut dice);
        let path: Vec<String> = request.path.split('/').map(crate::support::encoding::encoded).collect();
        let path = format!("{}?{}", path.join("/"), query_string(&request.params));
        for served in served {
            answers.push((path.clone(), served.get(&path, &credential(&request.caller)).await));
        }
    }
    let [(asked, got), (_, expected)] = &answers[..] else { panic!("two were asked") };
    assert!(
        got.visible() == expected.visible(),
        "seed {seed}: {asked}\ngot      {}\nexpected {}",
        String::from_utf8_lossy(&got.bytes),
        String::from_utf8_lossy(&expected.bytes)
    );
}

#[tokio::test]
async fn all_answers_are_those_of_a_network_built_without_them() {
    let credentials = Credentials::new();
    let fixtures = fixtures();
    for round in 0..scale::of(14, 2_000) {
        let tables = match fixtures.get(round as usize) {
            Some(tables) => tables.clone(),
            None if round % 2 == 0 => marked(&random_network(round)),
            None => random_network(round),
        };
        let (_, site, expected) = Case::of(&tables).forget(round, 25, round % 3 != 0).await;
        let place = tempfile::tempdir().unwrap();
        let organization = expected.organization.id.clone();
        let expected = Served::networks([alone(&expected, place.path())], &credentials, Limits::DEFAULT);
        let network = Network::from_tables(&tables);
        for seed in 0..60 {
            let seed = round * 1_000 + seed;
            ask(&[&site.served(&credentials), &expected], &network, &credentials, &organization, seed).await;
        }
    }
}
