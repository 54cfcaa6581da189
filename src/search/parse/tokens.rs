//! A query's words: folded, stemmed, misspelt ones mended.

use crate::search::index::SearchIndex;
use crate::search::languages::{Translated, Translation, translate};
use crate::search::lexicon::{LEXICON, Meaning};
use crate::search::parse::cues::{find_cue, has_word};
use crate::search::parse::mend::{MendedFrom, is_known, is_said, mend};
use crate::search::parse::names;
use crate::search::parse::written::{WrittenWord, written};
use crate::search::sizes::find_size;
use crate::search::words::{pair, stem, stems};

/// The most words of a cue that is left as it is among words of another language.
const CUE_WORDS_MAX: usize = 4;
/// The most words of a company or a place that is left as it is among them.
const THING_WORDS_MAX: usize = 5;
/// Codes of countries that people write in capitals among small letters, and one word for each.
const CODES: [(&str, &str); 38] = [
    ("de", "germany"),
    ("fr", "france"),
    ("es", "spain"),
    ("pt", "portugal"),
    ("nl", "netherlands"),
    ("be", "belgium"),
    ("ch", "switzerland"),
    ("ie", "ireland"),
    ("gb", "britain"),
    ("se", "sweden"),
    ("dk", "denmark"),
    ("fi", "finland"),
    ("ee", "estonia"),
    ("lt", "lithuania"),
    ("lv", "latvia"),
    ("pl", "poland"),
    ("cz", "czechia"),
    ("sk", "slovakia"),
    ("hu", "hungary"),
    ("ro", "romania"),
    ("bg", "bulgaria"),
    ("gr", "greece"),
    ("rs", "serbia"),
    ("ua", "ukraine"),
    ("tr", "turkiye"),
    ("ae", "emirates"),
    ("jo", "jordan"),
    ("kz", "kazakhstan"),
    ("cn", "china"),
    ("jp", "japan"),
    ("kr", "korea"),
    ("sg", "singapore"),
    ("vn", "vietnam"),
    ("au", "australia"),
    ("nz", "nzl"),
    ("br", "brazil"),
    ("mx", "mexico"),
    ("ke", "kenya"),
];
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
    /// Whether it begins with a capital letter.
    pub initial: bool,
    /// Whether a comma or another end of a clause stands before it.
    pub after_break: bool,
    /// How many words from it on are a person's name; 0 if no name begins here.
    pub name: usize,
}

impl Token {
    /// A folded word that is taken as it is.
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
        }
    }
}

/// The words of `query`, said in English and spelled as the network and the lexicon spell them; as many as
/// [`written`] reads.
#[must_use]
pub fn read(search: &SearchIndex, query: &str) -> Vec<Token> {
    let mut written = written(query);
    let typed: Vec<String> = written.iter().map(|it| it.word.clone()).collect();
    let names = names::mark(search, &mut written);
    let mut is_named = vec![false; written.len()];
    for (at, &length) in names.iter().enumerate() {
        is_named[at..at + length].fill(true);
    }
    let mut is_kept = is_named.clone();
    keep_cues(&written, &mut is_kept);
    keep_things(search, &written, &mut is_kept);
    let (foreign, is_foreign) = match said_in_english(search, &mut written, &is_kept) {
        Some(said) => (said, true),
        None => (Vec::new(), false),
    };
    let capitals_tell = written.iter().any(|it| !it.initial);
    let mut foreign = foreign.into_iter().peekable();
    let mut tokens: Vec<Token> = Vec::with_capacity(written.len());
    let mut at = 0;
    while at < written.len() {
        let it = &written[at];
        if let Some(said) = foreign.next_if(|said| said.at == at) {
            let former = said.is_former.then_some("former");
            let english = former.into_iter().chain(said.english.split(' ').filter(|word| !word.is_empty()));
            let mended = Some(typed[at].clone()).filter(|typed| *typed != it.word);
            tokens.extend(english.enumerate().map(|(place, word)| Token {
                after_break: place == 0 && it.after_break && at > 0,
                written: mended.clone().filter(|_| place == 0),
                ..Token::plain(word)
            }));
            at += said.length;
            continue;
        }
        if is_named[at] {
            let WrittenWord { word, initial, after_break, .. } = it.clone();
            let typed = Some(typed[at].clone()).filter(|typed| *typed != word);
            tokens.push(Token {
                written: typed,
                initial,
                after_break,
                name: names[at],
                ..Token::plain(&word)
            });
        } else if at == 0 || it.after_break || is_named[at - 1] || !join(&mut tokens, &it.word) {
            let is_last = written.get(at + 1).is_none_or(|next| next.after_break);
            let from = match it.initial && at > 0 && capitals_tell {
                _ if is_foreign => MendedFrom::OtherLanguage,
                true => MendedFrom::Name,
                false => MendedFrom::Word,
            };
            tokens.push(token(search, it, from, is_last && at > 0));
        }
        at += 1;
    }
    tokens
}

/// What of `written` other languages say in English; `None` if it is in English. A misspelt word becomes the one of its
/// language that is nearest.
fn said_in_english(
    search: &SearchIndex,
    written: &mut [WrittenWord],
    is_kept: &[bool],
) -> Option<Vec<Translated>> {
    let words: Vec<&str> = written.iter().map(|it| it.word.as_str()).collect();
    let Translation { language, said } = translate(&words, |at| is_kept[at])?;
    let mut is_free: Vec<bool> = is_kept.iter().map(|is_kept| !is_kept).collect();
    for it in &said {
        is_free[it.at..it.at + it.length].fill(false);
    }
    let mended = words.iter().zip(is_free).map(|(word, is_free)| {
        let is_misspelt = is_free && !is_known(search, word, &stem(word));
        language.mend(word).filter(|_| is_misspelt)
    });
    let mended: Vec<Option<&str>> = mended.collect();
    if mended.iter().all(Option::is_none) {
        return Some(said);
    }
    for (it, mended) in written.iter_mut().zip(mended) {
        if let Some(mended) = mended {
            mended.clone_into(&mut it.word);
        }
    }
    let words: Vec<&str> = written.iter().map(|it| it.word.as_str()).collect();
    Some(language.translate(&words, |at| is_kept[at]))
}

/// Marks the words of which several are a cue or a size together, in whatever language.
fn keep_cues(words: &[WrittenWord], is_kept: &mut [bool]) {
    let mut at = 0;
    while at < words.len() {
        let most = CUE_WORDS_MAX.min(words.len() - at);
        let length = (2..=most).rev().find(|&length| {
            let phrase = text(&words[at..at + length]);
            find_cue(&phrase).is_some() || find_size(&phrase).is_some()
        });
        is_kept[at..at + length.unwrap_or(0)].fill(true);
        at += length.unwrap_or(1);
    }
    // "weder Berater noch Anwälte"
    if let Some(weder) = words.iter().position(|it| it.word == "weder") {
        let later = words.iter().zip(is_kept).skip(weder);
        later.filter(|(it, _)| it.word == "noch").for_each(|(_, is_kept)| *is_kept = true);
    }
}

/// Marks the words of which several are a company or a place together: "Fjord Assurance Labs" is not insurance, "Nueva
/// York" is not new.
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

/// Makes one of the last token and `word` if they are one: "vice president".
fn join(tokens: &mut [Token], word: &str) -> bool {
    let Some(last) = tokens.last_mut() else { return false };
    let Some(one) = pair(&last.word, word) else { return false };
    last.word = format!("{} {word}", last.word);
    last.stem = stem(one);
    true
}

/// `from` says what the word may be mended to, `is_last` that nothing stands behind the word in its clause: "banks nl".
fn token(search: &SearchIndex, written: &WrittenWord, from: MendedFrom, is_last: bool) -> Token {
    let WrittenWord { word, initial, capitals, after_break } = written.clone();
    let known = Token { initial, capitals, after_break, ..Token::plain(&word) };
    let may_be_code =
        capitals || is_last && from != MendedFrom::OtherLanguage && !is_said(search, &word, &known.stem);
    let code = CODES.iter().find(|(code, _)| may_be_code && *code == word);
    if let Some((_, country)) = code.filter(|_| !search.is_company(std::slice::from_ref(&known.stem))) {
        return Token { written: Some(word), initial, after_break, ..Token::plain(country) };
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
    use crate::query::tests::tiny;
    use crate::search::words::words;

    /// The longest query that may be sent, made of so many of `part` as fit.
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
            // A word of the lexicon as near is meant before; too short, and too far.
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
}
