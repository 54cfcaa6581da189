//! A network with the asks of its organization over it, kept until the next ask is written.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use kith::asks::book::AskBook;
use kith::asks::overlay::AskOverlay;

use crate::graph::index::GraphIndex;
use crate::live::answers::Answers;

/// A network with one state of the asks over it.
#[derive(Debug)]
pub struct AskedNetwork {
    /// The asks, and the index in which the open ones count.
    pub asks: Arc<AskOverlay>,
    /// The kept answers about it.
    pub answers: Answers,
}

/// The last state of the asks over a network.
#[derive(Debug, Default)]
pub(super) struct LastAsked(ArcSwapOption<AskedNetwork>);

impl LastAsked {
    /// Lays `book` over `index`, or returns the last result if it was of the same book. Otherwise costs the same as
    /// [`AskOverlay::build`].
    pub(super) fn of(&self, index: &GraphIndex, book: &Arc<AskBook>) -> Arc<AskedNetwork> {
        if let Some(last) = &*self.0.load()
            && Arc::ptr_eq(&last.asks.book, book)
        {
            return Arc::clone(last);
        }
        let asks = Arc::new(AskOverlay::build(index, book));
        let made = Arc::new(AskedNetwork { asks, answers: Answers::beside(index.size_bytes()) });
        self.0.store(Some(Arc::clone(&made)));
        made
    }
}
