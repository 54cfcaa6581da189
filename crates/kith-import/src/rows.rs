//! The rows of all files as they are kept until it is known who is who: small, since there may be a million.

use crate::contact::Contact;
use crate::dates::CalendarDay;
use crate::decode::repaired;
use crate::interaction::{Interaction, Party};
use crate::own::{OwnPosition, OwnProfile};
use crate::stays::ExportedStay;

/// Stands for no holder.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowKind {
    /// The entry of a holder in the manifest. No row of a file.
    Card,
    /// A contact.
    Contact,
    /// An edge of a list of edges, with its weight, 0 to 100.
    Listed(Option<u8>),
    /// An address that mail went to and came from. No row of a file.
    Correspondent,
    /// An address to which an edge is derived. No row of a file.
    Seen,
}

/// A row that says something of one person.
#[derive(Clone, Debug)]
pub(crate) struct ImportedRow {
    /// The place of its file among the outcomes; of no meaning for rows of no file.
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) kind: RowKind,
    /// The holder whose file it is in, or [`NOBODY`].
    pub(crate) holder: u32,
    /// The holder who knows the person, or [`NOBODY`].
    pub(crate) tie: u32,
    pub(crate) name: Box<str>,
    /// Empty if it has none. Of several the first.
    pub(crate) handle: Box<str>,
    /// The handles behind the first. No row is joined by them.
    pub(crate) other_handles: Box<[Box<str>]>,
    pub(crate) emails: Box<[Box<str>]>,
    /// The last eight digits of each of its phone numbers.
    pub(crate) phones: Box<[u32]>,
    /// The number of the spelling of the company, or 0.
    pub(crate) company: u32,
    /// The number of the position, or 0.
    pub(crate) position: u32,
    /// The numbers of the city and the country, each 0 if there is none.
    pub(crate) place: (u32, u32),
    pub(crate) connected_on: Option<CalendarDay>,
}

/// A message, a mail or an event of a holder's files.
#[derive(Clone, Debug)]
pub(crate) struct ContactedRow {
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) holder: u32,
    pub(crate) interaction: Interaction,
}

/// A stay, and the row that says so.
#[derive(Clone, Debug)]
pub(crate) struct StayRow {
    pub(crate) file: u32,
    pub(crate) line: u64,
    /// The holder whose file it is in.
    pub(crate) holder: u32,
    /// Whether it is of the holder.
    pub(crate) is_own: bool,
    pub(crate) stay: ExportedStay,
}

/// The rows about the owner of the files.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnHistory {
    /// Positions and profiles, as rows.
    pub(crate) rows: Vec<(u32, u64)>,
    pub(crate) positions: Vec<OwnPosition>,
    pub(crate) profiles: Vec<OwnProfile>,
}

impl ImportedRow {
    /// A row of nobody and of no file, to be filled.
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

    /// Whether it stands in a file.
    pub(crate) fn is_of_file(&self) -> bool {
        matches!(self.kind, RowKind::Contact | RowKind::Listed(_))
    }

    /// Every handle that it has.
    pub(crate) fn handles(&self) -> impl Iterator<Item = &str> {
        let first = Some(&self.handle).filter(|handle| !handle.is_empty());
        first.into_iter().chain(&self.other_handles).map(AsRef::as_ref)
    }

    /// Takes over what `contact` says of the person, but for the company, the position and the place.
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

    /// Takes over what `party` says of the person.
    pub(crate) fn with_party(mut self, party: Party) -> Self {
        self.name = party.name.into();
        self.handle = party.handle.unwrap_or_default().into();
        self.emails = party.email.into_iter().map(Box::from).collect();
        self
    }
}
