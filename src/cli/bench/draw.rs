//! Draws random questions from a network: the same for the same network and seed.

use crate::cli::bench::kind::{DRAWN, Kind};
use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::text::words;

/// The lengths of a part of a word, in characters.
const PART: std::ops::RangeInclusive<usize> = 2..=6;

/// The person, company or text in a question.
pub(super) enum DrawnTarget {
    Person(PersonIx),
    Company(CompanyIx),
    Member(MemberIx),
    /// Folded, or in plain words.
    Text(String),
}

/// The questions of every kind.
pub(super) struct Drawn {
    kinds: Vec<Vec<DrawnTarget>>,
}

impl Drawn {
    /// Draws the questions from `index` with `seed`; none of a kind that needs missing people.
    pub(super) fn new(index: &GraphIndex, seed: u64) -> Self {
        let draw = |(place, kind): (usize, Kind)| {
            let mut dice = SplitMix(seed ^ (place as u64 + 1) << 32);
            (0..kind.draws()).filter_map(|_| draw(index, kind, &mut dice)).collect()
        };
        Self { kinds: Kind::ALL.into_iter().enumerate().map(draw).collect() }
    }

    pub(super) fn of(&self, kind: Kind) -> &[DrawnTarget] {
        Kind::ALL.iter().position(|other| *other == kind).map_or(&[], |place| &self.kinds[place])
    }
}

fn draw(index: &GraphIndex, kind: Kind, dice: &mut SplitMix) -> Option<DrawnTarget> {
    let anybody = |dice: &mut SplitMix| dice.pick(index.inside.people()).copied();
    match kind {
        // The people a caller may learn of, each equally likely.
        Kind::Person | Kind::PathsToPerson => anybody(dice).map(DrawnTarget::Person),
        // The person at the end of any edge.
        Kind::PathsToWellKnown => dice.pick(&index.data.edges.out.ends).copied().map(DrawnTarget::Person),
        // The employer of anybody.
        Kind::PathsToCompany => {
            let employed = || anybody(dice).and_then(|person| index.data.people.company(person));
            std::iter::repeat_with(employed).take(DRAWN).flatten().next().map(DrawnTarget::Company)
        }
        Kind::PersonNetwork => dice.pick(&index.inside.first_degree).copied().map(DrawnTarget::Person),
        Kind::Connections | Kind::SecondDegree | Kind::SecondDegreeAgain => {
            let member = dice.below(index.data.members.len())?;
            Some(DrawnTarget::Member(MemberIx(member as u32)))
        }
        Kind::People => {
            let text = &index.people_text;
            let place = dice.below(text.people.len())? as u32;
            let position = text.plain_positions.get(text.positions[place as usize]);
            let texts = [text.names.get(place), text.emails.get(place), position];
            let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            dice.pick(&texts).copied().and_then(|text| part_of(text, dice)).map(DrawnTarget::Text)
        }
        Kind::Companies => {
            let names = &index.company_text.names;
            let row = dice.below(names.len())?;
            part_of(names.get(row as u32), dice).map(DrawnTarget::Text)
        }
        Kind::PlainWords => {
            let person = anybody(dice)?;
            let people = &index.data.people;
            let position = people.positions.value(person.0)?;
            let place = people.cities.value(person.0).map_or_else(String::new, |city| format!(" in {city}"));
            Some(DrawnTarget::Text(format!("{position}{place}")))
        }
    }
}

/// Some first letters of a word of `text`, as callers type them; `None` if it has no words.
fn part_of(text: &str, dice: &mut SplitMix) -> Option<String> {
    let words: Vec<&str> = words(text).collect();
    let letters: Vec<char> = dice.pick(&words)?.chars().collect();
    let length = (PART.start() + dice.below(PART.end() - PART.start() + 1)?).min(letters.len());
    let start = dice.below(letters.len() - length + 1)?;
    Some(letters[start..start + length].iter().collect())
}

/// Steele, Lea and Flood's generator: small, and the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; `None` if that is 0.
    fn below(&mut self, bound: usize) -> Option<usize> {
        (bound > 0).then(|| (self.next() % bound.max(1) as u64) as usize)
    }

    fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        self.below(items.len()).map(|place| &items[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_embed::sketch::net;

    fn shown(target: &DrawnTarget) -> String {
        match target {
            DrawnTarget::Person(person) => format!("person {}", person.0),
            DrawnTarget::Company(company) => format!("company {}", company.0),
            DrawnTarget::Member(member) => format!("member {}", member.0),
            DrawnTarget::Text(text) => text.clone(),
        }
    }

    fn all(index: &GraphIndex, seed: u64) -> Vec<Vec<String>> {
        let drawn = Drawn::new(index, seed);
        Kind::ALL.into_iter().map(|kind| drawn.of(kind).iter().map(shown).collect()).collect()
    }

    #[test]
    fn a_seed_draws_the_same_questions_and_another_seed_others() {
        let net = net("
            member ann, bea
            ann -90-> bob @ acme
            bea -80-> cay @ globex
            bob -70-> dan @ acme
        ");
        let [one, same, other] = [1, 1, 2].map(|seed| all(&net, seed));
        assert_eq!(one, same);
        assert_ne!(one, other);
        for (kind, drawn) in Kind::ALL.into_iter().zip(&one).filter(|(kind, _)| *kind != Kind::PlainWords) {
            assert_eq!(drawn.len(), kind.draws(), "{kind:?}");
        }
        // An empty network gives no questions, and drawing ends.
        let nobody = Drawn::new(&kith_embed::sketch::net("member ann"), 1);
        assert!(nobody.of(Kind::PathsToWellKnown).is_empty() && nobody.of(Kind::PathsToCompany).is_empty());
    }
}
