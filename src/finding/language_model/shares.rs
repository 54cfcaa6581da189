//! Each organization's share of the provider: places for requests under way, and a circuit breaker of its own. One
//! organization's requests, and their failures, affect no other.
//!
//! There are [`PROVIDER_REQUESTS_MAX`] places. An organization gets another one if more places are free than it has:
//! alone it gets at most half of them; `n` organizations that all want more get about an `n + 1`th each; and one
//! without a place gets one while any is free.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::language_model::breaker::{Breaker, Verdict};
use crate::language_model::failure::DraftFailure;
use crate::limits::PROVIDER_REQUESTS_MAX;

/// The shares of all organizations.
#[derive(Debug, Default)]
pub(crate) struct Shares(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    /// Shares not in their initial state; at most one per organization.
    by_organization: HashMap<Box<str>, Share>,
    /// The places in use altogether.
    places: usize,
}

/// The share of one organization.
#[derive(Debug, Default)]
struct Share {
    places: usize,
    breaker: Breaker,
}

impl Shares {
    /// A place for a request of `organization`.
    ///
    /// # Errors
    /// Returns `Busy` if it already has its share, and `Open` while its breaker is open.
    pub(crate) fn admit(&self, organization: &str, now: Instant) -> Result<Pass<'_>, DraftFailure> {
        let mut held = self.lock();
        let free = PROVIDER_REQUESTS_MAX - held.places;
        let share = held.by_organization.entry(organization.into()).or_default();
        // The place comes first, so that a request without one never becomes the breaker's probe.
        let admitted = if share.places < free {
            share.breaker.admit(now).ok_or(DraftFailure::Open)
        } else {
            Err(DraftFailure::Busy)
        };
        match admitted {
            Ok(epoch) => {
                share.places += 1;
                held.places += 1;
                let organization = organization.into();
                Ok(Pass { shares: self, organization, epoch, admitted: now, verdict: None })
            }
            Err(failure) => {
                held.forget_if_new(organization);
                Err(failure)
            }
        }
    }

    /// Returns the number of requests under way.
    pub(crate) fn places(&self) -> usize {
        self.lock().places
    }

    /// Whether the breaker of `organization` stops its requests, or lets only a probe through.
    pub(crate) fn is_open(&self, organization: &str) -> bool {
        self.lock().by_organization.get(organization).is_some_and(|share| share.breaker.is_open())
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // Every change under the lock is complete before anything could panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Takes back the place of a request admitted in `epoch`.
    fn take_back(&mut self, organization: &str, epoch: u64, verdict: Verdict, now: Instant) {
        let Some(share) = self.by_organization.get_mut(organization) else { return };
        share.places -= 1;
        self.places -= 1;
        share.breaker.report(epoch, verdict, now);
        self.forget_if_new(organization);
    }

    fn forget_if_new(&mut self, organization: &str) {
        let is_new = |share: &Share| share.places == 0 && share.breaker.is_untroubled();
        if self.by_organization.get(organization).is_some_and(is_new) {
            self.by_organization.remove(organization);
        }
    }
}

/// A request under way. Dropped without a report, it counts neither way.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    shares: &'a Shares,
    organization: Box<str>,
    epoch: u64,
    admitted: Instant,
    verdict: Option<(Verdict, Instant)>,
}

impl Pass<'_> {
    /// Reports the outcome of the request, and gives its place back.
    pub(crate) fn report(mut self, verdict: Verdict, now: Instant) {
        self.verdict = Some((verdict, now));
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let (verdict, now) = self.verdict.unwrap_or((Verdict::Unknown, self.admitted));
        self.shares.lock().take_back(&self.organization, self.epoch, verdict, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{PROVIDER_FAILURES_MAX, PROVIDER_PAUSE_FIRST};

    /// Takes as many places as `organization` can get now.
    fn all_of<'a>(shares: &'a Shares, organization: &str, now: Instant) -> Vec<Pass<'a>> {
        std::iter::from_fn(|| shares.admit(organization, now).ok()).collect()
    }

    fn fail(shares: &Shares, organization: &str, now: Instant) {
        if let Ok(pass) = shares.admit(organization, now) {
            pass.report(Verdict::Failed, now);
        }
    }

    #[test]
    fn one_that_takes_all_it_gets_leaves_half_and_each_newcomer_gets_a_place() {
        let (shares, now) = (Shares::default(), Instant::now());
        let first = all_of(&shares, "a", now);
        assert_eq!(first.len(), PROVIDER_REQUESTS_MAX / 2);
        assert_eq!(shares.admit("a", now).err(), Some(DraftFailure::Busy));
        let second = all_of(&shares, "b", now);
        assert_eq!(second.len(), PROVIDER_REQUESTS_MAX / 4);
        let third = all_of(&shares, "c", now);
        assert!(!third.is_empty());
        assert_eq!(shares.places(), first.len() + second.len() + third.len());
        assert!(shares.places() < PROVIDER_REQUESTS_MAX);
        drop((first, second, third));
        assert_eq!((shares.places(), shares.lock().by_organization.len()), (0, 0));
    }

    #[test]
    fn places_are_never_more_than_there_are_and_go_to_as_many_organizations_as_there_can_be() {
        let (shares, now) = (Shares::default(), Instant::now());
        let named: Vec<String> =
            (0..2 * PROVIDER_REQUESTS_MAX).map(|number| format!("org_{number}")).collect();
        let mut passes: Vec<_> = named.iter().filter_map(|name| shares.admit(name, now).ok()).collect();
        assert_eq!(passes.len(), PROVIDER_REQUESTS_MAX);
        assert_eq!(shares.lock().by_organization.len(), PROVIDER_REQUESTS_MAX);
        passes.pop();
        assert!(shares.admit(&named[PROVIDER_REQUESTS_MAX], now).is_ok());
    }

    #[test]
    fn each_organization_has_a_breaker_of_its_own() {
        let (shares, now) = (Shares::default(), Instant::now());
        (0..PROVIDER_FAILURES_MAX).for_each(|_| fail(&shares, "a", now));
        assert_eq!(shares.admit("a", now).err(), Some(DraftFailure::Open));
        assert!(shares.is_open("a") && !shares.is_open("b") && shares.admit("b", now).is_ok());
        shares.admit("a", now + PROVIDER_PAUSE_FIRST).unwrap().report(Verdict::Well, now);
        assert!(!shares.is_open("a") && shares.lock().by_organization.is_empty());
    }

    #[test]
    fn a_pass_that_is_dropped_reports_that_nothing_is_known() {
        let (start, shares) = (Instant::now(), Shares::default());
        (0..5).for_each(|_| fail(&shares, "a", start));
        assert!(shares.admit("a", start).is_err());
        let later = start + PROVIDER_PAUSE_FIRST;
        drop(shares.admit("a", later));
        let probe = shares.admit("a", later);
        assert!(probe.is_ok() && shares.admit("a", later).is_err());
    }

    #[test]
    fn of_many_threads_one_sends_the_probe() {
        for _ in 0..200 {
            let (start, shares) = (Instant::now(), Shares::default());
            std::thread::scope(|scope| {
                (0..5).for_each(|_| drop(scope.spawn(|| fail(&shares, "a", start))));
            });
            let later = start + PROVIDER_PAUSE_FIRST;
            let passes: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| shares.admit("a", later))).collect();
                threads.into_iter().filter_map(|thread| thread.join().ok()?.ok()).collect()
            });
            assert_eq!(passes.len(), 1);
        }
    }
}
