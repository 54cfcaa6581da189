//! Folders of messages in single files: the `cur` and `new` of a Maildir, and the `.eml` or `.emlx` files of mail
//! programs.

use std::fs::{self, DirEntry};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::export::ExportFormat;
use crate::files::{EntryCount, TakeRow};
use crate::mail::{HeadParser, read_message};
use crate::read::RowTally;
use kith::regular_file;
use kith_tables::progress::Progress;

/// Name endings, after the last full stop, of files that are one message each.
const ENDINGS: [&str; 2] = ["eml", "emlx"];
/// Bytes of a message that are read at a time: most heads fit.
const PIECE_BYTES: usize = 1 << 13;

/// The messages of a folder, read as one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageFolder {
    folder: PathBuf,
    /// The ending of their names; in a Maildir all files are messages.
    ending: Option<&'static str>,
}

impl MessageFolder {
    /// The messages meant by `path`: `Mail/cur/*` or `Mail/*.eml`, unless a file has this name.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let ending = ENDINGS.into_iter().find(|ending| name.strip_prefix("*.") == Some(ending));
        let is_pattern = (name == "*" || ending.is_some()) && fs::symlink_metadata(path).is_err();
        is_pattern.then(|| Self { folder: regular_file::folder_of(path).to_owned(), ending })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads the messages, called `name` in reports, in byte order of their names; a row's line is the message's number
    /// among them. `take_bytes` gets the bytes read of each, `progress` its whole length.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    pub(crate) fn read(
        &self,
        name: &str,
        progress: &dyn Progress,
        take_bytes: &mut dyn FnMut(&[u8]),
        take: &mut TakeRow<'_>,
    ) -> io::Result<EntryCount> {
        let mut names: Vec<_> = self.entries()?.map(|entry| entry.file_name()).collect();
        names.sort_unstable();
        let parser = HeadParser::default();
        Ok(RowTally::of(name, take, |tally| {
            tally.is(ExportFormat::MailArchive);
            for (place, file) in names.iter().enumerate() {
                // Mail that was read or moved meanwhile has another name, and is found next time.
                let Ok((file, found)) = regular_file::open(&self.folder.join(file)) else { continue };
                let tapped = TappedMessage { file, take_bytes };
                read_message(
                    &mut BufReader::with_capacity(PIECE_BYTES, tapped),
                    place as u64 + 1,
                    &parser,
                    tally,
                )?;
                progress.advance(found.len());
            }
            Ok(())
        }))
    }

    /// The bytes of all messages.
    pub(crate) fn bytes(&self) -> u64 {
        let lengths = self.entries().into_iter().flatten().filter_map(|entry| entry.metadata().ok());
        lengths.map(|found| found.len()).sum()
    }

    fn entries(&self) -> io::Result<impl Iterator<Item = DirEntry>> {
        let ending = self.ending;
        let is_message = move |entry: &DirEntry| {
            let path = entry.path();
            entry.file_type().is_ok_and(|kind| kind.is_file())
                && !entry.file_name().to_string_lossy().starts_with('.')
                && ending.is_none_or(|ending| ending_of(&path) == Some(ending))
        };
        Ok(fs::read_dir(&self.folder)?.flatten().filter(is_message))
    }
}

/// The pattern for the file at `path` and all other message files of its folder; `None` if its name does not mark it as
/// a message.
pub(crate) fn pattern_of(path: &Path) -> Option<String> {
    ending_of(path).map(|ending| format!("*.{ending}"))
}

fn ending_of(path: &Path) -> Option<&'static str> {
    let own = path.extension()?.to_str()?;
    ENDINGS.into_iter().find(|ending| own.eq_ignore_ascii_case(ending))
}

/// The part of a Maildir that `folder` is, if any.
pub(crate) fn part_of_maildir(folder: &Path) -> Option<MaildirPart> {
    let part = match folder.file_name()?.to_str()? {
        "cur" | "new" => MaildirPart::Messages,
        "tmp" => MaildirPart::Unfinished,
        _ => return None,
    };
    is_maildir(regular_file::folder_of(folder)).then_some(part)
}

/// Whether `folder` is a Maildir, or a folder below one, whose name may begin with a full stop.
pub(crate) fn is_maildir(folder: &Path) -> bool {
    ["cur", "new"].iter().all(|part| folder.join(part).is_dir())
}

/// A folder in a Maildir.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaildirPart {
    /// Messages that were delivered.
    Messages,
    /// Messages that are being delivered.
    Unfinished,
}

/// A message that passes its bytes on while they are read.
struct TappedMessage<'a, R> {
    file: R,
    take_bytes: &'a mut dyn FnMut(&[u8]),
}

impl<R: Read> Read for TappedMessage<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        (self.take_bytes)(&buffer[..read]);
        Ok(read)
    }
}
