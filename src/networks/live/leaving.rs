//! The people who are about to leave a network, and the people whose answers change without them.
//!
//! Rebuilding a large network takes seconds. The affected people are known long before, and requests about others need
//! not wait.

use std::sync::{Arc, Mutex, PoisonError};

use kith::asks::overlay::AskOverlay;
use kith::graph::touched::Touched;
use tokio::sync::watch;

use crate::graph::index::GraphIndex;
use crate::model::kept::Kept;
use crate::suppress::hashes::PeopleHashes;
use crate::suppress::list::{SuppressionList, Suppressions};

/// The people of one network who match a part of the list.
#[derive(Debug)]
pub struct Leaving {
    by: Arc<Suppressions>,
    /// Their numbers, ascending.
    pub(crate) gone: Vec<u32>,
    /// The affected people; `None` if that may be everybody.
    touched: Option<Touched>,
}

/// The last [`Leaving`] computed for a network, and the hashes to find the next one by.
#[derive(Debug)]
pub(super) struct LastLeaving {
    latest: watch::Sender<Option<Arc<Leaving>>>,
    looking: Mutex<()>,
    hashes: PeopleHashes,
}

impl Leaving {
    /// The affected people if the network has these `asks`; `None` if that may be everybody. Costs a look at each ask.
    #[must_use]
    pub fn touched(&self, asks: Option<&AskOverlay>) -> Option<&Touched> {
        let touched = self.touched.as_ref()?;
        let is_in_ask = asks.is_some_and(|asks| {
            let people = asks.asks().iter().flat_map(|found| {
                [Some(found.person), Some(found.over), found.connector, found.via_advocate]
            });
            people.flatten().any(|person| touched.goes(person))
        });
        (!is_in_ask).then_some(touched)
    }
}

impl Default for LastLeaving {
    fn default() -> Self {
        Self::with(PeopleHashes::default())
    }
}

impl LastLeaving {
    fn with(hashes: PeopleHashes) -> Self {
        Self { latest: watch::Sender::new(None), looking: Mutex::default(), hashes }
    }

    /// The same for the network of the rest, `people`, of this one's.
    pub(super) fn of_rest(&self, people: &Kept) -> Self {
        Self::with(self.hashes.without_others(people))
    }

    /// Hashes the people of `index` for the changes of `list` to come.
    pub(super) fn prepare(&self, index: &GraphIndex, list: &SuppressionList) {
        self.hashes.prepare(&index.data, list);
    }

    /// Memory of the hashes, in bytes.
    pub(super) fn size_bytes(&self) -> usize {
        self.hashes.size_bytes()
    }

    /// The people of `index` who match `wanted`. Costs a hash per person, unless they are hashed already.
    pub(super) fn of(&self, index: &GraphIndex, wanted: &Arc<Suppressions>) -> Arc<Leaving> {
        let _looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(latest) = self.latest.borrow().as_ref().filter(|latest| latest.by == *wanted) {
            return Arc::clone(latest);
        }
        let gone = self.hashes.named_by(&index.data, wanted);
        let touched = Touched::by(index, &gone);
        let leaving = Arc::new(Leaving { by: Arc::clone(wanted), gone, touched });
        self.latest.send_replace(Some(Arc::clone(&leaving)));
        leaving
    }

    /// The people who match `wanted`, perhaps with more from a later list, once they are known; never completes if
    /// everybody may be affected.
    pub(super) async fn announced(&self, wanted: &Arc<Suppressions>) -> Option<Arc<Leaving>> {
        let mut latest = self.latest.subscribe();
        let is_it = |latest: &Option<Arc<Leaving>>| {
            latest.as_ref().is_some_and(|latest| {
                latest.touched.is_some() && (latest.by == *wanted || latest.by.includes(wanted))
            })
        };
        latest.wait_for(is_it).await.ok()?.clone()
    }
}
