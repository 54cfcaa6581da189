//! Shares of a factor's points, 0 to 1, as exact fractions that are rounded once.

/// A number from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fraction {
    part: u128,
    whole: u128,
}

/// Half-lives after which nothing is left.
const HALVINGS_MAX: u32 = 10;

impl Fraction {
    /// Nothing.
    pub(crate) const NONE: Self = Self { part: 0, whole: 1 };

    /// `part` of `whole`, at most 1.
    pub(crate) fn of(part: u64, whole: u64) -> Self {
        let whole = whole.max(1);
        Self { part: part.min(whole).into(), whole: whole.into() }
    }

    /// One half at `half`, growing with `count`, but always below 1.
    pub(crate) fn of_count(count: u64, half: u16) -> Self {
        Self::of(count, count + u64::from(half.max(1)))
    }

    /// 1 at an age of 0 days, a half at `half_life`, a quarter at twice that, with straight lines between.
    pub(crate) fn of_age(days: u32, half_life: u16) -> Self {
        let half_life = u32::from(half_life.max(1));
        let (halvings, rest) = (days / half_life, days % half_life);
        if halvings >= HALVINGS_MAX {
            return Self::NONE;
        }
        let whole = u64::from(2 * half_life);
        Self { part: (whole - u64::from(rest)).into(), whole: u128::from(whole) << halvings }
    }

    /// This share of `parts`, rounded down; exact for an age if they are [`Self::parts_of_age`].
    pub(crate) fn of_parts(self, parts: u64) -> u64 {
        u64::try_from(u128::from(parts) * self.part / self.whole).unwrap_or(u64::MAX)
    }

    /// The number of parts that makes the share at any age a whole number.
    pub(crate) fn parts_of_age(half_life: u16) -> u64 {
        (2 * u64::from(half_life.max(1))) << HALVINGS_MAX
    }

    /// The mean of both.
    pub(crate) fn mean(self, other: Self) -> Self {
        let part = self.part * other.whole + other.part * self.whole;
        Self { part, whole: 2 * self.whole * other.whole }
    }

    /// The product of both.
    pub(crate) fn times(self, other: Self) -> Self {
        Self { part: self.part * other.part, whole: self.whole * other.whole }
    }

    /// A quarter, plus this share of the rest.
    pub(crate) fn above_a_quarter(self) -> Self {
        Self { part: self.whole + 3 * self.part, whole: 4 * self.whole }
    }

    /// Returns `percent` percent of it, 0 to 100.
    pub(crate) fn percent(self, percent: u8) -> Self {
        Self { part: self.part * u128::from(percent.min(100)), whole: self.whole * 100 }
    }

    /// This share of `points`, rounded half up.
    pub(crate) fn share_of(self, points: u16) -> i16 {
        let rounded = (2 * u128::from(points) * self.part + self.whole) / (2 * self.whole);
        i16::try_from(rounded).unwrap_or(i16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact_and_rounded_half_up() {
        let all = |share: Fraction| [1, 10, 20, 100].map(|points| share.share_of(points));
        for (share, rounded) in [
            (Fraction::NONE, [0, 0, 0, 0]),
            (Fraction::of(1, 2), [1, 5, 10, 50]),
            (Fraction::of(7, 2), [1, 10, 20, 100]),
            (Fraction::of(0, 0), [0, 0, 0, 0]),
            (Fraction::of(1, 3), [0, 3, 7, 33]),
            (Fraction::of_count(0, 10), [0, 0, 0, 0]),
            (Fraction::of_count(10, 10), [1, 5, 10, 50]),
            (Fraction::of_count(u64::from(u32::MAX) * 4, 1), [1, 10, 20, 100]),
            (Fraction::of_age(0, 180), [1, 10, 20, 100]),
            (Fraction::of_age(90, 180), [1, 8, 15, 75]),
            (Fraction::of_age(180, 180), [1, 5, 10, 50]),
            (Fraction::of_age(270, 180), [0, 4, 8, 38]),
            (Fraction::of_age(360, 180), [0, 3, 5, 25]),
            (Fraction::of_age(u32::MAX, 1), [0, 0, 0, 0]),
            (Fraction::of(1, 1).mean(Fraction::NONE), [1, 5, 10, 50]),
            (Fraction::of(1, 1).percent(75), [1, 8, 15, 75]),
            (Fraction::of(1, 2).times(Fraction::of(1, 2)), [0, 3, 5, 25]),
            (Fraction::NONE.above_a_quarter(), [0, 3, 5, 25]),
            (Fraction::of(1, 3).above_a_quarter(), [1, 5, 10, 50]),
        ] {
            assert_eq!(all(share), rounded, "{share:?}");
        }
    }
}
