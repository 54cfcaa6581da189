//! The phrases of a language, and what they are in English. German alone has more than a hundred thousand: they lie back to
//! back, and each distinct text in English is there once.

use hashbrown::HashMap;

use crate::model::column::TextColumn;

/// Phrases, ascending by their bytes; each has a number, from 0 on.
#[derive(Debug, Default)]
pub(super) struct PhraseBook {
    phrases: TextColumn,
    /// One for each phrase.
    english: Vec<English>,
    said: TextColumn,
}

/// What a phrase is in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct English {
    /// Which of the texts in English.
    said: u32,
    /// Whether the phrase shows the language: English and names do not have it.
    pub(super) shows: bool,
    /// Whether it is a title, or work, that English does not have.
    pub(super) is_role: bool,
}

impl PhraseBook {
    /// The number of phrases.
    pub(super) fn len(&self) -> u32 {
        self.english.len() as u32
    }

    /// The phrase of this number.
    pub(super) fn phrase(&self, number: u32) -> &str {
        self.phrases.get(number)
    }

    /// What the phrase of this number is in English.
    pub(super) fn english(&self, number: u32) -> English {
        self.english[number as usize]
    }

    /// What `phrase` is in English; `None` if it is none of these phrases. Costs a binary search.
    pub(super) fn get(&self, phrase: &str) -> Option<English> {
        self.phrases.find_sorted(phrase).map(|number| self.english(number))
    }

    /// The text of `english`, in English.
    pub(super) fn said(&self, english: English) -> &str {
        self.said.get(english.said)
    }

    /// The phrases that are not before `start`, ascending.
    pub(super) fn from(&self, start: &str) -> impl Iterator<Item = &str> {
        (self.phrases.lower_bound(start)..self.len()).map(|number| self.phrase(number))
    }
}

/// Why no column is full.
const SMALL: &str = "a file of words is shorter than 4 GiB";

/// A phrase that was added.
struct Entry {
    /// Its first 16 bytes, which mostly say how two phrases stand in order.
    start: u128,
    /// Its row.
    row: u32,
    english: English,
}

/// The first 16 bytes of `phrase` as a number: of two phrases the one with the lower number stands first.
fn start_of(phrase: &str) -> u128 {
    let mut start = [0; 16];
    let length = phrase.len().min(start.len());
    start[..length].copy_from_slice(&phrase.as_bytes()[..length]);
    u128::from_be_bytes(start)
}

/// A phrase book while it is written. Phrases lie back to back here too: a hundred thousand strings that are freed
/// together leave holes between what stays, which the allocator cannot give back.
#[derive(Default)]
pub(super) struct PhraseList {
    /// As they were added.
    phrases: TextColumn,
    entries: Vec<Entry>,
    /// Each text in English, by which it is.
    said: HashMap<String, u32>,
}

impl PhraseList {
    /// Adds that `phrase` is `said` in English, unless it was said otherwise before.
    pub(super) fn add(&mut self, phrase: &str, said: &str, shows: bool, is_role: bool) {
        let next = self.said.len() as u32;
        let said = self.said.get(said).copied().unwrap_or_else(|| {
            self.said.insert(said.to_owned(), next);
            next
        });
        self.add_as(phrase, English { said, shows, is_role });
    }

    /// Adds that `phrase` is the same in English as another one, unless it was said otherwise before.
    pub(super) fn add_as(&mut self, phrase: &str, english: English) {
        self.entries.push(Entry { start: start_of(phrase), row: self.phrases.len() as u32, english });
        self.phrases.push(phrase).expect(SMALL);
    }

    /// Puts the phrases in order and leaves what was said first of each. Costs a sort. Returns how many there are.
    pub(super) fn settle(&mut self) -> usize {
        let Self { phrases, entries, .. } = self;
        // A stable sort: what was said first stays first.
        let order = |one: &Entry, other: &Entry| {
            one.start.cmp(&other.start).then_with(|| phrases.get(one.row).cmp(phrases.get(other.row)))
        };
        entries.sort_by(order);
        entries.dedup_by(|later, first| order(later, first).is_eq());
        entries.len()
    }

    /// The phrase at `place`, and what it is in English.
    pub(super) fn at(&self, place: usize) -> (&str, English) {
        let Entry { row, english, .. } = self.entries[place];
        (self.phrases.get(row), english)
    }

    /// The book.
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
