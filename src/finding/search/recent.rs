//! A cache of how well conditions fit: the result of comparing a condition with all texts, kept for the next query with
//! the same condition.
//!
//! It belongs to one network of one organization and is dropped with it, so it is never out of date, and no
//! organization evicts another's entries. A cached result equals a computed one, to the byte.
//!
//! Promise: Cached results of conditions equal computed ones, within bounds of bytes and entries.
//! Control: entries too large to be cached are computed again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits::{RECENT_FITS_BYTES, RECENT_FITS_MAX};
use crate::search::conditions::Condition;
use crate::search::fit::Fits;

/// The most recently used results for one network.
#[derive(Debug, Default)]
pub struct RecentFits(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    by_condition: HashMap<Condition, Entry>,
    bytes: usize,
    /// Grows with each use.
    now: u64,
}

#[derive(Debug)]
struct Entry {
    fits: Arc<Fits>,
    bytes: usize,
    used: u64,
}

impl RecentFits {
    /// The cached result of `condition`, or that of `reckon`, which is then cached. Two concurrent callers may both
    /// compute it.
    pub fn get_or(&self, condition: &Condition, reckon: impl FnOnce() -> Fits) -> Arc<Fits> {
        if let Some(fits) = self.with(|held| held.get(condition)) {
            return fits;
        }
        let fits = Arc::new(without_zeros(reckon()));
        let bytes = size_bytes(condition, &fits);
        if bytes <= RECENT_FITS_BYTES {
            let entry = (condition.clone(), Arc::clone(&fits));
            self.with(|held| held.keep(entry.0, entry.1, bytes));
        }
        fits
    }

    /// Size of the cache, in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.with(|held| held.bytes)
    }

    fn with<T>(&self, look: impl FnOnce(&mut Held) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Held {
    fn get(&mut self, condition: &Condition) -> Option<Arc<Fits>> {
        self.now += 1;
        let entry = self.by_condition.get_mut(condition)?;
        entry.used = self.now;
        Some(Arc::clone(&entry.fits))
    }

    fn keep(&mut self, condition: Condition, fits: Arc<Fits>, bytes: usize) {
        let entry = Entry { fits, bytes, used: self.now };
        self.bytes += bytes;
        if let Some(before) = self.by_condition.insert(condition, entry) {
            self.bytes -= before.bytes;
        }
        while self.bytes > RECENT_FITS_BYTES || self.by_condition.len() > RECENT_FITS_MAX {
            let oldest = self.by_condition.iter().min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(condition, _)| condition.clone()) else { break };
            self.bytes -= self.by_condition.remove(&oldest).map_or(0, |entry| entry.bytes);
        }
    }
}

/// `fits` without tables in which nothing fits: an empty one means the same.
fn without_zeros(mut fits: Fits) -> Fits {
    let tables =
        [&mut fits.positions, &mut fits.cities, &mut fits.countries, &mut fits.companies, &mut fits.people];
    for table in tables {
        if table.iter().all(|&fit| fit == 0) {
            *table = Vec::new();
        }
    }
    fits
}

fn size_bytes(condition: &Condition, fits: &Fits) -> usize {
    let tables = [&fits.positions, &fits.cities, &fits.countries, &fits.companies, &fits.people];
    let words = condition.phrases.iter().flatten().chain(&condition.senses).chain([&condition.term]);
    let of_condition: usize = words.map(|word| word.len() + size_of::<String>()).sum();
    tables.iter().map(|table| table.capacity()).sum::<usize>()
        + of_condition
        + size_of::<Condition>()
        + size_of::<Entry>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::conditions::{TermKind, When};

    fn condition(term: usize) -> Condition {
        Condition {
            kind: TermKind::Topic,
            term: term.to_string(),
            phrases: Vec::new(),
            senses: Vec::new(),
            when: When::Now,
            or_name: false,
            or_knowers: false,
            is_sentence: false,
            measure: None,
        }
    }

    fn fits(bytes: usize) -> Fits {
        Fits { positions: vec![7; bytes], cities: vec![0; 100], ..Fits::default() }
    }

    #[test]
    fn what_was_asked_latest_is_kept_within_bounds_of_bytes_and_of_entries() {
        for bytes in [10, RECENT_FITS_BYTES / 10, RECENT_FITS_BYTES, RECENT_FITS_BYTES + 1] {
            let recent = RecentFits::default();
            let (mut reckoned, first) = (0, condition(0));
            for term in 0..2 * RECENT_FITS_MAX.min(40) + RECENT_FITS_MAX {
                recent.get_or(&condition(term), || fits(bytes));
                assert!(recent.size_bytes() <= RECENT_FITS_BYTES, "{bytes}");
                recent.get_or(&first, || {
                    reckoned += 1;
                    fits(bytes)
                });
            }
            assert!(recent.with(|held| held.by_condition.len()) <= RECENT_FITS_MAX);
            // The first is used again and again: it is evicted only if there is no room for two, or for one.
            assert_eq!(reckoned > 0, bytes >= RECENT_FITS_BYTES, "{bytes}");
        }
    }

    #[test]
    fn what_is_given_back_says_the_same_and_of_conditions_that_differ_each_its_own() {
        let recent = RecentFits::default();
        let again = || -> Fits { panic!("it was reckoned already") };
        let of_one = recent.get_or(&condition(1), || fits(3));
        assert_eq!((&*of_one.positions, of_one.cities.len()), (&[7_u8; 3][..], 0));
        assert_eq!(recent.get_or(&condition(2), || fits(4)).positions.len(), 4);
        assert_eq!(recent.get_or(&condition(1), again), of_one);
        let past = Condition { when: When::Once, ..condition(1) };
        assert_eq!(recent.get_or(&past, || fits(5)).positions.len(), 5);
    }
}
