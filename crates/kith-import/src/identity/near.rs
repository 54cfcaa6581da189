//! Joins people at one company whose names differ by a slip, are turned round, or are a part of the other, if they
//! have one position or one colleague knows them.

use std::collections::BTreeSet;

use crate::identity::classes::Classes;
use crate::identity::evidence::{CompanyLikeness, PersonEvidence, alike_in_all};
use crate::identity::ids::{PersonKey, hash};
use crate::identity::name::{
    PersonName, agree, has_two_families, have_like_families, may_be_one_given_name, plain,
};
use crate::identity::namesakes::{Face, names_of};
use crate::identity::rules::{Identifier, Keyed, groups};
use crate::rows::{NOBODY, RowKind};

/// Minimum length of a word with a slip.
const SLIP_CHARS: usize = 5;
/// Letters that names which are two have or do not have, beside doubled ones: Jonson and Johnson, Hansen and Hanson.
const VARYING: &str = "aeiouyh";
/// Letters that names which are two have in each other's place.
const VARIANTS: &[&str] = &["dt", "ck", "sz", "vw", "fv", "bp", "kx", "ij"];

impl Identifier<'_> {
    /// Joins the people with nearly one name at one company, and those with one position whom one colleague knows, if
    /// enough else is the same and all of them may be one.
    pub(super) fn join_near_names(&mut self) {
        let mut keyed: Keyed<PersonKey> = Vec::new();
        for (row, of) in (0..).zip(self.rows).filter(|(_, of)| of.kind != RowKind::Hint) {
            let root = self.identified.classes.root(row);
            let addressed = of.emails.iter().map(|email| self.companies.of_email(email));
            let companies: BTreeSet<u32> = addressed.chain([self.companies.group(of.company)]).collect();
            let known = companies.into_iter().filter(|company| *company != 0);
            let mut places: Vec<String> = known.map(|company| company.to_string()).collect();
            let is_known = of.position != 0 && of.tie != NOBODY;
            places.extend(is_known.then(|| format!("{} {}", of.position, of.tie)));
            for name in names_of(of) {
                for word in [name.compared_given(), name.compared_family()] {
                    keyed.extend(places.iter().map(|place| (hash(&["near", place, &word]), root)));
                }
            }
        }
        let mut alike: Vec<Vec<u32>> = Vec::new();
        for same in self.with_open(keyed) {
            let faces: Vec<Face> = same.iter().map(|root| self.face(*root)).collect();
            let is_any_near = faces.iter().enumerate().any(|(place, one)| {
                faces[place + 1..].iter().any(|other| have_near_names(one, other) || have_parts(one, other))
            });
            // Evidence costs more than names.
            if !is_any_near {
                continue;
            }
            let found: Vec<PersonEvidence<'_>> = same.iter().map(|root| self.evidence(*root)).collect();
            let may_be_one = |one: usize, other: usize| {
                let (roots, one, other) = ([same[one], same[other]], &found[one], &found[other]);
                self.identified.classes.roots_may_join(roots[0], roots[1])
                    && !one.face.is_addressed_otherwise(&other.face)
                    && (one.is_near(other) || one.may_be_part_of(other) || are_like(&one.face, &other.face))
            };
            let is_like = |one: usize, other: usize| {
                let (one, other) = (&found[one], &found[other]);
                one.is_near(other) || have_parts(&one.face, &other.face)
            };
            let found = alike_in_all(same.len(), &may_be_one, &is_like);
            alike.extend(found.into_iter().map(|all| all.into_iter().map(|at| same[at]).collect()));
        }
        self.join_alike(&alike);
    }

    /// Joins the people of each of `alike`, and those of several that have one of them in common. Such a set that would
    /// make one of two profiles joins nobody: which of its parts comes first depends on the order of files.
    fn join_alike(&mut self, alike: &[Vec<u32>]) {
        let mut together = Classes::new(std::iter::repeat_n(0, self.rows.len()));
        for pair in alike.iter().flat_map(|all| all.windows(2)) {
            together.join(pair[0], pair[1]);
        }
        let mut keyed: Keyed<u32> =
            alike.iter().flatten().map(|root| (together.root(*root), *root)).collect();
        keyed.sort_unstable();
        keyed.dedup();
        for (_, same) in groups(&keyed) {
            let all: Vec<u32> = same.iter().map(|(_, root)| *root).collect();
            let classes = &self.identified.classes;
            if all.iter().all(|one| all.iter().all(|other| classes.roots_may_join(*one, *other))) {
                self.join_all(&all);
            }
        }
    }
}

impl PersonEvidence<'_> {
    /// Whether the names are nearly one, and enough else is the same.
    fn is_near(&self, other: &Self) -> bool {
        let count = u8::from(self.is_position(other)) + u8::from(self.is_owner(other));
        let is_enough = match self.companies(other) {
            CompanyLikeness::Same => count > 0,
            CompanyLikeness::Other => false,
            _ => count > 1,
        };
        is_enough && have_near_names(&self.face, &other.face)
    }

    /// Whether one has a part of the other's name, and enough else is the same.
    fn may_be_part_of(&self, other: &Self) -> bool {
        self.companies(other) == CompanyLikeness::Same
            && (self.is_position(other) || self.is_owner(other))
            && have_parts(&self.face, &other.face)
    }
}

/// Whether the names are nearly one, or an address of one has the other's name.
fn have_near_names(one: &Face, other: &Face) -> bool {
    let is_near = |name: &PersonName| other.names.iter().any(|second| is_near(name, second));
    one.is_called_as(other) || other.is_called_as(one) || one.names.iter().any(is_near)
}

/// Whether one has a part of the other's name.
fn have_parts(one: &Face, other: &Face) -> bool {
    is_part_of(one, other) || is_part_of(other, one)
}

/// Whether `short` has only a given name or an initial, and `long` has the whole name: `Max` or `M. Orr`, and `Max Orr`.
fn is_part_of(short: &Face, long: &Face) -> bool {
    let is_part = |name: &PersonName| name.family.is_empty() || name.given.chars().count() == 1;
    let fits = |name: &PersonName, of: &PersonName| match name.family.is_empty() {
        true => name.compared_given() == of.compared_given(),
        false => may_be_one_given_name(name, of) && agree(name, of),
    };
    let is_of = |name: &PersonName, of: &PersonName| {
        name.family.is_empty() || name.compared_family() == of.compared_family()
    };
    !short.names.is_empty()
        && short.names.iter().all(|name| {
            is_part(name)
                && long.names.iter().any(|of| !is_part(of) && is_of(name, of) && fits(name, of))
                && long.names.iter().all(|of| !is_of(name, of) || fits(name, of))
        })
}

/// Whether they have one given name and family names that may be one.
fn are_like(one: &Face, other: &Face) -> bool {
    one.names.iter().any(|one| {
        other.names.iter().any(|other| {
            one.compared_given() == other.compared_given()
                && (one.compared_family() == other.compared_family() || have_like_families(one, other))
        })
    })
}

/// Whether the names of two are one with a slip in one word, turned round, or with
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
    fn a_part_of_a_name_is_a_given_name_or_an_initial_and_never_of_another() {
        let face = |names: &str| {
            let mut face = Face::default();
            face.names = names.split(", ").map(PersonName::parse).collect();
            face
        };
        for (short, long, expected) in [
            ("B. Quist", "Bartholomew Quist", true),
            ("Bartholomew", "Bartholomew Quist", true),
            ("Bart", "Bartholomew Quist", true),
            ("B. Quist", "Bartholomew Quist, Bartholomew Lind", true),
            ("B. Quist, Bartholomew Quist", "Beatrice Quist", false),
            ("B. Quist", "Bartholomew Quist, Kurt Quist", false),
            ("B. Quist", "Kurt Quist", false),
            ("B. Quist", "Bartholomew Lind", false),
            ("B. Quist", "B. Quist", false),
            ("Kurt", "Bartholomew Quist", false),
            ("Bartholomew", "Bartholomew", false),
        ] {
            assert_eq!(have_parts(&face(short), &face(long)), expected, "{short} {long}");
            assert_eq!(have_parts(&face(long), &face(short)), expected, "{long} {short}");
        }
    }

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
