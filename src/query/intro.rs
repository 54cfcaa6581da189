//! Intro-request annotations: what the organization already asked for.

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::time::Timestamp;

/// The request that annotates a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntroAnnotation<'a> {
    /// Where the request stands, as it came.
    pub status: &'a str,
    /// Who asked.
    pub requested_by: MemberIx,
    /// When.
    pub requested_at: Timestamp,
}

/// The request to show for `person`: the latest, where there is one.
#[must_use]
pub fn annotation(index: &GraphIndex, person: PersonIx) -> Option<IntroAnnotation<'_>> {
    let requests = &index.data.intro_requests;
    let row = index.intro_requests_to(person).next()?;
    Some(IntroAnnotation {
        status: requests.statuses.get(row as u32),
        requested_by: requests.requested_by[row],
        requested_at: requests.requested_at[row],
    })
}

/// Whether the organization asked for an introduction to `person`.
#[must_use]
pub fn is_requested(index: &GraphIndex, person: PersonIx) -> bool {
    !index.intro_requests_to(person).is_empty()
}
