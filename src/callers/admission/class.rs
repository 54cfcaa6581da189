//! The expected duration of work, which decides how much of it runs at once.

/// The expected duration of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Microseconds to some milliseconds: reads a part of the network.
    Short,
    /// Up to seconds: reads all of it, or many parts of it.
    Long,
}

impl Class {
    /// The maximum number of `permits` for work of this class: long work leaves one, if there are two.
    #[must_use]
    pub fn most(self, permits: usize) -> usize {
        match self {
            Self::Short => permits,
            Self::Long => permits.saturating_sub(1).max(1),
        }
    }
}
