//! Whether a snapshot fits in memory beside what is in service, before it is read.
//!
//! What a load takes follows from the lengths of the snapshot's sections. The weights are measured on networks of
//! 2,000 to 1,000,000 people (`tests/process/memory.rs` holds them to it): of the edges the index keeps the near ones
//! once more and collects them in parts first, of the texts it keeps folded ones and takes words apart, and the
//! allocator keeps some pages for each thread that works on a load.

use std::fs::File;
use std::path::Path;

use crate::live::refusal::RefusedNetwork;
use crate::memory::Memory;
use crate::query::changes::{CHANGES_OF_ONE_MAX, NotedChange};
use crate::snapshot::SnapshotError;
use crate::snapshot::read::{read_section_lengths, section_lengths_of};

/// What even the smallest load takes, in bytes.
const LEAST_BYTES: u64 = 24 << 20;
/// What the allocator keeps for a load, in bytes, beside that for each of its threads; and what it keeps at most for
/// each byte of a small snapshot.
const KEPT_BYTES: u64 = 8 << 20;
const KEPT_BYTES_OF_THREAD: u64 = 10 << 20;
const KEPT_OF_EACH_BYTE_MAX: u64 = 32;
/// Tenths of a byte in memory for each byte of the sections of edges, and of the others.
const TENTHS_OF_EDGES: u64 = 24;
const TENTHS_OF_OTHERS: u64 = 20;

/// What the changes take, in bytes, for each person in either network: of a person in both there are at most
/// [`CHANGES_OF_ONE_MAX`], of any other one, and a list that grows is there up to three times.
const CHANGES_BYTES_OF_ONE: u64 = 3 * (CHANGES_OF_ONE_MAX * size_of::<NotedChange>() / 2) as u64;
/// The least that a person's id takes in a snapshot, in bytes: `person_`, a letter, and its place.
const ID_BYTES_MIN: u64 = 12;

/// How many bytes of memory the process grows by at most while the snapshot at `path` is loaded, also `without` some of
/// its people: then the tables are in memory twice for a while. Reads its header alone.
///
/// # Errors
/// Returns an error if the header cannot be read, or is not sound.
pub fn memory_for(path: &Path, without: Without) -> Result<u64, SnapshotError> {
    Ok(memory_for_sections(&read_section_lengths(path)?, without))
}

/// Like [`memory_for`], of a snapshot with these `sections`: their names and lengths in bytes.
fn memory_for_sections(sections: &[(&'static str, u64)], without: Without) -> u64 {
    let sum = |of_edges: bool| -> u64 {
        let wanted = sections.iter().filter(|(name, _)| name.starts_with("edges.") == of_edges);
        wanted.fold(0, |sum, &(_, bytes)| sum.saturating_add(bytes))
    };
    let (edges, others) = (sum(true), sum(false));
    let tables = edges.saturating_add(others);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let kept = tables.saturating_mul(KEPT_OF_EACH_BYTE_MAX).min(KEPT_BYTES + threads * KEPT_BYTES_OF_THREAD);
    let index = edges / 10 * TENTHS_OF_EDGES + others / 10 * TENTHS_OF_OTHERS;
    let again = if without == Without::Some { tables } else { 0 };
    LEAST_BYTES + kept + index.saturating_add(again)
}

/// Whether a network is made without some of the people in its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// With everybody.
    Nobody,
    /// Without some of them, perhaps.
    Some,
}

/// How many bytes of memory are taken at most beside the snapshot at `path`, once the network `before` it, with so many
/// people, is kept: the changes between the two, and if it has to be made `without` some of its people too, its tables
/// and index of so many bytes once more. Both networks themselves are in memory already when the one at `path` is read.
///
/// # Errors
/// Returns an error if the header of the snapshot cannot be read, or is not sound.
pub fn memory_beside(path: &Path, before: KeptSize, without: Without) -> Result<u64, SnapshotError> {
    let sections = read_section_lengths(path)?;
    let ids = sections.iter().find(|(name, _)| *name == "people.ids").map_or(0, |&(_, bytes)| bytes);
    let people = before.people.saturating_add(ids / ID_BYTES_MIN);
    let again = if without == Without::Some { before.bytes } else { 0 };
    Ok(people.saturating_mul(CHANGES_BYTES_OF_ONE).saturating_add(again))
}

/// The size of a network that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptSize {
    /// Its people.
    pub people: u64,
    /// Bytes of its index, tables included.
    pub bytes: u64,
}

/// Checks that there is memory to load the `snapshot`, whose file has this `name`, and for `beside` bytes more.
///
/// # Errors
/// Returns an error if there is not, or the snapshot's header is not sound.
pub(crate) fn check_fits(
    snapshot: &File,
    name: &str,
    without: Without,
    beside: u64,
    memory: &Memory,
) -> Result<(), RefusedNetwork> {
    let needed = memory_for_sections(&section_lengths_of(snapshot)?, without).saturating_add(beside);
    match memory.left() {
        Some(left) if left.bytes < needed => Err(RefusedNetwork::NoMemory {
            file: name.to_owned(),
            needed: megabytes(needed),
            left: left.bytes >> 20,
            bound: left.bound.name(),
        }),
        _ => Ok(()),
    }
}

/// In MiB, rounded up.
pub(crate) fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::changes::Comparison;
    use crate::snapshot::write::write;
    use kith::limits::Limits;
    use kith_embed::sketch::{dataset, net};

    #[test]
    fn what_changes_take_at_most_is_estimated_before_they_are_known() {
        let sketch = |leg: &str, rest: &str| {
            let lines = (0..200).map(|person| format!("{leg} p{person} {rest}\n"));
            format!("member ann, bea\n{}", lines.collect::<String>())
        };
        // Of everybody the best path, the position and the company are others.
        let before = sketch("ann -50->", "(position: A) @ one");
        let after = sketch("bea -60->", "(position: B) @ two");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("after.kith");
        write(&path, &dataset(&after)).unwrap();
        let (old, new) = (net(&before), net(&after));
        let comparison = Comparison::new(&old, &new, &Limits::DEFAULT);
        let mut noted = Vec::new();
        comparison.everybody().for_each(|person| comparison.note(person, &mut noted));
        assert_eq!(noted.len(), 200 * CHANGES_OF_ONE_MAX);
        let size = KeptSize { people: old.data.people.len() as u64, bytes: old.size_bytes() as u64 };
        let estimate = memory_beside(&path, size, Without::Nobody).unwrap();
        // A vector that grows is there twice for a moment.
        let taken = (3 * noted.len() * size_of::<NotedChange>()) as u64;
        assert!(estimate >= taken && estimate <= 2 * taken, "{estimate}, {taken}");
        // The control: by what those take of whom one thing changed it would be too little.
        assert!(estimate / CHANGES_OF_ONE_MAX as u64 <= taken);
        let with_list = memory_beside(&path, size, Without::Some).unwrap();
        assert_eq!(with_list, estimate + size.bytes, "what is kept has to be made once more");
    }
}
