//! Edge rows to adjacency: self-edges dropped, parallel edges merged, both directions sorted.

use rayon::prelude::*;

use crate::model::column::TextColumn;
use crate::model::csr::Offsets;
use crate::model::edges::{Adjacency, Edges};
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;
use crate::model::numbers::Numbers;
use crate::model::warmness::Warmness;

/// One edge as a row of a table gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeRow {
    /// The person at the start of the edge.
    pub from: PersonIx,
    /// Whom.
    pub to: PersonIx,
    /// The score of the edge, if it has one.
    pub score: Warmness,
    /// The breakdown's position among the dataset's breakdowns; 0 is none.
    pub breakdown: u32,
}

/// The number of rows that became no edge, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeReport {
    /// Rows from a person to themselves, dropped.
    pub self_edges: u64,
    /// Rows merged into a warmer row with the same two ends.
    pub merged: u64,
    /// Edges from a member to their accepted advocate that no row had: added, unscored.
    pub implied: u64,
}

/// More edges than a snapshot can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} edges are more than one snapshot can number ({max})", max = u32::MAX)]
pub struct TooManyEdges(pub usize);

/// The breakdown of an edge that only an advocacy implies; loses to every row.
const IMPLIED: u32 = u32::MAX;

/// Builds the adjacency of `people` people from the edges in `rows` and those that `advocacies` (member's person,
/// accepted advocate) imply.
///
/// Of rows with the same ends the warmer stays: scored beats unscored; at equal scores the first breakdown wins, none
/// last. The result does not depend on the order of the rows. Costs three sorts of the edges, on all cores.
///
/// # Errors
/// Returns an error if there are 2³² edges or more.
///
/// # Panics
/// Panics if an edge names a person that is not among the `people`.
pub fn build(
    people: usize,
    mut rows: Vec<EdgeRow>,
    advocacies: &[(PersonIx, PersonIx)],
) -> Result<(Edges, EdgeReport), TooManyEdges> {
    let mut report = EdgeReport::default();
    let said = rows.len();
    rows.retain(|row| row.from != row.to);
    report.self_edges = (said - rows.len()) as u64;
    rows.extend(advocacies.iter().map(|&(from, to)| EdgeRow {
        from,
        to,
        score: Warmness::UNSCORED,
        breakdown: IMPLIED,
    }));
    merge_parallel(&mut rows, &mut report);
    if u32::try_from(rows.len()).is_err() {
        return Err(TooManyEdges(rows.len()));
    }
    Ok((to_edges(people, rows), report))
}

/// Keeps the `used` breakdowns of `texts`, and the empty one, and renumbers `used`. Costs a pass over both.
///
/// # Panics
/// Panics if a number in `used` is not the position of a text.
#[must_use]
pub fn keep_used(texts: &TextColumn, used: &mut Numbers) -> TextColumn {
    let kept = Kept::used_texts(texts, used.iter());
    if kept.rows.len() < texts.len() {
        used.lower(|number| kept.renumber(number));
    }
    texts.gather(&kept.rows)
}

fn merge_parallel(rows: &mut Vec<EdgeRow>, report: &mut EdgeReport) {
    let rank =
        |row: &EdgeRow| (row.score.coldness(), if row.breakdown == 0 { IMPLIED - 1 } else { row.breakdown });
    rows.par_sort_unstable_by_key(|row| (row.from, row.to, rank(row)));
    rows.dedup_by(|later, kept| {
        let parallel = (later.from, later.to) == (kept.from, kept.to);
        report.merged += u64::from(parallel && later.breakdown != IMPLIED);
        parallel
    });
    for row in rows.iter_mut().filter(|row| row.breakdown == IMPLIED) {
        row.breakdown = 0;
        report.implied += 1;
    }
}

fn to_edges(people: usize, mut rows: Vec<EdgeRow>) -> Edges {
    rows.par_sort_unstable_by_key(|row| (row.from, row.score.coldness(), row.to));
    let out = to_adjacency(people, &rows, |row| row.from, |row| row.to);
    let breakdowns = rows.par_iter().map(|row| row.breakdown).collect::<Vec<u32>>().into();
    rows.par_sort_unstable_by_key(|row| (row.to, row.score.coldness(), row.from));
    let into = to_adjacency(people, &rows, |row| row.to, |row| row.from);
    Edges { out, breakdowns, into }
}

fn to_adjacency(
    people: usize,
    sorted: &[EdgeRow],
    near: impl Fn(&EdgeRow) -> PersonIx,
    far: impl Fn(&EdgeRow) -> PersonIx + Sync,
) -> Adjacency {
    Adjacency {
        offsets: Offsets::from_rows(people, sorted.iter().map(|row| near(row).0)),
        ends: sorted.par_iter().map(&far).collect(),
        scores: sorted.par_iter().map(|row| row.score).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(from: u32, to: u32, score: Option<u8>, breakdown: u32) -> EdgeRow {
        let score = score.and_then(Warmness::new).unwrap_or(Warmness::UNSCORED);
        EdgeRow { from: PersonIx(from), to: PersonIx(to), score, breakdown }
    }

    /// Every edge as (from, to, score, breakdown), in stored order.
    fn said(edges: &Edges) -> Vec<(u32, u32, Option<u8>, u32)> {
        let people = (0..edges.out.people() as u32).map(PersonIx);
        people
            .flat_map(|from| {
                let row = edges.out.row(from);
                row.iter().enumerate().map(move |(place, (to, score))| {
                    (from.0, to.0, score.score(), edges.breakdowns.get(row.start + place))
                })
            })
            .collect()
    }

    #[test]
    fn rows_with_the_same_ends_merge_into_the_warmest() -> Result<(), TooManyEdges> {
        let scored = row(0, 1, Some(0), 0);
        for (rows, kept) in [
            (vec![row(0, 1, None, 1), scored], (0, 1, Some(0), 0)),
            (vec![row(0, 1, Some(9), 0), row(0, 1, Some(9), 2)], (0, 1, Some(9), 2)),
            (vec![row(0, 1, Some(9), 2), row(0, 1, Some(9), 1)], (0, 1, Some(9), 1)),
            (vec![row(0, 1, None, 0), row(0, 1, None, 3)], (0, 1, None, 3)),
        ] {
            let (edges, report) = build(2, rows.clone(), &[])?;
            assert_eq!((said(&edges), report.merged), (vec![kept], 1), "{rows:?}");
            let backwards: Vec<EdgeRow> = rows.into_iter().rev().collect();
            assert_eq!(build(2, backwards, &[])?.0, edges);
        }
        Ok(())
    }

    #[test]
    fn an_advocacy_adds_an_edge_only_if_no_row_has_one() -> Result<(), TooManyEdges> {
        let advocacies = [(PersonIx(0), PersonIx(1)), (PersonIx(0), PersonIx(2))];
        let (edges, report) = build(3, vec![row(0, 1, None, 0), row(2, 2, Some(1), 0)], &advocacies)?;
        assert_eq!(said(&edges), [(0, 1, None, 0), (0, 2, None, 0)]);
        assert_eq!(report, EdgeReport { self_edges: 1, merged: 0, implied: 1 });
        Ok(())
    }

    #[test]
    fn both_directions_are_warmest_first_and_have_the_same_edges() -> Result<(), TooManyEdges> {
        let rows =
            vec![row(2, 0, None, 0), row(1, 0, Some(5), 0), row(3, 0, Some(90), 0), row(0, 1, Some(5), 0)];
        let (edges, _) = build(4, rows, &[])?;
        assert_eq!(edges.into.row(PersonIx(0)).ends, [3, 1, 2].map(PersonIx));
        assert_eq!(edges.into.row(PersonIx(1)).ends, [PersonIx(0)]);
        let known = edges.into.row(PersonIx(0));
        assert_eq!(known.position(PersonIx(2), Warmness::UNSCORED), Some(2));
        assert_eq!(known.position(PersonIx(2), Warmness::from_byte(5).unwrap_or(Warmness::UNSCORED)), None);
        Ok(())
    }
}
