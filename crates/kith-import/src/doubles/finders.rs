//! Finds people with names that are alike, or of whom more than the name is the same.

use crate::doubles::reason::DoubleReason;
use crate::gather::Gathered;
use crate::identity::address::{is_role, mailbox};
use crate::identity::ids::{PersonKey, hash};
use crate::identity::name::{PersonName, are_like_families, have_like_families, may_be_one_given_name};
use crate::identity::rules::{Keyed, groups};
use crate::limits::IMPORT_NAMESAKES_MAX;
use crate::people::{GONE, ImportedPeople, each_two};
use crate::rows::NOBODY;

/// The pairs of people with other names who may be one, the lesser first, each by what is alike.
pub(super) fn by_other_names(gathered: &Gathered, people: &ImportedPeople) -> Vec<(u32, u32, DoubleReason)> {
    let company = |person: u32| Some(people.people[person as usize].company).filter(|company| *company != 0);
    let at_companies = at_one_place(gathered, people, &|person| company(person).into_iter().collect());
    let others = [at_one_address, with_one_phone, of_one_owner].map(|find| find(gathered, people));
    [vec![at_companies], others.into()].concat().concat()
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

/// The pairs of people, the lesser first, with the same phone number and a name in common or alike.
fn with_one_phone(gathered: &Gathered, people: &ImportedPeople) -> Vec<(u32, u32, DoubleReason)> {
    let mut keyed: Keyed<u32> = Vec::new();
    for (person, of) in people.of_row.iter().zip(&gathered.rows).filter(|(person, _)| **person != GONE) {
        keyed.extend(of.phones.iter().map(|phone| (*phone, *person)));
    }
    let name_of =
        |person: u32| PersonName::parse(&gathered.rows[people.people[person as usize].name as usize].name);
    let is_like = |(one, other): &(u32, u32)| {
        let (one, other) = (name_of(*one), name_of(*other));
        one.compared_given() == other.compared_given()
            || !one.family.is_empty() && one.compared_family() == other.compared_family()
            || are_like_families(&one.family, &other.family)
    };
    let pairs = |same: Vec<u32>| each_two(&same).filter(is_like).collect::<Vec<_>>();
    let found = with_one_key(keyed).into_iter().flat_map(pairs);
    found.map(|(one, other)| (one, other, DoubleReason::SamePhone)).collect()
}

/// The pairs of people whom one owner knows, the lesser first, with similar names or the same one turned round, of whom
/// a company of one is unknown.
fn of_one_owner(gathered: &Gathered, people: &ImportedPeople) -> Vec<(u32, u32, DoubleReason)> {
    let has_company = |person: u32| people.people[person as usize].company != 0;
    if (0..people.people.len() as u32).all(has_company) {
        return Vec::new();
    }
    let owners = |person: u32| {
        let rows = people.rows(person).iter().map(|row| gathered.rows[*row as usize].tie);
        let mut owners: Vec<u32> = rows.filter(|tie| *tie != NOBODY).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    };
    let mut found = at_one_place(gathered, people, &owners);
    found.retain(|(one, other, like)| {
        *like != DoubleReason::PartOfName && !(has_company(*one) && has_company(*other))
    });
    found
}

/// The groups of 2 to [`IMPORT_NAMESAKES_MAX`] people with one key, each ascending, in the order of their keys.
pub(super) fn with_one_key<K: Ord + PartialEq>(mut keyed: Keyed<K>) -> Vec<Vec<u32>> {
    keyed.sort_unstable();
    keyed.dedup();
    groups(&keyed)
        .filter(|(_, same)| (2..=IMPORT_NAMESAKES_MAX).contains(&same.len()))
        .map(|(_, same)| same.iter().map(|(_, person)| *person).collect())
        .collect()
}

/// The pairs of people at one of the same `places`, the lesser first, with similar names, or with a name that is part of
/// only one other name there: `Sabine` of `Sabine Krause`, `M. Orr` of `Max Orr`.
fn at_one_place(
    gathered: &Gathered,
    people: &ImportedPeople,
    places: &dyn Fn(u32) -> Vec<u32>,
) -> Vec<(u32, u32, DoubleReason)> {
    let name_of =
        |person: u32| PersonName::parse(&gathered.rows[people.people[person as usize].name as usize].name);
    let [mut given, mut family, mut words]: [Keyed<PersonKey>; 3] = Default::default();
    for person in 0..people.people.len() as u32 {
        for place in places(person).iter().map(u32::to_string) {
            let name = name_of(person);
            given.push((hash(&[&place, &name.compared_given(), ""]), person));
            family.push((hash(&[&place, &name.compared_family(), ""]), person));
            if !name.family.is_empty() {
                let [one, two] = name.words();
                words.push((hash(&[&place, &one, &two]), person));
            }
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
                } else if !is_part && name.family != second.family && have_like_families(name, second) {
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
