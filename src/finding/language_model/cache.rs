//! A cache of language models' drafts, each only for the organization that asked.
//!
//! Only drafts are kept, never failures. An entry lives for an hour; if there is no room for another, the oldest is
//! evicted. As all live equally long, the oldest is also the first to expire, so nothing has to be searched for.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use dashmap::DashMap;

use crate::limits::{DRAFT_LIFETIME, DRAFT_QUERY_BYTES_MAX, DRAFTS_MAX};
use crate::model::text::fold;
use crate::search::conditions::Draft;

/// Two strings, not one joined from both, so that no choice of names can make two keys equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    organization: Box<str>,
    folded_query: Box<str>,
}

#[derive(Debug)]
struct Entry {
    draft: Draft,
    made: Instant,
    /// Distinguishes this entry from others under the same key.
    number: u64,
}

/// The entries in the order they were made.
#[derive(Debug, Default)]
struct Order {
    queue: VecDeque<(u64, Key)>,
    next: u64,
}

/// Drafts by organization and folded query.
#[derive(Debug)]
pub(crate) struct DraftCache {
    entries: DashMap<Key, Entry>,
    order: Mutex<Order>,
    entries_max: usize,
}

impl DraftCache {
    pub(crate) fn new() -> Self {
        Self::with_room_for(DRAFTS_MAX)
    }

    fn with_room_for(entries_max: usize) -> Self {
        Self { entries: DashMap::new(), order: Mutex::default(), entries_max }
    }

    /// The cached draft for `organization` and a query with the same folded form as `query`.
    pub(crate) fn find(&self, organization: &str, query: &str, now: Instant) -> Option<Draft> {
        let entry = self.entries.get(&key(organization, query)?)?;
        (now.saturating_duration_since(entry.made) < DRAFT_LIFETIME).then(|| entry.draft.clone())
    }

    /// Stores `draft`, replacing an earlier one; evicts the oldest if there is no room.
    pub(crate) fn keep(&self, organization: &str, query: &str, draft: &Draft, now: Instant) {
        let Some(key) = key(organization, query) else { return };
        // The order is locked before the map is touched, and no reference into the map outlives its line.
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let number = order.next;
        order.next += 1;
        order.queue.push_back((number, key.clone()));
        self.entries.insert(key, Entry { draft: draft.clone(), made: now, number });
        while order.queue.len() > self.entries_max {
            let Some((number, key)) = order.queue.pop_front() else { break };
            self.entries.remove_if(&key, |_, entry| entry.number == number);
        }
    }
}

/// `None` for a query too long to be kept.
fn key(organization: &str, query: &str) -> Option<Key> {
    let folded_query = fold(query);
    (folded_query.len() <= DRAFT_QUERY_BYTES_MAX)
        .then(|| Key { organization: organization.into(), folded_query: folded_query.into() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::conditions::{Term, TermKind};

    fn draft(text: &str) -> Draft {
        let term = Term { kind: TermKind::Topic, text: text.into(), negated: false, past: false };
        Draft { terms: vec![term], ..Draft::default() }
    }

    /// Names and queries whose joins are equal, in pairs that are not.
    const ALIKE: [(&str, &str); 8] = [
        ("org_a", "b c"),
        ("org_a b", "c"),
        ("org_a\0b", "c"),
        ("org_a", "\0b c"),
        ("org_ab", "c"),
        ("org_a", "c"),
        ("ORG_A", "c"),
        ("", "org_a c"),
    ];

    /// How many of [`ALIKE`] find another one's draft; `keyed` returns organization and query.
    fn shared(keyed: impl Fn(&str, &str) -> (String, String)) -> usize {
        let (cache, now) = (DraftCache::new(), Instant::now());
        let keep = |(organization, query): (&str, &str)| {
            let (organization, query) = keyed(organization, query);
            cache.keep(&organization, &query, &draft("x"), now);
        };
        let is_found = |(organization, query): (&str, &str)| {
            let (organization, query) = keyed(organization, query);
            cache.find(&organization, &query, now).is_some()
        };
        ALIKE
            .iter()
            .enumerate()
            .filter(|&(place, &asked)| {
                let before = is_found(asked);
                keep(asked);
                place > 0 && before
            })
            .count()
    }

    #[test]
    fn no_organization_finds_what_was_made_for_another() {
        assert_eq!(shared(|organization, query| (organization.into(), query.into())), 0);
    }

    /// The control: the test above notices keys that mix up organizations.
    #[test]
    fn keys_without_the_organization_or_with_both_run_together_are_caught() {
        assert!(shared(|_, query| (String::new(), query.into())) > 0);
        assert!(shared(|organization, query| (String::new(), format!("{organization} {query}"))) > 0);
    }

    #[test]
    fn queries_that_fold_alike_share_a_draft() {
        let (cache, now) = (DraftCache::new(), Instant::now());
        cache.keep("org_a", "  CFOs in  ZÜRICH", &draft("x"), now);
        assert_eq!(cache.find("org_a", "cfos in zurich", now), Some(draft("x")));
        assert_eq!(cache.find("org_a", "cfo in zurich", now), None);
    }

    #[test]
    fn a_draft_lives_for_an_hour() {
        let (cache, now) = (DraftCache::new(), Instant::now());
        cache.keep("org_a", "x", &draft("x"), now);
        let last = now + DRAFT_LIFETIME - Duration::from_millis(1);
        assert_eq!(cache.find("org_a", "x", last), Some(draft("x")));
        assert_eq!(cache.find("org_a", "x", now + DRAFT_LIFETIME), None);
        cache.keep("org_a", "x", &draft("y"), now + DRAFT_LIFETIME);
        assert_eq!(cache.find("org_a", "x", now + DRAFT_LIFETIME), Some(draft("y")));
    }

    #[test]
    fn the_oldest_goes_and_what_was_made_anew_stays() {
        let (cache, now) = (DraftCache::with_room_for(3), Instant::now());
        for query in ["a", "b", "a", "c"] {
            cache.keep("org", query, &draft(query), now);
        }
        let kept = |cache: &DraftCache| {
            ["a", "b", "c", "d"]
                .iter()
                .filter(|query| cache.find("org", query, now).is_some())
                .copied()
                .collect::<String>()
        };
        assert_eq!(kept(&cache), "abc");
        cache.keep("org", "d", &draft("d"), now);
        assert_eq!(kept(&cache), "acd");
    }

    #[test]
    fn it_never_holds_more_than_it_has_room_for() {
        let (cache, now) = (DraftCache::with_room_for(10), Instant::now());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for number in 0..500 {
                        let query = format!("{} {}", number % 30, thread % 2);
                        cache.keep("org", &query, &draft(&query), now);
                        let found = cache.find("org", &query, now);
                        assert!(found.is_none_or(|found| found == draft(&query)));
                    }
                });
            }
        });
        assert!(cache.entries.len() <= 10 && !cache.entries.is_empty(), "{}", cache.entries.len());
        assert_eq!(cache.order.lock().unwrap_or_else(PoisonError::into_inner).queue.len(), 10);
    }

    #[test]
    fn queries_too_long_are_not_kept() {
        let (cache, now) = (DraftCache::new(), Instant::now());
        for (length, is_kept) in [(DRAFT_QUERY_BYTES_MAX, true), (DRAFT_QUERY_BYTES_MAX + 1, false)] {
            let query = "x".repeat(length);
            cache.keep("org", &query, &draft("x"), now);
            assert_eq!(cache.find("org", &query, now).is_some(), is_kept, "{length}");
        }
    }
}
