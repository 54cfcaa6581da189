//! Remarks of an import besides its numbers.

use std::fmt;

use serde::Serialize;

use crate::gather::Gathered;
use crate::limits::IMPORT_REPEAT_KEPT_MAX;
use crate::rows::ImportedRow;
use crate::tables::missing::MissingPeople;

/// Something to look at that is not a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportNote {
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    note: String,
}

impl ImportNote {
    /// A note without a row.
    #[must_use]
    pub fn sentence(note: String) -> Self {
        Self { file: String::new(), line: None, note }
    }
}

impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} line {line}: {}", self.file, self.note),
            None => f.write_str(&self.note),
        }
    }
}

/// A note on `events` with too many occurrences to be read for derived edges, if any.
pub(crate) fn note_of_unseen(events: usize) -> Option<ImportNote> {
    (events > 0).then(|| {
        ImportNote::sentence(format!(
            "{events} events that repeat derive no edges: those before have {IMPORT_REPEAT_KEPT_MAX} days of two people, and \
             an import keeps no more"
        ))
    })
}

/// Maximum names in a note.
const NAMES_SHOWN: usize = 3;

/// A note on the people of the last import who are in none of today's files, if any.
pub(crate) fn note_of_missing(missing: &MissingPeople, keeps: bool) -> Option<ImportNote> {
    let people = missing.people.len();
    let names: Vec<&str> =
        missing.people.iter().take(NAMES_SHOWN).map(|person| person.name.as_str()).collect();
    let more = match people.saturating_sub(NAMES_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (are, become_of) = (
        if people == 1 { "1 person of last time is" } else { &format!("{people} people of last time are") },
        if keeps { "stay as they were" } else { "go; --keep keeps them with their edges" },
    );
    (people > 0).then(|| {
        ImportNote::sentence(format!(
            "{are} in none of these files and {become_of}: {}{more}",
            names.join(", ")
        ))
    })
}

/// A note for each of `rows`, which fit two people and were not joined.
pub(crate) fn namesakes(gathered: &Gathered, rows: &[u32]) -> Vec<ImportNote> {
    let of_file = rows.iter().map(|row| &gathered.rows[*row as usize]).filter(|row| row.is_of_file());
    let note = |row: &ImportedRow| ImportNote {
        file: gathered.outcomes[row.file as usize].file.clone(),
        line: Some(row.line),
        note: "it fits two people of the same name and company, and stays alone".to_owned(),
    };
    of_file.map(note).collect()
}
