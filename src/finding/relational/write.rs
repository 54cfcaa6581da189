//! Writes a dataset as a store, put in place whole.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Statement, params};

use crate::file_system::{put_in_place, sync_folder};
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::dataset::{Companies, Dataset, People};
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::text::fold;
use crate::regular_file::take_after;
use crate::relational::error::WriteError;
use crate::relational::reach::in_reach;
use crate::relational::schema::{
    APPLICATION_ID, INDEXES, PAGE_BYTES, SCHEMA_VERSION, TABLES, path_beside, word_count,
};
use crate::snapshot::header::Identity;

/// Nobody uses the file until it is whole, so it needs no journal against crashes.
const LOADING: &str = "
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA foreign_keys = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536;
";
/// The tables with a full-text index.
const INDEXED_TEXTS: [&str; 7] =
    ["positions", "cities", "countries", "industries", "headquarters", "companies", "people"];
/// Bytes of new entries that a full-text index gathers before it writes them.
const GATHERED_BYTES: u32 = 64 << 20;

/// Writes the store of `dataset`, bound to `identity`, beside the snapshot path `snapshot`. Returns its size in bytes.
///
/// Writes it to a new file in the same folder, syncs it, renames it, then syncs the folder. The same dataset and
/// identity give the same bytes. Costs a few seconds for a million people, on one core.
///
/// # Errors
/// Returns an error if the system refuses a step. Nothing is left behind then, and an older store stays as it was,
/// unless the very last step failed: then the new one is already in place.
pub fn write_store(snapshot: &Path, dataset: &Dataset, identity: Identity) -> Result<u64, WriteError> {
    let path = path_beside(snapshot);
    write_at(&path, dataset, identity).map_err(|cause| WriteError { path, cause })
}

fn write_at(path: &Path, dataset: &Dataset, identity: Identity) -> Result<u64, io::Error> {
    // An absolute path: SQLite gives some relative paths a special meaning.
    let path: PathBuf = std::path::absolute(path)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let draft =
        tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(folder)?.into_temp_path();
    fill(&draft, dataset, identity).map_err(io::Error::other)?;
    let file = OpenOptions::new().read(true).write(true).open(&draft)?;
    take_after(&file, &path)?;
    file.sync_all()?;
    let size_bytes = file.metadata()?.len();
    put_in_place(draft, &path)?;
    sync_folder(folder)?;
    Ok(size_bytes)
}

/// Fills the empty file at `path`.
fn fill(path: &Path, dataset: &Dataset, identity: Identity) -> rusqlite::Result<()> {
    let access = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, access)?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    connection.execute_batch(LOADING)?;
    let change = connection.transaction()?;
    change.execute_batch(TABLES)?;
    for name in INDEXED_TEXTS {
        run_command(&change, name, "hashsize", Some(GATHERED_BYTES))?;
    }
    load(&change, dataset)?;
    change.execute_batch(INDEXES)?;
    for name in INDEXED_TEXTS {
        run_command(&change, name, "optimize", None)?;
    }
    // The mark that makes it a store comes last.
    let people = dataset.people.len() as u32;
    change.execute("INSERT INTO meta (identity, people) VALUES (?1, ?2)", params![identity.0, people])?;
    change.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    change.pragma_update(None, "application_id", APPLICATION_ID)?;
    change.commit()?;
    connection.close().map_err(|(_, error)| error)
}

/// Runs a command of the full-text index over `table`.
fn run_command(
    connection: &Connection,
    table: &str,
    command: &str,
    value: Option<u32>,
) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO {table}_fts ({table}_fts, rank) VALUES (?1, ?2)");
    connection.execute(&sql, params![command, value]).map(drop)
}

fn load(connection: &Connection, dataset: &Dataset) -> rusqlite::Result<()> {
    let Dataset { people, companies, .. } = dataset;
    for (table, column) in [
        ("positions", &people.positions),
        ("cities", &people.cities),
        ("countries", &people.countries),
        ("industries", &companies.industries),
        ("headquarters", &companies.headquarters),
    ] {
        load_texts(connection, table, column)?;
    }
    load_companies(connection, companies)?;
    load_people(connection, people, &in_reach(dataset))
}

fn load_texts(connection: &Connection, table: &str, column: &DictionaryColumn) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO {table} (id, words, text) VALUES (?1, ?2, ?3)");
    let mut insert = connection.prepare(&sql)?;
    let mut index = indexing(connection, table)?;
    for (id, text) in valued(&column.values) {
        let folded = fold(text);
        insert.execute(params![id, word_count(&folded), text])?;
        index.execute(params![id, folded])?;
    }
    Ok(())
}

fn load_companies(connection: &Connection, companies: &Companies) -> rusqlite::Result<()> {
    let mut insert = connection.prepare(
        "INSERT INTO companies (id, words, name, industry, headquarters, min_size, max_size)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let mut index = indexing(connection, "companies")?;
    for (id, name) in (0_u32..).zip(companies.names.iter()) {
        let (folded, row) = (fold(name), id as usize);
        insert.execute(params![
            id,
            word_count(&folded),
            name,
            text_number(&companies.industries, row),
            text_number(&companies.headquarters, row),
            size(companies.min_size(CompanyIx(id))),
            size(companies.max_size(CompanyIx(id))),
        ])?;
        index.execute(params![id, folded])?;
    }
    Ok(())
}

/// The table has everyone; the full-text index only the people in reach.
fn load_people(connection: &Connection, people: &People, in_reach: &[bool]) -> rusqlite::Result<()> {
    let mut insert = connection.prepare(
        "INSERT INTO people (person, words, name, position, company, city, country, in_reach)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    let mut index = indexing(connection, "people")?;
    for (person, name) in (0_u32..).zip(people.names.iter()) {
        let (folded, row) = (fold(name), person as usize);
        insert.execute(params![
            person,
            word_count(&folded),
            name,
            text_number(&people.positions, row),
            people.company(PersonIx(person)).map(|company| company.0),
            text_number(&people.cities, row),
            text_number(&people.countries, row),
            in_reach[row],
        ])?;
        if in_reach[row] {
            index.execute(params![person, folded])?;
        }
    }
    Ok(())
}

/// The statement that adds a folded text to the full-text index over `table`.
fn indexing<'a>(connection: &'a Connection, table: &str) -> rusqlite::Result<Statement<'a>> {
    connection.prepare(&format!("INSERT INTO {table}_fts (rowid, text) VALUES (?1, ?2)"))
}

/// The texts of a dictionary with their positions, except the empty one.
fn valued(values: &TextColumn) -> impl Iterator<Item = (u32, &str)> {
    (0..).zip(values.iter()).filter(|(_, text)| !text.is_empty())
}

fn text_number(column: &DictionaryColumn, row: usize) -> Option<u32> {
    Some(column.rows[row]).filter(|&place| !column.values.get(place).is_empty())
}

fn size(count: Option<u64>) -> Option<i64> {
    count.and_then(|count| i64::try_from(count).ok())
}
