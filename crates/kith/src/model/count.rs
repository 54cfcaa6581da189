//! Counts that may be missing.

/// Maximum count: the largest that every JSON reader holds exactly.
pub const COUNT_MAX: u64 = (1 << 53) - 1;

/// A count or none, in eight bytes. Callers keep counts to [`COUNT_MAX`]; `u64::MAX` means none.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct OptionalCount(u64);

/// Means no count.
const NO_COUNT: u64 = u64::MAX;

impl OptionalCount {
    /// No count.
    pub const NONE: Self = Self(NO_COUNT);

    /// The count, or `None`.
    #[must_use]
    pub fn get(self) -> Option<u64> {
        (self.0 != NO_COUNT).then_some(self.0)
    }

    /// Decodes a stored `number`; 2⁶⁴ - 1 is none.
    #[must_use]
    pub const fn from_stored(number: u64) -> Self {
        Self(number)
    }

    /// Encodes for [`Self::from_stored`].
    #[must_use]
    pub const fn stored(self) -> u64 {
        self.0
    }
}

impl From<Option<u64>> for OptionalCount {
    fn from(count: Option<u64>) -> Self {
        count.map_or(Self::NONE, Self)
    }
}

impl std::fmt::Debug for OptionalCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_or_none_takes_no_more_than_the_count() {
        for count in [None, Some(0), Some(COUNT_MAX)] {
            let optional = OptionalCount::from(count);
            assert_eq!((optional.get(), OptionalCount::from_stored(optional.stored())), (count, optional));
        }
        assert_eq!(size_of::<OptionalCount>(), size_of::<u64>());
    }
}
