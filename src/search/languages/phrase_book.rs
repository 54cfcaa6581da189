//! The phrases of a language, and what they are in English. German alone has more than a hundred thousand: they lie back to
//! back, and each distinct text in English is there once.

use std::collections::{BTreeMap, HashMap};

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

/// A phrase book while it is written.
#[derive(Default)]
pub(super) struct Draft {
    phrases: BTreeMap<String, English>,
    /// Each text in English, by which it is.
    said: HashMap<String, u32>,
}

impl Draft {
    /// Adds that `phrase` is `said` in English, unless it is said otherwise already.
    pub(super) fn add(&mut self, phrase: String, said: &str, shows: bool, is_role: bool) {
        let next = self.said.len() as u32;
        let said = self.said.get(said).copied().unwrap_or_else(|| {
            self.said.insert(said.to_owned(), next);
            next
        });
        self.add_as(phrase, English { said, shows, is_role });
    }

    /// Adds that `phrase` is the same in English as another one, unless it is said otherwise already.
    pub(super) fn add_as(&mut self, phrase: String, english: English) {
        self.phrases.entry(phrase).or_insert(english);
    }

    /// The roles, ascending, each with what it is in English.
    pub(super) fn roles(&self) -> impl Iterator<Item = (&str, English)> {
        let roles = self.phrases.iter().filter(|(_, english)| english.is_role);
        roles.map(|(phrase, &english)| (phrase.as_str(), english))
    }

    /// The book.
    pub(super) fn finish(self) -> PhraseBook {
        const SMALL: &str = "a file of words is shorter than 4 GiB";
        let mut said = vec![""; self.said.len()];
        self.said.iter().for_each(|(text, &at)| said[at as usize] = text);
        PhraseBook {
            phrases: TextColumn::from_texts(self.phrases.keys().map(String::as_str)).expect(SMALL),
            english: self.phrases.values().copied().collect(),
            said: TextColumn::from_texts(said).expect(SMALL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_as_it_was_first_said_and_phrases_ascend() {
        let mut draft = Draft::default();
        for (phrase, said) in
            [("chef", "head"), ("arzt", "physician"), ("chef", "boss"), ("aerztin", "physician")]
        {
            draft.add(phrase.to_owned(), said, true, phrase != "chef");
        }
        let physician = draft.roles().find(|(phrase, _)| *phrase == "arzt").unwrap().1;
        draft.add_as("aerzte".to_owned(), physician);
        draft.add_as("chef".to_owned(), physician);
        assert_eq!(
            draft.roles().map(|(phrase, _)| phrase).collect::<Vec<_>>(),
            ["aerzte", "aerztin", "arzt"]
        );
        let book = draft.finish();
        let said = |phrase: &str| book.get(phrase).map(|english| book.said(english));
        let all = ["aerzte", "aerztin", "arzt", "chef"];
        let in_english = ["physician", "physician", "physician", "head"];
        assert_eq!(all.map(said), in_english.map(Some));
        assert_eq!(said("che"), None);
        assert_eq!(book.from("").collect::<Vec<_>>(), all);
        assert_eq!(book.from("aerztf").collect::<Vec<_>>(), all[1..]);
        assert_eq!((book.len(), book.phrase(3), book.english(3).is_role), (4, "chef", false));
    }
}
