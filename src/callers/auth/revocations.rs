//! A second copy of the revocations, in a file beside the store: if an old copy of the store is restored, later
//! revocations come back from here.
//!
//! One line each: the credential's id and when it was revoked, in milliseconds. Lines are only appended. Malformed
//! lines, such as a truncated one, are ignored.

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

/// Appends that the credential `id` of the store at `path` was revoked at `millis`. If that fails, the next
/// [`reconcile`] does it.
pub(crate) fn note(path: &Path, id: &str, millis: i64) {
    let _ = add(path, [(id.to_owned(), millis)].into_iter());
}

/// Revokes again what the file lists and the store at `path` does not, and appends what the file lacks; returns the
/// number of credentials revoked again. Costs one pass over both.
///
/// # Errors
/// Returns an error if the file exists and cannot be read, or a credential cannot be revoked.
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
    // What cannot be appended now is appended next time.
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
    // The last line may be truncated; each whole line ends.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    Ok(whole.lines().filter_map(line).collect())
}

/// Appends lines, which are on disk when this returns. Creates no file for none.
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
