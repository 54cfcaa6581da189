//! The hashes of all keys of a network's people, kept so that a change of the list costs a look-up for each entry, and
//! no hash for each person.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::model::dataset::Dataset;
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;
use crate::suppress::entry::{Digest, EntryKind, Salt};
use crate::suppress::list::{SuppressionList, Suppressions, any_key};

/// The hashes of one network's people under the salt of one list. Each kind of key is hashed when it is needed first.
#[derive(Debug, Default)]
pub(crate) struct PeopleHashes(Mutex<Hashed>);

/// The hashes made so far.
#[derive(Debug, Default)]
struct Hashed {
    salt: Salt,
    /// Hashes by kind, in the order of [`EntryKind::ALL`].
    kinds: [Option<Arc<[KeyHash]>>; EntryKind::ALL.len()],
}

/// The start of a key's hash, in the upper half, and the number of the person who has the key. Ascending.
type KeyHash = u64;

impl PeopleHashes {
    /// The numbers of the people in `dataset`, the same one each time, whom `wanted` names by any of their keys,
    /// ascending. Costs a look-up for each entry; the first time also a hash for each key of its kind, on all cores.
    #[must_use]
    pub(crate) fn named_by(&self, dataset: &Dataset, wanted: &Suppressions) -> Vec<u32> {
        let mut people = Vec::new();
        for kind in wanted.kinds() {
            let hashes = self.of_kind(dataset, wanted.salt(), wanted.organization(), kind);
            for digest in wanted.digests(kind) {
                let start = start_of(digest);
                let first = hashes.partition_point(|hash| *hash < start);
                let same = hashes[first..].iter().take_while(|hash| **hash >> 32 == start >> 32);
                people.extend(same.map(|hash| *hash as u32));
            }
        }
        people.sort_unstable();
        people.dedup();
        // Two hashes may start alike.
        people.retain(|person| wanted.names_person(dataset, PersonIx(*person)));
        people
    }

    /// Makes the hashes for changes of `list`. Names cost most, so they are hashed only if `list` already has one.
    pub(crate) fn prepare(&self, dataset: &Dataset, list: &SuppressionList) {
        let organization = &dataset.organization.id;
        let has_names = list.of(organization).is_some_and(|of| of.kinds().contains(&EntryKind::Name));
        for kind in EntryKind::ALL.into_iter().filter(|kind| *kind != EntryKind::Name || has_names) {
            self.of_kind(dataset, list.salt, organization, kind);
        }
    }

    /// The hashes of the rest of the people, by their new numbers.
    #[must_use]
    pub(crate) fn without_others(&self, people: &Kept) -> Self {
        let hashed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = |hash: &KeyHash| {
            let PersonIx(person) = people.number(PersonIx(*hash as u32))?;
            Some(hash >> 32 << 32 | u64::from(person))
        };
        let kinds =
            hashed.kinds.each_ref().map(|hashes| Some(hashes.as_ref()?.iter().filter_map(kept).collect()));
        Self(Mutex::new(Hashed { salt: hashed.salt, kinds }))
    }

    /// Memory of the hashes, in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let hashed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hashed.kinds.iter().flatten().map(|hashes| size_of_val(&**hashes)).sum()
    }

    fn of_kind(&self, dataset: &Dataset, salt: Salt, organization: &str, kind: EntryKind) -> Arc<[KeyHash]> {
        let mut hashed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hashed.salt != salt {
            *hashed = Hashed { salt, ..Hashed::default() };
        }
        let hashes = hashed.kinds[kind as usize].get_or_insert_with(|| {
            let of_person = |person: u32| {
                let mut hashes = Vec::new();
                any_key(dataset, PersonIx(person), &[kind], |key| {
                    let entries = salt.entries(organization, key);
                    hashes.extend(entries.map(|entry| start_of(&entry.digest) | u64::from(person)));
                    false
                });
                hashes
            };
            let mut hashes: Vec<KeyHash> =
                (0..dataset.people.len() as u32).into_par_iter().flat_map_iter(of_person).collect();
            hashes.par_sort_unstable();
            hashes.into()
        });
        Arc::clone(hashes)
    }
}

impl Suppressions {
    /// The numbers of the people in `dataset` whom an entry names by any of their keys, ascending. Costs a hash for
    /// each key of a kind that has entries, on all cores.
    #[must_use]
    pub fn named_in(&self, dataset: &Dataset) -> Vec<u32> {
        PeopleHashes::default().named_by(dataset, self)
    }
}

/// The first four bytes of `digest` as the upper half of a number.
fn start_of(digest: &Digest) -> u64 {
    let [a, b, c, d, ..] = digest.0;
    u64::from(u32::from_be_bytes([a, b, c, d])) << 32
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::model::aliases::AliasColumn;
    use crate::model::column::{ColumnFull, TextColumn};
    use crate::model::time::Timestamp;
    use crate::prepare::without::without;
    use kith::sketch;

    const ORGANIZATION: &str = "org_hashed";
    const PEOPLE: u32 = 40;
    const NOW: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 0 };

    /// People with a handle and a company each, every third with an address that the next third also has, and every
    /// fifth with the handle of a former profile.
    fn dataset() -> Result<Dataset, ColumnFull> {
        let lines: Vec<String> =
            (0..PEOPLE).map(|person| format!("p{person} @ acme{}", person % 7)).collect();
        let mut dataset = sketch::dataset(&format!("member ann\n{}", lines.join("\n")));
        let all = 0..dataset.people.len() as u32;
        let email =
            |person| if person % 3 == 0 { format!("p{}@Acme.test", person / 6) } else { String::new() };
        let emails: Vec<String> = all.clone().map(email).collect();
        let former: Vec<u32> = all.filter(|person| person % 5 == 0).collect();
        let handles: Vec<String> = former.iter().map(|person| format!("İ{person}")).collect();
        dataset.people.emails = TextColumn::from_texts(emails.iter().map(String::as_str))?;
        dataset.people.aliases.handles = AliasColumn {
            people: former.into_iter().map(PersonIx).collect(),
            texts: TextColumn::from_texts(handles.iter().map(String::as_str))?,
        };
        dataset.organization.id = ORGANIZATION.to_owned();
        Ok(dataset)
    }

    /// A list that names each person of `dataset` by the kind and with the chance that `seed` draws.
    fn drawn(dataset: &Dataset, salt: Salt, seed: u64) -> SuppressionList {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut list = SuppressionList::new(salt);
        for person in 0..dataset.people.len() as u32 {
            let kind = EntryKind::ALL[dice.next_u32() as usize % EntryKind::ALL.len()];
            any_key(dataset, PersonIx(person), &[kind], |key| {
                let entry = salt.entries(ORGANIZATION, key).last().filter(|_| dice.next_u32() % 4 == 0);
                entry.is_some_and(|entry| list.add(ORGANIZATION, entry, NOW))
            });
        }
        list
    }

    /// Hashes made for one list are used for the next, for another salt, and after people have gone; the oracle hashes
    /// every key of every person.
    #[test]
    fn kept_hashes_find_whom_a_hash_of_each_key_finds() -> Result<(), ColumnFull> {
        let whole = dataset()?;
        for seed in 0..200 {
            let hashes = PeopleHashes::default();
            if seed % 2 == 0 {
                hashes.prepare(&whole, &drawn(&whole, Salt([1; 32]), seed));
            }
            for (step, salt) in [1, 1, 2, 1].into_iter().enumerate() {
                let list = drawn(&whole, Salt([salt; 32]), 10 * seed + step as u64);
                let Some(wanted) = list.of(ORGANIZATION) else { continue };
                let by_hand = |dataset: &Dataset| -> Vec<u32> {
                    let all = 0..dataset.people.len() as u32;
                    all.filter(|person| wanted.names_person(dataset, PersonIx(*person))).collect()
                };
                let named = hashes.named_by(&whole, wanted);
                assert_eq!(named, by_hand(&whole), "seed {seed}, step {step}");
                let rest = without(&whole, &named[named.len() / 2..]);
                let left = hashes.without_others(&rest.people).named_by(&rest.dataset, wanted);
                assert_eq!(left, by_hand(&rest.dataset), "the rest, seed {seed}, step {step}");
            }
        }
        Ok(())
    }
}
