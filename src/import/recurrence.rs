//! Events that repeat.

use crate::import::dates::CalendarDay;

/// How an event repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// The first day.
    start: CalendarDay,
}

impl Recurrence {
    /// The days on which the event takes place, up to `up_to`, the oldest first.
    #[must_use]
    pub fn days(&self, up_to: CalendarDay) -> Vec<CalendarDay> {
        if self.start <= up_to { vec![self.start] } else { Vec::new() }
    }
}
