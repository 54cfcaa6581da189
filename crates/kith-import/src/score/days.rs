//! The number of days between two days, and of whole years.

use crate::dates::CalendarDay;

/// Days from `day` to `as_of`; `None` if `day` is later.
pub(crate) fn days_since(day: CalendarDay, as_of: CalendarDay) -> Option<u32> {
    u32::try_from(number(as_of) - number(day)).ok()
}

/// Whole years from `day` to `as_of`; 0 if `day` is later.
pub(crate) fn years_since(day: CalendarDay, as_of: CalendarDay) -> u16 {
    let is_before_its_day = (as_of.month, as_of.day) < (day.month, day.day);
    as_of.year.saturating_sub(day.year).saturating_sub(u16::from(is_before_its_day))
}

/// The number of a day: consecutive days have consecutive numbers.
fn number(day: CalendarDay) -> i64 {
    // Years begin in March here, so that the leap day is the last of its year.
    let (year, month) = match day.month {
        3.. => (i64::from(day.year), i64::from(day.month) - 3),
        _ => (i64::from(day.year) - 1, i64::from(day.month) + 9),
    };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + i64::from(day.day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> CalendarDay {
        CalendarDay::parse(text).unwrap()
    }

    #[test]
    fn each_day_of_400_years_is_one_after_the_day_before() {
        let mut before = number(day("1899-12-31"));
        for year in 1900..2300 {
            for month in 1..=12 {
                for day in (1..=31).filter_map(|day| CalendarDay::new(year, month, day)) {
                    assert_eq!(number(day), before + 1, "{day:?}");
                    before += 1;
                }
            }
        }
    }

    #[test]
    fn years_are_whole_and_a_later_day_is_no_age() {
        for (from, to, days, years) in [
            ("2024-03-12", "2024-03-12", Some(0), 0),
            ("2024-02-28", "2024-03-01", Some(2), 0),
            ("2023-03-12", "2024-03-11", Some(365), 0),
            ("2023-03-12", "2024-03-12", Some(366), 1),
            ("2020-02-29", "2024-02-28", Some(1460), 3),
            ("2024-03-13", "2024-03-12", None, 0),
            ("2099-01-01", "2024-03-12", None, 0),
        ] {
            let (from, to) = (day(from), day(to));
            assert_eq!((days_since(from, to), years_since(from, to)), (days, years), "{from:?} to {to:?}");
        }
    }
}
