//! Who can be in any pool of a search: everyone a member or an accepted advocate knows.

use crate::model::dataset::{AdvocateStatus, Dataset};

/// For each person, whether a member or an accepted advocate has an edge to them. Costs the edges of
/// those who know.
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
