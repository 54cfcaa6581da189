//! The known exports, and the meanings of columns.

use std::fmt;

/// An export, as recognized by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// LinkedIn's `Connections.csv`.
    LinkedInConnections,
    /// Google Contacts in their present form.
    GoogleContacts,
    /// Google Contacts in their former form.
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
    /// LinkedIn's `Education.csv`.
    LinkedInEducation,
    /// LinkedIn's `Profile.csv`.
    LinkedInProfile,
    /// LinkedIn's `Email Addresses.csv`.
    LinkedInAddresses,
    /// A table whose columns the manifest names.
    MappedTable,
    /// A table of an unknown export, recognized by the names of its columns.
    RecognizedTable(RecognizedColumns),
    /// A list of edges, whose columns the manifest names.
    Edges,
    /// Cards of version 2.1, 3.0 or 4.0.
    Cards,
    /// Consecutive messages.
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
    /// The URL of a profile, or of any page.
    Url,
    Email,
    Phone,
    Company,
    Position,
    City,
    Country,
    ConnectedOn,
    /// The person in the organization whose contact it is: a name, an address, or an id.
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
    School,
    FinishedOn,
    Maiden,
    Industry,
    Place,
    Confirmed,
    Primary,
    TieFrom,
    TieTo,
    Weight,
}

/// The columns that were recognized by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecognizedColumns(u16);

impl RecognizedColumns {
    /// Whether a column says whose contact each row is.
    pub(crate) fn has_owner(self) -> bool {
        RECOGNIZED
            .iter()
            .zip(0..)
            .any(|((known, _), place)| *known == ExportColumn::Owner && self.0 & (1 << place) != 0)
    }
}

/// The columns that can be recognized, and their names in the report.
const RECOGNIZED: [(ExportColumn, &str); 13] = [
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
    (ExportColumn::StartedOn, "started"),
    (ExportColumn::FinishedOn, "finished"),
    (ExportColumn::School, "school"),
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
            Self::LinkedInEducation => "LinkedIn education",
            Self::LinkedInProfile => "LinkedIn profile",
            Self::LinkedInAddresses => "LinkedIn addresses",
            Self::MappedTable => "mapped columns",
            Self::Edges => "list of edges",
            Self::Cards => "vCard",
            Self::MailArchive => "mail archive",
            Self::Calendar => "calendar",
        })
    }
}
