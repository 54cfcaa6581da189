//! The result of a run of the bench.

use crate::cli::bench::asked::BenchedNetwork;
use crate::cli::bench::bound::Bound;
use crate::cli::bench::kind::Kind;
use crate::cli::bench::measure::Measured;

/// The figures of one kind of question.
pub(super) struct KindRow {
    pub(super) kind: Kind,
    /// The share of the questions whose answer is cut by a bound; `None` if none was drawn, or the kind has no bound.
    pub(super) capped: Option<f64>,
    /// With one thread.
    pub(super) one: Measured,
    /// With one thread per processor.
    pub(super) all: Measured,
}

/// The figures of one kind of question for one bound.
pub(super) struct BoundRow {
    pub(super) bound: Bound,
    pub(super) kind: Kind,
    pub(super) value: u32,
    pub(super) is_in_force: bool,
    pub(super) capped: Option<f64>,
    pub(super) measured: Measured,
}

/// The result of a run.
pub(super) struct BenchReport<'a> {
    pub(super) asked: BenchedNetwork<'a>,
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) kinds: Vec<KindRow>,
    pub(super) bounds: Vec<BoundRow>,
}
