//! Datasets to build stores from, and pairs of files in their own folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kith_embed::of_tables as vectors;
use kith_server::model::column::{DictionaryColumn, TextColumn};
use kith_server::model::dataset::Dataset;
use kith_server::model::ix::{MemberIx, PersonIx};
use kith_server::model::warmness::Warmness;
use kith_server::prepare::edges::{EdgeRow, build};
use kith_server::relational::lookup::{Lookup, Match, TextField};
use kith_server::relational::pair;
use kith_server::relational::path_beside;
use kith_server::relational::store::RelationalStore;
use kith_server::snapshot::header::Identity;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use tempfile::TempDir;

/// Longer than any look-up takes, on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// The network of the source tables at `folder`, a path in the project.
pub(crate) fn fixture(folder: &str) -> Dataset {
    read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &Silent).unwrap().dataset
}

/// Texts in which the full-text index, or a query for it, could see more than words.
pub(crate) const STRANGE: [&str; 16] = [
    "Head of AND / OR",
    "NOT NEAR East, managing",
    "C++ & C# Engineer",
    "\"Quoted\" manager's manager",
    "Rust 🦀 engineer ★",
    "x\0y z",
    "पता हिन्दी अनुवादक",
    "東京 manager",
    "Straße, façade NAÏVE",
    "한국어 번역가",
    "text:column ^first -minus +plus star*",
    "☃",
    "vice-president vice president",
    "president, vice",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "';DROP TABLE people;--",
];

/// The tiny network with strange positions, everybody in reach.
pub(crate) fn strange() -> Dataset {
    let mut dataset = fixture("fixtures/tiny");
    let count = dataset.people.len();
    set_positions(&mut dataset, &STRANGE[..count]);
    // One member knows all others, and another one knows that member.
    let [hub, other] = [0, 1].map(|member| dataset.members.person(MemberIx(member)));
    let edge = |from, to| EdgeRow { from, to, score: Warmness::UNSCORED, breakdown: 0 };
    let others = (0..count as u32).map(PersonIx).filter(|&to| to != hub);
    let rows = others.map(|to| edge(hub, to)).chain([edge(other, hub)]).collect();
    dataset.advocates.clear();
    dataset.edges = build(count, rows, &[]).unwrap().0;
    dataset
}

/// Gives each person another position.
pub(crate) fn set_positions(dataset: &mut Dataset, positions: &[&str]) {
    let column = TextColumn::from_texts(positions.iter().copied()).unwrap();
    dataset.people.positions = DictionaryColumn::from_texts(&column);
    dataset.vectors = vectors::build(&dataset.people, &dataset.companies);
}

/// A snapshot and its store.
pub(crate) struct Files {
    folder: TempDir,
    pub(crate) identity: Identity,
    pub(crate) people: u32,
}

impl Files {
    pub(crate) fn of(dataset: &Dataset) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pair = pair::write(&folder.path().join("net.kith"), dataset).unwrap();
        Self { folder, identity: pair.snapshot.identity, people: dataset.people.len() as u32 }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn snapshot(&self) -> PathBuf {
        self.folder.path().join("net.kith")
    }

    pub(crate) fn store(&self) -> PathBuf {
        path_beside(&self.snapshot())
    }

    pub(crate) fn open(&self) -> Result<RelationalStore, kith_server::relational::error::StoreUnusable> {
        RelationalStore::open(&self.snapshot(), self.identity, self.people)
    }
}

/// Phrases, each some words apart by a space.
pub(crate) fn phrases(phrases: &[&str]) -> Vec<Vec<String>> {
    phrases.iter().map(|phrase| phrase.split(' ').map(str::to_owned).collect()).collect()
}

/// The fits that the store finds, by person.
pub(crate) fn find(
    store: &RelationalStore,
    fields: &[TextField],
    phrases: &[Vec<String>],
) -> Result<Vec<Match>, kith_server::relational::error::RelationalError> {
    let mut found = store.find(&Lookup { fields, phrases }, Instant::now() + PATIENCE)?;
    found.sort_unstable();
    Ok(found)
}
