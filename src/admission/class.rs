//! How long work may be expected to take, which decides how much of it is done at once.

/// How long work may be expected to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Microseconds to some milliseconds: a look at a part of the network.
    Short,
    /// Up to seconds: a look at all of it, or at many parts of it.
    Long,
}

impl Class {
    /// How many of so many permits work of this class may hold: long work leaves one, if there are two.
    #[must_use]
    pub fn most(self, permits: usize) -> usize {
        match self {
            Self::Short => permits,
            Self::Long => permits.saturating_sub(1).max(1),
        }
    }
}
