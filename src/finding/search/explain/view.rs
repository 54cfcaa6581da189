//! The member whose contacts a query asks for ("CFOs that Ann knows"), as a term of it.

use std::borrow::Cow;

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::search::conditions::{Query, TermKind};
use crate::search::field::SearchField;
use crate::search::pool::{OUTSIDE, Pool};
use crate::search::understood::{How, TermMatch, UnderstoodTerm};

/// The term that the member named by the query knows everybody of the pool.
pub(super) fn relation<'a>(query: &Query, pool: &Pool<'_>) -> Option<UnderstoodTerm<'a>> {
    query.view?;
    let is_inside = |person: &&u32| pool.coldness()[**person as usize] != OUTSIDE;
    Some(UnderstoodTerm {
        term: query.view_name.clone(),
        read_as: None,
        kind: TermKind::Relation,
        negated: false,
        past: false,
        widened_to: Vec::new(),
        people: pool.people().iter().filter(is_inside).count() as u64,
    })
}

/// The match that this member, whose term is at position `term`, knows `person`; `None` if they do not.
pub(super) fn known_by_view<'a>(
    index: &'a GraphIndex,
    query: &Query,
    term: usize,
    person: PersonIx,
) -> Option<TermMatch<'a>> {
    let member = query.view?;
    let is_known = index.near.row(person).members.iter().any(|edge| edge.source == member.0);
    let text = Cow::Borrowed(index.data.people.names.get(index.data.members.person(member).0));
    is_known.then_some(TermMatch { term, field: SearchField::KnownBy, text, how: How::Words })
}
