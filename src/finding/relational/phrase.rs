//! A phrase for the full-text index, and how well a text fits it.

use crate::limits::{PHRASE_BYTES_MAX, PHRASE_WORDS_MAX};
use crate::relational::error::RelationalError;
use crate::relational::schema::word_count;

/// The position in a list of phrases from which on later phrases weigh the same.
const LATEST_PLACE: u32 = 32;

/// Words that a text must contain, all of them.
#[derive(Debug)]
pub(crate) struct StoredPhrase {
    /// The words as a full-text query.
    pub(crate) query: String,
    /// The number of words, at least 1.
    words: u32,
    /// The place among the phrases, from 0.
    place: u32,
}

impl StoredPhrase {
    /// The phrase of `words`, at position `place` of its look-up; `None` if it has no word to search for.
    ///
    /// # Errors
    /// Returns an error if there are more words, or longer ones, than any search has.
    pub(crate) fn new(words: &[String], place: usize) -> Result<Option<Self>, RelationalError> {
        let bytes: usize = words.iter().map(String::len).sum();
        if words.len() > PHRASE_WORDS_MAX || bytes > PHRASE_BYTES_MAX {
            return Err(RelationalError::PhraseTooLong);
        }
        // A repeated word must be repeated in the text: "Johnson & Johnson" is more than "Johnson".
        let runs = words.chunk_by(|one, other| one == other).map(|run| quoted(&run.join(" ")));
        let query = runs.collect::<Vec<_>>().join(" ");
        let words = words.iter().map(|word| word_count(word)).sum();
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        Ok((!query.is_empty()).then_some(Self { query, words, place }))
    }

    /// How well a text of `text_words` words that contains the phrase fits, in a field with weight `weight`: 1 to
    /// `weight`.
    ///
    /// The full weight if the phrase is the whole text, falling to half the more other words there are; the first
    /// phrase counts in full, each later one a 64th less, down to half.
    pub(crate) fn fit(&self, weight: u8, text_words: u32) -> u8 {
        let text_words = u64::from(text_words.max(1));
        let covered = u64::from(self.words).min(text_words);
        let worth = u64::from(64 - self.place.min(LATEST_PLACE));
        let fit = u64::from(weight) * worth * (text_words + covered) / (64 * 2 * text_words);
        u8::try_from(fit).unwrap_or(weight).max(1)
    }
}

/// `word` as a string of the full-text query language, in which only the quote is special. Other characters than
/// letters and digits are ignored there, as in the texts.
fn quoted(word: &str) -> String {
    // A zero byte would end the query.
    format!("\"{}\"", word.replace('\0', " ").replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(words: &[&str], place: usize) -> Result<Option<StoredPhrase>, RelationalError> {
        StoredPhrase::new(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>(), place)
    }

    #[test]
    fn words_are_quoted_so_that_none_is_an_operator() -> Result<(), RelationalError> {
        for (words, query) in [
            (&["head", "of"][..], "\"head\" \"of\""),
            (&["OR"], "\"OR\""),
            (&["a\"b"], "\"a\"\"b\""),
            (&["\"\""], "\"\"\"\"\"\""),
            (&["a\0b"], "\"a b\""),
            (&["johnson", "johnson", "inc"], "\"johnson johnson\" \"inc\""),
            (&["NEAR(a", "b)", "-x", "col:", "^y*"], "\"NEAR(a\" \"b)\" \"-x\" \"col:\" \"^y*\""),
        ] {
            assert_eq!(phrase(words, 0)?.map(|phrase| phrase.query).as_deref(), Some(query));
        }
        assert!(phrase(&[], 0)?.is_none());
        Ok(())
    }

    #[test]
    fn a_phrase_at_the_bound_is_taken_and_one_past_it_is_not() {
        let many = vec!["a"; PHRASE_WORDS_MAX + 1];
        assert!(phrase(&many[1..], 0).is_ok());
        assert!(matches!(phrase(&many, 0), Err(RelationalError::PhraseTooLong)));
        let long = "a".repeat(PHRASE_BYTES_MAX + 1);
        assert!(phrase(&[&long[1..]], 0).is_ok());
        assert!(matches!(phrase(&[&long], 0), Err(RelationalError::PhraseTooLong)));
    }

    #[test]
    fn the_fit_falls_with_words_beside_the_phrase_and_with_its_place() -> Result<(), RelationalError> {
        for (words, place, weight, text_words, fit) in [
            (&["cfo"][..], 0, 255, 1, 255),
            (&["cfo"], 0, 200, 1, 200),
            (&["cfo"], 0, 255, 2, 191),
            (&["cfo"], 0, 255, 1_000_000, 127),
            (&["head", "of", "sales"], 0, 255, 3, 255),
            (&["head", "of", "sales"], 0, 255, 4, 223),
            (&["head", "head"], 0, 255, 1, 255),
            (&["cfo"], 1, 255, 1, 251),
            (&["cfo"], 32, 255, 1, 127),
            (&["cfo"], 1_000, 255, 1, 127),
            (&["cfo"], usize::MAX, 1, u32::MAX, 1),
            (&["cfo"], 0, 255, 0, 255),
        ] {
            let said = phrase(words, place)?.map(|phrase| phrase.fit(weight, text_words));
            assert_eq!(said, Some(fit), "{words:?} at {place}, {text_words} words, weight {weight}");
        }
        Ok(())
    }
}
