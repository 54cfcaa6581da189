//! Splits texts into words in the form that the model's vocabulary uses.
//!
//! This is the basic tokenization of BERT for a vocabulary without case: it drops control characters, makes each Han
//! character a word, strips accents and lowers case; then it splits at white space, and each punctuation mark is a
//! word.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Calls `found` with each word of `text`, in order; none is empty. Costs one pass, a faster one for ASCII, and memory
/// for the longest word.
pub(super) fn each_word(text: &str, found: impl FnMut(&str)) {
    let mut words = Words { word: String::with_capacity(32), found };
    if text.is_ascii() {
        text.chars().filter(|&character| !is_dropped(character)).for_each(|character| words.take(character));
    } else {
        let kept = text.chars().filter(|&character| !is_dropped(character));
        kept.flat_map(apart)
            .nfd()
            .filter(|character| character.general_category() != GeneralCategory::NonspacingMark)
            .flat_map(char::to_lowercase)
            .for_each(|character| words.take(character));
    }
    words.end_word();
}

/// A word under construction, and the function that receives it.
struct Words<F> {
    word: String,
    found: F,
}

impl<F: FnMut(&str)> Words<F> {
    fn take(&mut self, character: char) {
        if character.is_whitespace() {
            self.end_word();
        } else if is_punctuation(character) {
            self.end_word();
            self.word.push(character);
            self.end_word();
        } else {
            self.word.push(character.to_ascii_lowercase()); // other letters are in lower case already
        }
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            (self.found)(&self.word);
            self.word.clear();
        }
    }
}

/// Whether a character is dropped: control, format and private-use characters, and the replacement character.
fn is_dropped(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() && !matches!(character, '\t' | '\n' | '\r');
    }
    use GeneralCategory::{Control, Format, PrivateUse};
    character == '\u{fffd}' || matches!(character.general_category(), Control | Format | PrivateUse)
}

/// The character, with spaces around it if it is a Han character.
fn apart(character: char) -> impl Iterator<Item = char> {
    let space = is_han(character).then_some(' ');
    space.into_iter().chain([character]).chain(space)
}

/// Whether a character is in one of the blocks that the model's tokenizer treats as Chinese.
const fn is_han(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}'
        | '\u{2b920}'..='\u{2ceaf}'
        | '\u{2f800}'..='\u{2fa1f}')
}

fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation();
    }
    character.general_category_group() == GeneralCategoryGroup::Punctuation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn words_are_what_the_vocabulary_knows() {
        for (text, expected) in [
            ("", &[][..]),
            (" \t\r\n\u{3000}\u{a0}", &[]),
            ("VP, R&D", &["vp", ",", "r", "&", "d"]),
            ("co-founder…", &["co", "-", "founder", "…"]),
            ("São  PAULO", &["sao", "paulo"]),
            ("e\u{301}\u{323} İ", &["e", "i"]),
            ("Łódź ẞ ΣΑΣ", &["łodz", "ß", "σασ"]),
            ("東京Tower", &["東", "京", "tower"]),
            ("カタ", &["カタ"]),
            ("re\u{0}d\u{7f} wi\u{200d}ne\u{ad}\u{fffd}\u{e000}", &["red", "wine"]),
            ("a\u{b}b\u{c}c\u{85}d", &["abcd"]), // control characters, though they are white space
            ("a\u{2028}b\u{2003}c", &["a", "b", "c"]),
            ("$5^2", &["$", "5", "^", "2"]),
            ("5€", &["5€"]), // a symbol, no punctuation mark
            ("\u{301}", &[]),
            ("a\u{301}!", &["a", "!"]),
            ("\u{37e}", &[";"]), // the Greek question mark, which is one
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }
}
