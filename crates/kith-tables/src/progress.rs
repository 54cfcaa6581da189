//! Progress of long work, reported by code that reads, writes and computes.

/// Receives progress from any thread.
pub trait Progress: Sync {
    /// The total amount of the part that begins: bytes of files on disk, or rows.
    fn total(&self, amount: u64);
    /// `amount` more is done.
    fn advance(&self, amount: u64);
    /// The name of the part that begins: a table, or a stage of the work.
    fn stage(&self, name: &str);
}

/// Reports to nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn total(&self, _amount: u64) {}
    fn advance(&self, _amount: u64) {}
    fn stage(&self, _name: &str) {}
}
