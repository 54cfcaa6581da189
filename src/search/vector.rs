//! The engine `graph-vector`: texts whose sense is near, by the vectors that the snapshot holds.
//!
//! Words that are the same are the surest sign of the same sense, so this engine starts from what
//! `graph-keyword` finds and adds what is said in other words: a position, an industry or a company's
//! name counts by the cosine of its vector to those of the condition. Places, companies and people
//! are called by name, so words decide on them alone; a place that no text has is sought by sense.

use crate::embed::dot::Probe;
use crate::embed::model::{Model, Vector};
use crate::graph::index::GraphIndex;
use crate::model::vectors::{DIMENSIONS, Quantized};
use crate::search::conditions::{Condition, Kind};
use crate::search::degree::{Degree, Degrees, MATCH, raise};
use crate::search::index::SearchIndex;
use crate::search::keyword::{self, by_company, weigh};

/// From which cosine on a text says nothing to the point.
const FAR: f32 = 0.30;
/// From which cosine on a text says the same.
const NEAR: f32 = 0.62;
/// The degree of the same sense in other words: just below that of the same words.
const SAME_SENSE: Degree = 225;
/// How much the name of a company says about its industry.
const COMPANY_NAME: f32 = 0.3;

/// How well `condition` fits everybody. Costs what the keyword engine does and two passes over the
/// vectors of the columns that it looks at.
#[must_use]
pub fn degrees(index: &GraphIndex, search: &SearchIndex, condition: &Condition) -> Degrees {
    let mut degrees = keyword::degrees(index, search, condition);
    let vectors = &index.vectors;
    match condition.kind {
        Kind::Role | Kind::Seniority => {
            raise(&mut degrees.positions, Senses::of(condition).degrees(&vectors.positions));
        }
        Kind::Industry => {
            let senses = Senses::of(condition);
            let industries = senses.degrees(&vectors.industries);
            raise(&mut degrees.companies, by_company(&index.companies.industries, &industries));
            let names = senses.degrees(&vectors.company_names);
            raise(&mut degrees.companies, weigh(names, COMPANY_NAME).into_iter().map(hint).collect());
        }
        Kind::Topic => {
            let senses = Senses::of(condition);
            raise(&mut degrees.positions, senses.degrees(&vectors.positions));
            let industries = senses.degrees(&vectors.industries);
            raise(&mut degrees.companies, by_company(&index.companies.industries, &industries));
            raise(
                &mut degrees.companies,
                senses.degrees(&vectors.company_names).into_iter().map(hint).collect(),
            );
        }
        Kind::Place if !degrees.has_match() => {
            let senses = Senses::of(condition);
            raise(&mut degrees.cities, senses.degrees(&vectors.cities));
            raise(&mut degrees.countries, senses.degrees(&vectors.countries));
            let headquarters = senses.degrees(&vectors.headquarters);
            raise(&mut degrees.companies, by_company(&index.companies.headquarters, &headquarters));
        }
        Kind::Place | Kind::Company | Kind::Name => {}
    }
    degrees
}

/// What only hints is no match.
fn hint(degree: Degree) -> Degree {
    degree.min(MATCH - 1)
}

/// A condition's sense: as it was said, and as it is usually said.
struct Senses(Vec<Probe>);

impl Senses {
    fn of(condition: &Condition) -> Self {
        let model = Model::own();
        let all: Vec<Vector> = condition.senses.iter().map(|sense| model.embed(sense)).collect();
        let said = all.first().filter(|vector| !vector.is_zero()).map(Probe::new);
        let usual = (all.len() > 1).then(|| Probe::new(&middle(&all)));
        Self(said.into_iter().chain(usual).collect())
    }

    /// The degree of each of these texts: that of the nearer sense.
    fn degrees(&self, stored: &[Quantized]) -> Vec<Degree> {
        let mut degrees = vec![0; stored.len()];
        for probe in &self.0 {
            raise(&mut degrees, probe.cosines(stored).into_iter().map(degree).collect());
        }
        degrees
    }
}

/// The direction between several.
fn middle(vectors: &[Vector]) -> Vector {
    let mut sum = [0.0; DIMENSIONS];
    for vector in vectors {
        sum.iter_mut().zip(vector.0).for_each(|(sum, component)| *sum += component);
    }
    Vector::unit(sum)
}

fn degree(cosine: f32) -> Degree {
    if cosine >= NEAR {
        MATCH + (f32::from(SAME_SENSE - MATCH) * (cosine - NEAR) / (1.0 - NEAR)).min(97.0) as Degree
    } else if cosine > FAR {
        (f32::from(MATCH - 1) * (cosine - FAR) / (NEAR - FAR)) as Degree
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_senses_fit_better_and_match_from_a_bound_on() {
        let degrees: Vec<Degree> = (-10..=10).map(|tenth| degree(tenth as f32 / 10.0)).collect();
        assert!(degrees.is_sorted() && degrees[0] == 0 && degrees[20] == SAME_SENSE, "{degrees:?}");
        assert!(degree(NEAR) >= MATCH && degree(NEAR - 0.01) < MATCH);
    }
}
