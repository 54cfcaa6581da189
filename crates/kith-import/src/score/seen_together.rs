//! Scores two people seen together in the files of others: `docs/scoring.md`, *Seen together*.

use crate::dates::CalendarDay;
use crate::score::breakdown::{Factor, Scored};
use crate::score::days::days_since;
use crate::score::evidence::{EvidenceKind, written};
use crate::score::fraction::Fraction;
use crate::score::weights::{Weight, Weights};

/// The weight of days if both wrote to each other.
const BOTH_TIMES: u64 = 2;
/// Maximum length of a name in a note, in bytes; a note has at most 200.
const NAME_BYTES_MAX: usize = 100;

/// The points of an edge, 1 or more, for the distinct `days` on which the two were seen together: each day is weighted
/// by its age, doubled if both wrote to each other, and the sum gives half of the points at `seen_together_half`.
#[must_use]
pub fn seen_together(
    days: impl IntoIterator<Item = CalendarDay>,
    is_both: bool,
    as_of: CalendarDay,
    weights: &Weights,
) -> Scored {
    let half_life = weights.get(Weight::SeenTogetherHalfLife);
    let whole = Fraction::parts_of_age(half_life);
    let left = |day: CalendarDay| {
        let days = days_since(day, as_of).unwrap_or(u32::MAX);
        Fraction::of_age(days, half_life).of_parts(whole)
    };
    let times = if is_both { BOTH_TIMES } else { 1 };
    let count: u64 = times * days.into_iter().map(left).sum::<u64>();
    let half = whole * u64::from(weights.get(Weight::SeenTogetherHalf));
    let most = weights.get(Weight::SeenTogether);
    let points = Fraction::of(count, count + half).share_of(most).max(1);
    let warmness = u8::try_from(points).unwrap_or(u8::MAX);
    Scored { warmness, factors: vec![(Factor::SeenTogether, points)] }
}

/// The note of evidence of `kind` for so many `days`, in the files of `holder` and of `more` others.
#[must_use]
pub fn note(kind: EvidenceKind, days: usize, first: CalendarDay, holder: &str, more: usize) -> String {
    let mut shown = holder;
    while shown.len() > NAME_BYTES_MAX {
        shown = &shown[..shown.char_indices().next_back().map_or(0, |(at, _)| at)];
    }
    let plural = if days == 1 { "" } else { "s" };
    let of = if kind == EvidenceKind::MetWith { "the calendar" } else { "mail" };
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{days} day{plural} since {}, in {of} of {shown}{more}", written(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points on 2026-06-30 of days in one direction and in the other, the last before it or in July of `year`.
    fn points(year: u16, wrote: u8, back: u8) -> u8 {
        let as_of = CalendarDay::new(2026, 6, 30).unwrap();
        let day = |number: u8| match year {
            2026 => CalendarDay::new(2026, 6, 30 - number),
            _ => CalendarDay::new(year, 7, 1 + number),
        };
        let days = (0..wrote + back).filter_map(day);
        seen_together(days, wrote > 0 && back > 0, as_of, &Weights::default()).warmness
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
