//! Folded and plain text, words, edit distance and the four classes of a match between a name and a query.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Folded text: NFKD, no marks of category Mn, each character lower-cased by itself, white space squeezed.
pub(crate) fn fold(text: &str) -> String {
    let plain: String = text
        .nfkd()
        .filter(|c| c.general_category() != GeneralCategory::NonspacingMark)
        .flat_map(char::to_lowercase)
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plain text: folded, and letters of foreign keyboards written as others type them.
pub(crate) fn plain(text: &str) -> String {
    let pairs = [
        ("ł", "l"),
        ("đ", "d"),
        ("ð", "d"),
        ("ø", "o"),
        ("ħ", "h"),
        ("ŧ", "t"),
        ("ı", "i"),
        ("ß", "ss"),
        ("æ", "ae"),
        ("œ", "oe"),
        ("þ", "th"),
    ];
    pairs.iter().fold(fold(text), |text, (letter, typed)| text.replace(letter, typed))
}

/// The words of a plain text, commas and full stops read as spaces.
pub(crate) fn words(text: &str) -> Vec<String> {
    plain(text).replace([',', '.'], " ").split_whitespace().map(str::to_owned).collect()
}

/// The class, 1 to 4, in which `name` matches `query`; none when it does not.
pub(crate) fn match_class(query: &str, name: &str) -> Option<u8> {
    match_class_by(edit_distance, query, name)
}

/// Like [`match_class`], with the edit distance to use.
pub(crate) fn match_class_by(distance: fn(&str, &str) -> usize, query: &str, name: &str) -> Option<u8> {
    let (asked, held) = (words(query), words(name));
    if asked.is_empty() {
        return None;
    }
    if plain(query) == plain(name) { Some(1) } else { looser_class(&asked, &held, distance) }
}

/// Classes 2 to 4.
fn looser_class(asked: &[String], held: &[String], distance: fn(&str, &str) -> usize) -> Option<u8> {
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort();
        words
    };
    let begins = |asked: &str, held: &str| held.starts_with(asked);
    let close =
        |asked: &str, held: &str| begins(asked, held) || distance(asked, held) <= edits_allowed(asked);
    if sorted(asked) == sorted(held) {
        Some(2)
    } else if each_has_its_own(asked, held, &begins) {
        Some(3)
    } else if each_has_its_own(asked, held, &close) {
        Some(4)
    } else {
        None
    }
}

/// How many edits a word of the query may be away from the name's word.
fn edits_allowed(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Whether every asked word can be given a different held word that fits it: tries every way.
fn each_has_its_own(asked: &[String], held: &[String], fits: &dyn Fn(&str, &str) -> bool) -> bool {
    let Some((first, rest)) = asked.split_first() else { return true };
    (0..held.len()).any(|at| {
        let mut others = held.to_vec();
        let word = others.remove(at);
        fits(first, &word) && each_has_its_own(rest, &others, fits)
    })
}

/// Optimal string alignment: inserts, deletes, replaces, and swaps of neighbours that are not edited again.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    distances(a, b, true)
}

/// Like [`edit_distance`], but a swap costs two: the Levenshtein distance.
pub(crate) fn edit_distance_without_swaps(a: &str, b: &str) -> usize {
    distances(a, b, false)
}

fn distances(a: &str, b: &str, swaps: bool) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                let crossed = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swaps && crossed { best.min(table[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    table[a.len()][b.len()]
}
