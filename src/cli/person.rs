//! `kith person`: writes everything held about one person, for them.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};

use crate::ask_file::reported::event_json;
use crate::ask_file::store::each_event;
use crate::cli::score::find_person;
use kith_import::tables::earlier::each_line;
use kith_tables::progress::Silent;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::read_tables;

/// The end of the name of a table that `kith import` writes.
const NDJSON: &str = ".ndjson";

/// Write everything that is held about one person, for them
#[derive(Debug, Args)]
pub(super) struct PersonCommand {
    /// The person: a person_ or user_ id, a handle or the address of a profile, an e-mail address, a name
    who: String,
    /// The folder with the tables of an import
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Write all rows about them as one JSON object: by table, with what was read where, and asks
    #[arg(long, required = true)]
    export: bool,
    /// The file of asks, which kith ask create makes
    #[arg(long, value_name = "FILE", env = "KITH_ASKS", hide_env_values = true)]
    asks: Option<PathBuf>,
}

impl PersonCommand {
    /// Writes what is held.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or the person is not found or ambiguous.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let data = read_tables(&self.tables, &Silent, BlockSize::DEFAULT, false)?.dataset;
        let person = find_person(&data, &self.who)?;
        let (id, name) = (data.people.ids.get(person.0), data.people.names.get(person.0));
        let mut ids = BTreeSet::from([id.to_owned()]);
        let member = data.members.people.iter().position(|of| *of == person);
        ids.extend(member.map(|row| data.members.user_ids.get(row as u32).to_owned()));
        let mut tables = Map::new();
        for (table, path) in ndjson_tables(&self.tables)? {
            let mut rows = Vec::new();
            each_line(&path, |row: Value| rows.extend(names(&row, &ids).then_some(row)))?;
            if !rows.is_empty() {
                tables.insert(table, rows.into());
            }
        }
        if !tables.contains_key("people") {
            let folder = self.tables.display();
            return Err(format!("{folder} has no row of {id} in people.ndjson: only tables that kith import wrote, not packed, are exported").into());
        }
        let mut held = json!({ "id": id, "name": name, "tables": tables });
        if let Some(asks) = &self.asks {
            held["asks"] = asks_with(asks, &data.organization.id, &ids)?.into();
        }
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &held)?;
        Ok(writeln!(out)?)
    }
}

/// The tables of `folder` with one row per line, by name.
fn ndjson_tables(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(NDJSON));
        if let Some(name) = name {
            tables.push((name.to_owned(), path.clone()));
        }
    }
    tables.sort_unstable();
    Ok(tables)
}

/// Whether one of `ids` is a text anywhere in `value`.
fn names(value: &Value, ids: &BTreeSet<String>) -> bool {
    match value {
        Value::String(text) => ids.contains(text),
        Value::Array(items) => items.iter().any(|item| names(item, ids)),
        Value::Object(fields) => fields.values().any(|field| names(field, ids)),
        _ => false,
    }
}

/// All events of the asks of `organization` that involve one of these people, or that one of them wrote.
fn asks_with(place: &Path, organization: &str, ids: &BTreeSet<String>) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut all = Vec::new();
    each_event(place, |org, written| {
        all.extend((org == organization).then(|| event_json(org, written)));
        Ok(())
    })?;
    let theirs = all.iter().filter(|event| names(event, ids));
    let asks: BTreeSet<String> = theirs.filter_map(|event| Some(event["ask"].as_str()?.to_owned())).collect();
    all.retain(|event| event["ask"].as_str().is_some_and(|ask| asks.contains(ask)));
    Ok(all)
}
