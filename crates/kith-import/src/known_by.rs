//! The keys of a person: they make ids, and find the people of the last import.

use std::collections::HashSet;

use crate::gather::Gathered;
use crate::identity::ids::{KnownBy, PersonKey};
use kith::model::text::fold;

/// The keys of a person.
pub(crate) struct KnownKeys {
    pub(crate) keys: Vec<PersonKey>,
    pub(crate) strong: Vec<PersonKey>,
}

/// The keys of the person of the rows `members`: handles, unshared addresses, names with companies.
pub(crate) fn known_by(gathered: &Gathered, members: &[u32], shared: &HashSet<&str>) -> KnownKeys {
    let rows = || members.iter().map(|row| &gathered.rows[*row as usize]);
    let mut handles: Vec<&str> = rows().map(|row| &*row.handle).filter(|handle| !handle.is_empty()).collect();
    let mut addresses: Vec<&str> = rows()
        .flat_map(|row| row.emails.iter().map(AsRef::as_ref))
        .filter(|email| !shared.contains(email))
        .collect();
    let mut names: Vec<(String, &str)> = rows()
        .filter(|row| !row.name.is_empty())
        .map(|row| (fold(&row.name), gathered.companies.own_key(row.company)))
        .collect();
    handles.sort_unstable();
    addresses.sort_unstable();
    // A name with a company is more specific than a name.
    names.sort_unstable_by(|one, other| (one.1.is_empty(), one).cmp(&(other.1.is_empty(), other)));
    let strong = handles.into_iter().map(KnownBy::Handle).chain(addresses.into_iter().map(KnownBy::Address));
    let mut strong: Vec<PersonKey> = strong.map(KnownBy::key).collect();
    strong.dedup();
    let mut keys = strong.clone();
    keys.extend(names.iter().map(|(name, company)| KnownBy::Name(name, company).key()));
    keys.dedup();
    KnownKeys { keys, strong }
}
