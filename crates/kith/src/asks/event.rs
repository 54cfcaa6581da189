//! What happens to an ask: events, written once and never changed.

use crate::model::named::named;
use crate::model::time::Timestamp;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A member asked for the introduction.
    Asked,
    /// The connector agreed to make it.
    Agreed,
    /// They made it.
    Introduced,
    /// The member and the target wrote to each other.
    InTouch,
    /// The two met.
    Met,
    /// The connector declined.
    Declined,
    /// No answer came.
    NoAnswer,
    /// The member asks no longer.
    Withdrawn,
    /// The event before does not count.
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
    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of this name, if it can come of an ask: all but being asked.
    #[must_use]
    pub fn outcome(name: &str) -> Option<Self> {
        Self::named(name).filter(|&kind| kind != Self::Asked)
    }

    /// Whether an ask in this state is open.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Asked | Self::Agreed | Self::Introduced)
    }

    /// The place among the five steps, from 0; `None` for what is no step.
    #[must_use]
    pub fn step(self) -> Option<usize> {
        Self::ALL[..5].iter().position(|&step| step == self)
    }
}

/// Who says that it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventBy {
    /// A member.
    Member {
        /// Their user id.
        user_id: String,
        /// Their name, as it was then.
        name: String,
    },
    /// The connector, over their link.
    Connector,
    /// Mail or a calendar.
    Observed {
        /// `mail` or `calendar`.
        source: String,
        /// The day, `2026-11-27`, in UTC.
        day: String,
    },
}

/// One thing that happened to an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskEvent {
    /// `event_…`.
    pub id: String,
    /// The id of the ask, `ask_…`.
    pub ask: String,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub kind: EventKind,
    /// Who says so.
    pub by: EventBy,
    /// Their note.
    pub note: Option<String>,
    /// The event that no longer counts.
    pub undoes: Option<String>,
}

/// The people of an ask, by id, beside the member who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPeople {
    /// The target.
    pub person: String,
    /// Who makes the introduction; `None` where the member goes to the target directly.
    pub connector: Option<String>,
    /// The advocate whom the member asks first.
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

/// How an ask stood when it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedOver {
    /// The type of the warmest path over just its people.
    pub connection_type: Option<String>,
    /// The score of that path, from 0 to 100.
    pub warmness: Option<u32>,
    /// The preference that was overridden, as JSON.
    pub overridden: Option<String>,
}
