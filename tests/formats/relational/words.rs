//! Texts to words and words to stems, by the definitions: Unicode letters and numbers, then Porter's paper of 1980 with
//! his two later changes.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Of no category in the Unicode that SQLite knows: it takes such characters for letters.
const UNKNOWN_THERE: char = '🦀';

/// The words of a folded text, in order.
pub(crate) fn words(folded: &str) -> Vec<&str> {
    let is_in_word = |character: char| {
        character == UNKNOWN_THERE
            || character.general_category() == GeneralCategory::PrivateUse
            || matches!(
                character.general_category_group(),
                GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
            )
    };
    folded.split(|character| !is_in_word(character)).filter(|word| !word.is_empty()).collect()
}

/// The stems of those words.
pub(crate) fn stems(folded: &str) -> Vec<Vec<u8>> {
    words(folded).into_iter().map(stem).collect()
}

/// A suffix and what takes its place.
type Rule = (&'static str, &'static str);

const STEP_2: [Rule; 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];
const STEP_3: [Rule; 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];
const STEP_4: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// The stem of a word; short and very long ones are their own.
pub(crate) fn stem(word: &str) -> Vec<u8> {
    let mut stem = word.as_bytes().to_vec();
    if stem.len() <= 2 || stem.len() >= 64 {
        return stem;
    }
    step_1(&mut stem);
    for rules in [&STEP_2[..], &STEP_3] {
        replace(&mut stem, rules);
    }
    step_4(&mut stem);
    step_5(&mut stem);
    stem
}

fn is_vowel(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        b'y' => at > 0 && !is_vowel(word, at - 1),
        _ => false,
    }
}

/// How often a vowel is followed by a consonant.
fn measure(word: &[u8]) -> usize {
    (1..word.len()).filter(|&at| is_vowel(word, at - 1) && !is_vowel(word, at)).count()
}

fn has_vowel(word: &[u8]) -> bool {
    (0..word.len()).any(|at| is_vowel(word, at))
}

fn ends_doubled(word: &[u8]) -> bool {
    let end = word.len();
    end > 1 && word[end - 1] == word[end - 2] && !is_vowel(word, end - 1)
}

/// Consonant, vowel, consonant, the last none of w, x and y.
fn ends_short(word: &[u8]) -> bool {
    let end = word.len();
    end > 2
        && !is_vowel(word, end - 3)
        && is_vowel(word, end - 2)
        && !is_vowel(word, end - 1)
        && !b"wxy".contains(&word[end - 1])
}

/// The part of `word` before `suffix`.
fn before<'a>(word: &'a [u8], suffix: &str) -> Option<&'a [u8]> {
    word.strip_suffix(suffix.as_bytes())
}

fn step_1(word: &mut Vec<u8>) {
    let plural = [("sses", 2), ("ies", 2), ("ss", 0), ("s", 1)];
    if let Some((_, cut)) = plural.iter().find(|(suffix, _)| before(word, suffix).is_some()) {
        word.truncate(word.len() - cut);
    }
    if let Some(rest) = before(word, "eed") {
        if measure(rest) > 0 {
            word.pop();
        }
    } else if let Some(rest) = before(word, "ed").or_else(|| before(word, "ing")).filter(|it| has_vowel(it)) {
        word.truncate(rest.len());
        if ["at", "bl", "iz"].iter().any(|suffix| before(word, suffix).is_some()) {
            word.push(b'e');
        } else if ends_doubled(word) && !b"lsz".contains(&word[word.len() - 1]) {
            word.pop();
        } else if measure(word) == 1 && ends_short(word) {
            word.push(b'e');
        }
    }
    if before(word, "y").is_some_and(has_vowel) {
        *word.last_mut().unwrap() = b'i';
    }
}

/// Replaces the longest suffix of `rules`, if the stem before it has a measure above 0.
fn replace(word: &mut Vec<u8>, rules: &[Rule]) {
    let fitting = rules.iter().filter(|(suffix, _)| before(word, suffix).is_some());
    let Some((suffix, by)) = fitting.max_by_key(|(suffix, _)| suffix.len()) else { return };
    let rest = word.len() - suffix.len();
    if measure(&word[..rest]) > 0 {
        word.truncate(rest);
        word.extend(by.bytes());
    }
}

fn step_4(word: &mut Vec<u8>) {
    let fitting = STEP_4.iter().filter(|suffix| before(word, suffix).is_some());
    let Some(suffix) = fitting.max_by_key(|suffix| suffix.len()) else { return };
    let rest = &word[..word.len() - suffix.len()];
    let is_cut = *suffix != "ion" || rest.last().is_some_and(|last| b"st".contains(last));
    if measure(rest) > 1 && is_cut {
        word.truncate(rest.len());
    }
}

fn step_5(word: &mut Vec<u8>) {
    if let Some(rest) = before(word, "e")
        && (measure(rest) > 1 || (measure(rest) == 1 && !ends_short(rest)))
    {
        word.pop();
    }
    if measure(word) > 1 && before(word, "ll").is_some() {
        word.pop();
    }
}

#[test]
fn words_of_one_stem_are_one_to_the_oracle() {
    for (one, other) in [
        ("managers", "manager"),
        ("engineering", "engineer"),
        ("directors", "director"),
        ("operations", "operation"),
        ("relational", "relate"),
        ("ponies", "poni"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("controlling", "control"),
    ] {
        assert_eq!(stem(one), stem(other), "{one} and {other}");
    }
    assert_ne!(stem("sales"), stem("salt"));
}
