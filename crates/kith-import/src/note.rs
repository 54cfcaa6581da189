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

/// The notes `before`, then the notes on rows that fit two people, on unread events, and on people of the last import.
pub(crate) fn all_notes(
    before: Vec<ImportNote>,
    (gathered, rows): (&Gathered, &[u32]),
    unseen: usize,
    (missing, keeps): (&MissingPeople, bool),
) -> Vec<ImportNote> {
    let further = namesakes(gathered, rows).into_iter().chain(note_of_unseen(unseen));
    before.into_iter().chain(further).chain(notes_of_missing(missing, keeps)).collect()
}

/// A note on `events` with too many occurrences to be read for derived edges, if any.
fn note_of_unseen(events: usize) -> Option<ImportNote> {
    (events > 0).then(|| {
        ImportNote::sentence(format!(
            "{events} events that repeat derive no edges: those before have {IMPORT_REPEAT_KEPT_MAX} days of two people, and \
             an import keeps no more"
        ))
    })
}

/// A note on `further` likely doubles that are not proposed yet.
pub(crate) fn note_of_further_doubles(further: usize) -> ImportNote {
    ImportNote::sentence(format!(
        "{further} further likely doubles are proposed by later imports, once those in `doubles.ndjson` are answered"
    ))
}

/// Maximum names in a note.
const NAMES_SHOWN: usize = 3;

/// The notes on people of the last import missing from today's files, and on members and advocates without files today, if any.
fn notes_of_missing(missing: &MissingPeople, keeps: bool) -> impl Iterator<Item = ImportNote> {
    let names = missing.people.iter().map(|person| person.name.as_str());
    let people = missing.people.len();
    let are =
        if people == 1 { "1 person of last time is" } else { &format!("{people} people of last time are") };
    let become_of = if keeps { "stay as they were" } else { "go; --keep keeps them with their edges" };
    let edges =
        counted(missing.edges, if keeps { "stays" } else { "goes" }, if keeps { "stay" } else { "go" });
    let of_people = (people > 0).then(|| {
        ImportNote::sentence(format!(
            "{are} in none of these files and {become_of}: {}; with them {edges}",
            listed(names)
        ))
    });
    let of_holders = missing.holders.iter().map(|(name, was, edges)| {
        let edges = if *edges == 1 { "1 edge".to_owned() } else { format!("{edges} edges") };
        ImportNote::sentence(if keeps {
            format!("no file is of {name}, {was} of last time, who stays {was} with {edges} as they were")
        } else {
            format!("no file is of {name}, {was} of last time, who is none any more; --keep keeps them {was}, with {edges}")
        })
    });
    let of_holders: Vec<ImportNote> = of_holders.collect();
    of_people.into_iter().chain(of_holders)
}

/// A number of edges with what they do.
fn counted(edges: usize, does: &str, all_do: &str) -> String {
    if edges == 1 { format!("{does} 1 edge") } else { format!("{all_do} {edges} edges") }
}

/// The first of `names`, and how many more there are.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let shown = names[..names.len().min(NAMES_SHOWN)].join(", ");
    match names.len().saturating_sub(NAMES_SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A note for each of `rows`, which fit two people and were not joined.
fn namesakes(gathered: &Gathered, rows: &[u32]) -> Vec<ImportNote> {
    let of_file = rows.iter().map(|row| &gathered.rows[*row as usize]).filter(|row| row.is_of_file());
    let note = |row: &ImportedRow| ImportNote {
        file: gathered.outcomes[row.file as usize].file.clone(),
        line: Some(row.line),
        note: "it fits two people of the same name and company, and stays alone".to_owned(),
    };
    of_file.map(note).collect()
}
