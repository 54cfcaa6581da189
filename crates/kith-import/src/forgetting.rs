//! By what a person of an import is to be forgotten: everything that any of their rows says of them.

use std::collections::HashSet;

use crate::gather::Gathered;
use crate::identity::company_key::company_key;
use crate::identity::ids::{EarlierPerson, KnownBy, PersonKey, namesakes_of, text};
use crate::identity::name::compared;
use crate::known_by::known_by;
use kith::model::text::fold;

/// One thing that a person is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgettingKey<'a> {
    /// A handle.
    Handle(&'a str),
    /// An e-mail address.
    Email(&'a str),
    /// An id.
    Id(&'a str),
    /// A name, and a company.
    NameAtCompany(&'a str, &'a str),
    /// A name, and an address that may be other people's too.
    NameWithEmail(&'a str, &'a str),
}

/// Whether a key is on the suppression list.
pub type IsForgotten<'a> = dyn Fn(&ForgettingKey<'_>) -> bool + 'a;

/// Whether a key is on the suppression list of the organization of this id.
pub type IsListed<'a> = dyn Fn(&str, &ForgettingKey<'_>) -> bool + 'a;

/// The form in which names are compared that stand beside a company: what the rules of an import join by, so that titles,
/// short forms and letters of other alphabets make no other name. Returns `None` if `name` has no letter.
#[must_use]
pub fn name_form(name: &str) -> Option<String> {
    Some(compared(name)).filter(|key| !key.is_empty())
}

/// The form in which companies are compared: folded, without a legal form. Empty if `name` names no company.
#[must_use]
pub fn company_form(name: &str) -> String {
    company_key(name)
}

/// The id that an import gives to a person who is known by a name and a company alone; the company may be empty.
#[must_use]
pub fn id_of_name(name: &str, company: &str) -> String {
    text(KnownBy::Name(&fold(name), &company_key(company)).key())
}

/// Whether an import gives `id` to one of several people who are known by this name and company alone.
#[must_use]
pub fn is_id_of_name(id: &str, name: &str, company: &str) -> bool {
    let first = KnownBy::Name(&fold(name), &company_key(company)).key();
    namesakes_of(first).any(|key| text(key) == id)
}

/// The handles and addresses, as keys, of those of last time whose id is on the list, but for addresses that others have
/// too.
pub(crate) fn forgotten_of_last_time(
    earlier: &[EarlierPerson],
    is_forgotten: &IsForgotten<'_>,
) -> HashSet<PersonKey> {
    let is_listed = |person: &&EarlierPerson| {
        [&person.id].into_iter().chain(&person.formerly).any(|id| is_forgotten(&ForgettingKey::Id(id)))
    };
    let (listed, others): (Vec<&EarlierPerson>, Vec<&EarlierPerson>) = earlier.iter().partition(is_listed);
    let mut keys: HashSet<PersonKey> =
        listed.iter().flat_map(|person| person.strong.iter().copied()).collect();
    for key in others.iter().flat_map(|person| &person.strong).filter(|_| !listed.is_empty()) {
        keys.remove(key);
    }
    keys
}

/// Whether a person of last time is to be forgotten: by an id, handle or address, or by one of the `names`, each with a
/// company.
pub(crate) fn is_earlier_forgotten(
    ids: &[&str],
    handles: &[String],
    emails: &[String],
    names: &[(&str, &str)],
    is_forgotten: &IsForgotten<'_>,
) -> bool {
    let is_id = |key: PersonKey| is_forgotten(&ForgettingKey::Id(&text(key)));
    // Which name an address stood beside is not known of several; who has a handle is not known by these two alone.
    let first = names.first().map(|(name, _)| compared(name));
    let has_one_name = names.iter().all(|(name, _)| Some(compared(name)) == first);
    let with_emails = if has_one_name || handles.is_empty() { emails } else { &[] };
    let is_named = |(name, company): &(&str, &str)| {
        is_forgotten(&ForgettingKey::NameAtCompany(name, company))
            || with_emails.iter().any(|email| is_forgotten(&ForgettingKey::NameWithEmail(name, email)))
            || handles.is_empty()
                && emails.is_empty()
                && namesakes_of(KnownBy::Name(&fold(name), &company_key(company)).key()).any(is_id)
    };
    ids.iter().any(|id| is_forgotten(&ForgettingKey::Id(id)))
        || handles.iter().any(|handle| {
            is_forgotten(&ForgettingKey::Handle(handle)) || is_id(KnownBy::Handle(handle).key())
        })
        || emails.iter().any(|email| {
            // An address may be others' too: with a handle nobody is known by it alone.
            is_forgotten(&ForgettingKey::Email(email))
                || handles.is_empty() && is_id(KnownBy::Address(email).key())
        })
        || names.iter().any(is_named)
}

/// Whether the person of the rows `members` is to be forgotten: by any handle, address, name with company or id that one of
/// the rows has, or would have by itself. `known` are the keys of those of last time who are to be forgotten by their ids.
pub(crate) fn is_person_forgotten(
    gathered: &Gathered,
    members: &[u32],
    shared: &HashSet<&str>,
    known: &HashSet<PersonKey>,
    is_forgotten: &IsForgotten<'_>,
) -> bool {
    let mut rows = members.iter().map(|row| &gathered.rows[*row as usize]);
    let is_row_forgotten = rows.any(|row| {
        let companies = &gathered.companies;
        let group = companies.group(row.company);
        let mut spellings = [companies.spelling(row.company), &companies.company(group).name].into_iter();
        row.handles().any(|handle| is_forgotten(&ForgettingKey::Handle(handle)))
            || row.emails.iter().any(|email| {
                is_forgotten(&ForgettingKey::Email(email))
                    || is_forgotten(&ForgettingKey::NameWithEmail(&row.name, email))
            })
            || spellings.any(|company| is_forgotten(&ForgettingKey::NameAtCompany(&row.name, company)))
    });
    is_row_forgotten || {
        let own = known_by(gathered, members, shared);
        let is_listed = |key: PersonKey| is_forgotten(&ForgettingKey::Id(&text(key)));
        match (own.strong.as_slice(), own.keys.first()) {
            // Nothing sets apart those who are known by one name alone, and which file is gone decides who is the first.
            ([], Some(first)) => namesakes_of(*first).any(is_listed),
            (strong, _) => strong.iter().any(|key| known.contains(key) || is_listed(*key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists hold hashes of these forms. If a rule changes one, a list that was made before names that person no more: then lists
    /// need another version, whose reader compares in both.
    #[test]
    fn the_forms_that_lists_hash_are_those_of_their_version() {
        for (name, company, form) in [
            ("Kasia Å-Kowalska", "Żak Sp. z o.o.", "katarzyna akowalska|zak"),
            ("Katarzyna Kowalska", "The Fjord Group AS", "katarzyna kowalska|fjord group"),
            ("Dr. Jörg Müller, MBA", "Müller & Söhne GmbH", "jorg muller|muller and sohne"),
            ("Müller, Jörg", "Cirrus.io", "jorg muller|cirrusio"),
            ("山田 太郎", "株式会社青空", "山田太郎 |青空"),
            ("Tom", "Umbra", "tom|umbra"),
        ] {
            let key = name_form(name).unwrap_or_default().replace('\u{1f}', " ");
            assert_eq!(format!("{key}|{}", company_form(company)), form, "{name} at {company}");
        }
    }
}
