//! Who works at each company, best known first.

use crate::model::csr::Csr;
use crate::model::dataset::People;
use crate::model::edges::Edges;
use crate::model::ix::{CompanyIx, PersonIx};

/// The current employees of every company.
#[derive(Debug, PartialEq, Eq)]
pub struct Employees {
    /// Employees of each company: incoming edges descending, then person ascending.
    people: Csr<PersonIx>,
}

impl Employees {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.people.size_bytes()
    }

    /// Groups people by their company, of `companies` companies. Costs a counting sort of the people, and a sort per
    /// company.
    #[must_use]
    pub fn build(people: &People, companies: usize, edges: &Edges) -> Self {
        let company_of = |person| people.company(person).map(|company| (company.0, person));
        let employed = (0..people.companies.len() as u32).map(PersonIx).filter_map(company_of);
        let mut people = Csr::scatter(companies, employed);
        for company in 0..companies as u32 {
            people.items[people.offsets.range(company)]
                .sort_unstable_by_key(|&person| (u32::MAX - edges.into.edge_count(person), person));
        }
        Self { people }
    }

    /// The people who work at `company`, most incoming edges first, then by id.
    #[must_use]
    pub fn of(&self, company: CompanyIx) -> &[PersonIx] {
        self.people.row(company.0)
    }
}
