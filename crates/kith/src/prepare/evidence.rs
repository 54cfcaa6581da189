//! Drops the rows of evidence whose edge does not exist.

use crate::model::edges::Edges;
use crate::model::evidence::Evidence;
use crate::model::kept::Kept;

/// Returns the rows of `evidence` whose pair is one of `edges`, and the number of other rows. Costs a pass over the
/// rows, and over the outgoing edges of each person at whom rows start.
///
/// # Panics
/// Panics if the rows do not ascend by their first person, or name a person who is not there.
#[must_use]
pub fn of_edges(evidence: &Evidence, edges: &Edges) -> (Evidence, u64) {
    let mut is_known = vec![false; edges.out.people()];
    let mut rows = Vec::with_capacity(evidence.len());
    let mut start = 0;
    for of_person in evidence.from.chunk_by(|a, b| a == b) {
        let known = edges.out.row(of_person[0]).ends;
        known.iter().for_each(|end| is_known[end.0 as usize] = true);
        let own = start..start + of_person.len();
        rows.extend(own.filter(|&row| is_known[evidence.to[row].0 as usize]).map(|row| row as u32));
        known.iter().for_each(|end| is_known[end.0 as usize] = false);
        start += of_person.len();
    }
    let kept = evidence.gather(&Kept::of_rows(evidence.len(), rows));
    let dropped = evidence.len() - kept.len();
    (kept, dropped as u64)
}
