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
    /// The score of the edge, if it has one.
    pub score: Warmness,
}

/// The reasons for an edge's score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons<'a> {
    /// The breakdown, compact JSON, if there is one.
    pub breakdown: Option<&'a str>,
    /// Its factors above 0 as sentences, highest first; empty if there are none.
    pub signals: EdgeReasons<'a>,
}

impl Reasons<'_> {
    /// Whether no file states that the two know each other: the edge is derived.
    #[must_use]
    pub fn is_derived(&self) -> bool {
        self.signals.are_of_a_guess()
    }
}

impl Leg {
    /// Returns the newest evidence of the edge, at most ten entries. Costs two binary searches in the table of
    /// evidence.
    #[must_use]
    pub fn evidence(self, index: &GraphIndex) -> Vec<EvidenceEntry<'_>> {
        EdgeEvidence::of(&index.data.evidence, self.from, self.to).entries().collect()
    }

    /// Returns the edge's breakdown, compact JSON, if there is one. Costs a binary search in the row of `from`.
    #[must_use]
    pub fn breakdown(self, index: &GraphIndex) -> Option<&str> {
        Some(index.breakdown(self.from, self.to, self.score)).filter(|breakdown| !breakdown.is_empty())
    }

    /// Returns the breakdown and its sentences, with dates from the edge's evidence. Costs [`Self::breakdown`],
    /// [`Self::evidence`], and parsing the breakdown unless the index already parsed it.
    #[must_use]
    pub fn reasons(self, index: &GraphIndex) -> Reasons<'_> {
        let place = index.breakdown_place(self.from, self.to, self.score);
        let evidence = EdgeEvidence::of(&index.data.evidence, self.from, self.to);
        let signals = EdgeReasons::new(index.signals(place), evidence);
        Reasons { breakdown: index.data.breakdowns.value(place), signals }
    }
}
