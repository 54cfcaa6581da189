//! A circuit breaker for a provider that fails repeatedly: closed, open, half-open. A state machine that is given the
//! time; each organization has one, in `shares.rs`.

use std::time::{Duration, Instant};

use crate::limits::{PROVIDER_FAILURES_MAX, PROVIDER_PAUSE_FIRST, PROVIDER_PAUSE_MAX};

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The provider is healthy.
    Well,
    /// The provider failed.
    Failed,
    /// Nobody waited for the answer.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Everything passes.
    Closed { failures: u32 },
    /// Nothing passes before `until`.
    Open { until: Instant, wait: Duration },
    /// One probe is under way; nothing else passes.
    HalfOpen { wait: Duration },
}

/// The state machine.
#[derive(Debug)]
pub(crate) struct Breaker {
    state: State,
    /// Grows with each change of state, so that requests of an earlier state change nothing.
    epoch: u64,
}

impl Default for Breaker {
    fn default() -> Self {
        Self { state: State::Closed { failures: 0 }, epoch: 0 }
    }
}

impl Breaker {
    /// Whether everything passes, and nothing failed since the last success.
    pub(crate) fn is_untroubled(&self) -> bool {
        matches!(self.state, State::Closed { failures: 0 })
    }

    /// Whether nothing passes, or at most a probe.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed { .. })
    }

    /// Admits a request at `now`, if possible; returns the epoch to report it with.
    pub(crate) fn admit(&mut self, now: Instant) -> Option<u64> {
        match self.state {
            State::Closed { .. } => {}
            State::Open { until, wait } if now >= until => self.change(State::HalfOpen { wait }),
            State::Open { .. } | State::HalfOpen { .. } => return None,
        }
        Some(self.epoch)
    }

    /// Records the outcome of a request admitted in `epoch`.
    pub(crate) fn report(&mut self, epoch: u64, verdict: Verdict, now: Instant) {
        if epoch != self.epoch {
            return;
        }
        match (self.state, verdict) {
            (State::Closed { .. }, Verdict::Well) => self.state = State::Closed { failures: 0 },
            (State::Closed { failures }, Verdict::Failed) if failures + 1 < PROVIDER_FAILURES_MAX => {
                self.state = State::Closed { failures: failures + 1 };
            }
            (State::Closed { .. }, Verdict::Failed) => self.open(now, PROVIDER_PAUSE_FIRST),
            (State::HalfOpen { .. }, Verdict::Well) => self.change(State::Closed { failures: 0 }),
            (State::HalfOpen { wait }, Verdict::Failed) => self.open(now, (wait * 2).min(PROVIDER_PAUSE_MAX)),
            // The probe showed nothing: the next request is the probe.
            (State::HalfOpen { wait }, Verdict::Unknown) => self.change(State::Open { until: now, wait }),
            // Nothing is admitted in an open epoch, so nothing reports to it.
            (State::Closed { .. }, Verdict::Unknown) | (State::Open { .. }, _) => {}
        }
    }

    fn open(&mut self, now: Instant, wait: Duration) {
        self.change(State::Open { until: now + wait, wait });
    }

    fn change(&mut self, state: State) {
        self.state = state;
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One step per second: a request and its outcome, or one that must not pass.
    #[derive(Clone, Copy)]
    enum Step {
        Well(u64),
        Fails(u64),
        Lost(u64),
        Stopped(u64),
    }
    use Step::{Fails, Lost, Stopped, Well};

    #[track_caller]
    fn check(steps: &[Step]) {
        let (start, mut breaker) = (Instant::now(), Breaker::default());
        for (place, step) in steps.iter().enumerate() {
            let (second, verdict) = match *step {
                Well(second) => (second, Some(Verdict::Well)),
                Fails(second) => (second, Some(Verdict::Failed)),
                Lost(second) => (second, Some(Verdict::Unknown)),
                Stopped(second) => (second, None),
            };
            let now = start + Duration::from_secs(second);
            let admitted = breaker.admit(now);
            assert_eq!(admitted.is_some(), verdict.is_some(), "step {place}, second {second}");
            if let (Some(epoch), Some(verdict)) = (admitted, verdict) {
                breaker.report(epoch, verdict, now);
            }
        }
    }

    #[test]
    fn it_opens_at_the_fifth_failure_in_a_row_and_not_before() {
        check(&[
            Fails(0),
            Fails(0),
            Fails(0),
            Fails(0),
            Well(0),
            Fails(0),
            Fails(0),
            Fails(0),
            Fails(0),
            Well(1),
        ]);
        check(&[Fails(0), Fails(0), Fails(0), Fails(0), Lost(0), Fails(0), Stopped(0), Stopped(29)]);
    }

    #[test]
    fn after_thirty_seconds_one_probe_decides() {
        let opened = [Fails(0); 5];
        check(&[&opened[..], &[Stopped(29), Well(30), Well(30), Fails(30), Well(30)]].concat());
        check(&[&opened[..], &[Fails(30), Stopped(31), Stopped(89), Well(90)]].concat());
    }

    #[test]
    fn the_wait_doubles_up_to_five_minutes_and_starts_anew_once_it_is_well() {
        let mut steps = vec![Fails(0); 5];
        let mut second = 0;
        for wait in [30, 60, 120, 240, 300, 300] {
            steps.extend([Stopped(second + wait - 1), Fails(second + wait)]);
            second += wait;
        }
        steps.extend([Stopped(second + 299), Well(second + 300)]);
        steps.extend([Fails(second + 300); 5]);
        steps.extend([Stopped(second + 329), Well(second + 330)]);
        check(&steps);
    }

    #[test]
    fn a_lost_probe_makes_the_next_request_the_probe() {
        check(&[&[Fails(0); 5][..], &[Lost(30), Lost(31), Fails(32), Stopped(91), Well(92)]].concat());
    }

    #[test]
    fn while_the_probe_is_on_its_way_nothing_else_passes() {
        let (start, mut breaker) = (Instant::now(), Breaker::default());
        (0..5).for_each(|_| {
            let epoch = breaker.admit(start).unwrap();
            breaker.report(epoch, Verdict::Failed, start);
        });
        let later = start + PROVIDER_PAUSE_FIRST;
        assert!(breaker.admit(later).is_some());
        assert_eq!(breaker.admit(later + PROVIDER_PAUSE_MAX), None);
    }

    #[test]
    fn reports_from_before_a_change_change_nothing() {
        let (start, mut breaker) = (Instant::now(), Breaker::default());
        let slow = breaker.admit(start).unwrap();
        (0..5).for_each(|_| breaker.report(slow, Verdict::Failed, start));
        breaker.report(slow, Verdict::Well, start);
        assert_eq!(breaker.admit(start), None, "a late success does not close it");
        let later = start + PROVIDER_PAUSE_FIRST;
        assert!(breaker.admit(later).is_some());
        breaker.report(slow, Verdict::Failed, later);
        breaker.report(slow, Verdict::Well, later);
        assert_eq!(breaker.admit(later), None, "only the probe decides");
    }
}
