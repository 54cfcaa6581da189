//! The mark beside a list: it records that there was one, and a digest of each entry added and not removed since. So a
//! list that has disappeared does not count as empty, nor an older copy as the newest.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::suppress::error::ListError;
use crate::suppress::list::SuppressionList;

/// The first line of a mark, for people who open it.
const TEXT: &str = "There is a suppression list beside this file. If it is missing, bring back a copy of it: \
     `kith serve` does not start without. `kith suppress create` makes an empty one. A copy of the list is kept together with \
     this file, which says what was added to it.\n";
/// The prefix of a line with a digest.
const ENTRY: &str = "entry\t";
/// Hexadecimal digits of a digest.
const DIGITS: usize = 32;

/// The path of the mark of the list at `path`: `.NAME.made` beside it.
#[must_use]
pub(crate) fn path_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.made"))
}

/// The digests of entries in a mark. Empty if it is of version 1.0, which kept none.
pub(crate) type MarkedEntries = BTreeSet<String>;

/// The digests in the mark of the list at `path`; `None` if there is no mark.
///
/// # Errors
/// Returns an error if it exists and cannot be read.
pub(crate) fn read(path: &Path) -> io::Result<Option<MarkedEntries>> {
    match fs::read_to_string(path_of(path)) {
        Ok(text) => {
            Ok(Some(text.lines().filter_map(|line| line.strip_prefix(ENTRY)).map(str::to_owned).collect()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The digest of each entry of `list`: bound to its salt, so that no other list has it.
pub(crate) fn entries_of(list: &SuppressionList) -> MarkedEntries {
    let digest = |(organization, entry, _): (&str, crate::suppress::entry::Entry, _)| {
        let named = [entry.kind.name(), organization, &entry.digest.to_string()].join("\0");
        let mut digits = blake3::keyed_hash(&list.salt.0, named.as_bytes()).to_hex().to_string();
        digits.truncate(DIGITS);
        digits
    };
    list.iter().map(digest).collect()
}

/// A mark with these digests, as text.
pub(crate) fn write(entries: &MarkedEntries) -> String {
    entries.iter().fold(TEXT.to_owned(), |mut text, entry| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{ENTRY}{entry}");
        text
    })
}

/// Checks that `list`, read from `path`, has every entry of its mark.
///
/// # Errors
/// Returns [`ListError::Older`] if it lacks some.
pub(crate) fn check(
    path: &Path,
    list: &SuppressionList,
    marked: Option<&MarkedEntries>,
) -> Result<(), ListError> {
    let Some(marked) = marked.filter(|marked| !marked.is_empty()) else { return Ok(()) };
    match marked.difference(&entries_of(list)).count() {
        0 => Ok(()),
        missing => Err(ListError::Older { path: path.to_owned(), missing, mark: path_of(path) }),
    }
}

/// Checks that there never was a list at `path`.
///
/// # Errors
/// Returns [`ListError::Gone`] if the mark says that there was one.
pub(crate) fn check_none(path: &Path) -> Result<(), ListError> {
    let mark = path_of(path);
    if fs::symlink_metadata(&mark).is_ok() {
        return Err(ListError::Gone { path: path.to_owned(), mark });
    }
    Ok(())
}
