//! A query's words: folded, stemmed, misspelt ones mended.

use rapidfuzz::distance::osa;

use crate::embed::model::Model;
use crate::graph::index::GraphIndex;
use crate::limits::QUERY_FOLDED_CHARS_MAX;
use crate::model::text::fold;
use crate::search::index::SearchIndex;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues;
use crate::search::sizes;
use crate::search::words::{pair, stem, words};

/// A misspelt word of fewer letters is left as it is: too many words are near.
const LETTERS_MIN: usize = 4;
/// A word of this many letters may have two letters wrong.
const LETTERS_OF_TWO: usize = 8;

/// One word of a query, or two that are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The folded word, as it is searched for.
    pub word: String,
    /// Its stem.
    pub stem: String,
    /// If it was mended: the folded word as the query has it.
    pub written: Option<String>,
    /// Whether it was written in capitals alone.
    pub capitals: bool,
    /// Whether a comma or another end of a clause stands before it.
    pub after_break: bool,
}

/// The words of `query`, spelled as the network and the lexicon spell them; those of its first
/// [`QUERY_FOLDED_CHARS_MAX`] characters once folded.
#[must_use]
pub fn read(index: &GraphIndex, search: &SearchIndex, query: &str) -> Vec<Token> {
    let shouted = !query.chars().any(char::is_lowercase);
    let mut tokens: Vec<Token> = Vec::new();
    let mut left = QUERY_FOLDED_CHARS_MAX;
    for clause in query.split([',', ';', '.', '?', '!', '\n', '(', ')', ':']) {
        let mut first = true;
        for written in clause.split(|character: char| !character.is_alphanumeric() && !is_mark(character)) {
            let folded = fold(written);
            for word in words(&folded) {
                let Some(word) = within(word, &mut left) else { return tokens };
                let after_break = first && !tokens.is_empty();
                first = false;
                if !after_break && join(&mut tokens, word) {
                    continue;
                }
                let capitals = !shouted && written.chars().count() > 1 && written == written.to_uppercase();
                tokens.push(token(index, search, word, capitals, after_break));
            }
        }
    }
    tokens
}

/// `word`, if it has at most `left` characters, which are fewer afterwards; the beginning of the very first word if
/// it alone is longer.
fn within<'a>(word: &'a str, left: &mut usize) -> Option<&'a str> {
    let end = word.char_indices().nth(*left).map_or(word.len(), |(end, _)| end);
    if end < word.len() && *left < QUERY_FOLDED_CHARS_MAX {
        return None;
    }
    *left -= word[..end].chars().count();
    Some(&word[..end])
}

/// Combining marks are part of the word they stand on; folding removes them.
fn is_mark(character: char) -> bool {
    fold(character.encode_utf8(&mut [0; 4])).is_empty() && !character.is_whitespace()
}

/// Makes the last token and `word` one, where they are: "vice president".
fn join(tokens: &mut [Token], word: &str) -> bool {
    let Some(last) = tokens.last_mut() else { return false };
    let Some(one) = pair(&last.word, word) else { return false };
    last.word = format!("{} {word}", last.word);
    last.stem = stem(one);
    true
}

fn token(index: &GraphIndex, search: &SearchIndex, word: &str, capitals: bool, after_break: bool) -> Token {
    let plain = stem(word);
    let mended = if is_known(index, search, word, &plain) { None } else { mend(search, word, &plain) };
    match mended {
        Some(mended) => {
            let written = Some(word.to_owned());
            Token { word: mended.clone(), stem: mended, written, capitals, after_break }
        }
        None => Token { word: word.to_owned(), stem: plain, written: None, capitals, after_break },
    }
}

fn is_known(index: &GraphIndex, search: &SearchIndex, word: &str, stem: &str) -> bool {
    cues::has_word(word)
        || sizes::has_word(word)
        || LEXICON.has_stem(stem)
        || Model::own().knows(word)
        || search.columns().iter().any(|column| column.knows(stem))
        || search.past.names().knows(stem)
        || search.known_names.has_word(index, word)
}

/// The known stem nearest to one that nobody knows: one letter off, or two in a long word.
///
/// Costs a look at every known stem with the same first letter.
fn mend(search: &SearchIndex, word: &str, stem: &str) -> Option<String> {
    let letters = word.chars().count();
    if letters < LETTERS_MIN || !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if letters >= LETTERS_OF_TWO { 2 } else { 1 };
    let (of_stem, of_word) =
        (osa::BatchComparator::new(stem.chars()), osa::BatchComparator::new(word.chars()));
    let initial = stem.get(..1)?;
    // A word that seems a plural may be one letter short instead: "busines".
    let distance = |known: &str| {
        let args = osa::Args::default().score_cutoff(most);
        let of_stem = of_stem.distance_with_args(known.chars(), &args);
        of_word.distance_with_args(known.chars(), &args).into_iter().chain(of_stem).min()
    };
    let of_lexicon = LEXICON.stems_from(initial).filter_map(|known| Some((distance(known)?, 0, known)));
    let of_network = search.columns().into_iter().flat_map(|column| column.known_words_from(initial));
    let of_network = of_network.filter_map(|known| Some((distance(known)?, 1, known)));
    of_lexicon.chain(of_network).min().map(|(_, _, known)| known.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::QUERY_CHARS_MAX;
    use crate::query::tests::tiny;

    /// The longest query that may be sent, made of so many of `part` as fit.
    fn full_of(part: &str) -> String {
        part.chars().cycle().take(QUERY_CHARS_MAX).collect()
    }

    #[test]
    fn every_ordinary_query_is_read_whole_and_of_one_that_unfolds_the_beginning()
    -> Result<(), Box<dyn std::error::Error>> {
        let index = tiny()?;
        let search = SearchIndex::build(&index);
        let read = |query: &str| read(&index, &search, query);
        // Digits keep words from being mended.
        for part in ["x1 ", "recruit3r, ", "각각 ", "각", "Ü1 Ö1 "] {
            let query = full_of(part);
            let written = words(&fold(&query)).map(str::to_owned).collect::<Vec<_>>();
            let tokens = read(&query).into_iter().map(|token| token.word).collect::<Vec<_>>();
            assert_eq!(tokens, written, "{part}");
        }
        // A ligature of four words; one of four letters, which makes one word; and the same after a word.
        for (query, chars) in [
            (full_of("\u{fdfa}"), QUERY_FOLDED_CHARS_MAX - 5..=QUERY_FOLDED_CHARS_MAX),
            (full_of("\u{fdf2}"), QUERY_FOLDED_CHARS_MAX..=QUERY_FOLDED_CHARS_MAX),
            (format!("x1 {}", "\u{fdf2}".repeat(997)), 2..=2),
        ] {
            let all: usize = words(&fold(&query)).map(|word| word.chars().count()).sum();
            assert!(all > QUERY_FOLDED_CHARS_MAX, "it unfolds: {all}");
            let read: usize = read(&query).iter().map(|token| token.word.chars().count()).sum();
            assert!(chars.contains(&read), "{read} characters of {all}");
        }
        Ok(())
    }
}
