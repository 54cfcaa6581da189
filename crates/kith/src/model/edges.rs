//! Edges as adjacency: for each person a row of edges, warmest first, in both directions.

use crate::model::column::held;
use crate::model::csr::Offsets;
use crate::model::ix::PersonIx;
use crate::model::numbers::Numbers;
use crate::model::warmness::Warmness;

/// One direction of a network's edges.
///
/// Person `p`'s row is `ends[offsets.range(p)]` with `scores` beside it, warmest first: score descending, unscored
/// last, then the other person ascending. Each end occurs once in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjacency {
    /// The position of each person's first edge.
    pub offsets: Offsets,
    /// The person at the other end of each edge.
    pub ends: Vec<PersonIx>,
    /// The score of each edge.
    pub scores: Vec<Warmness>,
}

/// One person's edges in one direction, warmest first.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The position of the row's first edge among all edges of its direction.
    pub start: usize,
    /// The people at the other ends.
    pub ends: &'a [PersonIx],
    /// Their scores.
    pub scores: &'a [Warmness],
}

/// A network's edges, out and in, with the reasons for their scores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Row `p`: whom `p` knows.
    pub out: Adjacency,
    /// For each edge in the order of `out`: its breakdown's position in the dataset's breakdowns.
    pub breakdowns: Numbers,
    /// Row `p`: who knows `p`. The same edges as `out`. An index keeps only the count of each row:
    /// [`Adjacency::let_go`].
    pub into: Adjacency,
}

impl Adjacency {
    /// The row of person `person`.
    ///
    /// # Panics
    /// Panics if there is no such person.
    #[must_use]
    pub fn row(&self, person: PersonIx) -> Row<'_> {
        let range = self.offsets.range(person.0);
        Row { start: range.start, ends: &self.ends[range.clone()], scores: &self.scores[range] }
    }

    /// Returns the number of edges in the row of `person`.
    #[must_use]
    pub fn edge_count(&self, person: PersonIx) -> u32 {
        self.offsets.count(person.0)
    }

    /// Returns the number of people.
    #[must_use]
    pub fn people(&self) -> usize {
        self.offsets.len()
    }

    /// Frees the edges and keeps the count of each row. [`Self::row`] panics from then on.
    pub fn let_go(&mut self) {
        (self.ends, self.scores) = (Vec::new(), Vec::new());
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.offsets.size_bytes() + held(&self.ends) + held(&self.scores)
    }
}

impl<'a> Row<'a> {
    /// The edges, warmest first.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (PersonIx, Warmness)> + 'a {
        self.ends.iter().copied().zip(self.scores.iter().copied())
    }

    /// The position in the row of the edge to `end` with score `score`. Costs two binary searches.
    #[must_use]
    pub fn position(self, end: PersonIx, score: Warmness) -> Option<usize> {
        // The scores lie close together: only the ends of equally warm edges are read.
        let coldness = score.coldness();
        let first = self.scores.partition_point(|other| other.coldness() < coldness);
        let alike = self.scores[first..].partition_point(|other| other.coldness() == coldness);
        let place = self.ends[first..first + alike].binary_search(&end).ok()?;
        Some(first + place)
    }

    /// The sort key of the row at `place`: coldness, then the other person.
    #[must_use]
    pub fn key(self, place: usize) -> (u8, PersonIx) {
        (self.scores[place].coldness(), self.ends[place])
    }
}
