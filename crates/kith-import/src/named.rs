//! The person whom a line of the team file names.

use crate::gather::Gathered;
use crate::note::ImportNote;
use crate::people::ImportedPeople;
use crate::profile::handle_in;
use kith::model::text::fold;

/// The person whom `text` names by an id, an address, a profile or a name that one person alone has. If it is none, a note
/// says so of the `place`.
pub(crate) fn named(
    text: &str,
    place: &str,
    gathered: &Gathered,
    people: &ImportedPeople,
    notes: &mut Vec<ImportNote>,
) -> Option<u32> {
    let (lower, handle, name) = (text.to_lowercase(), handle_in(text), fold(text));
    let is_known = |person: u32| {
        let ids = &people.ids[person as usize];
        ids.id == text
            || ids.formerly.iter().any(|id| id == text)
            || people.rows(person).iter().any(|row| {
                let of = &gathered.rows[*row as usize];
                of.emails.iter().any(|email| **email == *lower)
                    || of.handles().any(|own| own == lower || handle.as_deref() == Some(own))
            })
    };
    let is_named =
        |person: u32| people.rows(person).iter().any(|row| fold(&gathered.rows[*row as usize].name) == name);
    let all = || 0..people.people.len() as u32;
    let mut known: Vec<u32> = all().filter(|person| is_known(*person)).take(2).collect();
    if known.is_empty() {
        known = all().filter(|person| is_named(*person)).take(2).collect();
    }
    match known.as_slice() {
        [person] => return Some(*person),
        // Not the name: the person may be one who is to be forgotten.
        [] => notes.push(ImportNote::sentence(format!("{place}: no row is of that person"))),
        _ => notes.push(ImportNote::sentence(format!(
            "{place}: several people are called so; give the address or the profile"
        ))),
    }
    None
}
