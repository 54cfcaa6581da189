//! Requested writes, and their results.

use kith::asks::ask::{Ask, Writer};
use kith::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use kith::model::time::Timestamp;

/// Maximum length of a key, in characters.
pub const KEY_CHARS_MAX: usize = 100;
/// Maximum length of a note, in characters.
pub const NOTE_CHARS_MAX: usize = 500;

/// A write by a member.
#[derive(Clone, Debug)]
pub struct MemberWrite {
    /// The organization.
    pub org: String,
    /// The user id of the member.
    pub user: String,
    /// Their name.
    pub name: String,
    /// Whether they are an admin.
    pub is_admin: bool,
    /// When it happened.
    pub at: Timestamp,
    /// Their note.
    pub note: Option<String>,
    /// The key that recognizes a repeated write.
    pub key: Option<String>,
    /// Whether to report the result without writing it.
    pub is_dry_run: bool,
}

/// The content of a member's write.
#[derive(Clone, Debug)]
pub enum MemberWords {
    /// A new ask to these people.
    Asked(AskedPeople, AskedOver),
    /// A new event of an ask.
    Outcome {
        /// The ask.
        ask: String,
        /// The kind of event.
        kind: EventKind,
    },
}

/// The event written, or already there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAsk {
    /// The ask after it.
    pub ask: Ask,
    /// The event.
    pub event: AskEvent,
    /// Whether it was written by this call.
    pub is_new: bool,
}

impl MemberWrite {
    /// The member as the author of an event.
    #[must_use]
    pub fn by(&self) -> EventBy {
        EventBy::Member { user_id: self.user.clone(), name: self.name.clone() }
    }

    /// The role of this member for `ask`.
    #[must_use]
    pub fn writer_of(&self, ask: &Ask) -> Writer {
        if ask.asker == self.user { Writer::Asker } else { Writer::Member { is_admin: self.is_admin } }
    }
}

/// The kinds of event that can follow an ask: all but `asked`.
#[must_use]
pub fn outcome_names() -> Vec<&'static str> {
    EventKind::ALL.iter().filter(|&&kind| kind != EventKind::Asked).map(|kind| kind.name()).collect()
}

/// A description of who may report events of `kind`.
#[must_use]
pub fn who_may(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Agreed | EventKind::Declined => "the member who asked, or the connector over their link",
        EventKind::NoAnswer | EventKind::Withdrawn | EventKind::Reopened => {
            "the member who asked, or an admin"
        }
        _ => "the member who asked",
    }
}
