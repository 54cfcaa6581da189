//! Days between two days, and whole years.

use crate::import::dates::CalendarDay;

/// Days from `day` to `as_of`. Returns `None` if `day` is later.
pub(crate) fn days_since(day: CalendarDay, as_of: CalendarDay) -> Option<u32> {
    u32::try_from(number(as_of) - number(day)).ok()
}

/// Whole years from `day` to `as_of`; 0 if `day` is later.
pub(crate) fn years_since(day: CalendarDay, as_of: CalendarDay) -> u16 {
    let is_before_its_day = (as_of.month, as_of.day) < (day.month, day.day);
    as_of.year.saturating_sub(day.year).saturating_sub(u16::from(is_before_its_day))
}

/// The number of a day: one more than that of the day before. A Monday's has the remainder 6 by 7.
pub(crate) fn number(day: CalendarDay) -> i64 {
    // Years begin in March here, so that the leap day is the last of its year.
    let (year, month) = match day.month {
        3.. => (i64::from(day.year), i64::from(day.month) - 3),
        _ => (i64::from(day.year) - 1, i64::from(day.month) + 9),
    };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + i64::from(day.day)
}

/// The day whose number `number` is. `None` if its year is not one of 1 to 9999.
pub(crate) fn day_of(number: i64) -> Option<CalendarDay> {
    const DAYS_OF_400_YEARS: i64 = 146_097;
    let era = (number - 1).div_euclid(DAYS_OF_400_YEARS);
    let of_era = (number - 1).rem_euclid(DAYS_OF_400_YEARS);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let year = u16::try_from(year + era * 400).ok()?;
    CalendarDay::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
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
                    assert_eq!(day_of(number(day)), Some(day));
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
