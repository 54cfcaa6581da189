//! Times in the store: whole milliseconds since 1970-01-01T00:00:00Z.
//!
//! Milliseconds, not seconds, so that a token of one second lives one second.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::model::time::Timestamp;

/// `at` in the store's milliseconds, truncated; 0 for a clock set before 1970.
pub(crate) fn to_millis(at: SystemTime) -> i64 {
    duration_millis(at.duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// Like [`to_millis`], but `None` for a clock set before 1970: by such a clock nothing would ever expire.
pub(crate) fn to_millis_after_1970(at: SystemTime) -> Option<i64> {
    at.duration_since(UNIX_EPOCH).ok().map(duration_millis)
}

/// `duration` in whole milliseconds, capped at what a column can hold.
pub(crate) fn duration_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The point in time of the store's `millis`; `None` outside the years 0 to 9999.
pub(crate) fn from_millis(millis: i64) -> Option<Timestamp> {
    // Below 1,000 by the division, so the conversion loses nothing.
    let nanos = millis.rem_euclid(1_000) as u32 * 1_000_000;
    Timestamp::new(millis.div_euclid(1_000), nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_time_reads_back_to_the_millisecond() {
        let at = UNIX_EPOCH + Duration::from_nanos(1_767_323_045_678_999_999);
        assert_eq!(to_millis(at), 1_767_323_045_678);
        let read = from_millis(to_millis(at)).map(Timestamp::to_rfc3339_ms);
        assert_eq!(read.as_deref(), Some("2026-01-02T03:04:05.678Z"));
    }

    #[test]
    fn clocks_and_columns_out_of_range_do_not_wrap() {
        assert_eq!(to_millis(UNIX_EPOCH - Duration::from_secs(1)), 0);
        assert_eq!(duration_millis(Duration::MAX), i64::MAX);
        assert_eq!(from_millis(i64::MAX), None);
        assert_eq!(from_millis(i64::MIN), None);
    }
}
