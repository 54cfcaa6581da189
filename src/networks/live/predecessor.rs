//! The previous generation, kept so that changes since then can be reported.
//!
//! Both generations are compared without the people to forget now: at each change of the list the kept one is rebuilt
//! if the list names anybody in it, before the next request is answered. People whom the list names in one of the two
//! are left out of both: with another handle in the other one they would look new.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::watch;

use crate::graph::index::GraphIndex;
use crate::prepare::without::{Remaining, without};
use crate::query::changes::{Comparison, NotedChange};
use crate::suppress::list::Suppressions;
use kith::limits::Limits;

/// The generations to keep in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Only the one in service.
    #[default]
    InService,
    /// Also the one before it.
    OneBefore,
}

/// The previous generation, together with the one in service.
#[derive(Debug)]
pub struct Predecessor {
    /// The number of the generation.
    pub generation: u64,
    old: Arc<GraphIndex>,
    new: Arc<GraphIndex>,
    noted: watch::Sender<Noted>,
}

/// Progress of computing the changes between the two.
#[derive(Clone, Debug)]
enum Noted {
    /// Not requested yet.
    Nothing,
    /// Under way.
    Underway,
    /// All of them, in order.
    All(Arc<Vec<NotedChange>>),
    /// No longer needed: one of the two is out of service.
    Over,
}

/// The task of computing the changes; only one at a time exists. Dropped undone, it passes to the next caller.
#[derive(Debug)]
pub struct Noting {
    of: Arc<Predecessor>,
}

impl Predecessor {
    /// The tables `old` of `generation`, replaced by the tables `new`.
    #[must_use]
    pub fn new(generation: u64, old: Arc<GraphIndex>, new: Arc<GraphIndex>) -> Self {
        Self { generation, old, new, noted: watch::Sender::new(Noted::Nothing) }
    }

    /// The same, keeping to `wanted`, a later state of the list. Costs a pass over the people of both, and an index of
    /// each that has a person whom it names.
    pub(crate) fn in_keeping_with(&self, wanted: Option<&Arc<Suppressions>>) -> Self {
        Self::keeping_to(self.generation, [&self.old, &self.new], wanted, &[])
    }

    /// The tables of `generation` and their replacement, which already keeps to `wanted`, its part of the list, and so
    /// lacks the people with the ids `gone`. Costs the same as [`Self::in_keeping_with`].
    pub(crate) fn keeping_to(
        generation: u64,
        sides: [&Arc<GraphIndex>; 2],
        wanted: Option<&Arc<Suppressions>>,
        gone: &[String],
    ) -> Self {
        let named = sides.iter().flat_map(|index| {
            let data = &index.data;
            let rows = wanted.map_or_else(Vec::new, |wanted| wanted.named_in(data));
            rows.into_iter().map(|row| data.people.ids.get(row).to_owned())
        });
        let named: BTreeSet<String> = named.chain(gone.iter().cloned()).collect();
        let [old, new] = sides.map(|index| without_named(index, &named));
        Self::new(generation, old, new)
    }

    /// Returns whether both have the same tables, so that nothing has changed.
    #[must_use]
    pub fn is_same(&self) -> bool {
        Arc::ptr_eq(&self.old, &self.new)
    }

    /// A comparison of the two, with the paths in both within `limits`.
    #[must_use]
    pub fn comparison<'a>(&'a self, limits: &'a Limits) -> Comparison<'a> {
        Comparison::new(&self.old, &self.new, limits)
    }

    /// The task of computing the changes; `None` if it is done, under way or no longer needed.
    #[must_use]
    pub fn start_noting(self: &Arc<Self>) -> Option<Noting> {
        let is_mine = self.noted.send_if_modified(|noted| {
            let is_mine = matches!(noted, Noted::Nothing);
            if is_mine {
                *noted = Noted::Underway;
            }
            is_mine
        });
        is_mine.then(|| Noting { of: Arc::clone(self) })
    }

    /// The changes, in order, once they are computed; `None` if they never will be: another network replaced the one in
    /// service, or the task was given up.
    pub async fn noted(&self) -> Option<Arc<Vec<NotedChange>>> {
        let mut noted = self.noted.subscribe();
        let settled = noted.wait_for(|noted| !matches!(noted, Noted::Underway)).await.ok()?;
        match &*settled {
            Noted::All(changes) => Some(Arc::clone(changes)),
            Noted::Nothing | Noted::Underway | Noted::Over => None,
        }
    }

    /// Returns whether the changes are no longer needed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(*self.noted.borrow(), Noted::Over)
    }

    /// Ends the computation, and the waiting for it.
    pub(crate) fn end(&self) {
        self.noted.send_replace(Noted::Over);
    }

    /// The tables of both.
    pub(crate) fn indexes(&self) -> [&Arc<GraphIndex>; 2] {
        [&self.old, &self.new]
    }

    /// Memory held for it alone, in bytes, not shared with `in_service`. Costs a pass over the distinct texts.
    #[must_use]
    pub fn size_bytes(&self, in_service: &Arc<GraphIndex>) -> usize {
        let own = |index: &&Arc<GraphIndex>| !Arc::ptr_eq(index, in_service);
        let indexes: usize = self.indexes().into_iter().filter(own).map(|index| index.size_bytes()).sum();
        let noted = match &*self.noted.borrow() {
            Noted::All(changes) => changes.capacity() * size_of::<NotedChange>(),
            Noted::Nothing | Noted::Underway | Noted::Over => 0,
        };
        indexes + noted
    }
}

impl Noting {
    /// The generations to compare.
    #[must_use]
    pub fn of(&self) -> &Arc<Predecessor> {
        &self.of
    }

    /// Finishes the task with all changes, in order.
    pub fn done(self, mut changes: Vec<NotedChange>) {
        changes.shrink_to_fit();
        let changes = Arc::new(changes);
        self.settle(&Noted::All(changes));
    }

    fn settle(&self, as_this: &Noted) {
        self.of.noted.send_if_modified(|noted| {
            let is_underway = matches!(noted, Noted::Underway);
            if is_underway {
                *noted = as_this.clone();
            }
            is_underway
        });
    }
}

impl Drop for Noting {
    fn drop(&mut self) {
        self.settle(&Noted::Nothing);
    }
}

/// `index` without the people with the ids `named`; the same index if it has none of them.
fn without_named(index: &Arc<GraphIndex>, named: &BTreeSet<String>) -> Arc<GraphIndex> {
    let rows: Vec<u32> = named.iter().filter_map(|id| index.data.people.ids.find_sorted(id)).collect();
    if rows.is_empty() {
        return Arc::clone(index);
    }
    let Remaining { dataset, people } = without(&index.data, &rows);
    Arc::new(index.without(dataset, &people))
}
