//! The words of a query as written, before they get a meaning.

use crate::limits::QUERY_FOLDED_CHARS_MAX;
use crate::model::text::fold;
use crate::search::words::words;

/// Abbreviations whose full stop ends nothing.
const TITLES: [&str; 16] = [
    "jr", "sr", "dr", "mr", "mrs", "ms", "st", "prof", "inc", "ltd", "co", "corp", "vs", "dipl", "ing", "ir",
];

/// Signs before a word, and their meaning.
const SIGNS: [(&str, &str); 3] = [("@", "at"), ("w/o", "without"), ("w/", "with")];

/// One word of a query as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenWord {
    /// The folded word.
    pub word: String,
    /// Whether it begins with a capital letter.
    pub initial: bool,
    /// Whether it is all capitals, in a query that is not.
    pub capitals: bool,
    /// Whether a comma or another end of a clause comes before it.
    pub after_break: bool,
    /// Whether it has no meaning: a title before a name.
    pub is_idle: bool,
}

/// The words of `query` as written, up to its first [`QUERY_FOLDED_CHARS_MAX`] characters once folded.
#[must_use]
pub fn written(query: &str) -> Vec<WrittenWord> {
    let query = &spelled_out(&in_one_form(query));
    let shouted = !query.chars().any(char::is_lowercase);
    let mut words_written: Vec<WrittenWord> = Vec::new();
    let mut left = QUERY_FOLDED_CHARS_MAX;
    for clause in clauses(query) {
        let mut first = true;
        for written in clause.split(|character: char| !character.is_alphanumeric() && !is_mark(character)) {
            let folded = fold(written);
            for word in words(&folded) {
                let Some(word) = within(word, &mut left) else { return words_written };
                let after_break = first && !words_written.is_empty();
                first = false;
                let capitals = !shouted && written.chars().count() > 1 && written == written.to_uppercase();
                let initial = written.chars().next().is_some_and(char::is_uppercase);
                let word = word.to_owned();
                words_written.push(WrittenWord { word, initial, capitals, after_break, is_idle: false });
            }
        }
    }
    words_written
}

/// Endings that say that women and men are meant, and what one form has in their place.
const OF_BOTH: [(&str, &str); 20] = [
    (":innen", ""),
    ("*innen", ""),
    ("_innen", ""),
    ("/innen", ""),
    ("/-innen", ""),
    ("(innen)", ""),
    (":in", ""),
    ("*in", ""),
    ("/in", ""),
    ("/-in", ""),
    ("(in)", ""),
    ("·e·s", "s"),
    ("·es", "s"),
    ("·e", ""),
    ("(e)s", "s"),
    ("(e)", ""),
    ("@s", "os"),
    ("@", "o"),
    ("rxs", "res"),
    ("xs", "os"),
];
/// Shorter words have no such ending.
const OF_BOTH_LETTERS_MIN: usize = 6;

/// `query` with each word that names women and men in one form: "Entwickler:innen", "científic@s".
fn in_one_form(query: &str) -> String {
    let one = |word: &str| {
        let bare =
            word.trim_end_matches(|it: char| it.is_whitespace() || [',', '.', '?', '!', ';'].contains(&it));
        let found = OF_BOTH.iter().find_map(|(ending, form)| Some((bare.strip_suffix(ending)?, form)));
        found
            .filter(|(stem, _)| stem.chars().filter(|it| it.is_alphabetic()).count() >= OF_BOTH_LETTERS_MIN)
            .map_or_else(|| word.to_owned(), |(stem, form)| format!("{stem}{form}{}", &word[bare.len()..]))
    };
    query.split_inclusive(char::is_whitespace).map(one).collect()
}

/// `query` with signs replaced by words: "PMs @ AWS", "execs w/ Acme", "engineers -sales", "HR + talent".
fn spelled_out(query: &str) -> String {
    let is_said = |text: &&str| text.trim_start_matches('"').starts_with(char::is_alphabetic);
    let mut words = query.split_inclusive(char::is_whitespace).peekable();
    let spell = |word: &str, next: Option<&&str>| {
        if let Some(left_out) = word.strip_prefix('-').filter(is_said) {
            return format!("not {left_out}");
        }
        // "Gossamer & Copper" is one name.
        let is_joint = |next: &&str| !next.starts_with(char::is_uppercase);
        if word.trim_end() == "+" || word.trim_end() == "&" && next.is_some_and(is_joint) {
            return "and ".to_owned();
        }
        let sign = SIGNS.iter().find_map(|(sign, said)| Some((said, word.strip_prefix(sign)?)));
        sign.map_or_else(|| word.to_owned(), |(said, rest)| format!("{said} {rest}"))
    };
    let mut said = String::with_capacity(query.len());
    while let Some(word) = words.next() {
        said.push_str(&spell(word, words.peek()));
    }
    said
}

/// The clauses of `query`. A full stop ends one only before white space, and not after an initial or a title: the name
/// `J. R. Smith, Jr.` has one comma.
fn clauses(query: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(query);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.char_indices().find(|&(at, character)| match character {
            '.' => is_full_stop(&text[..at], &text[at + 1..]),
            _ => [',', ';', '?', '!', '\n', '(', ')', ':'].contains(&character),
        });
        rest = end.map(|(at, character)| &text[at + character.len_utf8()..]);
        Some(end.map_or(text, |(at, _)| &text[..at]))
    })
}

fn is_full_stop(before: &str, after: &str) -> bool {
    let start = before.char_indices().rev().find(|(_, it)| !it.is_alphanumeric());
    let word = &before[start.map_or(0, |(at, it)| at + it.len_utf8())..];
    let is_short = word.chars().count() < 2 || TITLES.contains(&word.to_lowercase().as_str());
    after.chars().next().is_none_or(char::is_whitespace) && !is_short
}

/// `word`, if it has at most `left` characters, which it takes off; the start of the very first word if that alone is
/// longer.
fn within<'a>(word: &'a str, left: &mut usize) -> Option<&'a str> {
    let end = word.char_indices().nth(*left).map_or(word.len(), |(end, _)| end);
    if end < word.len() && *left < QUERY_FOLDED_CHARS_MAX {
        return None;
    }
    *left -= word[..end].chars().count();
    Some(&word[..end])
}

/// Combining marks belong to the word they are on; folding removes them.
fn is_mark(character: char) -> bool {
    fold(character.encode_utf8(&mut [0; 4])).is_empty() && !character.is_whitespace()
}
