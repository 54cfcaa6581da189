//! The members who know a person that a query asks for: "who of us knows Ann".

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::pool::{OUTSIDE, Pool};

/// The fit of a member who knows the person: people who are called so come first.
const KNOWS: Fit = MATCH;

/// `names`, the fits of a name, and those of the members who know anybody of `pool` whom it fits. Costs a pass over the
/// people, and the near edges of those who are called so.
#[must_use]
pub fn and_knowers(index: &GraphIndex, pool: &Pool<'_>, names: &Fits) -> Arc<Fits> {
    let mut fits = names.clone();
    for person in named(pool, &names.people).ones() {
        for edge in index.near.row(PersonIx(person as u32)).members {
            let member = index.data.members.person(MemberIx(edge.source));
            if let Some(fit) = fits.people.get_mut(member.0 as usize) {
                *fit = (*fit).max(KNOWS);
            }
        }
    }
    Arc::new(fits)
}

/// The name of the first person of `pool` whom `names` fits and `member` knows; `None` if there is none.
#[must_use]
pub fn known<'a>(index: &'a GraphIndex, pool: &Pool<'_>, names: &[Fit], member: u32) -> Option<&'a str> {
    let named = named(pool, names);
    let mut known = index.data.edges.out.row(PersonIx(member)).iter().map(|(person, _)| person.0);
    let first = known.find(|&person| named.contains(person as usize))?;
    Some(index.data.people.names.get(first))
}

/// Those of `pool` whom the fits of a name match.
fn named(pool: &Pool<'_>, names: &[Fit]) -> FixedBitSet {
    let is_named = |person: &usize| names[*person] >= MATCH && pool.coldness()[*person] != OUTSIDE;
    (0..names.len()).filter(is_named).collect()
}
