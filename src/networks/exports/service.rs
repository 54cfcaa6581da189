//! The exports of a service: the folder, what it may hold, and what arrives.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use kith_import::files::{MAIL_LOOK_BYTES, is_mail_archive};
use kith_import::limits::{IMPORT_FILE_BYTES_MAX, IMPORT_FILES_MAX};
use tokio::sync::Semaphore;

use crate::auth::wrong_codes::WrongCodes;
use crate::exports::error::ExportsError;
use crate::exports::folder::{ExportDraft, ExportsFolder};
use crate::exports::part::{BroughtFile, Part};
use crate::exports::read::report;
use crate::limits::EXPORTS_AT_ONCE;

/// The operator's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportSettings {
    /// The folder.
    pub folder: PathBuf,
    /// The file of its key, which lies elsewhere.
    pub key_file: PathBuf,
    /// The most that one organization's colleagues may bring, in bytes on the disk.
    pub bytes_max: u64,
    /// The address by which colleagues reach this service, without a slash at the end.
    pub public_url: String,
}

/// The exports of a service.
#[derive(Debug)]
pub struct ExportService {
    /// The settings.
    pub settings: ExportSettings,
    /// The folder.
    pub folder: Arc<ExportsFolder>,
    /// The wrong codes of links that came lately.
    pub wrong_codes: WrongCodes,
    /// A permit for each file that may arrive at the same time.
    pub arriving: Arc<Semaphore>,
    /// The one permit to read: it takes the memory of an import.
    pub reading: Arc<Semaphore>,
    /// The parts that a file arrives for.
    busy: Mutex<HashSet<String>>,
}

/// Part of a body, or its end. A body that breaks off has none.
#[derive(Debug)]
pub enum Arrived<B> {
    /// Bytes.
    Piece(B),
    /// The end.
    End,
}

/// The one upload that a part may have at a time.
pub struct Arrival {
    service: Arc<ExportService>,
    part: String,
}

impl Drop for Arrival {
    fn drop(&mut self) {
        self.service.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.part);
    }
}

/// A file that arrived whole, and has no place yet.
pub struct WholeFile {
    draft: ExportDraft,
    bytes: u64,
}

impl ExportService {
    /// Opens the folder that `settings` name, and removes what a killed server left there of files that were not whole.
    ///
    /// # Errors
    /// Returns an error if the folder or its key cannot be used.
    pub fn open(settings: ExportSettings) -> Result<Self, ExportsError> {
        let folder = ExportsFolder::open(&settings.folder, &settings.key_file)?;
        folder.sweep();
        Ok(Self {
            settings,
            folder: Arc::new(folder),
            wrong_codes: WrongCodes::default(),
            arriving: Arc::new(Semaphore::new(EXPORTS_AT_ONCE)),
            reading: Arc::new(Semaphore::new(1)),
            busy: Mutex::default(),
        })
    }

    /// Says that a file arrives for `part`; `None` if one does already.
    #[must_use]
    pub fn begin(self: &Arc<Self>, part: &Part) -> Option<Arrival> {
        let is_first = self.busy.lock().unwrap_or_else(PoisonError::into_inner).insert(part.id.clone());
        is_first.then(|| Arrival { service: Arc::clone(self), part: part.id.clone() })
    }

    /// Seals what `next` gives onto the disk, for the file `name` of `part`.
    ///
    /// # Errors
    /// Returns an error if it breaks off, is too long, or cannot be written: nothing of it is left then.
    pub fn receive<B: AsRef<[u8]>>(
        &self,
        part: &Part,
        name: &str,
        next: impl FnMut() -> Option<Arrived<B>>,
    ) -> Result<WholeFile, ExportsError> {
        let most = self.settings.bytes_max;
        let left = most.saturating_sub(self.folder.used(&part.organization));
        let (draft, mut sealing) = self.folder.draft(part)?;
        let bytes = take(&mut sealing, name, left, next)?.ok_or_else(|| self.is_full(name, left))?;
        let ended = sealing.finish().and_then(|file| file.sync_all());
        ended.map_err(|error| unwritten(name, error))?;
        Ok(WholeFile { draft, bytes })
    }

    /// Reads `whole` with the other files of the part to which `code` leads, and keeps it there as `name`, in the place of one of
    /// that name. Returns the part and its report.
    ///
    /// # Errors
    /// Returns an error if nothing of it can be read, the link is void by now, or there is no room: nothing of it is left then.
    pub fn keep(
        &self,
        code: &str,
        name: &str,
        whole: WholeFile,
        now: i64,
    ) -> Result<(Part, Vec<u8>), ExportsError> {
        let WholeFile { draft, bytes } = whole;
        let new = BroughtFile { id: draft.id.clone(), name: name.to_owned(), bytes, at: now };
        let before = self.folder.linked(code, now)?;
        let report = report(&self.folder, &before, Some((&draft, &new)))?;
        let mut replaced = None;
        let part = self.folder.change_linked(code, now, |part| {
            if self.folder.used(&part.organization) > self.settings.bytes_max {
                return Err(self.is_full(name, 0));
            }
            let same = part.files.iter().position(|file| file.name == name);
            replaced = same.map(|place| part.files.remove(place));
            if part.files.len() >= IMPORT_FILES_MAX {
                let said = format!(
                    "{IMPORT_FILES_MAX} files are there already, and no more can be; remove one first"
                );
                return Err(ExportsError::Bound(said));
            }
            self.folder.keep(part, draft)?;
            part.files.push(new);
            Ok(())
        })?;
        if let Some(file) = replaced {
            self.folder.remove_bytes(&part, &file)?;
        }
        self.folder.save_report(&part, &report)?;
        Ok((part, report))
    }

    /// Reads `part` anew, after a change. Returns its report.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is there no more.
    pub fn read_again(&self, part: &Part) -> Result<(Part, Vec<u8>), ExportsError> {
        let part = self.folder.part(&part.id)?.ok_or(ExportsError::VoidLink)?;
        let report = report(&self.folder, &part, None)?;
        self.folder.save_report(&part, &report)?;
        Ok((part, report))
    }

    fn is_full(&self, name: &str, left: u64) -> ExportsError {
        ExportsError::Bound(format!(
            "{name} does not fit: what colleagues bring may have {} together, and {} are left. Remove files that nobody needs, \
             or ask the people who run kith to raise exports.bytes_max.",
            mebibytes(self.settings.bytes_max),
            mebibytes(left)
        ))
    }
}

/// Writes what `next` gives to `to`: how many bytes, `None` if they are more than `left`.
///
/// # Errors
/// Returns an error if `name` breaks off, is longer than what an import reads, or cannot be written.
pub fn take<B: AsRef<[u8]>>(
    to: &mut impl Write,
    name: &str,
    left: u64,
    mut next: impl FnMut() -> Option<Arrived<B>>,
) -> Result<Option<u64>, ExportsError> {
    let (mut bytes, mut head) = (0_u64, Vec::new());
    loop {
        let piece = match next() {
            None => return Err(ExportsError::Unfit("the file broke off before its end; send it again")),
            Some(Arrived::End) => return Ok(Some(bytes)),
            Some(Arrived::Piece(piece)) => piece,
        };
        let piece = piece.as_ref();
        head.extend_from_slice(&piece[..piece.len().min(MAIL_LOOK_BYTES - head.len())]);
        bytes += piece.len() as u64;
        if bytes > IMPORT_FILE_BYTES_MAX as u64 && !is_mail_archive(&head) {
            return Err(ExportsError::Bound(format!(
                "{name} is longer than {}, the most that an import reads of a file that is no mail. Export fewer rows, or split it.",
                mebibytes(IMPORT_FILE_BYTES_MAX as u64)
            )));
        }
        if bytes > left {
            return Ok(None);
        }
        to.write_all(piece).map_err(|error| unwritten(name, error))?;
    }
}

fn unwritten(name: &str, error: io::Error) -> ExportsError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            ExportsError::Bound(format!(
                "{name} was not kept, since the disk of the server is full, and nothing of it was left there. Ask the people who run \
                 kith."
            ))
        }
        _ => ExportsError::Unwritten { path: PathBuf::from("an export"), error },
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}
