//! How well a condition fits people: one small number for each distinct text, looked up by person.

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;

/// How well something fits: 0 not at all, [`MATCH`] and above enough to count as a match.
pub type Fit = u8;

/// The smallest fit that is a match; what is below only helps to order.
pub const MATCH: Fit = 128;
/// The row of a dictionary's column that has no text.
pub(super) const NO_TEXT: u32 = 0;

/// What searches of this thread did, for tests that count it.
#[cfg(test)]
pub(crate) mod work {
    use std::cell::Cell;

    thread_local! {
        static DONE: Cell<u64> = const { Cell::new(0) };
    }

    /// Notes a look at a person's fit, or a pass over the words of a column.
    pub(crate) fn note() {
        DONE.set(DONE.get() + 1);
    }

    /// How many were noted.
    pub(crate) fn done() -> u64 {
        DONE.get()
    }
}

/// How well one condition fits everybody.
///
/// A person's fit is the best of what their position, places, company and own entry have. An
/// empty table fits nobody.
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
    /// Whether what companies have is no more than a match for those whose home is known.
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

    /// Raises each entry to that of `other` if it is lower; an empty table takes the other's.
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
