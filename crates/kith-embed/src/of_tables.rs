//! The vectors of the texts of a network, which a search in plain language compares.

use rayon::prelude::*;

use crate::model::Model;
use kith::model::column::TextColumn;
use kith::model::dataset::{Companies, Dataset, People};
use kith::model::vectors::{Quantized, Vectors};
use kith::snapshot::SnapshotError;
use kith::snapshot::prepared::{self, Prepared};

/// The vectors of the texts of `people` and `companies`, by the program's own model. Costs some microseconds per
/// distinct text and per company, on all cores.
#[must_use]
pub fn build(people: &People, companies: &Companies) -> Vectors {
    Vectors {
        model: Model::sha256(),
        positions: embed(&people.positions.values),
        cities: embed(&people.cities.values),
        countries: embed(&people.countries.values),
        industries: embed(&companies.industries.values),
        headquarters: embed(&companies.headquarters.values),
        company_names: embed(&companies.names),
    }
}

/// Computes the names and vectors of `dataset` again and compares them with the stored ones.
///
/// # Errors
/// Returns the first difference.
pub fn check_prepared(dataset: &Dataset) -> Result<Prepared, SnapshotError> {
    let again = Model::is_model_of(&dataset.vectors).then(|| build(&dataset.people, &dataset.companies));
    prepared::check_prepared(dataset, again.as_ref())
}

fn embed(texts: &TextColumn) -> Vec<Quantized> {
    let model = Model::own();
    (0..texts.len() as u32).into_par_iter().map(|row| model.embed(texts.get(row)).quantize()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith::model::column::{ColumnFull, DictionaryColumn};
    use kith::model::vectors::ZERO;

    #[test]
    fn each_distinct_text_and_each_company_has_its_vector() -> Result<(), ColumnFull> {
        let positions = TextColumn::from_texts(["CTO", "", "Baker", "CTO"])?;
        let people = People { positions: DictionaryColumn::from_texts(&positions), ..People::default() };
        let names = TextColumn::from_texts(["Acme", "😀", "Acme"])?;
        let companies = Companies { names, ..Companies::default() };
        let vectors = build(&people, &companies);
        let vector = |text| Model::own().embed(text).quantize();
        // Not assert_eq: its message would print 256 numbers.
        assert!(vectors.positions == [ZERO, vector("Baker"), vector("CTO")]);
        assert!(vectors.company_names == [vector("Acme"), ZERO, vector("Acme")]);
        assert_eq!((vectors.model, vectors.cities), (Model::sha256(), vec![ZERO]));
        assert!(vector("Acme") != vector("CTO"));
        Ok(())
    }
}
