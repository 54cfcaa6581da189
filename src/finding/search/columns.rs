//! Scores many people against one condition, column by column.
//!
//! [`Fits::of`] looks one person up in five tables. This goes through one table after the other for a block of people,
//! and skips tables in which nothing fits: the same numbers, from branch-free loops.

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, OptionalIx};
use crate::search::fit::{Fit, Fits, MATCH, NO_TEXT};

/// The tables of a condition that fit anybody.
#[derive(Debug)]
pub struct FitColumns<'a>(Vec<FitColumn<'a>>);

/// A table, and the column in which people find their entry.
#[derive(Debug)]
enum FitColumn<'a> {
    /// By the rows of a dictionary.
    Texts(&'a [u32], &'a [Fit]),
    Companies(&'a [OptionalIx<CompanyIx>], &'a [Fit]),
    /// By company; capped at a match for people whose city or country is known.
    Headquarters(&'a [OptionalIx<CompanyIx>], &'a [Fit], [&'a [u32]; 2]),
    /// By person.
    People(&'a [Fit]),
}

impl<'a> FitColumns<'a> {
    /// Selects the non-zero tables of `fits`. Costs a pass over them.
    #[must_use]
    pub fn of(index: &'a GraphIndex, fits: &'a Fits) -> Self {
        let people = &index.data.people;
        let of_company = if fits.is_home {
            let homes = [&people.cities.rows[..], &people.countries.rows];
            FitColumn::Headquarters(&people.companies, &fits.companies, homes)
        } else {
            FitColumn::Companies(&people.companies, &fits.companies)
        };
        let columns = [
            (FitColumn::Texts(&people.positions.rows, &fits.positions), &fits.positions),
            (FitColumn::Texts(&people.cities.rows, &fits.cities), &fits.cities),
            (FitColumn::Texts(&people.countries.rows, &fits.countries), &fits.countries),
            (of_company, &fits.companies),
            (FitColumn::People(&fits.people), &fits.people),
        ];
        let fitting = columns.into_iter().filter(|(_, table)| !is_zero(table));
        Self(fitting.map(|(column, _)| column).collect())
    }

    /// Whether nobody fits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the fit of each of `people` to the same position of `fits`, which is as long; `other` is scratch space.
    /// Costs a look-up per person and table.
    pub fn read(&self, people: &[u32], fits: &mut [Fit], other: &mut Vec<Fit>) {
        #[cfg(test)]
        people.iter().for_each(|_| crate::search::fit::work::note());
        let Some((first, more)) = self.0.split_first() else { return fits.fill(0) };
        first.look_up(people, fits);
        other.resize(fits.len(), 0);
        for column in more {
            column.look_up(people, other);
            fits.iter_mut().zip(&*other).for_each(|(fit, &other)| *fit = (*fit).max(other));
        }
    }
}

impl FitColumn<'_> {
    /// Writes the fit of each of `people` in this table to the same position of `fits`. Branch-free: unpredictable
    /// branches cost more than the look-up.
    fn look_up(&self, people: &[u32], fits: &mut [Fit]) {
        let at = |table: &[Fit], place: u32| table.get(place as usize).copied().unwrap_or(0);
        let each = fits.iter_mut().zip(people);
        match *self {
            FitColumn::Texts(rows, table) => {
                each.for_each(|(fit, &person)| *fit = at(table, rows[person as usize]));
            }
            FitColumn::Companies(rows, table) => {
                // No company has the greatest number, so it is past the end of the table.
                each.for_each(|(fit, &person)| *fit = at(table, rows[person as usize].stored()));
            }
            FitColumn::Headquarters(rows, table, [cities, countries]) => each.for_each(|(fit, &person)| {
                let home = cities[person as usize] | countries[person as usize];
                let most = if home != NO_TEXT { MATCH } else { Fit::MAX };
                *fit = at(table, rows[person as usize].stored()).min(most);
            }),
            FitColumn::People(table) => each.for_each(|(fit, &person)| *fit = at(table, person)),
        }
    }
}

/// Whether nothing in `table` fits.
fn is_zero(table: &[Fit]) -> bool {
    let (blocks, rest) = table.as_chunks::<64>();
    let is_zero = |block: &[Fit]| block.iter().fold(0, |all, &fit| all | fit) == 0;
    blocks.iter().all(|block| is_zero(block)) && is_zero(rest)
}
