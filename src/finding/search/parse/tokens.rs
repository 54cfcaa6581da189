//! A query's words: folded, stemmed and corrected.
//!
//! Promise: Of a query that unfolds, 3,000 characters are read, and an ordinary one is read whole.
//! Control: folded, those of the test are 3,990 to 18,000 characters long.

use rapidfuzz::distance::osa;

use crate::search::index::SearchIndex;
use crate::search::languages::{KeptWords, LANGUAGES, QueryLanguage, Translated, Translation, translate};
use crate::search::lexicon::{LEXICON, Meaning};
use crate::search::parse::codes::find_code;
use crate::search::parse::cues::{find_cue, has_word};
use crate::search::parse::mend::{MendedFrom, is_known, is_said, mend};
use crate::search::parse::names;
use crate::search::parse::relation::relations;
use crate::search::parse::written::{WrittenWord, written};
use crate::search::sizes::find_size;
use crate::search::words::{pair, plain, plain_words, stem, stems};

/// Maximum words of a cue left untranslated in another language.
const CUE_WORDS_MAX: usize = 4;
/// Minimum length of a misspelt word that shows its language.
const ELSEWHERE_LETTERS_MIN: usize = 8;
/// Maximum words of a company or place left untranslated.
const THING_WORDS_MAX: usize = 5;
/// One word of a query, or two joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The folded word to search for.
    pub word: String,
    /// Its stem.
    pub stem: String,
    /// If it was corrected: the folded word as in the query.
    pub written: Option<String>,
    /// Whether it was all capitals.
    pub capitals: bool,
    /// Whether it begins with a capital letter.
    pub initial: bool,
    /// Whether a comma or another end of a clause comes before it.
    pub after_break: bool,
    /// The length in words of the person's name that begins here; 0 if none does.
    pub name: usize,
    /// Whether its capitalization rules out a meaning: a small letter in German.
    pub is_idle: bool,
    /// The position of its first word among those written.
    pub at: usize,
}

impl Token {
    /// A folded word taken as it is.
    fn plain(word: &str) -> Self {
        let word = word.to_owned();
        Self {
            stem: stem(&word),
            word,
            written: None,
            capitals: false,
            initial: false,
            after_break: false,
            name: 0,
            is_idle: false,
            at: 0,
        }
    }
}

/// The words of `query`, translated to English and spelled like in the network and the lexicon; as many as [`written`]
/// reads.
#[must_use]
pub fn read(search: &SearchIndex, query: &str) -> Vec<Token> {
    read_beside(search, query, &[]).tokens
}

/// The words of a query, and its language.
pub struct TokensRead {
    /// The words, from [`read`].
    pub tokens: Vec<Token>,
    /// The words as typed, folded.
    pub typed: Vec<String>,
    /// The words without a meaning in English.
    pub unsaid: Vec<String>,
    /// The code of the language translated to English, if any.
    pub language: Option<&'static str>,
}

/// Like [`read`]; `beside` are the texts of the numbers read already, whose words show the language too.
#[must_use]
pub fn read_beside(search: &SearchIndex, query: &str, beside: &[&str]) -> TokensRead {
    let mut written = written(query);
    let typed: Vec<String> = written.iter().map(|it| it.word.clone()).collect();
    let names = names::mark(search, &mut written);
    let mut is_named = vec![false; written.len()];
    for (at, &length) in names.iter().enumerate() {
        is_named[at..at + length].fill(true);
    }
    let mut kept = KeptWords {
        is_thing: is_named.clone(),
        cues: cues_in(&written),
        ..KeptWords::nothing(written.len())
    };
    kept.beside = beside.iter().flat_map(|text| plain_words(text)).map(|word| plain(&word)).collect();
    keep_things(search, &written, &mut kept.is_thing);
    keep_neither(&written, &mut kept.is_thing);
    let relations = relations(&written, &is_named);
    for it in &relations {
        kept.is_relation[it.at..it.at + it.length].fill(true);
    }
    let (mut foreign, language) = match said_in_english(search, &mut written, &kept) {
        Some(Translation { said, language }) => (said, Some(language)),
        None => (Vec::new(), None),
    };
    foreign.extend(relations);
    foreign.sort_unstable_by_key(|said| said.at);
    let mut tokens: Vec<Token> = Vec::with_capacity(written.len());
    let reader = Reader {
        search,
        language,
        capitals_tell: written.iter().any(|it| !it.initial),
        nouns_tell: written.iter().skip(1).zip(is_named.iter().skip(1)).any(|(it, is)| it.initial && !is),
    };
    let mut foreign = foreign.into_iter().peekable();
    let (mut at, mut unsaid) = (0, Vec::new());
    while at < written.len() {
        let it = &written[at];
        if let Some(said) = foreign.next_if(|said| said.at == at) {
            reader.take_said(&mut tokens, &said, it, &typed[at]);
            if said.english.is_empty() {
                unsaid.extend_from_slice(&typed[at..at + said.length]);
            }
            at += said.length;
            continue;
        }
        if is_named[at] {
            let WrittenWord { word, initial, after_break, .. } = it.clone();
            let typed = Some(typed[at].clone()).filter(|typed| *typed != word);
            let name = names[at];
            tokens.push(Token { written: typed, initial, after_break, name, at, ..Token::plain(&word) });
        } else if at == 0 || it.after_break || is_named[at - 1] || !join(&mut tokens, &it.word) {
            let is_last = written.get(at + 1).is_none_or(|next| next.after_break);
            tokens.push(reader.token(it, at, is_last && at > 0));
        }
        at += 1;
    }
    TokensRead { tokens, typed, unsaid, language: language.map(|language| language.code) }
}

/// Reads the words of a query in sequence.
struct Reader<'a> {
    search: &'a SearchIndex,
    /// The language of the query, unless it is English.
    language: Option<&'static QueryLanguage>,
    /// Whether capitals carry information: not all words have one.
    capitals_tell: bool,
    /// Whether the nouns of the query have capitals.
    nouns_tell: bool,
}

impl Reader<'_> {
    /// Adds the translation `said`, in the place of `it`, which was typed that way.
    fn take_said(&self, tokens: &mut Vec<Token>, said: &Translated, it: &WrittenWord, typed: &str) {
        let former = said.is_former.then_some("former");
        let english = former.into_iter().chain(said.english.split(' ').filter(|word| !word.is_empty()));
        let mended = Some(typed.to_owned()).filter(|typed| *typed != it.word);
        for (place, word) in english.enumerate() {
            if place > 0 && join(tokens, word) {
                continue;
            }
            tokens.push(Token {
                after_break: place == 0 && it.after_break && !tokens.is_empty(),
                written: mended.clone().filter(|_| place == 0),
                at: said.at,
                ..Token::plain(word)
            });
        }
    }

    /// The token of the word at `at`; `is_last` if nothing follows it in its clause.
    fn token(&self, it: &WrittenWord, at: usize, is_last: bool) -> Token {
        let from = match it.initial && at > 0 && self.capitals_tell {
            true if self.language.is_some_and(|it| !it.has_nouns_in_capitals()) => MendedFrom::OtherName,
            _ if self.language.is_some() => MendedFrom::OtherLanguage,
            true => MendedFrom::Name,
            false => MendedFrom::Word,
        };
        let token = token(self.search, it, from, is_last);
        let is_german = self.language.is_some_and(|language| language.has_nouns_in_capitals());
        let is_idle = is_german
            && self.nouns_tell
            && at > 0
            && !it.initial
            && token.written.is_none()
            && it.word.bytes().all(|byte| !byte.is_ascii_digit())
            && !is_known(self.search, &token.word, &token.stem);
        Token { is_idle: is_idle || it.is_idle, at, ..token }
    }
}

/// Translates the foreign words of `written` to English; `None` if it is English. A misspelt word becomes the nearest
/// one of its language.
fn said_in_english(
    search: &SearchIndex,
    written: &mut [WrittenWord],
    kept: &KeptWords,
) -> Option<Translation> {
    let words: Vec<&str> = written.iter().map(|it| it.word.as_str()).collect();
    let Translation { language, said } =
        translate(&words, kept).or_else(|| misspelt_elsewhere(search, &words, kept))?;
    let kept_words = kept.is_thing.iter().zip(&kept.is_relation);
    let mut is_free: Vec<bool> =
        kept_words.map(|(is_thing, is_relation)| !is_thing && !is_relation).collect();
    for (at, &length) in kept.cues.iter().enumerate() {
        is_free[at..at + length].fill(false);
    }
    for it in &said {
        is_free[it.at..it.at + it.length].fill(false);
    }
    let mended = words.iter().zip(is_free).map(|(word, is_free)| {
        let is_misspelt = is_free && !is_known(search, word, &stem(word));
        language.mend(word).filter(|_| is_misspelt)
    });
    let mended: Vec<Option<&str>> = mended.collect();
    if mended.iter().all(Option::is_none) {
        return Some(Translation { language, said });
    }
    for (it, mended) in written.iter_mut().zip(mended) {
        if let Some(mended) = mended {
            mended.clone_into(&mut it.word);
        }
    }
    let words: Vec<&str> = written.iter().map(|it| it.word.as_str()).collect();
    Some(Translation { language, said: language.translate(&words, kept) })
}

/// The translation of words of which one is near to a long word of a language and to none in English: "boekhowders".
fn misspelt_elsewhere(search: &SearchIndex, words: &[&str], kept: &KeptWords) -> Option<Translation> {
    let is_new = |&(at, word): &(usize, &&str)| {
        let stem = stem(word);
        let is_free = !kept.is_thing[at] && !kept.is_relation[at] && word.len() >= ELSEWHERE_LETTERS_MIN;
        is_free && !is_known(search, word, &stem) && mend(search, word, &stem, MendedFrom::Word).is_none()
    };
    let new: Vec<&str> = words.iter().enumerate().filter(is_new).map(|(_, word)| *word).collect();
    let is_near = |near: &str, word: &str| osa::distance(near.chars(), plain(word).chars()) == 1;
    let shows =
        |it: &&QueryLanguage| new.iter().any(|word| it.mend(word).is_some_and(|near| is_near(near, word)));
    let language = LANGUAGES.iter().find(shows)?;
    Some(Translation { language, said: language.translate(words, kept) })
}

/// For each word, the length of the cue or size that begins there, in any language; 0 for most.
fn cues_in(words: &[WrittenWord]) -> Vec<usize> {
    let mut lengths = vec![0; words.len()];
    let mut at = 0;
    while at < words.len() {
        let most = CUE_WORDS_MAX.min(words.len() - at);
        let length = (2..=most).rev().find(|&length| {
            let phrase = text(&words[at..at + length]);
            find_cue(&phrase).is_some() || find_size(&phrase).is_some()
        });
        lengths[at] = length.unwrap_or(0);
        at += length.unwrap_or(1);
    }
    lengths
}

/// Marks the second word of "weder Berater noch Anwälte", which has another meaning elsewhere.
fn keep_neither(words: &[WrittenWord], is_kept: &mut [bool]) {
    if let Some(weder) = words.iter().position(|it| it.word == "weder") {
        let later = words.iter().zip(is_kept).skip(weder);
        later.filter(|(it, _)| it.word == "noch").for_each(|(_, is_kept)| *is_kept = true);
    }
}

/// Marks words that together are a company or a place: "Fjord Assurance Labs" is not insurance, "Nueva York" is not
/// new.
fn keep_things(search: &SearchIndex, words: &[WrittenWord], is_kept: &mut [bool]) {
    let mut at = 0;
    while at < words.len() {
        let run = words[at + 1..].iter().take_while(|it| !it.after_break).count() + 1;
        let length = (2..=THING_WORDS_MAX.min(run)).rev().find(|&length| {
            let all = &words[at..at + length];
            let is_own = |it: &WrittenWord| !has_word(&it.word) && !LEXICON.has_stem(&stem(&it.word));
            let stems = stems(&text(all));
            let is_place = |meaning: &Meaning| matches!(meaning, Meaning::Place(_));
            LEXICON.meanings(&stems).iter().any(is_place)
                || (all.iter().all(|it| it.initial) || all.iter().any(is_own))
                    && (search.is_company(&stems) || search.is_place(&stems))
        });
        is_kept[at..at + length.unwrap_or(0)].fill(true);
        at += length.unwrap_or(1);
    }
}

/// The words joined by spaces.
fn text(words: &[WrittenWord]) -> String {
    words.iter().map(|it| it.word.as_str()).collect::<Vec<_>>().join(" ")
}

/// Joins the last token and `word` if they are one: "vice president".
fn join(tokens: &mut [Token], word: &str) -> bool {
    let Some(last) = tokens.last_mut() else { return false };
    let Some(one) = pair(&last.word, word) else { return false };
    last.word = format!("{} {word}", last.word);
    last.stem = stem(one);
    true
}

/// `from` limits the correction of the word; `is_last` if nothing follows it in its clause: "banks nl".
fn token(search: &SearchIndex, written: &WrittenWord, from: MendedFrom, is_last: bool) -> Token {
    let WrittenWord { word, initial, capitals, after_break, .. } = written.clone();
    let known = Token { initial, capitals, after_break, ..Token::plain(&word) };
    let is_alone = || is_last && !from.is_other() && !is_said(search, &word, &known.stem);
    let code = find_code(&word).filter(|code| capitals || code.is_country && is_alone());
    if let Some(code) = code.filter(|_| !search.is_company(std::slice::from_ref(&known.stem))) {
        return Token { written: Some(word), initial, after_break, ..Token::plain(code.place) };
    }
    let mended =
        if is_known(search, &word, &known.stem) { None } else { mend(search, &word, &known.stem, from) };
    match mended {
        Some(mended) => Token { word: mended.clone(), stem: mended, written: Some(word), ..known },
        None => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{QUERY_CHARS_MAX, QUERY_FOLDED_CHARS_MAX};
    use crate::model::text::fold;
    use crate::search::words::words;
    use kith::sketch::tiny;

    /// The longest allowed query of repeated `part`.
    fn full_of(part: &str) -> String {
        part.chars().cycle().take(QUERY_CHARS_MAX).collect()
    }

    #[test]
    fn words_that_neither_network_nor_lexicon_has_are_mended_to_english_ones()
    -> Result<(), Box<dyn std::error::Error>> {
        let index = tiny()?;
        let search = SearchIndex::build(&index);
        for (typed, expected) in [
            ("umbrela", "umbrella"),
            ("mosqiuto", "mosquito"),
            ("umbrella", "umbrella"),
            // An equally near word of the lexicon takes precedence; too short, and too far.
            ("acountant", "accountant"),
            ("mzq", "mzq"),
            ("mzqvtr", "mzqvtr"),
        ] {
            let tokens = read(&search, typed);
            assert_eq!(tokens.iter().map(|token| token.stem.as_str()).collect::<Vec<_>>(), [expected]);
            let mended = tokens[0].written.as_deref();
            assert_eq!(mended, (typed != expected).then_some(typed));
        }
        Ok(())
    }

    #[test]
    fn every_ordinary_query_is_read_whole_and_of_one_that_unfolds_the_beginning()
    -> Result<(), Box<dyn std::error::Error>> {
        let index = tiny()?;
        let search = SearchIndex::build(&index);
        let read = |query: &str| read(&search, query);
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

    #[test]
    fn words_that_say_nothing_in_english_are_given_back() -> Result<(), Box<dyn std::error::Error>> {
        let index = tiny()?;
        let search = SearchIndex::build(&index);
        for (query, unsaid) in [
            ("ich brauche Ingenieure in Oslo", &["ich", "brauche"][..]),
            ("gerne Ingenieure in Bern", &["gerne"]),
            // The control: English words are tokens themselves.
            ("I would like engineers in Oslo", &[]),
        ] {
            assert_eq!(read_beside(&search, query, &[]).unsaid, unsaid, "{query}");
        }
        Ok(())
    }
}
