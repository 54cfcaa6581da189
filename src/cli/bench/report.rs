//! The figures of a run of the bench.

use crate::cli::bench::asked::BenchedNetwork;
use crate::cli::bench::bound::Bound;
use crate::cli::bench::kind::Kind;
use crate::cli::bench::measure::Measured;

/// The figures of one kind of question.
pub(super) struct KindRow {
    pub(super) kind: Kind,
    /// The share of the drawn questions in whose answer a bound left something out; `None` if none was drawn, or no bound
    /// is on them.
    pub(super) capped: Option<f64>,
    /// With one thread.
    pub(super) one: Measured,
    /// With a thread for each processor.
    pub(super) all: Measured,
}

/// The figures of one kind of question by one bound.
pub(super) struct BoundRow {
    pub(super) bound: Bound,
    pub(super) kind: Kind,
    pub(super) value: u32,
    pub(super) is_in_force: bool,
    pub(super) capped: Option<f64>,
    pub(super) measured: Measured,
}

/// All that a run says.
pub(super) struct BenchReport<'a> {
    pub(super) asked: BenchedNetwork<'a>,
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) kinds: Vec<KindRow>,
    pub(super) bounds: Vec<BoundRow>,
}
