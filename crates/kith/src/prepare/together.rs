//! People at one place at the same time: ties from a table of affiliations.
//!
//! Promise: Two are together at a place of at most 50 people for at least 12 months, each month counted once, and the
//!   same from both ends.
//! Control: a month less; a person more.

use std::collections::BTreeMap;

use crate::model::ix::PersonIx;
use crate::model::time::Timestamp;

/// Maximum number of people at a place for all of them to know each other.
pub const PLACE_PEOPLE_MAX: u32 = 50;
/// Minimum number of months together.
pub const MONTHS_MIN: u32 = 12;
/// Maximum points of such a tie.
pub const TOGETHER_POINTS_MAX: u32 = 15;
/// Maximum length of a place's name in a note, in characters.
const PLACE_CHARS_MAX: usize = 100;
/// The name of its factor.
pub const TOGETHER_FACTOR: &str = "sharedInstitution";
/// The kind of its evidence.
pub const TOGETHER_KIND: &str = "same_place";

/// A month, counted from the year 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(pub u32);

/// One person's time at one place, first and last month included. A stay that ends before it begins is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stay {
    /// The place.
    pub place: u32,
    /// The person.
    pub person: PersonIx,
    /// The first month; `None` if unknown, which makes the stay useless.
    pub first: Option<Month>,
    /// The last month; `None` if the stay goes on.
    pub last: Option<Month>,
}

/// Two people who were together, at the place that gives the most points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together {
    /// The two people, the lesser first.
    pub people: [PersonIx; 2],
    /// The place.
    pub place: u32,
    /// The months together, each once; at least [`MONTHS_MIN`].
    pub months: u32,
    /// The last month together.
    pub last: Month,
    /// The points, 1 to [`TOGETHER_POINTS_MAX`].
    pub points: u8,
}

impl Together {
    /// The edges between the two, in both directions.
    #[must_use]
    pub fn both_ways(&self) -> [(PersonIx, PersonIx); 2] {
        let [one, other] = self.people;
        [(one, other), (other, one)]
    }

    /// The note of their evidence, for the place called `place`.
    #[must_use]
    pub fn note(&self, place: &str) -> String {
        let name: String = place.chars().take(PLACE_CHARS_MAX).collect();
        format!("at {name} together for {} months", self.months)
    }
}

impl Month {
    /// Month `month`, 1 to 12, of `year`.
    #[must_use]
    pub fn new(year: u32, month: u32) -> Self {
        Self(12 * year + month - 1)
    }

    /// The year and the month, 1 to 12.
    #[must_use]
    pub fn year_and_month(self) -> (u32, u32) {
        (self.0 / 12, self.0 % 12 + 1)
    }

    /// Parses `2024`, `2024-03` or `2024-03-15`; a year alone means its month `of_year`. `None` for any other text.
    #[must_use]
    pub fn parse(text: &str, of_year: u32) -> Option<Self> {
        let mut parts = text.split('-');
        let digits = |part: &str, count: usize| -> Option<u32> {
            let is_number = part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| is_number)
        };
        let year = digits(parts.next()?, 4)?;
        let month = parts.next().map_or(Some(of_year), |part| digits(part, 2))?;
        let is_day = match parts.next() {
            Some(day) => digits(day, 2).is_some() && Timestamp::parse(&format!("{text}T00:00:00Z")).is_some(),
            None => true,
        };
        ((1..=12).contains(&month) && is_day && parts.next().is_none()).then(|| Self::new(year, month))
    }
}

/// The points of a tie of `months` together at a place of `people`; an unknown size counts as the largest.
#[must_use]
pub fn points(people: Option<u32>, months: u32) -> u8 {
    let quarters = match people {
        Some(0..=10) => 4,
        Some(11..=25) => 3,
        _ => 2,
    };
    let (of, all) = (TOGETHER_POINTS_MAX * quarters * months, 4 * (months + MONTHS_MIN));
    u8::try_from((2 * of + all) / (2 * all)).unwrap_or(u8::MAX).max(1)
}

/// The newest month of `stays` and `others`, if any.
#[must_use]
pub fn newest_month(stays: &[Stay], others: Option<Month>) -> Option<Month> {
    stays.iter().flat_map(|stay| [stay.first, stay.last]).flatten().chain(others).max()
}

/// The pairs of people who were together, by position in the table of people. `size` returns the known number of people
/// at a place; the people of `stays` are counted as well. Open stays end at `until`.
#[must_use]
pub fn together(mut stays: Vec<Stay>, size: impl Fn(u32) -> Option<u32>, until: Month) -> Vec<Together> {
    stays.sort_unstable();
    let mut found: BTreeMap<[PersonIx; 2], Together> = BTreeMap::new();
    for at_place in stays.chunk_by(|one, other| one.place == other.place) {
        let people: Vec<&[Stay]> = at_place.chunk_by(|one, other| one.person == other.person).collect();
        let known = size(at_place[0].place);
        let count = known.unwrap_or(0).max(people.len() as u32);
        if count > PLACE_PEOPLE_MAX {
            continue;
        }
        let spans: Vec<Vec<[u32; 2]>> = people.iter().map(|stays| spans(stays, until)).collect();
        for (at, one) in people.iter().enumerate() {
            for (other, other_spans) in people.iter().zip(&spans).skip(at + 1) {
                let Some((months, last)) = shared(&spans[at], other_spans) else { continue };
                let pair = [one[0].person, other[0].person];
                let points = points(known.map(|_| count), months);
                let tie = Together { people: pair, place: at_place[0].place, months, last, points };
                let best = found.entry(pair).or_insert(tie);
                if (tie.points, tie.months) > (best.points, best.months) {
                    *best = tie;
                }
            }
        }
    }
    found.into_values().collect()
}

/// Merges `stays` into disjoint spans of months, ascending.
fn spans(stays: &[Stay], until: Month) -> Vec<[u32; 2]> {
    let span = |stay: &Stay| Some([stay.first?.0, stay.last.map_or(until.0, |last| last.0.min(until.0))]);
    let mut all: Vec<[u32; 2]> =
        stays.iter().filter_map(span).filter(|[first, last]| first <= last).collect();
    all.sort_unstable();
    all.dedup_by(|later, kept| {
        let is_joined = later[0] <= kept[1] + 1;
        if is_joined {
            kept[1] = kept[1].max(later[1]);
        }
        is_joined
    });
    all
}

/// The number of months in both, and the last of them; `None` below [`MONTHS_MIN`].
fn shared(one: &[[u32; 2]], other: &[[u32; 2]]) -> Option<(u32, Month)> {
    let both = one.iter().flat_map(|a| other.iter().map(|b| (a[0].max(b[0]), a[1].min(b[1]))));
    let both = both.filter(|(first, last)| first <= last);
    let (months, last) =
        both.fold((0, 0), |(months, end), (first, last)| (months + last - first + 1, last.max(end)));
    (months >= MONTHS_MIN).then_some((months, Month(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses stays from `PLACE PERSON FROM TO`, `-` for no month.
    fn stays(text: &str) -> Vec<Stay> {
        let stay = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |word: &str| word.parse::<u32>().unwrap();
            Stay {
                place: number(words[0]),
                person: PersonIx(number(words[1])),
                first: Month::parse(words[2], 1),
                last: Month::parse(words[3], 12),
            }
        };
        text.split(',').filter(|line| !line.trim().is_empty()).map(stay).collect()
    }

    fn found(text: &str, size: Option<u32>) -> Vec<(u32, u32, u32, u32, u8)> {
        let ties = together(stays(text), |_| size, Month::new(2026, 6));
        let tie = |tie: &Together| (tie.people[0].0, tie.people[1].0, tie.place, tie.months, tie.points);
        ties.iter().map(tie).collect()
    }

    #[test]
    fn two_are_together_for_the_months_in_which_both_were_there() {
        for (text, expected) in [
            ("1 1 2020 2021, 1 2 2021 2022", vec![(1, 2, 1, 12, 4)]),
            ("1 1 2020 2021, 1 2 2021-02 2022", vec![]),
            ("1 1 2020 2021, 2 2 2020 2021", vec![]),
            // An open stay lasts until the end; a stay without a beginning is ignored.
            ("1 1 2020 -, 1 2 2024-07 -", vec![(1, 2, 1, 24, 5)]),
            ("1 1 - 2021, 1 2 2020 2021", vec![]),
            ("1 1 2021 2020, 1 2 2019 2022", vec![]),
            // Overlapping positions at one place do not add months; positions with a break do.
            ("1 1 2020 2020, 1 1 2020-06 2020, 1 2 2020 2020", vec![(1, 2, 1, 12, 4)]),
            ("1 1 2018 2018-06, 1 1 2020 2020-06, 1 2 2010 -", vec![(1, 2, 1, 12, 4)]),
            // At two places, the one with more points counts.
            ("1 1 2020 2020, 1 2 2020 2020, 2 1 2010 2015, 2 2 2010 2015", vec![(1, 2, 2, 72, 6)]),
            // A person has no tie to themself.
            ("1 1 2010 2015, 1 1 2012 2020", vec![]),
        ] {
            assert_eq!(found(text, None), expected, "{text}");
        }
    }

    #[test]
    fn a_place_of_fifty_people_makes_ties_and_one_of_fifty_one_none() {
        let of = |count: u32| -> String {
            let lines: Vec<String> = (0..count).map(|person| format!("1 {person} 2020 2021")).collect();
            lines.join(",")
        };
        assert_eq!(found(&of(50), None).len(), 50 * 49 / 2);
        assert_eq!(found(&of(51), None).len(), 0);
        // The known size of the place counts too.
        assert_eq!(found(&of(2), Some(50)), [(0, 1, 1, 24, 5)]);
        assert_eq!(found(&of(2), Some(51)), []);
        assert_eq!(found(&of(2), Some(10)), [(0, 1, 1, 24, 10)]);
    }

    #[test]
    fn points_rise_with_the_months_and_fall_with_the_people() {
        for (people, months, expected) in [
            (Some(10), 12, 8),
            (Some(10), 120, 14),
            (Some(25), 12, 6),
            (Some(25), 60, 9),
            (Some(50), 12, 4),
            (Some(50), 600, 7),
            (None, 12, 4),
        ] {
            assert_eq!(points(people, months), expected, "{people:?} {months}");
        }
        for months in MONTHS_MIN..1200 {
            for people in [1, 11, 26] {
                let here = points(Some(people), months);
                assert!((1..=15).contains(&here) && here <= points(Some(people), months + 1));
                assert!(points(Some(people + 15), months) <= here);
            }
        }
    }

    #[test]
    fn a_month_is_read_as_a_year_a_month_or_a_day() {
        for (text, expected) in [
            ("2024", Some((2024, 7))),
            ("2024-03", Some((2024, 3))),
            ("2024-02-29", Some((2024, 2))),
            ("2023-02-29", None),
            ("2024-13", None),
            ("2024-00", None),
            ("24", None),
            ("2024-3", None),
            ("2024-03-15T00:00:00Z", None),
            ("2024-03-15-1", None),
            ("+024", None),
            ("", None),
        ] {
            assert_eq!(Month::parse(text, 7).map(Month::year_and_month), expected, "{text}");
        }
    }

    #[test]
    fn ties_are_those_of_a_slow_second_reading_month_by_month() {
        let mut seed = 7_u64;
        let mut dice = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2_000 {
            let stays: Vec<Stay> = (0..dice(9))
                .map(|_| Stay {
                    place: dice(2) as u32,
                    person: PersonIx(dice(4) as u32),
                    first: (dice(8) > 0).then(|| Month(dice(40) as u32)),
                    last: (dice(4) > 0).then(|| Month(dice(40) as u32)),
                })
                .collect();
            let until = Month(35);
            let is_there = |place: u32, person: u32, month: u32| {
                stays.iter().any(|stay| {
                    let last = stay.last.unwrap_or(until).0.min(until.0);
                    (stay.place, stay.person.0) == (place, person)
                        && stay.first.is_some_and(|first| first.0 <= month && month <= last)
                })
            };
            let mut expected = Vec::new();
            for (one, other) in (0..4).flat_map(|one| (one + 1..4).map(move |other| (one, other))) {
                let months = |place| {
                    (0..40)
                        .filter(|&month| is_there(place, one, month) && is_there(place, other, month))
                        .count()
                };
                let [first, second] = [months(0) as u32, months(1) as u32];
                let most = first.max(second);
                if most >= MONTHS_MIN {
                    expected.push((one, other, most));
                }
            }
            let found = together(stays.clone(), |_| None, until);
            let found: Vec<_> =
                found.iter().map(|tie| (tie.people[0].0, tie.people[1].0, tie.months)).collect();
            assert_eq!(found, expected, "{stays:?}");
        }
    }
}
