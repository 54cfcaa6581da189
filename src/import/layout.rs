//! The headers of the exports that are known, and which cell of a row is what.

use std::fmt;

/// An export that is known by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// LinkedIn's `Connections.csv`.
    LinkedInConnections,
    /// Google Contacts, as it writes them today.
    GoogleContacts,
    /// Google Contacts, as it wrote them before.
    GoogleContactsBefore,
    /// Contacts of Outlook.
    Outlook,
    /// Contacts of HubSpot.
    HubSpot,
    /// The contacts of a data export of Salesforce.
    Salesforce,
    /// A report of contacts of Salesforce.
    SalesforceReport,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportColumn {
    Name,
    Given,
    Middle,
    Family,
    /// The address of a profile, or of any page.
    Url,
    Email,
    Company,
    Position,
    ConnectedOn,
    /// Who of the organization the row belongs to: a name, an address, or an id.
    Owner,
    Account,
    IsDeleted,
    MergedInto,
}

/// An export: the columns by which it is known, each in all its languages, and all that are used.
struct KnownExport {
    format: ExportFormat,
    /// Of each list one column must be there.
    marks: &'static [&'static [&'static str]],
    columns: &'static [(&'static str, ExportColumn)],
}

/// Columns of Google Contacts and others that end in a number: what stands before it, and behind it.
const NUMBERED: &[(&str, &str, ExportColumn)] = &[
    ("e-mail ", " - value", ExportColumn::Email),
    ("website ", " - value", ExportColumn::Url),
    ("e-mail ", " address", ExportColumn::Email),
];

/// All exports; what several may be is the first. Names are in lower case, with one space between words.
const EXPORTS: &[KnownExport] = &[
    KnownExport {
        format: ExportFormat::LinkedInConnections,
        marks: &[&["first name", "vorname"], &["last name", "nachname"], &["connected on", "verbunden am"]],
        columns: &[
            ("first name", ExportColumn::Given),
            ("vorname", ExportColumn::Given),
            ("last name", ExportColumn::Family),
            ("nachname", ExportColumn::Family),
            ("url", ExportColumn::Url),
            ("email address", ExportColumn::Email),
            ("e-mail-adresse", ExportColumn::Email),
            ("company", ExportColumn::Company),
            ("unternehmen", ExportColumn::Company),
            ("position", ExportColumn::Position),
            ("connected on", ExportColumn::ConnectedOn),
            ("verbunden am", ExportColumn::ConnectedOn),
        ],
    },
    KnownExport {
        format: ExportFormat::GoogleContacts,
        marks: &[&["first name"], &["last name"], &["organization name"], &["labels", "file as"]],
        columns: &[
            ("first name", ExportColumn::Given),
            ("middle name", ExportColumn::Middle),
            ("last name", ExportColumn::Family),
            ("organization name", ExportColumn::Company),
            ("organization title", ExportColumn::Position),
        ],
    },
    KnownExport {
        format: ExportFormat::GoogleContactsBefore,
        marks: &[&["name"], &["given name"], &["family name"], &["yomi name", "group membership"]],
        columns: &[
            ("name", ExportColumn::Name),
            ("given name", ExportColumn::Given),
            ("additional name", ExportColumn::Middle),
            ("family name", ExportColumn::Family),
            ("organization 1 - name", ExportColumn::Company),
            ("organization 1 - title", ExportColumn::Position),
        ],
    },
    KnownExport {
        format: ExportFormat::Outlook,
        marks: &[&["first name"], &["last name"], &["e-mail address"]],
        columns: &[
            ("first name", ExportColumn::Given),
            ("middle name", ExportColumn::Middle),
            ("last name", ExportColumn::Family),
            ("e-mail address", ExportColumn::Email),
            ("company", ExportColumn::Company),
            ("job title", ExportColumn::Position),
            ("web page", ExportColumn::Url),
        ],
    },
    KnownExport {
        format: ExportFormat::HubSpot,
        marks: &[&["record id", "record id - contact"], &["first name"], &["last name"], &["email"]],
        columns: &[
            ("first name", ExportColumn::Given),
            ("last name", ExportColumn::Family),
            ("email", ExportColumn::Email),
            ("associated company", ExportColumn::Company),
            ("company name", ExportColumn::Company),
            ("job title", ExportColumn::Position),
            ("contact owner", ExportColumn::Owner),
            ("linkedin url", ExportColumn::Url),
        ],
    },
    KnownExport {
        format: ExportFormat::Salesforce,
        marks: &[&["id"], &["lastname"], &["firstname"], &["accountid"]],
        columns: &[
            ("firstname", ExportColumn::Given),
            ("middlename", ExportColumn::Middle),
            ("lastname", ExportColumn::Family),
            ("email", ExportColumn::Email),
            ("title", ExportColumn::Position),
            ("accountid", ExportColumn::Account),
            ("ownerid", ExportColumn::Owner),
            ("isdeleted", ExportColumn::IsDeleted),
            ("masterrecordid", ExportColumn::MergedInto),
        ],
    },
    KnownExport {
        format: ExportFormat::SalesforceReport,
        marks: &[&["first name"], &["last name"], &["account name"]],
        columns: &[
            ("first name", ExportColumn::Given),
            ("middle name", ExportColumn::Middle),
            ("last name", ExportColumn::Family),
            ("email", ExportColumn::Email),
            ("title", ExportColumn::Position),
            ("account name", ExportColumn::Company),
            ("contact owner", ExportColumn::Owner),
            ("account owner", ExportColumn::Owner),
        ],
    },
];

/// Which export a file is, and where its columns stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) format: ExportFormat,
    /// The cells that are used, from left to right.
    pub(crate) places: Vec<(usize, ExportColumn)>,
}

impl Layout {
    /// The layout below the header `cells`. Returns `None` if that is the header of no export that is known.
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Self> {
        let names: Vec<String> = cells.map(column_name).collect();
        let has = |mark: &&str| names.iter().any(|name| name == mark);
        let known = EXPORTS.iter().find(|export| export.marks.iter().all(|marks| marks.iter().any(has)))?;
        let column = |name: &str| {
            let named = known.columns.iter().find(|(known, _)| *known == name).map(|(_, column)| *column);
            named.or_else(|| numbered(name))
        };
        let places = names.iter().enumerate().filter_map(|(place, name)| Some((place, column(name)?)));
        Some(Self { format: known.format, places: places.collect() })
    }
}

/// A column's name as it is compared: lower case, one space between words, no quotes around it.
fn column_name(cell: &str) -> String {
    cell.trim().trim_matches('"').split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The column whose name is numbered.
fn numbered(name: &str) -> Option<ExportColumn> {
    let is = |(before, behind, _): &&(&str, &str, ExportColumn)| {
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    NUMBERED.iter().find(is).map(|(_, _, column)| *column)
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LinkedInConnections => "LinkedIn connections",
            Self::GoogleContacts => "Google Contacts",
            Self::GoogleContactsBefore => "Google Contacts (older)",
            Self::Outlook => "Outlook contacts",
            Self::HubSpot => "HubSpot contacts",
            Self::Salesforce => "Salesforce contacts",
            Self::SalesforceReport => "Salesforce report",
        })
    }
}
