//! Who works at each company, best known first.

use crate::model::column::held;
use crate::model::dataset::People;
use crate::model::edges::Edges;
use crate::model::ix::{CompanyIx, NO_REFERENCE, PersonIx};

/// The current employees of every company.
#[derive(Debug)]
pub struct Employees {
    /// Where each company's employees begin; one longer than the companies.
    offsets: Vec<u32>,
    /// Employees of each company: incoming edges descending, then person ascending.
    people: Vec<u32>,
}

impl Employees {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        held(&self.offsets) + held(&self.people)
    }

    /// The employees of `companies` companies. Costs a counting sort of the people, and a sort of
    /// each company's.
    #[must_use]
    pub fn build(people: &People, companies: usize, edges: &Edges) -> Self {
        let mut offsets = vec![0_u32; companies + 1];
        for &company in people.companies.iter().filter(|&&company| company != NO_REFERENCE) {
            offsets[company as usize + 1] += 1;
        }
        for company in 0..companies {
            offsets[company + 1] += offsets[company];
        }
        let mut next = offsets.clone();
        let mut employees = vec![0_u32; offsets[companies] as usize];
        for (person, &company) in people.companies.iter().enumerate() {
            if company != NO_REFERENCE {
                employees[next[company as usize] as usize] = person as u32;
                next[company as usize] += 1;
            }
        }
        for company in 0..companies {
            let range = offsets[company] as usize..offsets[company + 1] as usize;
            employees[range]
                .sort_unstable_by_key(|&person| (u32::MAX - edges.into.degree(PersonIx(person)), person));
        }
        Self { offsets, people: employees }
    }

    /// The people who work at `company`, most incoming edges first, then by id.
    #[must_use]
    pub fn of(&self, company: CompanyIx) -> &[u32] {
        let ix = company.0 as usize;
        &self.people[self.offsets[ix] as usize..self.offsets[ix + 1] as usize]
    }
}
