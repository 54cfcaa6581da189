//! The tables of a network, borrowed from whoever holds them: a dataset, or the index made of one.

use crate::model::column::TextColumn;
use crate::model::dataset::{
    Advocate, Companies, Dataset, IntroRequests, Members, Opportunities, Organization, People,
};
use crate::model::edges::Edges;
use crate::model::names::NameTable;
use crate::model::vectors::Vectors;

/// What a [`Dataset`] holds, field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of the same name of a dataset")]
pub struct Tables<'a> {
    pub organization: &'a Organization,
    pub companies: &'a Companies,
    pub people: &'a People,
    pub members: &'a Members,
    pub advocates: &'a [Advocate],
    pub intro_requests: &'a IntroRequests,
    pub opportunities: &'a Opportunities,
    pub edges: &'a Edges,
    pub breakdowns: &'a TextColumn,
    pub person_names: &'a NameTable,
    pub company_names: &'a NameTable,
    pub vectors: &'a Vectors,
}

impl Dataset {
    /// Its tables.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            organization: &self.organization,
            companies: &self.companies,
            people: &self.people,
            members: &self.members,
            advocates: &self.advocates,
            intro_requests: &self.intro_requests,
            opportunities: &self.opportunities,
            edges: &self.edges,
            breakdowns: &self.breakdowns,
            person_names: &self.person_names,
            company_names: &self.company_names,
            vectors: &self.vectors,
        }
    }
}
