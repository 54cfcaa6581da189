//! The edges of a lake: who is near, and which edges start there.

use crate::source::cut::asked::AskedOrganizations;
use crate::source::cut::error::CutError;
use crate::source::cut::folders::Folders;
use crate::source::cut::lake::Lake;
use crate::source::cut::marks::{IdMarks, PairMarks};
use crate::source::cut::sieve::{LakeConnections, LakeEvidence, when};
use crate::source::cut::written::line;

/// Pairs with evidence, and those of them that are edges.
pub(crate) struct EvidencePairs {
    /// Pairs that evidence is about, if it starts near.
    asked: PairMarks,
    /// Pairs that an organization has an edge of.
    edges: PairMarks,
}

impl EvidencePairs {
    /// The organizations that have evidence and an edge of the pair.
    pub(crate) fn edge_of(&self, from: &str, to: &str) -> u64 {
        self.edges.of(from, to).unwrap_or(0)
    }
}

/// The seeds, and everyone a seed has an edge to that its organization may see.
///
/// # Errors
/// Returns the faults of the edges.
pub(crate) fn near(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    seeds: IdMarks,
) -> Result<IdMarks, CutError> {
    let mut near = IdMarks::default();
    lake.pass::<5, LakeConnections, _>(
        |row| {
            let mask = asked.viewers(row[4])? & seeds.of(&row[0].own_id("person_")?);
            when(mask, || Ok((mask, row[1].own_id("person_")?)))
        },
        |(mask, to)| Ok(near.add(&to, mask)?),
    )?;
    near.add_all(&seeds)?;
    Ok(near)
}

/// The pairs that evidence is about, of people near; `implied` are edges already.
///
/// # Errors
/// Returns the faults of the evidence.
pub(crate) fn evidence(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    near: &IdMarks,
    implied: PairMarks,
) -> Result<EvidencePairs, CutError> {
    let mut pairs = PairMarks::default();
    lake.pass::<7, LakeEvidence, _>(
        |row| {
            let from = row[0].own_id("person_")?;
            let mask = asked.viewers(row[6])? & near.of(&from);
            when(mask, || Ok((mask, from, row[1].own_id("person_")?)))
        },
        |(mask, from, to)| Ok(pairs.add(&from, &to, mask)?),
    )?;
    Ok(EvidencePairs { asked: pairs, edges: implied })
}

/// Writes the edges that start near; both their ends are within reach.
///
/// # Errors
/// Returns the faults of the edges, or that the table cannot be written.
pub(crate) fn connections(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    near: &IdMarks,
    evidence: &mut EvidencePairs,
    reach: &mut IdMarks,
    folders: &mut Folders,
) -> Result<(), CutError> {
    folders.begin("connections")?;
    lake.pass::<5, LakeConnections, _>(
        |row| {
            let from = row[0].own_id("person_")?;
            let mask = asked.viewers(row[4])? & near.of(&from);
            when(mask, || Ok((mask, from, row[1].own_id("person_")?, line(&row[..4])?)))
        },
        |(mask, from, to, line)| {
            folders.write(mask, &line);
            reach.add(&from, mask)?;
            reach.add(&to, mask)?;
            if evidence.asked.of(&from, &to).is_some() {
                evidence.edges.add(&from, &to, mask)?;
            }
            Ok(())
        },
    )
}
