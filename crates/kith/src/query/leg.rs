//! One edge of an answer: who knows whom, how well, and why.

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::model::warmness::Warmness;
use crate::query::evidence::{EdgeEvidence, EdgeReasons, EvidenceEntry};

/// An edge and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The person who knows the other.
    pub from: PersonIx,
    /// The person who is known.
    pub to: PersonIx,
    /// The score of the edge, or that it has none.
    pub score: Warmness,
}

/// Why an edge has its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons<'a> {
    /// The breakdown, compact JSON; `None` if nothing is known.
    pub breakdown: Option<&'a str>,
    /// Its factors above 0 as sentences, the greatest first; empty if there are none.
    pub signals: EdgeReasons<'a>,
}

impl Reasons<'_> {
    /// Whether no file says that the two know each other: it is derived.
    #[must_use]
    pub fn is_derived(&self) -> bool {
        self.signals.are_of_a_guess()
    }
}

impl Leg {
    /// Returns the newest entries of what the edge's score rests on, at most ten. Costs two binary
    /// searches in the table of evidence.
    #[must_use]
    pub fn evidence(self, index: &GraphIndex) -> Vec<EvidenceEntry<'_>> {
        EdgeEvidence::of(&index.data.evidence, self.from, self.to).entries().collect()
    }

    /// Returns the edge's breakdown, compact JSON, or `None` if nothing is known. Costs a binary search in
    /// the row of `from`.
    #[must_use]
    pub fn breakdown(self, index: &GraphIndex) -> Option<&str> {
        Some(index.breakdown(self.from, self.to, self.score)).filter(|breakdown| !breakdown.is_empty())
    }

    /// Returns the breakdown and its sentences, with the days of the edge's evidence. Costs [`Self::breakdown`],
    /// [`Self::evidence`], and reading the breakdown unless it is among those read when the index was made.
    #[must_use]
    pub fn reasons(self, index: &GraphIndex) -> Reasons<'_> {
        let place = index.breakdown_place(self.from, self.to, self.score);
        let evidence = EdgeEvidence::of(&index.data.evidence, self.from, self.to);
        let signals = EdgeReasons::new(index.signals(place), evidence);
        Reasons { breakdown: index.data.breakdowns.value(place), signals }
    }
}
