//! Counts the rows that this thread reads, for tests that measure work: a time would prove nothing.

use std::cell::Cell;

thread_local! {
    static ROWS: Cell<u64> = const { Cell::new(0) };
}

/// Adds the number of rows that this thread read.
pub fn note(rows: usize) {
    ROWS.set(ROWS.get() + rows as u64);
}

/// Returns the number of rows that this thread has read.
pub fn so_far() -> u64 {
    ROWS.get()
}

/// Does `work`, and returns the number of rows that it read, texts included.
pub fn rows_read<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = ROWS.get();
    let done = work();
    (done, ROWS.get() - before)
}
