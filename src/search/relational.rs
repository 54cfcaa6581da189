//! The engine `relational`: the same words, found by SQL in the store beside the snapshot.

use std::time::Instant;

use crate::graph::index::GraphIndex;
use crate::model::text::fold;
use crate::relational::lookup::{Field, Lookup};
use crate::relational::store::Store;
use crate::search::conditions::{Condition, Kind};
use crate::search::degree::{Degree, Degrees, MATCH};
use crate::search::engine::Unavailable;
use crate::search::index::SearchIndex;
use crate::search::keyword;
use crate::search::words::words;

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
    let mut people = vec![0; index.people.ids.len()];
    for fit in found {
        if let Some(person) = people.get_mut(fit.person as usize) {
            *person = MATCH + fit.degree / 2;
        }
    }
    if condition.kind == Kind::Company {
        let most = if condition.past { Degree::MAX } else { keyword::LEFT };
        if condition.past {
            let is_present = people.iter().map(|&degree| degree >= MATCH).collect::<Vec<_>>();
            people.fill(0);
            search.past.raise(&condition.phrases, most, &mut people);
            let present = people.iter_mut().zip(is_present).filter(|(_, is_present)| *is_present);
            present.for_each(|(degree, _)| *degree = keyword::STILL_THERE);
        } else {
            search.past.raise(&condition.phrases, most, &mut people);
        }
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
        let apart: Vec<String> = phrase.iter().flat_map(|word| crate::search::words::apart(word)).collect();
        if apart.len() > phrase.len() {
            ways.push(apart);
        }
    }
    ways
}
