//! The bytes that all connections of a listener hold together: heads that are coming, requests that are worked
//! on, their bodies, and answers on their way out.
//!
//! Answers are shared by organizations and bodies by peers: each has a part of what is left, so that one that does not
//! read its answers, or sends bodies that never end, takes no other's room.
//!
//! Promise: One organization that reads no answer, or one peer that sends bodies, takes no other's room; requests and
//!   probes find some.
//! Control: one share for all: in the same trial the other organization is refused.
//! Also in: `src/server/connection/unread_answers.rs`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A budget of bytes. What is taken of it is given back when its [`Charge`] is dropped.
#[derive(Debug)]
pub struct ByteBudget {
    bytes: usize,
    used: AtomicUsize,
    /// By organization. Never more than half of the budget.
    answers: Shares,
    /// By peer. Never the last quarter of the budget, so that requests without a body find room.
    bodies: Shares,
}

/// A part of a budget that several share. Who wants more gets it if more is left than they hold: alone one holds half of
/// it at most, and one who holds nothing gets some while any is left.
#[derive(Debug)]
struct Shares {
    most: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// Those who hold something.
    by_name: HashMap<Box<str>, usize>,
    all: usize,
}

/// Bytes taken of a budget.
#[derive(Debug)]
pub struct Charge {
    budget: Arc<ByteBudget>,
    bytes: usize,
    /// The share that the bytes are of.
    share: Option<(Share, Box<str>)>,
}

#[derive(Clone, Copy, Debug)]
enum Share {
    Answers,
    Bodies,
}

impl ByteBudget {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Arc<Self> {
        let shares = |most| Shares { most, held: Mutex::default() };
        let (answers, bodies) = (shares(bytes / 2), shares(bytes / 4 * 3));
        Arc::new(Self { bytes, used: AtomicUsize::new(0), answers, bodies })
    }

    /// Takes `bytes` for a request that was read whole. Returns `None` if the budget does not have them.
    #[must_use]
    pub fn take(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        self.take_within(bytes, self.bytes)
    }

    /// Takes `bytes` for an answer to `organization`. Returns `None` if its share does not have them.
    #[must_use]
    pub fn take_for_answer(self: &Arc<Self>, organization: &str, bytes: usize) -> Option<Charge> {
        self.take_of(Share::Answers, organization, bytes, self.bytes)
    }

    /// Takes `bytes` for a part of a body that came from `peer`. Returns `None` if its share does not have them.
    #[must_use]
    pub fn take_for_body(self: &Arc<Self>, peer: &str, bytes: usize) -> Option<Charge> {
        self.take_of(Share::Bodies, peer, bytes, self.bodies.most)
    }

    /// Takes `bytes` for a head that is not complete: nobody knows whose it is. Heads never get the second half of
    /// the budget, so that those who were let in find some.
    #[must_use]
    pub fn take_for_head(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        self.take_within(bytes, self.bytes / 2)
    }

    fn take_of(self: &Arc<Self>, share: Share, name: &str, bytes: usize, most: usize) -> Option<Charge> {
        if !self.shares(share).take(name, bytes) {
            return None;
        }
        let Some(mut charge) = self.take_within(bytes, most) else {
            self.shares(share).give_back(name, bytes);
            return None;
        };
        charge.share = Some((share, name.into()));
        Some(charge)
    }

    fn take_within(self: &Arc<Self>, bytes: usize, most: usize) -> Option<Charge> {
        let take = |used: usize| used.checked_add(bytes).filter(|&used| used <= most);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        Some(Charge { budget: Arc::clone(self), bytes, share: None })
    }

    fn shares(&self, share: Share) -> &Shares {
        match share {
            Share::Answers => &self.answers,
            Share::Bodies => &self.bodies,
        }
    }
}

impl Shares {
    fn take(&self, name: &str, bytes: usize) -> bool {
        let mut held = self.lock();
        let own = held.by_name.get(name).copied().unwrap_or(0);
        let is_there =
            own.checked_add(bytes).is_some_and(|wanted| wanted <= self.most.saturating_sub(held.all));
        if is_there {
            held.by_name.insert(name.into(), own + bytes);
            held.all += bytes;
        }
        is_there
    }

    fn give_back(&self, name: &str, bytes: usize) {
        let mut held = self.lock();
        held.all = held.all.saturating_sub(bytes);
        if let Some(own) = held.by_name.get_mut(name) {
            *own = own.saturating_sub(bytes);
            if *own == 0 {
                held.by_name.remove(name);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // Every change under the lock is whole before anything could panic.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
        if let Some((share, name)) = &self.share {
            self.budget.shares(*share).give_back(name, self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_get_half_of_a_budget_bodies_three_quarters_and_all_of_it_comes_back() {
        let budget = ByteBudget::new(100);
        let head = budget.take_for_head(50);
        assert!(head.is_some() && budget.take_for_head(1).is_none());
        let body = budget.take_for_body("peer", 25);
        assert!(body.is_some() && budget.take_for_body("peer", 1).is_none());
        drop(body);
        let answer = budget.take(50);
        assert!(answer.is_some() && budget.take(1).is_none() && budget.take(usize::MAX).is_none());
        drop((head, answer));
        assert!(budget.take(100).is_some() && budget.take(101).is_none());
    }

    #[test]
    fn nobody_takes_the_room_of_others_and_all_of_it_comes_back() {
        let budget = ByteBudget::new(400);
        for _ in 0..3 {
            let mut greedy: Vec<Charge> =
                std::iter::from_fn(|| budget.take_for_answer("org_a", 10)).collect();
            assert_eq!(greedy.len(), 10, "half of the half");
            let other: Vec<Charge> = std::iter::from_fn(|| budget.take_for_answer("org_b", 10)).collect();
            assert!(other.len() >= 5 && budget.take_for_answer("org_c", 10).is_some());
            // Requests and bodies find room beside answers that nobody reads.
            assert!(budget.take(100).is_some() && budget.take_for_body("peer", 50).is_some());
            greedy.truncate(1);
            assert!(budget.take_for_answer("org_a", 10).is_some());
            assert!(budget.take_for_answer("org_a", usize::MAX).is_none());
        }
        assert!(budget.take(400).is_some());
        assert!(budget.answers.lock().by_name.is_empty() && budget.answers.lock().all == 0);
    }
}
