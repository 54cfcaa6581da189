//! The snapshot of the time before, kept so that the page can say what changed since.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::snapshot::read::{load, read_identity};
use crate::suppress::file;

/// The snapshot in place before the import, under a second name until the new one is there.
pub(super) struct Before {
    earlier: PathBuf,
    draft: PathBuf,
}

impl Before {
    /// Gives the snapshot at `snapshot`, if there is one, a second name beside `earlier`.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub(super) fn keep(snapshot: &Path, earlier: &Path) -> io::Result<Self> {
        let draft = earlier.with_extension("kith.draft");
        remove(&draft)?;
        if snapshot.exists() {
            fs::hard_link(snapshot, &draft).or_else(|_| fs::copy(snapshot, &draft).map(|_| ()))?;
        }
        Ok(Self { earlier: earlier.to_owned(), draft })
    }

    /// Keeps it as the earlier one if the one at `snapshot` is another network. Of the same network as before, what was earlier
    /// stays: two looks on one day do not lose the week.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub(super) fn settle(self, snapshot: &Path) -> io::Result<()> {
        match (read_identity(&self.draft), read_identity(snapshot)) {
            (Ok(before), Ok(now)) if before != now => fs::rename(&self.draft, &self.earlier),
            _ => remove(&self.draft),
        }
    }
}

/// Removes the snapshot at `earlier` if the list at `list` names anybody in it: nobody who is forgotten stays on the disk.
///
/// # Errors
/// Returns an error if the list cannot be used, or the snapshot is there and cannot be read or removed.
pub(super) fn forget(earlier: &Path, list: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let Some(list) = list.filter(|_| earlier.exists()) else { return Ok(()) };
    let (list, data) = (file::read(list)?, load(earlier)?.dataset);
    let named = list.of(&data.organization.id).map_or_else(Vec::new, |wanted| wanted.named_in(&data));
    if !named.is_empty() {
        remove(earlier)?;
    }
    Ok(())
}

/// Removes the file at `path`, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
