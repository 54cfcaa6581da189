//! People by handle or by address: their main one and their aliases.

use std::collections::HashSet;

use crate::graph::exact::{Form, HandleTable};
use crate::model::aliases::PersonTexts;
use crate::model::text::written_by;

/// People by one kind of text.
#[derive(Debug)]
pub struct PersonLookup {
    own: HandleTable,
    /// Rows of the aliases. No alias equals another text of the same person.
    others: HandleTable,
}

impl PersonLookup {
    /// Indexes people by `texts`, compared in `form`. Costs one pass.
    #[must_use]
    pub fn build(texts: PersonTexts<'_>, form: Form) -> Self {
        let others = rows_that_differ(texts, form);
        Self {
            own: HandleTable::build(texts.own, form),
            others: HandleTable::of_rows(&texts.others.texts, form, others),
        }
    }

    /// A look-up over the rows `own` and the alias rows `others`.
    #[must_use]
    pub fn of_rows(texts: PersonTexts<'_>, form: Form, own: Vec<u32>, others: Vec<u32>) -> Self {
        Self {
            own: HandleTable::of_rows(texts.own, form, own),
            others: HandleTable::of_rows(&texts.others.texts, form, others),
        }
    }

    /// Everybody with a text equal to `text`, each once, in no order; `texts` must be those it was built from.
    pub fn find_all<'a>(&'a self, texts: PersonTexts<'a>, text: &'a str) -> impl Iterator<Item = u32> + 'a {
        let others = || self.others.find_all(&texts.others.texts, text);
        let others = (!texts.others.is_empty()).then(others).into_iter().flatten();
        let own = self.own.find_all(texts.own, text);
        own.chain(others.map(move |row| texts.others.people[row as usize].0))
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.own.size_bytes() + self.others.size_bytes()
    }
}

/// The rows of aliases that equal neither the person's main text nor an earlier alias of theirs.
fn rows_that_differ(texts: PersonTexts<'_>, form: Form) -> Vec<u32> {
    let (mut rows, mut start) = (Vec::with_capacity(texts.others.len()), 0);
    for of_person in texts.others.people.chunk_by(|one, other| one == other) {
        let mut seen = HashSet::from([written_by(form, texts.own.get(of_person[0].0))]);
        let end = start + of_person.len() as u32;
        rows.extend((start..end).filter(|&row| seen.insert(written_by(form, texts.others.texts.get(row)))));
        start = end;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::aliases::AliasColumn;
    use crate::model::column::{ColumnFull, TextColumn};
    use crate::model::ix::PersonIx;
    use crate::model::text::lower_onto;

    #[test]
    fn people_are_found_by_each_of_their_texts_and_once() -> Result<(), ColumnFull> {
        let own = TextColumn::from_texts(["Ana-M", "", "bo"])?;
        let others = AliasColumn {
            people: [0, 0, 1, 1, 2].map(PersonIx).to_vec(),
            texts: TextColumn::from_texts(["ANA-m", "bo", "Cy", "cy", "x"])?,
        };
        let texts = PersonTexts { own: &own, others: &others };
        let find = |lookup: &PersonLookup, text| {
            let mut people: Vec<u32> = lookup.find_all(texts, text).collect();
            people.sort_unstable();
            people
        };
        let all = PersonLookup::build(texts, lower_onto);
        for (text, people) in
            [("ana-m", vec![0]), ("BO", vec![0, 2]), ("cy", vec![1]), ("X", vec![2]), ("", vec![])]
        {
            assert_eq!(find(&all, text), people, "{text}");
        }
        // The control: with every row in the table, a person is found once per equal text.
        let every = PersonLookup::of_rows(texts, lower_onto, (0..3).collect(), (0..5).collect());
        assert_eq!([find(&every, "ana-m"), find(&every, "cy")], [vec![0, 0], vec![1, 1]]);
        Ok(())
    }
}
