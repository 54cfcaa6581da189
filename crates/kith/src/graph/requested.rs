//! The people to whom the organization requested an introduction, as a set, and their number at each company.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use crate::model::dataset::{IntroRequests, People};
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::time::Timestamp;

/// The people of all intro requests.
#[derive(Debug)]
pub struct Requested {
    people: FixedBitSet,
    /// The number of them at each company.
    at_companies: Vec<u32>,
    /// For each person with open asks, the latest ask.
    asks: HashMap<PersonIx, AskedFor>,
}

/// A request made through asks, not in the snapshot. Orders by time, then by member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskedFor {
    /// When.
    pub at: Timestamp,
    /// The member who asked.
    pub by: MemberIx,
}

impl Requested {
    /// Builds the set of `requests`, among `people` and `companies` companies. Costs a pass over the requests.
    #[must_use]
    pub fn build(requests: &IntroRequests, people: &People, companies: usize) -> Self {
        let mut built = Self {
            people: FixedBitSet::with_capacity(people.len()),
            at_companies: vec![0; companies],
            asks: HashMap::new(),
        };
        requests.people.iter().for_each(|&person| built.put(people, person));
        built
    }

    /// Adds the ask for an introduction to `person`.
    pub(crate) fn add(&mut self, people: &People, person: PersonIx, asked: AskedFor) {
        self.put(people, person);
        let latest = self.asks.entry(person).or_insert(asked);
        *latest = asked.max(*latest);
    }

    fn put(&mut self, people: &People, person: PersonIx) {
        if !self.people.put(person.0 as usize)
            && let Some(company) = people.company(person)
        {
            self.at_companies[company.0 as usize] += 1;
        }
    }

    /// The latest open ask for an introduction to `person`; requests of the snapshot do not count.
    #[must_use]
    pub fn latest_ask(&self, person: PersonIx) -> Option<AskedFor> {
        self.asks.get(&person).copied()
    }

    /// All the people, in the order of their ids.
    pub fn people(&self) -> impl Iterator<Item = PersonIx> {
        self.people.ones().map(|row| PersonIx(row as u32))
    }

    /// Whether an introduction to `person` was requested.
    #[must_use]
    pub fn has(&self, person: PersonIx) -> bool {
        #[cfg(test)]
        crate::model::reads::note(1);
        self.people.contains(person.0 as usize)
    }

    /// The number of people in the set who work at `company`.
    #[must_use]
    pub fn count_at(&self, company: CompanyIx) -> u32 {
        self.at_companies[company.0 as usize]
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        size_of_val(self.people.as_slice())
            + self.at_companies.capacity() * size_of::<u32>()
            + self.asks.capacity() * size_of::<(PersonIx, AskedFor)>()
    }
}
