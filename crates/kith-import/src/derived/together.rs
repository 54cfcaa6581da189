//! Edges between people who were at one place at the same time, from rows of exports: `docs/scoring.md`, *Together*.

use std::collections::{HashMap, HashSet};

use crate::affiliated::Affiliation;
use crate::dates::CalendarDay;
use crate::derived::view::Known;
use crate::score::breakdown::{Factor, Scored};
use crate::score::evidence::{EvidenceKind, TieEvidence};
use crate::score::tie::Tie;
use crate::ties::{ScoredEdge, sources};
use kith::model::ix::PersonIx;
use kith::model::text::fold;
use kith::prepare::together::{Month, Stay, Together, newest_month, together};

/// The places of stays by number, each with a name and its stays.
#[derive(Default)]
struct Places<'a> {
    numbers: HashMap<PlaceKey, u32>,
    names: Vec<&'a str>,
    /// The first source that mentions a person at a place.
    sources: HashMap<(u32, u32), u32>,
}

/// A company of the registry, or the key of the name of another place.
#[derive(PartialEq, Eq, Hash)]
enum PlaceKey {
    Company(u32),
    Named(String),
}

impl Known<'_> {
    /// Returns the edges between people who were together, except pairs that are `taken`. Ignores files of owners who
    /// do not permit it.
    pub(super) fn together(
        &self,
        affiliations: &[Affiliation],
        taken: &HashSet<(u32, u32)>,
    ) -> Vec<ScoredEdge> {
        if affiliations.is_empty() {
            return Vec::new();
        }
        let (mut places, mut stays) = (Places::default(), Vec::new());
        let sources = sources(self.gathered);
        for affiliation in affiliations {
            let row = &self.gathered.stays[affiliation.stay];
            let may = self.plan.holders.get(row.holder as usize).is_none_or(|holder| holder.derives);
            if !may {
                continue;
            }
            let place = places.number(affiliation, &row.stay.place);
            let source = sources[row.file as usize];
            let first = places.sources.entry((place, affiliation.person)).or_insert(source);
            *first = source.min(*first);
            stays.push(Stay {
                place,
                person: PersonIx(affiliation.person),
                first: row.stay.from.map(|month| month.counted(1)),
                last: row.stay.to.map(|month| month.counted(12)),
            });
        }
        let of_files = Month::new(self.as_of.year.into(), self.as_of.month.into());
        let until = newest_month(&stays, Some(of_files)).unwrap_or(of_files);
        let known = self.ties.people();
        let from = self.plan.kept_from(self.as_of);
        let mut edges = Vec::new();
        for tie in together(stays, |_| None, until) {
            let Some(last) = last_day(&tie).filter(|day| from.is_none_or(|from| *day >= from)) else {
                continue;
            };
            for (PersonIx(from), PersonIx(to)) in tie.both_ways() {
                let leads_on = known.contains(&from) && !self.is_no_source(from);
                let is_tie = leads_on && !self.is_member(to) && !self.is_untied(from, to);
                if is_tie && !taken.contains(&(from, to)) {
                    edges.push(places.edge((from, to), &tie, last));
                }
            }
        }
        edges
    }
}

impl<'a> Places<'a> {
    fn number(&mut self, of: &Affiliation, name: &'a str) -> u32 {
        let place = match (of.company, of.key.is_empty()) {
            (Some(company), _) => PlaceKey::Company(company),
            (None, false) => PlaceKey::Named(of.key.clone()),
            (None, true) => PlaceKey::Named(fold(name)),
        };
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.names.push(name);
        } else {
            // The first in byte order, whatever the order of the files.
            let known = &mut self.names[number as usize];
            *known = (*known).min(name);
        }
        number
    }

    fn edge(&self, (from, to): (u32, u32), tie: &Together, at: CalendarDay) -> ScoredEdge {
        let scored =
            Scored { warmness: tie.points, factors: vec![(Factor::SharedInstitution, tie.points.into())] };
        let note = tie.note(self.names[tie.place as usize]);
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
