//! The people who can be in a search's pool: all contacts of a member or an accepted advocate.

use crate::model::dataset::{AdvocateStatus, Dataset};

/// Whether a member or an accepted advocate has an edge to each person. Costs the edges of members and advocates.
pub(crate) fn in_reach(dataset: &Dataset) -> Vec<bool> {
    let mut in_reach = vec![false; dataset.people.len()];
    let members = dataset.members.people.iter().copied();
    let accepted = dataset.advocates.iter().filter(|row| row.status == AdvocateStatus::Accepted);
    for knowing in members.chain(accepted.map(|row| row.person)) {
        for end in dataset.edges.out.row(knowing).ends {
            in_reach[end.0 as usize] = true;
        }
    }
    in_reach
}
