//! The bytes that all connections of a listener hold together: heads that are coming, requests that are worked
//! on, their bodies, and answers on their way out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A budget of bytes. What is taken of it is given back when its [`Charge`] is dropped.
#[derive(Debug)]
pub struct ByteBudget {
    bytes: usize,
    used: AtomicUsize,
}

impl ByteBudget {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self { bytes, used: AtomicUsize::new(0) })
    }

    /// Takes `bytes` for a request that was read whole, or for its answer. Returns `None` if the budget does not
    /// have them.
    #[must_use]
    pub fn take(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        self.take_within(bytes, self.bytes)
    }

    /// Takes `bytes` for the body of a request. Bodies never get the last quarter of the budget, so that requests
    /// without one find some.
    #[must_use]
    pub fn take_for_body(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        if bytes == 0 {
            return self.take(0);
        }
        self.take_within(bytes, self.bytes / 4 * 3)
    }

    /// Takes `bytes` for a head that is not complete: nobody knows whose it is. Heads never get the second half of
    /// the budget, so that those who were let in find some.
    #[must_use]
    pub fn take_for_head(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        self.take_within(bytes, self.bytes / 2)
    }

    fn take_within(self: &Arc<Self>, bytes: usize, most: usize) -> Option<Charge> {
        let take = |used: usize| used.checked_add(bytes).filter(|&used| used <= most);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        Some(Charge { budget: Arc::clone(self), bytes })
    }
}

/// Bytes taken of a budget.
#[derive(Debug)]
pub struct Charge {
    budget: Arc<ByteBudget>,
    bytes: usize,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
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
        let body = budget.take_for_body(25);
        assert!(body.is_some() && budget.take_for_body(1).is_none() && budget.take_for_body(0).is_some());
        drop(body);
        let answer = budget.take(50);
        assert!(answer.is_some() && budget.take(1).is_none() && budget.take(usize::MAX).is_none());
        drop((head, answer));
        assert!(budget.take(100).is_some() && budget.take(101).is_none());
    }
}
