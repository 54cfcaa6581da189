//! The rows of all files before they are joined to people: small, since there may be a million.

use crate::contact::Contact;
use crate::dates::CalendarDay;
use crate::decode::repaired;
use crate::interaction::{Interaction, Party};
use crate::own::{OwnAddress, OwnPosition, OwnProfile};
use crate::stays::ExportedStay;

/// The number for no holder.
pub(crate) const NOBODY: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowKind {
    /// The manifest's entry of a holder; not from a file.
    Card,
    Contact,
    /// An edge of a list of edges, with its weight, 0 to 100.
    Listed(Option<u8>),
    /// An address that mail went to and came from; not a row of a file.
    Correspondent,
    /// An address in a holder's mail or calendar under the name of one of the holder's contacts; not a row of a file. It
    /// makes no person.
    Hint,
    /// An address to which an edge is derived; not a row of a file.
    Seen,
}

/// A row about one person.
#[derive(Clone, Debug)]
pub(crate) struct ImportedRow {
    /// The position of its file among the outcomes; meaningless for rows of no file.
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) kind: RowKind,
    /// The holder whose file has it, or [`NOBODY`].
    pub(crate) holder: u32,
    /// The holder who knows the person, or [`NOBODY`].
    pub(crate) tie: u32,
    pub(crate) name: Box<str>,
    /// Empty if it has none; the first of several.
    pub(crate) handle: Box<str>,
    /// Further handles. No row is joined by them.
    pub(crate) other_handles: Box<[Box<str>]>,
    pub(crate) emails: Box<[Box<str>]>,
    /// The last eight digits of each of its phone numbers.
    pub(crate) phones: Box<[u32]>,
    /// The number of the spelling of the company, or 0.
    pub(crate) company: u32,
    /// The number of the position, or 0.
    pub(crate) position: u32,
    /// The numbers of the city and the country, each 0 if unknown.
    pub(crate) place: (u32, u32),
    pub(crate) connected_on: Option<CalendarDay>,
}

/// A message, a mail or an event in a holder's files.
#[derive(Clone, Debug)]
pub(crate) struct ContactedRow {
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) holder: u32,
    pub(crate) interaction: Interaction,
}

/// A stay, and its row.
#[derive(Clone, Debug)]
pub(crate) struct StayRow {
    pub(crate) file: u32,
    pub(crate) line: u64,
    /// The holder whose file has it.
    pub(crate) holder: u32,
    /// Whether it is the holder's own.
    pub(crate) is_own: bool,
    pub(crate) stay: ExportedStay,
}

/// The rows about the owner of the files.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnHistory {
    /// Positions, profiles and addresses, as rows.
    pub(crate) rows: Vec<(u32, u64)>,
    pub(crate) positions: Vec<OwnPosition>,
    pub(crate) profiles: Vec<OwnProfile>,
    pub(crate) addresses: Vec<OwnAddress>,
}

impl ImportedRow {
    /// An empty row of nobody and of no file.
    pub(crate) fn empty(kind: RowKind, holder: u32) -> Self {
        Self {
            file: 0,
            line: 0,
            kind,
            holder,
            tie: NOBODY,
            name: Box::default(),
            handle: Box::default(),
            other_handles: Box::default(),
            emails: Box::default(),
            phones: Box::default(),
            company: 0,
            position: 0,
            place: (0, 0),
            connected_on: None,
        }
    }

    /// Whether it comes from a file.
    pub(crate) fn is_of_file(&self) -> bool {
        matches!(self.kind, RowKind::Contact | RowKind::Listed(_))
    }

    /// The name of a row of a file, if it has neither handle nor address nor company.
    pub(crate) fn bare_name(&self) -> Option<&str> {
        let is_bare = self.handle.is_empty() && self.emails.is_empty() && self.company == 0;
        Some(&*self.name).filter(|name| is_bare && self.is_of_file() && !name.is_empty())
    }

    /// Every handle that it has.
    pub(crate) fn handles(&self) -> impl Iterator<Item = &str> {
        let first = Some(&self.handle).filter(|handle| !handle.is_empty());
        first.into_iter().chain(&self.other_handles).map(AsRef::as_ref)
    }

    /// Takes over the data of `contact`, except the company, the position and the place.
    pub(crate) fn with_contact(mut self, contact: Contact) -> Self {
        self.name = repaired(contact.names.full).into();
        let mut handles = contact.handles.into_iter().map(Box::from);
        self.handle = handles.next().unwrap_or_default();
        self.other_handles = handles.collect();
        self.emails = contact.emails.into_iter().map(Box::from).collect();
        self.phones = contact.phones.into();
        self.connected_on = contact.connected_on;
        self
    }

    /// Takes over the data of `party`.
    pub(crate) fn with_party(mut self, party: Party) -> Self {
        self.name = party.name.into();
        self.handle = party.handle.unwrap_or_default().into();
        self.emails = party.email.into_iter().map(Box::from).collect();
        self
    }
}
