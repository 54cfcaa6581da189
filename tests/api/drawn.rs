//! The number of random trials of this binary.

use crate::support::scale;

/// How many networks a test draws: a third of `full`, or all of them.
pub(crate) fn share(full: u64) -> u64 {
    scale::of(full / 3, full)
}

/// How often what it draws has to hold what the test is for: as often, or a quarter, since of less that is drawn the
/// share differs more.
pub(crate) fn at_least(full: usize) -> usize {
    scale::of(full as u64 / 4, full as u64) as usize
}
