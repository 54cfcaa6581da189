//! Changes between two networks against the oracle, and a report that leaves one kind out.

use std::collections::BTreeMap;

use kith::api::changes::write_change;
use kith::api::json::Json;
use kith::graph::index::GraphIndex;
use kith::query::changes::{ChangeKind, Comparison};
use kith::source::build::read_folder;
use kith::source::progress::Silent;
use serde_json::Value;

use super::case::limits;
use crate::oracle::random::{Dice, random_caps, random_edits, random_network};
use crate::oracle::{Network, Tables};

const PAIRS: u64 = 1_000;

/// A network, a later one, and what changed in between as the engine and as the oracle say it.
struct Trial {
    got: Vec<Value>,
    expected: Vec<Value>,
}

impl Trial {
    fn draw(seed: u64) -> Self {
        let (tables, caps) = (random_network(seed), random_caps(seed));
        let dice = &mut Dice::new(seed);
        let percent = dice.pick(&[0, 4, 10, 40]);
        let later = random_edits(&tables, percent, dice);
        let [old, new] = [&tables, &later].map(index);
        let limits = limits(&caps);
        let comparison = Comparison::new(&old, &new, &limits);
        let got = comparison.changes(&comparison.everybody());
        let got = got.iter().map(|change| {
            let mut json = Json::default();
            json.object(|json| write_change(json, change));
            serde_json::from_slice(&json.into_bytes()).unwrap()
        });
        let [old, new] = [&tables, &later].map(Network::from_tables);
        Self { got: got.collect(), expected: old.changes_to(&new, &caps) }
    }

    /// The first change that one of them has and the other one has not, or not there.
    fn difference(&self) -> Option<(Option<&Value>, Option<&Value>)> {
        let length = self.got.len().max(self.expected.len());
        let pairs = (0..length).map(|at| (self.got.get(at), self.expected.get(at)));
        pairs.into_iter().find(|(got, expected)| got != expected)
    }
}

fn index(tables: &Tables) -> GraphIndex {
    let folder = tempfile::tempdir().unwrap();
    tables.write(folder.path());
    GraphIndex::build(read_folder(folder.path(), &Silent).unwrap().dataset)
}

fn kind(change: &Value) -> &str {
    change["kind"].as_str().unwrap()
}

#[test]
fn every_change_between_two_networks_is_reported_and_none_invented() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..PAIRS {
        let trial = Trial::draw(seed);
        assert_eq!(trial.difference(), None, "seed {seed}");
        trial.got.iter().for_each(|change| *counts.entry(kind(change).to_owned()).or_default() += 1);
    }
    let rare: Vec<_> =
        ChangeKind::ALL.into_iter().filter(|kind| counts.get(kind.name()) < Some(&50)).collect();
    assert_eq!(rare, [], "{counts:?}");
}

/// The control: of the same trials, a report that leaves one kind out fails one.
#[test]
fn a_report_without_one_of_the_kinds_is_caught() {
    let trials: Vec<Trial> = (0..200).map(Trial::draw).collect();
    for ignored in ChangeKind::ALL {
        let is_caught = trials.iter().any(|trial| {
            let got = trial.got.iter().filter(|change| kind(change) != ignored.name()).cloned().collect();
            Trial { got, expected: trial.expected.clone() }.difference().is_some()
        });
        assert!(is_caught, "{ignored:?}");
    }
}
