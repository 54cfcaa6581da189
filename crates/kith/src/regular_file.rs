//! Regular files: opened without waiting, read under a bound, with a metadata fingerprint to skip re-reading unchanged
//! files, and the permissions of new ones.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::file_system::{self, FileMarks, Use};

/// The coarsest resolution of a file system's change times.
const COARSEST_TIME: Duration = Duration::from_secs(2);

/// A fingerprint of a file's metadata: its identity, its length in bytes, and its last change.
///
/// A replaced or written file has another stamp, unless it is written twice within a tick of its file system's clock;
/// see [`FileStamp::settled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    marks: FileMarks,
    size: u64,
}

impl FileStamp {
    /// The stamp of the file at `path`; `None` if it is missing or out of reach. Does not open the file; costs about a
    /// microsecond.
    #[must_use]
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|found| Self::of(&found))
    }

    fn of(found: &Metadata) -> Self {
        Self { marks: file_system::marks(found), size: found.len() }
    }

    /// Whether `other` is of the same file, perhaps changed in between.
    #[must_use]
    pub fn is_same_file(self, other: Self) -> bool {
        self.marks.identity == other.marks.identity
    }

    /// The stamp, if the file changed so long before `now` that every later change alters it. Uses the time
    /// that user code cannot set, if the system has one.
    #[must_use]
    pub fn settled(self, now: SystemTime) -> Option<Self> {
        let changed = Duration::from_secs(u64::try_from(self.marks.changed.0).unwrap_or_default() + 1);
        (now >= UNIX_EPOCH + changed + COARSEST_TIME).then_some(self)
    }
}

/// The part of a file that was read.
#[derive(Debug)]
pub struct FileRead {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The stamp before reading.
    pub stamp: FileStamp,
    /// Whether the stamp was the same after reading.
    pub is_steady: bool,
    /// Whether users other than the owner and the group can write it.
    pub is_open_to_all: bool,
}

/// Why a file cannot be opened.
#[derive(Debug)]
pub enum OpenFault {
    /// The file is missing, or out of reach.
    Find(io::Error),
    /// It is not a regular file.
    NotRegular,
    /// It cannot be opened.
    Open(io::Error),
}

impl From<OpenFault> for io::Error {
    fn from(fault: OpenFault) -> Self {
        match fault {
            OpenFault::Find(error) | OpenFault::Open(error) => error,
            OpenFault::NotRegular => io::ErrorKind::InvalidInput.into(),
        }
    }
}

/// Opens the regular file at `path`, and returns its metadata.
///
/// # Errors
/// Returns an error if there is none, or it cannot be opened.
pub fn open(path: &Path) -> Result<(File, Metadata), OpenFault> {
    let regular = |found: Metadata| if found.is_file() { Ok(found) } else { Err(OpenFault::NotRegular) };
    // Checked before opening, since opening a pipe would wait for a writer.
    regular(fs::metadata(path).map_err(OpenFault::Find)?)?;
    let file = File::open(path).map_err(OpenFault::Open)?;
    let found = regular(file.metadata().map_err(OpenFault::Open)?)?;
    Ok((file, found))
}

/// Reads the file at `path`, up to one byte more than `bytes_max`.
///
/// # Errors
/// Returns an error if it cannot be read; [`io::ErrorKind::InvalidInput`] if it is not a regular file.
pub fn read(path: &Path, bytes_max: usize) -> io::Result<FileRead> {
    let (mut file, found) = open(path)?;
    let stamp = FileStamp::of(&found);
    // One more than the length, so that the end is found without a larger buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or(bytes_max).min(bytes_max) + 1);
    Read::by_ref(&mut file).take(bytes_max as u64 + 1).read_to_end(&mut bytes)?;
    let is_steady = stamp == FileStamp::of(&file.metadata()?);
    let is_open_to_all = file_system::others_may(Use::Write, path, &found);
    Ok(FileRead { bytes, stamp, is_steady, is_open_to_all })
}

/// The folder of the file at `path`, or the working directory for a bare name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives `draft`, which is about to take the name `path`, the permissions of the file that it replaces. A new file may
/// be read and written by its owner, and read by the group of its folder if that group may list the folder. Owner and
/// group are those of the replaced file or of the folder, as far as the system permits.
///
/// # Errors
/// Returns an error if the system refuses a step.
pub fn take_after(draft: &File, path: &Path) -> io::Result<()> {
    file_system::take_after(draft, path, folder_of(path))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_stamp_is_settled_once_every_change_gives_another() {
        let marks = FileMarks { identity: (1, 1), modified: (0, 0), changed: (1_000, 999) };
        let stamp = FileStamp { marks, size: 1 };
        for (seconds, is_settled) in [(0, false), (999, false), (1_000, false), (1_002, false), (1_003, true)]
        {
            let now = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(stamp.settled(now).is_some(), is_settled, "{seconds}");
        }
    }

    #[test]
    fn a_file_that_is_written_to_or_replaced_has_another_stamp_and_is_read_up_to_its_bound() -> io::Result<()>
    {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        assert_eq!((FileStamp::at(&path), read(&path, 9).is_err()), (None, true));
        fs::write(&path, "four")?;
        let first = read(&path, 9)?;
        assert_eq!((first.bytes.as_slice(), first.is_steady), (&b"four"[..], true));
        assert_eq!(FileStamp::at(&path), Some(first.stamp));
        assert_eq!(read(&path, 3)?.bytes, b"four");
        assert_eq!(read(&path, 2)?.bytes, b"fou");
        fs::write(&path, "fives")?;
        let second = FileStamp::at(&path);
        assert_ne!(second, Some(first.stamp));
        fs::write(folder.path().join("b"), "fives")?;
        fs::rename(folder.path().join("b"), &path)?;
        assert_ne!(FileStamp::at(&path), second);
        assert!(!read(&path, 9)?.is_open_to_all);
        fs::set_permissions(&path, Permissions::from_mode(0o602))?;
        assert!(read(&path, 9)?.is_open_to_all);
        assert_eq!(
            read(folder.path(), 9).map_err(|error| error.kind()).err(),
            Some(io::ErrorKind::InvalidInput)
        );
        Ok(())
    }

    #[test]
    fn a_new_file_is_its_owners_and_of_a_folder_that_a_group_lists_that_groups() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        for (of_folder, replaced, expected) in [
            (0o755, None, 0o640),
            (0o750, None, 0o640),
            (0o711, None, 0o600),
            (0o700, None, 0o600),
            (0o777, Some(0o644), 0o644),
            (0o755, Some(0o600), 0o600),
        ] {
            fs::set_permissions(folder.path(), Permissions::from_mode(of_folder))?;
            let _ = fs::remove_file(&path);
            if let Some(mode) = replaced {
                fs::write(&path, "old")?;
                fs::set_permissions(&path, Permissions::from_mode(mode))?;
            }
            let draft = tempfile::NamedTempFile::new_in(folder.path())?;
            take_after(draft.as_file(), &path)?;
            assert_eq!(
                draft.as_file().metadata()?.permissions().mode() & 0o777,
                expected,
                "{of_folder:o} {replaced:?}"
            );
        }
        Ok(())
    }
}
