//! Likely doubles: people who may be one person but were not joined. They are proposed, never joined.

mod finders;
mod reason;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::doubles::finders::{by_other_names, with_one_key};
use crate::doubles::reason::DoubleReason;
use crate::gather::Gathered;
use crate::identity::address::employer_domain;
use crate::identity::classes::Classes;
use crate::identity::ids::hash;
use crate::identity::name::{PersonName, agree};
use crate::overriding::Resolved;
use crate::people::{GONE, ImportedPeople, each_two};
use crate::rows::{ImportedRow, NOBODY};
use crate::ties::Scoring;

/// Minimum score of a pair, in hundredths: below are namesakes at two companies whom two owners know.
const SCORE_MIN: u8 = 40;

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

/// Finds likely doubles, likeliest first. Of several who may all be one, pairs that follow from others are left out.
/// Two handles, different middle names, or an override that separates them rule a pair out.
///
/// Costs a comparison for each two people with the same name; names shared by more than `IMPORT_NAMESAKES_MAX` people
/// are skipped.
pub(crate) fn doubles(
    gathered: &Gathered,
    people: &ImportedPeople,
    resolved: &Resolved,
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
    let mut found: BTreeMap<(u32, u32), Vec<DoubleReason>> = BTreeMap::new();
    for same in of_one_name {
        for (one, other) in each_two(&same).filter(|pair| !apart.contains(pair)) {
            if let Some(reasons) = reasons(gathered, people, one, other) {
                found.insert((one, other), reasons);
            }
        }
    }
    for (one, other, like) in alike {
        if !found.contains_key(&(one, other)) && !apart.contains(&(one, other)) {
            let beside = reasons_beside_name(gathered, people, one, other);
            found.extend(beside.map(|beside| ((one, other), [vec![like], beside].concat())));
        }
    }
    let double = |((one, other), reasons): ((u32, u32), Vec<DoubleReason>)| {
        let score: i16 = reasons.iter().map(|reason| reason.weight()).sum();
        Double { one, other, score: u8::try_from(score.clamp(1, 99)).unwrap_or(1), reasons, ties: Vec::new() }
    };
    let mut found: Vec<Double> =
        found.into_iter().map(double).filter(|double| double.score >= SCORE_MIN).collect();
    // Of equal ones that with the most rows; then by ids, which do not depend on the order of files.
    let rows = |double: &Double| people.rows(double.one).len() * people.rows(double.other).len();
    let ids = |double: &Double| {
        let [one, other] = [double.one, double.other].map(|person| people.ids[person as usize].id.as_str());
        (one.min(other), one.max(other))
    };
    let order = |double: &Double| (Reverse(double.score), Reverse(rows(double)));
    found.sort_by(|one, other| order(one).cmp(&order(other)).then_with(|| ids(one).cmp(&ids(other))));
    let mut found = without_what_follows(found, people.people.len());
    for double in &mut found {
        double.ties = joined_ties(double, gathered.own.len(), scoring);
    }
    found
}

/// Sorts `doubles` from most to least likely, and drops each pair that earlier answers already decide.
fn without_what_follows(mut doubles: Vec<Double>, people: usize) -> Vec<Double> {
    let mut classes = Classes::new(std::iter::repeat_n(0, people));
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

/// Returns the reasons for and against `one` and `other`, who share a name, being one person; `None` if they cannot be.
fn reasons(gathered: &Gathered, people: &ImportedPeople, one: u32, other: u32) -> Option<Vec<DoubleReason>> {
    let rows = |person: u32| people.rows(person).iter().map(|row| &gathered.rows[*row as usize]);
    let names =
        |person: u32| rows(person).filter(|row| !row.name.is_empty()).map(|row| PersonName::parse(&row.name));
    let pairs = || names(one).flat_map(|name| names(other).map(move |second| (name.clone(), second)));
    if !pairs().any(|(name, second)| name.key() == second.key() && agree(&name, &second)) {
        return None;
    }
    let is_same =
        pairs().any(|(name, second)| (&name.given, &name.family) == (&second.given, &second.family));
    let same = if is_same { DoubleReason::SameName } else { DoubleReason::SameNameOtherwise };
    Some([vec![same], reasons_beside_name(gathered, people, one, other)?].concat())
}

/// Returns the reasons besides the name; `None` if `one` and `other` cannot be one person: both are members or
/// advocates, or have handles.
fn reasons_beside_name(
    gathered: &Gathered,
    people: &ImportedPeople,
    one: u32,
    other: u32,
) -> Option<Vec<DoubleReason>> {
    let rows = |person: u32| people.rows(person).iter().map(|row| &gathered.rows[*row as usize]);
    let of = |person: u32| &people.people[person as usize];
    let are_holders = of(one).holder != NOBODY && of(other).holder != NOBODY;
    if are_holders || !of(one).handle.is_empty() && !of(other).handle.is_empty() {
        return None;
    }
    let names =
        |person: u32| rows(person).filter(|row| !row.name.is_empty()).map(|row| PersonName::parse(&row.name));
    let mut reasons = Vec::new();
    let companies = [of(one).company, of(other).company];
    reasons.push(match companies {
        [0, _] | [_, 0] => DoubleReason::OneWithoutCompany,
        [one, other] if one == other => DoubleReason::SameCompany,
        _ => DoubleReason::OtherCompany,
    });
    let emails = |person: u32| {
        rows(person).flat_map(|row| row.emails.iter()).map(AsRef::as_ref).collect::<BTreeSet<&str>>()
    };
    let (mine, theirs) = (emails(one), emails(other));
    let domains = |emails: &BTreeSet<&str>| -> BTreeSet<String> {
        emails.iter().filter_map(|email| employer_domain(email)).map(str::to_owned).collect()
    };
    reasons.extend((!domains(&mine).is_disjoint(&domains(&theirs))).then_some(DoubleReason::SameDomain));
    let families: Vec<String> =
        names(one).chain(names(other)).map(|name| name.family).filter(|family| family.len() > 2).collect();
    let is_named = |email: &&str| {
        employer_domain(email).is_none() && families.iter().any(|family| email.contains(family.as_str()))
    };
    reasons.extend(mine.iter().chain(&theirs).any(is_named).then_some(DoubleReason::NameInAddress));
    let holders = |person: u32| {
        rows(person)
            .filter(|row| row.is_of_file())
            .map(|row: &ImportedRow| row.holder)
            .collect::<BTreeSet<u32>>()
    };
    reasons.extend((!holders(one).is_disjoint(&holders(other))).then_some(DoubleReason::SameOwner));
    reasons.extend((mine.is_empty() || theirs.is_empty()).then_some(DoubleReason::OneWithoutAddress));
    Some(reasons)
}
