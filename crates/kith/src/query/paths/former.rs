//! Former employees of a company whom members know: they may still open its door.

use std::borrow::Cow;

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::query::paths::reasons::PathReason;

/// Maximum number of people named in a sentence.
const NAMED_MAX: usize = 3;

/// A reason, with its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundReason {
    /// The reason.
    pub reason: PathReason,
    /// The sentence. "Nobody works there" may name former employees.
    pub message: Cow<'static, str>,
}

impl FoundReason {
    pub(super) fn of(reason: PathReason) -> Self {
        Self { reason, message: Cow::Borrowed(reason.message()) }
    }

    /// Adds to the sentence those `people`, former employees of `company`, whom members know and who have left: warmest
    /// first, then by id.
    pub(super) fn name_former(&mut self, index: &GraphIndex, company: CompanyIx, people: Vec<PersonIx>) {
        let is_there = |person: PersonIx| index.data.people.company(person) == Some(company);
        let warmest = |person| index.near.row(person).members.first().map(|edge| edge.score().coldness());
        let known = people.into_iter().filter(|person| !is_there(*person));
        let mut known: Vec<_> = known.filter_map(|person| Some((warmest(person)?, person))).collect();
        known.sort_unstable();
        known.dedup();
        let name = |(_, person): &(u8, PersonIx)| index.data.people.names.get(person.0);
        let named: Vec<&str> = known.iter().take(NAMED_MAX).map(name).collect();
        let who = match (named.as_slice(), known.len() - named.len()) {
            ([], _) => return,
            ([one], _) => (*one).to_owned(),
            ([all @ .., last], 0) => format!("{} and {last}", all.join(", ")),
            (all, more) => format!("{} and {more} more", all.join(", ")),
        };
        self.message = Cow::Owned(format!("{} {who} worked there before.", self.reason.message()));
    }
}
