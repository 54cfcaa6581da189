//! A reserve for a full disk: a file beside the store, given up by the first statement that finds no room.
//!
//! Without it, no key could be revoked while the disk is full, and a stopped server could not start: SQLite needs some
//! 50 KiB for the log and its index.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use rusqlite::ErrorCode;

use crate::auth::database::beside;
use crate::auth::error::StoreError;
use crate::file_system::{give_to_owner_of, open_own};
use crate::limits::CREDENTIAL_RESERVE_BYTES;

/// The suffix of the store's name.
const SUFFIX: &str = "-reserve";

/// Runs `attempt`; if the disk is full, removes the reserve beside the store at `path` and runs it again.
///
/// # Errors
/// Returns the errors of `attempt`.
pub(crate) fn with_room<T>(
    path: &Path,
    mut attempt: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    match attempt() {
        Err(error) if may_be_full(&error) && fs::remove_file(beside(path, SUFFIX)).is_ok() => attempt(),
        outcome => outcome,
    }
}

/// Whether a full disk may be the reason. A file system without room for another directory entry only reports that the
/// file cannot be opened; if the reason was another one, the reserve is recreated later.
fn may_be_full(error: &StoreError) -> bool {
    match error {
        StoreError::Full { .. } => true,
        StoreError::Database { cause, .. } => cause.sqlite_error_code() == Some(ErrorCode::CannotOpen),
        _ => false,
    }
}

/// Creates the reserve beside the store at `path` if it is missing. Without room for it, the store works until the disk
/// is full.
pub(crate) fn keep(path: &Path) {
    let file = beside(path, SUFFIX);
    let is_whole = |found: fs::Metadata| found.len() == CREDENTIAL_RESERVE_BYTES as u64;
    if !fs::metadata(&file).is_ok_and(is_whole) && make(path, &file).is_err() {
        let _ = fs::remove_file(&file);
    }
}

fn make(path: &Path, file: &Path) -> io::Result<()> {
    let mut made = create_beside(path, file)?;
    // Windows shortens no file that is open to be continued, so one that is not whole is removed there.
    if made.metadata()?.len() > 0 {
        made.set_len(0)?;
    }
    made.write_all(&incompressible(CREDENTIAL_RESERVE_BYTES))?;
    // Some file systems report a full disk only here.
    made.sync_all()
}

/// Opens or creates `file` with the owner of the store at `path`: if root creates it, it still belongs to the server.
///
/// # Errors
/// Returns an error if it can be neither opened nor created.
pub(crate) fn create_beside(path: &Path, file: &Path) -> io::Result<File> {
    let is_new = !file.exists();
    let made = open_own(OpenOptions::new().create(true).append(true), file)?;
    if is_new {
        // Only root can change owners; other users already own the file.
        let _ = give_to_owner_of(&fs::metadata(path)?, &made);
    }
    Ok(made)
}

/// Returns `bytes` bytes that no file system can compress.
fn incompressible(bytes: usize) -> Vec<u8> {
    let mut state = 0x6b69_7468_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..bytes).map(|_| next()).collect()
}
