//! The contacts of one file, and the count of its rows.

use crate::import::contact::Contact;
use crate::import::decode::{decode, is_utf_8};
use crate::import::fault::{FileFault, SkipReason};
use crate::import::layout::ExportFormat;
use crate::import::sniff::sniff;
use crate::limits::{IMPORT_FILE_BYTES_MAX, IMPORT_RECODED_BYTES_MAX};

/// What became of the rows of a file. `read` is `used` and `skipped` together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCount {
    /// Which export it is, or `None` if that is not known.
    pub format: Option<ExportFormat>,
    /// Rows: records below the header; lines without a character are none.
    pub read: u64,
    /// Rows that made a contact.
    pub used: u64,
    /// Rows that made none, each for a reason.
    pub skipped: u64,
    /// Contacts with a date that could not be read; they are used without it.
    pub without_date: u64,
    /// Why nothing of the file was read, or nothing from some line on. What was read before is counted.
    pub fault: Option<FileFault>,
}

/// Reads the export that `bytes` are, and hands each row to `take` with its first line, counted in the decoded text from
/// 1: the contact, or why there is none.
///
/// Holds one row at a time; a file that is not UTF-8 is held as such beside its bytes, at most three times as long.
pub fn read_contacts(bytes: &[u8], mut take: impl FnMut(u64, Result<Contact, SkipReason>)) -> RowCount {
    let mut count = RowCount::default();
    count.fault = read(bytes, &mut count, &mut take).err();
    count
}

fn read(
    bytes: &[u8],
    count: &mut RowCount,
    take: &mut impl FnMut(u64, Result<Contact, SkipReason>),
) -> Result<(), FileFault> {
    if bytes.len() > IMPORT_FILE_BYTES_MAX {
        return Err(FileFault::TooLong);
    }
    if bytes.len() > IMPORT_RECODED_BYTES_MAX && !is_utf_8(bytes) {
        return Err(FileFault::TooLongForItsEncoding);
    }
    let text = decode(bytes);
    let (layout, mut records) = sniff(&text)?;
    count.format = Some(layout.format);
    while let Some(record) = records.next()? {
        let row = Contact::of(&record, &layout);
        count.read += 1;
        match &row {
            Ok(contact) => {
                count.used += 1;
                count.without_date += u64::from(!contact.unread_date.is_empty());
            }
            Err(_) => count.skipped += 1,
        }
        take(record.line, row);
    }
    Ok(())
}
