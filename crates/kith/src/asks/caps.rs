//! How often people are asked, and how long they are left alone.

use crate::model::time::Timestamp;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The caps; 0 means no cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskCaps {
    /// Asks over one connector within the period at which the connector cools.
    pub per_connector: u32,
    /// The length of the period, in days.
    pub days: u32,
    /// Days that a target cools after an ask.
    pub per_target_days: u32,
}

impl Default for AskCaps {
    fn default() -> Self {
        Self { per_connector: 3, days: 30, per_target_days: 30 }
    }
}

impl AskCaps {
    /// Counts the times in `asked` that are within the period before `now`.
    #[must_use]
    pub fn recent(&self, asked: &[Timestamp], now: Timestamp) -> u32 {
        asked.iter().filter(|&&at| is_within(at, self.days, now)).count() as u32
    }

    /// Returns when a connector `asked` at these times no longer meets the cap; `None` if they do not meet it at `now`.
    #[must_use]
    pub fn connector_cools_until(&self, asked: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
        if self.per_connector == 0 || self.days == 0 {
            return None;
        }
        let mut recent: Vec<Timestamp> =
            asked.iter().copied().filter(|&at| is_within(at, self.days, now)).collect();
        recent.sort_unstable();
        // When the next one expires, fewer than the cap are left.
        let over = recent.len().checked_sub(self.per_connector as usize)?;
        Some(after(recent[over], self.days))
    }

    /// Returns when a target last asked for at `latest` stops cooling; `None` if they do not cool at `now`.
    #[must_use]
    pub fn target_cools_until(&self, latest: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
        let latest = latest.filter(|_| self.per_target_days > 0)?;
        Some(after(latest, self.per_target_days)).filter(|&until| until > now)
    }
}

/// Whether `at` is within the last `days` days before `now`, or later than `now`.
fn is_within(at: Timestamp, days: u32, now: Timestamp) -> bool {
    after(at, days) > now
}

fn after(at: Timestamp, days: u32) -> Timestamp {
    Timestamp { seconds: at.seconds.saturating_add(i64::from(days) * DAY), ..at }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp { seconds: number * DAY, nanos: 0 }
    }

    #[test]
    fn a_connector_cools_until_fewer_than_the_cap_are_recent() {
        let caps = AskCaps::default();
        for (asked, now, until) in [
            (&[][..], 0, None),
            (&[1, 2], 3, None),
            (&[1, 2, 3], 3, Some(31)),
            (&[1, 2, 3], 30, Some(31)),
            (&[1, 2, 3], 31, None),
            (&[4, 1, 3, 2], 5, Some(32)),
        ] {
            let times: Vec<Timestamp> = asked.iter().map(|&number| day(number)).collect();
            assert_eq!(caps.connector_cools_until(&times, day(now)), until.map(day), "{asked:?} at {now}");
        }
        let uncapped = AskCaps { per_connector: 0, ..caps };
        assert_eq!(uncapped.connector_cools_until(&[day(1); 9], day(1)), None);
    }

    #[test]
    fn a_target_cools_for_its_days_after_the_latest_ask() {
        let caps = AskCaps::default();
        for (latest, now, until) in [(None, 0, None), (Some(1), 2, Some(31)), (Some(1), 31, None)] {
            assert_eq!(caps.target_cools_until(latest.map(day), day(now)), until.map(day));
        }
        let uncapped = AskCaps { per_target_days: 0, ..caps };
        assert_eq!(uncapped.target_cools_until(Some(day(1)), day(1)), None);
    }
}
