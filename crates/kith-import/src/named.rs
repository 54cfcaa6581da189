//! Finds the person whom a line of the team file names.

use crate::gather::Gathered;
use crate::note::ImportNote;
use crate::people::ImportedPeople;
use crate::profile::handle_in;
use crate::rows::ImportedRow;
use crate::tables::absent::MissingPerson;
use crate::tables::earlier::IdentityLine;
use kith::model::text::fold;

/// The people whom a line of the team file may name: those of today's files, then the `kept` ones of the last
/// import.
pub(crate) struct NameablePeople<'a> {
    pub(crate) gathered: &'a Gathered,
    pub(crate) people: &'a ImportedPeople,
    pub(crate) kept: &'a [MissingPerson],
}

impl NameablePeople<'_> {
    /// The number of the person whom `text` names by an id, an address, a profile or a unique name. If there is none,
    /// adds a note about the `place`.
    pub(crate) fn person(&self, text: &str, place: &str, notes: &mut Vec<ImportNote>) -> Option<u32> {
        let (lower, handle, name) = (text.to_lowercase(), handle_in(text), fold(text));
        let is_handle = |own: &str| own == lower || handle.as_deref() == Some(own);
        let is_known = |person: u32| {
            let ids = &self.people.ids[person as usize];
            ids.id == text
                || ids.formerly.iter().any(|id| id == text)
                || self.rows(person).any(|row| {
                    row.emails.iter().any(|email| **email == *lower) || row.handles().any(is_handle)
                })
        };
        let is_kept = |person: &MissingPerson| {
            let IdentityLine { id, handles, emails, formerly, .. } = &person.identity;
            id == text
                || formerly.iter().any(|id| id == text)
                || emails.contains(&lower)
                || handles.iter().any(|own| is_handle(own))
        };
        let mut known = self.both(is_known, is_kept);
        if known.is_empty() {
            known = self.both(
                |person| self.rows(person).any(|row| fold(&row.name) == name),
                |person| fold(&person.name) == name,
            );
        }
        match known.as_slice() {
            [person] => return Some(*person),
            // Not the name: the person may be one to be forgotten.
            [] => notes.push(ImportNote::sentence(format!("{place}: no row is of that person"))),
            _ => notes.push(ImportNote::sentence(format!(
                "{place}: several people are called so; give the address or the profile"
            ))),
        }
        None
    }

    /// The first two people who fit.
    fn both(&self, is_it: impl Fn(u32) -> bool, is_kept: impl Fn(&MissingPerson) -> bool) -> Vec<u32> {
        let people = self.people.people.len() as u32;
        let kept = self.kept.iter().zip(people..).filter(|(person, _)| is_kept(person));
        (0..people).filter(|person| is_it(*person)).chain(kept.map(|(_, number)| number)).take(2).collect()
    }

    fn rows(&self, person: u32) -> impl Iterator<Item = &ImportedRow> {
        self.people.rows(person).iter().map(|row| &self.gathered.rows[*row as usize])
    }
}
