//! The engine `relational`: the same words, found by SQL in the store beside the snapshot.

use std::time::Instant;

use crate::graph::index::GraphIndex;
use crate::model::text::fold;
use crate::relational::lookup::{Field, Lookup};
use crate::relational::store::Store;
use crate::search::conditions::{Condition, Kind};
use crate::search::degree::{Degrees, MATCH, raise};
use crate::search::engine::Unavailable;
use crate::search::index::SearchIndex;
use crate::search::keyword;
use crate::search::words::{apart, words};

/// How well `condition` fits everybody. Costs a few statements for each way to say it, and a row for
/// each person who fits.
///
/// # Errors
/// Where the store does not answer by `deadline`, or not at all.
pub fn degrees(
    index: &GraphIndex,
    search: &SearchIndex,
    store: &Store,
    condition: &Condition,
    deadline: Instant,
) -> Result<Degrees, Unavailable> {
    let phrases = ways(condition);
    let lookup = Lookup { fields: fields(condition.kind), phrases: &phrases };
    let found = store.find(&lookup, deadline).map_err(|_| Unavailable::StoreFailed)?;
    let mut people = vec![0; index.data.people.ids.len()];
    for fit in found {
        if let Some(person) = people.get_mut(fit.person as usize) {
            *person = MATCH + fit.degree / 2;
        }
    }
    if condition.kind == Kind::Company {
        let before = keyword::by_past(index, search, condition, |person| people[person] >= MATCH);
        if condition.past { people = before } else { raise(&mut people, before) }
    }
    Ok(Degrees { people, ..Degrees::default() })
}

fn fields(kind: Kind) -> &'static [Field] {
    match kind {
        Kind::Role | Kind::Seniority => &[Field::Position],
        Kind::Company => &[Field::CompanyName],
        Kind::Industry => &[Field::Industry],
        Kind::Place => &[Field::City, Field::Country, Field::Headquarters],
        Kind::Name => &[Field::PersonName],
        Kind::Topic => &[
            Field::Position,
            Field::CompanyName,
            Field::Industry,
            Field::City,
            Field::Country,
            Field::PersonName,
        ],
    }
}

/// The condition's phrases as the store's texts have them: names unstemmed, and two words that
/// count as one also as two.
fn ways(condition: &Condition) -> Vec<Vec<String>> {
    if condition.kind == Kind::Name {
        return vec![words(&fold(&condition.term)).map(str::to_owned).collect()];
    }
    let mut ways = Vec::with_capacity(condition.phrases.len());
    for phrase in &condition.phrases {
        ways.push(phrase.clone());
        let two: Vec<String> = phrase.iter().flat_map(|word| apart(word)).collect();
        if two.len() > phrase.len() {
            ways.push(two);
        }
    }
    ways
}
