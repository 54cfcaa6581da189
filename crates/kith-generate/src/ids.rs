//! Ids that are short, unique, and in no meaningful order.

use crate::dice::{Dice, Stream};
use kith::model::named::named;

/// The symbols of an id: digits and lower-case letters that are hard to confuse.
const SYMBOLS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Symbols after the prefix; each holds five bits.
const SYMBOL_COUNT: usize = 6;
/// Maximum number of rows of one table.
pub(crate) const ROWS_MAX: u32 = 1 << (5 * SYMBOL_COUNT);
/// Half of the bits of an id.
const HALF_BITS: u32 = 15;
const HALF_MASK: u32 = (1 << HALF_BITS) - 1;

/// The kind of an id, shown by its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdKind {
    Company,
    Person,
    User,
    Ghost,
}

named! {
    /// All of them.
    IdKind as prefix { Company = "company_", Person = "person_", User = "user_", Ghost = "ghost_" }
}

/// Turns row numbers into ids: for each kind a keyed permutation of all numbers of 30 bits.
pub(crate) struct RowIds {
    keys: [[u32; 4]; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    bytes: [u8; 14],
    length: u8,
}

impl RowIds {
    /// The ids of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed, Stream::Ids);
        Self { keys: IdKind::ALL.map(|_| [0; 4].map(|_: u32| dice.bits() as u32)) }
    }

    /// The id of row `row` of the table of `kind`. Distinct for all rows below [`ROWS_MAX`].
    pub(crate) fn get(&self, kind: IdKind, row: u32) -> Id {
        let mut number = scramble(row, &self.keys[kind as usize]);
        let prefix = kind.prefix().as_bytes();
        let mut bytes = [0; 14];
        bytes[..prefix.len()].copy_from_slice(prefix);
        for byte in &mut bytes[prefix.len()..prefix.len() + SYMBOL_COUNT] {
            *byte = SYMBOLS[(number & 31) as usize];
            number >>= 5;
        }
        Id { bytes, length: (prefix.len() + SYMBOL_COUNT) as u8 }
    }
}

/// A Feistel network of four rounds. It is invertible, so two rows never get the same id.
fn scramble(row: u32, keys: &[u32; 4]) -> u32 {
    let (mut left, mut right) = (row >> HALF_BITS & HALF_MASK, row & HALF_MASK);
    for &key in keys {
        let mixed = (right ^ key).wrapping_mul(0x9e37_79b1).rotate_left(15).wrapping_mul(0x85eb_ca77);
        (left, right) = (right, left ^ mixed >> 17);
    }
    left << HALF_BITS | right
}

impl Id {
    /// The id as text.
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }

    /// The symbols after the prefix.
    pub(crate) fn symbols(&self) -> &str {
        self.as_str().rsplit('_').next().unwrap_or_default()
    }
}

impl serde::Serialize for Id {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_not_in_row_order() {
        let ids = RowIds::new(3);
        let made: Vec<Id> = (0..50_000).map(|row| ids.get(IdKind::Person, row)).collect();
        assert_eq!(made.iter().map(Id::as_str).collect::<BTreeSet<_>>().len(), made.len());
        let ascending = made.windows(2).filter(|pair| pair[0].as_str() < pair[1].as_str()).count();
        assert!((20_000..30_000).contains(&ascending), "{ascending} of 50,000 ascend");
    }

    #[test]
    fn ids_wear_their_kind_and_differ_between_kinds() {
        let ids = RowIds::new(3);
        for (kind, prefix) in
            [(IdKind::Company, "company_"), (IdKind::User, "user_"), (IdKind::Ghost, "ghost_")]
        {
            let id = ids.get(kind, 9);
            assert_eq!(id.as_str(), format!("{prefix}{}", id.symbols()));
            assert_eq!(id.symbols().len(), SYMBOL_COUNT);
            assert_ne!(id.symbols(), ids.get(IdKind::Person, 9).symbols());
        }
    }
}
