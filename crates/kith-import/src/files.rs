//! Reads any imported file to rows: its bytes decide what it is, never its name.

use std::io::BufRead;

use crate::archive::{self, ArchiveKind, entries};
use crate::calendar::read_events;
use crate::columns::ColumnMapping;
use crate::decode::{decode, is_utf_8};
use crate::export::ExportFormat;
use crate::fault::FileFault;
use crate::limits::{IMPORT_FILE_BYTES_MAX, IMPORT_RECODED_BYTES_MAX};
pub use crate::mail::LOOK_BYTES as MAIL_LOOK_BYTES;
use crate::mail::{HeadParser, is_mail, is_one_message, read_message, read_messages};
use crate::read::{RowCount, RowTally};
use crate::table::read_text;
use crate::vcard::read_cards;
use crate::workbook::read_workbook;

pub use crate::read::{EntryCount, FileRow, TakeRow};

/// Bytes of a text inspected to find its kind.
const LOOK_BYTES: usize = 1 << 10;
/// The files of LinkedIn's export that are read, in lower case: failing to recognize one is a fault.
const EXPECTED: [&str; 5] =
    ["connections.csv", "messages.csv", "invitations.csv", "positions.csv", "profile.csv"];

/// How files of kinds without rows begin: the place, the bytes, and what such a file is.
const OTHERS: [(usize, &[u8], &str); 14] = [
    (0, b"%PDF", "a PDF"),
    (0, b"\x89PNG", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (0, b"GIF8", "a picture"),
    (8, b"WEBP", "a picture"),
    (4, b"ftyp", "a film or a picture"),
    (0, b"ID3", "a recording"),
    (8, b"WAVE", "a recording"),
    (0, b"{\\rtf", "a text document"),
    (0, b"SQLite format 3", "a database"),
    (0, b"<!doctype", "a web page"),
    (0, b"<html", "a web page"),
    (0, b"{", "a file of JSON"),
    (0, b"[", "a file of JSON"),
];

/// The kind of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Zip,
    OldWorkbook,
    Compressed,
    Mail,
    MailStore,
    Cards,
    Calendar,
    Table,
}

/// Reads the file called `file` with the content `bytes`, and passes each row to `take` with the file or the entry and
/// its line: the row's content, or why it is skipped. `columns` is the manifest's mapping for the file; it applies to
/// entries of an archive only if they are not a known export.
///
/// Returns a count for the file, or for each entry of an archive. A file longer than [`IMPORT_FILE_BYTES_MAX`] is
/// refused as a whole. A mail archive need not be held in memory: see [`read_mail`].
pub fn read_file(
    file: &str,
    bytes: &[u8],
    columns: Option<&ColumnMapping>,
    take: &mut TakeRow<'_>,
) -> Vec<EntryCount> {
    let mut counts = Vec::new();
    if bytes.len() > IMPORT_FILE_BYTES_MAX {
        return vec![broken(file, FileFault::TooLong)];
    }
    match kind_of(bytes) {
        FileKind::Zip => match archive::kind_of(bytes) {
            Ok(ArchiveKind::Files) => read_archive(file, bytes, columns, take, &mut counts),
            Ok(ArchiveKind::Workbook) => read_workbook(file, bytes, columns, take, &mut counts),
            Ok(ArchiveKind::Document(kind)) => counts.push(broken(file, FileFault::NoExport(kind))),
            Ok(ArchiveKind::OtherWorkbook) => counts.push(broken(file, FileFault::OldWorkbook)),
            Err(fault) => counts.push(broken(file, fault)),
        },
        kind => counts.push(read_plain(kind, file, bytes, columns, take)),
    }
    counts
}

/// Whether a file that begins with `bytes` is a mail archive or a message, which [`read_mail`] reads at any length. The
/// first [`MAIL_LOOK_BYTES`] are enough.
#[must_use]
pub fn is_mail_archive(bytes: &[u8]) -> bool {
    is_mail(bytes) || is_one_message(bytes)
}

/// Reads the mail archive or the message called `file` from `mail`, like [`read_file`], line by line. The buffer of
/// `mail` holds its first [`MAIL_LOOK_BYTES`], or all of it.
pub fn read_mail(file: &str, mail: &mut dyn BufRead, take: &mut TakeRow<'_>) -> EntryCount {
    RowTally::of(file, take, |tally| {
        tally.is(ExportFormat::MailArchive);
        let is_one = mail.fill_buf().is_ok_and(is_one_message);
        if is_one { read_message(mail, 1, &HeadParser::default(), tally) } else { read_messages(mail, tally) }
    })
}

/// Whether the file called `base`, in lower case, is one of LinkedIn's that are read.
pub(crate) fn is_expected(base: &str) -> bool {
    EXPECTED.contains(&base)
}

fn kind_of(bytes: &[u8]) -> FileKind {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return FileKind::Zip;
    }
    if bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return FileKind::OldWorkbook;
    }
    if bytes.starts_with(b"\x1f\x8b") || bytes.starts_with(b"\x28\xb5\x2f\xfd") {
        return FileKind::Compressed;
    }
    if bytes.starts_with(b"!BDN") {
        return FileKind::MailStore;
    }
    if is_mail_archive(bytes) {
        return FileKind::Mail;
    }
    let look = decode(&bytes[..bytes.len().min(LOOK_BYTES)]);
    let begins =
        |mark: &str| look.trim_start().get(..mark.len()).is_some_and(|text| text.eq_ignore_ascii_case(mark));
    if begins("BEGIN:VCARD") {
        FileKind::Cards
    } else if begins("BEGIN:VCALENDAR") {
        FileKind::Calendar
    } else {
        FileKind::Table
    }
}

/// Reads a file that is neither an archive nor a workbook.
fn read_plain(
    kind: FileKind,
    file: &str,
    bytes: &[u8],
    columns: Option<&ColumnMapping>,
    take: &mut TakeRow<'_>,
) -> EntryCount {
    if kind == FileKind::Mail {
        return read_mail(file, &mut &*bytes, take);
    }
    RowTally::of(file, take, |tally| match kind {
        FileKind::Mail => Ok(()),
        FileKind::Zip => Err(FileFault::NestedArchive),
        FileKind::OldWorkbook => Err(FileFault::OldWorkbook),
        FileKind::Compressed => Err(FileFault::Compressed),
        FileKind::MailStore => Err(FileFault::MailStore),
        FileKind::Cards => {
            read_cards(&text_of(bytes)?, tally);
            Ok(())
        }
        FileKind::Calendar => {
            read_events(&text_of(bytes)?, tally);
            Ok(())
        }
        FileKind::Table => read_text(&text_of(bytes)?, columns, tally).map_err(|fault| match fault {
            FileFault::NoHeader | FileFault::UnknownHeader(_) => kind_of_others(bytes).unwrap_or(fault),
            fault => fault,
        }),
    })
}

/// The fault of a file that is of a kind without rows; `None` if its kind is unknown.
fn kind_of_others(bytes: &[u8]) -> Option<FileFault> {
    let begins = |(at, mark, _): &&(usize, &[u8], _)| {
        let there = bytes.get(*at..at + mark.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(mark))
    };
    OTHERS.iter().find(begins).map(|(.., kind)| FileFault::NoExport(kind))
}

/// Decodes `bytes` to text.
fn text_of(bytes: &[u8]) -> Result<std::borrow::Cow<'_, str>, FileFault> {
    if bytes.len() > IMPORT_RECODED_BYTES_MAX && !is_utf_8(bytes) {
        return Err(FileFault::TooLongForItsEncoding);
    }
    Ok(decode(bytes))
}

fn broken(file: &str, fault: FileFault) -> EntryCount {
    EntryCount { file: file.to_owned(), count: RowCount { fault: Some(fault), ..RowCount::default() } }
}

/// Reads the entries of an archive. If one is a known export, unknown ones are skipped; if none is, each reports why.
fn read_archive(
    file: &str,
    bytes: &[u8],
    columns: Option<&ColumnMapping>,
    take: &mut TakeRow<'_>,
    counts: &mut Vec<EntryCount>,
) {
    let fault = entries(bytes, |name, unpacked| {
        let entry = format!("{file}!/{name}");
        match unpacked {
            Ok(Some(bytes)) => read_entry(&entry, &bytes, columns, take, counts),
            Ok(None) => counts.push(EntryCount { file: entry, count: RowCount::default() }),
            Err(fault) => counts.push(broken(&entry, fault)),
        }
    });
    if let Err(fault) = fault {
        return counts.push(broken(file, fault));
    }
    if counts.iter().any(|entry| entry.count.format.is_some()) {
        for entry in counts.iter_mut() {
            let base = entry.file.rsplit(['/', '\\']).next().unwrap_or("").to_lowercase();
            if entry.count.is_unknown() && !is_expected(&base) {
                entry.count.fault = None;
            }
        }
    } else if counts.iter().all(|entry| entry.count.fault.is_none()) {
        counts.push(broken(file, FileFault::NothingKnown));
    }
}

/// Reads one entry of an archive.
fn read_entry(
    entry: &str,
    bytes: &[u8],
    columns: Option<&ColumnMapping>,
    take: &mut TakeRow<'_>,
    counts: &mut Vec<EntryCount>,
) {
    match kind_of(bytes) {
        FileKind::Zip if archive::kind_of(bytes) == Ok(ArchiveKind::Workbook) => {
            read_workbook(entry, bytes, None, take, counts);
        }
        kind => {
            let known = read_plain(kind, entry, bytes, None, take);
            let is_unknown = matches!(
                known.count.fault,
                Some(FileFault::UnknownHeader(_) | FileFault::NoHeader | FileFault::NoExport(_))
            );
            let mapped =
                columns.filter(|_| is_unknown).map(|_| read_plain(kind, entry, bytes, columns, take));
            let mapped = mapped.filter(|mapped| mapped.count.format.is_some());
            counts.push(mapped.unwrap_or(known));
        }
    }
}
