//! The points of a derived edge: `docs/scoring.md`, *Seen together*.

use crate::dates::CalendarDay;
use crate::derived::pairs::SeenPair;
use crate::score::breakdown::{Factor, Scored};
use crate::score::days::days_since;
use crate::score::fraction::Fraction;
use crate::score::weights::{Weight, Weights};

/// Days in both directions count so many times.
const BOTH_TIMES: u64 = 2;

/// The points of `pair`, 1 or more: each day counts what its age leaves of it, twice if both wrote to each other, and the
/// count is a half at `seen_together_half`.
pub(super) fn of(pair: &SeenPair, back: Option<&SeenPair>, as_of: CalendarDay, weights: &Weights) -> Scored {
    let half_life = weights.get(Weight::SeenTogetherHalfLife);
    let whole = Fraction::parts_of_age(half_life);
    let left = |day: &CalendarDay| {
        let days = days_since(*day, as_of).unwrap_or(u32::MAX);
        Fraction::of_age(days, half_life).of_parts(whole)
    };
    let times = if pair.is_both(back) { BOTH_TIMES } else { 1 };
    let count: u64 = times * pair.days(back).iter().map(left).sum::<u64>();
    let half = whole * u64::from(weights.get(Weight::SeenTogetherHalf));
    let most = weights.get(Weight::SeenTogether);
    let points = Fraction::of(count, count + half).share_of(most).max(1);
    let warmness = u8::try_from(points).unwrap_or(u8::MAX);
    Scored { warmness, factors: vec![(Factor::SeenTogether, points)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points on 2026-06-30 of `wrote` and `back`, days in the first days of `year`.
    fn points(year: u16, wrote: u8, back: u8) -> u8 {
        let as_of = CalendarDay::new(2026, 6, 30).unwrap();
        let day = |number: u8| match year {
            2026 => CalendarDay::new(2026, 6, 30 - number),
            _ => CalendarDay::new(year, 7, 1 + number),
        };
        let pair = |from: u8, count: u8| SeenPair {
            wrote: (from..from + count).filter_map(day).collect(),
            ..SeenPair::default()
        };
        let (there, back) = (pair(0, wrote), pair(wrote, back));
        of(&there, Some(&back), as_of, &Weights::default()).warmness
    }

    #[test]
    fn the_examples_of_the_document_are_computed_again() {
        let found = [(2026, 2, 0), (2026, 1, 1), (2026, 5, 5), (2024, 2, 0), (2006, 2, 0)]
            .map(|(year, wrote, back)| points(year, wrote, back));
        assert_eq!(found, [15, 20, 27, 10, 1]);
    }

    #[test]
    fn a_day_more_never_lowers_it_and_age_and_one_way_never_raise_it() {
        for (year, wrote) in (2000..=2026).flat_map(|year| (1..=12).map(move |wrote| (year, wrote))) {
            let here = points(year, wrote, 0);
            assert!(points(year, wrote + 1, 0) >= here, "{year} {wrote}");
            assert!(year == 2000 || points(year - 1, wrote, 0) <= here, "{year} {wrote}");
            assert!(wrote == 1 || points(year, wrote - 1, 1) >= here, "{year} {wrote}");
            assert!((1..=30).contains(&here));
        }
    }
}
