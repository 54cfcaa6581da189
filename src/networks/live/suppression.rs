//! The list of people to forget in force, and whether its file has changed since.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use arc_swap::ArcSwap;

use crate::audit;
use crate::clock;
use crate::regular_file::FileStamp;
use crate::suppress::error::ListError;
use crate::suppress::file::{read_with_stamp, remember};
use crate::suppress::list::SuppressionList;
use crate::suppress::marker;

/// The name of a list among the snapshots.
pub const LIST_FILE: &str = "suppressions.txt";

/// The path of the list.
#[derive(Clone, Debug)]
pub struct ListPlace {
    path: PathBuf,
    /// Whether the operator named it, so that it must exist.
    is_named: bool,
}

/// The list in force.
#[derive(Debug)]
pub(crate) struct Suppression {
    place: ListPlace,
    in_force: ArcSwap<InForce>,
    /// Held while the file is read.
    reading: Mutex<()>,
}

/// The list read last.
#[derive(Debug, Default)]
struct InForce {
    list: Arc<SuppressionList>,
    seen: Seen,
    /// When it was read, if there is one.
    read_at: Option<SystemTime>,
    /// Why the present file is not in force, if so.
    fault: Option<String>,
}

/// The state at the list's path at the last check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seen {
    /// Nothing, and there never was a list.
    #[default]
    Never,
    /// Nothing any more: there once was a list.
    Gone,
    /// A file with this stamp.
    File(FileStamp),
}

/// The status of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListStatus {
    /// How many entries are in force.
    pub entries: usize,
    /// When the list in force was read, if one ever was.
    pub read_at: Option<SystemTime>,
    /// Why the present file is not in force, but the previous list.
    pub fault: Option<String>,
}

impl ListPlace {
    /// The list at `path`, which must exist.
    #[must_use]
    pub fn named(path: PathBuf) -> Self {
        Self { path, is_named: true }
    }

    /// The list among the snapshots in `folder`, which is optional.
    #[must_use]
    pub fn among(folder: &Path) -> Self {
        Self { path: folder.join(LIST_FILE), is_named: false }
    }

    /// Leaves a mark that there is a list, if the server may write there.
    fn remember(&self) {
        if let Err(error) = remember(&self.path) {
            tracing::debug!(%error, "the mark of the suppression list is not up to date");
        }
    }
}

impl InForce {
    /// A list read just now, from a file with this stamp.
    fn read(list: Arc<SuppressionList>, stamp: FileStamp) -> Self {
        Self { list, seen: Seen::File(stamp), read_at: Some(clock::wall_time()), fault: None }
    }
}

impl Seen {
    /// The stamp of the file, if there was one.
    fn file(self) -> Option<FileStamp> {
        match self {
            Self::Never | Self::Gone => None,
            Self::File(stamp) => Some(stamp),
        }
    }
}

impl Suppression {
    /// Reads the list at `place`.
    ///
    /// # Errors
    /// Returns an error if the list cannot be used, or is missing although it was named or once existed.
    pub(crate) fn start(place: ListPlace) -> Result<Self, ListError> {
        let in_force = match read_with_stamp(&place.path) {
            Ok((list, stamp)) => {
                audit::list_taken_up(list.len());
                place.remember();
                InForce::read(Arc::new(list), stamp)
            }
            Err(ListError::Missing { .. }) if !place.is_named => {
                marker::check_none(&place.path)?;
                InForce::default()
            }
            Err(error) => return Err(error),
        };
        Ok(Self { place, in_force: ArcSwap::from_pointee(in_force), reading: Mutex::default() })
    }

    /// The file of the list.
    pub(crate) fn path(&self) -> &Path {
        &self.place.path
    }

    /// The list in force.
    pub(crate) fn list(&self) -> Arc<SuppressionList> {
        Arc::clone(&self.in_force.load().list)
    }

    /// Its status, if there ever was a list.
    pub(crate) fn status(&self) -> Option<ListStatus> {
        let in_force = self.in_force.load();
        let is_known = in_force.seen != Seen::Never;
        is_known.then(|| ListStatus {
            entries: in_force.list.len(),
            read_at: in_force.read_at,
            fault: in_force.fault.clone(),
        })
    }

    /// The list in force, if its file is unchanged; `None` if it must be read again. Costs one look at the file's
    /// metadata.
    pub(crate) fn current(&self) -> Option<Arc<SuppressionList>> {
        let in_force = self.in_force.load();
        let is_current = in_force.seen.file() == FileStamp::at(&self.place.path);
        is_current.then(|| Arc::clone(&in_force.list))
    }

    /// Reads the file again if its stamp changed; returns whether another list is now in force.
    ///
    /// A list that cannot be read or is gone changes nothing: the last good one stays in force.
    pub(crate) fn read(&self) -> bool {
        // The list in force is replaced as a whole, so a panic elsewhere does not spoil it.
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.in_force.load_full();
        let now = FileStamp::at(&self.place.path);
        if before.seen.file() == now {
            return false;
        }
        match read_with_stamp(&self.place.path) {
            Ok((list, stamp)) => {
                let is_other = list != *before.list;
                let list =
                    if is_other { Arc::new(list.sharing(&before.list)) } else { Arc::clone(&before.list) };
                audit::list_taken_up(list.len());
                for (organization, changed) in list.changes_since(&before.list) {
                    audit::suppressions_changed(organization, changed.added, changed.removed);
                }
                self.place.remember();
                self.in_force.store(Arc::new(InForce::read(list, stamp)));
                is_other
            }
            // A list that was never in force is gone again.
            Err(ListError::Missing { .. }) if before.seen == Seen::Never => false,
            Err(error) => {
                let fault = error.to_string();
                tracing::error!(fault, "the suppression list in force stays the one that was read before");
                let list = Arc::clone(&before.list);
                let seen = now.map_or(Seen::Gone, Seen::File);
                let read_at = before.read_at;
                self.in_force.store(Arc::new(InForce { list, seen, read_at, fault: Some(fault) }));
                false
            }
        }
    }
}
