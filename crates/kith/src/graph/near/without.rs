//! The near edges of a network without some of its people, derived from those of the network with them.
//!
//! Removing people brings nobody nearer to a member. So the remaining near edges are among the previous ones, and each
//! moves up by the number of removed edges before it.

use crate::graph::advocacy::Advocacy;
use crate::graph::near::Near;
use crate::model::dataset::Members;
use crate::model::edges::{Adjacency, Edges};
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;

/// An edge removed because its source is, in the order of its target's incoming edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GoneEdge {
    /// The new number of its target.
    target: PersonIx,
    coldness: u8,
    /// The previous number of its source.
    source: PersonIx,
}

impl Near {
    /// The near edges after a removal: `people` stay, `out` holds the previous edges, and `edges`, `members` and
    /// `advocacy` are the remaining ones. Costs a pass over the near edges, on all cores, and one over the edges of the
    /// removed people.
    #[must_use]
    pub fn without(
        &self,
        people: &Kept,
        out: &Adjacency,
        edges: &Edges,
        members: &Members,
        advocacy: &Advocacy,
    ) -> Self {
        let gone = gone_edges(people, out);
        Self::collect(edges, members, advocacy, |part, range, sources| {
            let first = gone.partition_point(|edge| (edge.target.0 as usize) < range.start);
            let mut gone = gone[first..].iter().peekable();
            for person in range {
                part.start(person, sources);
                while gone.next_if(|edge| (edge.target.0 as usize) < person).is_some() {}
                let mut higher = 0;
                for edge in self.row(PersonIx(people.rows[person])).bridges {
                    let key = (PersonIx(person as u32), edge.score().coldness(), PersonIx(edge.source));
                    while gone.next_if(|edge| (edge.target, edge.coldness, edge.source) < key).is_some() {
                        higher += 1;
                    }
                    if let Some(source) = people.number(PersonIx(edge.source)) {
                        part.add(source, edge.rank_without(higher), edge.score(), sources);
                    }
                }
            }
        })
    }
}

/// The edges from removed people to remaining ones, in order.
fn gone_edges(people: &Kept, out: &Adjacency) -> Vec<GoneEdge> {
    let to_those_who_stay = |source| {
        out.row(source).iter().filter_map(move |(target, score)| {
            Some(GoneEdge { target: people.number(target)?, coldness: score.coldness(), source })
        })
    };
    let mut edges: Vec<GoneEdge> = people.gone().map(PersonIx).flat_map(to_those_who_stay).collect();
    edges.sort_unstable();
    edges
}
