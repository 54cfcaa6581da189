//! To whom the organization asked for an introduction, as a set, and how many of them work at each company.

use fixedbitset::FixedBitSet;

use crate::model::dataset::{IntroRequests, People};
use crate::model::ix::{CompanyIx, PersonIx};

/// The people of all intro requests.
#[derive(Debug)]
pub struct Requested {
    people: FixedBitSet,
    /// How many of them work at each company.
    at_companies: Vec<u32>,
}

impl Requested {
    /// The people of `requests`, among `people` and `companies` companies. Costs a pass over the requests.
    #[must_use]
    pub fn build(requests: &IntroRequests, people: &People, companies: usize) -> Self {
        let mut built =
            Self { people: FixedBitSet::with_capacity(people.len()), at_companies: vec![0; companies] };
        for &person in &requests.people {
            if !built.people.put(person.0 as usize)
                && let Some(company) = people.company(person)
            {
                built.at_companies[company.0 as usize] += 1;
            }
        }
        built
    }

    /// Whether an introduction to `person` was asked for.
    #[must_use]
    pub fn has(&self, person: PersonIx) -> bool {
        #[cfg(test)]
        crate::model::reads::note(1);
        self.people.contains(person.0 as usize)
    }

    /// How many people who work at `company` are in the set.
    #[must_use]
    pub fn count_at(&self, company: CompanyIx) -> u32 {
        self.at_companies[company.0 as usize]
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        size_of_val(self.people.as_slice()) + self.at_companies.capacity() * size_of::<u32>()
    }
}
