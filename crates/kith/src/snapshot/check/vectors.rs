//! Checks vectors: one per text, of unit length or zero; zero for the empty text.

use std::ops::RangeInclusive;

use crate::model::column::DictionaryColumn;
use crate::model::dataset::Dataset;
use crate::model::vectors::{Quantized, ZERO};
use crate::snapshot::check::columns::each_row;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;
use crate::snapshot::parts::same_length;

/// The squared length of a rounded unit vector × 127: each of 256 components is off by at most 0.5, so the length by at
/// most 8.
const SQUARED_LENGTHS: RangeInclusive<u32> = 119 * 119..=135 * 135;

pub(super) fn check_people(dataset: &Dataset) -> Result<(), SnapshotError> {
    let (people, vectors) = (&dataset.people, &dataset.vectors);
    dictionary("vectors.positions", &people.positions, &vectors.positions)?;
    dictionary("vectors.cities", &people.cities, &vectors.cities)?;
    dictionary("vectors.countries", &people.countries, &vectors.countries)
}

pub(super) fn check_companies(dataset: &Dataset) -> Result<(), SnapshotError> {
    let (companies, vectors) = (&dataset.companies, &dataset.vectors);
    dictionary("vectors.industries", &companies.industries, &vectors.industries)?;
    dictionary("vectors.headquarters", &companies.headquarters, &vectors.headquarters)?;
    same_length("vectors.company_names", companies.ids.len(), vectors.company_names.len())?;
    each("vectors.company_names", &vectors.company_names)
}

/// Checks the vectors of distinct texts, the first of which is empty.
fn dictionary(
    column: &'static str,
    texts: &DictionaryColumn,
    vectors: &[Quantized],
) -> Result<(), SnapshotError> {
    same_length(column, texts.values.len(), vectors.len())?;
    if vectors.first().is_some_and(|vector| *vector != ZERO) {
        return Err(SnapshotError::row(column, 0, ContentFault::NotZero));
    }
    each(column, vectors)
}

fn each(column: &'static str, vectors: &[Quantized]) -> Result<(), SnapshotError> {
    each_row(column, vectors.len(), |row| fault(&vectors[row as usize]))
}

/// Returns the fault of a vector by itself.
fn fault(vector: &Quantized) -> Option<ContentFault> {
    if vector.contains(&i8::MIN) {
        return Some(ContentFault::Component);
    }
    let squared = vector.iter().map(|&component| i32::from(component) * i32::from(component)).sum::<i32>();
    let squared = squared.unsigned_abs();
    (squared != 0 && !SQUARED_LENGTHS.contains(&squared)).then_some(ContentFault::VectorLength { squared })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vector that begins with these components.
    fn vector(first: &[i8]) -> Quantized {
        let mut vector = ZERO;
        vector[..first.len()].copy_from_slice(first);
        vector
    }

    #[test]
    fn vectors_are_of_unit_length_but_for_rounding_or_zero() {
        let length = |squared| Some(ContentFault::VectorLength { squared });
        for (vector, expected) in [
            (ZERO, None),
            (vector(&[127]), None),
            (vector(&[-127]), None),
            (vector(&[119]), None),
            (vector(&[-118, 15, 3]), length(14_158)),
            (vector(&[-118, 15, 3, 1, 1, 1]), None), // 119², the shortest
            (vector(&[118]), length(13_924)),
            (vector(&[1]), length(1)),
            (vector(&[127, 45, 8, 2, 1, 1, 1]), None), // 135², the longest
            (vector(&[127, 45, 8, 2, 2]), length(18_226)),
            ([8; 256], None),
            ([127; 256], length(256 * 127 * 127)),
            (vector(&[-128]), Some(ContentFault::Component)),
            ([-128; 256], Some(ContentFault::Component)),
        ] {
            assert_eq!(fault(&vector), expected, "{:?}", &vector[..5]);
        }
    }
}
