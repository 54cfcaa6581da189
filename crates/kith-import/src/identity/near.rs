//! Joins people at one company with one position whose names differ by a slip or are turned round.

use std::collections::BTreeSet;

use crate::identity::evidence::alike_in_all;
use crate::identity::name::{PersonName, agree, has_two_families, plain};
use crate::identity::namesakes::Face;
use crate::identity::rules::{Identifier, Keyed};
use crate::rows::RowKind;

/// Minimum length of a word with a slip.
const SLIP_CHARS: usize = 5;
/// Letters that names which are two have or do not have, beside doubled ones: Jonson and Johnson, Hansen and Hanson.
const VARYING: &str = "aeiouyh";
/// Letters that names which are two have in each other's place.
const VARIANTS: &[&str] = &["dt", "ck", "sz", "vw", "fv", "bp", "kx", "ij"];

impl Identifier<'_> {
    /// Joins the people at one company with one position and nearly one name, if all of them may be one.
    pub(super) fn join_near_names(&mut self) {
        let mut keyed: Keyed<(u32, u32)> = Vec::new();
        for (row, of) in (0..).zip(self.rows).filter(|(_, of)| of.position != 0 && !of.name.is_empty()) {
            if of.kind == RowKind::Hint {
                continue;
            }
            let addressed = of.emails.iter().map(|email| self.companies.of_email(email));
            let companies: BTreeSet<u32> = addressed.chain([self.companies.group(of.company)]).collect();
            let root = self.identified.classes.root(row);
            let known = companies.into_iter().filter(|company| *company != 0);
            keyed.extend(known.map(|company| ((company, of.position), root)));
        }
        for same in self.with_open(keyed) {
            let same = self.roots(&same);
            let faces: Vec<Face> = same.iter().map(|root| self.face(*root)).collect();
            let is_near = |one: usize, other: usize| {
                let (one, other) = (&faces[one], &faces[other]);
                one.is_called_as(other)
                    || other.is_called_as(one)
                    || one.names.iter().any(|name| other.names.iter().any(|second| is_near(name, second)))
            };
            let may_be_one = |one: usize, other: usize| {
                self.identified.classes.roots_may_join(same[one], same[other])
                    && !faces[one].is_addressed_otherwise(&faces[other])
            };
            let joined = alike_in_all(same.len(), &may_be_one, &is_near);
            for all in joined {
                self.join_all(&all.into_iter().map(|at| same[at]).collect::<Vec<u32>>());
            }
        }
    }
}

/// Whether the names of two at one company with one position are one with a slip in one word, turned round, or with
/// another of two family names last.
fn is_near(one: &PersonName, other: &PersonName) -> bool {
    if one.family.is_empty() || other.family.is_empty() || !agree(one, other) {
        return false;
    }
    let given = [one.compared_given(), other.compared_given()];
    let family = [one.compared_family(), other.compared_family()];
    let is_turned = plain(&one.given) == family[1] && plain(&other.given) == family[0];
    // As written, too: two letters in the wrong order can make one, `ue` for `u`.
    let is_one_family = || {
        is_slip(&family[0], &family[1]) || is_slip(&one.family, &other.family) || has_two_families(one, other)
    };
    let is_one_given = || is_slip(&given[0], &given[1]) || is_slip(&one.given, &other.given);
    is_turned || given[0] == given[1] && is_one_family() || family[0] == family[1] && is_one_given()
}

/// Whether one of two words is the other with a slip inside: two letters in the wrong order, one too many, or another.
/// What makes another name of many is none: a vowel for a vowel, a doubled letter, a letter at an end.
fn is_slip(one: &str, other: &str) -> bool {
    let mut words = [one, other].map(|word| word.chars().collect::<Vec<char>>());
    words.sort_by_key(Vec::len);
    let [short, long] = words.each_ref().map(Vec::as_slice);
    if long.len() < SLIP_CHARS || long.len() - short.len() > 1 {
        return false;
    }
    let front = short.iter().zip(long).take_while(|(one, other)| one == other).count();
    let rests = short[front..].iter().rev().zip(long[front..].iter().rev());
    let back = rests.take_while(|(one, other)| one == other).count();
    let is_variant = |a: char, b: char| VARIANTS.iter().any(|pair| pair.contains(a) && pair.contains(b));
    let is_inside = front > 0 && back > 0;
    match (&short[front..short.len() - back], &long[front..long.len() - back]) {
        ([], [more]) => is_inside && !VARYING.contains(*more) && long[front - 1] != *more,
        ([a], [b]) => is_inside && !(VARYING.contains(*a) && VARYING.contains(*b)) && !is_variant(*a, *b),
        ([a, b], [c, d]) => front > 0 && a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_nearly_the_name_and_the_name_of_many_others_is_not() {
        for (one, other, expected) in [
            ("Grzegorz Mazurek", "Grzegorz Mazruek", true),
            ("Chritopher Nakamura", "Christopher Nakamura", true),
            ("Camille Bélanger", "Camille Bélanier", true),
            ("Frédérique Beaumont", "Frederique Beaumnot", true),
            ("Jenny Huang", "Huang Jenny", true),
            ("Juan Cañizares Álvarez", "Juan Cañizares", true),
            ("Andrés Moreno Romero", "Andrés Moreno Vidal", false),
            ("Anna Hansen", "Anna Hanson", false),
            ("Anna Jonson", "Anna Johnson", false),
            ("Peter Hofmann", "Peter Hoffmann", false),
            ("Peter Schmidt", "Peter Schmitt", false),
            ("Daniel Costa", "Daniela Costa", false),
            ("Julian Braun", "Juliane Braun", false),
            ("Mario Rossi", "Maria Rossi", false),
            ("Jana Novak", "Hana Novak", false),
            ("Min Park", "Mia Park", false),
            ("Grzegorz Mazurek", "Gregor Mazruek", false),
            ("Tom", "Tim", false),
        ] {
            let names = [one, other].map(PersonName::parse);
            assert_eq!(is_near(&names[0], &names[1]), expected, "{one} {other}");
            assert_eq!(is_near(&names[1], &names[0]), expected, "{other} {one}");
        }
    }
}
