//! Changes between two networks against the oracle: over HTTP, page by page, and by `kith diff` on two files; and
//! reports that are wrong in one way.
//!
//! Promise: `GET /changes` answers every change between two generations and none else, by pages, for keys and tokens
//!   alike; `kith diff` prints the same of two files, and of those who are listed.
//! Control: of the same trials a report without one of the seven kinds, backwards, of one side or degree alone, without
//!   bounds, by kind, and eight broken rules of the oracle: each fails one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use clap::{Args, Command, FromArgMatches};
use kith::limits::Limits;
use kith_server::cli::diff::DiffCommand;
use kith_server::query::changes::ChangeKind;
use kith_server::snapshot::write::write;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use serde_json::{Value, json};

use super::case::limits;
use crate::oracle::random::{Dice, random_caps, random_edits, random_network};
use crate::oracle::{Caps, Mistake, Network, Rules, Tables};
use crate::support::{Credentials, Served, network_of};

const PAIRS: u64 = 1_000;
const PATH: &str = "/api/v1/changes";

/// A network and a later one.
struct Pair {
    seed: u64,
    old: Tables,
    new: Tables,
    caps: Caps,
}

impl Pair {
    fn draw(seed: u64) -> Self {
        let (old, caps) = (random_network(seed), random_caps(seed));
        let dice = &mut Dice::new(seed);
        let percent = dice.pick(&[0, 4, 10, 40]);
        let new = random_edits(&old, percent, dice);
        Self { seed, old, new, caps }
    }

    /// The two as the oracle has them, by rules with this mistake.
    fn networks(&self, mistake: Option<Mistake>) -> [Network; 2] {
        let rules = || mistake.map_or_else(Rules::default, Rules::with);
        [&self.old, &self.new].map(|tables| Network::from_tables_by(rules(), tables))
    }

    fn expected(&self) -> Vec<Value> {
        let [old, new] = self.networks(None);
        old.changes_to(&new, &self.caps)
    }

    /// Every change that a service answers, by pages; each page is checked against the oracle's envelope.
    async fn answered(&self, credentials: &Credentials) -> Vec<Value> {
        let [old, new] = [&self.old, &self.new].map(|tables| {
            let folder = tempfile::tempdir().unwrap();
            tables.write(folder.path());
            network_of(folder.path())
        });
        let organization = new.index.data.organization.id.clone();
        let member = new.index.data.members.user_ids.iter().next().map(str::to_owned);
        let served = Served::since(old, new, credentials, limits(&self.caps));
        let callers =
            [Some(credentials.key(&organization)), member.map(|it| credentials.token(&organization, &it))];
        let limit = Dice::new(self.seed).pick(&[1, 7, 50]);
        let mut listed = Vec::new();
        loop {
            let path = format!("{PATH}?since=1&limit={limit}&offset={}", listed.len());
            let mut pages = Vec::new();
            for caller in callers.iter().flatten() {
                let answer = served.get(&path, caller).await;
                assert_eq!(answer.status.as_u16(), 200);
                pages.push(answer);
            }
            assert!(pages.iter().all(|page| page.bytes == pages[0].bytes), "for keys and tokens alike");
            let now: u64 = pages[0].header("service-generation").unwrap().parse().unwrap();
            let mut data = pages[0].json()["data"].take();
            let page: Vec<Value> = serde_json::from_value(data["changes"].take()).unwrap();
            let (before, total) = (listed.len(), data["totalCount"].as_u64().unwrap() as usize);
            listed.extend(page.clone());
            let mut envelope = json!({
                "changes": null, "since": 1, "generation": now, "totalCount": total, "returnedCount": page.len(),
                "limit": limit, "offset": before, "hasMore": listed.len() < total,
            });
            if listed.len() < total {
                envelope["nextOffset"] = listed.len().into();
                assert_eq!(page.len(), limit, "a page that is not the last is full");
            }
            assert_eq!(data, envelope, "seed {}", self.seed);
            if listed.len() >= total {
                return listed;
            }
        }
    }
}

/// Two snapshot files, for `kith diff`.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn of(pair: &Pair) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, tables) in [("old", &pair.old), ("new", &pair.new)] {
            let place = folder.path().join(name);
            fs::create_dir(&place).unwrap();
            tables.write(&place);
            let dataset = read_folder(&place, &Silent).unwrap().dataset;
            write(&folder.path().join(format!("{name}.kith")), &dataset).unwrap();
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// The output of the command with `--json`.
    fn diff(&self, more: &[&str]) -> Vec<Value> {
        let (old, new) = (self.path("old.kith"), self.path("new.kith"));
        let args = ["diff", &*old, &*new, "--json"].into_iter().chain(more.iter().copied());
        let matches = DiffCommand::augment_args(Command::new("diff")).get_matches_from(args);
        let mut out = Vec::new();
        DiffCommand::from_arg_matches(&matches).unwrap().write(&mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The first change that one of them has and the other one has not, or not there.
fn difference<'a>(got: &'a [Value], expected: &'a [Value]) -> Option<(Option<&'a Value>, Option<&'a Value>)> {
    let pairs = (0..got.len().max(expected.len())).map(|at| (got.get(at), expected.get(at)));
    pairs.into_iter().find(|(got, expected)| got != expected)
}

fn kind(change: &Value) -> &str {
    change["kind"].as_str().unwrap()
}

#[test]
fn kith_diff_prints_every_change_and_none_else_of_all_or_of_those_who_are_listed() {
    let (mut listed, mut outside) = (0, 0);
    for seed in 0..PAIRS {
        let mut pair = Pair::draw(seed);
        pair.caps = Caps::default();
        let files = Files::of(&pair);
        let everybody = pair.expected();
        assert_eq!(difference(&files.diff(&[]), &everybody), None, "seed {seed}");
        if seed % 4 != 0 {
            continue;
        }
        let [old, new] = pair.networks(None);
        let dice = &mut Dice::new(seed);
        let all = old.people.keys().chain(new.people.keys());
        let some: BTreeSet<String> = all.filter(|_| dice.chance(30)).cloned().collect();
        let list: String = some.iter().rev().map(|id| format!("{}\n", json!({ "id": id }))).collect();
        fs::write(files.path("targets"), list).unwrap();
        let got = files.diff(&["--targets", &files.path("targets")]);
        let expected = old.changes_of_all(&new, &some, &pair.caps);
        assert_eq!(difference(&got, &expected), None, "seed {seed}");
        listed += got.len();
        outside += got.iter().filter(|change| !everybody.contains(change)).count();
    }
    assert!(listed > 300 && outside > 5, "{listed}, {outside}");
}

/// Possible faults of a report beside the walk.
#[derive(Clone, Copy, Debug)]
enum Flaw {
    /// One kind is left out.
    Without(ChangeKind),
    /// From the later network to the earlier one.
    Backwards,
    /// Only people inside the later network.
    OfTheLaterAlone,
    /// Only people of first degree.
    OfFirstDegreeAlone,
    /// The best path within other bounds than those in force.
    WithoutBounds,
    /// By kind, then by person.
    ByKind,
}

const FLAWS: [Flaw; 12] = [
    Flaw::Without(ChangeKind::Reachable),
    Flaw::Without(ChangeKind::Unreachable),
    Flaw::Without(ChangeKind::Warmer),
    Flaw::Without(ChangeKind::Colder),
    Flaw::Without(ChangeKind::Connector),
    Flaw::Without(ChangeKind::Position),
    Flaw::Without(ChangeKind::Company),
    Flaw::Backwards,
    Flaw::OfTheLaterAlone,
    Flaw::OfFirstDegreeAlone,
    Flaw::WithoutBounds,
    Flaw::ByKind,
];

impl Flaw {
    /// The faulty report instead of the changes `expected` from `old` to `new`.
    fn instead(self, [old, new]: &[Network; 2], caps: &Caps, expected: &[Value]) -> Vec<Value> {
        let within = |people: BTreeSet<String>| old.changes_of_all(new, &people, caps);
        match self {
            Self::Without(ignored) => {
                expected.iter().filter(|change| kind(change) != ignored.name()).cloned().collect()
            }
            Self::Backwards => new.changes_to(old, caps),
            Self::OfTheLaterAlone => within(new.first_degree() | new.second_degree()),
            Self::OfFirstDegreeAlone => within(old.first_degree() | new.first_degree()),
            Self::WithoutBounds => {
                let most = Limits::MAX as usize;
                let (edges_per_target, edges_per_connector) = (most, most);
                let caps = Caps { edges_per_target, edges_per_connector, ..caps.clone() };
                old.changes_to(new, &caps)
            }
            Self::ByKind => {
                let mut changes = expected.to_vec();
                changes.sort_by_key(|change| ChangeKind::ALL.iter().position(|it| it.name() == kind(change)));
                changes
            }
        }
    }
}

/// Broken rules of the oracle that a best path depends on.
const MISTAKES: [Mistake; 8] = [
    Mistake::NoImpliedEdge,
    Mistake::FirstParallelEdgeStays,
    Mistake::UnscoredFirst,
    Mistake::LegsRoundedOneByOne,
    Mistake::HalvesRoundDown,
    Mistake::KnownContactsThroughAdvocates,
    Mistake::PathTiesDescend,
    Mistake::OneBoundForMembersAndAdvocates,
];

/// With its control: of the same trials, a report with one flaw, or of paths by a broken rule, fails one.
#[tokio::test]
async fn every_change_is_answered_and_none_invented_and_a_report_that_is_wrong_in_one_way_is_caught() {
    let credentials = Credentials::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut flaws: Vec<Flaw> = FLAWS.into();
    let mut mistakes: Vec<Mistake> = MISTAKES.into();
    for seed in 0..PAIRS {
        let pair = Pair::draw(seed);
        let [old, new] = pair.networks(None);
        let (got, expected) = (pair.answered(&credentials).await, old.changes_to(&new, &pair.caps));
        assert_eq!(difference(&got, &expected), None, "seed {seed}");
        got.iter().for_each(|change| *counts.entry(kind(change).to_owned()).or_default() += 1);
        let networks = [old, new];
        flaws.retain(|flaw| difference(&got, &flaw.instead(&networks, &pair.caps, &expected)).is_none());
        mistakes.retain(|&mistake| {
            let [old, new] = pair.networks(Some(mistake));
            difference(&got, &old.changes_to(&new, &pair.caps)).is_none()
        });
    }
    let rare: Vec<_> =
        ChangeKind::ALL.into_iter().filter(|kind| counts.get(kind.name()) < Some(&50)).collect();
    assert_eq!(rare, [], "{counts:?}");
    assert!(flaws.is_empty() && mistakes.is_empty(), "not caught: {flaws:?} {mistakes:?}");
}
