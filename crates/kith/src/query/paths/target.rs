//! Finds the person or company that a request means, and the other possible targets.

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::graph::index::GraphIndex;
use crate::graph::person_lookup::PersonLookup;
use crate::model::aliases::PersonTexts;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::named::named;
use crate::model::text::{domain, plain, words};
use crate::query::handle::handle_of;
use crate::query::name_match::{Candidates, NameClass};
use crate::query::paths::request::TargetQuery;

/// The person or company that a request means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// One person.
    Person(PersonIx),
    /// Anyone at a company.
    Company(CompanyIx),
}

impl Target {
    /// The person, unless the target is a company.
    #[must_use]
    pub fn person(self) -> Option<PersonIx> {
        match self {
            Self::Person(person) => Some(person),
            Self::Company(_) => None,
        }
    }
}

/// How a target matches the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// By id.
    Id,
    /// By handle.
    Handle,
    /// By e-mail address.
    Email,
    /// By domain.
    Domain,
    /// By name, in this class.
    Name(NameClass),
}

named! {
    /// Every way.
    MatchedBy {
        Id = "id",
        Handle = "handle",
        Email = "email",
        Domain = "domain",
        Name(NameClass::Equal) = "equal",
        Name(NameClass::Reordered) = "reordered",
        Name(NameClass::Prefix) = "prefix",
        Name(NameClass::Fuzzy) = "fuzzy",
    }
}

/// The target, and how it matches.
type Found<T> = Option<(MatchedBy, T)>;

/// The person or company that `query` means in the whole network. `None` if there is none, or for a plain text, which
/// [`super::written`] reads.
#[must_use]
pub fn find_target(index: &GraphIndex, query: TargetQuery<'_>) -> Found<Target> {
    let person = |(by, row)| (by, Target::Person(PersonIx(row)));
    match query {
        TargetQuery::Text(_) => None,
        TargetQuery::PersonId(id) => {
            index.find_person(id).map(|person| (MatchedBy::Id, Target::Person(person)))
        }
        TargetQuery::CompanyId(id) => {
            index.find_company(id).map(|company| (MatchedBy::Id, Target::Company(company)))
        }
        TargetQuery::Company(name) => {
            find_company(index, name).map(|(by, company)| (by, Target::Company(company)))
        }
        TargetQuery::Handle(_) | TargetQuery::Email(_) => Equal::of(index, query)?.find().map(person),
        TargetQuery::Name(name) => find_by_name(index, name, None).map(person),
        TargetQuery::NameAt { name, company } => {
            let (_, company) = find_company(index, company)?;
            find_by_name(index, name, Some(&|row| works_at(index, row, company))).map(person)
        }
    }
}

/// All targets that match `query` by `by`: the one that [`find_target`] finds first, then the others by the rules for
/// ties.
///
/// For names, costs a matching for each name with the query's rarest word.
#[must_use]
pub fn find_all_alike(index: &GraphIndex, query: TargetQuery<'_>, by: MatchedBy) -> Vec<Target> {
    let people = |rows: Vec<u32>| rows.into_iter().map(|row| Target::Person(PersonIx(row))).collect();
    match (query, by) {
        (TargetQuery::Handle(_) | TargetQuery::Email(_), _) => {
            Equal::of(index, query).map_or_else(Vec::new, |equal| people(equal.find_all()))
        }
        (TargetQuery::Name(name), MatchedBy::Name(class)) => {
            people(people_named(index, None, |candidates| candidates.all_in(class, name)))
        }
        (TargetQuery::NameAt { name, company }, MatchedBy::Name(class)) => {
            let Some((_, company)) = find_company(index, company) else { return Vec::new() };
            let works_there = |row| works_at(index, row, company);
            people(people_named(index, Some(&works_there), |candidates| candidates.all_in(class, name)))
        }
        (TargetQuery::Company(name), _) => {
            let rows = companies_alike(index, name, by).into_iter();
            rows.map(|row| Target::Company(CompanyIx(row))).collect()
        }
        _ => find_target(index, query).into_iter().map(|(_, target)| target).collect(),
    }
}

pub(super) fn works_at(index: &GraphIndex, row: u32, company: CompanyIx) -> bool {
    index.data.people.company(PersonIx(row)) == Some(company)
}

/// Finds people by a text equal to one of theirs, aliases included.
struct Equal<'a> {
    index: &'a GraphIndex,
    by: MatchedBy,
    lookup: &'a PersonLookup,
    texts: PersonTexts<'a>,
    text: Cow<'a, str>,
}

impl<'a> Equal<'a> {
    fn of(index: &'a GraphIndex, query: TargetQuery<'a>) -> Option<Self> {
        let people = &index.data.people;
        match query {
            TargetQuery::Handle(handle) => Some(Self {
                index,
                by: MatchedBy::Handle,
                lookup: &index.person_handles,
                texts: people.handle_texts(),
                text: handle_of(handle),
            }),
            TargetQuery::Email(email) => Some(Self {
                index,
                by: MatchedBy::Email,
                lookup: &index.person_emails,
                texts: people.email_texts(),
                text: email.into(),
            }),
            _ => None,
        }
    }

    /// The key for ties: most edges first, then the lesser id.
    fn tie(&self, row: u32) -> (Reverse<u32>, u32) {
        (Reverse(self.index.edge_count(PersonIx(row))), row)
    }

    fn find(&self) -> Found<u32> {
        let rows = self.lookup.find_all(self.texts, &self.text);
        rows.min_by_key(|&row| self.tie(row)).map(|row| (self.by, row))
    }

    fn find_all(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.lookup.find_all(self.texts, &self.text).collect();
        rows.sort_unstable_by_key(|&row| self.tie(row));
        rows
    }
}

/// The person whose name matches `name` best, among those that pass `among`; ties go to the most edges, then the lesser
/// id.
fn find_by_name(index: &GraphIndex, name: &str, among: Option<&dyn Fn(u32) -> bool>) -> Found<u32> {
    let found = people_named(index, among, |candidates| candidates.find(name))?;
    Some((MatchedBy::Name(found.0), found.1))
}

pub(super) fn people_named<T>(
    index: &GraphIndex,
    among: Option<&dyn Fn(u32) -> bool>,
    ask: impl FnOnce(&Candidates<'_>) -> T,
) -> T {
    let weight = |row| index.edge_count(PersonIx(row));
    ask(&Candidates { names: index.person_names(), weight: &weight, among })
}

/// The company that `name` means: by equal name, else equal handle, else equal domain, else most similar name; ties go
/// to the most employees, then the lesser id.
pub(super) fn find_company(index: &GraphIndex, name: &str) -> Found<CompanyIx> {
    let weight = |row| index.employee_count(CompanyIx(row));
    let candidates = Candidates { names: index.company_names(), weight: &weight, among: None };
    let equal = || Some((MatchedBy::Name(NameClass::Equal), candidates.find_equal(name)?));
    let alike = |by| Some((by, *companies_alike(index, name, by).first()?));
    let similar = || candidates.find_similar(name).map(|(class, row)| (MatchedBy::Name(class), row));
    let found =
        equal().or_else(|| alike(MatchedBy::Handle)).or_else(|| alike(MatchedBy::Domain)).or_else(similar);
    found.map(|(by, row)| (by, CompanyIx(row)))
}

/// All companies that match `name` by `by`, ordered by the rules for ties.
pub(super) fn companies_alike(index: &GraphIndex, name: &str, by: MatchedBy) -> Vec<u32> {
    let weight = |row| index.employee_count(CompanyIx(row));
    match by {
        MatchedBy::Name(class) => {
            Candidates { names: index.company_names(), weight: &weight, among: None }.all_in(class, name)
        }
        MatchedBy::Domain if domain(name).is_empty() || words(&plain(name)).next().is_none() => Vec::new(),
        _ => {
            let companies = &index.data.companies;
            let mut rows: Vec<u32> = match by {
                MatchedBy::Domain => index.company_domains.find_all(&companies.domains, name).collect(),
                _ => index.company_handles.find_all(&companies.handles, name).collect(),
            };
            rows.sort_unstable_by_key(|&row| (Reverse(weight(row)), row));
            rows
        }
    }
}
