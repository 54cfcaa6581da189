//! The network of the benches: generated once, kept as a snapshot in the bench's own cache.
//!
//! 1,000,000 people and 20,000,000 edges; 20,000 and 200,000 if benches run once as tests.
#![allow(dead_code, reason = "each bench uses a part of this")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use kith_embed::of_tables as vectors;
use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::graph::index::GraphIndex;
use kith_server::model::column::{DictionaryColumn, TextColumn};
use kith_server::model::dataset::Dataset;
use kith_server::model::evidence::Evidence;
use kith_server::model::ix::{MemberIx, PersonIx};
use kith_server::model::warmness::Warmness;
use kith_server::prepare::edges::{EdgeRow, build};
use kith_server::relational::pair;
use kith_server::snapshot::read::load;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The allocator of the program: its huge pages make a second-degree window a third faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Whether benches run once as tests: as in criterion, unless cargo passes `--bench`.
pub(crate) fn is_test() -> bool {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    has("--test") || !has("--bench")
}

/// The snapshot of the network, built if it does not exist.
pub(crate) fn snapshot_file() -> Result<PathBuf, Box<dyn Error>> {
    let (people, edges) = if is_test() { (20_000, 200_000) } else { (1_000_000, 20_000_000) };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = cache.join(format!("bench-{people}-{edges}.kith"));
    if !file.exists() {
        let tables = cache.join(format!("bench-{people}-{edges}"));
        fs::create_dir_all(&tables)?;
        write_tables(&Plan::sized(people, edges), &tables)?;
        pair::write(&file, &read_folder(&tables, &Silent)?.dataset)?;
        fs::remove_dir_all(&tables)?;
    }
    Ok(file)
}

/// The tables of that network.
pub(crate) fn dataset() -> Result<Dataset, Box<dyn Error>> {
    Ok(load(&snapshot_file()?)?.dataset)
}

/// The index of that network.
pub(crate) fn index() -> Result<GraphIndex, Box<dyn Error>> {
    Ok(GraphIndex::build(dataset()?))
}

/// `count` people, uniformly drawn.
pub(crate) fn anybody(index: &GraphIndex, count: usize) -> Vec<PersonIx> {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    (0..count).map(|_| PersonIx(dice.next_u32() % index.data.people.len() as u32)).collect()
}

/// `count` people, drawn in proportion to their incoming edges, as callers ask for them.
pub(crate) fn well_known(index: &GraphIndex, count: usize) -> Vec<PersonIx> {
    let mut dice = ChaCha8Rng::seed_from_u64(2);
    let edges = &index.data.edges.out.ends;
    (0..count).map(|_| edges[(dice.next_u64() % edges.len() as u64) as usize]).collect()
}

/// The `count` people with the most incoming edges.
pub(crate) fn hubs(index: &GraphIndex, count: usize) -> Vec<PersonIx> {
    let mut people: Vec<PersonIx> = (0..index.data.people.len() as u32).map(PersonIx).collect();
    people.sort_by_key(|&person| std::cmp::Reverse(index.data.edges.into.edge_count(person)));
    people.truncate(count);
    people
}

/// Replaces the edges: one person knows everybody, and nobody else knows anybody.
pub(crate) fn put_in_reach(dataset: &mut Dataset) -> Result<(), Box<dyn Error>> {
    let hub = dataset.members.person(MemberIx(0));
    let everybody = (0..dataset.people.len() as u32).map(PersonIx);
    let edge = |to| EdgeRow { from: hub, to, score: Warmness::UNSCORED, breakdown: 0 };
    let rows = everybody.filter(|&to| to != hub).map(edge).collect();
    dataset.edges = build(dataset.people.len(), rows, &[])?.0;
    // Both refer to edges that no longer exist.
    dataset.advocates.clear();
    dataset.evidence = Evidence::default();
    Ok(())
}

/// Gives one person in `one_in` a unique position, as self-written positions are.
pub(crate) fn vary_positions(dataset: &mut Dataset, one_in: u32) -> Result<(), Box<dyn Error>> {
    let positions = &dataset.people.positions;
    let vary = |row: u32| match row % one_in {
        1 => format!("{}, unit {} of {}", positions.get(row), row, row % 3001),
        _ => positions.get(row).to_owned(),
    };
    let texts: Vec<String> = (0..dataset.people.len() as u32).map(vary).collect();
    let column = TextColumn::from_texts(texts.iter().map(String::as_str))?;
    dataset.people.positions = DictionaryColumn::from_texts(&column);
    dataset.vectors = vectors::build(&dataset.people, &dataset.companies);
    Ok(())
}
