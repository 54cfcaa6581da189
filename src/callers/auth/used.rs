//! When credentials of the store were last used, recorded in memory by the verifier.

use std::collections::HashMap;
use std::mem;

use crate::auth::secret::CredentialKind;

/// When each credential was last accepted, by id, in milliseconds since 1970. Has at most as many entries as the store
/// has credentials.
#[derive(Debug, Default)]
pub(crate) struct Used {
    keys: HashMap<String, i64>,
    tokens: HashMap<String, i64>,
}

impl Used {
    /// Records that the credential `id` was accepted at `millis`. Allocates only on its first use.
    pub(crate) fn note(&mut self, kind: CredentialKind, id: &str, millis: i64) {
        let times = self.times(kind);
        match times.get_mut(id) {
            Some(last) => *last = millis.max(*last),
            None => drop(times.insert(id.to_owned(), millis)),
        }
    }

    /// Adds the records of `other`.
    pub(crate) fn merge(&mut self, other: Self) {
        for (id, millis) in other.keys {
            self.note(CredentialKind::OrganizationKey, &id, millis);
        }
        for (id, millis) in other.tokens {
            self.note(CredentialKind::UserToken, &id, millis);
        }
    }

    /// Returns the records, and clears them.
    pub(crate) fn take(&mut self) -> Self {
        mem::take(self)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.tokens.is_empty()
    }

    /// When each credential was last accepted, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CredentialKind, &str, i64)> {
        let keys =
            self.keys.iter().map(|(id, &millis)| (CredentialKind::OrganizationKey, id.as_str(), millis));
        let tokens = self.tokens.iter().map(|(id, &millis)| (CredentialKind::UserToken, id.as_str(), millis));
        keys.chain(tokens)
    }

    fn times(&mut self, kind: CredentialKind) -> &mut HashMap<String, i64> {
        match kind {
            CredentialKind::OrganizationKey => &mut self.keys,
            CredentialKind::UserToken => &mut self.tokens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_times_the_last_counts_wherever_it_was_noted() {
        let (mut here, mut there) = (Used::default(), Used::default());
        here.note(CredentialKind::OrganizationKey, "a", 2);
        here.note(CredentialKind::OrganizationKey, "a", 1);
        here.note(CredentialKind::UserToken, "a", 7);
        there.note(CredentialKind::OrganizationKey, "a", 3);
        there.note(CredentialKind::UserToken, "a", 6);
        there.note(CredentialKind::UserToken, "b", 1);
        here.merge(there.take());
        assert!(there.is_empty());
        let mut noted: Vec<_> = here.iter().map(|(kind, id, millis)| (kind.prefix(), id, millis)).collect();
        noted.sort_unstable();
        assert_eq!(noted, [("service_at_", "a", 7), ("service_at_", "b", 1), ("service_sk_", "a", 3)]);
    }
}
