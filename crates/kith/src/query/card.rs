//! The fields that name people, members and companies in answers: texts borrowed from the index.

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};

/// A person's names and occupation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersonCard<'a> {
    /// `person_…`
    pub id: &'a str,
    /// Their name.
    pub name: &'a str,
    /// Their handle on the professional network.
    pub handle: Option<&'a str>,
    /// Their position at work.
    pub position: Option<&'a str>,
    /// The name of their current company.
    pub company: Option<&'a str>,
}

/// A member, by user id and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberCard<'a> {
    /// `user_…`
    pub id: &'a str,
    /// The name of the person the member is.
    pub name: &'a str,
}

/// A person's current company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Employer<'a> {
    /// `company_…`
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its industry.
    pub industry: Option<&'a str>,
}

/// A company's names, industry and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompanyCard<'a> {
    /// `company_…`
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its handle on the professional network.
    pub handle: Option<&'a str>,
    /// Its industry.
    pub industry: Option<&'a str>,
    /// The location of its headquarters.
    pub headquarters: Option<&'a str>,
}

impl<'a> PersonCard<'a> {
    /// The card of `person`. Costs a look-up for each field, and no allocation.
    #[must_use]
    pub fn of(index: &'a GraphIndex, person: PersonIx) -> Self {
        let (people, PersonIx(row)) = (&index.data.people, person);
        Self {
            id: people.ids.get(row),
            name: people.names.get(row),
            handle: people.handles.value(row),
            position: people.positions.value(row),
            company: people.company(person).map(|CompanyIx(row)| index.data.companies.names.get(row)),
        }
    }
}

impl<'a> MemberCard<'a> {
    /// The card of `member`.
    #[must_use]
    pub fn of(index: &'a GraphIndex, member: MemberIx) -> Self {
        let person = index.data.members.person(member);
        Self { id: index.data.members.user_ids.get(member.0), name: index.data.people.names.get(person.0) }
    }
}

impl<'a> Employer<'a> {
    /// Returns the current company of `person`, or `None` if none is known.
    #[must_use]
    pub fn of(index: &'a GraphIndex, person: PersonIx) -> Option<Self> {
        let (CompanyIx(row), companies) = (index.data.people.company(person)?, &index.data.companies);
        let (id, name) = (companies.ids.get(row), companies.names.get(row));
        Some(Self { id, name, industry: companies.industries.value(row) })
    }
}

impl<'a> CompanyCard<'a> {
    /// The card of `company`. Costs a look-up for each field, and no allocation.
    #[must_use]
    pub fn of(index: &'a GraphIndex, company: CompanyIx) -> Self {
        let (companies, CompanyIx(row)) = (&index.data.companies, company);
        Self {
            id: companies.ids.get(row),
            name: companies.names.get(row),
            handle: companies.handles.value(row),
            industry: companies.industries.value(row),
            headquarters: companies.headquarters.value(row),
        }
    }
}
