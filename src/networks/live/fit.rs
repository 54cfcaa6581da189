//! Whether a snapshot fits in memory beside the networks in service, decided before it is read.
//!
//! The memory of a load follows from the lengths of the snapshot's sections. The weights are measured on networks of
//! 2,000 to 1,000,000 people (`tests/process/memory.rs` enforces them): the index stores near edges a second time and
//! first collects them in parts, it stores folded texts and splits words, and the allocator keeps some pages for each
//! thread that works on a load.

use std::fs::File;
use std::path::Path;

use crate::live::refusal::RefusedNetwork;
use crate::memory::Memory;
use crate::query::changes::{CHANGES_OF_ONE_MAX, NotedChange};
use crate::snapshot::SnapshotError;
use crate::snapshot::read::{read_section_lengths, section_lengths_of};

/// Minimum memory of any load, in bytes.
const LEAST_BYTES: u64 = 24 << 20;
/// Memory that the allocator keeps for a load, in bytes, besides that of each thread; and its maximum per byte of a
/// small snapshot.
const KEPT_BYTES: u64 = 8 << 20;
const KEPT_BYTES_OF_THREAD: u64 = 10 << 20;
const KEPT_OF_EACH_BYTE_MAX: u64 = 32;
/// Tenths of a byte in memory per byte of the sections of edges, and of the others.
const TENTHS_OF_EDGES: u64 = 24;
const TENTHS_OF_OTHERS: u64 = 20;

/// Memory of the changes per person in either network, in bytes: at most [`CHANGES_OF_ONE_MAX`] for a person in both,
/// one for any other, and a growing list exists up to three times.
const CHANGES_BYTES_OF_ONE: u64 = 3 * (CHANGES_OF_ONE_MAX * size_of::<NotedChange>() / 2) as u64;
/// Minimum size of a person's id in a snapshot, in bytes: `person_`, a letter, and its offset.
const ID_BYTES_MIN: u64 = 12;

/// Upper bound on the memory, in bytes, that the process gains while it loads the snapshot at `path`; `without` some of
/// its people, the tables exist twice for a while. Reads only the header.
///
/// # Errors
/// Returns an error if the header cannot be read, or is not sound.
pub fn memory_for(path: &Path, without: Without) -> Result<u64, SnapshotError> {
    Ok(memory_for_sections(&read_section_lengths(path)?, without))
}

/// Like [`memory_for`], for a snapshot with these `sections`: their names and lengths in bytes.
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

/// Whether a network leaves out some of the people in its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// With everybody.
    Nobody,
    /// Possibly without some of them.
    Some,
}

/// Upper bound on the memory, in bytes, taken beside the snapshot at `path` when the previous network `before` is kept:
/// the changes between the two, and another copy of `before`'s tables and index if it must be rebuilt `without` some
/// people. When the snapshot at `path` is read, both networks themselves are already in memory.
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

/// The size of a kept network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptSize {
    /// Its people.
    pub people: u64,
    /// Size of its index, tables included, in bytes.
    pub bytes: u64,
}

/// Checks that there is memory to load the `snapshot`, whose file has this `name`, and for `beside` more bytes.
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
        // Everybody has another best path, position and company.
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
        // A growing vector exists twice for a moment.
        let taken = (3 * noted.len() * size_of::<NotedChange>()) as u64;
        assert!(estimate >= taken && estimate <= 2 * taken, "{estimate}, {taken}");
        // The control: counting one change per person would be too little.
        assert!(estimate / CHANGES_OF_ONE_MAX as u64 <= taken);
        let with_list = memory_beside(&path, size, Without::Some).unwrap();
        assert_eq!(with_list, estimate + size.bytes, "what is kept has to be made once more");
    }
}
