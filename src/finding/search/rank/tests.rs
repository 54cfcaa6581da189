//! Compares the ranking with a plain one that looks up every person separately and sorts them all.
//!
//! Promise: A search that scans its pool by columns and stops at the page ranks the same people as one that looks at
//!   each person, with the same totals and counts.
//! Control: an order that is left out, and a page that ends a person too early, in the same trial.

use super::*;

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::model::count::OptionalCount;
use crate::model::ix::MemberIx;
use crate::search::conditions::{NetworkKind, Span};
use crate::search::fit::{Fit, MATCH};
use kith_embed::sketch::dataset;

#[test]
fn most_is_more_than_half_and_no_condition_asks_nothing() {
    for (matched, all, expected) in [
        (0, 0, Some(Strictness::Strict)),
        (0, 1, None),
        (1, 1, Some(Strictness::Strict)),
        (1, 2, Some(Strictness::Relaxed)),
        (2, 3, Some(Strictness::Normal)),
        (1, 3, Some(Strictness::Relaxed)),
        (2, 4, Some(Strictness::Relaxed)),
        (3, 4, Some(Strictness::Normal)),
    ] {
        assert_eq!(passed(matched, all), expected, "{matched} of {all}");
    }
}

/// The ranking by its definition, one person after the other.
struct Plain<'a> {
    index: &'a GraphIndex,
    pool: &'a Pool<'a>,
    wanted: Wanted<'a>,
}

impl Plain<'_> {
    fn rank(&self, strictness: Strictness, limit: u32) -> Ranking {
        let people = 0..self.index.data.people.len() as u32;
        let listed = |mut keys: Vec<Key>| {
            keys.sort_unstable();
            keys.into_iter().map(|(.., person)| PersonIx(person))
        };
        let matching: Vec<Key> = people.clone().filter_map(|person| self.key(person, strictness)).collect();
        if !matching.is_empty() || strictness != Strictness::Relaxed || self.wanted.conditions.is_empty() {
            let total = matching.len() as u64;
            return Ranking { people: listed(matching).take(limit as usize).collect(), total };
        }
        let nearest: Vec<PersonIx> =
            listed(people.filter_map(|person| self.near_key(person)).collect()).take(50).collect();
        let total = nearest.len() as u64;
        Ranking { people: nearest.into_iter().take(limit as usize).collect(), total }
    }

    fn count(&self) -> SearchCounts {
        let people = 0..self.index.data.people.len() as u32;
        let keys = people.filter_map(|person| self.key(person, Strictness::Relaxed));
        keys.fold(SearchCounts::default(), |counts, (Reverse(passed), ..)| counts.and_one(passed))
    }

    fn key(&self, person: u32, strictness: Strictness) -> Option<Key> {
        let coldness = self.coldness(person)?;
        let (matched, all, mean) = self.fit(person);
        let passes = passed(matched, all).filter(|&passed| passed >= strictness)?;
        let unknown = self.unknown(person, coldness)?;
        let order = self.wanted.order.filter(|_| matched == all);
        let order = order.map_or(0, |order| order_of(order, self.index, coldness, person));
        Some((Reverse(passes), unknown, order, Reverse(Self::score(mean, coldness)), person))
    }

    fn near_key(&self, person: u32) -> Option<Key> {
        let coldness = self.coldness(person)?;
        let (.., mean) = self.fit(person);
        let unknown = self.unknown(person, coldness)?;
        let score = Self::score(mean, coldness);
        (mean > 0.0).then_some((Reverse(Strictness::Relaxed), unknown, 0, Reverse(score), person))
    }

    fn coldness(&self, person: u32) -> Option<u8> {
        Some(self.pool.coldness()[person as usize]).filter(|&coldness| coldness != OUTSIDE)
    }

    /// The number of conditions `person` matches, of how many, with alternatives as one; and how well they fit.
    fn fit(&self, person: u32) -> (usize, usize, f32) {
        let (mut matched, mut all, mut total, mut most) = (0, 0, 0.0, 0.0);
        let mut rest = self.wanted.conditions;
        while let Some(condition) = rest.first() {
            let others = rest[1..].iter().take_while(|other| other.is_alternative).count();
            let (alternatives, behind) = rest.split_at(1 + others);
            let fits: Vec<Fit> = alternatives.iter().map(|it| it.fits.of(self.index, person)).collect();
            let best = fits.iter().copied().max().unwrap_or(0);
            matched += usize::from(best >= MATCH);
            all += 1;
            total += condition.weight * f32::from(best);
            most += condition.weight * f32::from(Fit::MAX);
            rest = behind;
        }
        (matched, all, if most > 0.0 { total / most } else { 0.0 })
    }

    fn unknown(&self, person: u32, coldness: u8) -> Option<u8> {
        let mut unknown = 0_u8;
        for exclusion in self.wanted.exclusions {
            if exclusion.fits.of(self.index, person) >= MATCH {
                return None;
            }
            let is_unknown = is_unknown(self.index, exclusion.kind, exclusion.measure, coldness, person);
            unknown = unknown.saturating_add(u8::from(is_unknown));
        }
        Some(unknown)
    }

    fn score(mean: f32, coldness: u8) -> u32 {
        (((1.0 - WARMTH) * mean + WARMTH * weight(coldness) as f32 / 100.0) * 1e6) as u32
    }
}

/// A source of random choices.
struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0.next_u32() as usize % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A network of `people` people: members and an advocate with many contacts, companies, texts shared by many.
    fn network(&mut self, people: usize) -> String {
        let mut text = String::from("member m0\nmember m1\nadvocate a0 of m0\n");
        let fields = [
            ("position", ["Engineer", "Head of Finance", "Chef", "CFO"]),
            ("city", ["Oslo", "Lima", "Bern", "Berlin"]),
            ("country", ["Norway", "Peru", "Germany", "Chile"]),
        ];
        for company in 0..4 {
            let industry = self.one_of(&[" (industry: Steel)", ""]);
            text += &format!("company c{company}{industry}\n");
        }
        for person in 0..people {
            let mut said = Vec::new();
            for (field, values) in fields {
                if self.below(4) > 0 {
                    said.push(format!("{field}: {}", self.one_of(&values)));
                }
            }
            let place = self.below(6);
            let employer = if place < 4 { format!(" @ c{place}") } else { String::new() };
            let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
            text += &format!("p{person}{said}{employer}\n");
            for knowing in ["m0", "m1", "a0"] {
                let score = self.below(101);
                match self.below(8) {
                    0..4 => text += &format!("{knowing} -{score}-> p{person}\n"),
                    4 => text += &format!("{knowing} -> p{person}\n"),
                    _ => {}
                }
            }
        }
        text
    }

    /// A table of `length` fits, or an empty one, or one without a fit.
    fn table(&mut self, length: usize) -> Vec<Fit> {
        match self.below(6) {
            0 | 1 => Vec::new(),
            2 => vec![0; length],
            _ => (0..length).map(|_| self.one_of(&[0, 0, 0, 1, 60, 127, 128, 129, 200, 255])).collect(),
        }
    }

    fn fits(&mut self, index: &GraphIndex) -> Fits {
        let (people, companies) = (&index.data.people, &index.data.companies);
        Fits {
            is_home: false,
            positions: self.table(people.positions.values.len()),
            cities: self.table(people.cities.values.len()),
            countries: self.table(people.countries.values.len()),
            companies: self.table(companies.names.len()),
            people: self.table(people.len()),
        }
    }

    /// Up to four conditions, some of them alternatives to the one before.
    fn conditions(&mut self, index: &GraphIndex) -> Vec<Weighted> {
        let mut conditions: Vec<Weighted> = Vec::new();
        for _ in 0..self.below(5) {
            let before = conditions.last().filter(|_| self.below(3) == 0).map(|before| before.weight);
            let weight = before.unwrap_or_else(|| self.one_of(&[0.3, 0.4, 0.5, 0.7, 0.8, 1.0, 1.2]));
            let fits = Arc::new(self.fits(index));
            conditions.push(Weighted { fits, weight, is_alternative: before.is_some() });
        }
        conditions
    }

    fn exclusion(&mut self, index: &GraphIndex) -> Exclusion {
        let sized = Measure::Size(Span { least: 100, most: Span::ENDLESS });
        let (kind, measure) = self.one_of(&[
            (TermKind::Role, None),
            (TermKind::Company, None),
            (TermKind::Place, None),
            (TermKind::Industry, None),
            (TermKind::Name, None),
            (TermKind::Size, Some(sized)),
            (TermKind::Connections, Some(Measure::Warmest)),
        ]);
        Exclusion { fits: self.fits(index), kind, measure }
    }
}

/// In how many random rankings `ours` differs from the plain one.
fn differences(ours: impl Fn(&GraphIndex, &Pool<'_>, Wanted<'_>, Strictness, u32) -> Ranking) -> usize {
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(20_261_122));
    let mut differences = 0;
    for network in 0..12 {
        let people = dice.one_of(&[3, 40, 400]);
        let mut data = dataset(&dice.network(people));
        for count in &mut data.people.connections_counts {
            *count = OptionalCount::from_stored(dice.one_of(&[3, 500, 501, u64::MAX]));
        }
        let net = GraphIndex::build(data);
        for round in 0..40 {
            let networks = &NetworkKind::ALL[dice.below(3)..];
            let acting = dice.one_of(&[Some(MemberIx(0)), Some(MemberIx(1)), None]);
            let pool = Pool::new(&net, acting, networks);
            let conditions = dice.conditions(&net);
            let exclusions: Vec<Exclusion> =
                (0..dice.below(6).saturating_sub(3)).map(|_| dice.exclusion(&net)).collect();
            let order =
                dice.one_of(&[None, None, None, Some(RankOrder::Warmth), Some(RankOrder::Connections)]);
            let wanted = Wanted { conditions: &conditions, exclusions: &exclusions, order };
            let plain = Plain { index: &net, pool: &pool, wanted };
            assert_eq!(count(&net, &pool, wanted), plain.count(), "network {network}, round {round}");
            for strictness in Strictness::ALL {
                let limit = dice.one_of(&[1, 2, 20, 50]);
                let expected = plain.rank(strictness, limit);
                differences += usize::from(ours(&net, &pool, wanted, strictness, limit) != expected);
            }
        }
    }
    differences
}

#[test]
fn a_sweep_by_columns_ranks_whom_a_look_at_each_person_ranks() {
    assert_eq!(differences(rank), 0);
}

/// The control: a ranking that ignores the requested order, and one whose page stops a person too early.
#[test]
fn a_ranking_that_is_a_little_off_is_seen() {
    let unordered = |index: &GraphIndex, pool: &Pool<'_>, wanted: Wanted<'_>, strictness, limit| {
        rank(index, pool, Wanted { order: None, ..wanted }, strictness, limit)
    };
    assert!(differences(unordered) > 20);
    let short = |index: &GraphIndex, pool: &Pool<'_>, wanted: Wanted<'_>, strictness, limit: u32| {
        let mut ranking = rank(index, pool, wanted, strictness, limit);
        if ranking.total > u64::from(limit) {
            ranking.people.pop();
        }
        ranking
    };
    assert!(differences(short) > 20);
}

#[test]
fn a_place_is_the_least_only_of_what_a_key_says_first() {
    let bound = |passed, unknown, order, score| (Reverse(passed), unknown, order, Reverse(score), 7);
    for (bound, below, at_least) in [
        (
            bound(Strictness::Strict, 0, 0, 500),
            place_of(Strictness::Strict, 499),
            place_of(Strictness::Strict, 500),
        ),
        (
            bound(Strictness::Normal, 1, 0, 500),
            place_of(Strictness::Relaxed, 999_999),
            place_of(Strictness::Normal, 0),
        ),
        (
            bound(Strictness::Strict, 0, 9, 500),
            place_of(Strictness::Normal, 1_000_000),
            place_of(Strictness::Strict, 1),
        ),
    ] {
        assert!(below < least_place(Some(&bound)) && at_least >= least_place(Some(&bound)), "{bound:?}");
    }
    assert_eq!(least_place(None), 0);
}
