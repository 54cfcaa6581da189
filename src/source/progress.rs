//! Who watches a build: how far it is, in bytes of the table files as they lie on disk.

/// Receives how far reading is, from any thread.
pub trait Progress: Sync {
    /// How many bytes all tables have; reported once, first.
    fn total_bytes(&self, bytes: u64);
    /// So many more bytes have been read.
    fn advance(&self, bytes: u64);
    /// What begins now: the name of a table, `edges` or `names`.
    fn stage(&self, name: &str);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn total_bytes(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64) {}
    fn stage(&self, _name: &str) {}
}
