//! Members who know a person that a query asks for: "who of us knows Ann".

use std::sync::Arc;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::pool::{OUTSIDE, Pool};

/// The fits of a member who knows the person, with the highest score and without one; people of this name come after
/// them.
const KNOWS_WARMLY: Fit = Fit::MAX;
const KNOWS: Fit = MATCH + 1;

/// The fits of the members who know anybody of `pool` whom `names` fits, warmest first, and of the people with these
/// names. Costs a pass over the people, and the near edges of those with these names.
#[must_use]
pub fn and_knowers(index: &GraphIndex, pool: &Pool<'_>, names: &Fits) -> Arc<Fits> {
    let mut fits = names.clone();
    fits.people.iter_mut().for_each(|fit| *fit = (*fit).min(MATCH));
    let named = (0_u32..).zip(&names.people).filter(|&(_, &fit)| fit >= MATCH);
    for (person, _) in named.filter(|&(person, _)| is_inside(pool, person)) {
        for edge in index.near.row(PersonIx(person)).members {
            let member = index.data.members.person(MemberIx(edge.source));
            if let Some(fit) = fits.people.get_mut(member.0 as usize) {
                let warmth = u32::from(KNOWS_WARMLY - KNOWS) * edge.score().weight() / 100;
                *fit = (*fit).max(KNOWS + warmth as Fit);
            }
        }
    }
    Arc::new(fits)
}

/// The name of the first person of `pool` who `is_named` and whom `member` knows, if any. Costs a look-up for each
/// contact of the member.
#[must_use]
pub fn known<'a>(
    index: &'a GraphIndex,
    pool: &Pool<'_>,
    is_named: impl Fn(u32) -> bool,
    member: u32,
) -> Option<&'a str> {
    let mut known = index.data.edges.out.row(PersonIx(member)).iter().map(|(person, _)| person.0);
    let first = known.find(|&person| is_inside(pool, person) && is_named(person))?;
    Some(index.data.people.names.get(first))
}

fn is_inside(pool: &Pool<'_>, person: u32) -> bool {
    pool.coldness()[person as usize] != OUTSIDE
}
