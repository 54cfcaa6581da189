//! The lines of tables of the last import.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::tables::earlier::{EarlierFault, each_line};
use crate::tables::folder::KeptLines;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PersonFields {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) linkedin_id: String,
    pub(super) email: String,
    pub(super) current_company_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct CompanyFields {
    pub(super) id: String,
    pub(super) name: String,
}

pub(super) fn text(row: &impl Serialize) -> String {
    // It was made from a line of JSON a moment ago.
    serde_json::to_string(row).unwrap_or_default()
}

/// Passes the lines of the table `name` in `folder` to `take`; a missing table has none.
pub(super) fn lines<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    take: impl FnMut(T),
) -> Result<(), EarlierFault> {
    let path = folder.join(name);
    if path.exists() { each_line(&path, take) } else { Ok(()) }
}

pub(super) fn add(kept: &mut KeptLines, table: &'static str, lines: impl IntoIterator<Item = String>) {
    kept.entry(table).or_default().extend(lines);
}
