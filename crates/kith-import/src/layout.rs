//! The headers of the exports that are known, and which cell of a row is what.

use std::fmt;

use crate::columns::{ColumnMapping, MappedColumn};
use crate::names::column_name;

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
    /// LinkedIn's `messages.csv`.
    LinkedInMessages,
    /// LinkedIn's `Invitations.csv`.
    LinkedInInvitations,
    /// LinkedIn's `Positions.csv`.
    LinkedInPositions,
    /// LinkedIn's `Profile.csv`.
    LinkedInProfile,
    /// A table whose columns the manifest names.
    MappedTable,
    /// A table of no known export, by what its columns are called.
    RecognizedTable(RecognizedColumns),
    /// A list of edges, whose columns the manifest names.
    Edges,
    /// Cards, of version 2.1, 3.0 or 4.0.
    Cards,
    /// Messages one behind the other.
    MailArchive,
    /// Events of an iCalendar file.
    Calendar,
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportColumn {
    Name,
    Given,
    Middle,
    Family,
    /// The address of a profile, or of any page.
    Url,
    Email,
    Phone,
    Company,
    Position,
    ConnectedOn,
    /// Who of the organization the row belongs to: a name, an address, or an id.
    Owner,
    Account,
    Label,
    IsDeleted,
    MergedInto,
    Sender,
    SenderUrl,
    Recipients,
    RecipientUrls,
    SentOn,
    Folder,
    IsDraft,
    StartedOn,
    FinishedOn,
    Maiden,
    Industry,
    Place,
    TieFrom,
    TieTo,
    Weight,
}

/// The columns that were recognized by what they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecognizedColumns(u16);

/// The columns that can be recognized, and their names in the report.
const RECOGNIZED: [(ExportColumn, &str); 10] = [
    (ExportColumn::Name, "name"),
    (ExportColumn::Given, "first name"),
    (ExportColumn::Middle, "middle name"),
    (ExportColumn::Family, "last name"),
    (ExportColumn::Email, "email"),
    (ExportColumn::Company, "company"),
    (ExportColumn::Position, "position"),
    (ExportColumn::Url, "profile"),
    (ExportColumn::Owner, "owner"),
    (ExportColumn::Label, "labels"),
];

impl FromIterator<ExportColumn> for RecognizedColumns {
    fn from_iter<I: IntoIterator<Item = ExportColumn>>(columns: I) -> Self {
        let place = |column| RECOGNIZED.iter().position(|(known, _)| *known == column);
        Self(columns.into_iter().filter_map(place).fold(0, |set, place| set | 1 << place))
    }
}

impl fmt::Display for RecognizedColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = RECOGNIZED.iter().enumerate().filter(|(place, _)| self.0 & (1 << place) != 0);
        let names: Vec<&str> = found.map(|(_, (_, name))| *name).collect();
        write!(f, "table, read by its columns: {}", names.join(", "))
    }
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
    ("phone ", " - value", ExportColumn::Phone),
    ("website ", " - value", ExportColumn::Url),
    ("e-mail ", " address", ExportColumn::Email),
    ("e-mail ", ": adresse", ExportColumn::Email),
];

/// Columns of phone numbers in all exports.
const PHONES: &str = "phone, phone number, mobile, mobile phone, mobile phone number, mobilephone, home phone, homephone, \
                      business phone, primary phone, telefon geschäftlich, telefon privat, mobiltelefon";

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
            ("labels", ExportColumn::Label),
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
            ("group membership", ExportColumn::Label),
        ],
    },
    KnownExport {
        format: ExportFormat::Outlook,
        marks: &[
            &["first name", "vorname"],
            &["last name", "nachname"],
            &["e-mail address", "e-mail-adresse"],
        ],
        columns: &[
            ("first name", ExportColumn::Given),
            ("middle name", ExportColumn::Middle),
            ("last name", ExportColumn::Family),
            ("e-mail address", ExportColumn::Email),
            ("company", ExportColumn::Company),
            ("job title", ExportColumn::Position),
            ("web page", ExportColumn::Url),
            ("categories", ExportColumn::Label),
            ("vorname", ExportColumn::Given),
            ("weitere vornamen", ExportColumn::Middle),
            ("nachname", ExportColumn::Family),
            ("e-mail-adresse", ExportColumn::Email),
            ("firma", ExportColumn::Company),
            ("position", ExportColumn::Position),
            ("webseite", ExportColumn::Url),
            ("kategorien", ExportColumn::Label),
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
            ("associated company (primary)", ExportColumn::Company),
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
    KnownExport {
        format: ExportFormat::LinkedInMessages,
        marks: &[&["from"], &["to"], &["sender profile url"], &["recipient profile urls"]],
        columns: &[
            ("from", ExportColumn::Sender),
            ("sender profile url", ExportColumn::SenderUrl),
            ("to", ExportColumn::Recipients),
            ("recipient profile urls", ExportColumn::RecipientUrls),
            ("date", ExportColumn::SentOn),
            ("folder", ExportColumn::Folder),
            ("is message draft", ExportColumn::IsDraft),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInInvitations,
        marks: &[&["from"], &["to"], &["sent at"], &["direction"]],
        columns: &[
            ("from", ExportColumn::Sender),
            ("inviterprofileurl", ExportColumn::SenderUrl),
            ("to", ExportColumn::Recipients),
            ("inviteeprofileurl", ExportColumn::RecipientUrls),
            ("sent at", ExportColumn::SentOn),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInPositions,
        marks: &[&["company name"], &["title"], &["started on"], &["finished on"]],
        columns: &[
            ("company name", ExportColumn::Company),
            ("title", ExportColumn::Position),
            ("started on", ExportColumn::StartedOn),
            ("finished on", ExportColumn::FinishedOn),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInProfile,
        marks: &[&["first name"], &["last name"], &["headline"], &["industry"], &["geo location"]],
        columns: &[
            ("first name", ExportColumn::Given),
            ("last name", ExportColumn::Family),
            ("maiden name", ExportColumn::Maiden),
            ("industry", ExportColumn::Industry),
            ("geo location", ExportColumn::Place),
        ],
    },
];

/// The export that a file is, and the places of its columns.
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
            let phone = || PHONES.split(", ").any(|phone| phone == name).then_some(ExportColumn::Phone);
            named.or_else(|| numbered(name)).or_else(phone)
        };
        let places = names.iter().enumerate().filter_map(|(place, name)| Some((place, column(name)?)));
        Some(Self { format: known.format, places: places.collect() })
    }

    /// The layout below the header `cells`, with the columns that `mapping` names.
    ///
    /// # Errors
    /// Returns the columns of `mapping` that the header has not.
    pub(crate) fn mapped<'a>(
        cells: impl Iterator<Item = &'a str>,
        mapping: &ColumnMapping,
    ) -> Result<Self, Vec<String>> {
        let names: Vec<String> = cells.map(column_name).collect();
        let (mut places, mut missing) = (Vec::new(), Vec::new());
        for (column, header) in &mapping.columns {
            let wanted = column_name(header);
            match names.iter().position(|name| *name == wanted) {
                Some(place) => places.push((place, mapped_column(*column))),
                None => missing.push(header.clone()),
            }
        }
        places.sort_by_key(|(place, _)| *place);
        let format = if mapping.is_edges() { ExportFormat::Edges } else { ExportFormat::MappedTable };
        if missing.is_empty() { Ok(Self { format, places }) } else { Err(missing) }
    }
}

/// Returns the meaning of a column that the manifest names.
fn mapped_column(column: MappedColumn) -> ExportColumn {
    match column {
        MappedColumn::Name => ExportColumn::Name,
        MappedColumn::First => ExportColumn::Given,
        MappedColumn::Middle => ExportColumn::Middle,
        MappedColumn::Last => ExportColumn::Family,
        MappedColumn::Email => ExportColumn::Email,
        MappedColumn::Company => ExportColumn::Company,
        MappedColumn::Position => ExportColumn::Position,
        MappedColumn::Url => ExportColumn::Url,
        MappedColumn::Connected => ExportColumn::ConnectedOn,
        MappedColumn::Owner => ExportColumn::Owner,
        MappedColumn::Labels => ExportColumn::Label,
        MappedColumn::From => ExportColumn::TieFrom,
        MappedColumn::To => ExportColumn::TieTo,
        MappedColumn::Weight => ExportColumn::Weight,
    }
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
            Self::RecognizedTable(columns) => return columns.fmt(f),
            Self::LinkedInConnections => "LinkedIn connections",
            Self::GoogleContacts => "Google Contacts",
            Self::GoogleContactsBefore => "Google Contacts (older)",
            Self::Outlook => "Outlook contacts",
            Self::HubSpot => "HubSpot contacts",
            Self::Salesforce => "Salesforce contacts",
            Self::SalesforceReport => "Salesforce report",
            Self::LinkedInMessages => "LinkedIn messages",
            Self::LinkedInInvitations => "LinkedIn invitations",
            Self::LinkedInPositions => "LinkedIn positions",
            Self::LinkedInProfile => "LinkedIn profile",
            Self::MappedTable => "mapped columns",
            Self::Edges => "list of edges",
            Self::Cards => "vCard",
            Self::MailArchive => "mail archive",
            Self::Calendar => "calendar",
        })
    }
}
