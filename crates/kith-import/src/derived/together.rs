//! Edges between people who were at one place at the same time, as rows of exports say: `docs/scoring.md`, *Together*.

use std::collections::HashMap;

use crate::affiliated::people_of_stays;
use crate::dates::CalendarDay;
use crate::derived::view::Known;
use crate::identity::company_key::company_key;
use crate::people::GONE;
use crate::rows::StayRow;
use crate::score::breakdown::{Factor, Scored};
use crate::score::evidence::{EvidenceKind, TieEvidence};
use crate::score::tie::Tie;
use crate::ties::{ScoredEdge, sources};
use kith::model::ix::PersonIx;
use kith::model::text::fold;
use kith::prepare::together::{Month, Stay, Together, together};

/// The longest name of a place in a note, in characters.
const NAME_CHARS_MAX: usize = 100;

/// The places of stays by number, each with a name and the stays there.
#[derive(Default)]
struct Places<'a> {
    numbers: HashMap<PlaceKey, u32>,
    names: Vec<&'a str>,
    /// The first source that says a person was at a place.
    sources: HashMap<(u32, u32), u32>,
}

/// A company of the registry, or the key of the name of another place.
#[derive(PartialEq, Eq, Hash)]
enum PlaceKey {
    Company(u32),
    Named(String),
}

impl Known<'_> {
    /// Returns the edges between people who were together, but for pairs that are taken. A file whose owner said no counts for nothing.
    pub(super) fn together(&self, is_taken: &dyn Fn(&(u32, u32)) -> bool) -> Vec<ScoredEdge> {
        let people = people_of_stays(self.gathered, self.people);
        let companies = self.gathered.companies.by_key();
        let (mut places, mut stays) = (Places::default(), Vec::new());
        let sources = sources(self.gathered);
        for (row, person) in self.gathered.stays.iter().zip(people) {
            let may = self.plan.holders.get(row.holder as usize).is_none_or(|holder| holder.derives);
            if person == GONE || !may {
                continue;
            }
            let place = places.number(row, &companies, |company| self.gathered.companies.group(company));
            let source = sources[row.file as usize];
            let first = places.sources.entry((place, person)).or_insert(source);
            *first = source.min(*first);
            stays.push(Stay {
                place,
                person: PersonIx(person),
                first: row.stay.from.map(|month| month.counted(1)),
                last: row.stay.to.map(|month| month.counted(12)),
            });
        }
        let of_files = Month::new(self.as_of.year.into(), self.as_of.month.into());
        let months = stays.iter().flat_map(|stay: &Stay| [stay.first, stay.last]).flatten();
        let until = months.fold(of_files, Month::max);
        let from = self.plan.kept_from(self.as_of);
        let mut edges = Vec::new();
        for tie in together(stays, |_| None, until) {
            let [one, other] = tie.people.map(|person| person.0);
            let Some(last) = last_day(&tie).filter(|day| from.is_none_or(|from| *day >= from)) else {
                continue;
            };
            for (from, to) in [(one, other), (other, one)] {
                let is_tie = self.knows_of(from) && !self.is_member(to) && !self.is_untied(from, to);
                if is_tie && !is_taken(&(from, to)) {
                    edges.push(places.edge((from, to), &tie, last));
                }
            }
        }
        edges
    }

    /// Whether a holder has an edge to `person`, from whom one may lead on.
    fn knows_of(&self, person: u32) -> bool {
        let holders = 0..self.plan.holders.len() as u32;
        !self.is_no_source(person) && holders.into_iter().any(|holder| self.ties.has(holder, person))
    }
}

impl<'a> Places<'a> {
    fn number(
        &mut self,
        row: &'a StayRow,
        companies: &HashMap<String, u32>,
        group: impl Fn(u32) -> u32,
    ) -> u32 {
        let key = company_key(&row.stay.place);
        let place = match companies.get(&key) {
            Some(company) => PlaceKey::Company(group(*company)),
            None if key.is_empty() => PlaceKey::Named(fold(&row.stay.place)),
            None => PlaceKey::Named(key),
        };
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.names.push(&row.stay.place);
        } else {
            // The first in byte order, whatever the order of the files.
            let name = &mut self.names[number as usize];
            *name = (*name).min(&row.stay.place);
        }
        number
    }

    fn edge(&self, (from, to): (u32, u32), tie: &Together, at: CalendarDay) -> ScoredEdge {
        let scored =
            Scored { warmness: tie.points, factors: vec![(Factor::SharedInstitution, tie.points.into())] };
        let name: String = self.names[tie.place as usize].chars().take(NAME_CHARS_MAX).collect();
        let note = format!("at {name} together for {} months", tie.months);
        let source = self.sources.get(&(tie.place, from)).copied().unwrap_or_default();
        let evidence = vec![TieEvidence { kind: EvidenceKind::SamePlace, at, source, note }];
        let breakdown = scored.breakdown(&Tie::default());
        ScoredEdge { from, to, scored, breakdown, evidence }
    }
}

/// The first day of the last month together.
fn last_day(tie: &Together) -> Option<CalendarDay> {
    let (year, month) = tie.last.year_and_month();
    CalendarDay::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, 1)
}
