//! The revocations once more, in a file beside the store: a copy of the store that is put back does not know those
//! that came after it, and gets them from here.
//!
//! A line for each: the credential's id and when it was revoked, in milliseconds. Lines are only added. What is no
//! such line, as one that was cut short, says nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::auth::database::{REVOCATIONS, beside};
use crate::auth::error::StoreError;
use crate::auth::reserve::create_beside;
use crate::limits::REVOCATIONS_BYTES_MAX;
use crate::regular_file;

/// Adds that the credential `id` of the store at `path` is revoked since `millis`. If it cannot be added, the next
/// [`reconcile`] does it.
pub(crate) fn note(path: &Path, id: &str, millis: i64) {
    let _ = add(path, [(id.to_owned(), millis)].into_iter());
}

/// Revokes again what the file says is revoked and the store at `path` says is not, and adds to the file what it does
/// not have; returns how many credentials are revoked again. Costs one pass over both.
///
/// # Errors
/// Returns an error if the file is there and cannot be read, or a credential cannot be revoked.
pub(crate) fn reconcile(path: &Path, writer: &Connection) -> Result<usize, StoreError> {
    let noted = read(path)?;
    let error = StoreError::at(path);
    let revoked = times(
        writer,
        "SELECT id, revoked_at FROM keys WHERE revoked_at IS NOT NULL \
         UNION ALL SELECT id, revoked_at FROM tokens WHERE revoked_at IS NOT NULL",
    )
    .map_err(&error)?;
    let holding = times(
        writer,
        "SELECT id, 0 FROM keys WHERE revoked_at IS NULL UNION ALL SELECT id, 0 FROM tokens WHERE revoked_at IS NULL",
    )
    .map_err(&error)?;
    let holding: BTreeSet<&String> = holding.iter().map(|(id, _)| id).collect();
    let back: Vec<_> = noted.iter().filter(|(id, _)| holding.contains(id)).collect();
    if !back.is_empty() {
        let change = Transaction::new_unchecked(writer, TransactionBehavior::Immediate).map_err(&error)?;
        for (id, millis) in &back {
            for table in ["keys", "tokens"] {
                let statement =
                    format!("UPDATE {table} SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL");
                change.execute(&statement, params![id, millis]).map_err(&error)?;
            }
        }
        change.commit().map_err(&error)?;
    }
    // What cannot be added now is added the next time.
    let _ = add(path, revoked.into_iter().filter(|(id, _)| !noted.contains_key(id)));
    Ok(back.len())
}

fn times(connection: &Connection, statement: &str) -> rusqlite::Result<Vec<(String, i64)>> {
    let mut prepared = connection.prepare(statement)?;
    let rows = prepared.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

fn read(path: &Path) -> Result<BTreeMap<String, i64>, StoreError> {
    let file = beside(path, REVOCATIONS);
    let read = match regular_file::read(&file, REVOCATIONS_BYTES_MAX) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        read => read.map_err(StoreError::io_at(&file))?,
    };
    let text = String::from_utf8_lossy(&read.bytes);
    let line = |line: &str| {
        let (id, millis) = line.split_once(' ')?;
        Some((id.to_owned(), millis.parse().ok()?))
    };
    // The last line may be cut short; each that is whole ends.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    Ok(whole.lines().filter_map(line).collect())
}

/// Adds lines, on the disk when this returns. Makes no file for none.
fn add(path: &Path, lines: impl Iterator<Item = (String, i64)>) -> io::Result<()> {
    let text: String = lines.map(|(id, millis)| format!("\n{id} {millis}\n")).collect();
    if text.is_empty() {
        return Ok(());
    }
    let file = beside(path, REVOCATIONS);
    let mut made: File = create_beside(path, &file)?;
    made.write_all(text.as_bytes())?;
    made.sync_all()
}
