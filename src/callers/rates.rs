//! Rates: how many requests each credential may send, as a bucket that fills with time.
//!
//! A full bucket holds `burst` requests; it regains one per interval. Its content follows from one number, the time
//! when it will be full again (the generic cell rate algorithm), so a full bucket needs no memory at all: [`Rates`]
//! forgets those.
//!
//! Promise: Each credential has its rate, and every answer to it says so; without rates nothing does.
//! Control: a ledger that forgets nobody; the same service without rates.
//! Also in: `tests/api/errors/rates.rs`.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use dashmap::{DashMap, Entry};

use crate::clock::{self, Clock};
use crate::limits::{RATE_BURST_MAX, RATE_SWEEP_MIN};

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// The validated rate of every credential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateSettings {
    requests_per_second: f64,
    burst: u64,
}

/// A fault in the settings of rates.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RateSettingsError {
    /// The rate is invalid.
    #[error("the configuration key rates.requests_per_second is {got}; it must be a number above 0")]
    Rate {
        /// The value found.
        got: f64,
    },
    /// The burst is not a number of requests.
    #[error(
        "the configuration key rates.burst is {got}; it must be a whole number from 1 to {RATE_BURST_MAX}"
    )]
    Burst {
        /// The value found.
        got: f64,
    },
    /// A burst without a rate.
    #[error("the configuration key rates.requests_per_second is missing; rates.burst needs it")]
    NoRate,
}

impl RateSettings {
    /// Validates a configuration; `None` if rates are off, without `requests_per_second`. `burst` defaults to it,
    /// rounded up.
    ///
    /// # Errors
    /// Returns an error if one of them is invalid, or `burst` is set alone.
    pub fn new(
        requests_per_second: Option<f64>,
        burst: Option<f64>,
    ) -> Result<Option<Self>, RateSettingsError> {
        let Some(rate) = requests_per_second else {
            return if burst.is_some() { Err(RateSettingsError::NoRate) } else { Ok(None) };
        };
        if !(rate.is_finite() && rate > 0.0) {
            return Err(RateSettingsError::Rate { got: rate });
        }
        let burst_max = RATE_BURST_MAX as f64;
        let burst = match burst {
            None => rate.ceil().min(burst_max),
            Some(got) if got.fract() == 0.0 && (1.0..=burst_max).contains(&got) => got,
            Some(got) => return Err(RateSettingsError::Burst { got }),
        };
        Ok(Some(Self { requests_per_second: rate, burst: burst as u64 }))
    }
}

/// The identity of a credential, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A key or token of the store.
    Stored {
        /// Its id.
        id: String,
    },
    /// All JWTs of one user.
    Signed {
        /// The organization's id.
        org: String,
        /// The user's id.
        user: String,
    },
}

/// The state of a credential's bucket after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whole requests left in the bucket.
    pub left: u64,
    /// Seconds until the bucket is full, rounded up.
    pub full_in: u64,
    /// If the bucket was empty and nothing was taken: seconds until it has a request, rounded up.
    pub retry_after: Option<u64>,
}

/// The buckets of all credentials, shared by all threads of a server.
pub struct Rates {
    burst: u64,
    /// Nanoseconds in which a bucket gains one request.
    interval: u128,
    clock: Clock,
    /// The start of the clock.
    began: Instant,
    /// When each bucket is full again, in nanoseconds. A credential that is missing here has a full one.
    full_at: DashMap<Holder, u128>,
    /// The number of buckets that may be added before the full ones are forgotten.
    to_sweep: AtomicUsize,
}

impl fmt::Debug for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rates")
            .field("burst", &self.burst)
            .field("interval", &self.interval)
            .finish_non_exhaustive()
    }
}

impl Rates {
    /// Full buckets for every credential.
    #[must_use]
    pub fn new(settings: RateSettings) -> Self {
        Self::with_clock(settings, Arc::new(clock::now))
    }

    /// Like [`Self::new`], with the caller's clock.
    #[must_use]
    pub fn with_clock(settings: RateSettings, clock: Clock) -> Self {
        // Rounded down, so that a whole number of seconds stays one when it is rounded up. At most 584 years, so that
        // no sum overflows.
        let interval = (NANOS_PER_SECOND as f64 / settings.requests_per_second) as u128;
        Self {
            burst: settings.burst,
            interval: interval.clamp(1, u128::from(u64::MAX)),
            began: clock(),
            clock,
            full_at: DashMap::new(),
            to_sweep: AtomicUsize::new(RATE_SWEEP_MIN),
        }
    }

    /// Maximum requests in a bucket.
    #[must_use]
    pub fn burst(&self) -> u64 {
        self.burst
    }

    /// Seconds until an empty bucket is full, rounded up.
    #[must_use]
    pub fn fills_in(&self) -> u64 {
        seconds(self.capacity())
    }

    /// Takes one request from the bucket of `holder`, if it has a whole one.
    pub fn take(&self, holder: Holder) -> Taken {
        let now = (self.clock)().saturating_duration_since(self.began).as_nanos();
        let entry = self.full_at.entry(holder);
        let is_new = matches!(entry, Entry::Vacant(_));
        let mut full_at = entry.or_insert(now);
        let missing = full_at.saturating_sub(now);
        let after = missing + self.interval;
        let short = after.saturating_sub(self.capacity());
        let missing = if short == 0 { after } else { missing };
        *full_at = now + missing;
        drop(full_at);
        if is_new {
            self.sweep_in_time(now);
        }
        Taken {
            left: u64::try_from((self.capacity() - missing) / self.interval).unwrap_or(self.burst),
            full_in: seconds(missing),
            retry_after: (short > 0).then(|| seconds(short)),
        }
    }

    /// Returns the time in which an empty bucket fills, in nanoseconds.
    fn capacity(&self) -> u128 {
        self.interval * u128::from(self.burst)
    }

    /// Forgets full buckets once as many have been added as the last sweep left: there are never more than twice as
    /// many as are not full, and [`RATE_SWEEP_MIN`].
    fn sweep_in_time(&self, now: u128) {
        let count = |left: usize| left.checked_sub(1);
        if self.to_sweep.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count) == Ok(1) {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.to_sweep.store(self.full_at.len().max(RATE_SWEEP_MIN), Ordering::Relaxed);
        }
    }
}

/// `nanos` in whole seconds, rounded up, capped at what a header can express.
fn seconds(nanos: u128) -> u64 {
    u64::try_from(nanos.div_ceil(NANOS_PER_SECOND)).unwrap_or(RATE_BURST_MAX).min(RATE_BURST_MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;

    /// Rates with a clock that stands at the milliseconds in the mutex.
    fn rates(requests_per_second: f64, burst: Option<f64>) -> (Rates, Arc<Mutex<u64>>) {
        let settings = RateSettings::new(Some(requests_per_second), burst).unwrap().unwrap();
        let (began, moved) = (clock::now(), Arc::new(Mutex::new(0)));
        let read = Arc::clone(&moved);
        let clock = move || began + Duration::from_millis(*read.lock().unwrap());
        (Rates::with_clock(settings, Arc::new(clock)), moved)
    }

    fn key(id: usize) -> Holder {
        Holder::Stored { id: format!("key_{id}") }
    }

    /// The time in milliseconds; the holder; what is left, the seconds until full, and those until the next if it is
    /// refused.
    type Step = (u64, usize, (u64, u64, Option<u64>));
    /// Requests per second, a burst, the policy's two numbers, and the steps.
    type Table<'a> = (f64, Option<f64>, (u64, u64), &'a [Step]);

    #[test]
    fn a_bucket_gives_its_burst_and_fills_with_time() {
        let ok = |left, full_in| (left, full_in, None);
        let refused = |full_in, wait| (0, full_in, Some(wait));
        let tables: &[Table<'_>] = &[
            (
                2.0,
                None,
                (2, 1),
                &[
                    (0, 1, ok(1, 1)),
                    (0, 1, ok(0, 1)),
                    (0, 1, refused(1, 1)),
                    // Refused requests take nothing: half a second later one is available all the same.
                    (499, 1, refused(1, 1)),
                    (500, 1, ok(0, 1)),
                    // Each credential has its own.
                    (500, 2, ok(1, 1)),
                    // Time beyond full is not saved up.
                    (60_000, 1, ok(1, 1)),
                    (60_000, 1, ok(0, 1)),
                    (60_000, 1, refused(1, 1)),
                ],
            ),
            (
                0.1,
                Some(3.0),
                (3, 30),
                &[
                    (0, 1, ok(2, 10)),
                    (0, 1, ok(1, 20)),
                    (1, 1, ok(0, 30)),
                    (1_000, 1, refused(29, 9)),
                    (9_999, 1, refused(21, 1)),
                    (10_000, 1, ok(0, 30)),
                    (10_001, 1, refused(30, 10)),
                    (29_999, 1, ok(0, 21)),
                    (40_000, 1, ok(1, 20)),
                ],
            ),
            (0.7, Some(21.0), (21, 30), &[(0, 1, ok(20, 2)), (1_000, 1, ok(19, 2)), (1_428, 1, ok(18, 3))]),
            (0.3, None, (1, 4), &[(0, 1, ok(0, 4)), (3_333, 1, refused(1, 1)), (3_334, 1, ok(0, 4))]),
            (1e12, Some(5.0), (5, 1), &[(0, 1, ok(4, 1)), (1, 1, ok(4, 1))]),
            (
                1e-300,
                None,
                (1, 18_446_744_074),
                &[
                    (0, 1, ok(0, 18_446_744_074)),
                    (u64::from(u32::MAX), 1, refused(18_442_449_107, 18_442_449_107)),
                ],
            ),
        ];
        for (rate, burst, policy, steps) in tables {
            let (rates, moved) = rates(*rate, *burst);
            assert_eq!((rates.burst(), rates.fills_in()), *policy, "{rate} {burst:?}");
            for (step, (at, who, expected)) in steps.iter().enumerate() {
                *moved.lock().unwrap() = *at;
                let Taken { left, full_in, retry_after } = rates.take(key(*who));
                assert_eq!((left, full_in, retry_after), *expected, "{rate} {burst:?}, step {step}");
            }
        }
    }

    /// The control is a table that keeps every credential it ever saw.
    #[test]
    fn full_buckets_are_forgotten_and_others_kept() {
        let (rates, moved) = rates(1.0, Some(2.0));
        let mut ledger = HashMap::new();
        for id in 0..20 * RATE_SWEEP_MIN {
            *moved.lock().unwrap() = 10 * id as u64;
            ledger.insert(key(id), rates.take(key(id)));
            // A bucket that is always empty is never forgotten.
            let slow = rates.take(key(usize::MAX));
            assert!(id < 5 || slow.left <= 1, "{slow:?}");
        }
        assert!(rates.full_at.len() <= 2 * RATE_SWEEP_MIN, "{} buckets", rates.full_at.len());
        assert!(rates.full_at.contains_key(&key(usize::MAX)));
        assert!(ledger.len() > 2 * RATE_SWEEP_MIN, "the control");
    }

    #[test]
    fn many_threads_take_no_more_than_there_is() {
        let (rates, _) = rates(1.0, Some(1_000.0));
        let taken: usize = std::thread::scope(|scope| {
            let ask = || (0..500).filter(|_| rates.take(key(1)).retry_after.is_none()).count();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(taken, 1_000);
    }

    #[test]
    fn settings_are_numbers_that_a_bucket_can_have() {
        let on = |rate, burst| Ok(Some(RateSettings { requests_per_second: rate, burst }));
        let burst = |got| Err(RateSettingsError::Burst { got });
        let rate = |got| Err(RateSettingsError::Rate { got });
        for (rate_sent, burst_sent, expected) in [
            (None, None, Ok(None)),
            (None, Some(1.0), Err(RateSettingsError::NoRate)),
            (Some(2.5), None, on(2.5, 3)),
            (Some(0.01), None, on(0.01, 1)),
            (Some(1e300), None, on(1e300, RATE_BURST_MAX)),
            (Some(2.5), Some(1.0), on(2.5, 1)),
            (Some(2.5), Some(RATE_BURST_MAX as f64), on(2.5, RATE_BURST_MAX)),
            (Some(2.5), Some(0.0), burst(0.0)),
            (Some(2.5), Some(-1.0), burst(-1.0)),
            (Some(2.5), Some(1.5), burst(1.5)),
            (Some(2.5), Some(1e15), burst(1e15)),
            (Some(0.0), None, rate(0.0)),
            (Some(-1.0), None, rate(-1.0)),
            (Some(f64::INFINITY), None, rate(f64::INFINITY)),
        ] {
            assert_eq!(RateSettings::new(rate_sent, burst_sent), expected, "{rate_sent:?} {burst_sent:?}");
        }
        assert!(RateSettings::new(Some(f64::NAN), None).is_err());
        assert!(RateSettings::new(Some(1.0), Some(f64::NAN)).is_err());
    }
}
