//! The people whose answers change if some people are removed.
//!
//! A person who is neither member nor advocate is on paths to two kinds of people: to themself and, as a connector, to
//! the people they have an edge to. Everybody else's profile and paths are the same without them.
//! `tests/api/suppression/early.rs` checks this.

use fixedbitset::FixedBitSet;

use crate::graph::index::SnapshotIndex;
use crate::model::ix::{CompanyIx, PersonIx};

/// The removed people, and the people whose profile or paths may change without them.
#[derive(Debug)]
pub struct Touched {
    gone: FixedBitSet,
    people: FixedBitSet,
}

impl Touched {
    /// The people affected by the removal of the people numbered `gone`. Returns `None` if one of them is a member, an
    /// advocate or in a preference, so that any answer may change. Costs a pass over their edges and a bit per person.
    ///
    /// # Panics
    /// Panics if there is no such person.
    #[must_use]
    pub fn by(index: &SnapshotIndex, gone: &[u32]) -> Option<Self> {
        let data = &index.data;
        let mut people = FixedBitSet::with_capacity(data.people.len());
        people.extend(gone.iter().map(|&row| row as usize));
        let goes = |person: PersonIx| people.contains(person.0 as usize);
        let has_a_part = data.members.people.iter().any(|&person| goes(person))
            || data.advocates.iter().any(|row| goes(row.person))
            || data
                .preferences
                .iter()
                .any(|row| [row.connector, row.person, row.through].into_iter().flatten().any(goes));
        if has_a_part {
            return None;
        }
        let gone_people = people.clone();
        for &row in gone {
            people.extend(data.edges.out.row(PersonIx(row)).iter().map(|(target, _)| target.0 as usize));
        }
        Some(Self { gone: gone_people, people })
    }

    /// Whether `person` goes.
    #[must_use]
    pub fn goes(&self, person: PersonIx) -> bool {
        self.gone.contains(person.0 as usize)
    }

    /// Whether `person` is removed, or their profile or paths may change.
    #[must_use]
    pub fn has(&self, person: PersonIx) -> bool {
        self.people.contains(person.0 as usize)
    }

    /// Whether that holds for anybody who works at `company`. Costs a look at each employee.
    #[must_use]
    pub fn has_one_at(&self, index: &SnapshotIndex, company: CompanyIx) -> bool {
        index.employees.of(company).iter().any(|&person| self.has(person))
    }
}
