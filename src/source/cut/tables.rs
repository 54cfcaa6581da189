//! The rows of people and companies within reach, and the evidence of their edges.

use crate::source::cut::asked::AskedOrganizations;
use crate::source::cut::edges::EvidencePairs;
use crate::source::cut::error::CutError;
use crate::source::cut::folders::Folders;
use crate::source::cut::lake::Lake;
use crate::source::cut::marks::IdMarks;
use crate::source::cut::sieve::{LakeAliases, LakeCompanies, LakeEvidence, LakePeople, LakeTable, when};
use crate::source::cut::written::line;

/// Writes the people within `reach` and their aliases; returns the companies they work at, and the organizations' own.
///
/// # Errors
/// Returns the faults of the rows, or that a table cannot be written.
pub(crate) fn people(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    reach: &IdMarks,
    folders: &mut Folders,
) -> Result<IdMarks, CutError> {
    let mut employers = IdMarks::default();
    for (place, organization) in asked.organizations.iter().enumerate() {
        if let Some(company) = &organization.company {
            employers.add(company, 1 << place)?;
        }
    }
    folders.begin("people")?;
    lake.pass::<9, LakePeople, _>(
        |row| {
            let mask = reach.of(&row[0].own_id("person_")?);
            when(mask, || Ok((mask, row[5].optional_id("company_")?, line(row)?)))
        },
        |(mask, company, line)| {
            folders.write(mask, &line);
            Ok(company.map_or(Ok(()), |company| employers.add(&company, mask))?)
        },
    )?;
    rows_of::<3, LakeAliases>(lake, reach, "person_", folders)?;
    Ok(employers)
}

/// Writes the companies `employers`.
///
/// # Errors
/// Returns the faults of the rows, or that the table cannot be written.
pub(crate) fn companies(
    lake: &mut Lake<'_>,
    employers: &IdMarks,
    folders: &mut Folders,
) -> Result<(), CutError> {
    rows_of::<9, LakeCompanies>(lake, employers, "company_", folders)
}

/// Writes the rows of the table `L` whose first cell is one of `ids`, which begin with `prefix`.
fn rows_of<const N: usize, L: LakeTable<N>>(
    lake: &mut Lake<'_>,
    ids: &IdMarks,
    prefix: &'static str,
    folders: &mut Folders,
) -> Result<(), CutError> {
    folders.begin(L::NAME)?;
    lake.pass::<N, L, _>(
        |row| {
            let mask = ids.of(&row[0].own_id(prefix)?);
            when(mask, || Ok((mask, line(row)?)))
        },
        |(mask, line)| {
            folders.write(mask, &line);
            Ok(())
        },
    )
}

/// Writes the evidence of edges that were written, as far as an organization may see it.
///
/// # Errors
/// Returns the faults of the rows, or that the table cannot be written.
pub(crate) fn evidence(
    lake: &mut Lake<'_>,
    asked: &AskedOrganizations,
    pairs: &EvidencePairs,
    folders: &mut Folders,
) -> Result<(), CutError> {
    folders.begin("evidence")?;
    lake.pass::<7, LakeEvidence, _>(
        |row| {
            let edge = pairs.edge_of(&row[0].own_id("person_")?, &row[1].own_id("person_")?);
            let mask = asked.viewers(row[6])? & edge;
            when(mask, || Ok((mask, line(&row[..6])?)))
        },
        |(mask, line)| {
            folders.write(mask, &line);
            Ok(())
        },
    )
}
