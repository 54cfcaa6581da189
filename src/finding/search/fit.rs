//! How well a condition fits people: one small number per distinct text, looked up by person.

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;

/// How well something fits: 0 is not at all, [`MATCH`] or above a match.
pub type Fit = u8;

/// The smallest fit that is a match; lower ones only affect the order.
pub const MATCH: Fit = 128;
/// A dictionary's row for no text.
pub(super) const NO_TEXT: u32 = 0;

/// Counts the work of this thread's searches, for tests.
#[cfg(test)]
pub(crate) mod work {
    use std::cell::Cell;

    thread_local! {
        static DONE: Cell<u64> = const { Cell::new(0) };
    }

    /// Records a read of a person's fit, or a pass over the words of a column.
    pub(crate) fn note() {
        DONE.set(DONE.get() + 1);
    }

    /// The number recorded.
    pub(crate) fn done() -> u64 {
        DONE.get()
    }
}

/// How well one condition fits everybody.
///
/// A person's fit is the best of those of their position, places, company and own entry. An empty table fits nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fits {
    /// For each distinct position.
    pub positions: Vec<Fit>,
    /// For each distinct city.
    pub cities: Vec<Fit>,
    /// For each distinct country.
    pub countries: Vec<Fit>,
    /// For each company: its name, its industry and its places.
    pub companies: Vec<Fit>,
    /// For each person: their name, their former companies, or what a whole look-up found.
    pub people: Vec<Fit>,
    /// Whether a company's fit is capped at a match for people whose home is known.
    pub is_home: bool,
}

impl Fits {
    /// How well `person` fits. Costs five look-ups.
    #[must_use]
    pub fn of(&self, index: &GraphIndex, person: u32) -> Fit {
        #[cfg(test)]
        work::note();
        let people = &index.data.people;
        let at = |table: &[Fit], place: u32| table.get(place as usize).copied().unwrap_or(0);
        let row = person as usize;
        let (city, country) = (people.cities.rows[row], people.countries.rows[row]);
        let of_company = people.company(PersonIx(person)).map_or(0, |company| at(&self.companies, company.0));
        let most = if self.is_home && city | country != NO_TEXT { MATCH } else { Fit::MAX };
        at(&self.positions, people.positions.rows[row])
            .max(at(&self.cities, city))
            .max(at(&self.countries, country))
            .max(of_company.min(most))
            .max(at(&self.people, person))
    }

    /// Whether any text or person matches.
    #[must_use]
    pub fn has_match(&self) -> bool {
        [&self.positions, &self.cities, &self.countries, &self.companies, &self.people]
            .iter()
            .any(|table| table.iter().any(|&fit| fit >= MATCH))
    }

    /// Raises each entry to that of `other` if it is lower; takes the other's table if its own is empty.
    pub fn raise(&mut self, other: Self) {
        raise(&mut self.positions, other.positions);
        raise(&mut self.cities, other.cities);
        raise(&mut self.countries, other.countries);
        raise(&mut self.companies, other.companies);
        raise(&mut self.people, other.people);
    }
}

/// Raises each entry of `table` to that of `other`.
pub fn raise(table: &mut Vec<Fit>, other: Vec<Fit>) {
    if table.is_empty() {
        *table = other;
    } else {
        table.iter_mut().zip(other).for_each(|(fit, other)| *fit = (*fit).max(other));
    }
}
