//! The first page of each member's second-degree window, kept with the index once it was made.
//!
//! A window follows from the network, the member and the bounds alone, and the network of an index never changes. So what
//! was made once answers every later request of that member, until a reload puts another index in service.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::{Limits, WINDOWS_KEPT_MAX};
use crate::model::column::held;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::Warmness;

/// A person reached over a contact, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The person.
    pub person: PersonIx,
    /// How well the bridge knows them.
    pub score: Warmness,
    /// The contact in between.
    pub bridge: PersonIx,
}

/// The beginning of a member's window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The bounds that it was made by.
    pub limits: Limits,
    /// Its first people, warmest first.
    pub people: Vec<Reached>,
    /// How many distinct people the window holds.
    pub total: u64,
    /// How many contacts were considered.
    pub bridges: u32,
    /// How many of their edges were read to find where the window ends.
    pub edges_read: u64,
    /// Whether a bound left something out.
    pub capped: bool,
}

/// A place for the window of each member.
#[derive(Debug)]
pub struct Windows {
    windows: Vec<OnceLock<Box<Window>>>,
    /// How many more are kept.
    left: AtomicUsize,
}

impl Windows {
    /// Places for those of `members` members, all of them empty.
    #[must_use]
    pub fn new(members: usize) -> Self {
        Self {
            windows: (0..members).map(|_| OnceLock::new()).collect(),
            left: AtomicUsize::new(WINDOWS_KEPT_MAX),
        }
    }

    /// The window of `member` by these bounds. Returns `None` if it is not kept.
    #[must_use]
    pub fn get(&self, member: MemberIx, limits: &Limits) -> Option<&Window> {
        let kept = self.windows[member.0 as usize].get()?;
        (kept.limits == *limits).then_some(kept)
    }

    /// Keeps `window` for `member`, unless one is kept already, or as many are as may be.
    pub fn keep(&self, member: MemberIx, window: Window) {
        let place = &self.windows[member.0 as usize];
        let take = |left: usize| left.checked_sub(1);
        if place.get().is_none() && self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
        {
            // Another request may have made the same one meanwhile.
            let _ = place.set(Box::new(window));
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let kept = self.windows.iter().filter_map(OnceLock::get);
        held(&self.windows) + kept.map(|window| size_of::<Window>() + held(&window.people)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(total: u64) -> Window {
        let limits = Limits::DEFAULT;
        Window { limits, people: Vec::new(), total, bridges: 0, edges_read: 0, capped: false }
    }

    #[test]
    fn a_window_is_kept_for_its_member_and_its_bounds() {
        let windows = Windows::new(2);
        let total = |member, limits: &Limits| windows.get(MemberIx(member), limits).map(|kept| kept.total);
        windows.keep(MemberIx(1), window(7));
        windows.keep(MemberIx(1), window(8));
        assert_eq!([0, 1].map(|member| total(member, &Limits::DEFAULT)), [None, Some(7)]);
        assert_eq!(total(1, &Limits { bridges: 1, ..Limits::DEFAULT }), None);
    }

    #[test]
    fn so_many_windows_are_kept_and_no_more() {
        let windows = Windows::new(WINDOWS_KEPT_MAX + 9);
        let empty = windows.size_bytes();
        for member in 0..(WINDOWS_KEPT_MAX + 9) as u32 {
            windows.keep(MemberIx(member), window(1));
        }
        let kept = windows.windows.iter().filter(|place| place.get().is_some()).count();
        assert_eq!(kept, WINDOWS_KEPT_MAX);
        assert_eq!(windows.size_bytes() - empty, kept * size_of::<Window>());
    }
}
