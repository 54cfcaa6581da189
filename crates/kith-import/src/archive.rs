//! Unpacks archives (zip) in memory, under bounds; nothing is written to disk.
//!
//! No claim of an archive is trusted: neither the number of its entries nor their lengths. A path that leads out of the
//! archive does no harm, since no entry is written, but is reported.

use std::io::{Cursor, Read};

use memchr::memmem;
use zip::ZipArchive;

use crate::fault::FileFault;
use crate::limits::{
    IMPORT_ARCHIVE_BYTES_MAX, IMPORT_ARCHIVE_ENTRIES_MAX, IMPORT_ENTRY_BYTES_MAX, IMPORT_FILE_BYTES_MAX,
    IMPORT_SHEET_BYTES_MAX, IMPORT_STYLES_BYTES_MAX, IMPORT_UNPACKED_BYTES_MAX, IMPORT_UNPACKED_RATIO_MAX,
    IMPORT_WORKBOOK_PART_BYTES_MAX,
};

/// Unpacked bytes of an entry from which on its ratio is checked.
const RATIO_FROM_BYTES: usize = 1 << 20;
/// Bytes unpacked at a time, 1 MiB.
const STEP_BYTES: u64 = 1 << 20;
/// Name endings of files that are not exports and may be long: they are skipped unread.
const PASSED_OVER: [&str; 20] = [
    ".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".svg", ".mp4", ".mov", ".mp3", ".m4a", ".wav",
    ".pdf", ".html", ".htm", ".css", ".js", ".json", ".docx", ".pptx",
];

/// The kind of a zip file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveKind {
    /// A workbook of Excel, from 2007 on.
    Workbook,
    /// A workbook of another program.
    OtherWorkbook,
    /// A document of an office program.
    Document(&'static str),
    Files,
}

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// The kind of the zip file `bytes`.
///
/// # Errors
/// Returns a fault if it cannot be opened, or exceeds a bound.
pub(crate) fn kind_of(bytes: &[u8]) -> Result<ArchiveKind, FileFault> {
    let archive = open(bytes)?;
    let has = |name: &str| archive.index_for_name(name).is_some();
    Ok(if has("xl/workbook.xml") {
        ArchiveKind::Workbook
    } else if has("word/document.xml") {
        ArchiveKind::Document("a document of Word")
    } else if has("ppt/presentation.xml") {
        ArchiveKind::Document("a presentation")
    } else if has("xl/workbook.bin") || has("Index/Document.iwa") || (has("mimetype") && has("content.xml")) {
        ArchiveKind::OtherWorkbook
    } else {
        ArchiveKind::Files
    })
}

/// Passes each entry of the archive `bytes` to `take`, in order: its name and its bytes, `None` if it is skipped, or
/// why it cannot be read. Folders do not count as entries.
///
/// # Errors
/// Returns a fault if the archive cannot be opened, or exceeds a bound.
pub(crate) fn entries(
    bytes: &[u8],
    take: impl FnMut(&str, Result<Option<Vec<u8>>, FileFault>),
) -> Result<(), FileFault> {
    entries_within(bytes, IMPORT_ENTRY_BYTES_MAX, IMPORT_UNPACKED_BYTES_MAX, take)
}

/// [`entries`], with at most `most` bytes each, and at most `left` altogether.
fn entries_within(
    bytes: &[u8],
    most: usize,
    mut left: usize,
    mut take: impl FnMut(&str, Result<Option<Vec<u8>>, FileFault>),
) -> Result<(), FileFault> {
    let mut archive = open(bytes)?;
    for place in 0..archive.len() {
        let name = name_of(&archive, place);
        if name.ends_with('/') {
            continue;
        }
        let read = if climbs(&name) {
            Err(FileFault::ClimbingPath)
        } else if is_passed_over(&name) {
            Ok(None)
        } else {
            unpack(&mut archive, place, most.min(left), Some(bytes.len())).map(Some)
        };
        let read = match read {
            Err(FileFault::EntryTooLong) if left < most => Err(FileFault::UnpacksTooLong),
            read => read,
        };
        left -= read.as_ref().ok().and_then(Option::as_ref).map_or(0, Vec::len);
        // Discarded data took as much time.
        if matches!(read, Err(FileFault::EntryTooLong)) {
            left -= most;
        }
        let is_last = read == Err(FileFault::UnpacksTooLong);
        take(&name, read);
        if is_last {
            break;
        }
    }
    Ok(())
}

/// Passes each entry of the archive `bytes` whose name without folders is one of `called`, in lower case, to `take`: its name
/// and its bytes, at most `most`. One that cannot be read is left to the import, which reports it.
pub(crate) fn entries_called(bytes: &[u8], called: &[&str], most: usize, mut take: impl FnMut(&str, &[u8])) {
    let Ok(mut archive) = open(bytes) else { return };
    for place in 0..archive.len() {
        let name = name_of(&archive, place);
        let base = name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        if !climbs(&name) && called.contains(&base.as_str()) {
            let unpacked = unpack(&mut archive, place, most, Some(bytes.len()));
            unpacked.iter().for_each(|bytes| take(&name, bytes));
        }
    }
}

/// Checks that the workbook `bytes` is safe for its parser, which trusts a workbook's claims.
///
/// # Errors
/// Returns a fault if a part of it is too long, or claims more texts than it can have.
pub(crate) fn check_workbook(bytes: &[u8]) -> Result<(), FileFault> {
    let mut archive = open(bytes)?;
    let mut left = IMPORT_FILE_BYTES_MAX;
    for place in 0..archive.len() {
        let name = name_of(&archive, place).to_ascii_lowercase();
        let most = if name.contains("worksheets/") {
            IMPORT_SHEET_BYTES_MAX
        } else if name.ends_with("styles.xml") {
            IMPORT_STYLES_BYTES_MAX
        } else {
            IMPORT_WORKBOOK_PART_BYTES_MAX
        };
        let part = unpack(&mut archive, place, most.min(left), None).map_err(|fault| match fault {
            FileFault::EntryTooLong => FileFault::SheetTooLong,
            fault => fault,
        })?;
        left -= part.len();
        if name.ends_with(".xml") && !is_believable(&part) {
            return Err(FileFault::Damaged(format!("{name} is no part of a workbook")));
        }
    }
    Ok(())
}

/// Whether a part of a workbook is text, and claims no more texts than it has bytes: the parser allocates room for as
/// many.
fn is_believable(part: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(part) else { return false };
    let claims = text.split("uniqueCount").skip(1).map(|behind| {
        let digits = behind.trim_start_matches(|c: char| c.is_whitespace() || "='\"".contains(c));
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        &digits[..end]
    });
    let is_right =
        |claim: &str| claim.is_empty() || claim.parse::<usize>().is_ok_and(|count| count <= part.len());
    !text.contains('\0') && claims.into_iter().all(is_right)
}

fn open(bytes: &[u8]) -> Result<Archive<'_>, FileFault> {
    if bytes.len() > IMPORT_ARCHIVE_BYTES_MAX {
        return Err(FileFault::ArchiveTooLong);
    }
    if claims_too_many(bytes) {
        return Err(FileFault::TooManyEntries);
    }
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.len() > IMPORT_ARCHIVE_ENTRIES_MAX {
        return Err(FileFault::TooManyEntries);
    }
    if archive.has_duplicate_names() {
        return Err(FileFault::EntriesOfOneName);
    }
    Ok(archive)
}

/// Whether the directory of a long archive claims more entries than the maximum: the library allocates room for them
/// before it reads one. Other archives cannot claim more than 65,535.
fn claims_too_many(bytes: &[u8]) -> bool {
    let is_long = memmem::find(bytes, b"PK\x06\x07").is_some();
    let count_at = |place: usize| {
        let count = bytes.get(place + 32..place + 40)?;
        Some(u64::from_le_bytes(count.try_into().ok()?))
    };
    let mut counts = memmem::find_iter(bytes, b"PK\x06\x06").filter_map(count_at);
    is_long && counts.any(|count| count > IMPORT_ARCHIVE_ENTRIES_MAX as u64)
}

/// The name of an entry, without control characters.
fn name_of(archive: &Archive<'_>, place: usize) -> String {
    let name = archive.name_for_index(place).and_then(Result::ok).unwrap_or_default();
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Whether a path leads out of its folder.
fn climbs(name: &str) -> bool {
    name.starts_with(['/', '\\'])
        || name.get(1..2) == Some(":")
        || name.split(['/', '\\']).any(|part| part == "..")
}

fn is_passed_over(name: &str) -> bool {
    let name = name.to_lowercase();
    let base = name.rsplit(['/', '\\']).next().unwrap_or(&name);
    // macOS adds such an entry beside each file.
    base.starts_with("._")
        || name.starts_with("__macosx/")
        || PASSED_OVER.iter().any(|end| name.ends_with(end))
}

/// Unpacks an entry, up to `most` bytes. With `ratio_of`, the bytes of the archive, refuses a zip bomb.
fn unpack(
    archive: &mut Archive<'_>,
    place: usize,
    most: usize,
    ratio_of: Option<usize>,
) -> Result<Vec<u8>, FileFault> {
    let raw = archive.by_index_raw(place).map_err(damaged)?;
    if raw.encrypted() {
        return Err(FileFault::Encrypted);
    }
    let packed = usize::try_from(raw.compressed_size()).unwrap_or(usize::MAX);
    drop(raw);
    let mut entry = archive.by_index(place).map_err(damaged)?;
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        entry.by_ref().take(STEP_BYTES).read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() > most {
            return Err(FileFault::EntryTooLong);
        }
        if let Some(archive_bytes) = ratio_of
            && bytes.len() > RATIO_FROM_BYTES
            && bytes.len() / IMPORT_UNPACKED_RATIO_MAX > packed.min(archive_bytes)
        {
            return Err(FileFault::RatioTooHigh);
        }
        if bytes.len() == before {
            return Ok(bytes);
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> FileFault {
    FileFault::Damaged(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_out_is_known_in_each_spelling() {
        for name in ["../a.csv", "a/../../b", "/etc/passwd", "\\\\host\\a", "C:\\a.csv", "a\\..\\b"] {
            assert!(climbs(name), "{name}");
        }
        for name in ["a.csv", "folder/a.csv", "a..csv", ".../a.csv", ""] {
            assert!(!climbs(name), "{name}");
        }
    }

    #[test]
    fn a_workbook_that_claims_more_texts_than_it_has_bytes_is_not_believed() {
        for (part, is) in [
            ("<sst uniqueCount=\"3\"></sst>", true),
            ("<sst/>", true),
            ("<sst uniqueCount = '99999999999999'/>", false),
            ("<sst uniqueCount=\"99999999999999999999999\"/>", false),
            ("<s\0st/>", false),
        ] {
            assert_eq!(is_believable(part.as_bytes()), is, "{part}");
        }
        assert!(!is_believable(b"<\xff"));
    }

    /// Reads two entries of 40 bytes each.
    fn read_within(most: usize, left: usize) -> Vec<Result<usize, FileFault>> {
        use std::io::Write;
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a", "b"] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(&[b'x'; 40]).unwrap();
        }
        let (bytes, mut read) = (writer.finish().unwrap().into_inner(), Vec::new());
        let all = entries_within(&bytes, most, left, |_, entry| {
            read.push(entry.map(|bytes| bytes.map_or(0, |bytes| bytes.len())));
        });
        assert_eq!(all, Ok(()));
        read
    }

    #[test]
    fn entries_are_bounded_each_and_together() {
        assert_eq!(read_within(40, 80), [Ok(40), Ok(40)]);
        assert_eq!(read_within(39, 80), [Err(FileFault::EntryTooLong), Err(FileFault::EntryTooLong)]);
        assert_eq!(read_within(40, 79), [Ok(40), Err(FileFault::UnpacksTooLong)]);
        assert_eq!(read_within(40, 39), [Err(FileFault::UnpacksTooLong)]);
    }

    #[test]
    fn a_directory_that_claims_more_entries_than_are_looked_at_is_not_opened() {
        let claim = |count: u64| {
            let mut bytes = b"PK\x06\x06".to_vec();
            bytes.extend_from_slice(&[0; 28]);
            bytes.extend_from_slice(&count.to_le_bytes());
            bytes.extend_from_slice(b"PK\x06\x07");
            claims_too_many(&bytes)
        };
        assert!(claim(u64::MAX));
        assert!(claim(IMPORT_ARCHIVE_ENTRIES_MAX as u64 + 1));
        assert!(!claim(IMPORT_ARCHIVE_ENTRIES_MAX as u64));
    }
}
