//! Names of generations: a number derived from the content, so that it is the same on all machines and after every
//! start, and differs between networks.

use crate::model::column::TextColumn;
use crate::snapshot::header::Identity;
use crate::suppress::list::Suppressions;

/// The context for deriving the keys of the hashes.
const CONTEXT: &str = "kith generation v1";
/// Numbers have 53 bits, which every JSON reader keeps exactly.
const BITS_LEFT: u32 = 64 - 53;

/// The number of the network of the snapshot `identity`; `left` are the ids of the people in it, if the list of people
/// to forget names others. Costs a pass over them.
pub(crate) fn generation_of(organization: &str, identity: Identity, left: Option<&TextColumn>) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(organization.as_bytes()).update(&[0]).update(&identity.0);
    for id in left.into_iter().flat_map(TextColumn::iter) {
        hasher.update(id.as_bytes()).update(&[0]);
    }
    number(&hasher)
}

/// The number of `generation` without the people that `wanted` names, for a network that is not loaded yet.
pub(crate) fn generation_without(generation: u64, wanted: Option<&Suppressions>) -> u64 {
    let Some(wanted) = wanted else { return generation };
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(&generation.to_le_bytes());
    for entry in wanted.entries.keys() {
        hasher.update(&entry.digest.0);
    }
    number(&hasher)
}

fn number(hasher: &blake3::Hasher) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first) >> BITS_LEFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_of_one_network_and_the_same_each_time() {
        let (one, other) = (Identity([1; 32]), Identity([2; 32]));
        let ids = |texts: &[&str]| TextColumn::from_texts(texts.iter().copied()).unwrap();
        let [both, first, joined] =
            [ids(&["person_a", "person_b"]), ids(&["person_a"]), ids(&["person_aperson_b"])];
        let numbers = [
            generation_of("org_a", one, None),
            generation_of("org_b", one, None),
            generation_of("org_a", other, None),
            generation_of("org_a", one, Some(&both)),
            generation_of("org_a", one, Some(&first)),
            generation_of("org_a", one, Some(&joined)),
        ];
        let distinct: std::collections::BTreeSet<u64> = numbers.into_iter().collect();
        assert_eq!(distinct.len(), numbers.len(), "{numbers:?}");
        assert!(numbers.iter().all(|number| *number < 1 << 53));
        assert_eq!(generation_of("org_a", one, Some(&both)), numbers[3]);
    }
}
