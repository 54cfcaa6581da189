//! An incoming edge near a member, as stored in the index: its start, its rank and its score.

use crate::model::warmness::Warmness;

/// An incoming edge in eight bytes. The list it is in decides what `source` numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearEdge {
    /// The person, member or advocate the edge starts at.
    pub source: u32,
    /// The rank in the high 24 bits, the score byte in the low 8.
    rank_and_score: u32,
}

/// Maximum rank that an edge can hold; edges further down hold it too.
const RANK_MAX: u32 = (1 << 24) - 1;

impl NearEdge {
    /// The edge from `source` at `rank`, from 0, among all incoming edges of its target.
    pub(crate) fn new(source: u32, rank: usize, score: Warmness) -> Self {
        let rank = u32::try_from(rank).unwrap_or(RANK_MAX).min(RANK_MAX);
        Self { source, rank_and_score: rank << 8 | u32::from(score.to_byte()) }
    }

    /// The edge's place among all incoming edges of its target, warmest first, from 0.
    #[must_use]
    pub fn rank(self) -> u32 {
        #[cfg(test)]
        crate::graph::edges_read::note();
        self.rank_and_score >> 8
    }

    /// The rank of the edge once `gone` edges before it are removed. The maximum rank stays: the true rank of such an
    /// edge is not known.
    pub(crate) fn rank_without(self, gone: u32) -> usize {
        let rank = self.rank_and_score >> 8;
        if rank == RANK_MAX { RANK_MAX as usize } else { (rank - gone) as usize }
    }

    /// The edge's score.
    #[must_use]
    pub fn score(self) -> Warmness {
        #[cfg(test)]
        crate::graph::edges_read::note();
        Warmness::from_checked_byte(self.rank_and_score as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_stop_at_the_greatest_and_leave_score_and_source_alone() {
        let greatest = RANK_MAX as usize;
        for (rank, kept) in
            [(0, 0), (greatest - 1, RANK_MAX - 1), (greatest, RANK_MAX), (greatest + 1, RANK_MAX)]
        {
            for score in (0..=u8::MAX).filter_map(Warmness::from_byte) {
                let edge = NearEdge::new(u32::MAX, rank, score);
                assert_eq!((edge.source, edge.rank(), edge.score()), (u32::MAX, kept, score));
            }
        }
        assert_eq!(NearEdge::new(0, usize::MAX, Warmness::UNSCORED).rank(), RANK_MAX);
    }

    #[test]
    fn ranks_rise_by_the_edges_that_go_and_the_greatest_stays() {
        for (rank, gone, left) in [(7, 0, 7), (7, 3, 4), (7, 7, 0), (RANK_MAX as usize, 3, RANK_MAX as usize)]
        {
            assert_eq!(NearEdge::new(1, rank, Warmness::UNSCORED).rank_without(gone), left);
        }
    }
}
