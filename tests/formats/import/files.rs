//! The fixtures, row by row.
//!
//! Promise: Every row of an export is a contact, or skipped with its line and the reason, whatever its bytes.
//! Control: rows dropped, counted twice, or without their lines; a row that is another than expected.
//! Also in: `tests/formats/import/hostile.rs`.

use kith_import::contact::Contact;
use kith_import::export::ExportFormat;
use kith_import::fault::FileFault;

use crate::import::{FILES, rows_of};

/// The faults of the rows of a file: each expected row is its line and a short form of its content.
fn faults(file: &str, format: ExportFormat, expected: &[&str]) -> Vec<String> {
    let bytes = FILES.iter().find(|(name, _)| *name == file).unwrap().1;
    let (rows, count) = rows_of(bytes);
    let found: Vec<String> = rows
        .iter()
        .map(|(line, row)| match row {
            Ok(contact) => format!("{line} {}", short(contact)),
            Err(reason) => format!("{line} skipped: {reason}"),
        })
        .collect();
    let mut faults = Vec::new();
    if (count.format, &count.fault) != (Some(format), &None) {
        faults.push(format!("{:?} with {:?}", count.format, count.fault));
    }
    let differing = found.iter().zip(expected).filter(|(found, expected)| found != expected);
    faults.extend(differing.map(|(found, expected)| format!("{found} and not {expected}")));
    if found.len() != expected.len() {
        faults.push(format!("{} rows and not {}", found.len(), expected.len()));
    }
    faults
}

/// Name, handles, addresses, company, position, date, owner, labels; empty ones are left out.
pub(crate) fn short(contact: &Contact) -> String {
    let date = contact.connected_on.map(|day| format!("{}-{}-{}", day.year, day.month, day.day));
    let parts = [
        contact.names.full.clone(),
        contact.handles.join(" "),
        contact.emails.join(" "),
        contact.company.clone(),
        contact.position.clone(),
        date.unwrap_or_default(),
        Some(&contact.unread_date)
            .filter(|text| !text.is_empty())
            .map(|text| format!("?{text}"))
            .unwrap_or_default(),
        Some(&contact.owner)
            .filter(|text| !text.is_empty())
            .map(|text| format!("of {text}"))
            .unwrap_or_default(),
        contact.account.clone(),
        contact.labels.iter().map(|label| format!("#{label}")).collect::<Vec<_>>().join(" "),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" | ")
}

#[track_caller]
fn check(file: &str, format: ExportFormat, expected: &[&str]) {
    assert_eq!(faults(file, format, expected), [""; 0], "{file}");
}

#[test]
fn linkedin_connections_are_read_in_each_form_in_which_they_come() {
    use ExportFormat::LinkedInConnections as LinkedIn;
    check(
        "linkedin.csv",
        LinkedIn,
        &[
            "5 Priya Sharma | priya-sharma-1a2b3c | Copper Mill, Inc. | Technical Recruiter | 2024-3-12",
            "6 Zoë 🚀 Ås, MBA | zoë-as | zoe@lantern.example | Lanternworks | Head of \"Odd\" Jobs | 2022-4-3",
            "7 skipped: a closed account: no name",
            "8 skipped: all cells are empty",
            "9 Tom",
            "10 Mai Tran | Two Lines | Engineer | ?someday",
            "13 Priya Sharma | priya-sharma-1a2b3c | Copper Mill | Recruiter | 2024-3-12",
        ],
    );
    check(
        "linkedin-german.csv",
        LinkedIn,
        &[
            "2 Jörg Müller | joerg-mueller | Größe & Söhne GmbH | Geschäftsführer | 2022-4-3",
            "3 Änne Weiß | aenne@weiss.example | 2021-3-7",
        ],
    );
    check(
        "linkedin-older.csv",
        LinkedIn,
        &["2 Ann Lee | ann@lee.example | Brook | CTO | 2015-3-12", "3 Bob Ray"],
    );
    check(
        "linkedin-excel.csv",
        LinkedIn,
        &["2 Ann Lee | ann-lee | Brook | CTO | 2022-2-7", "3 Bob Ray | ?3/4/2022"],
    );
}

#[test]
fn contacts_of_google_and_outlook_are_read_in_each_generation() {
    check(
        "google.csv",
        ExportFormat::GoogleContacts,
        &[
            "2 Ana Maria Souza | ana-souza | ana@porto.example ana.souza@mail.example | Porto Books | Owner | #myContacts #Friends",
            "4 山田太郎 | Kumo | #myContacts",
            "5 only@address.example | #myContacts",
            "6 skipped: neither a name nor an e-mail address",
        ],
    );
    check(
        "google-older.csv",
        ExportFormat::GoogleContactsBefore,
        &[
            "2 Dr. Ana Souza | ana@porto.example | Porto Books | Owner | #myContacts",
            "3 Ben J. Okri | #myContacts",
            "4 skipped: all cells are empty",
        ],
    );
    check(
        "outlook.csv",
        ExportFormat::Outlook,
        &[
            "2 Ben Okri | ben@okri.example b.okri@work.example | Quill | Editor",
            "4 skipped: neither a name nor an e-mail address",
        ],
    );
}

#[test]
fn contacts_of_a_crm_are_read_with_their_owner_and_without_what_was_deleted() {
    check(
        "hubspot.csv",
        ExportFormat::HubSpot,
        &[
            "2 Dee Fox | dee@fox.example | Fox, Ltd | CFO | of Ann Lee",
            "3 Eve | of ann@lee.example",
            "4 nameless@fox.example",
            "5 skipped: neither a name nor an e-mail address",
        ],
    );
    check(
        "salesforce.csv",
        ExportFormat::Salesforce,
        &[
            "2 Dee Fox | dee@fox.example | CFO | of 0055e000001OwnrAAC | 0015e00001XyZabAAF",
            "3 skipped: deleted, or merged into another record",
            "4 skipped: deleted, or merged into another record",
        ],
    );
    check(
        "salesforce-report.csv",
        ExportFormat::SalesforceReport,
        &[
            "2 Dee Fox | dee@fox.example | Fox, Ltd | CFO",
            "3 Hal Ito | Ito Works",
            "7 skipped: a footer of the report",
            "8 skipped: a footer of the report",
            "9 skipped: a footer of the report",
        ],
    );
}

/// The control.
#[test]
fn a_row_that_is_missing_or_different_is_caught() {
    use ExportFormat::LinkedInConnections as LinkedIn;
    let right = ["2 Ann Lee | ann@lee.example | Brook | CTO | 2015-3-12", "3 Bob Ray"];
    assert_eq!(faults("linkedin-older.csv", LinkedIn, &right), [""; 0]);
    assert_eq!(faults("linkedin-older.csv", LinkedIn, &right[..1]).len(), 1);
    assert_eq!(faults("linkedin-older.csv", LinkedIn, &[right[0], "4 Bob Ray"]).len(), 1);
    assert_eq!(faults("linkedin-older.csv", ExportFormat::Outlook, &right).len(), 1);
}

#[test]
fn a_file_that_cannot_be_read_says_why_and_keeps_the_rows_before_its_fault() {
    let header = "First Name,Last Name,Connected On\n";
    for (text, fault, read) in [
        (String::new(), FileFault::Empty, 0),
        ("Label,Number\nA,B\n".to_owned(), FileFault::UnknownHeader("Label,Number".to_owned()), 0),
        (format!("{header}Ann,Lee,\n\"Bob,Ray,\nCy,Orr,\n"), FileFault::OpenQuote { line: 3 }, 1),
        (format!("{header}Ann,Lee,\n{},,\n", "x".repeat(2 << 20)), FileFault::LineTooLong { line: 3 }, 1),
    ] {
        let (rows, count) = rows_of(text.as_bytes());
        assert_eq!(
            (count.fault.as_ref(), count.read, rows.len() as u64),
            (Some(&fault), read, read),
            "{fault}"
        );
    }
}
