//! The index of one network, and the few look-ups that every question needs.

use crate::graph::advocacy::Advocacy;
use crate::graph::company_text::CompanyText;
use crate::graph::employees::Employees;
use crate::graph::exact::HandleTable;
use crate::graph::inside::Inside;
use crate::graph::names::NameLookup;
use crate::graph::near::Near;
use crate::graph::people_text::PeopleText;
use crate::model::column::TextColumn;
use crate::model::dataset::{
    Advocate, Companies, Dataset, IntroRequests, Members, Opportunities, Organization, People,
};
use crate::model::edges::Edges;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::tables::Tables;
use crate::model::text::{fold, lower};
use crate::model::vectors::Vectors;
use crate::model::warmness::Warmness;

/// One organization's network, ready to answer.
#[derive(Debug)]
pub struct GraphIndex {
    /// Whose network it is.
    pub organization: Organization,
    /// Companies, ascending by id.
    pub companies: Companies,
    /// People, ascending by id.
    pub people: People,
    /// Members, ascending by user id.
    pub members: Members,
    /// Everyone who was asked to be an advocate, ascending by person, then member.
    pub advocate_rows: Vec<Advocate>,
    /// Intro requests; the first of each person is the one to show.
    pub intro_requests: IntroRequests,
    /// Ghost opportunities, ascending by id.
    pub opportunities: Opportunities,
    /// Who knows whom, both ways, warmest first.
    pub edges: Edges,
    /// Distinct breakdowns as compact JSON; the first is empty: nothing known.
    pub breakdowns: TextColumn,
    /// People by name.
    pub person_names: NameLookup,
    /// Companies by name.
    pub company_names: NameLookup,
    /// People by handle.
    pub person_handles: HandleTable,
    /// Companies by handle.
    pub company_handles: HandleTable,
    /// The vectors of texts of people and companies, as the snapshot tells them.
    pub vectors: Vectors,
    /// Who helps whom.
    pub advocacy: Advocacy,
    /// The incoming edges that start near a member.
    pub near: Near,
    /// Whom a caller may learn of.
    pub inside: Inside,
    /// Who works where.
    pub employees: Employees,
    /// What searches over people read.
    pub people_text: PeopleText,
    /// What searches over companies read.
    pub company_text: CompanyText,
}

impl GraphIndex {
    /// The index of a checked dataset. Costs one pass over the incoming edges and the texts, on all
    /// cores.
    #[must_use]
    pub fn build(dataset: Dataset) -> Self {
        let Dataset { organization, companies, people, members, advocates, .. } = dataset;
        let Dataset { intro_requests, opportunities, edges, breakdowns, .. } = dataset;
        let Dataset { person_names, company_names, vectors, .. } = dataset;
        let advocacy = Advocacy::build(&advocates, &members, &edges);
        let ((near, employees), (person_tables, company_tables)) = rayon::join(
            || {
                rayon::join(
                    || Near::build(&edges, &members, &advocacy),
                    || Employees::build(&people, companies.ids.len(), &edges),
                )
            },
            || {
                rayon::join(
                    || {
                        rayon::join(
                            || NameLookup::build(person_names),
                            || HandleTable::build(&people.handles, lower),
                        )
                    },
                    || {
                        rayon::join(
                            || NameLookup::build(company_names),
                            || HandleTable::build(&companies.handles, fold),
                        )
                    },
                )
            },
        );
        let (person_names, company_names) = (person_tables.0, company_tables.0);
        let (people_text, company_text) = rayon::join(
            || PeopleText::build(&people, &near, &person_names),
            || CompanyText::build(&companies, &company_names),
        );
        let inside = Inside::build(&people, &edges, &near, &people_text, &person_tables.1, &person_names);
        Self {
            organization,
            companies,
            people,
            members,
            advocate_rows: advocates,
            intro_requests,
            opportunities,
            edges,
            breakdowns,
            person_names,
            company_names,
            person_handles: person_tables.1,
            company_handles: company_tables.1,
            vectors,
            advocacy,
            near,
            inside,
            employees,
            people_text,
            company_text,
        }
    }

    /// The tables of the dataset it was made of.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            organization: &self.organization,
            companies: &self.companies,
            people: &self.people,
            members: &self.members,
            advocates: &self.advocate_rows,
            intro_requests: &self.intro_requests,
            opportunities: &self.opportunities,
            edges: &self.edges,
            breakdowns: &self.breakdowns,
            person_names: &self.person_names.table,
            company_names: &self.company_names.table,
            vectors: &self.vectors,
        }
    }

    /// The person whose id is `id`. Costs a binary search.
    #[must_use]
    pub fn find_person(&self, id: &str) -> Option<PersonIx> {
        self.people.ids.find_sorted(id).map(PersonIx)
    }

    /// The member whose user id is `id`. Costs a binary search.
    #[must_use]
    pub fn find_user(&self, id: &str) -> Option<MemberIx> {
        self.members.user_ids.find_sorted(id).map(MemberIx)
    }

    /// The member whose user id, or whose person's id, is `id`.
    #[must_use]
    pub fn find_member(&self, id: &str) -> Option<MemberIx> {
        self.find_user(id).or_else(|| self.near.role(self.find_person(id)?).member)
    }

    /// How many edges a person has, in and out: who is better connected wins a tie of names.
    #[must_use]
    pub fn edge_count(&self, person: PersonIx) -> u32 {
        self.edges.out.degree(person) + self.edges.into.degree(person)
    }

    /// The breakdown of the edge `from → to`, whose score is `score`; empty where nothing is known.
    /// Costs a binary search in the row of `from`.
    #[must_use]
    pub fn breakdown(&self, from: PersonIx, to: PersonIx, score: Warmness) -> &str {
        let row = self.edges.out.row(from);
        let place = row.position(to, score).map(|place| self.edges.breakdowns[row.start + place]);
        self.breakdowns.get(place.unwrap_or(0))
    }

    /// The rows of intro requests to `person`, the one to show first. Costs a binary search.
    #[must_use]
    pub fn intro_requests_to(&self, person: PersonIx) -> std::ops::Range<usize> {
        let start = self.intro_requests.people.partition_point(|&row| row < person.0);
        let count = self.intro_requests.people[start..].partition_point(|&row| row == person.0);
        start..start + count
    }

    /// How many people work at `company`.
    #[must_use]
    pub fn employee_count(&self, company: CompanyIx) -> u32 {
        self.employees.of(company).len() as u32
    }

    /// Bytes held in the edges and in what is derived from them; texts not counted.
    #[must_use]
    pub fn edge_size_bytes(&self) -> usize {
        let breakdowns = self.edges.breakdowns.capacity() * size_of::<u32>();
        self.edges.out.size_bytes() + self.edges.into.size_bytes() + breakdowns + self.near.size_bytes()
    }
}
