//! The byte budget of a listener's connections: incoming heads, running requests, their bodies, and outgoing answers.
//!
//! Organizations share the part for answers, and for bodies too once a credential was accepted; before that, peers
//! share another part. Each gets a fraction of what is left, so an organization that does not read its answers, or
//! sends endless bodies, takes no other's room.
//!
//! Promise: One organization that reads no answer, or any peers that send bodies, take no other's room; requests and
//!   probes find some.
//! Control: one share for all: in the same trial the other organization is refused.
//! Also in: `src/front/server/connection/unread_answers.rs`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A budget of bytes. Dropping a [`Charge`] gives its bytes back.
#[derive(Debug)]
pub struct ByteBudget {
    bytes: usize,
    used: AtomicUsize,
    /// The share of each organization for answers. At most half of the budget.
    answers: Shares,
    /// The share of each organization for bodies. At most three eighths of the budget, and never its last eighth, so
    /// that requests without a body find room.
    bodies: Shares,
    /// Bodies without an accepted credential, by peer. At most an eighth: any number of peers may come.
    strangers: Shares,
}

/// A part of a budget shared by several holders. A holder may take more if more is left than it already holds: alone it
/// gets at most half, and a holder of nothing gets some while any is left.
#[derive(Debug)]
struct Shares {
    most: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// The holders of something.
    by_name: HashMap<Box<str>, usize>,
    all: usize,
}

/// Bytes charged to a budget.
#[derive(Debug)]
pub struct Charge {
    budget: Arc<ByteBudget>,
    bytes: usize,
    /// The share it is charged to, the holder, and the bytes charged there.
    share: Option<(Share, Box<str>, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum Share {
    Answers,
    Bodies,
    Strangers,
}

/// The sender of a body.
#[derive(Clone, Debug)]
pub enum Sender {
    /// The organization of the accepted credential, by id.
    Organization(String),
    /// A peer without an accepted credential, by address.
    Peer(String),
}

impl Sender {
    fn share(&self) -> (Share, &str) {
        match self {
            Self::Organization(id) => (Share::Bodies, id),
            Self::Peer(address) => (Share::Strangers, address),
        }
    }
}

impl ByteBudget {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Arc<Self> {
        let shares = |most| Shares { most, held: Mutex::default() };
        let (answers, bodies, strangers) = (shares(bytes / 2), shares(bytes / 8 * 3), shares(bytes / 8));
        Arc::new(Self { bytes, used: AtomicUsize::new(0), answers, bodies, strangers })
    }

    /// Charges `bytes` for a request that was read whole; `None` without room.
    #[must_use]
    pub fn take(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        self.take_within(bytes, self.bytes)
    }

    /// Charges `bytes` for an answer to `organization`; `None` without room in its share.
    #[must_use]
    pub fn take_for_answer(self: &Arc<Self>, organization: &str, bytes: usize) -> Option<Charge> {
        self.take_of((Share::Answers, organization), bytes, bytes, self.bytes)
    }

    /// Charges `bytes` for a part of a body from `sender`; `None` without room in its share.
    #[must_use]
    pub fn take_for_body(self: &Arc<Self>, sender: &Sender, bytes: usize) -> Option<Charge> {
        self.take_of(sender.share(), bytes, bytes, self.bytes / 8 * 7)
    }

    /// Charges `bytes`, already charged for a request, also to the share of `sender`, whose body is to come; `None`
    /// without room.
    #[must_use]
    pub fn take_for_sender(self: &Arc<Self>, sender: &Sender, bytes: usize) -> Option<Charge> {
        self.take_of(sender.share(), bytes, 0, self.bytes)
    }

    /// Charges `bytes` for an incomplete head, whose sender is unknown. Heads never get the second half of the budget,
    /// so that accepted callers find room.
    #[must_use]
    pub fn take_for_head(self: &Arc<Self>, bytes: usize) -> Option<Charge> {
        self.take_within(bytes, self.bytes / 2)
    }

    /// Charges `of_share` to the share of `name`, and `bytes` to the budget, which may be used up to `most`.
    fn take_of(
        self: &Arc<Self>,
        (share, name): (Share, &str),
        of_share: usize,
        bytes: usize,
        most: usize,
    ) -> Option<Charge> {
        if !self.shares(share).take(name, of_share) {
            return None;
        }
        let Some(mut charge) = self.take_within(bytes, most) else {
            self.shares(share).give_back(name, of_share);
            return None;
        };
        charge.share = Some((share, name.into(), of_share));
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
            Share::Strangers => &self.strangers,
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
        // Every change under the lock is complete before anything could panic.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
        if let Some((share, name, bytes)) = &self.share {
            self.budget.shares(*share).give_back(name, *bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_get_half_of_a_budget_bodies_their_parts_but_for_the_last_eighth_and_all_of_it_comes_back() {
        let budget = ByteBudget::new(80);
        let [sender, other] = ["org_a", "org_b"].map(|id| Sender::Organization(id.to_owned()));
        let head = budget.take_for_head(40);
        assert!(head.is_some() && budget.take_for_head(1).is_none());
        let body = budget.take_for_body(&sender, 15);
        assert!(body.is_some() && budget.take_for_body(&sender, 1).is_none());
        assert!(budget.take_for_body(&other, 15).is_some() && budget.take_for_body(&other, 16).is_none());
        let used = budget.take(15);
        assert!(used.is_some() && budget.take_for_body(&other, 1).is_none(), "the last eighth");
        drop(used);
        drop(body);
        let answer = budget.take(40);
        assert!(answer.is_some() && budget.take(1).is_none() && budget.take(usize::MAX).is_none());
        drop((head, answer));
        assert!(budget.take(80).is_some() && budget.take(81).is_none());
    }

    /// Peers each hold as many waiting requests as their share allows, with a little of each body; so do two
    /// organizations, one of which does not read its answers either.
    #[test]
    fn any_senders_of_bodies_leave_room_for_another_organization_and_for_requests() {
        let organization = |id: &str| Sender::Organization(id.to_owned());
        for peers in [0, 1, 2, 16, 100] {
            let budget = ByteBudget::new(96 << 20);
            let answers: Vec<Charge> =
                std::iter::from_fn(|| budget.take_for_answer("org_c", 4 << 20)).collect();
            let mut held = Vec::new();
            let peers = (0..peers).map(|peer| Sender::Peer(format!("198.51.100.{peer}")));
            for sender in peers.chain(["org_a", "org_c"].map(organization)) {
                held.extend(std::iter::from_fn(|| {
                    let request = budget.take(32 << 10)?;
                    let of_share = budget.take_for_sender(&sender, 32 << 10)?;
                    Some((request, of_share, budget.take_for_body(&sender, 4_000)?))
                }));
            }
            let (all, other) = ((answers.len(), held.len()), organization("org_b"));
            assert!(budget.take_for_answer("org_b", 1 << 20).is_some(), "{all:?}");
            let request = (budget.take(32 << 10), budget.take_for_sender(&other, 32 << 10));
            let body = budget.take_for_body(&other, 1 << 20);
            assert!(matches!(request, (Some(_), Some(_))) && body.is_some(), "{all:?}");
        }
    }

    #[test]
    fn nobody_takes_the_room_of_others_and_all_of_it_comes_back() {
        let budget = ByteBudget::new(400);
        let sender = Sender::Organization("org_a".to_owned());
        for _ in 0..3 {
            let mut greedy: Vec<Charge> =
                std::iter::from_fn(|| budget.take_for_answer("org_a", 10)).collect();
            assert_eq!(greedy.len(), 10, "half of the half");
            let other: Vec<Charge> = std::iter::from_fn(|| budget.take_for_answer("org_b", 10)).collect();
            assert!(other.len() >= 5 && budget.take_for_answer("org_c", 10).is_some());
            // Requests and bodies find room beside unread answers.
            assert!(budget.take(100).is_some() && budget.take_for_body(&sender, 50).is_some());
            greedy.truncate(1);
            assert!(budget.take_for_answer("org_a", 10).is_some());
            assert!(budget.take_for_answer("org_a", usize::MAX).is_none());
        }
        assert!(budget.take(400).is_some());
        assert!(budget.answers.lock().by_name.is_empty() && budget.answers.lock().all == 0);
    }
}
