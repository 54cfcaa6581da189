//! Scores of edges, and how the scores of a path's legs combine.

/// An edge's score in one byte: 0 to 100, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Warmness(u8);

impl Warmness {
    /// A missing score.
    pub const UNSCORED: Self = Self(u8::MAX);

    /// The score `value`, 0 to 100. Returns `None` if it is above 100.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 100 { Some(Self(value)) } else { None }
    }

    /// Decodes a stored byte; `None` if no score is stored as this byte.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        if byte <= 100 || byte == u8::MAX { Some(Self(byte)) } else { None }
    }

    /// Decodes a byte already checked by [`Self::from_byte`], or encoded from a score.
    #[must_use]
    pub(crate) const fn from_checked_byte(byte: u8) -> Self {
        debug_assert!(Self::from_byte(byte).is_some());
        Self(byte)
    }

    /// The byte that stores this score: 0 to 100, 255 for none.
    #[must_use]
    pub const fn to_byte(self) -> u8 {
        self.0
    }

    /// The score, 0 to 100; `None` if there is none.
    #[must_use]
    pub const fn score(self) -> Option<u8> {
        if self.0 <= 100 { Some(self.0) } else { None }
    }

    /// Returns the weight of this leg in a path: its score, or 0 without one.
    #[must_use]
    pub const fn weight(self) -> u32 {
        if self.0 <= 100 { self.0 as u32 } else { 0 }
    }

    /// The score of this [`Self::coldness`].
    #[must_use]
    pub const fn from_coldness(coldness: u8) -> Self {
        if coldness <= 100 { Self(100 - coldness) } else { Self::UNSCORED }
    }

    /// A key that sorts warmest first: 0 for a score of 100, 101 for none.
    #[must_use]
    pub const fn coldness(self) -> u8 {
        if self.0 <= 100 { 100 - self.0 } else { 101 }
    }
}

/// The score of two legs, in hundredths, rounded half up.
#[must_use]
pub const fn two_legs(first: u32, second: u32) -> u32 {
    (first * second + 50) / 100
}

/// The score of three legs, in hundredths of hundredths, rounded half up once.
#[must_use]
pub const fn three_legs(first: u32, second: u32, third: u32) -> u32 {
    (first * second * third + 5000) / 10_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coldness_orders_scores_descending_and_unscored_last() {
        let mut scores = vec![Warmness::UNSCORED, Warmness(0), Warmness(100), Warmness(37)];
        scores.sort_by_key(|score| score.coldness());
        assert_eq!(scores, [Warmness(100), Warmness(37), Warmness(0), Warmness::UNSCORED]);
        scores.into_iter().for_each(|score| assert_eq!(Warmness::from_coldness(score.coldness()), score));
    }

    #[test]
    fn legs_multiply_and_round_half_up() {
        for (first, second, expected) in [(100, 100, 100), (1, 50, 1), (1, 49, 0), (73, 51, 37)] {
            assert_eq!(two_legs(first, second), expected, "{first} and {second}");
        }
        for (legs, expected) in [((100, 100, 100), 100), ((50, 50, 2), 1), ((50, 50, 1), 0)] {
            assert_eq!(three_legs(legs.0, legs.1, legs.2), expected, "{legs:?}");
        }
    }

    #[test]
    fn only_scores_and_the_unscored_byte_are_stored() {
        let stored = (0..=u8::MAX).filter_map(Warmness::from_byte).count();
        assert_eq!(stored, 102);
    }
}
