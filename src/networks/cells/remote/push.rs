//! Pushes snapshots to the store, then the manifest that puts them in force.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};

use object_store::{Error, GetOptions, ObjectStore, PutMode, PutOptions, PutPayload, UpdateVersion};

use crate::cells::error::CellError;
use crate::cells::manifest::Manifest;
use crate::cells::remote::address::RemoteCell;
use crate::cells::remote::refused::refused;
use crate::cells::remote::upload::put_once;
use crate::cells::sound::{SoundPair, check_pair};
use crate::limits::CELL_FILE_BYTES_MAX;
use crate::regular_file::{self, FileStamp};
use crate::relational::path_beside;
use crate::snapshot::Identity;

/// How often to reread a manifest that others replace.
const ATTEMPTS: usize = 20;

/// The result of a push.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pushed {
    /// Files uploaded.
    pub(crate) uploaded: usize,
    /// Files that were already there.
    pub(crate) kept: usize,
    /// Organizations that the manifest gained, lost, or changed.
    pub(crate) changed: usize,
}

/// How to replace the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacing {
    /// Only if it is still the one that was read.
    ByEtag,
    /// Unconditionally: for stores without ETags, which must have one writer.
    Unseen,
}

/// A manifest, and the version of its object; `None` if there was none.
struct Read {
    manifest: Manifest,
    version: Option<UpdateVersion>,
}

/// Puts `snapshots`, each with the store beside it, in force in `cell`, and removes the organizations `removed` from
/// it. Every file is checked first; the manifest is replaced last, as a whole.
///
/// # Errors
/// Returns an error if a file is not sound, the store fails, or another push changed one of these organizations
/// meanwhile. Then nothing of this push is in force.
pub(crate) async fn push(
    cell: &RemoteCell,
    snapshots: &[PathBuf],
    removed: &[String],
) -> Result<Pushed, CellError> {
    let replacing = if cell.has_etags { Replacing::ByEtag } else { Replacing::Unseen };
    push_replacing(cell, snapshots, removed, replacing).await
}

/// Like [`push`], replacing the manifest as in `replacing`.
pub(super) async fn push_replacing(
    cell: &RemoteCell,
    snapshots: &[PathBuf],
    removed: &[String],
    replacing: Replacing,
) -> Result<Pushed, CellError> {
    let before = read_manifest(cell).await?;
    let mut pushed = Pushed::default();
    let mut wanted: BTreeMap<String, Option<Identity>> =
        removed.iter().map(|organization| (organization.clone(), None)).collect();
    let mut files: BTreeMap<String, &PathBuf> = BTreeMap::new();
    for path in snapshots {
        let pair = send_pair(cell, path, &mut pushed).await?;
        if let Some(first) = files.insert(pair.organization.clone(), path) {
            let (first, second) = (first.clone(), path.clone());
            return Err(CellError::Twice { organization: pair.organization, first, second });
        }
        wanted.insert(pair.organization, Some(pair.identity));
    }
    pushed.changed = put_in_force(cell, before, &wanted, replacing).await?;
    Ok(pushed)
}

/// Checks the snapshot at `path` and the store beside it, and uploads both.
async fn send_pair(cell: &RemoteCell, path: &FilePath, pushed: &mut Pushed) -> Result<SoundPair, CellError> {
    let beside = path_beside(path);
    let stamps = || (FileStamp::at(path), FileStamp::at(&beside));
    let before = stamps();
    let checked = {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || check_pair(&path)).await
    };
    let checked = checked.map_err(|error| CellError::file("check", path)(std::io::Error::other(error)))?;
    let pair = checked.map_err(|fault| CellError::Unsound { path: path.to_owned(), fault })?;
    let open = |path: &FilePath| {
        let opened = regular_file::open(path).map_err(std::io::Error::from);
        opened.map(|(file, _)| file).map_err(CellError::file("open", path))
    };
    let (snapshot, store) = (open(path)?, open(&beside)?);
    // The open files are the checked ones, whatever happens to their names.
    if before != stamps() {
        return Err(CellError::Changed(path.to_owned()));
    }
    let (snapshot_object, store_object) = cell.pair(&pair.organization, pair.identity)?;
    // The snapshot last: if it is there, so is its store.
    for (object, file, path) in [(store_object, store, beside.as_path()), (snapshot_object, snapshot, path)] {
        match put_once(&*cell.store, &object, file, path).await? {
            true => pushed.uploaded += 1,
            false => pushed.kept += 1,
        }
    }
    Ok(pair)
}

/// Replaces the manifest with one that has the `wanted` entries, and returns the number of organizations that changed.
/// Keeps the changes of another push since `before` was read.
async fn put_in_force(
    cell: &RemoteCell,
    before: Read,
    wanted: &BTreeMap<String, Option<Identity>>,
    replacing: Replacing,
) -> Result<usize, CellError> {
    let object = cell.manifest();
    let first = before.manifest.clone();
    let mut now = before;
    for _ in 0..ATTEMPTS {
        let mut changed = 0;
        let mut next = now.manifest.clone();
        for (organization, identity) in wanted {
            let theirs = now.manifest.organizations.get(organization);
            if theirs == identity.as_ref() {
                continue;
            }
            if theirs != first.organizations.get(organization) {
                let theirs = theirs.map_or("none".to_owned(), Identity::to_string);
                return Err(CellError::Conflict { organization: organization.clone(), theirs });
            }
            changed += 1;
            match identity {
                Some(identity) => drop(next.organizations.insert(organization.clone(), *identity)),
                None => drop(next.organizations.remove(organization)),
            }
        }
        if changed == 0 && now.version.is_some() {
            return Ok(0);
        }
        let mode = match (replacing, now.version.take()) {
            (Replacing::Unseen, _) => PutMode::Overwrite,
            (Replacing::ByEtag, None) => PutMode::Create,
            (Replacing::ByEtag, Some(version)) => PutMode::Update(version),
        };
        let put = PutOptions { mode, ..PutOptions::default() };
        match cell.store.put_opts(&object, PutPayload::from(next.write()), put).await {
            Ok(_) => return Ok(changed),
            Err(Error::Precondition { .. } | Error::AlreadyExists { .. }) => {
                now = read_manifest(cell).await?
            }
            Err(error) => return Err(refused("replace", &object)(error)),
        }
    }
    Err(CellError::Busy { object: object.to_string() })
}

/// The present manifest of `cell`; an empty one if there is none.
async fn read_manifest(cell: &RemoteCell) -> Result<Read, CellError> {
    let object = cell.manifest();
    let answer = match cell.store.get_opts(&object, GetOptions::default()).await {
        Err(Error::NotFound { .. }) => return Ok(Read { manifest: Manifest::default(), version: None }),
        answer => answer.map_err(refused("read", &object))?,
    };
    let version = UpdateVersion { e_tag: answer.meta.e_tag.clone(), version: answer.meta.version.clone() };
    if answer.meta.size > CELL_FILE_BYTES_MAX as u64 {
        return Err(CellError::TooLong { object: object.to_string(), bytes_max: CELL_FILE_BYTES_MAX });
    }
    let bytes = answer.bytes().await.map_err(refused("read", &object))?;
    let manifest = Manifest::read(&bytes);
    let manifest = manifest.map_err(|fault| CellError::Manifest { object: object.to_string(), fault })?;
    Ok(Read { manifest, version: Some(version) })
}
