//! The headers of known exports, and the columns of each.

use crate::export::{ExportColumn, ExportFormat};

/// Columns, each with the names that it has, separated by a comma.
pub(crate) type ColumnNames = &'static [(ExportColumn, &'static str)];

/// An export: the columns that identify it, each in all its languages, and all used columns.
pub(crate) struct KnownExport {
    pub(crate) format: ExportFormat,
    /// A header of this export has a column from each list.
    marks: &'static [&'static [&'static str]],
    columns: ColumnNames,
}

/// Columns with a number in their name, in Google Contacts and others: the text before it, and after it.
const NUMBERED: &[(&str, &str, ExportColumn)] = &[
    ("e-mail ", " - value", ExportColumn::Email),
    ("phone ", " - value", ExportColumn::Phone),
    ("address ", " - city", ExportColumn::City),
    ("address ", " - country", ExportColumn::Country),
    ("website ", " - value", ExportColumn::Url),
    ("e-mail ", " address", ExportColumn::Email),
    ("e-mail ", ": adresse", ExportColumn::Email),
];

/// Columns that are the same in all exports: phone numbers, and places.
const EVERYWHERE: ColumnNames = &[
    (
        ExportColumn::Phone,
        "phone, phone number, mobile, mobile phone, mobile phone number, mobilephone, home phone, homephone, business phone, \
         primary phone, telefon geschäftlich, telefon privat, mobiltelefon",
    ),
    (
        ExportColumn::City,
        "city, mailingcity, mailing city, business city, home city, ort geschäftlich, ort privat",
    ),
    (
        ExportColumn::Country,
        "country, country/region, home country/region, land/region privat, mailingcountry, mailing country, \
         business country/region, land/region geschäftlich",
    ),
];

/// All exports; the first match wins. Names are in lower case, with one space between words.
const EXPORTS: &[KnownExport] = &[
    KnownExport {
        format: ExportFormat::LinkedInConnections,
        marks: &[&["first name", "vorname"], &["last name", "nachname"], &["connected on", "verbunden am"]],
        columns: &[
            (ExportColumn::Given, "first name, vorname"),
            (ExportColumn::Family, "last name, nachname"),
            (ExportColumn::Url, "url"),
            (ExportColumn::Email, "email address, e-mail-adresse"),
            (ExportColumn::Company, "company, unternehmen"),
            (ExportColumn::Position, "position"),
            (ExportColumn::ConnectedOn, "connected on, verbunden am"),
        ],
    },
    KnownExport {
        format: ExportFormat::GoogleContacts,
        marks: &[&["first name"], &["last name"], &["organization name"], &["labels", "file as"]],
        columns: &[
            (ExportColumn::Given, "first name"),
            (ExportColumn::Middle, "middle name"),
            (ExportColumn::Family, "last name"),
            (ExportColumn::Company, "organization name"),
            (ExportColumn::Position, "organization title"),
            (ExportColumn::Label, "labels"),
        ],
    },
    KnownExport {
        format: ExportFormat::GoogleContactsBefore,
        marks: &[&["name"], &["given name"], &["family name"], &["yomi name", "group membership"]],
        columns: &[
            (ExportColumn::Name, "name"),
            (ExportColumn::Given, "given name"),
            (ExportColumn::Middle, "additional name"),
            (ExportColumn::Family, "family name"),
            (ExportColumn::Company, "organization 1 - name"),
            (ExportColumn::Position, "organization 1 - title"),
            (ExportColumn::Label, "group membership"),
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
            (ExportColumn::Given, "first name, vorname"),
            (ExportColumn::Middle, "middle name, weitere vornamen"),
            (ExportColumn::Family, "last name, nachname"),
            (ExportColumn::Email, "e-mail address, e-mail-adresse"),
            (ExportColumn::Company, "company, firma"),
            (ExportColumn::Position, "job title, position"),
            (ExportColumn::Url, "web page, webseite"),
            (ExportColumn::Label, "categories, kategorien"),
        ],
    },
    KnownExport {
        format: ExportFormat::HubSpot,
        marks: &[&["record id", "record id - contact"], &["first name"], &["last name"], &["email"]],
        columns: &[
            (ExportColumn::Given, "first name"),
            (ExportColumn::Family, "last name"),
            (ExportColumn::Email, "email"),
            (ExportColumn::Company, "associated company, associated company (primary), company name"),
            (ExportColumn::Position, "job title"),
            (ExportColumn::Owner, "contact owner"),
            (ExportColumn::Url, "linkedin url"),
        ],
    },
    KnownExport {
        format: ExportFormat::Salesforce,
        marks: &[&["id"], &["lastname"], &["firstname"], &["accountid"]],
        columns: &[
            (ExportColumn::Given, "firstname"),
            (ExportColumn::Middle, "middlename"),
            (ExportColumn::Family, "lastname"),
            (ExportColumn::Email, "email"),
            (ExportColumn::Position, "title"),
            (ExportColumn::Account, "accountid"),
            (ExportColumn::Owner, "ownerid"),
            (ExportColumn::IsDeleted, "isdeleted"),
            (ExportColumn::MergedInto, "masterrecordid"),
        ],
    },
    KnownExport {
        format: ExportFormat::SalesforceReport,
        marks: &[&["first name"], &["last name"], &["account name"]],
        columns: &[
            (ExportColumn::Given, "first name"),
            (ExportColumn::Middle, "middle name"),
            (ExportColumn::Family, "last name"),
            (ExportColumn::Email, "email"),
            (ExportColumn::Position, "title"),
            (ExportColumn::Company, "account name"),
            (ExportColumn::Owner, "contact owner, account owner"),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInMessages,
        marks: &[&["from"], &["to"], &["sender profile url"], &["recipient profile urls"]],
        columns: &[
            (ExportColumn::Sender, "from"),
            (ExportColumn::SenderUrl, "sender profile url"),
            (ExportColumn::Recipients, "to"),
            (ExportColumn::RecipientUrls, "recipient profile urls"),
            (ExportColumn::SentOn, "date"),
            (ExportColumn::Folder, "folder"),
            (ExportColumn::IsDraft, "is message draft"),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInInvitations,
        marks: &[&["from"], &["to"], &["sent at"], &["direction"]],
        columns: &[
            (ExportColumn::Sender, "from"),
            (ExportColumn::SenderUrl, "inviterprofileurl"),
            (ExportColumn::Recipients, "to"),
            (ExportColumn::RecipientUrls, "inviteeprofileurl"),
            (ExportColumn::SentOn, "sent at"),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInPositions,
        marks: &[&["company name"], &["title"], &["started on"], &["finished on"]],
        columns: &[
            (ExportColumn::Company, "company name"),
            (ExportColumn::Position, "title"),
            (ExportColumn::StartedOn, "started on"),
            (ExportColumn::FinishedOn, "finished on"),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInEducation,
        marks: &[&["school name"], &["start date"], &["end date"], &["degree name"]],
        columns: &[
            (ExportColumn::Company, "school name"),
            (ExportColumn::Position, "degree name"),
            (ExportColumn::StartedOn, "start date"),
            (ExportColumn::FinishedOn, "end date"),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInProfile,
        marks: &[&["first name"], &["last name"], &["headline"], &["industry"], &["geo location"]],
        columns: &[
            (ExportColumn::Given, "first name"),
            (ExportColumn::Family, "last name"),
            (ExportColumn::Maiden, "maiden name"),
            (ExportColumn::Industry, "industry"),
            (ExportColumn::Place, "geo location"),
        ],
    },
    KnownExport {
        format: ExportFormat::LinkedInAddresses,
        marks: &[&["email address"], &["confirmed"], &["primary"]],
        columns: &[
            (ExportColumn::Email, "email address"),
            (ExportColumn::Confirmed, "confirmed"),
            (ExportColumn::Primary, "primary"),
        ],
    },
];

impl KnownExport {
    /// The export with columns called `names`; `None` if it is unknown.
    pub(crate) fn of(names: &[String]) -> Option<&'static Self> {
        let has = |mark: &&str| names.iter().any(|name| name == mark);
        EXPORTS.iter().find(|export| export.marks.iter().all(|marks| marks.iter().any(has)))
    }

    /// The meaning of the column called `name`; `None` if it is not used.
    pub(crate) fn column(&self, name: &str) -> Option<ExportColumn> {
        let named = column_called(name, self.columns).or_else(|| numbered(name));
        named.or_else(|| column_called(name, EVERYWHERE))
    }
}

/// The first of `columns` that has the name `name`.
pub(crate) fn column_called(name: &str, columns: ColumnNames) -> Option<ExportColumn> {
    let is_called = |(_, names): &&(ExportColumn, &str)| names.split(", ").any(|known| known == name);
    columns.iter().find(is_called).map(|(column, _)| *column)
}

/// The column whose name is numbered.
fn numbered(name: &str) -> Option<ExportColumn> {
    let is = |(before, behind, _): &&(&str, &str, ExportColumn)| {
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    NUMBERED.iter().find(is).map(|(_, _, column)| *column)
}
