//! Counts recent wrong codes by address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum wrong codes from one address within [`WINDOW`].
const WRONG_MAX: u32 = 20;
/// How long wrong codes count.
const WINDOW: Duration = Duration::from_secs(3_600);
/// Maximum addresses remembered.
const ADDRESSES_MAX: usize = 10_000;

/// The wrong codes of each address, with the time of the first in its window.
#[derive(Debug, Default)]
pub struct WrongCodes(Mutex<HashMap<IpAddr, (Instant, u32)>>);

impl WrongCodes {
    /// Counts a wrong code from `address` at `now`. If there were too many, returns the seconds until the next code is
    /// accepted for checking.
    pub fn count(&self, address: IpAddr, now: Instant) -> Option<u64> {
        // A count is replaced whole.
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |since: Instant| now.saturating_duration_since(since) >= WINDOW;
        if counted.len() >= ADDRESSES_MAX && !counted.contains_key(&address) {
            counted.retain(|_, (since, _)| !is_over(*since));
            if counted.len() >= ADDRESSES_MAX
                && let Some(oldest) = counted.iter().min_by_key(|(_, (since, _))| *since).map(|(of, _)| *of)
            {
                counted.remove(&oldest);
            }
        }
        let (since, wrong) = counted.entry(address).or_insert((now, 0));
        if is_over(*since) {
            (*since, *wrong) = (now, 0);
        }
        *wrong = wrong.saturating_add(1);
        let left = WINDOW.saturating_sub(now.saturating_duration_since(*since));
        (*wrong > WRONG_MAX).then(|| left.as_secs().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twenty_first_wrong_code_of_an_address_within_an_hour_waits() {
        let (codes, now) = (WrongCodes::default(), Instant::now());
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        for _ in 0..20 {
            assert_eq!(codes.count(one, now), None);
        }
        assert_eq!(codes.count(one, now + Duration::from_secs(600)), Some(3_000));
        assert_eq!(codes.count(other, now), None);
        assert_eq!(codes.count(one, now + WINDOW), None);
    }
}
