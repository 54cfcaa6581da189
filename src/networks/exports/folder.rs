//! The folder of what colleagues bring: a folder for each organization, and in it one for each part, named by digits that say
//! nothing. Everything in them is sealed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::auth::base62;
use crate::auth::link::hash;
use crate::exports::error::ExportsError;
use crate::exports::part::Part;
use crate::exports::seal::{ExportsKey, Sealing, random};
use crate::file_system::{Use, make_own_folder, open_own, others_may, put_in_place};

/// Digits of an organization's folder, and its bytes.
const ORGANIZATION_DIGITS: usize = 11;
const ORGANIZATION_BYTES: usize = 8;
/// Digits of a part's folder, and its bytes.
const PART_DIGITS: usize = 22;
const PART_BYTES: usize = 16;
/// Digits of the id of a part.
pub(crate) const ID_DIGITS: usize = ORGANIZATION_DIGITS + PART_DIGITS;
/// The files of a part and of its report.
const PART: &str = "part";
const REPORT: &str = "report";
/// How the names of files begin that are not whole yet.
const DRAFT: &str = "draft-";
/// The file whose lock a change holds.
const LOCK: &str = "lock";

/// The folder, and the key to it.
#[derive(Debug)]
pub struct ExportsFolder {
    folder: PathBuf,
    key: ExportsKey,
}

/// A file that is being brought: removed when it is dropped.
pub(crate) struct ExportDraft {
    pub(crate) file: tempfile::NamedTempFile,
    pub(crate) id: String,
}

impl ExportsFolder {
    /// Makes the folder at `folder` and its key at `key`, for their owner alone.
    ///
    /// # Errors
    /// Returns an error if one of them is there already, the key lies in the folder, or they cannot be made.
    pub fn create(folder: &Path, key: &Path) -> Result<(), ExportsError> {
        for path in [folder, key] {
            if path.symlink_metadata().is_ok() {
                return Err(ExportsError::Taken { path: path.to_owned() });
            }
        }
        let unwritten = ExportsError::unwritten(folder);
        make_own_folder(folder).map_err(unwritten)?;
        let made = check_outside(folder, key).and_then(|()| {
            let mut file = open_own(OpenOptions::new().write(true).create_new(true), key);
            let bytes: [u8; 32] = random()?;
            let file = file.as_mut().map_err(|error| io::Error::new(error.kind(), error.to_string()));
            let written = file.and_then(|file| file.write_all(&bytes).and_then(|()| file.sync_all()));
            written.map_err(ExportsError::unwritten(key))
        });
        if made.is_err() {
            let _ = fs::remove_dir(folder);
        }
        made
    }

    /// Opens the folder at `folder` by the key in the file `key`.
    ///
    /// # Errors
    /// Returns an error if one of them is missing or open to others, or the key lies in the folder.
    pub fn open(folder: &Path, key: &Path) -> Result<Self, ExportsError> {
        let found = fs::metadata(folder).map_err(ExportsError::unreadable(folder))?;
        if others_may(Use::Any, folder, &found) {
            return Err(ExportsError::OpenToOthers { path: folder.to_owned() });
        }
        check_outside(folder, key)?;
        Ok(Self { folder: folder.to_owned(), key: ExportsKey::read(key)? })
    }

    /// Removes what uploads left that were killed.
    pub fn sweep(&self) {
        let inside =
            |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let parts = inside(self.folder.clone()).flat_map(inside);
        for file in parts.flat_map(inside).filter(|file| is_draft(file)) {
            let _ = fs::remove_file(file);
        }
    }

    /// The path of the part `id`, whose form it has to have.
    fn place(&self, id: &str) -> Option<PathBuf> {
        let is_id = id.len() == ID_DIGITS && id.bytes().all(|digit| digit.is_ascii_alphanumeric());
        let (organization, part) = is_id.then(|| id.split_at(ORGANIZATION_DIGITS))?;
        Some(self.folder.join(organization).join(part))
    }

    /// The path of the file `name` of a part, and the place that its seal is bound to.
    pub(crate) fn file(&self, part: &Part, name: &str) -> Result<(PathBuf, String), ExportsError> {
        let folder = self.place(&part.id).ok_or(ExportsError::Missing("the part"))?;
        Ok((folder.join(name), format!("{}/{name}", part.id)))
    }

    /// The part `id`, `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub fn part(&self, id: &str) -> Result<Option<Part>, ExportsError> {
        let Some(folder) = self.place(id) else { return Ok(None) };
        let bytes = self.read(&folder.join(PART), &format!("{id}/{PART}"))?;
        let part = |bytes: Vec<u8>| {
            serde_json::from_slice(&bytes)
                .map_err(io::Error::other)
                .map_err(ExportsError::unreadable(&folder))
        };
        bytes.map(part).transpose()
    }

    /// The parts of the organization `organization`, in the order of their ids, with the file that each lies in.
    ///
    /// # Errors
    /// Returns an error if one cannot be opened.
    pub fn parts(&self, organization: &str) -> Result<Vec<(Part, PathBuf)>, ExportsError> {
        let (digits, folder) = self.of_organization(organization);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(ExportsError::unreadable(&folder))?,
        };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.len() == PART_DIGITS).collect();
        names.sort_unstable();
        let mut parts = Vec::new();
        for name in names {
            // A part that was left meanwhile is none.
            let part = self.part(&format!("{digits}{name}"))?;
            parts.extend(part.map(|part| (part, folder.join(name).join(PART))));
        }
        Ok(parts)
    }

    /// The bytes on the disk of everything that lies there of `organization`.
    pub(crate) fn used(&self, organization: &str) -> u64 {
        let lengths = |folder: PathBuf| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum::<u64>()
        };
        let parts = fs::read_dir(self.of_organization(organization).1).into_iter().flatten().flatten();
        parts.map(|part| lengths(part.path())).sum()
    }

    /// A new id of a part of `organization`.
    pub(crate) fn new_part_id(&self, organization: &str) -> Result<String, ExportsError> {
        let digits = base62::encode(&random::<PART_BYTES>()?, PART_DIGITS);
        Ok(self.of_organization(organization).0 + &digits)
    }

    /// Runs `work` while no other changes what `organization` has there.
    ///
    /// # Errors
    /// Returns the errors of `work`; one if the folder cannot be locked.
    pub(crate) fn change<T>(
        &self,
        organization: &str,
        work: impl FnOnce() -> Result<T, ExportsError>,
    ) -> Result<T, ExportsError> {
        let (_, folder) = self.of_organization(organization);
        let lock = || {
            make_own_folder(&folder)?;
            let mut writing = OpenOptions::new();
            let file = open_own(writing.write(true).create(true).truncate(false), &folder.join(LOCK))?;
            file.lock().map(|()| file)
        };
        let _held = lock().map_err(ExportsError::unwritten(&folder))?;
        work()
    }

    /// Writes `part` in the place of the one that is there.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub(crate) fn save(&self, part: &Part) -> Result<(), ExportsError> {
        let folder = self.place(&part.id).ok_or(ExportsError::Missing("the part"))?;
        make_own_folder(&folder).map_err(ExportsError::unwritten(&folder))?;
        let bytes =
            serde_json::to_vec(part).map_err(io::Error::other).map_err(ExportsError::unwritten(&folder))?;
        self.write(part, PART, &bytes)
    }

    /// Writes the report on `part`.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub(crate) fn save_report(&self, part: &Part, report: &[u8]) -> Result<(), ExportsError> {
        self.write(part, REPORT, report)
    }

    /// The report on `part`; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub(crate) fn report(&self, part: &Part) -> Result<Option<Vec<u8>>, ExportsError> {
        let (path, place) = self.file(part, REPORT)?;
        self.read(&path, &place)
    }

    /// Removes `part` with all that lies there of it.
    ///
    /// # Errors
    /// Returns an error if something stays.
    pub(crate) fn remove(&self, part: &Part) -> Result<(), ExportsError> {
        let folder = self.place(&part.id).ok_or(ExportsError::Missing("the part"))?;
        fs::remove_dir_all(&folder).map_err(ExportsError::unwritten(&folder))
    }

    /// A file for `part` that takes a place there by [`Self::keep`].
    ///
    /// # Errors
    /// Returns an error if it cannot be made.
    pub(crate) fn draft(&self, part: &Part) -> Result<(ExportDraft, Sealing<File>), ExportsError> {
        let id = base62::encode(&random::<PART_BYTES>()?, PART_DIGITS);
        let (path, place) = self.file(part, &id)?;
        let folder = path.parent().unwrap_or(&self.folder);
        let make = || {
            let file = tempfile::Builder::new().prefix(DRAFT).tempfile_in(folder)?;
            let sealing = self.key.seal(file.reopen()?, &place)?;
            Ok((ExportDraft { file, id }, sealing))
        };
        make().map_err(ExportsError::unwritten(folder))
    }

    /// Puts `draft` in its place among the files of `part`.
    ///
    /// # Errors
    /// Returns an error if it cannot be put there.
    pub(crate) fn keep(&self, part: &Part, draft: ExportDraft) -> Result<(), ExportsError> {
        let (path, _) = self.file(part, &draft.id)?;
        put_in_place(draft.file.into_temp_path(), &path).map_err(ExportsError::unwritten(&path))
    }

    /// Opens the sealed bytes at `path`, whose seal is bound to `place`.
    pub(crate) fn unseal(&self, path: &Path, place: &str) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(self.key.open(File::open(path)?, place)?))
    }

    fn of_organization(&self, organization: &str) -> (String, PathBuf) {
        let digits = base62::encode(&hash(organization)[..ORGANIZATION_BYTES], ORGANIZATION_DIGITS);
        let folder = self.folder.join(&digits);
        (digits, folder)
    }

    fn read(&self, path: &Path, place: &str) -> Result<Option<Vec<u8>>, ExportsError> {
        let mut bytes = Vec::new();
        match self.unseal(path, place).and_then(|mut file| file.read_to_end(&mut bytes)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(|_| Some(bytes)).map_err(ExportsError::unreadable(path)),
        }
    }

    fn write(&self, part: &Part, name: &str, bytes: &[u8]) -> Result<(), ExportsError> {
        let (path, place) = self.file(part, name)?;
        let write = || {
            let folder = kith::regular_file::folder_of(&path);
            let file = tempfile::Builder::new().prefix(DRAFT).tempfile_in(folder)?;
            let mut sealing = self.key.seal(file.reopen()?, &place)?;
            sealing.write_all(bytes)?;
            sealing.finish()?.sync_all()?;
            put_in_place(file.into_temp_path(), &path)
        };
        write().map_err(ExportsError::unwritten(&path))
    }
}

fn is_draft(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(DRAFT))
}

/// Passes a key that does not lie in the folder that it opens.
fn check_outside(folder: &Path, key: &Path) -> Result<(), ExportsError> {
    let folder = fs::canonicalize(folder).map_err(ExportsError::unreadable(folder))?;
    let around = kith::regular_file::folder_of(key);
    let around = fs::canonicalize(around).map_err(ExportsError::unreadable(around))?;
    if around.starts_with(folder) { Err(ExportsError::KeyInside { path: key.to_owned() }) } else { Ok(()) }
}
