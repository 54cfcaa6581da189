//! Contact between people that a file shows: a message, an invitation, mail, a meeting. Never what it was about.

use std::collections::HashSet;
use std::sync::Arc;

use crate::bounds::is_within_bounds;
use crate::dates::CalendarDay;
use crate::limits::IMPORT_OTHERS_MAX;
use crate::recurrence::{Recurrence, RepeatBudget};
use kith::model::time::Timestamp;

/// One contact between people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// The kind of interaction.
    pub kind: InteractionKind,
    /// The person who wrote, invited or organized.
    pub from: Arc<Party>,
    /// Everybody else, at least one and at most [`IMPORT_OTHERS_MAX`]. Those who declined are left out.
    pub to: Vec<Arc<Party>>,
    /// So many of these, the first, may be seen by all of them: in mail those in To or Cc.
    pub open: usize,
    /// Its day, as its program wrote it: of a meeting in the zone of the meeting. `None` if it has none that can be read.
    pub at: Option<CalendarDay>,
    /// When it was sent, of mail whose head says so.
    pub moment: Option<Timestamp>,
    /// How it repeats. `None` if it does not. The days of what repeats are [`Interaction::days`], and none of them says how
    /// new a file is.
    pub repeats: Option<Box<Recurrence>>,
}

/// A kind of contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InteractionKind {
    /// A message of LinkedIn.
    Message,
    /// An invitation to connect.
    Invitation,
    /// Mail.
    Mail,
    /// A meeting in a calendar.
    Meeting,
}

/// A person as a message or an event names them. At least one text is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Party {
    /// The name as it is written. Empty if there is none.
    pub name: String,
    /// The handle of the profile, in lower case.
    pub handle: Option<String>,
    /// The e-mail address, in lower case.
    pub email: Option<String>,
}

impl Interaction {
    /// The days on which it took place, up to `up_to`, the oldest first. Empty if it has no day.
    #[must_use]
    pub fn days(&self, up_to: CalendarDay) -> Vec<CalendarDay> {
        match &self.repeats {
            Some(repeats) => repeats.days(up_to),
            None => self.at.into_iter().filter(|day| *day <= up_to).collect(),
        }
    }

    /// [`Self::days`]; `None` if it repeats and
    /// `budget` has too little left, of whose allowance each day takes `each`.
    pub(crate) fn days_within(
        &self,
        budget: &mut RepeatBudget,
        up_to: CalendarDay,
        each: usize,
    ) -> Option<Vec<CalendarDay>> {
        match &self.repeats {
            Some(repeats) => budget.take(repeats, up_to, each),
            None => Some(self.days(up_to)),
        }
    }
}

/// The parties of many interactions, each once: a million messages are between thousands of people.
#[derive(Debug, Default)]
pub(crate) struct Parties {
    known: HashSet<Arc<Party>>,
}

impl Parties {
    /// `interaction` with the parties that are known in the place of its own.
    pub(crate) fn shared(&mut self, mut interaction: Interaction) -> Interaction {
        for party in interaction.to.iter_mut().chain([&mut interaction.from]) {
            match self.known.get(&**party) {
                Some(known) => *party = Arc::clone(known),
                None => {
                    self.known.insert(Arc::clone(party));
                }
            }
        }
        interaction.to.shrink_to_fit();
        interaction
    }
}

impl Party {
    /// Whether it names nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.name.is_empty() && self.handle.is_none() && self.email.is_none()
    }

    /// Whether a table holds each text.
    pub(crate) fn is_within_bounds(&self) -> bool {
        let texts = [&self.name].into_iter().chain(&self.handle).chain(&self.email);
        texts.map(String::as_str).all(is_within_bounds)
    }

    /// Whether both are the same as far as they say.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.handle, &other.handle, &self.email, &other.email) {
            (Some(one), Some(two), _, _) | (_, _, Some(one), Some(two)) => one == two,
            _ => self.name == other.name,
        }
    }
}

/// Who is among `all`, each once, without `from` and without those who are named by nothing.
pub(crate) fn others(from: &Party, all: Vec<Party>) -> Vec<Arc<Party>> {
    let mut others: Vec<Arc<Party>> = Vec::new();
    for party in all {
        // One more than counts is enough to see that there are too many.
        let is_known =
            party.is_empty() || party.is_same(from) || others.iter().any(|one| one.is_same(&party));
        if !is_known && others.len() <= IMPORT_OTHERS_MAX {
            others.push(party.into());
        }
    }
    others
}
