//! Likely doubles: people who may be one person but were not joined. They are proposed, never joined.

mod finders;
mod reason;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::doubles::finders::{by_other_names, with_one_key};
use crate::doubles::reason::DoubleReason;
use crate::gather::Gathered;
use crate::identity::address::employer_domain;
use crate::identity::classes::Classes;
use crate::identity::ids::hash;
use crate::identity::name::{PersonName, agree};
use crate::note::note_of_further_doubles;
use crate::overriding::Resolved;
use crate::people::{GONE, ImportedPeople, ImportedPerson};
use crate::rows::NOBODY;
use crate::ties::Scoring;

/// Minimum score of a pair, in hundredths: below are namesakes at two companies whom two owners know.
const SCORE_MIN: u8 = 40;
/// Maximum pairs for a hundred people, and in an import of few people.
const PAIRS_PER_100_MAX: usize = 18;
const PAIRS_OF_FEW_MAX: usize = 20;

/// Two people who may be one.
#[derive(Clone, Debug)]
pub(crate) struct Double {
    pub(crate) one: u32,
    pub(crate) other: u32,
    /// In hundredths, 1 to 99.
    pub(crate) score: u8,
    pub(crate) reasons: Vec<DoubleReason>,
    /// The ties to both.
    pub(crate) ties: Vec<JoinedTie>,
}

/// A member's or advocate's ties to both people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JoinedTie {
    pub(crate) holder: u32,
    /// The warmness to the first, to the second, and to both as one person, each 0 to 100.
    pub(crate) one: u8,
    pub(crate) other: u8,
    pub(crate) joined: u8,
}

/// Finds likely doubles, likeliest first. Leaves out pairs that follow from others, and pairs that contradict a likelier
/// one until that is answered.
/// Two handles, different middle names, or an override that separates them rule a pair out.
///
/// Keeps at most `PAIRS_PER_100_MAX` of them, those that probably join the most rows; a note in `resolved` counts the
/// others.
///
/// Costs a comparison for each two people with the same name; names shared by more than `IMPORT_NAMESAKES_MAX` people
/// are skipped.
pub(crate) fn doubles(
    gathered: &Gathered,
    people: &ImportedPeople,
    resolved: &mut Resolved,
    scoring: &Scoring<'_>,
) -> Vec<Double> {
    let apart = apart(people, resolved);
    let written = people.of_row.iter().zip(&gathered.rows).filter(|(person, _)| **person != GONE);
    let (of_one_name, alike) = rayon::join(
        || {
            let key = |name: &str| Some(hash(&[&PersonName::parse(name).key()?, "", ""]));
            with_one_key(written.filter_map(|(person, of)| Some((key(&of.name)?, *person))).collect())
        },
        || by_other_names(gathered, people),
    );
    let said = |person: u32| Said::of(gathered, people, person);
    let of_one_group = |same: Vec<u32>| {
        let same: Vec<(u32, Said<'_>)> = same.into_iter().map(|person| (person, said(person))).collect();
        let pairs = same.iter().enumerate().flat_map(|(place, one)| {
            same[place + 1..].iter().filter_map(move |other| Some((one.0, other.0, one.1.reasons(&other.1)?)))
        });
        pairs.collect::<Vec<_>>()
    };
    let mut found: BTreeMap<(u32, u32), Vec<DoubleReason>> = BTreeMap::new();
    for (one, other, reasons) in of_one_name.into_par_iter().flat_map_iter(of_one_group).collect::<Vec<_>>() {
        found.insert((one, other), reasons);
    }
    for (one, other, like) in alike {
        if !found.contains_key(&(one, other)) {
            let beside = said(one).reasons_beside_name(&said(other));
            found.extend(beside.map(|beside| ((one, other), [vec![like], beside].concat())));
        }
    }
    let double = |((one, other), reasons): ((u32, u32), Vec<DoubleReason>)| {
        let score: i16 = reasons.iter().map(|reason| reason.weight()).sum();
        Double { one, other, score: u8::try_from(score.clamp(1, 99)).unwrap_or(1), reasons, ties: Vec::new() }
    };
    let found = found.into_iter().filter(|(pair, _)| !apart.contains(pair)).map(double);
    let mut found: Vec<Double> = found.filter(|double| double.score >= SCORE_MIN).collect();
    // Of equal ones that with the most rows; then by ids, which do not depend on the order of files.
    let rows = |double: &Double| people.rows(double.one).len() * people.rows(double.other).len();
    let ids = |double: &Double| {
        let [one, other] = [double.one, double.other].map(|person| people.ids[person as usize].id.as_str());
        (one.min(other), one.max(other))
    };
    let order = |double: &Double| (Reverse(double.score), Reverse(rows(double)));
    let in_order =
        |one: &Double, other: &Double| order(one).cmp(&order(other)).then_with(|| ids(one).cmp(&ids(other)));
    found.sort_by(in_order);
    let mut found = without_what_follows(found, people);
    let most = PAIRS_OF_FEW_MAX.max(people.people.len() * PAIRS_PER_100_MAX / 100);
    if found.len() > most {
        resolved.notes.push(note_of_further_doubles(found.len() - most));
        found.sort_by_key(|double| Reverse(usize::from(double.score) * rows(double)));
        found.truncate(most);
        found.sort_by(in_order);
    }
    for double in &mut found {
        double.ties = joined_ties(double, gathered.own.len(), scoring);
    }
    found
}

/// Drops each pair of `doubles` that earlier ones, if they are one, already decide: they join the two, or make one of two
/// handles.
fn without_what_follows(mut doubles: Vec<Double>, people: &ImportedPeople) -> Vec<Double> {
    let handle = |(person, of): (u32, &ImportedPerson)| if of.handle.is_empty() { 0 } else { person };
    let mut classes = Classes::new((1..).zip(&people.people).map(handle));
    doubles.retain(|double| {
        let is_new = classes.root(double.one) != classes.root(double.other);
        is_new && classes.join(double.one, double.other)
    });
    doubles
}

/// The ties to both people of `double`, by holder.
fn joined_ties(double: &Double, holders: usize, scoring: &Scoring<'_>) -> Vec<JoinedTie> {
    let Double { one, other, .. } = *double;
    let warmness = |holder, persons: &[u32]| scoring.edge(holder, persons).scored.warmness;
    (0..holders as u32)
        .filter(|holder| scoring.has_ties(*holder, &[one, other]))
        .map(|holder| JoinedTie {
            holder,
            one: warmness(holder, &[one]),
            other: warmness(holder, &[other]),
            joined: warmness(holder, &[one, other]),
        })
        .collect()
}

/// The pairs of people whom overrides separate, the lesser first.
fn apart(people: &ImportedPeople, resolved: &Resolved) -> BTreeSet<(u32, u32)> {
    let mut apart = BTreeSet::new();
    for entry in &resolved.rows.apart {
        let of =
            |rows: &Vec<u32>| rows.iter().map(|row| people.of_row[*row as usize]).collect::<BTreeSet<u32>>();
        let sets: Vec<BTreeSet<u32>> = entry.iter().map(of).collect();
        for (place, one) in sets.iter().enumerate() {
            for (one, other) in
                sets[place + 1..].iter().flatten().flat_map(|other| one.iter().map(move |one| (*one, *other)))
            {
                apart.insert((one.min(other), one.max(other)));
            }
        }
    }
    apart
}

/// The parts of a person's rows by which two people are compared.
struct Said<'a> {
    person: &'a ImportedPerson,
    names: Vec<PersonName>,
    emails: BTreeSet<&'a str>,
    domains: BTreeSet<&'a str>,
    positions: BTreeSet<u32>,
    /// The holders in whose files the rows are.
    owners: BTreeSet<u32>,
}

impl<'a> Said<'a> {
    fn of(gathered: &'a Gathered, people: &'a ImportedPeople, person: u32) -> Self {
        let rows = || people.rows(person).iter().map(|row| &gathered.rows[*row as usize]);
        let mut names: Vec<PersonName> = Vec::new();
        for row in rows().filter(|row| !row.name.is_empty()) {
            let name = PersonName::parse(&row.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let emails: BTreeSet<&str> = rows().flat_map(|row| row.emails.iter()).map(AsRef::as_ref).collect();
        Self {
            person: &people.people[person as usize],
            names,
            domains: emails.iter().filter_map(|email| employer_domain(email)).collect(),
            emails,
            positions: rows().map(|row| row.position).filter(|position| *position != 0).collect(),
            owners: rows().filter(|row| row.is_of_file()).map(|row| row.holder).collect(),
        }
    }

    /// The reasons for and against two who share a name being one person; `None` if they cannot be.
    fn reasons(&self, other: &Self) -> Option<Vec<DoubleReason>> {
        let pairs =
            || self.names.iter().flat_map(|name| other.names.iter().map(move |second| (name, second)));
        if !pairs().any(|(name, second)| name.key() == second.key() && agree(name, second)) {
            return None;
        }
        let is_same = pairs().any(|(name, second)| name.is_written_as(second));
        let same = if is_same { DoubleReason::SameName } else { DoubleReason::SameNameOtherwise };
        Some([vec![same], self.reasons_beside_name(other)?].concat())
    }

    /// The reasons besides the name; `None` if they cannot be one person: both are members or advocates, or have handles.
    fn reasons_beside_name(&self, other: &Self) -> Option<Vec<DoubleReason>> {
        let are_holders = self.person.holder != NOBODY && other.person.holder != NOBODY;
        if are_holders || !self.person.handle.is_empty() && !other.person.handle.is_empty() {
            return None;
        }
        let company = match [self.person.company, other.person.company] {
            [0, _] | [_, 0] => DoubleReason::OneWithoutCompany,
            [one, other] if one == other => DoubleReason::SameCompany,
            _ => DoubleReason::OtherCompany,
        };
        let families: Vec<&str> = [&self.names, &other.names]
            .into_iter()
            .flatten()
            .map(|name| name.family.as_str())
            .filter(|family| family.len() > 2)
            .collect();
        let is_named = |email: &&str| {
            employer_domain(email).is_none() && families.iter().any(|family| email.contains(family))
        };
        let are_known = !self.positions.is_empty() && !other.positions.is_empty();
        let is_position = !self.positions.is_disjoint(&other.positions);
        let beside = [
            (!self.domains.is_disjoint(&other.domains), DoubleReason::SameDomain),
            (self.emails.iter().chain(&other.emails).any(is_named), DoubleReason::NameInAddress),
            (is_position, DoubleReason::SamePosition),
            (are_known && !is_position, DoubleReason::OtherPosition),
            (!self.owners.is_disjoint(&other.owners), DoubleReason::SameOwner),
            (self.emails.is_empty() || other.emails.is_empty(), DoubleReason::OneWithoutAddress),
        ];
        let beside = beside.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason);
        Some([company].into_iter().chain(beside).collect())
    }
}
