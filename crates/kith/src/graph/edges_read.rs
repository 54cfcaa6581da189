//! For tests: counts the edges that a request reads.

use std::cell::Cell;

thread_local! {
    static EDGES_READ: Cell<u64> = const { Cell::new(0) };
}

/// Records that this thread read the rank or the score of an edge.
pub(crate) fn note() {
    EDGES_READ.set(EDGES_READ.get() + 1);
}

/// Edges that this thread has read.
pub(crate) fn so_far() -> u64 {
    EDGES_READ.get()
}
