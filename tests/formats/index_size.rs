//! The memory of an index, for networks from `kith generate`.
//!
//! Promise: The memory of an edge and of a person in service has a bound, by the lengths of the tables.
//! Control: the same trial with the incoming edges kept, and with four bytes for the breakdown of each edge.

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::graph::index::{GraphIndex, SnapshotIndex};
use kith_server::model::numbers::Numbers;
use kith_server::snapshot;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

const PEOPLE: u32 = 4_000;
const EDGES: [u64; 2] = [20_000, 80_000];
/// Maximum bytes of an edge, in a network where many edges start near a member.
const BYTES_OF_EDGE_MAX: f64 = 25.5;
/// Maximum bytes of a person, without their edges.
const BYTES_OF_PERSON_MAX: f64 = 400.0;

/// The index of a generated network, as it is read from a snapshot.
fn index(people: u32, edges: u64) -> GraphIndex {
    let folder = tempfile::tempdir().unwrap();
    write_tables(&Plan { histories: 0, ..Plan::sized(people, edges) }, folder.path()).unwrap();
    let file = folder.path().join("it.kith");
    snapshot::write::write(&file, &read_folder(folder.path(), &Silent).unwrap().dataset).unwrap();
    GraphIndex::build(snapshot::read::load(&file).unwrap().dataset)
}

/// Bytes of each further edge among as many people.
fn of_edge(indexes: &[GraphIndex; 2]) -> f64 {
    let [few, many] = indexes.each_ref().map(|index| (index.size_bytes(), index.data.edges.out.ends.len()));
    (many.0 - few.0) as f64 / (many.1 - few.1) as f64
}

#[test]
fn an_edge_and_a_person_take_so_many_bytes_and_no_more() {
    let indexes = EDGES.map(|edges| index(PEOPLE, edges));
    let edge = of_edge(&indexes);
    assert!(edge <= BYTES_OF_EDGE_MAX, "{edge} bytes for each edge");
    // The controls: with as many incoming edges kept, or with four bytes for each breakdown.
    type Undo = fn(&mut SnapshotIndex);
    let controls: [Undo; 2] = [
        |index| index.data.edges.into = index.data.edges.out.clone(),
        |index| index.data.edges.breakdowns = Numbers::Wide(index.data.edges.breakdowns.iter().collect()),
    ];
    for undo in controls {
        let mut indexes = EDGES.map(|edges| index(PEOPLE, edges));
        indexes.iter_mut().for_each(|index| undo(index.snapshot_mut()));
        let control = of_edge(&indexes);
        assert!(control > BYTES_OF_EDGE_MAX, "{control} bytes for each edge");
    }
    let more_people = index(2 * PEOPLE, EDGES[0]);
    let [few, many] = [&indexes[0], &more_people].map(|index| index.size_bytes() as f64);
    let person = (many - few) / f64::from(PEOPLE);
    assert!(person <= BYTES_OF_PERSON_MAX, "{person} bytes for each person");
}
