//! Whether a snapshot fits in memory beside what is in service, before it is read.
//!
//! What a load takes follows from the lengths of the snapshot's sections. The weights are measured on networks of
//! 2,000 to 1,000,000 people (`tests/process/memory.rs` holds them to it): of the edges the index keeps the near ones
//! once more and collects them in parts first, of the texts it keeps folded ones and takes words apart, and the
//! allocator keeps some pages for each thread that works on a load.

use std::path::Path;

use crate::live::refusal::RefusedNetwork;
use crate::memory::Memory;
use crate::snapshot::SnapshotError;
use crate::snapshot::read::read_section_lengths;

/// What even the smallest load takes, in bytes.
const LEAST_BYTES: u64 = 12 << 20;
/// What the allocator keeps for a load, in bytes, beside that for each of its threads; and what it keeps at most for
/// each byte of a small snapshot.
const KEPT_BYTES: u64 = 32 << 20;
const KEPT_BYTES_OF_THREAD: u64 = 12 << 20;
const KEPT_OF_EACH_BYTE_MAX: u64 = 40;
/// Tenths of a byte in memory for each byte of the sections of edges, and of the others.
const TENTHS_OF_EDGES: u64 = 24;
const TENTHS_OF_OTHERS: u64 = 20;

/// How many bytes of memory the process grows by at most while the snapshot at `path` is loaded, also `without` some of
/// its people: then the tables are in memory twice for a while. Reads its header alone.
///
/// # Errors
/// Returns an error if the header cannot be read, or is not sound.
pub fn memory_for(path: &Path, without: Without) -> Result<u64, SnapshotError> {
    let sections = read_section_lengths(path)?;
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
    Ok(LEAST_BYTES + kept + index.saturating_add(again))
}

/// Whether a network is made without some of the people in its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// With everybody.
    Nobody,
    /// Without some of them, perhaps.
    Some,
}

/// Checks that there is memory to load the snapshot at `path`.
///
/// # Errors
/// Returns an error if there is not, or the snapshot's header is not sound.
pub(crate) fn check_fits(path: &Path, without: Without, memory: &Memory) -> Result<(), RefusedNetwork> {
    let needed = memory_for(path, without)?;
    match memory.left() {
        Some(left) if left.bytes < needed => Err(RefusedNetwork::NoMemory {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            needed: megabytes(needed),
            left: left.bytes >> 20,
            bound: left.bound.name(),
        }),
        _ => Ok(()),
    }
}

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}
