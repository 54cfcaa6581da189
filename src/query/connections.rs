//! The people a member knows, by name.

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::query::page::{Page, Top};

/// The page of the people `member` has an edge to, by folded name, then id; and how many there are.
/// Costs one pass over the member's edges.
#[must_use]
pub fn list(index: &GraphIndex, member: MemberIx, page: Page) -> (Vec<PersonIx>, u64) {
    let contacts = index.data.edges.out.row(index.data.members.person(member)).ends;
    let mut top = Top::for_page(page);
    contacts.iter().for_each(|&person| top.offer(index.person_names().rank(person.0)));
    let order = &index.person_names().table.order;
    let people = top.into_page(page).into_iter().map(|rank| PersonIx(order[rank as usize])).collect();
    (people, contacts.len() as u64)
}
