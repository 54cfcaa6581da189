//! The list of people to forget that is in force, and whether its file is still the one that was read.

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

/// The name of a list that lies among the snapshots.
pub const LIST_FILE: &str = "suppressions.txt";

/// The path of the list.
#[derive(Clone, Debug)]
pub struct ListPlace {
    path: PathBuf,
    /// Whether the operator named it, so that there has to be one.
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

/// The list that was read last.
#[derive(Debug, Default)]
struct InForce {
    list: Arc<SuppressionList>,
    seen: Seen,
    /// When it was read; `None` if there is none.
    read_at: Option<SystemTime>,
    /// Why the file that lies there now is not in force; `None` if it is.
    fault: Option<String>,
}

/// What lay at the list's place when it was looked at last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seen {
    /// Nothing, and there never was a list.
    #[default]
    Never,
    /// Nothing any more: there was a list before.
    Gone,
    /// A file with this stamp.
    File(FileStamp),
}

/// What is known of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListStatus {
    /// How many entries are in force.
    pub entries: usize,
    /// When the list in force was read; `None` if none ever was.
    pub read_at: Option<SystemTime>,
    /// Why the file that lies there now is not in force, but the list that was read before it.
    pub fault: Option<String>,
}

impl ListPlace {
    /// The list at `path`, which has to be there.
    #[must_use]
    pub fn named(path: PathBuf) -> Self {
        Self { path, is_named: true }
    }

    /// The list among the snapshots in `folder`, which need not be there.
    #[must_use]
    pub fn among(folder: &Path) -> Self {
        Self { path: folder.join(LIST_FILE), is_named: false }
    }

    /// Leaves the mark that there is a list, as far as the server may write there.
    fn remember(&self) {
        if let Err(error) = remember(&self.path) {
            tracing::debug!(%error, "the mark of the suppression list is not up to date");
        }
    }
}

impl InForce {
    /// A list that was read just now, from a file with this stamp.
    fn read(list: Arc<SuppressionList>, stamp: FileStamp) -> Self {
        Self { list, seen: Seen::File(stamp), read_at: Some(clock::wall_time()), fault: None }
    }
}

impl Seen {
    /// The file that there was; `None` if there was none.
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
    /// Returns an error if there is one that cannot be used, or none although it was named or there once was
    /// one.
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

    /// Its status; `None` if there never was one.
    pub(crate) fn status(&self) -> Option<ListStatus> {
        let in_force = self.in_force.load();
        let is_known = in_force.seen != Seen::Never;
        is_known.then(|| ListStatus {
            entries: in_force.list.len(),
            read_at: in_force.read_at,
            fault: in_force.fault.clone(),
        })
    }

    /// The list in force if its file is still the one that was read; `None` if it is to be read again.
    /// Costs one look at the file's metadata.
    pub(crate) fn current(&self) -> Option<Arc<SuppressionList>> {
        let in_force = self.in_force.load();
        let is_current = in_force.seen.file() == FileStamp::at(&self.place.path);
        is_current.then(|| Arc::clone(&in_force.list))
    }

    /// Reads the file again if its stamp is another one; whether another list is in force now.
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
