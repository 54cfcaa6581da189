//! Likely doubles: people who may be one person but were not joined. They are proposed, never joined.

use std::collections::{BTreeMap, BTreeSet};

use crate::gather::Gathered;
use crate::identity::address::{employer_domain, is_role, mailbox};
use crate::identity::classes::Classes;
use crate::identity::ids::{PersonKey, hash};
use crate::identity::name::{PersonName, agree, are_like_families, may_be_one_given_name};
use crate::identity::rules::{Keyed, groups};
use crate::limits::IMPORT_NAMESAKES_MAX;
use crate::overriding::Resolved;
use crate::people::{GONE, ImportedPeople, each_two};
use crate::rows::{ImportedRow, NOBODY};
use crate::ties::Scoring;

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

/// A reason for or against two people being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DoubleReason {
    SameName,
    SameNameOtherwise,
    LikeName,
    PartOfName,
    TurnedName,
    SameAddress,
    SameCompany,
    OneWithoutCompany,
    OtherCompany,
    SameDomain,
    NameInAddress,
    SameOwner,
    OneWithoutAddress,
}

impl DoubleReason {
    /// The reason in words.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::SameName => "the same name",
            Self::SameNameOtherwise => "the same name, said or typed otherwise",
            Self::LikeName => "a name like it",
            Self::PartOfName => "a part of the name",
            Self::TurnedName => "the name the other way round",
            Self::SameAddress => "the same address and family name",
            Self::SameCompany => "the same company",
            Self::OneWithoutCompany => "of one no company is known",
            Self::OtherCompany => "another company",
            Self::SameDomain => "addresses at the same domain",
            Self::NameInAddress => "a private address with the name in it",
            Self::SameOwner => "both in files of the same owner",
            Self::OneWithoutAddress => "of one no address is known",
        }
    }

    /// Its contribution to the score, in hundredths.
    const fn weight(self) -> i16 {
        match self {
            Self::SameName | Self::SameAddress => 50,
            Self::SameNameOtherwise => 40,
            Self::LikeName | Self::PartOfName | Self::TurnedName => 30,
            Self::SameCompany => 20,
            Self::OneWithoutCompany => 15,
            Self::OtherCompany => -15,
            Self::SameDomain | Self::NameInAddress | Self::SameOwner => 10,
            Self::OneWithoutAddress => 5,
        }
    }
}

/// Finds likely doubles, likeliest first. Of several who may all be one, pairs that follow from others are left out.
/// Two handles, different middle names, or an override that separates them rule a pair out.
///
/// Costs a comparison for each two people with the same name; names shared by more than [`IMPORT_NAMESAKES_MAX`] people
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
        || [at_one_company(gathered, people), at_one_address(gathered, people)].concat(),
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
    let mut found: Vec<Double> = found.into_iter().map(double).collect();
    // By ids, which do not depend on the order of files.
    let ids = |double: &Double| {
        let [one, other] = [double.one, double.other].map(|person| people.ids[person as usize].id.as_str());
        (one.min(other), one.max(other))
    };
    found.sort_by(|one, other| other.score.cmp(&one.score).then_with(|| ids(one).cmp(&ids(other))));
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

/// The pairs of people, the lesser first, with the same address and family name: one person under two given names, or
/// two of a family.
fn at_one_address(gathered: &Gathered, people: &ImportedPeople) -> Vec<(u32, u32, DoubleReason)> {
    let of_file =
        people.of_row.iter().zip(&gathered.rows).filter(|(person, of)| **person != GONE && of.is_of_file());
    let mut keyed = Vec::new();
    for (person, of) in of_file {
        let family = PersonName::parse(&of.name).compared_family();
        let emails = of.emails.iter().filter(|email| !family.is_empty() && !is_role(email));
        keyed.extend(emails.map(|email| (hash(&[&mailbox(email), &family, ""]), *person)));
    }
    let pairs = |same: Vec<u32>| each_two(&same).collect::<Vec<_>>();
    with_one_key(keyed)
        .into_iter()
        .flat_map(pairs)
        .map(|(one, other)| (one, other, DoubleReason::SameAddress))
        .collect()
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

/// The groups of 2 to [`IMPORT_NAMESAKES_MAX`] people with one key, each ascending, in the order of their keys.
fn with_one_key(mut keyed: Keyed<PersonKey>) -> Vec<Vec<u32>> {
    keyed.sort_unstable();
    keyed.dedup();
    groups(&keyed)
        .filter(|(_, same)| (2..=IMPORT_NAMESAKES_MAX).contains(&same.len()))
        .map(|(_, same)| same.iter().map(|(_, person)| *person).collect())
        .collect()
}

/// The pairs of people at one company, the lesser first, with similar names, or with a name that is part of only one
/// other name there: `Sabine` of `Sabine Krause`, `M. Orr` of `Max Orr`.
fn at_one_company(gathered: &Gathered, people: &ImportedPeople) -> Vec<(u32, u32, DoubleReason)> {
    let name_of =
        |person: u32| PersonName::parse(&gathered.rows[people.people[person as usize].name as usize].name);
    let [mut given, mut family, mut words]: [Keyed<PersonKey>; 3] = Default::default();
    for (person, of) in (0..).zip(&people.people).filter(|(_, of)| of.company != 0) {
        let (name, company) = (name_of(person), of.company.to_string());
        given.push((hash(&[&company, &name.compared_given(), ""]), person));
        family.push((hash(&[&company, &name.compared_family(), ""]), person));
        if !name.family.is_empty() {
            let [one, two] = name.words();
            words.push((hash(&[&company, &one, &two]), person));
        }
    }
    // The names of a million people are long, so only those of a group are kept, parsed again.
    let named = |same: Vec<u32>| same.into_iter().map(|person| (person, name_of(person))).collect();
    let [by_given, by_family, by_words] = [given, family, words]
        .map(|keyed| with_one_key(keyed).into_iter().map(named).collect::<Vec<Vec<(u32, PersonName)>>>());
    let mut found = Vec::new();
    for same in &by_given {
        let whole = same.iter().filter(|(_, name)| !name.family.is_empty()).count();
        for (place, (one, name)) in same.iter().enumerate() {
            for (other, second) in &same[place + 1..] {
                let is_part = name.family.is_empty() != second.family.is_empty();
                if is_part && whole == 1 {
                    found.push((*one, *other, DoubleReason::PartOfName));
                } else if !is_part
                    && are_like_families(&name.family, &second.family)
                    && name.family != second.family
                {
                    found.push((*one, *other, DoubleReason::LikeName));
                }
            }
        }
    }
    for same in &by_words {
        for (place, (one, name)) in same.iter().enumerate() {
            let turned = same[place + 1..].iter().filter(|(_, second)| second.family != name.family);
            found.extend(turned.map(|(other, _)| (*one, *other, DoubleReason::TurnedName)));
        }
    }
    for same in &by_family {
        let given = |name: &PersonName| name.compared_given();
        let is_initial = |name: &PersonName| given(name).chars().count() == 1 && !name.family.is_empty();
        for (one, name) in same.iter().filter(|(_, name)| is_initial(name)) {
            let fits =
                |(_, other): &&(u32, PersonName)| !is_initial(other) && may_be_one_given_name(name, other);
            if let [(other, _)] = same.iter().filter(fits).collect::<Vec<_>>().as_slice() {
                found.push((*one.min(other), *one.max(other), DoubleReason::PartOfName));
            }
        }
    }
    found
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
