//! The vocabulary of wordpieces; splits words into them, always taking the longest wordpiece that fits.

use std::collections::HashMap;

use hashbrown::{DefaultHashBuilder, HashTable};
use serde::Deserialize;
use std::hash::BuildHasher;

use crate::error::ModelError;
use crate::normalize::each_word;
use kith::model::column::TextColumn;

/// The number of padding, which a text may contain literally.
pub const PADDING: u32 = 0;
/// The number for a word with a part that is not a wordpiece.
pub const UNKNOWN: u32 = 1;
/// The names of [`PADDING`] and [`UNKNOWN`], which texts may contain.
const MARKERS: [(&str, u32); 2] = [("[PAD]", PADDING), ("[UNK]", UNKNOWN)];
/// The prefix, in the file, of a wordpiece that continues a word.
const INSIDE: &str = "##";
/// Maximum length of a word, in characters; longer ones are unknown.
const WORD_CHARS_MAX: usize = 100;

/// The wordpieces of a model, in one arena; each look-up costs one hash.
#[derive(Debug)]
pub struct Vocabulary {
    /// The wordpieces by number, without [`INSIDE`].
    wordpieces: TextColumn,
    /// The numbers of the wordpieces that begin a word.
    first: Numbers,
    /// The numbers of the wordpieces that continue a word.
    inside: Numbers,
}

/// Numbers of wordpieces by their text.
#[derive(Debug, Default)]
struct Numbers {
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The length of the longest wordpiece, in bytes.
    bytes_max: usize,
}

/// The part of the tokenizer file that is read.
#[derive(Deserialize)]
struct TokenizerFile {
    added_tokens: Vec<AddedToken>,
    normalizer: Normalizer,
    pre_tokenizer: PreTokenizer,
    model: WordPiece,
}

#[derive(Deserialize)]
struct AddedToken {
    id: u32,
    content: String,
    single_word: bool,
    lstrip: bool,
    rstrip: bool,
    normalized: bool,
}

#[derive(Deserialize)]
struct Normalizer {
    r#type: String,
    clean_text: bool,
    handle_chinese_chars: bool,
    strip_accents: Option<bool>,
    lowercase: bool,
}

#[derive(Deserialize)]
struct PreTokenizer {
    r#type: String,
}

#[derive(Deserialize)]
struct WordPiece {
    r#type: String,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: HashMap<String, u32>,
}

impl Vocabulary {
    /// Parses the vocabulary of the tokenizer file `json`, whose wordpieces are the `rows` of a table.
    ///
    /// # Errors
    /// Returns an error if the file is not a tokenizer file, has other settings than those of [`Self::each_wordpiece`],
    /// or does not number its wordpieces like the rows.
    pub fn parse(json: &[u8], rows: usize) -> Result<Self, ModelError> {
        let file: TokenizerFile = serde_json::from_slice(json).map_err(ModelError::Tokenizer)?;
        file.check_settings()?;
        let names = by_number(&file.model.vocab, rows)?;
        let mut vocabulary =
            Self { wordpieces: TextColumn::default(), first: Numbers::default(), inside: Numbers::default() };
        for (number, name) in (0..).zip(names) {
            let (wordpiece, numbers) = match name.strip_prefix(INSIDE) {
                Some(wordpiece) if !wordpiece.is_empty() => (wordpiece, &mut vocabulary.inside),
                _ => (name, &mut vocabulary.first),
            };
            vocabulary.wordpieces.push(wordpiece).expect("the file is shorter than a column can be");
            numbers.add(&vocabulary.wordpieces, number);
        }
        Ok(vocabulary)
    }

    /// Calls `found` with the number of each wordpiece of `text`, in order, including [`PADDING`] and [`UNKNOWN`],
    /// which have no meaning.
    ///
    /// Costs a look-up for each length tried, at most about twenty per character.
    pub fn each_wordpiece(&self, text: &str, mut found: impl FnMut(u32)) {
        let mut wordpieces = Vec::with_capacity(8);
        let mut rest = text;
        while let Some((before, marker, behind)) = split_at_marker(rest) {
            each_word(before, |word| {
                self.cut(word, &mut wordpieces).iter().for_each(|&wordpiece| found(wordpiece))
            });
            found(marker);
            rest = behind;
        }
        each_word(rest, |word| {
            self.cut(word, &mut wordpieces).iter().for_each(|&wordpiece| found(wordpiece))
        });
    }

    /// The wordpieces that begin a word, in the order of the file. Visits every wordpiece.
    pub fn first_wordpieces(&self) -> impl Iterator<Item = &str> {
        let is_first = |wordpiece: &&str| {
            let longest = self.first.find_longest(&self.wordpieces, wordpiece);
            longest.is_some_and(|(_, length)| length == wordpiece.len())
        };
        self.wordpieces.iter().filter(is_first)
    }

    /// The wordpieces of `word`, or just [`UNKNOWN`].
    fn cut<'a>(&self, word: &str, wordpieces: &'a mut Vec<u32>) -> &'a [u32] {
        wordpieces.clear();
        let mut rest = word;
        while !rest.is_empty() {
            let numbers = if wordpieces.is_empty() { &self.first } else { &self.inside };
            match numbers.find_longest(&self.wordpieces, rest) {
                Some((wordpiece, length)) => {
                    wordpieces.push(wordpiece);
                    rest = &rest[length..];
                }
                None => break,
            }
        }
        if !rest.is_empty() || is_too_long(word) {
            wordpieces.clear();
            wordpieces.push(UNKNOWN);
        }
        wordpieces
    }
}

impl Numbers {
    /// Adds the last of `wordpieces`.
    fn add(&mut self, wordpieces: &TextColumn, number: u32) {
        let (hasher, wordpiece) = (&self.hasher, wordpieces.get(number));
        self.table.insert_unique(hasher.hash_one(wordpiece), number, |&other| {
            hasher.hash_one(wordpieces.get(other))
        });
        self.bytes_max = self.bytes_max.max(wordpiece.len());
    }

    /// The longest wordpiece at the start of `text`: its number and its length in bytes.
    fn find_longest(&self, wordpieces: &TextColumn, text: &str) -> Option<(u32, usize)> {
        (1..=text.len().min(self.bytes_max)).rev().find_map(|length| {
            let wordpiece = text.get(..length)?; // `None` if a character is cut
            let hash = self.hasher.hash_one(wordpiece);
            let number = self.table.find(hash, |&number| wordpieces.get(number) == wordpiece)?;
            Some((*number, length))
        })
    }
}

impl TokenizerFile {
    /// Checks that each setting matches [`Vocabulary::each_wordpiece`].
    fn check_settings(&self) -> Result<(), ModelError> {
        let (normalizer, model) = (&self.normalizer, &self.model);
        // By default, accents are stripped if case is.
        let strips_accents = normalizer.strip_accents.unwrap_or(normalizer.lowercase);
        let markers_as_here = self.added_tokens.len() == MARKERS.len()
            && self.added_tokens.iter().zip(MARKERS).all(|(token, marker)| {
                let plain = !(token.single_word || token.lstrip || token.rstrip || token.normalized);
                plain && (token.content.as_str(), token.id) == marker
            });
        let settings = [
            ("normalizer.type", "BertNormalizer", normalizer.r#type == "BertNormalizer"),
            ("normalizer.clean_text", "true", normalizer.clean_text),
            ("normalizer.handle_chinese_chars", "true", normalizer.handle_chinese_chars),
            ("normalizer.strip_accents", "true", strips_accents),
            ("normalizer.lowercase", "true", normalizer.lowercase),
            ("pre_tokenizer.type", "BertPreTokenizer", self.pre_tokenizer.r#type == "BertPreTokenizer"),
            ("model.type", "WordPiece", model.r#type == "WordPiece"),
            ("model.unk_token", MARKERS[1].0, model.unk_token == MARKERS[1].0),
            ("model.continuing_subword_prefix", INSIDE, model.continuing_subword_prefix == INSIDE),
            ("model.max_input_chars_per_word", "100", model.max_input_chars_per_word == WORD_CHARS_MAX),
            ("added_tokens", "[PAD] and [UNK], plain, 0 and 1", markers_as_here),
        ];
        match settings.into_iter().find(|(.., as_here)| !as_here) {
            Some((name, expected, _)) => Err(ModelError::Setting { name, expected }),
            None => Ok(()),
        }
    }
}

/// Wordpieces by id; the ids must be exactly `0..rows`.
fn by_number(vocab: &HashMap<String, u32>, rows: usize) -> Result<Vec<&str>, ModelError> {
    let mut names = vec![None; rows];
    for (wordpiece, &number) in vocab {
        match names.get_mut(number as usize) {
            Some(place @ None) => *place = Some(wordpiece.as_str()),
            _ => return Err(ModelError::Vocabulary { rows, wordpiece: Some(wordpiece.clone()) }), // beyond, or taken
        }
    }
    names.into_iter().collect::<Option<_>>().ok_or(ModelError::Vocabulary { rows, wordpiece: None })
}

/// The text before the first marker in `text`, the number of the marker, and the text after it.
fn split_at_marker(text: &str) -> Option<(&str, u32, &str)> {
    let starts = text.match_indices('[').map(|(at, _)| at);
    starts.into_iter().find_map(|at| {
        let (name, number) = MARKERS.into_iter().find(|(name, _)| text[at..].starts_with(name))?;
        Some((&text[..at], number, &text[at + name.len()..]))
    })
}

fn is_too_long(word: &str) -> bool {
    word.len() > WORD_CHARS_MAX && word.chars().count() > WORD_CHARS_MAX
}
