//! How far long work is: what those who read, write and compute report, and nobody has to watch.

/// Receives how far work is, from any thread.
pub trait Progress: Sync {
    /// How much there is to do in the part that begins: bytes of files as they lie on disk, or rows.
    fn total(&self, amount: u64);
    /// So much more of it is done.
    fn advance(&self, amount: u64);
    /// The name of what begins: a table, or a part of the work.
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
