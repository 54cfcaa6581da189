//! The result of reading a file: its rows, each counted as used or skipped.

use crate::columns::WeightedTie;
use crate::contact::Contact;
use crate::export::ExportFormat;
use crate::fault::{FileFault, SkipReason};
use crate::interaction::Interaction;
use crate::own::{OwnAddress, OwnPosition, OwnProfile};

/// The content of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum FileRow {
    /// A person.
    Contact(Contact),
    /// Contact between people.
    Interaction(Interaction),
    /// Mail, and the first eight bytes of the BLAKE3 hash of its `Message-ID`, sender and moment, equal in every folder
    /// and file with the same mail.
    Mail(Interaction, u64),
    /// A position of the file's owner.
    Position(OwnPosition),
    /// A school of the file's owner.
    School(OwnPosition),
    /// The profile of the file's owner.
    Profile(OwnProfile),
    /// An address of the file's owner.
    OwnAddress(OwnAddress),
    /// An edge of a list of edges.
    Tie(WeightedTie),
    /// The address of a mailing list whose mail was skipped: an addition to its row, not a row.
    List(String),
}

/// The outcome of the rows of a file, or of an entry of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryCount {
    /// The file, with an archive's entry: `a.zip!/Connections.csv`.
    pub file: String,
    /// Its rows.
    pub count: RowCount,
}

/// The outcome of the rows of a file. `read` is the sum of `used` and `skipped`.
///
/// An entry of an archive that is not an export, and a sheet of a workbook that is not one beside one that is, have
/// neither a format nor a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCount {
    /// The export, if known.
    pub format: Option<ExportFormat>,
    /// Rows: records below the header, cards, messages, events; empty lines do not count.
    pub read: u64,
    /// Rows that were used.
    pub used: u64,
    /// Rows that were skipped.
    pub skipped: u64,
    /// Contacts with an unreadable date; they are used without it.
    pub without_date: u64,
    /// Why nothing of the file was read, or nothing after some line. Earlier rows are counted.
    pub fault: Option<FileFault>,
}

/// Receives the rows of files: the file or the entry, the line, and the row's content or why it is skipped.
pub type TakeRow<'t> = dyn FnMut(&str, u64, Result<FileRow, SkipReason>) + 't;

/// Passes the rows of one file on and counts them.
pub(crate) struct RowTally<'t> {
    file: &'t str,
    count: RowCount,
    take: &'t mut TakeRow<'t>,
}

impl RowCount {
    /// Whether no line is the header of a known export.
    pub(crate) fn is_unknown(&self) -> bool {
        let is_other = |fault: &FileFault| {
            matches!(
                fault,
                FileFault::UnknownHeader(_) | FileFault::NoHeader | FileFault::NoExport(_) | FileFault::Empty
            )
        };
        self.format.is_none() && self.fault.as_ref().is_none_or(is_other)
    }
}

impl<'t> RowTally<'t> {
    /// Counts the rows that `read` reads of the file or entry `file`.
    pub(crate) fn of(
        file: &str,
        take: &mut TakeRow<'_>,
        read: impl FnOnce(&mut RowTally<'_>) -> Result<(), FileFault>,
    ) -> EntryCount {
        let mut tally =
            RowTally { file, count: RowCount::default(), take: &mut |file, line, row| take(file, line, row) };
        let fault = read(&mut tally).err();
        EntryCount { file: file.to_owned(), count: RowCount { fault, ..tally.count } }
    }

    /// The file or the entry.
    pub(crate) fn file(&self) -> &'t str {
        self.file
    }

    /// Sets the file's format.
    pub(crate) fn is(&mut self, format: ExportFormat) {
        self.count.format = Some(format);
    }

    /// Passes on an addition to the row in line `line`, which is not a row.
    pub(crate) fn aside(&mut self, line: u64, beside: FileRow) {
        (self.take)(self.file, line, Ok(beside));
    }

    /// Passes on the row that begins in line `line`.
    pub(crate) fn row(&mut self, line: u64, row: Result<FileRow, SkipReason>) {
        self.count.read += 1;
        match &row {
            Ok(row) => {
                self.count.used += 1;
                let is_without = matches!(row, FileRow::Contact(contact) if !contact.unread_date.is_empty());
                self.count.without_date += u64::from(is_without);
            }
            Err(_) => self.count.skipped += 1,
        }
        (self.take)(self.file, line, row);
    }
}
