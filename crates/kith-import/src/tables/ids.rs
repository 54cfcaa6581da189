//! Ids of organizations, members and companies.

use std::collections::{BTreeSet, HashMap};

use crate::gather::Gathered;
use crate::identity::ids::hash;
use crate::people::ImportedPeople;
use crate::plan::ImportPlan;
use crate::tables::earlier::EarlierTables;
use kith::limits::ID_BYTES_MAX;
use kith::model::text::fold;

/// The id of the organization: the configured one, else from its name.
#[must_use]
pub fn organization_id(plan: &ImportPlan) -> String {
    plan.organization_id.clone().unwrap_or_else(|| format!("org_{}", slug(&plan.organization)))
}

/// User ids by holder position, empty for holders who are not members. A member keeps the id of the last import;
/// a new one gets it from the name, with a number if several share it.
pub(crate) fn user_ids(plan: &ImportPlan, people: &ImportedPeople, earlier: &EarlierTables) -> Vec<String> {
    let mut ids = vec![String::new(); plan.holders.len()];
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (place, holder) in plan.holders.iter().enumerate().filter(|(_, holder)| holder.is_member()) {
        let _ = holder;
        let person = people.holder(place as u32);
        let of = people.ids.get(person as usize);
        let known = of
            .and_then(|ids| [&ids.id].into_iter().chain(&ids.formerly).find_map(|id| earlier.users.get(id)));
        if let Some(known) = known.filter(|known| !taken.contains(known.as_str())) {
            taken.insert(known.clone());
            ids[place].clone_from(known);
        }
    }
    let mut new: Vec<usize> =
        (0..ids.len()).filter(|place| ids[*place].is_empty() && plan.holders[*place].is_member()).collect();
    new.sort_unstable_by_key(|place| (slug(&plan.holders[*place].name), plan.holders[*place].emails.clone()));
    for place in new {
        let name = slug(&plan.holders[place].name);
        let mut id = format!("user_{name}");
        let mut number = 2;
        while taken.contains(&id) {
            id = format!("user_{name}-{number}");
            number += 1;
        }
        taken.insert(id.clone());
        ids[place] = id;
    }
    ids
}

/// The id of each company of a person, and of the organization's `own`, by number: the id of the last import, or
/// else the hash of its key.
pub(crate) fn company_ids(
    gathered: &Gathered,
    people: &ImportedPeople,
    own: u32,
    earlier: &EarlierTables,
) -> HashMap<u32, String> {
    let used = people.people.iter().map(|person| person.company).chain([own]);
    let used: BTreeSet<u32> = used.filter(|group| *group != 0).collect();
    let mut ids = HashMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for group in &used {
        let company = gathered.companies.company(*group);
        let known = company.keys.iter().filter_map(|key| earlier.companies.get(key)).min();
        if let Some(id) = known.filter(|id| taken.insert((*id).clone())) {
            ids.insert(*group, id.clone());
        }
    }
    for group in used.iter().filter(|group| !ids.contains_key(*group)).copied().collect::<Vec<_>>() {
        let key = &gathered.companies.company(group).key;
        let mut id = format!("company_{:020x}", hash(&["company", key, ""]));
        let mut number = 2_u32;
        while !taken.insert(id.clone()) {
            id = format!("company_{:020x}", hash(&["company", key, &number.to_string()]));
            number += 1;
        }
        ids.insert(group, id);
    }
    ids
}

/// `name` as a part of an id: folded letters and digits, with hyphens between.
fn slug(name: &str) -> String {
    let folded = fold(name);
    let words = folded.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = words.collect::<Vec<_>>().join("-");
    let mut end = slug.len().min(ID_BYTES_MAX / 2);
    while !slug.is_char_boundary(end) {
        end -= 1;
    }
    slug.truncate(end);
    if slug.is_empty() { format!("{:020x}", hash(&["slug", name, ""])) } else { slug }
}
