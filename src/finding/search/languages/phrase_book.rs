//! The phrases of a language and their English. German alone has more than a hundred thousand: they are stored back to
//! back, with each distinct English text once.

use hashbrown::HashMap;

use crate::model::column::TextColumn;

/// Phrases, ascending by their bytes, numbered from 0.
#[derive(Debug, Default)]
pub(super) struct PhraseBook {
    phrases: TextColumn,
    english: Vec<English>,
    said: TextColumn,
}

/// The English for a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct English {
    /// The position of the English text.
    said: u32,
    /// Whether the phrase shows the language: it occurs neither in English nor in names.
    pub(super) shows: bool,
    /// Whether it is a title, or a word for work, that is not English.
    pub(super) is_role: bool,
}

impl PhraseBook {
    /// The number of phrases.
    pub(super) fn len(&self) -> u32 {
        self.english.len() as u32
    }

    /// The phrase with this number.
    pub(super) fn phrase(&self, number: u32) -> &str {
        self.phrases.get(number)
    }

    /// The English for the phrase with this number.
    pub(super) fn english(&self, number: u32) -> English {
        self.english[number as usize]
    }

    /// The English for `phrase`, if it is in the book. Costs a binary search.
    pub(super) fn get(&self, phrase: &str) -> Option<English> {
        self.phrases.find_sorted(phrase).map(|number| self.english(number))
    }

    /// The text of `english`.
    pub(super) fn said(&self, english: English) -> &str {
        self.said.get(english.said)
    }

    /// The phrases from `start` on, ascending.
    pub(super) fn from(&self, start: &str) -> impl Iterator<Item = &str> {
        (self.phrases.lower_bound(start)..self.len()).map(|number| self.phrase(number))
    }
}

/// Invariant: no column is full.
const SMALL: &str = "a file of words is shorter than 4 GiB";

/// An added phrase.
struct Entry {
    /// Its first 16 bytes, which mostly decide the order.
    start: u128,
    row: u32,
    english: English,
}

/// The first 16 bytes of `phrase` as a big-endian number.
fn start_of(phrase: &str) -> u128 {
    let mut start = [0; 16];
    let length = phrase.len().min(start.len());
    start[..length].copy_from_slice(&phrase.as_bytes()[..length]);
    u128::from_be_bytes(start)
}

/// A phrase book under construction. Phrases are back to back here too: freeing a hundred thousand strings leaves holes
/// that the allocator cannot give back.
#[derive(Default)]
pub(super) struct PhraseList {
    /// In the order added.
    phrases: TextColumn,
    entries: Vec<Entry>,
    /// Each English text, with its position.
    said: HashMap<String, u32>,
}

impl PhraseList {
    /// Adds `phrase` with the English `said`; an earlier translation of the same phrase wins.
    pub(super) fn add(&mut self, phrase: &str, said: &str, shows: bool, is_role: bool) {
        let next = self.said.len() as u32;
        let said = self.said.get(said).copied().unwrap_or_else(|| {
            self.said.insert(said.to_owned(), next);
            next
        });
        self.add_as(phrase, English { said, shows, is_role });
    }

    /// Adds `phrase` with the same English as another phrase; an earlier translation wins.
    pub(super) fn add_as(&mut self, phrase: &str, english: English) {
        self.entries.push(Entry { start: start_of(phrase), row: self.phrases.len() as u32, english });
        self.phrases.push(phrase).expect(SMALL);
    }

    /// Sorts the phrases and keeps the first translation of each. Costs a sort. Returns their number.
    pub(super) fn settle(&mut self) -> usize {
        let Self { phrases, entries, .. } = self;
        // A stable sort keeps the first translation first.
        let order = |one: &Entry, other: &Entry| {
            one.start.cmp(&other.start).then_with(|| phrases.get(one.row).cmp(phrases.get(other.row)))
        };
        entries.sort_by(order);
        entries.dedup_by(|later, first| order(later, first).is_eq());
        entries.len()
    }

    /// The phrase at position `place`, and its English.
    pub(super) fn at(&self, place: usize) -> (&str, English) {
        let Entry { row, english, .. } = self.entries[place];
        (self.phrases.get(row), english)
    }

    pub(super) fn finish(mut self) -> PhraseBook {
        self.settle();
        let mut said = vec![""; self.said.len()];
        self.said.iter().for_each(|(text, &at)| said[at as usize] = text);
        let (rows, english): (Vec<u32>, Vec<English>) =
            self.entries.into_iter().map(|entry| (entry.row, entry.english)).unzip();
        PhraseBook {
            phrases: self.phrases.gather(&rows),
            english,
            said: TextColumn::from_texts(said).expect(SMALL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_as_it_was_first_said_and_phrases_ascend() {
        let mut draft = PhraseList::default();
        for (phrase, said) in
            [("chef", "head"), ("arzt", "physician"), ("chef", "boss"), ("aerztin", "physician")]
        {
            draft.add(phrase, said, true, phrase != "chef");
        }
        assert_eq!(draft.settle(), 3, "one of them was said twice");
        let (phrase, physician) = draft.at(1);
        assert_eq!((phrase, physician.is_role), ("arzt", true));
        draft.add_as("aerzte", physician);
        draft.add_as("chef", physician);
        let book = draft.finish();
        let said = |phrase: &str| book.get(phrase).map(|english| book.said(english));
        assert!(start_of("aerzte") < start_of("aerztin") && start_of("a") < start_of("aerzte"));
        let all = ["aerzte", "aerztin", "arzt", "chef"];
        let in_english = ["physician", "physician", "physician", "head"];
        assert_eq!(all.map(said), in_english.map(Some));
        assert_eq!(said("che"), None);
        assert_eq!(book.from("").collect::<Vec<_>>(), all);
        assert_eq!(book.from("aerztf").collect::<Vec<_>>(), all[1..]);
        assert_eq!((book.len(), book.phrase(3), book.english(3).is_role), (4, "chef", false));
    }
}
