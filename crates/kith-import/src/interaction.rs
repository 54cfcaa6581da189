//! Contact between people in a file: a message, an invitation, mail, a meeting. Never its content.

use std::collections::HashSet;
use std::sync::Arc;

use crate::bounds::is_within_bounds;
use crate::dates::CalendarDay;
use crate::fault::SkipReason;
use crate::limits::IMPORT_OTHERS_MAX;
use crate::recurrence::{Recurrence, RepeatBudget};
use crate::score::event::TieEventKind;
use kith::model::time::Timestamp;

/// One contact between people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// The kind of interaction.
    pub kind: TieEventKind,
    /// The person who wrote, invited or organized.
    pub from: Arc<Party>,
    /// Everybody else, at least one and at most [`IMPORT_OTHERS_MAX`], without those who declined.
    pub to: Vec<Arc<Party>>,
    /// How many of these, from the first, are visible to all: in mail, those in To or Cc.
    pub open: usize,
    /// Its day as written, for a meeting in the meeting's time zone; `None` if it has no readable day.
    pub at: Option<CalendarDay>,
    /// When it was sent, for mail with a time in its head.
    pub moment: Option<Timestamp>,
    /// How it repeats, if it does. Its days are then [`Interaction::days`], and do not count for the newest day of a
    /// file.
    pub repeats: Option<Box<Recurrence>>,
}

/// A person named in a message or an event. At least one text is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Party {
    /// The name as written; empty if there is none.
    pub name: String,
    /// The handle of the profile, in lower case.
    pub handle: Option<String>,
    /// The e-mail address, in lower case.
    pub email: Option<String>,
}

impl Interaction {
    /// The days on which it took place, up to `up_to`, oldest first; empty if it has no day.
    #[must_use]
    pub fn days(&self, up_to: CalendarDay) -> Vec<CalendarDay> {
        match &self.repeats {
            Some(repeats) => repeats.days(up_to),
            None => self.at.into_iter().filter(|day| *day <= up_to).collect(),
        }
    }

    /// [`Self::days`]; `None` if it repeats and exceeds `budget`, to which each day is charged `each` times.
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

/// The distinct parties of many interactions: a million messages are between thousands of people.
#[derive(Debug, Default)]
pub(crate) struct Parties {
    known: HashSet<Arc<Party>>,
}

impl Parties {
    /// Replaces the parties of `interaction` with equal known ones.
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

    /// Whether each text fits in a table.
    pub(crate) fn is_within_bounds(&self) -> bool {
        let texts = [&self.name].into_iter().chain(&self.handle).chain(&self.email);
        texts.map(String::as_str).all(is_within_bounds)
    }

    /// Whether the known fields of both are equal.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.handle, &other.handle, &self.email, &other.email) {
            (Some(one), Some(two), _, _) | (_, _, Some(one), Some(two)) => one == two,
            _ => self.name == other.name,
        }
    }
}

/// Checks that there are not too many `to` others, and that each text of a party fits in a table.
pub(crate) fn check_parties(from: &Arc<Party>, to: &[Arc<Party>]) -> Result<(), SkipReason> {
    if to.len() > IMPORT_OTHERS_MAX {
        return Err(SkipReason::TooManyOthers);
    }
    let is_fit = [from].into_iter().chain(to).all(|party| party.is_within_bounds());
    if is_fit { Ok(()) } else { Err(SkipReason::ValueTooLong) }
}

/// The others among `all`, each once, without `from` and unnamed ones.
pub(crate) fn others(from: &Party, all: Vec<Party>) -> Vec<Arc<Party>> {
    let mut others: Vec<Arc<Party>> = Vec::new();
    for party in all {
        // One more than the maximum is enough to see that there are too many.
        let is_known =
            party.is_empty() || party.is_same(from) || others.iter().any(|one| one.is_same(&party));
        if !is_known && others.len() <= IMPORT_OTHERS_MAX {
            others.push(party.into());
        }
    }
    others
}
