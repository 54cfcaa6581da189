//! The words of a text as searches compare them: folded, singular, abbreviations written out.
//!
//! Only the plural is removed. A stronger stemmer would equate "developer" and "development", and a search for coders
//! would list business development.

use crate::model::text::fold;

/// Abbreviations in titles, and their long forms, on both sides of every comparison.
const SHORT: [(&str, &str); 9] = [
    ("sr", "senior"),
    ("acct", "account"),
    ("jr", "junior"),
    ("dir", "director"),
    ("mgr", "manager"),
    ("vps", "vp"),
    ("exec", "executive"),
    ("execs", "executive"),
    ("asst", "assistant"),
];
/// Pairs of words that count as one, and the joined word.
const PAIRS: [((&str, &str), &str); 6] = [
    (("vice", "president"), "vp"),
    (("vice", "presidents"), "vp"),
    (("co", "founder"), "cofounder"),
    (("co", "founders"), "cofounder"),
    (("start", "up"), "startup"),
    (("start", "ups"), "startup"),
];

/// Stems of small words within names.
pub const SMALL_WORDS: [&str; 7] = ["of", "on", "the", "and", "for", "in", "a"];

/// The plain words of a folded text: runs of letters and digits.
pub fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The plain words of `text`, folded.
#[must_use]
pub fn plain_words(text: &str) -> Vec<String> {
    words(&fold(text)).map(str::to_owned).collect()
}

/// A folded word in the singular: "recruiters" becomes "recruiter".
#[must_use]
pub fn stem(word: &str) -> String {
    let long = SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long);
    if !long.ends_with('s') {
        return long.to_owned();
    }
    if let Some(root) = long.strip_suffix("ies").filter(|root| root.len() > 2) {
        return format!("{root}y");
    }
    let sibilant = ["sses", "xes", "zes", "ches", "shes"].iter().any(|end| long.ends_with(end));
    let length = match long {
        _ if sibilant => long.len() - 2,
        _ if long.len() > 3 && !["ss", "us", "is"].iter().any(|end| long.ends_with(end)) => long.len() - 1,
        _ => long.len(),
    };
    long[..length].to_owned()
}

/// The words of `text` as searches compare them, in order.
#[must_use]
pub fn stems(text: &str) -> Vec<String> {
    each_stem(&fold(text)).collect()
}

/// The [`stems`] of a folded text; pairs of words that count as one are joined. A lazy iterator that reads at most one
/// word ahead.
pub fn each_stem(folded: &str) -> impl Iterator<Item = String> {
    let mut words = words(folded).peekable();
    std::iter::from_fn(move || {
        let first = words.next()?;
        let pair = words.peek().and_then(|second| pair(first, second));
        Some(match pair {
            Some(both) => {
                words.next();
                stem(both)
            }
            None => stem(first),
        })
    })
}

/// The two words that `stem` joins, or `stem` itself.
#[must_use]
pub fn apart(stem: &str) -> Vec<String> {
    match PAIRS.iter().find(|(_, word)| *word == stem) {
        Some(&((one, other), _)) => vec![one.to_owned(), other.to_owned()],
        None => vec![stem.to_owned()],
    }
}

/// Returns the word that joins two, if any.
#[must_use]
pub fn pair(first: &str, second: &str) -> Option<&'static str> {
    PAIRS.iter().find(|((one, other), _)| *one == first && *other == second).map(|&(_, word)| word)
}

/// Words after a name that are mostly abbreviated.
const BY_BIRTH: [(&str, &str); 2] = [("junior", "jr"), ("senior", "sr")];
/// Letters without a base letter, and how people type them.
const TYPED: [(char, &str); 16] = [
    ('ł', "l"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ı', "i"),
    ('ħ', "h"),
    ('ŋ', "n"),
    ('ŧ', "t"),
    ('ĸ', "k"),
    ('ə', "e"),
    ('ƒ', "f"),
    ('ɓ', "b"),
];

/// A folded text in letters as people type them: `łukasz` is `lukasz`.
#[must_use]
pub fn plain(folded: &str) -> String {
    let mut plain = String::with_capacity(folded.len());
    for character in folded.chars() {
        match TYPED.iter().find(|&&(letter, _)| letter == character).filter(|_| !character.is_ascii()) {
            Some((_, typed)) => plain.push_str(typed),
            None => plain.push(character),
        }
    }
    plain
}

/// The parts of a folded word of a name between hyphens and the like: `onyango` and `ng'ang'a`.
pub fn hyphened(word: &str) -> impl Iterator<Item = &str> {
    let is_hyphen = |character: char| !character.is_alphanumeric() && !is_apostrophe(character);
    word.split(is_hyphen).filter(|segment| !segment.is_empty())
}

/// Whether `character` occurs as an apostrophe in names.
fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '‘' | '’' | '`' | '´' | 'ʼ' | 'ʻ' | 'ʹ' | 'ʾ' | 'ʿ')
}

/// The parts of a folded word of a name between hyphens, apostrophes and the like, in letters as people type them.
pub fn name_parts(word: &str) -> impl Iterator<Item = String> {
    // Apostrophes that count as letters.
    let is_between =
        |character: char| !character.is_alphanumeric() || matches!(character, 'ʼ' | 'ʻ' | 'ʹ' | 'ʾ' | 'ʿ');
    let plain = plain(word);
    let written = plain.split(is_between).filter(|part| !part.is_empty());
    let parts: Vec<String> = written
        .map(|part| {
            BY_BIRTH.iter().find(|(long, _)| *long == part).map_or(part, |(_, short)| short).to_owned()
        })
        .collect();
    parts.into_iter()
}

/// The spelling of a word repeated in a text, after `before` others: no query contains it.
#[must_use]
pub fn numbered(word: &str, before: usize) -> String {
    format!("{word}#{}", before + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_cases_marks_and_short_forms_compare_equal() {
        for (one, other) in [
            ("Recruiters", "recruiter"),
            ("Companies", "company"),
            ("coaches", "Coach"),
            ("Sr. Engineers", "senior engineer"),
            ("Vice Presidents, Sales", "VP Sales"),
            ("Co-Founders", "cofounder"),
            ("games_video", "Game Video"),
            ("Zürich", "zurich"),
        ] {
            assert_eq!(stems(one), stems(other), "{one}");
            assert_eq!(each_stem(&fold(one)).next().as_ref(), stems(one).first(), "{one}");
        }
        assert!(stems(" ,;! ").is_empty());
        assert_eq!(each_stem(" ,;! ").next(), None);
    }

    #[test]
    fn other_words_stay_apart() {
        for (one, other) in [
            ("president", "vice president"),
            ("developer", "development"),
            ("business", "busines"),
            ("Paris", "pari"),
            ("campus", "campu"),
        ] {
            assert_ne!(stems(one), stems(other), "{one}");
        }
    }
}
