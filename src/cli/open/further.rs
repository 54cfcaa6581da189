//! A further export of the owner: it lies among the files of the folder from then on, and the network is made again with it.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use kith_import::plan::PlannedFile;

use crate::api::state::{FurtherExports, NextPiece, PageReport};
use crate::cli::open::folder::OpenFolder;
use crate::exports::error::ExportsError;
use crate::exports::service::take;
use crate::file_system::put_in_place;

/// Imports everything with the file at a path and builds the snapshot, unless that file gives nothing: what the page shows then.
pub(super) type Remake = dyn Fn(&Path) -> Result<PageReport, Box<dyn Error>> + Send + Sync;

/// Takes files into the folder, and makes the network again.
pub(super) struct FurtherImport {
    pub(super) folder: OpenFolder,
    pub(super) remake: Box<Remake>,
    /// Held while a file is taken.
    pub(super) taking: Mutex<()>,
}

impl fmt::Debug for FurtherImport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FurtherImport").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl FurtherExports for FurtherImport {
    fn add(&self, name: &str, next: &mut NextPiece<'_>) -> Result<PageReport, ExportsError> {
        let Ok(_taking) = self.taking.try_lock() else {
            let said = "Another file is read right now; add this one when that is done.";
            return Err(ExportsError::Bound(said.to_owned()));
        };
        let folder = self.folder.make_further().map_err(ExportsError::unwritten(self.folder.path()))?;
        let mut draft =
            tempfile::NamedTempFile::new_in(self.folder.path()).map_err(ExportsError::unwritten(&folder))?;
        // No bound but those of an import: the disk is the owner's.
        take(&mut draft, name, u64::MAX, next)?;
        let (path, aside) = (folder.join(name), folder.join(format!(".{name}")));
        let had = path.exists();
        let put = || {
            if had {
                fs::rename(&path, &aside)?;
            }
            put_in_place(draft.into_temp_path(), &path)
        };
        put().map_err(ExportsError::unwritten(&path))?;
        let made = (self.remake)(&path).map_err(|error| ExportsError::NothingRead(error.to_string()));
        let settled = match (&made, had) {
            (Ok(_), true) => fs::remove_file(&aside),
            (Err(_), true) => fs::rename(&aside, &path),
            (Err(_), false) => fs::remove_file(&path),
            (Ok(_), false) => Ok(()),
        };
        settled.map_err(ExportsError::unwritten(&path))?;
        made
    }
}

impl OpenFolder {
    /// The further exports that lie there, for the holder at `holder`, in the order of their names.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub(super) fn further(&self, holder: usize) -> io::Result<Vec<PlannedFile>> {
        let entries = match fs::read_dir(self.further_folder()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names =
            entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort_unstable();
        let names = names
            .into_iter()
            .map(|name| (self.further_folder().join(&name), name.to_string_lossy().into_owned()));
        let further = names.filter(|(_, name)| !name.starts_with('.'));
        Ok(further.map(|(path, name)| PlannedFile::of(path, format!("added/{name}"), Some(holder))).collect())
    }
}
