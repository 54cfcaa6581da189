//! A list as text: a line with the version, one with the salt, one per entry, and a last line.
//!
//! Columns are separated by a tab. The last line contains the number of entries and the hash of everything before it: a
//! truncated list, or one with a wrong digit, would bring people back.

use std::fmt::Write;

use crate::model::time::Timestamp;
use crate::suppress::entry::{Digest, Entry, EntryKind, Salt};
use crate::suppress::error::LineFault;
use crate::suppress::list::SuppressionList;
use kith::limits::ID_BYTES_MAX;

/// The version of the format. Lists of version 1 can be read too: they name people by handles and addresses only.
pub const FORMAT_VERSION: u32 = 2;
/// The start of the first line, before its version.
const MAGIC: &str = "kith suppressions ";

/// Writes a list as text; the same list is always the same text.
#[must_use]
pub fn write(list: &SuppressionList) -> String {
    let mut text = format!("{MAGIC}{FORMAT_VERSION}\nsalt\t{}\n", Digest(list.salt.0));
    for (organization, Entry { kind, digest }, added) in list.iter() {
        let added = added.to_rfc3339_ms();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{organization}\t{}\t{digest}\t{added}", kind.name());
    }
    let checksum = checksum(&text);
    let _ = writeln!(text, "end\t{}\t{checksum}", list.len());
    text
}

/// Parses a list.
///
/// # Errors
/// Returns the first faulty line, from 1, and its fault.
pub fn read(bytes: &[u8]) -> Result<SuppressionList, (usize, LineFault)> {
    let text = str::from_utf8(bytes).map_err(|fault| {
        let line = 1 + bytes[..fault.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        (line, LineFault::NotUtf8)
    })?;
    let mut lines = Lines { text, at: 0, line: 0 };
    lines.take(read_version)?;
    let mut list = SuppressionList::new(lines.take(read_salt)?);
    let mut before: Option<(String, Entry)> = None;
    loop {
        let checked = &text[..lines.at];
        let end = lines.take(|line| match line.strip_prefix("end\t") {
            Some(end) => read_end(end, list.len(), checked).map(|()| true),
            None => {
                let (organization, entry, added) = read_entry(line)?;
                let now = (organization.to_owned(), entry);
                if before.as_ref().is_some_and(|before| *before >= now) {
                    return Err(LineFault::Order);
                }
                list.add(organization, entry, added);
                before = Some(now);
                Ok(false)
            }
        })?;
        if end {
            break;
        }
    }
    if lines.at == text.len() { Ok(list) } else { Err((lines.line + 1, LineFault::AfterEnd)) }
}

/// Reads the lines of a text in sequence.
struct Lines<'a> {
    text: &'a str,
    /// The offset of the next line, in bytes.
    at: usize,
    /// The number of the latest line, from 1.
    line: usize,
}

impl<'a> Lines<'a> {
    /// Parses the next line with `read`; a fault is reported with the line's number.
    fn take<T>(
        &mut self,
        read: impl FnOnce(&'a str) -> Result<T, LineFault>,
    ) -> Result<T, (usize, LineFault)> {
        self.line += 1;
        let rest = &self.text[self.at..];
        let end = rest.find('\n').ok_or((self.line, LineFault::CutOff))?;
        let read = read(&rest[..end]).map_err(|fault| (self.line, fault))?;
        self.at += end + 1;
        Ok(read)
    }
}

fn read_version(line: &str) -> Result<(), LineFault> {
    let version = line.strip_prefix(MAGIC).and_then(|version| version.parse::<u32>().ok());
    match version.ok_or(LineFault::NotAList)? {
        1..=FORMAT_VERSION => Ok(()),
        got => Err(LineFault::Version { got, known: FORMAT_VERSION }),
    }
}

fn read_salt(line: &str) -> Result<Salt, LineFault> {
    line.strip_prefix("salt\t").and_then(read_hex).map(Salt).ok_or(LineFault::Salt)
}

fn read_entry(line: &str) -> Result<(&str, Entry, Timestamp), LineFault> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [organization, kind, digest, added] = columns[..] else {
        return Err(LineFault::Columns(columns.len()));
    };
    let is_id = organization.starts_with("org_")
        && organization.len() <= ID_BYTES_MAX
        && !organization.contains(|found: char| found == ',' || found.is_control());
    if !is_id {
        return Err(LineFault::Organization);
    }
    let kind = EntryKind::ALL.into_iter().find(|known| known.name() == kind).ok_or(LineFault::Kind)?;
    let digest = read_hex(digest).map(Digest).ok_or(LineFault::Hash)?;
    let time = Timestamp::parse(added).filter(|time| time.to_rfc3339_ms() == added);
    Ok((organization, Entry { kind, digest }, time.ok_or(LineFault::Time)?))
}

/// Checks the last line, which follows `entries` entries and all of `checked`.
fn read_end(end: &str, entries: usize, checked: &str) -> Result<(), LineFault> {
    let (count, checksum_written) = end.split_once('\t').ok_or(LineFault::End)?;
    if count != entries.to_string() {
        return Err(LineFault::Count(entries));
    }
    if checksum_written == checksum(checked) { Ok(()) } else { Err(LineFault::Checksum) }
}

fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Parses 64 lower-case hexadecimal digits to bytes.
fn read_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let digits = text.as_bytes();
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}
