//! What is to be written, and what was.

use kith::asks::ask::{Ask, Writer};
use kith::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use kith::model::time::Timestamp;

/// The most characters of a key.
pub const KEY_CHARS_MAX: usize = 100;
/// The most characters of a note.
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
    /// The key by which the same write is known again.
    pub key: Option<String>,
    /// Whether nothing is written, and only said what would be.
    pub is_dry_run: bool,
}

/// What a member writes.
#[derive(Clone, Debug)]
pub enum MemberWords {
    /// They asked these people.
    Asked(AskedPeople, AskedOver),
    /// Something became of an ask.
    Outcome {
        /// The ask.
        ask: String,
        /// What became of it.
        kind: EventKind,
    },
}

/// What was written, or was there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAsk {
    /// The ask after it.
    pub ask: Ask,
    /// The event.
    pub event: AskEvent,
    /// Whether it was written now.
    pub is_new: bool,
}

impl MemberWrite {
    /// The member as the author of an event.
    #[must_use]
    pub fn by(&self) -> EventBy {
        EventBy::Member { user_id: self.user.clone(), name: self.name.clone() }
    }

    /// Who this member is to `ask`.
    #[must_use]
    pub fn writer_of(&self, ask: &Ask) -> Writer {
        if ask.asker == self.user { Writer::Asker } else { Writer::Member { is_admin: self.is_admin } }
    }
}

/// What may come of an ask: all that can happen to one, but for being asked.
#[must_use]
pub fn outcome_names() -> Vec<&'static str> {
    EventKind::ALL.iter().filter(|&&kind| kind != EventKind::Asked).map(|kind| kind.name()).collect()
}

/// Who may say what of an ask, in words.
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
