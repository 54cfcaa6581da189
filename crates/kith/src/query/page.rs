//! Pages: the requested part of an ordered list, and a collector that keeps only that part.

/// A page: up to `limit` entries after the first `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Maximum number of entries, at least 1.
    pub limit: u32,
    /// Entries to skip.
    pub offset: u64,
}

impl Page {
    /// Returns the number of entries up to the end of this page.
    #[must_use]
    pub fn end(self) -> u64 {
        self.offset.saturating_add(u64::from(self.limit))
    }

    /// Whether a list of `total` entries goes on after this page.
    #[must_use]
    pub fn has_more(self, total: u64) -> bool {
        self.end() < total
    }
}

/// Collects the least of many entries, and counts them all.
///
/// Holds at most twice the entries it keeps; one comparison refuses most entries.
#[derive(Debug)]
pub struct Top<T> {
    keep: usize,
    least: Vec<T>,
    /// Once `keep` entries are held, only entries below this one can be among the least.
    bound: Option<T>,
    offered: u64,
}

/// Below this many held entries, cutting back is not worth it.
const HELD_MIN: usize = 64;

impl<T: Ord + Copy> Top<T> {
    /// Keeps the entries up to the end of `page`.
    #[must_use]
    pub fn for_page(page: Page) -> Self {
        let keep = usize::try_from(page.end()).unwrap_or(usize::MAX);
        Self { keep, least: Vec::new(), bound: None, offered: 0 }
    }

    /// Counts `entry`, and keeps it if it may be among the lowest.
    pub fn offer(&mut self, entry: T) {
        self.offered += 1;
        if self.bound.is_some_and(|bound| entry >= bound) {
            return;
        }
        if self.least.capacity() == 0 {
            // All at once for a page of usual length.
            self.least.reserve_exact(self.keep.min(HELD_MIN).saturating_mul(2).max(HELD_MIN));
        }
        self.least.push(entry);
        if self.least.len() >= self.keep.saturating_mul(2).max(HELD_MIN) {
            self.cut_back();
        }
    }

    /// Refuses from now on the entries that do not come before the page's, once the page is full.
    pub fn tighten(&mut self) {
        if self.least.len() >= self.keep {
            self.cut_back();
        }
    }

    /// Counts `entries` already known to be [`Self::refused`].
    pub fn count_refused(&mut self, entries: u64) {
        self.offered += entries;
    }

    /// The bound from which on every entry is refused; `None` if there is none yet.
    #[must_use]
    pub fn bound(&self) -> Option<&T> {
        self.bound.as_ref()
    }

    /// Whether an entry not below `entry` is certain to be refused.
    #[must_use]
    pub fn refused(&self, entry: &T) -> bool {
        self.bound.as_ref().is_some_and(|bound| entry >= bound)
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.offered
    }

    /// The entries of `page`, ascending.
    #[must_use]
    pub fn into_page(mut self, page: Page) -> Vec<T> {
        if self.least.len() > self.keep {
            self.cut_back();
        }
        self.least.sort_unstable();
        let start = usize::try_from(page.offset).unwrap_or(usize::MAX).min(self.least.len());
        self.least.drain(..start);
        self.least
    }

    fn cut_back(&mut self) {
        let (_, bound, _) = self.least.select_nth_unstable(self.keep - 1);
        self.bound = Some(*bound);
        self.least.truncate(self.keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_least_concatenate_to_the_sorted_whole() {
        let entries: Vec<u32> = (0..1000).map(|n| n * 7919 % 1000).collect();
        for limit in [1, 3, 50, 999, 1000, 2000] {
            let mut walked = Vec::new();
            let mut page = Page { limit, offset: 0 };
            loop {
                let mut top = Top::for_page(page);
                entries.iter().for_each(|&entry| top.offer(entry));
                assert_eq!(top.total(), 1000);
                let has_more = page.has_more(top.total());
                walked.extend(top.into_page(page));
                if !has_more {
                    break;
                }
                page.offset = page.end();
            }
            assert_eq!(walked, (0..1000).collect::<Vec<_>>(), "limit {limit}");
        }
    }

    #[test]
    fn an_offset_past_the_end_is_an_empty_page() {
        let page = Page { limit: 1, offset: u64::MAX };
        let mut top = Top::for_page(page);
        (0..200).for_each(|entry| top.offer(entry));
        assert!(!page.has_more(top.total()) && top.into_page(page).is_empty());
    }

    #[test]
    fn what_is_refused_never_belonged_to_the_page() {
        let page = Page { limit: 2, offset: 1 };
        let mut top = Top::for_page(page);
        (0..100).rev().for_each(|entry| top.offer(entry));
        assert!(top.refused(&99) && !top.refused(&0));
        top.count_refused(7);
        assert_eq!(top.total(), 107);
        assert_eq!(top.into_page(page), [1, 2]);
    }

    #[test]
    fn tightened_it_refuses_what_does_not_belong_to_the_page() {
        let page = Page { limit: 2, offset: 1 };
        for (held, refused) in [(2, &[][..]), (3, &[2, 3, 50]), (40, &[2, 3, 50])] {
            let mut top = Top::for_page(page);
            (0..held).for_each(|entry| top.offer(entry));
            // Before that there is no bound, with so few entries.
            assert!(!top.refused(&50), "{held}");
            top.tighten();
            let all: Vec<u64> = [0, 1, 2, 3, 50].into_iter().filter(|entry| top.refused(entry)).collect();
            assert_eq!(all, refused, "{held}");
            let of_page: Vec<u64> = (1..held.min(3)).collect();
            assert_eq!((top.total(), top.into_page(page)), (held, of_page), "{held}");
        }
    }
}
