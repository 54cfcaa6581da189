//! One entry of a list: what a person is known by, made comparable, and hashed under the list's salt.

use std::fmt;

use crate::model::text::lower;
use crate::query::handle::handle_of;

/// The kind of key by which an entry names a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// Their handle on the professional network.
    LinkedinId,
    /// Their e-mail address.
    Email,
}

/// The random key of one list's hashes: the same person has another hash in another list.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Salt(pub(crate) [u8; 32]);

/// The keyed hash of a handle or an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub(crate) [u8; 32]);

/// The person that an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// By what.
    pub kind: EntryKind,
    /// Its hash.
    pub digest: Digest,
}

impl EntryKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::LinkedinId, Self::Email];

    /// Returns its name in the list and its listing.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LinkedinId => "linkedinId",
            Self::Email => "email",
        }
    }

    /// `text` in the form in which two of this kind are equal. Returns `None` if that form is empty.
    ///
    /// A handle is understood as callers may write it, inside a profile's address too, and lower-cased;
    /// an e-mail address is trimmed and lower-cased.
    #[must_use]
    pub fn normalized(self, text: &str) -> Option<String> {
        let text = text.trim();
        let normalized = match self {
            Self::LinkedinId => lower(&handle_of(text)),
            Self::Email => lower(text),
        };
        Some(normalized).filter(|normalized| !normalized.is_empty())
    }
}

impl Salt {
    /// A new one.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness to give.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut salt = [0; 32];
        getrandom::fill(&mut salt)?;
        Ok(Self(salt))
    }

    /// The entry for `text` in `organization`. Returns `None` if the normalized text is empty.
    #[must_use]
    pub fn entry(&self, organization: &str, kind: EntryKind, text: &str) -> Option<Entry> {
        let normalized = kind.normalized(text)?;
        // Neither a kind nor an organization's id holds a zero byte.
        let named = [kind.name(), organization, &normalized].join("\0");
        Some(Entry { kind, digest: Digest(*blake3::keyed_hash(&self.0, named.as_bytes()).as_bytes()) })
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
            (EntryKind::LinkedinId, &["josé", "JOSÉ", "linkedin.com/in/jos%C3%A9"], "jose"),
            (EntryKind::Email, &["ana@acme.test", "\tAna@ACME.test\n"], "ana@acme.tes"),
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
