//! The events of an ask, written once and never changed.

use crate::model::named::named;
use crate::model::time::Timestamp;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A member asks for the introduction.
    Asked,
    /// The connector agrees to make it.
    Agreed,
    /// They made it.
    Introduced,
    /// The member and the target write to each other.
    InTouch,
    /// The two met.
    Met,
    /// The connector declined.
    Declined,
    /// No answer came.
    NoAnswer,
    /// The member withdraws the ask.
    Withdrawn,
    /// The previous event no longer counts.
    Reopened,
}

named! {
    /// All of them: the five steps in their order, then the others.
    EventKind {
        Asked = "asked",
        Agreed = "agreed",
        Introduced = "introduced",
        InTouch = "in_touch",
        Met = "met",
        Declined = "declined",
        NoAnswer = "no_answer",
        Withdrawn = "withdrawn",
        Reopened = "reopened",
    }
}

impl EventKind {
    /// Finds the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Finds the kind with this name if it can follow an ask: every kind but `asked`.
    #[must_use]
    pub fn outcome(name: &str) -> Option<Self> {
        Self::named(name).filter(|&kind| kind != Self::Asked)
    }

    /// Whether an ask in this state is open.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Asked | Self::Agreed | Self::Introduced)
    }

    /// The position among the five steps, from 0; `None` for a kind that is not a step.
    #[must_use]
    pub fn step(self) -> Option<usize> {
        Self::ALL[..5].iter().position(|&step| step == self)
    }
}

/// The source of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventBy {
    /// A member.
    Member {
        /// Their user id.
        user_id: String,
        /// Their name at that time.
        name: String,
    },
    /// The connector, over their link.
    Connector,
    /// Found in mail or a calendar.
    Observed {
        /// `mail` or `calendar`.
        source: String,
        /// The day in UTC, such as `2026-11-27`.
        day: String,
    },
}

/// One event of an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskEvent {
    /// `event_…`.
    pub id: String,
    /// The id of the ask, `ask_…`.
    pub ask: String,
    /// When it happened.
    pub at: Timestamp,
    /// The kind of the event.
    pub kind: EventKind,
    /// The person or source that reported it.
    pub by: EventBy,
    /// Their note.
    pub note: Option<String>,
    /// The event that this one undoes.
    pub undoes: Option<String>,
}

/// The people of an ask, by id, besides the asking member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPeople {
    /// The target.
    pub person: String,
    /// The person who makes the introduction; `None` if the member contacts the target directly.
    pub connector: Option<String>,
    /// The advocate whom the member contacts first.
    pub via_advocate: Option<String>,
}

impl AskedPeople {
    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        [Some(&self.person), self.connector.as_ref(), self.via_advocate.as_ref()]
            .into_iter()
            .flatten()
            .map(String::as_str)
    }
}

/// The state of the paths when the ask was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedOver {
    /// The type of the warmest path through exactly its people.
    pub connection_type: Option<String>,
    /// The score of that path, from 0 to 100.
    pub warmness: Option<u32>,
    /// The preference that was overridden, as JSON.
    pub overridden: Option<String>,
}
