//! For tests: the work of a request, counted in edges.

use std::cell::Cell;

thread_local! {
    static EDGES_READ: Cell<u64> = const { Cell::new(0) };
}

/// Notes that this thread has read the rank or the score of an edge.
pub(crate) fn note() {
    EDGES_READ.set(EDGES_READ.get() + 1);
}

/// How often this thread has read one.
pub(crate) fn so_far() -> u64 {
    EDGES_READ.get()
}
