//! The fields of a person that a term may fit, by their names in answers.

use std::borrow::Cow;

use crate::graph::index::GraphIndex;
use crate::model::column::TextColumn;
use crate::model::ix::PersonIx;
use crate::model::named::named;
use crate::query::person::annotation;
use crate::relational::lookup::TextField;
use crate::search::conditions::{Condition, Measure, TermKind, When};
use crate::search::pool::Pool;

/// A field that a term may fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchField {
    /// Their position.
    Position,
    /// The name of their company.
    Company,
    /// The name of a company they worked at before.
    PastCompany,
    /// The industry of their company.
    Industry,
    /// The city they live in.
    City,
    /// The country they live in.
    Country,
    /// The place of their company's headquarters.
    Headquarters,
    /// Their name.
    Name,
    /// The size of their company, in people.
    CompanySize,
    /// The number of their connections.
    ConnectionsCount,
    /// The score of the warmest edge to them in the pool.
    Warmness,
    /// The outcome of the organization's request for an introduction to them.
    IntroStatus,
    /// The people named by the query who know them.
    KnownBy,
    /// The people named by the query whom they know.
    Knows,
    /// The day of the newest evidence that a member knows them.
    LastContact,
}

named! {
    /// All fields.
    SearchField {
        Position = "position",
        Company = "company",
        PastCompany = "pastCompany",
        Industry = "industry",
        City = "city",
        Country = "country",
        Headquarters = "headquartersLocation",
        Name = "name",
        CompanySize = "companySize",
        ConnectionsCount = "connectionsCount",
        Warmness = "warmness",
        IntroStatus = "introStatus",
        KnownBy = "knownBy",
        Knows = "knows",
        LastContact = "lastContact",
    }
}

impl SearchField {
    /// The fields that `condition` may fit, the most direct first.
    #[must_use]
    pub const fn of(condition: &Condition) -> &'static [Self] {
        match condition.measure {
            None => {}
            Some(Measure::Size(_)) => return &[Self::CompanySize],
            Some(Measure::Warmest) => return &[Self::Warmness],
            Some(Measure::Silent(_)) => return &[Self::LastContact],
            Some(Measure::Asked) => return &[Self::IntroStatus],
            Some(Measure::KnownBy(_)) => return &[Self::KnownBy],
            Some(Measure::Connections(_) | Measure::WellConnected | Measure::MostConnected) => {
                return &[Self::ConnectionsCount];
            }
        }
        match condition.kind {
            TermKind::Role | TermKind::Seniority => &[Self::Position],
            TermKind::Company => match condition.when {
                When::Now => &[Self::Company],
                When::Once => &[Self::PastCompany],
                When::Ever => &[Self::Company, Self::PastCompany],
            },
            TermKind::Industry => &[Self::Industry, Self::Company],
            TermKind::Place => &[Self::City, Self::Country, Self::Headquarters],
            TermKind::Name if condition.or_knowers => &[Self::Name, Self::Knows],
            TermKind::Name => &[Self::Name],
            TermKind::Size | TermKind::Connections | TermKind::Relation | TermKind::Silence => &[],
            TermKind::Topic => {
                &[Self::Position, Self::Industry, Self::Company, Self::City, Self::Country, Self::Name]
            }
        }
    }

    /// The distinct texts of the field; `None` if it has no column.
    #[must_use]
    pub fn texts(self, index: &GraphIndex) -> Option<&TextColumn> {
        let (people, companies) = (&index.data.people, &index.data.companies);
        match self {
            Self::Position => Some(&people.positions.values),
            Self::Company => Some(&companies.names),
            Self::Industry => Some(&companies.industries.values),
            Self::City => Some(&people.cities.values),
            Self::Country => Some(&people.countries.values),
            Self::Headquarters => Some(&companies.headquarters.values),
            Self::Name => Some(&people.names),
            Self::PastCompany
            | Self::CompanySize
            | Self::ConnectionsCount
            | Self::Warmness
            | Self::IntroStatus
            | Self::KnownBy
            | Self::Knows
            | Self::LastContact => None,
        }
    }

    /// The row of `person` in [`Self::texts`], if they have one.
    #[must_use]
    pub fn text_of(self, index: &GraphIndex, person: u32) -> Option<u32> {
        let (people, row) = (&index.data.people, person as usize);
        let company = || people.company(PersonIx(person)).map(|company| company.0);
        let of_company = |rows: &[u32]| company().and_then(|company| rows.get(company as usize).copied());
        match self {
            Self::Position => people.positions.rows.get(row).copied(),
            Self::City => people.cities.rows.get(row).copied(),
            Self::Country => people.countries.rows.get(row).copied(),
            Self::Company => company(),
            Self::Industry => of_company(&index.data.companies.industries.rows),
            Self::Headquarters => of_company(&index.data.companies.headquarters.rows),
            Self::Name => Some(person),
            Self::PastCompany
            | Self::CompanySize
            | Self::ConnectionsCount
            | Self::Warmness
            | Self::IntroStatus
            | Self::KnownBy
            | Self::Knows
            | Self::LastContact => None,
        }
    }

    /// The text of a counted field of `person` in `pool`, if they have one.
    #[must_use]
    pub fn counted<'a>(self, index: &'a GraphIndex, pool: &Pool<'_>, person: u32) -> Option<Cow<'a, str>> {
        let (data, row) = (&index.data, PersonIx(person));
        let number = |number: u64| Cow::Owned(number.to_string());
        match self {
            Self::CompanySize => {
                let company = data.people.company(row)?;
                match (data.companies.min_size(company), data.companies.max_size(company)) {
                    (Some(least), Some(most)) => Some(Cow::Owned(format!("{least}-{most}"))),
                    (Some(least), None) => Some(Cow::Owned(format!("{least}+"))),
                    (None, Some(most)) => Some(Cow::Owned(format!("up to {most}"))),
                    (None, None) => None,
                }
            }
            Self::ConnectionsCount => data.people.connections_count(row).map(number),
            Self::Warmness => pool.warmness(row).map(u64::from).map(number),
            Self::LastContact => {
                let last = pool.last_contact(row)?;
                Some(Cow::Owned(last.to_rfc3339_ms().split('T').next()?.to_owned()))
            }
            Self::IntroStatus => annotation(index, row).map(|intro| Cow::Borrowed(intro.status)),
            _ => None,
        }
    }

    /// The same field in the relational store, if it is there.
    #[must_use]
    pub const fn stored(self) -> Option<TextField> {
        match self {
            Self::Position => Some(TextField::Position),
            Self::Company => Some(TextField::CompanyName),
            Self::Industry => Some(TextField::Industry),
            Self::City => Some(TextField::City),
            Self::Country => Some(TextField::Country),
            Self::Headquarters => Some(TextField::Headquarters),
            Self::Name => Some(TextField::PersonName),
            Self::PastCompany
            | Self::CompanySize
            | Self::ConnectionsCount
            | Self::Warmness
            | Self::IntroStatus
            | Self::KnownBy
            | Self::Knows
            | Self::LastContact => None,
        }
    }
}
