//! Aliases: further handles and addresses by which people are found. They are matched, never returned.

use std::ops::Range;

use crate::model::column::{TextColumn, held};
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;

/// The other handles and e-mail addresses of people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    /// Other handles.
    pub handles: AliasColumn,
    /// Other addresses.
    pub emails: AliasColumn,
}

/// Texts of people, none empty: strictly ascending by person, then text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasColumn {
    /// The person of each text.
    pub people: Vec<PersonIx>,
    /// The texts.
    pub texts: TextColumn,
}

/// All texts of one kind by which people are found.
#[derive(Clone, Copy, Debug)]
pub struct PersonTexts<'a> {
    /// One row per person: their main text.
    pub own: &'a TextColumn,
    /// Their other ones.
    pub others: &'a AliasColumn,
}

impl Aliases {
    /// The aliases of the `kept` people, renumbered. Costs a pass over all rows.
    #[must_use]
    pub fn gather(&self, kept: &Kept) -> Self {
        Self { handles: self.handles.gather(kept), emails: self.emails.gather(kept) }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.handles.size_bytes() + self.emails.size_bytes()
    }
}

impl AliasColumn {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// The rows of `person`. Costs two binary searches.
    #[must_use]
    pub fn rows_of(&self, person: PersonIx) -> Range<u32> {
        let start = self.people.partition_point(|&row| row < person);
        let count = self.people[start..].partition_point(|&row| row == person);
        start as u32..(start + count) as u32
    }

    /// The texts of `person`.
    pub fn texts_of(&self, person: PersonIx) -> impl Iterator<Item = &str> {
        self.rows_of(person).map(|row| self.texts.get(row))
    }

    fn gather(&self, people: &Kept) -> Self {
        let kept = Kept::of(self.len(), |row| people.has(self.people[row as usize]));
        Self { people: kept.of_references(&self.people, people), texts: self.texts.gather(&kept.rows) }
    }

    fn size_bytes(&self) -> usize {
        held(&self.people) + self.texts.size_bytes()
    }
}

impl<'a> PersonTexts<'a> {
    /// Every text of `person`, the main one first; it is empty if there is none.
    pub fn of(self, person: PersonIx) -> impl Iterator<Item = &'a str> {
        std::iter::once(self.own.get(person.0)).chain(self.others.texts_of(person))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;

    #[test]
    fn the_texts_of_a_person_are_found_and_those_who_stay_keep_theirs() -> Result<(), ColumnFull> {
        let handles = AliasColumn {
            people: [1, 1, 3, 4].map(PersonIx).to_vec(),
            texts: TextColumn::from_texts(["a", "b", "c", "a"])?,
        };
        let of = |person| handles.texts_of(PersonIx(person)).collect::<Vec<_>>();
        assert_eq!(
            [of(0), of(1), of(2), of(3), of(4)],
            [vec![], vec!["a", "b"], vec![], vec!["c"], vec!["a"]]
        );
        let own = TextColumn::from_texts(["x", "y", "", "", "z"])?;
        let texts = PersonTexts { own: &own, others: &handles };
        assert_eq!(texts.of(PersonIx(1)).collect::<Vec<_>>(), ["y", "a", "b"]);
        let aliases = Aliases { handles, emails: AliasColumn::default() };
        let left = aliases.gather(&Kept::of_rows(5, vec![0, 3, 4])).handles;
        assert_eq!(left.people, [1, 2].map(PersonIx));
        assert_eq!(left.texts.iter().collect::<Vec<_>>(), ["c", "a"]);
        Ok(())
    }
}
