//! How many rows this thread read: for tests that count work, since a time would say nothing.

use std::cell::Cell;

thread_local! {
    static ROWS: Cell<u64> = const { Cell::new(0) };
}

/// Notes that so many rows are read.
pub fn note(rows: usize) {
    ROWS.set(ROWS.get() + rows as u64);
}

/// Returns the number of rows that this thread has read.
pub fn so_far() -> u64 {
    ROWS.get()
}

/// Does `work`; how many rows it read, texts among them.
pub fn rows_read<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = ROWS.get();
    let done = work();
    (done, ROWS.get() - before)
}
