//! The folder that a replica serves, maintained by `kith pull`: a snapshot and its store per organization, and a note
//! of the snapshots in force.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::cells::manifest::file_stem;
use crate::file_system::{put_in_place, sync_folder};
use crate::limits::CELL_FILE_BYTES_MAX;
use crate::regular_file::{self, FileStamp, folder_of};

/// The name of the note in the folder.
pub const NOTE_FILE: &str = "cell.json";
/// The name of the file whose time says when the lists of the cell were last known to be in force.
pub const MARK_FILE: &str = "pulled";
/// The name of the subfolder for files that are not checked yet.
pub const PART_FOLDER: &str = ".part";

/// The note in the folder of a replica.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(default)]
pub struct CellNote {
    /// The cell's name.
    pub cell: String,
    /// The organizations that the replica must have in service, each with the identity of its snapshot; `None` until
    /// all were in place once.
    pub organizations: Option<BTreeMap<String, String>>,
    /// Organizations not in force here that may have files, with the time in seconds since 1970: those that left, whose
    /// files are removed a day later, and those about to come.
    pub left: BTreeMap<String, u64>,
}

/// Why the note in a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CellNoteError {
    /// It cannot be read.
    #[error("{path}: the list of the cell cannot be read: {cause}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// It is malformed.
    #[error("{path}: this is not the list of a cell: {cause}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The fault of the note.
        cause: String,
    },
}

impl CellNote {
    /// Reads the note at `path`; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if it exists and cannot be used.
    pub fn read(path: &Path) -> Result<Option<Self>, CellNoteError> {
        let read = match regular_file::read(path, CELL_FILE_BYTES_MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(CellNoteError::Unreadable { path: path.to_owned(), cause }),
            Ok(read) => read,
        };
        let malformed = |cause: String| CellNoteError::Malformed { path: path.to_owned(), cause };
        if read.bytes.len() > CELL_FILE_BYTES_MAX {
            return Err(malformed(format!("it is longer than {CELL_FILE_BYTES_MAX} bytes")));
        }
        serde_json::from_slice(&read.bytes).map(Some).map_err(|error| malformed(error.to_string()))
    }

    /// Writes the note to `path`: readers find the old one or this one, whole.
    ///
    /// # Errors
    /// Returns an error if the system refuses a step.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        put(path, &bytes)
    }
}

/// The organizations in a note, read again when the note changes.
#[derive(Debug)]
pub struct CellList {
    path: PathBuf,
    read: Mutex<Option<(FileStamp, CellNote)>>,
}

impl CellList {
    /// The list in the note at `path`, which may not exist yet.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self { path, read: Mutex::default() }
    }

    /// Checks that `serves` returns true for every organization of the list. Costs one look at the file's metadata.
    ///
    /// # Errors
    /// Returns the first organization that is not served, or why the list is not known.
    pub fn check(&self, serves: impl Fn(&str) -> bool) -> Result<(), String> {
        let missing = || format!("{}: the list of the cell is not there yet", self.path.display());
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = FileStamp::at(&self.path).ok_or_else(missing)?;
        if read.as_ref().is_none_or(|(before, _)| *before != stamp) {
            let note = CellNote::read(&self.path).map_err(|error| error.to_string())?;
            *read = Some((stamp, note.ok_or_else(missing)?));
        }
        let organizations =
            read.as_ref().and_then(|(_, note)| note.organizations.as_ref()).ok_or_else(missing)?;
        match organizations.keys().find(|organization| !serves(organization)) {
            Some(organization) => Err(format!("{organization} of the cell's list is not in service")),
            None => Ok(()),
        }
    }
}

/// Writes `bytes` to `path`, on disk when this returns: readers find the old or the new content, whole.
///
/// # Errors
/// Returns an error if the system refuses a step.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    let mut file = tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    put_in_place(file.into_temp_path(), path)?;
    sync_folder(folder)
}

/// The path of the snapshot of `organization` in `folder`; `None` if the id cannot be a file name.
#[must_use]
pub fn snapshot_in(folder: &Path, organization: &str) -> Option<PathBuf> {
    file_stem(organization).map(|stem| folder.join(format!("{stem}.kith")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_note_is_read_as_it_was_written_and_anything_else_is_refused() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(NOTE_FILE);
        assert_eq!(CellNote::read(&path).unwrap(), None);
        let note = CellNote {
            cell: "one".into(),
            organizations: Some([("org_a".to_owned(), "ab".repeat(32))].into()),
            left: [("org_b".to_owned(), 1_700_000_000)].into(),
        };
        note.write(&path)?;
        assert_eq!(CellNote::read(&path).unwrap(), Some(note));
        for text in ["", "[", "{\"organizations\": 1}", "{\"cell\": 1}"] {
            fs::write(&path, text)?;
            let refused = CellNote::read(&path).map_err(|error| error.to_string());
            assert!(refused.as_ref().is_err_and(|error| error.contains("cell.json")), "{text}: {refused:?}");
        }
        assert!(CellList::at(path).check(|_| true).is_err());
        assert_eq!(snapshot_in(Path::new("x"), "org/a"), Some("x/org%2Fa.kith".into()));
        Ok(())
    }

    #[test]
    fn a_list_passes_with_every_organization_in_service_and_is_read_again_once_it_changed() -> io::Result<()>
    {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(NOTE_FILE);
        let list = CellList::at(path.clone());
        let serves = |organization: &str| organization != "org_b";
        let note = |organizations: Option<&[&str]>| {
            let entry = |organization: &&str| ((*organization).to_owned(), String::new());
            let organizations = organizations.map(|names| names.iter().map(entry).collect());
            CellNote { organizations, ..CellNote::default() }.write(&path)
        };
        assert!(list.check(serves).is_err(), "there is none");
        note(None)?;
        assert!(list.check(serves).is_err(), "nothing is in force");
        note(Some(&["org_a", "org_c"]))?;
        assert_eq!(list.check(serves), Ok(()));
        note(Some(&["org_a", "org_b"]))?;
        assert!(list.check(serves).is_err_and(|why| why.starts_with("org_b ")));
        Ok(())
    }
}
