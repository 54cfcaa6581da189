//! Advocates: in order, and known to the members they help.

use crate::model::dataset::{Advocate, AdvocateStatus, Dataset};
use crate::snapshot::check::columns::Marks;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

/// Requires members and edges to be sound.
pub(super) fn check(dataset: &Dataset) -> Result<(), SnapshotError> {
    let mut before = None;
    for (row, advocate) in dataset.advocates.iter().enumerate() {
        let key = (advocate.person, advocate.member);
        let unsorted = before.replace(key).is_some_and(|before| before >= key);
        if let Some((column, fault)) = row_fault(dataset, advocate, unsorted) {
            return Err(SnapshotError::row(column, row, fault));
        }
    }
    check_edges(dataset)
}

fn row_fault(dataset: &Dataset, advocate: &Advocate, unsorted: bool) -> Option<(&'static str, ContentFault)> {
    let (people, members) = (dataset.people.len(), dataset.members.len());
    let &Advocate { person, member, .. } = advocate;
    if person.0 as usize >= people {
        Some(("advocates.people", ContentFault::Reference { got: person.0, rows: people }))
    } else if member.0 as usize >= members {
        Some(("advocates.members", ContentFault::Reference { got: member.0, rows: members }))
    } else if unsorted {
        Some(("advocates", ContentFault::Unsorted))
    } else if dataset.members.person(member) == person {
        Some(("advocates", ContentFault::OwnPerson))
    } else {
        None
    }
}

/// Checks that every member has an edge to each of their accepted advocates. Reads the row of each such member once.
fn check_edges(dataset: &Dataset) -> Result<(), SnapshotError> {
    let mut accepted: Vec<(usize, &Advocate)> = dataset.advocates.iter().enumerate().collect();
    accepted.retain(|(_, advocate)| advocate.status == AdvocateStatus::Accepted);
    accepted.sort_by_key(|(_, advocate)| advocate.member);
    let mut known = Marks::new(dataset.people.len());
    for advocates in accepted.chunk_by(|(_, a), (_, b)| a.member == b.member) {
        let person = dataset.members.person(advocates[0].1.member);
        let row = dataset.edges.out.row(person);
        row.ends.iter().for_each(|&end| _ = known.mark(end));
        if let Some((row, _)) = advocates.iter().find(|(_, advocate)| !known.has(advocate.person)) {
            return Err(SnapshotError::row("advocates", *row, ContentFault::NoEdge));
        }
        row.ends.iter().for_each(|&end| known.clear(end));
    }
    Ok(())
}
