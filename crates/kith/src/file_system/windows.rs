//! Files on Windows: access lists, which a file has of its folder.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt};
use std::path::Path;

use tempfile::{TempDir, TempPath};
use windows_permissions::constants::{SeObjectType, SecurityInformation};
use windows_permissions::wrappers::{
    ConvertSecurityDescriptorToStringSecurityDescriptor, GetNamedSecurityInfo, SetNamedSecurityInfo,
};
use windows_permissions::{LocalBox, SecurityDescriptor};

use crate::file_system::access_list::{self, AccessList};
use crate::file_system::{FileMarks, Use};

/// The file whose lock stands for its folder.
const LOCK: &str = ".kith-lock";
/// The prefix of the names of copies that are read instead of files; like a draft's.
const COPY: &str = ".kith-copy-";
/// Ticks of the system's time in a second, and seconds from its beginning, 1601, to 1970.
const TICKS: u64 = 10_000_000;
const SECONDS_TO_1970: i64 = 11_644_473_600;

/// Whether others may use the file at `path` as in `what`. A file whose access list cannot be read counts as open.
#[must_use]
pub fn others_may(what: Use, path: &Path, _found: &Metadata) -> bool {
    access_list_of(path).map_or(true, |list| AccessList(&list).others_may(what))
}

/// The command that takes from others what they may do with what lies in the folder of `path`: the files that SQLite
/// makes beside it have the folder's access list too.
#[must_use]
pub fn closing_command(_modes: &str, path: &Path) -> String {
    let folder = path.parent().filter(|_| !path.is_dir()).unwrap_or(path);
    format!("icacls \"{}\" /inheritance:r /grant:r \"*S-1-3-4:(OI)(CI)F\"", folder.display())
}

/// Opens `path` with `options`. A file that this creates may be used by its owner alone.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let is_new = !path.exists();
    let file = options.open(path)?;
    if is_new {
        make_own(path)?;
    }
    Ok(file)
}

/// Creates the folder `path`, and those above it that are missing; what lies in it is its owner's alone.
///
/// # Errors
/// Returns an error if the system refuses; none if it is there already, which is then left as it is.
pub fn make_own_folder(path: &Path) -> io::Result<()> {
    let is_new = !path.exists();
    fs::create_dir_all(path)?;
    if is_new { make_own(path) } else { Ok(()) }
}

/// Creates a folder in `parent`, whose name begins with `prefix`, for its owner alone, until it is dropped.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn own_temporary_folder(prefix: &str, parent: &Path) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
    make_own(folder.path())?;
    Ok(folder)
}

/// Lets the owner of the file or folder at `path` use it, the system and its administrators, and nobody else.
///
/// # Errors
/// Returns an error if the system refuses, as on a disk without access lists.
pub fn make_own(path: &Path) -> io::Result<()> {
    let list = access_list_of(path)?;
    if !AccessList(&list).others_may(Use::Any) {
        return Ok(());
    }
    let own = access_list::of_owner_alone(&list).ok_or_else(|| {
        io::Error::other(format!("{} has no owner to whom it could be left", path.display()))
    })?;
    let own: LocalBox<SecurityDescriptor> = own.parse()?;
    let what = SecurityInformation::Dacl | SecurityInformation::ProtectedDacl;
    SetNamedSecurityInfo(path, SeObjectType::SE_FILE_OBJECT, what, None, None, own.dacl(), None)?;
    // A disk without access lists takes the call, and changes nothing.
    if AccessList(&access_list_of(path)?).others_may(Use::Any) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "this disk keeps no access lists, so every user of the machine may read it; choose a folder on another",
        ));
    }
    Ok(())
}

/// Takes from everybody but its owner what they may do with the file or folder at `path`.
///
/// # Errors
/// Returns the errors of [`make_own`].
pub fn close_to_others(path: &Path, _found: &Metadata) -> io::Result<()> {
    make_own(path)
}

/// A file belongs to the user who creates it.
///
/// # Errors
/// Returns none.
pub fn give_to_owner_of(_like: &Metadata, _file: &File) -> io::Result<()> {
    Ok(())
}

/// A file has the access list of its folder.
///
/// # Errors
/// Returns none.
pub fn permit_as(_replaced: Option<&Metadata>, _file: &File) -> io::Result<()> {
    Ok(())
}

/// A file has the access list of its folder.
///
/// # Errors
/// Returns none.
pub fn take_after(_draft: &File, _path: &Path, _folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Users have no numbers here.
#[must_use]
pub fn owner(_found: &Metadata) -> Option<u32> {
    None
}

/// The marks of the file with the metadata `found`. They need no identity: only SQLite's files are compared, and those cannot
/// be removed, renamed or replaced while they are open. The last change is its last write or, for a copy with the time of
/// another file, its creation.
#[must_use]
pub fn marks(found: &Metadata) -> FileMarks {
    let time = |ticks: u64| {
        let seconds = i64::try_from(ticks / TICKS).unwrap_or(i64::MAX) - SECONDS_TO_1970;
        (seconds, (ticks % TICKS) as i64 * 100)
    };
    let (written, created) = (time(found.last_write_time()), time(found.creation_time()));
    FileMarks { identity: (0, 0), modified: written, changed: written.max(created) }
}

/// Gives the file `draft` the name `path`, in the place of a file that has it, even while that is read.
///
/// # Errors
/// Returns an error if the system refuses, as while a program has the file open that lets nobody replace it; the draft
/// is removed then.
pub fn put_in_place(draft: TempPath, path: &Path) -> io::Result<()> {
    let draft = draft.keep().map_err(|refused| refused.error)?;
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// A copy to read for long instead of the file at `path`, since a file that is being read cannot be replaced. It lies beside
/// the file. SQLite shares no file with those who would replace or remove it, so the copies that can be removed are of killed
/// programs.
///
/// # Errors
/// Returns an error if it cannot be copied.
pub fn stand_in(path: &Path) -> io::Result<Option<TempPath>> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // One of this process may be made at this moment, and not be open yet.
    let own = format!("{COPY}{}-", std::process::id());
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(COPY) && !name.starts_with(&own) {
            let _ = fs::remove_file(entry.path());
        }
    }
    let copy = tempfile::Builder::new().prefix(&own).suffix(".tmp").tempfile_in(folder)?.into_temp_path();
    fs::copy(path, &copy)?;
    Ok(Some(copy))
}

/// The system keeps the names in a folder by a log of its own.
///
/// # Errors
/// Returns none.
pub fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// A file whose lock stands for `folder`, which has none itself.
///
/// # Errors
/// Returns an error if it cannot be opened.
pub fn open_for_lock(folder: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(LOCK))
}

/// Fills `buffer` with the bytes of `file` from `offset` on.
///
/// # Errors
/// Returns an error if there are too few, or the system refuses.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The owner and the access list of the file at `path`, as text.
fn access_list_of(path: &Path) -> io::Result<String> {
    let what = SecurityInformation::Owner | SecurityInformation::Dacl;
    let found = GetNamedSecurityInfo(path, SeObjectType::SE_FILE_OBJECT, what)?;
    let text = ConvertSecurityDescriptorToStringSecurityDescriptor(&found, what)?;
    Ok(text.to_string_lossy().into_owned())
}
