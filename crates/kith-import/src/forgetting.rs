//! The keys by which a person of an import can be forgotten: everything their rows contain.

use std::collections::HashSet;

use crate::gather::Gathered;
use crate::identity::company_key::company_key;
use crate::identity::ids::{EarlierPerson, KnownBy, PersonKey, namesakes_of, text};
use crate::identity::name::compared;
use crate::known_by::known_by;
use kith::model::text::fold;

/// A key of a person.
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
    /// A name, and an address that may be shared.
    NameWithEmail(&'a str, &'a str),
}

/// Whether a key is on the suppression list.
pub type IsForgotten<'a> = dyn Fn(&ForgettingKey<'_>) -> bool + 'a;

/// Whether a key is on the suppression list of the organization with this id.
pub type IsListed<'a> = dyn Fn(&str, &ForgettingKey<'_>) -> bool + 'a;

/// The form for comparing names beside a company: the one by which the rules of an import join, so that titles, short
/// forms and letters of other alphabets make no difference. `None` if `name` has no letter.
#[must_use]
pub fn name_form(name: &str) -> Option<String> {
    Some(compared(name)).filter(|key| !key.is_empty())
}

/// The form for comparing companies: folded, without a legal form. Empty if `name` names no company.
#[must_use]
pub fn company_form(name: &str) -> String {
    company_key(name)
}

/// The id that an import gives to a person known only by a name and a company, which may be empty.
#[must_use]
pub fn id_of_name(name: &str, company: &str) -> String {
    text(KnownBy::Name(&fold(name), &company_key(company)).key())
}

/// Whether `id` can be the id of one of several people known only by this name and company.
#[must_use]
pub fn is_id_of_name(id: &str, name: &str, company: &str) -> bool {
    let first = KnownBy::Name(&fold(name), &company_key(company)).key();
    namesakes_of(first).any(|key| text(key) == id)
}

/// The handles and addresses, as keys, of people of the last import whose id is on the list, except shared addresses.
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

/// Whether to forget a person of the last import: by an id, handle or address, or by one of the `names`, each with a
/// company.
pub(crate) fn is_earlier_forgotten(
    ids: &[&str],
    handles: &[String],
    emails: &[String],
    names: &[(&str, &str)],
    is_forgotten: &IsForgotten<'_>,
) -> bool {
    let is_id = |key: PersonKey| is_forgotten(&ForgettingKey::Id(&text(key)));
    // With several names, it is unknown which of them went with the address; a person with a handle is not identified
    // by name and address.
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
            // The address may be shared: with a handle, it does not identify a person by itself.
            is_forgotten(&ForgettingKey::Email(email))
                || handles.is_empty() && is_id(KnownBy::Address(email).key())
        })
        || names.iter().any(is_named)
}

/// Whether to forget the person of the rows `members`: by any handle, address, name with company or id that a row has,
/// or would have by itself. `known` are the keys of people of the last import whose id is on the list.
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
        let bare = row.bare_name().map(|name| KnownBy::Name(&fold(name), "").key());
        bare.is_some_and(|key| namesakes_of(key).any(|key| is_forgotten(&ForgettingKey::Id(&text(key)))))
            || row.handles().any(|handle| is_forgotten(&ForgettingKey::Handle(handle)))
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
            // Nothing distinguishes people known only by one name, and which of them is the first depends on the files
            // that are missing.
            ([], Some(first)) => namesakes_of(*first).any(is_listed),
            (strong, _) => strong.iter().any(|key| known.contains(key) || is_listed(*key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists contain hashes of these forms. If a rule changes a form, existing lists no longer name that person: then
    /// lists need another version, whose reader compares in both forms.
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
