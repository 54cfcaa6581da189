//! Exports to rows: the rows of each file, why a row is skipped, and that every row is used or skipped.

mod archives;
mod derived;
mod memory;
mod files;
mod hostile;
mod labelled;
mod labelled_hard;
mod labelled_team;
mod whole;
mod other_formats;

use kith_import::columns::{ColumnMapping, MappedColumn};
use kith_import::contact::Contact;
use kith_import::fault::SkipReason;
use kith_import::files::{EntryCount, FileRow, read_file};
use kith_import::read::RowCount;

/// The tables of contacts of `fixtures/exports`.
pub(crate) const FILES: [(&str, &[u8]); 10] = [
    ("linkedin.csv", include_bytes!("../../../fixtures/exports/linkedin.csv")),
    ("linkedin-german.csv", include_bytes!("../../../fixtures/exports/linkedin-german.csv")),
    ("linkedin-older.csv", include_bytes!("../../../fixtures/exports/linkedin-older.csv")),
    ("linkedin-excel.csv", include_bytes!("../../../fixtures/exports/linkedin-excel.csv")),
    ("google.csv", include_bytes!("../../../fixtures/exports/google.csv")),
    ("google-older.csv", include_bytes!("../../../fixtures/exports/google-older.csv")),
    ("outlook.csv", include_bytes!("../../../fixtures/exports/outlook.csv")),
    ("hubspot.csv", include_bytes!("../../../fixtures/exports/hubspot.csv")),
    ("salesforce.csv", include_bytes!("../../../fixtures/exports/salesforce.csv")),
    ("salesforce-report.csv", include_bytes!("../../../fixtures/exports/salesforce-report.csv")),
];

/// All others that give rows.
pub(crate) const OTHERS: [(&str, &[u8]); 9] = [
    ("mapped.csv", include_bytes!("../../../fixtures/exports/mapped.csv")),
    ("edges.csv", include_bytes!("../../../fixtures/exports/edges.csv")),
    ("android.vcf", include_bytes!("../../../fixtures/exports/android.vcf")),
    ("apple.vcf", include_bytes!("../../../fixtures/exports/apple.vcf")),
    ("version4.vcf", include_bytes!("../../../fixtures/exports/version4.vcf")),
    ("linkedin.zip", include_bytes!("../../../fixtures/exports/linkedin.zip")),
    ("linkedin.xlsx", include_bytes!("../../../fixtures/exports/linkedin.xlsx")),
    ("mail.mbox", include_bytes!("../../../fixtures/exports/mail.mbox")),
    ("calendar.ics", include_bytes!("../../../fixtures/exports/calendar.ics")),
];

/// A row of a table of contacts with its first line.
pub(crate) type Row = (u64, Result<Contact, SkipReason>);

/// A row of any file: the file or entry, the line, and what it gives.
pub(crate) type AnyRow = (String, u64, Result<FileRow, SkipReason>);

/// The bytes of the fixture `name`.
pub(crate) fn fixture(name: &str) -> &'static [u8] {
    FILES.iter().chain(&OTHERS).find(|(file, _)| *file == name).unwrap().1
}

/// The manifest's mapping for the fixture `name`.
pub(crate) fn columns_of(name: &str) -> Option<ColumnMapping> {
    use MappedColumn::{Company, Connected, Email, First, From, Last, Owner, To, Url, Weight};
    let columns: &[(MappedColumn, &str)] = match name {
        "mapped.csv" => &[
            (First, "Vorname"),
            (Last, "nachname"),
            (Company, "Firma"),
            (Email, "E-Mail dienstlich"),
            (Email, "E-Mail privat"),
            (Url, "Profil"),
            (Connected, "Kontakt seit"),
            (Owner, "Betreuer"),
        ],
        "edges.csv" => &[(From, "source"), (To, "target"), (Weight, "strength")],
        _ => return None,
    };
    Some(ColumnMapping { columns: columns.iter().map(|(is, header)| (*is, (*header).to_owned())).collect() })
}

/// The rows of `bytes` under the name `file`, and the counts of its entries.
pub(crate) fn read(file: &str, bytes: &[u8]) -> (Vec<AnyRow>, Vec<EntryCount>) {
    let mut rows = Vec::new();
    let columns = columns_of(file);
    let counts = read_file(file, bytes, columns.as_ref(), &mut |entry, line, row| {
        // The address of a list stands beside its row.
        if !matches!(row, Ok(FileRow::List(_))) {
            rows.push((entry.to_owned(), line, row));
        }
    });
    (rows, counts)
}

/// The contacts of the table `bytes`, and their count.
pub(crate) fn rows_of(bytes: &[u8]) -> (Vec<Row>, RowCount) {
    let (rows, counts) = read("a.csv", bytes);
    let rows = rows.into_iter().map(|(_, line, row)| match row {
        Ok(FileRow::Contact(contact)) => (line, Ok(contact)),
        Ok(other) => panic!("{other:?}"),
        Err(reason) => (line, Err(reason)),
    });
    (rows.collect(), counts.into_iter().next().unwrap().count)
}
