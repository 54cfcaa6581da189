//! The headers of known exports, and the columns of each.

use crate::export::{ExportColumn, ExportFormat};

/// An export: the columns that identify it, each in all its languages, and all used columns.
pub(crate) struct KnownExport {
    pub(crate) format: ExportFormat,
    /// A header of this export has a column from each list.
    marks: &'static [&'static [&'static str]],
    columns: &'static [(&'static str, ExportColumn)],
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
const EVERYWHERE: &[(ExportColumn, &str)] = &[
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
        format: ExportFormat::LinkedInEducation,
        marks: &[&["school name"], &["start date"], &["end date"], &["degree name"]],
        columns: &[
            ("school name", ExportColumn::Company),
            ("degree name", ExportColumn::Position),
            ("start date", ExportColumn::StartedOn),
            ("end date", ExportColumn::FinishedOn),
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
    KnownExport {
        format: ExportFormat::LinkedInAddresses,
        marks: &[&["email address"], &["confirmed"], &["primary"]],
        columns: &[
            ("email address", ExportColumn::Email),
            ("confirmed", ExportColumn::Confirmed),
            ("primary", ExportColumn::Primary),
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
        let named = self.columns.iter().find(|(known, _)| *known == name).map(|(_, column)| *column);
        named.or_else(|| numbered(name)).or_else(|| everywhere(name))
    }
}

/// The meaning of a column common to all exports.
fn everywhere(name: &str) -> Option<ExportColumn> {
    let is_called = |(_, names): &&(ExportColumn, &str)| names.split(", ").any(|known| known == name);
    EVERYWHERE.iter().find(is_called).map(|(column, _)| *column)
}

/// The column whose name is numbered.
fn numbered(name: &str) -> Option<ExportColumn> {
    let is = |(before, behind, _): &&(&str, &str, ExportColumn)| {
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    NUMBERED.iter().find(is).map(|(_, _, column)| *column)
}
