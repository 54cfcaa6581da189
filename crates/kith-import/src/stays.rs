//! Jobs, boards and schools of people, from rows of exports.

use crate::cells::RowCells;
use crate::dates::CalendarDay;
use crate::export::ExportColumn;
use crate::own::{CalendarMonth, OwnPosition};
use kith::model::text::fold;

/// One person's time at one place. Missing texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportedStay {
    /// The company, the board's company or the school.
    pub place: String,
    /// `job`, `board`, `investor` or `school`.
    pub kind: &'static str,
    /// The position there.
    pub role: String,
    /// When it began; `None` if that is missing, or not a day, a month or a year.
    pub from: Option<CalendarMonth>,
    /// When it ended; `None` if it goes on, or if that is missing or unreadable.
    pub to: Option<CalendarMonth>,
}

/// Words of a role on a board, and of an investor's, folded.
const ROLES: [(&str, &[&str]); 2] = [
    (
        "board",
        &["board", "aufsichtsrat", "beirat", "verwaltungsrat", "consejero", "commissaris", "administrateur"],
    ),
    ("investor", &["investor", "investorin", "investisseur", "inversor"]),
];

/// The kind of a position.
pub(crate) fn kind_of(role: &str) -> &'static str {
    let role = fold(role);
    let is = |words: &[&str]| role.split(|of: char| !of.is_alphanumeric()).any(|word| words.contains(&word));
    ROLES.iter().find(|(_, words)| is(words)).map_or("job", |(kind, _)| kind)
}

impl ExportedStay {
    /// The same as `own`, with the kind `kind`.
    pub(crate) fn of_own(own: &OwnPosition, kind: &'static str) -> Self {
        let (place, role) = (own.company.clone(), own.title.clone());
        Self { place, kind, role, from: own.from, to: own.to }
    }

    /// The job with a date, or the school, in `row`, if any.
    pub(crate) fn of(row: &RowCells<'_>, company: &str, role: &str) -> Option<Self> {
        let month = |column| month_in(&row.first(column));
        let (from, to) = (month(ExportColumn::StartedOn), month(ExportColumn::FinishedOn));
        let school = row.first(ExportColumn::School);
        let role = role.to_owned();
        if !school.is_empty() {
            return Some(Self { place: school, kind: "school", role: String::new(), from, to });
        }
        let is_dated = !company.is_empty() && (from.is_some() || to.is_some());
        is_dated.then(|| Self { place: company.to_owned(), kind: kind_of(&role), role, from, to })
    }
}

/// The month in a day, a month or a year.
pub(crate) fn month_in(text: &str) -> Option<CalendarMonth> {
    let of_day = |day: CalendarDay| CalendarMonth { year: day.year, month: Some(day.month) };
    CalendarMonth::parse(text).or_else(|| CalendarDay::parse(text).map(of_day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_job_unless_it_is_on_a_board_or_of_an_investor() {
        for (role, kind) in [
            ("CTO", "job"),
            ("Member of the Board", "board"),
            ("Mitglied im Aufsichtsrat", "board"),
            ("Angel Investor", "investor"),
            ("Keyboard Designer", "job"),
            ("Investor Relations Manager", "investor"),
            ("", "job"),
        ] {
            assert_eq!(kind_of(role), kind, "{role}");
        }
    }

    #[test]
    fn a_month_is_read_from_what_exports_write() {
        for (text, expected) in [
            ("Jan 2024", Some((2024, Some(1)))),
            ("2024-03-15", Some((2024, Some(3)))),
            ("2019", Some((2019, None))),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(month_in(text).map(|month| (month.year, month.month)), expected, "{text}");
        }
    }
}
