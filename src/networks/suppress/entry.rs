//! One entry of a list: a person's key, normalized, and hashed with the list's salt.

use std::fmt;

use crate::model::named::named;
use crate::model::text::{composed_lower, lower};
use crate::query::handle::handle_of;
use kith_import::forgetting::{ForgettingKey, company_form, name_form};

/// The kind of key by which an entry names a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// Their handle on the professional network.
    LinkedinId,
    /// Their e-mail address.
    Email,
    /// Their id.
    Person,
    /// Their name together with a company, or with an address shared with others. A name alone names nobody.
    Name,
}

named! {
    /// Each kind.
    EntryKind { LinkedinId = "linkedinId", Email = "email", Person = "person", Name = "name" }
}

/// The random key of one list's hashes: the same person has another hash in another list.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Salt(pub(crate) [u8; 32]);

/// The keyed hash of a handle or an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub(crate) [u8; 32]);

/// The person named by an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The kind of identifier.
    pub kind: EntryKind,
    /// Its hash.
    pub digest: Digest,
}

impl EntryKind {
    /// `text` in the normalized form for comparisons of this kind; `None` if that form is empty.
    ///
    /// A handle may be inside a profile's URL; it and an e-mail address are composed (NFC) and lower-cased, and the
    /// domain of an address is written in ASCII. [`Self::of_key`] makes the form of a name with a company.
    #[must_use]
    pub fn normalized(self, text: &str) -> Option<String> {
        let text = text.trim();
        let normalized = match self {
            Self::LinkedinId => composed_lower(&handle_of(text)),
            Self::Email => comparable_address(text),
            Self::Person | Self::Name => text.to_owned(),
        };
        Some(normalized).filter(|normalized| !normalized.is_empty())
    }

    /// The kind of `key`, and its normalized form; `None` if the key names nobody.
    #[must_use]
    pub fn of_key(key: &ForgettingKey<'_>) -> Option<(Self, String)> {
        let named = |name, beside: Option<String>| {
            let beside = beside.filter(|beside| !beside.is_empty())?;
            Some((Self::Name, format!("{}{NAME_END}{beside}", name_form(name)?)))
        };
        let single = |kind: Self, text| Some((kind, kind.normalized(text)?));
        match *key {
            ForgettingKey::Handle(handle) => single(Self::LinkedinId, handle),
            ForgettingKey::Email(email) => single(Self::Email, email),
            ForgettingKey::Id(id) => single(Self::Person, id),
            ForgettingKey::NameAtCompany(name, company) => named(name, Some(company_form(company))),
            ForgettingKey::NameWithEmail(name, email) => named(name, Self::Email.normalized(email)),
        }
    }

    /// The form hashed in lists of version 1, if it differs from [`Self::normalized`].
    fn formerly_normalized(self, text: &str) -> Option<String> {
        let text = text.trim();
        let lowered = match self {
            Self::LinkedinId => lower(&handle_of(text)),
            Self::Email => lower(text),
            Self::Person | Self::Name => return None,
        };
        (self.normalized(text).as_ref() != Some(&lowered)).then_some(lowered)
    }
}

/// Separates a name from the company or the address beside it; neither contains it.
const NAME_END: char = '\u{1f}';

/// The address `text` composed and lower-cased, its domain in ASCII.
fn comparable_address(text: &str) -> String {
    let address = composed_lower(text);
    match address.rsplit_once('@').filter(|(_, domain)| !domain.is_ascii()) {
        Some((local, domain)) => idna::domain_to_ascii(domain)
            .map_or_else(|_| address.clone(), |domain| format!("{local}@{domain}")),
        None => address,
    }
}

impl Salt {
    /// A new random salt.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness to give.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut salt = [0; 32];
        getrandom::fill(&mut salt)?;
        Ok(Self(salt))
    }

    /// The entry for `text` in `organization`; `None` if the normalized text is empty.
    #[must_use]
    pub fn entry(&self, organization: &str, kind: EntryKind, text: &str) -> Option<Entry> {
        kind.normalized(text).map(|normalized| self.entry_of_form(organization, kind, &normalized))
    }

    /// The entry for a normalized text.
    #[must_use]
    pub fn entry_of_form(&self, organization: &str, kind: EntryKind, form: &str) -> Entry {
        // Neither a kind nor an organization's id contains a zero byte.
        let named = [kind.name(), organization, form].join("\0");
        Entry { kind, digest: Digest(*blake3::keyed_hash(&self.0, named.as_bytes()).as_bytes()) }
    }

    /// The entries that may name the person with `key`: of its form, and of the form of version 1.
    pub(crate) fn entries(&self, organization: &str, key: &ForgettingKey<'_>) -> impl Iterator<Item = Entry> {
        let former = match *key {
            ForgettingKey::Handle(handle) => EntryKind::LinkedinId.formerly_normalized(handle),
            ForgettingKey::Email(email) => EntryKind::Email.formerly_normalized(email),
            _ => None,
        };
        let of_form = |(kind, form): (EntryKind, String)| {
            let former = former.map(|former| self.entry_of_form(organization, kind, &former));
            [Some(self.entry_of_form(organization, kind, &form)), former]
        };
        EntryKind::of_key(key).map(of_form).into_iter().flatten().flatten()
    }
}

impl Digest {
    /// The first eight hexadecimal digits: enough to distinguish the entries of a listing.
    #[must_use]
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(8);
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(withheld)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_the_same_however_their_handle_or_address_is_written() {
        let salt = Salt([7; 32]);
        let entry = |kind, text| salt.entry("org_a", kind, text);
        for (kind, same, other) in [
            (
                EntryKind::LinkedinId,
                &["ana-m", " ANA-M ", "https://www.linkedin.com/in/Ana-M/?x=1"][..],
                "ana-n",
            ),
            (EntryKind::LinkedinId, &["josé", "JOSÉ", "linkedin.com/in/jos%C3%A9", "jose\u{301}"], "jose"),
            (EntryKind::LinkedinId, &["ΟΔΟΣ", "οδος", "οδοσ"], "οδο"),
            (EntryKind::Email, &["ana@acme.test", "\tAna@ACME.test\n"], "ana@acme.tes"),
            (
                EntryKind::Email,
                &["ana@bücher.test", "Ana@XN--BCHER-KVA.test", "ana@bu\u{308}cher.TEST"],
                "ana@bucher.test",
            ),
        ] {
            let first = entry(kind, same[0]);
            assert!(first.is_some());
            assert!(same.iter().all(|text| entry(kind, text) == first), "{same:?}");
            assert!(entry(kind, other) != first, "{other}");
        }
        assert_eq!([entry(EntryKind::Email, " "), entry(EntryKind::LinkedinId, "")], [None, None]);
    }

    #[test]
    fn a_hash_is_bound_to_the_list_the_organization_and_the_kind() {
        let digest = |salt: u8, organization, kind| {
            Salt([salt; 32]).entry(organization, kind, "ana@acme.test").map(|entry| entry.digest)
        };
        let first = digest(1, "org_a", EntryKind::Email);
        assert_eq!(first, digest(1, "org_a", EntryKind::Email));
        for other in [
            digest(2, "org_a", EntryKind::Email),
            digest(1, "org_b", EntryKind::Email),
            digest(1, "org_a", EntryKind::LinkedinId),
        ] {
            assert!(first != other);
        }
        assert!(format!("{:?}", Salt([171; 32])).contains("withheld"));
    }
}
