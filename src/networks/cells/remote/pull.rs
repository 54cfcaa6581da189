//! Pulls a cell's snapshots from the store into the folder that a replica serves.
//!
//! It never touches files in service: new files arrive in a separate folder, are checked there like in `kith verify`,
//! and are renamed into place, the relational store first, like in a build. A pull that is killed, or a store that is
//! down, leaves a folder that still serves as before.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use object_store::{Error, GetOptions, ObjectStore};

use crate::cells::error::CellError;
use crate::cells::folder::{CellNote, NOTE_FILE, PART_FOLDER, snapshot_in};
use crate::cells::manifest::Manifest;
use crate::cells::remote::address::RemoteCell;
use crate::cells::remote::download::fetch;
use crate::cells::remote::refused::refused;
use crate::cells::sound::check_pair;
use crate::file_system::sync_folder;
use crate::limits::{CELL_FILE_BYTES_MAX, CELL_LEFT_SECONDS};
use crate::relational::path_beside;
use crate::snapshot::{Identity, read_identity};

/// The result of a round of pulling.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// Organizations whose files were put in place.
    pub(crate) placed: Vec<String>,
    /// Organizations whose files were removed, a day after they left.
    pub(crate) removed: Vec<String>,
    /// Organizations that could not be put in place; the others were.
    pub(crate) failed: Vec<(String, CellError)>,
    /// Whether the server must reload, or the note differs from the manifest.
    pub(crate) is_news: bool,
}

/// The place for unchecked files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// In a separate folder, until they are sound.
    Aside,
    /// Under the names that are served: the control.
    #[cfg(test)]
    Directly,
}

/// Called with the name of each step before it changes the folder; tests can end the pull there.
pub(super) type BeforeStep = Box<dyn Fn(&'static str) -> io::Result<()> + Send + Sync>;

/// Pulls a cell into a folder, round by round.
pub(crate) struct Puller {
    cell: RemoteCell,
    folder: PathBuf,
    /// The manifest last read, and its ETag if the store has ETags.
    manifest: Option<(Manifest, Option<String>)>,
    /// Whether the folder matches that manifest.
    is_settled: bool,
    pub(super) placing: Placing,
    pub(super) before: BeforeStep,
}

impl Puller {
    /// Pulls `cell` into `folder`, which is created if missing. Sends nothing yet.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created, or belongs to another cell.
    pub(crate) fn new(cell: RemoteCell, folder: &FilePath) -> Result<Self, CellError> {
        fs::create_dir_all(folder).map_err(CellError::file("make", folder))?;
        let puller = Self {
            cell,
            folder: folder.to_owned(),
            manifest: None,
            is_settled: false,
            placing: Placing::Aside,
            before: Box::new(|_| Ok(())),
        };
        let note = puller.note()?;
        if !note.cell.is_empty() && note.cell != puller.cell.name {
            let (theirs, ours) = (note.cell, puller.cell.name.clone());
            return Err(CellError::OtherCell { folder: folder.to_owned(), theirs, ours });
        }
        Ok(puller)
    }

    /// Reads the manifest, and puts missing files in place. Call [`Self::note_in_force`] once the server serves them.
    ///
    /// # Errors
    /// Returns an error if the manifest cannot be read; the folder stays as it is.
    pub(crate) async fn round(&mut self, now: SystemTime) -> Result<Round, CellError> {
        let is_new = self.read_manifest().await?;
        let mut round = Round::default();
        let Some((manifest, _)) = &self.manifest else { return Ok(round) };
        let due = self.due(now)?;
        if self.is_settled && !is_new && due.is_empty() {
            return Ok(round);
        }
        self.clear_parts()?;
        self.note_coming(manifest, now)?;
        for (organization, identity) in &manifest.organizations {
            match self.place(organization, *identity).await {
                Ok(true) => round.placed.push(organization.clone()),
                Ok(false) => {}
                Err(error) => round.failed.push((organization.clone(), error)),
            }
        }
        for organization in due {
            self.remove(&organization)?;
            round.removed.push(organization);
        }
        let is_noted = self.note()? == self.note_of(manifest, &round.failed, now)?;
        round.is_news = !round.placed.is_empty() || !round.removed.is_empty() || !is_noted;
        self.is_settled = round.failed.is_empty();
        Ok(round)
    }

    /// Records that the files of `round` are in force, and which organizations left by `now`. From then on, a server
    /// that reads the note is ready only with all of them.
    ///
    /// # Errors
    /// Returns an error if the note cannot be read or written.
    pub(crate) fn note_in_force(&self, round: &Round, now: SystemTime) -> Result<(), CellError> {
        let Some((manifest, _)) = &self.manifest else { return Ok(()) };
        self.write_note(&self.note_of(manifest, &round.failed, now)?)
    }

    /// Records which organizations are about to get files, so that a killed pull leaves no unknown files.
    fn note_coming(&self, manifest: &Manifest, now: SystemTime) -> Result<(), CellError> {
        let before = self.note()?;
        let mut note = CellNote { cell: self.cell.name.clone(), ..before.clone() };
        for organization in manifest.organizations.keys() {
            if !before.organizations.as_ref().is_some_and(|known| known.contains_key(organization)) {
                note.left.entry(organization.clone()).or_insert(seconds_of(now));
            }
        }
        if note == before { Ok(()) } else { self.write_note(&note) }
    }

    /// The note for when all of `manifest` but `failed` is in force. A failed organization keeps its entry; if nothing
    /// was in force before, nothing is while any failed.
    fn note_of(
        &self,
        manifest: &Manifest,
        failed: &[(String, CellError)],
        now: SystemTime,
    ) -> Result<CellNote, CellError> {
        let before = self.note()?;
        let cell = self.cell.name.clone();
        if before.organizations.is_none() && !failed.is_empty() {
            return Ok(CellNote { cell, ..before });
        }
        let known = before.organizations.unwrap_or_default();
        let mut organizations = identities(manifest);
        for (organization, _) in failed {
            match known.get(organization) {
                Some(identity) => drop(organizations.insert(organization.clone(), identity.clone())),
                None => drop(organizations.remove(organization)),
            }
        }
        let mut left: BTreeMap<String, u64> =
            known.into_keys().map(|organization| (organization, seconds_of(now))).collect();
        left.extend(before.left);
        // Only files that were put in place here are ever removed.
        left.retain(|organization, _| {
            let is_there = snapshot_in(&self.folder, organization).is_some_and(|path| path.exists());
            is_there && !organizations.contains_key(organization)
        });
        Ok(CellNote { cell, organizations: Some(organizations), left })
    }

    fn write_note(&self, note: &CellNote) -> Result<(), CellError> {
        let path = self.folder.join(NOTE_FILE);
        (self.before)("note").and_then(|()| note.write(&path)).map_err(CellError::file("write", &path))
    }

    fn note(&self) -> Result<CellNote, CellError> {
        let note = CellNote::read(&self.folder.join(NOTE_FILE)).map_err(CellError::Note)?;
        Ok(note.unwrap_or_default())
    }

    /// Reads the manifest if it changed. Returns whether it did.
    async fn read_manifest(&mut self) -> Result<bool, CellError> {
        let object = self.cell.manifest();
        let known = self.manifest.as_ref().and_then(|(_, e_tag)| e_tag.clone());
        let asked = GetOptions { if_none_match: known, ..GetOptions::default() };
        let answer = match self.cell.store.get_opts(&object, asked).await {
            Err(Error::NotModified { .. }) => return Ok(false),
            answer => answer.map_err(refused("read", &object))?,
        };
        if answer.meta.size > CELL_FILE_BYTES_MAX as u64 {
            return Err(CellError::TooLong { object: object.to_string(), bytes_max: CELL_FILE_BYTES_MAX });
        }
        let e_tag = answer.meta.e_tag.clone();
        let bytes = answer.bytes().await.map_err(refused("read", &object))?;
        let read = Manifest::read(&bytes);
        let manifest = read.map_err(|fault| CellError::Manifest { object: object.to_string(), fault })?;
        let is_new = self.manifest.as_ref().is_none_or(|(before, _)| *before != manifest);
        self.manifest = Some((manifest, e_tag));
        Ok(is_new)
    }

    /// The organizations that left at least a day before `now`.
    fn due(&self, now: SystemTime) -> Result<Vec<String>, CellError> {
        let seconds = seconds_of(now);
        let left = self.note()?.left.into_iter();
        Ok(left
            .filter(|(organization, since)| {
                let is_back = self
                    .manifest
                    .as_ref()
                    .is_some_and(|(manifest, _)| manifest.organizations.contains_key(organization));
                !is_back && since.saturating_add(CELL_LEFT_SECONDS) <= seconds
            })
            .map(|(organization, _)| organization)
            .collect())
    }

    /// Puts the snapshot `identity` of `organization` and its store in place, unless they are there. Returns whether it
    /// did.
    async fn place(&self, organization: &str, identity: Identity) -> Result<bool, CellError> {
        let path = self.path_of(organization)?;
        if read_identity(&path).is_ok_and(|there| there == identity) && path_beside(&path).exists() {
            return Ok(false);
        }
        let part = match self.placing {
            Placing::Aside => self.folder.join(PART_FOLDER).join(path.file_name().unwrap_or_default()),
            #[cfg(test)]
            Placing::Directly => path.clone(),
        };
        let (snapshot, store) = self.cell.pair(organization, identity)?;
        self.step("fetch", &part)?;
        fetch(&*self.cell.store, &store, &path_beside(&part)).await?;
        fetch(&*self.cell.store, &snapshot, &part).await?;
        self.check(snapshot.as_ref(), &part, organization, identity).await?;
        self.step("rename", &path_beside(&path))?;
        fs::rename(path_beside(&part), path_beside(&path)).map_err(CellError::file("rename", &part))?;
        self.step("rename", &path)?;
        fs::rename(&part, &path).map_err(CellError::file("rename", &part))?;
        self.step("sync", &path)?;
        sync_folder(&self.folder).map_err(CellError::file("keep the names in", &self.folder))?;
        Ok(true)
    }

    /// Checks the pair at `part` like in `kith verify`, and against the manifest.
    async fn check(
        &self,
        object: &str,
        part: &FilePath,
        organization: &str,
        identity: Identity,
    ) -> Result<(), CellError> {
        let path = part.to_owned();
        let checked = tokio::task::spawn_blocking(move || check_pair(&path)).await;
        let checked = checked.map_err(|error| CellError::file("check", part)(io::Error::other(error)))?;
        let pair = checked.map_err(|fault| CellError::Unsound { path: part.to_owned(), fault })?;
        let says = |organization: &str, identity: Identity| format!("snapshot {identity} of {organization}");
        if (pair.organization.as_str(), pair.identity) == (organization, identity) {
            return Ok(());
        }
        let (got, wanted) = (says(&pair.organization, pair.identity), says(organization, identity));
        Err(CellError::Other { object: object.to_owned(), got, wanted })
    }

    /// Removes the files of `organization`, its snapshot first, so that no snapshot is ever without its store.
    fn remove(&self, organization: &str) -> Result<(), CellError> {
        let path = self.path_of(organization)?;
        for path in [path.clone(), path_beside(&path)] {
            self.step("remove", &path)?;
            remove_if_there(&path).map_err(CellError::file("remove", &path))?;
        }
        Ok(())
    }

    /// Removes the remains of an unfinished pull, and creates the folder for new files.
    fn clear_parts(&self) -> Result<(), CellError> {
        let parts = self.folder.join(PART_FOLDER);
        self.step("clear", &parts)?;
        match fs::remove_dir_all(&parts) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(CellError::file("remove", &parts)(error));
            }
            Ok(()) | Err(_) => {}
        }
        fs::create_dir(&parts).map_err(CellError::file("make", &parts))
    }

    fn path_of(&self, organization: &str) -> Result<PathBuf, CellError> {
        snapshot_in(&self.folder, organization).ok_or_else(|| CellError::Name(organization.to_owned()))
    }

    fn step(&self, step: &'static str, path: &FilePath) -> Result<(), CellError> {
        (self.before)(step).map_err(CellError::file(step, path))
    }
}

/// The identities of `manifest` as text, by organization.
fn identities(manifest: &Manifest) -> BTreeMap<String, String> {
    let texts = manifest
        .organizations
        .iter()
        .map(|(organization, identity)| (organization.clone(), identity.to_string()));
    texts.collect()
}

/// Seconds since 1970; 0 before that.
fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Removes `path` if it exists.
///
/// # Errors
/// Returns an error if it cannot be removed.
fn remove_if_there(path: &FilePath) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
