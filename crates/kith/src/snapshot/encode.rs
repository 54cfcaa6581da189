//! Encodes a dataset as a snapshot.

use crate::model::dataset::Dataset;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::header::FileHeader;
use crate::snapshot::sections;

/// Encodes `dataset`: the same dataset gives the same bytes, on any machine.
///
/// Does not check the dataset; [`check`](crate::snapshot::check()) says whether [`decode`](crate::snapshot::decode)
/// will accept it. Needs the memory of the snapshot twice.
///
/// # Errors
/// Returns an error if a record cannot be encoded; no known dataset causes it.
pub fn encode(dataset: &Dataset) -> Result<Vec<u8>, SnapshotError> {
    let sections = sections::encode_all(dataset)?;
    let (header, mut bytes) = FileHeader::of(&sections)?;
    bytes.reserve_exact(header.size_bytes as usize - bytes.len());
    for (entry, section) in header.table.iter().zip(sections) {
        bytes.resize(entry.offset as usize, 0);
        bytes.extend(section);
    }
    Ok(bytes)
}
