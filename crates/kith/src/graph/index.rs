//! The index of one network, and the look-ups that every question needs.

use std::ops::Deref;
use std::sync::Arc;

use crate::graph::advocacy::Advocacy;
use crate::graph::company_text::CompanyText;
use crate::graph::employees::Employees;
use crate::graph::exact::HandleTable;
use crate::graph::id_table::IdTable;
use crate::graph::inside::Inside;
use crate::graph::names::{NameLookup, Names};
use crate::graph::near::Near;
use crate::graph::people_text::PeopleText;
use crate::graph::person_lookup::PersonLookup;
use crate::graph::requested::{AskedFor, Requested};
use crate::graph::sentences::{EdgeSignals, Sentences};
use crate::model::dataset::{Dataset, Members};
use crate::model::edges::Edges;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::kept::Kept;
use crate::model::text::{address_onto, domain_onto, lower_onto, plain_onto};
use crate::model::warmness::Warmness;

/// One organization's network, ready to answer: its snapshot, and the requested introductions. A clone shares both.
#[derive(Clone, Debug)]
pub struct GraphIndex {
    snapshot: Arc<SnapshotIndex>,
    /// The people an introduction was requested to.
    pub requested: Arc<Requested>,
}

impl Deref for GraphIndex {
    type Target = SnapshotIndex;

    fn deref(&self) -> &SnapshotIndex {
        &self.snapshot
    }
}

/// The indexed snapshot of a network: its dataset, and the structures that make questions about it cheap.
#[derive(Debug)]
pub struct SnapshotIndex {
    /// The dataset it was built from. Of the incoming edges only the counts are kept.
    pub data: Dataset,
    /// Index over the ids of people; see [`Self::find_person`].
    pub person_ids: IdTable,
    /// Index over the ids of companies; see [`Self::find_company`].
    pub company_ids: IdTable,
    /// Index over the names of people; see [`Self::person_names`].
    pub person_lookup: NameLookup,
    /// Index over the names of companies; see [`Self::company_names`].
    pub company_lookup: NameLookup,
    /// People by handle.
    pub person_handles: PersonLookup,
    /// Companies by handle.
    pub company_handles: HandleTable,
    /// Companies by domain.
    pub company_domains: HandleTable,
    /// People by e-mail address.
    pub person_emails: PersonLookup,
    /// The sentences of breakdowns; see [`Self::signals`].
    pub sentences: Sentences,
    /// The advocates of each member.
    pub advocacy: Advocacy,
    /// The incoming edges that start near a member.
    pub near: Near,
    /// The people a caller may learn of.
    pub inside: Inside,
    /// The employees of each company.
    pub employees: Employees,
    /// The texts of people for searches.
    pub people_text: PeopleText,
    /// The texts of companies for searches.
    pub company_text: CompanyText,
}

/// Invariant: the scope joins every builder.
const BUILT: &str = "the scope ends when all are built";

impl GraphIndex {
    /// Builds the index of a checked dataset. Costs one pass over the incoming edges and the texts, on all cores. Of
    /// the incoming edges it keeps the near ones, and the counts of the others.
    #[must_use]
    pub fn build(data: Dataset) -> Self {
        Self::build_with(data, Near::build)
    }

    /// Builds the index of `left`: this network with only `people`. Costs a pass over the near edges and the texts, on
    /// all cores.
    #[must_use]
    pub fn without(&self, left: Dataset, people: &Kept) -> Self {
        Self::build_with(left, |edges, members, advocacy| {
            self.near.without(people, &self.data.edges.out, edges, members, advocacy)
        })
    }

    /// Builds the index of `data`; `near` computes the near edges.
    fn build_with(
        mut data: Dataset,
        near_edges: impl FnOnce(&Edges, &Members, &Advocacy) -> Near + Send,
    ) -> Self {
        let Dataset { people, companies, members, edges, .. } = &data;
        let advocacy = Advocacy::build(&data.advocates, members, edges);
        let (mut near, mut employees) = (None, None);
        let (mut person_lookup, mut company_lookup) = (None, None);
        let (mut person_handles, mut person_emails) = (None, None);
        let (mut company_handles, mut company_domains) = (None, None);
        rayon::scope(|scope| {
            scope.spawn(|_| near = Some(near_edges(edges, members, &advocacy)));
            scope.spawn(|_| employees = Some(Employees::build(people, companies.ids.len(), edges)));
            scope.spawn(|_| person_lookup = Some(NameLookup::build(&data.person_names)));
            scope.spawn(|_| person_handles = Some(PersonLookup::build(people.handle_texts(), lower_onto)));
            scope.spawn(|_| person_emails = Some(PersonLookup::build(people.email_texts(), address_onto)));
            scope.spawn(|_| company_lookup = Some(NameLookup::build(&data.company_names)));
            scope.spawn(|_| company_handles = Some(HandleTable::build(&companies.handles, plain_onto)));
            scope.spawn(|_| company_domains = Some(HandleTable::build(&companies.domains, domain_onto)));
        });
        let (near, employees) = (near.expect(BUILT), employees.expect(BUILT));
        let (person_lookup, company_lookup) = (person_lookup.expect(BUILT), company_lookup.expect(BUILT));
        let (person_handles, person_emails) = (person_handles.expect(BUILT), person_emails.expect(BUILT));
        let (company_handles, company_domains) =
            (company_handles.expect(BUILT), company_domains.expect(BUILT));
        data.edges.into.let_go();
        let Dataset { people, companies, .. } = &data;
        let person_names = Names::new(&data.person_names, &person_lookup);
        let company_names = Names::new(&data.company_names, &company_lookup);
        let (people_text, company_text) = rayon::join(
            || PeopleText::build(people, &near, person_names),
            || CompanyText::build(companies, company_names, &employees),
        );
        let person_ids = IdTable::build(people.ids.len(), |row| people.ids.bytes(row));
        let company_ids = IdTable::build(companies.ids.len(), |row| companies.ids.bytes(row));
        let requested = Arc::new(Requested::build(&data.intro_requests, people, companies.ids.len()));
        let sentences = Sentences::build(&data.breakdowns);
        let inside = Inside::build(&data, &near, &people_text, &person_handles);
        let snapshot = SnapshotIndex {
            data,
            person_ids,
            company_ids,
            person_lookup,
            company_lookup,
            person_handles,
            company_handles,
            company_domains,
            person_emails,
            sentences,
            advocacy,
            near,
            inside,
            employees,
            people_text,
            company_text,
        };
        Self { snapshot: Arc::new(snapshot), requested }
    }

    /// The snapshot, to change it in a test.
    ///
    /// # Panics
    /// Panics if there is a clone of it.
    #[cfg(any(test, feature = "sketch"))]
    pub fn snapshot_mut(&mut self) -> &mut SnapshotIndex {
        Arc::get_mut(&mut self.snapshot).expect("no clone of it")
    }

    /// The same network with the introductions `asked` added to those of the snapshot. Costs a pass over them, and a
    /// copy of a bit per person and a number per company.
    #[must_use]
    pub fn with_asked(&self, asked: impl IntoIterator<Item = (PersonIx, AskedFor)>) -> Self {
        let requests = &self.data.intro_requests;
        let mut requested = Requested::build(requests, &self.data.people, self.data.companies.ids.len());
        asked.into_iter().for_each(|(person, asked)| requested.add(&self.data.people, person, asked));
        Self { snapshot: Arc::clone(&self.snapshot), requested: Arc::new(requested) }
    }
}

impl SnapshotIndex {
    /// The names of people.
    #[must_use]
    pub fn person_names(&self) -> Names<'_> {
        Names::new(&self.data.person_names, &self.person_lookup)
    }

    /// The names of companies.
    #[must_use]
    pub fn company_names(&self) -> Names<'_> {
        Names::new(&self.data.company_names, &self.company_lookup)
    }

    /// The person with this id. Costs a binary search over a few rows.
    #[must_use]
    pub fn find_person(&self, id: &str) -> Option<PersonIx> {
        let ids = &self.data.people.ids;
        self.person_ids.find(id.as_bytes(), |row| ids.bytes(row)).map(PersonIx)
    }

    /// The company with this id. Costs a binary search over a few rows.
    #[must_use]
    pub fn find_company(&self, id: &str) -> Option<CompanyIx> {
        let ids = &self.data.companies.ids;
        self.company_ids.find(id.as_bytes(), |row| ids.bytes(row)).map(CompanyIx)
    }

    /// The member with this user id. Costs a binary search.
    #[must_use]
    pub fn find_user(&self, id: &str) -> Option<MemberIx> {
        self.data.members.user_ids.find_sorted(id).map(MemberIx)
    }

    /// The member with this user id or person id.
    #[must_use]
    pub fn find_member(&self, id: &str) -> Option<MemberIx> {
        self.find_user(id).or_else(|| self.near.standing(self.find_person(id)?).member)
    }

    /// The number of a person's edges, in and out; of people with the same name, the better connected one wins.
    #[must_use]
    pub fn edge_count(&self, person: PersonIx) -> u32 {
        self.data.edges.out.edge_count(person) + self.data.edges.into.edge_count(person)
    }

    /// The breakdown of the edge `from → to` with score `score`; empty if there is none. Costs a binary search in the
    /// row of `from`.
    #[must_use]
    pub fn breakdown(&self, from: PersonIx, to: PersonIx, score: Warmness) -> &str {
        self.data.breakdowns.get(self.breakdown_place(from, to, score))
    }

    /// Like [`Self::breakdown`], as its position among the distinct ones; 0 if there is none.
    #[must_use]
    pub fn breakdown_place(&self, from: PersonIx, to: PersonIx, score: Warmness) -> u32 {
        let row = self.data.edges.out.row(from);
        row.position(to, score).map_or(0, |place| self.data.edges.breakdowns.get(row.start + place))
    }

    /// The sentences of the breakdown at position `place`.
    #[must_use]
    pub fn signals(&self, place: u32) -> EdgeSignals<'_> {
        self.sentences.of(&self.data.breakdowns, place)
    }

    /// The rows of intro requests to `person`, starting with the one to show first. Costs a binary search.
    #[must_use]
    pub fn intro_requests_to(&self, person: PersonIx) -> std::ops::Range<usize> {
        let start = self.data.intro_requests.people.partition_point(|&row| row < person);
        let count = self.data.intro_requests.people[start..].partition_point(|&row| row == person);
        start..start + count
    }

    /// How many people work at `company`.
    #[must_use]
    pub fn employee_count(&self, company: CompanyIx) -> u32 {
        self.employees.of(company).len() as u32
    }

    /// Bytes held in the edges and the structures built from them, without texts.
    #[must_use]
    pub fn edge_size_bytes(&self) -> usize {
        self.data.edges.out.size_bytes()
            + self.data.edges.into.size_bytes()
            + self.data.edges.breakdowns.size_bytes()
            + self.near.size_bytes()
    }
}
