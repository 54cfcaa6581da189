//! Exports to contacts: what each file gives, why a row is skipped, and that every row is one or the other.

mod files;
mod hostile;

use kith::import::contact::Contact;
use kith::import::fault::SkipReason;
use kith::import::read::{RowCount, read_contacts};

/// The exports of `fixtures/exports`.
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

/// A row with its first line.
pub(crate) type Row = (u64, Result<Contact, SkipReason>);

/// The rows of `bytes`, and their count.
pub(crate) fn rows_of(bytes: &[u8]) -> (Vec<Row>, RowCount) {
    let mut rows = Vec::new();
    let count = read_contacts(bytes, |line, row| rows.push((line, row)));
    (rows, count)
}
