//! The table of affiliations: the companies and institutions of people, with role, start and end.

use std::collections::HashMap;

use crate::source::error::{Reason, TableFault};
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::dataset::Companies;
use kith::model::ix::{CompanyIx, PersonIx};
use kith::model::text::fold;
use kith::prepare::together::{Month, Stay};

/// The affiliations read so far. Their order has no meaning.
pub(crate) struct AffiliationTable<'a> {
    people: &'a Ids,
    companies: &'a Ids,
    /// Distinct places: companies, and institutions by their folded names.
    numbers: HashMap<Result<CompanyIx, String>, u32>,
    /// For each place the company, or the first name of the institution in byte order.
    places: Vec<AffiliatedPlace>,
    stays: Vec<Stay>,
    /// Jobs that have an end, by place.
    ended: Vec<(u32, PersonIx)>,
}

/// A place that people belonged to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AffiliatedPlace {
    Company(CompanyIx),
    Institution(String),
}

/// One row as read.
pub(crate) struct WrittenAffiliation {
    person: PersonIx,
    place: AffiliatedPlace,
    is_job: bool,
    first: Option<Month>,
    last: Option<Month>,
}

/// The whole table.
pub(crate) struct Affiliations {
    /// The places that [`Stay::place`] numbers.
    pub(crate) places: Vec<AffiliatedPlace>,
    pub(crate) stays: Vec<Stay>,
    /// People who had a job with an end, at a company; they may have another one there.
    pub(crate) former: Vec<(CompanyIx, PersonIx)>,
}

impl<'a> AffiliationTable<'a> {
    /// No affiliations yet; they belong to `people`, at `companies`.
    pub(crate) fn new(people: &'a Ids, companies: &'a Ids) -> Self {
        Self {
            people,
            companies,
            numbers: HashMap::new(),
            places: Vec::new(),
            stays: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// The table. An institution with the name of one of `companies` is that company, the first of several.
    pub(crate) fn resolve(self, companies: &Companies) -> Affiliations {
        let is_named = |place: &AffiliatedPlace| matches!(place, AffiliatedPlace::Institution(_));
        let named = if self.places.iter().any(is_named) { by_name(companies) } else { HashMap::new() };
        let meant = |place: AffiliatedPlace| match &place {
            AffiliatedPlace::Institution(name) => {
                named.get(&fold(name)).map_or(place, |company| AffiliatedPlace::Company(*company))
            }
            AffiliatedPlace::Company(_) => place,
        };
        let meant: Vec<AffiliatedPlace> = self.places.into_iter().map(meant).collect();
        let mut places = meant.clone();
        places.sort_unstable();
        places.dedup();
        let rank = |place: u32| places.binary_search(&meant[place as usize]).unwrap_or_default() as u32;
        let stays = self.stays.into_iter().map(|stay| Stay { place: rank(stay.place), ..stay }).collect();
        let company = |(place, person): (u32, PersonIx)| match meant[place as usize] {
            AffiliatedPlace::Company(company) => Some((company, person)),
            AffiliatedPlace::Institution(_) => None,
        };
        let former = self.ended.into_iter().filter_map(company).collect();
        Affiliations { places, stays, former }
    }

    fn number(&mut self, place: AffiliatedPlace) -> u32 {
        let key = match &place {
            AffiliatedPlace::Company(company) => Ok(*company),
            AffiliatedPlace::Institution(name) => Err(fold(name)),
        };
        let next = self.places.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.places.push(place);
        } else if place < self.places[number as usize] {
            self.places[number as usize] = place;
        }
        number
    }
}

/// Companies by their folded names; the first of several with the same name.
fn by_name(companies: &Companies) -> HashMap<String, CompanyIx> {
    let mut named = HashMap::new();
    for company in 0..companies.names.len() as u32 {
        named.entry(fold(companies.names.get(company))).or_insert(CompanyIx(company));
    }
    named
}

impl Table<7> for AffiliationTable<'_> {
    const COLUMNS: [TableColumn; 7] = [
        required("personId"),
        optional("institution"),
        optional("companyId"),
        required("kind"),
        optional("role"),
        optional("from"),
        optional("to"),
    ];
    type Part = Vec<WrittenAffiliation>;

    fn read(&self, row: [NamedCell<'_>; 7], _line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [person, institution, company, kind, role, from, to] = row;
        let person = PersonIx(person.reference(self.people)?);
        let name = institution.optional_text()?;
        let company = company.optional_reference(self.companies)?.map(CompanyIx);
        let place = match company {
            Some(company) => AffiliatedPlace::Company(company),
            None if name.is_empty() => return Err(TableFault::of("institution", Reason::NoValue)),
            None => AffiliatedPlace::Institution(name),
        };
        let kind = kind.text()?;
        role.optional_text()?;
        let first = from.optional_month(1)?;
        let last = to.optional_month(12)?;
        part.push(WrittenAffiliation { person, place, is_job: kind == "job", first, last });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, _faults: &mut RowFaults) -> Result<(), TableFault> {
        for WrittenAffiliation { person, place, is_job, first, last } in part {
            let place = self.number(place);
            self.stays.push(Stay { place, person, first, last });
            self.ended.extend((is_job && last.is_some()).then_some((place, person)));
        }
        Ok(())
    }
}
