//! Reports the state of a snapshot file without decoding it.

use std::path::Path;

use rayon::prelude::*;

use crate::snapshot::error::SnapshotError;
use crate::snapshot::header::{FileHeader, Identity};
use crate::snapshot::read::open;
use crate::snapshot::section;
use crate::snapshot::sections::SECTIONS;

/// The header of a snapshot file, and whether the sections match it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The version of its format.
    pub format_version: u32,
    /// The identity of its content.
    pub identity: Identity,
    /// The file's length in bytes.
    pub size_bytes: u64,
    /// Its sections, in the order of the file.
    pub sections: Vec<SectionState>,
}

/// One section of a snapshot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionState {
    /// Its name.
    pub name: &'static str,
    /// Its offset, in bytes from the start of the file.
    pub offset: u64,
    /// Its length in bytes.
    pub size_bytes: u64,
    /// Whether its bytes match its checksum and the padding before it is zero.
    pub sound: bool,
}

/// Reads every byte of the snapshot file at `path`. On all cores.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file, or has no sound header. Damaged sections are not
/// an error: the inspection reports each.
pub fn inspect(path: &Path) -> Result<Inspection, SnapshotError> {
    let (file, size_bytes) = open(path)?;
    let header = FileHeader::read(&file, size_bytes, &SECTIONS)?;
    let state = |ix: usize| {
        let sound = match section::verify(&file, &header, ix, SECTIONS[ix]) {
            Ok(()) => true,
            Err(error @ SnapshotError::Io { .. }) => return Err(error),
            Err(_) => false, // padding or checksum: nothing else is looked at
        };
        let entry = &header.table[ix];
        Ok(SectionState { name: SECTIONS[ix], offset: entry.offset, size_bytes: entry.length, sound })
    };
    let sections = (0..header.table.len()).into_par_iter().map(state).collect::<Result<_, _>>()?;
    Ok(Inspection { format_version: header.version, identity: header.identity, size_bytes, sections })
}
