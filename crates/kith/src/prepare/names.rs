//! Builds the look-up table of names: folded, in order, and split into words.

use rayon::prelude::*;

use crate::model::column::{ColumnFull, TextColumn};
use crate::model::csr::Csr;
use crate::model::names::NameTable;
use crate::model::text::{fold, words};

/// Builds the look-up table of `names`. Costs two sorts, on all cores.
///
/// # Errors
/// Returns an error if the folded names, or their words, pass 4 GiB.
pub fn build(names: &TextColumn) -> Result<NameTable, ColumnFull> {
    let rows = names.len() as u32;
    let folded: Vec<String> = (0..rows).into_par_iter().map(|row| fold(names.get(row))).collect();
    let mut order: Vec<u32> = (0..rows).collect();
    order.par_sort_unstable_by(|&a, &b| folded[a as usize].cmp(&folded[b as usize]).then(a.cmp(&b)));
    let sorted = TextColumn::from_texts(order.iter().map(|&row| folded[row as usize].as_str()))?;

    let mut distinct: Vec<&str> = folded.par_iter().flat_map_iter(|name| words(name)).collect();
    distinct.par_sort_unstable();
    distinct.dedup();
    let dictionary = TextColumn::from_texts(distinct)?;
    let places: Vec<Vec<u32>> = folded
        .par_iter()
        .map(|name| words(name).map(|word| dictionary.lower_bound(word)).collect())
        .collect();
    let all: usize = places.iter().map(Vec::len).sum();
    u32::try_from(all).map_err(|_| ColumnFull)?;
    let mut row_words = Csr::with_capacity(places.len(), all);
    places.into_iter().for_each(|row| row_words.push_row(row));
    Ok(NameTable { sorted, order, words: dictionary, row_words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::kept::Kept;

    #[test]
    fn names_stand_in_folded_order_then_by_row_with_their_words() -> Result<(), ColumnFull> {
        let names = TextColumn::from_texts(["Zoë  Ng", "ana maria", "Ana MARÍA", "..."])?;
        let table = build(&names)?;
        assert_eq!(table.sorted.iter().collect::<Vec<_>>(), ["...", "ana maria", "ana maria", "zoe ng"]);
        assert_eq!(table.order, [3, 1, 2, 0]);
        assert_eq!(table.words.iter().collect::<Vec<_>>(), ["ana", "maria", "ng", "zoe"]);
        assert_eq!([table.words_of(0), table.words_of(2), table.words_of(3)], [&[3, 2][..], &[0, 1], &[]]);
        Ok(())
    }

    #[test]
    fn a_table_of_some_rows_is_what_their_names_alone_make() -> Result<(), ColumnFull> {
        let names = TextColumn::from_texts(["Zoë  Ng", "ana maria", "Ana MARÍA", "...", "Ng Ana", ""])?;
        let table = build(&names)?;
        for rows in [&[][..], &[3], &[0, 2], &[1, 2, 4, 5], &[0, 1, 2, 3, 4, 5]] {
            let kept = Kept::of_rows(names.len(), rows.to_vec());
            assert_eq!(table.gather(&kept), build(&names.gather(rows))?, "{rows:?}");
        }
        Ok(())
    }
}
