//! The rows of one person, from the provenance beside the tables.

use std::path::Path;

use crate::tables::earlier::{EarlierFault, IDENTITIES, IdentityLine, each_line};

/// The rows of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The id now.
    pub id: String,
    /// The person's former ids.
    pub formerly: Vec<String>,
    /// Handles, in byte order.
    pub handles: Vec<String>,
    /// Addresses, in byte order.
    pub emails: Vec<String>,
    /// The rows, by file and line.
    pub rows: Vec<ExplainedRow>,
    /// Whether no file of the last import named the person, who was kept.
    pub kept: bool,
}

/// A row of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplainedRow {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The rule by which it was joined.
    pub rule: String,
    /// The value on which it was joined; empty if there was none.
    pub value: String,
}

/// The person with the id `id`, now or formerly, in the tables of `folder`, if any.
///
/// # Errors
/// Returns an error if the provenance cannot be read.
pub fn explain(folder: &Path, id: &str) -> Result<Option<Explained>, EarlierFault> {
    let mut found = None;
    each_line(&folder.join(IDENTITIES), |line: IdentityLine| {
        if line.id == id || line.formerly.iter().any(|formerly| formerly == id) {
            let rows = line.rows.into_iter().map(|row| ExplainedRow {
                file: row.file,
                line: row.line,
                rule: row.rule,
                value: row.value,
            });
            let rows = rows.collect();
            let IdentityLine { id, formerly, handles, emails, kept, .. } = line;
            found = Some(Explained { id, formerly, handles, emails, rows, kept });
        }
    })?;
    Ok(found)
}
