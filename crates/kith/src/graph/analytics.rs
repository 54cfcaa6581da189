//! petgraph's view of our adjacency: its algorithms run on the index without a copy.
//!
//! Used for general algorithms: the network's shape in `kith inspect`, and the oracles of tests. Questions that callers
//! ask walk the index themselves, within bounds.

use fixedbitset::FixedBitSet;
use petgraph::visit::{GraphBase, GraphRef, IntoNeighbors, Visitable};

use crate::model::edges::{Adjacency, Edges};
use crate::model::ix::PersonIx;

/// The directed graph of who knows whom; the nodes are people's numbers.
#[derive(Clone, Copy, Debug)]
pub struct KnowsGraph<'a>(pub &'a Adjacency);

impl GraphBase for KnowsGraph<'_> {
    type EdgeId = u32;
    type NodeId = u32;
}

impl GraphRef for KnowsGraph<'_> {}

impl<'a> IntoNeighbors for KnowsGraph<'a> {
    type Neighbors = std::iter::Map<std::slice::Iter<'a, PersonIx>, fn(&PersonIx) -> u32>;

    fn neighbors(self, person: u32) -> Self::Neighbors {
        self.0.row(PersonIx(person)).ends.iter().map(|end| end.0)
    }
}

impl Visitable for KnowsGraph<'_> {
    type Map = FixedBitSet;

    fn visit_map(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.0.people())
    }

    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
        map.grow(self.0.people());
    }
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Weakly connected components.
    pub components: usize,
    /// People in the largest component.
    pub largest_component: usize,
    /// Maximum number of incoming edges of a person.
    pub in_degree_max: u32,
    /// Maximum number of outgoing edges of a person.
    pub out_degree_max: u32,
}

/// Computes the shape of a network. Costs one pass over the edges.
#[must_use]
pub fn shape(edges: &Edges) -> NetworkShape {
    let people = edges.out.people();
    let mut sets = petgraph::unionfind::UnionFind::<u32>::new(people);
    for person in 0..people as u32 {
        for known in KnowsGraph(&edges.out).neighbors(person) {
            sets.union(person, known);
        }
    }
    let mut sizes = vec![0_usize; people];
    sets.into_labeling().into_iter().for_each(|label| sizes[label as usize] += 1);
    let degrees = |adjacency: &Adjacency| {
        (0..people as u32).map(|person| adjacency.edge_count(PersonIx(person))).max().unwrap_or(0)
    };
    NetworkShape {
        components: sizes.iter().filter(|&&size| size > 0).count(),
        largest_component: sizes.iter().copied().max().unwrap_or(0),
        in_degree_max: degrees(&edges.into),
        out_degree_max: degrees(&edges.out),
    }
}

#[cfg(test)]
mod tests {
    use petgraph::visit::Bfs;

    use super::*;
    use crate::model::warmness::Warmness;
    use crate::prepare::edges::{EdgeRow, TooManyEdges, build};

    #[test]
    fn petgraph_walks_our_adjacency_and_counts_its_parts() -> Result<(), TooManyEdges> {
        let rows = [(0, 1), (1, 2), (4, 3)].map(|(from, to)| EdgeRow {
            from: PersonIx(from),
            to: PersonIx(to),
            score: Warmness::UNSCORED,
            breakdown: 0,
        });
        let (edges, _) = build(6, rows.to_vec(), &[])?;
        let graph = KnowsGraph(&edges.out);
        let mut walk = Bfs::new(graph, 0);
        assert_eq!(std::iter::from_fn(|| walk.next(graph)).collect::<Vec<_>>(), [0, 1, 2]);
        let shape = shape(&edges);
        assert_eq!((shape.components, shape.largest_component), (3, 3));
        Ok(())
    }
}
