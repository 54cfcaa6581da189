//! Times before a fixed day, in the format of tables: mostly UTC, sometimes with another offset.

use crate::dice::Dice;
use kith::model::time::Timestamp;
use kith_import::dates::CalendarDay;

/// The last day of the generated world: 2026-06-30T00:00:00Z, in seconds.
const TODAY: i64 = 1_782_777_600;
/// The same day, from which scores count ages.
pub(crate) const AS_OF: CalendarDay = CalendarDay { year: 2026, month: 6, day: 30 };
const DAY: i64 = 86_400;
/// Offsets of a few times: hours, and their text.
const OFFSETS: [(i64, &str); 4] = [(2, "+02:00"), (-5, "-05:00"), (9, "+09:00"), (-8, "-08:00")];

/// A time at most `days` days before the end of the generated world.
pub(crate) fn within(days: u32, dice: &mut Dice) -> String {
    let seconds = TODAY - i64::from(dice.below(days)) * DAY - i64::from(dice.below(DAY as u32));
    let nanos = if dice.one_in(3) { dice.below(1000) * 1_000_000 } else { 0 };
    if !dice.one_in(8) {
        return written(seconds, nanos);
    }
    let &(hours, offset) = dice.pick(&OFFSETS);
    written(seconds + hours * 3600, nanos).replace('Z', offset)
}

/// The day `days` days before the end of the generated world.
pub(crate) fn day_before(days: u32) -> CalendarDay {
    CalendarDay::parse(&written(TODAY - i64::from(days) * DAY, 0)).unwrap_or(AS_OF)
}

fn written(seconds: i64, nanos: u32) -> String {
    let text = Timestamp::new(seconds, nanos).map(Timestamp::to_rfc3339_ms).unwrap_or_default();
    if nanos == 0 { text.replace(".000Z", "Z") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Stream;

    #[test]
    fn times_are_rfc_3339_and_not_after_the_end_of_the_world() {
        let mut dice = Dice::new(5, Stream::Roles);
        let end = Timestamp::parse("2026-06-30T00:00:00Z");
        for _ in 0..500 {
            let text = within(900, &mut dice);
            let time = Timestamp::parse(&text);
            assert!(time.is_some() && time <= end, "{text}");
        }
    }

    #[test]
    fn days_are_counted_back_from_the_end_of_the_world() {
        let days = [0, 1, 365, 4_400].map(day_before);
        let expected = ["2026-06-30", "2026-06-29", "2025-06-30", "2014-06-13"].map(CalendarDay::parse);
        assert_eq!(days.map(Some), expected);
    }
}
