//! Messages, invitations, mail and meetings as input of the ledger.

use crate::dates::CalendarDay;

/// A kind of event between people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TieEventKind {
    /// A message of a social network.
    Message,
    /// An invitation to connect.
    Invitation,
    /// An e-mail.
    Mail,
    /// A meeting.
    Meeting,
}

/// A message, an invitation, a mail or a meeting, with its parties by key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieEvent<K> {
    /// Its kind.
    pub kind: TieEventKind,
    /// The person who sent it, or called the meeting.
    pub from: K,
    /// Everybody it was sent to, or who was invited.
    pub to: Vec<K>,
    /// The day, if known.
    pub at: Option<CalendarDay>,
}
