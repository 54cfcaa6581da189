//! Words for a company's size, and how well a size fits.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::search::conditions::Span;
use crate::search::fit::{Fit, MATCH};
use crate::search::word_list;

/// A word for a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeWord {
    /// The range it means.
    pub span: Span,
    /// Whether it implies companies by itself: "startups", not "small".
    pub is_alone: bool,
}

/// The size that these folded words, joined by spaces, mean.
#[must_use]
pub fn find_size(phrase: &str) -> Option<SizeWord> {
    SIZES.get(phrase).copied()
}

/// Whether `word` is in a phrase for a size.
#[must_use]
pub fn has_word(word: &str) -> bool {
    WORDS.contains(word)
}

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| SIZES.keys().flat_map(|phrase| phrase.split(' ')).collect());

static SIZES: LazyLock<HashMap<&'static str, SizeWord>> = LazyLock::new(|| {
    let text = include_str!("lexicon/sizes.txt");
    let mut sizes = HashMap::new();
    for (group, phrases) in word_list::groups(text) {
        let Some(word) = word_of(group) else { continue };
        phrases.for_each(|phrase| {
            sizes.entry(phrase).or_insert(word);
        });
    }
    sizes
});

/// The size of a group in the file: `51-500 alone`.
fn word_of(group: &str) -> Option<SizeWord> {
    let (span, place) = group.split_once(' ')?;
    let (least, most) = span.split_once('-')?;
    let most = if most.is_empty() { Span::ENDLESS } else { most.parse().ok()? };
    let is_alone = match place {
        "alone" => true,
        "beside" => false,
        _ => return None,
    };
    Some(SizeWord { span: Span { least: least.parse().ok()?, most }, is_alone })
}

/// How well a company of `least` to `most` people fits `asked`. It matches if its range is within `asked`, or contains
/// the middle of `asked`; an unknown size fits nothing.
#[must_use]
pub fn fit(asked: Span, least: Option<u64>, most: Option<u64>) -> Fit {
    let (least, most) = match (least, most) {
        (None, None) => return 0,
        (Some(least), None) => (least, Span::ENDLESS),
        (None, Some(most)) => (most.min(1), most),
        (Some(one), Some(other)) => (one.min(other), one.max(other)),
    };
    let is_within = asked.holds(least) && asked.holds(most);
    let is_middle = asked.most != Span::ENDLESS
        && asked.least > 1
        && middle(asked).is_some_and(|middle| Span { least, most }.holds(middle));
    if is_within || is_middle {
        // For large sizes the largest come first.
        let above = if asked.most == Span::ENDLESS { doublings(asked.least, least).min(5.0) } else { 5.0 };
        return MATCH + (27.0 + 20.0 * above) as Fit;
    }
    let apart = if most < asked.least {
        doublings(most, asked.least)
    } else if least > asked.most {
        doublings(asked.most, least)
    } else {
        0.0
    };
    (100.0 - 20.0 * apart).max(0.0) as Fit
}

/// The geometric middle of a range: for 50 and 200 it is 100.
fn middle(span: Span) -> Option<u64> {
    span.least.checked_mul(span.most).map(u64::isqrt)
}

/// How often `from` must be doubled to reach `to`.
fn doublings(from: u64, to: u64) -> f32 {
    (to.max(1) as f32 / from.max(1) as f32).log2().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn span(least: u64, most: u64) -> Span {
        Span { least, most }
    }

    #[test]
    fn every_line_of_the_file_is_a_group_and_its_words_stand_for_it() {
        let text = include_str!("lexicon/sizes.txt");
        let groups: Vec<_> = word_list::lines(text).filter_map(|line| line.split(':').next()).collect();
        assert!(groups.len() > 8 && groups.iter().all(|group| word_of(group).is_some()), "{groups:?}");
        assert_eq!(find_size("startups"), Some(SizeWord { span: span(1, 50), is_alone: true }));
        assert_eq!(find_size("big"), Some(SizeWord { span: span(201, Span::ENDLESS), is_alone: false }));
        assert_eq!(find_size("finance"), None);
        assert!(has_word("fortune") && !has_word("finance"));
    }

    #[test]
    fn a_company_fits_if_all_of_its_range_does_or_the_middle_of_what_is_asked_lies_in_it() {
        let over_500 = span(501, Span::ENDLESS);
        for (asked, least, most, matches) in [
            (over_500, Some(501), Some(1000), true),
            (over_500, Some(201), Some(500), false),
            (over_500, Some(201), Some(1000), false),
            (over_500, Some(5000), None, true),
            (over_500, None, Some(5000), false),
            (over_500, None, None, false),
            (span(50, 200), Some(51), Some(200), true),
            (span(50, 200), Some(11), Some(50), false),
            (span(67, 150), Some(51), Some(200), true),
            (span(1, 19), Some(2), Some(10), true),
            (span(1, 19), Some(11), Some(50), false),
            (span(1, 19), None, Some(10), true),
            (span(1, 50), Some(7), Some(7), true),
            (span(1, 50), Some(100), Some(100), false),
        ] {
            assert_eq!(fit(asked, least, most) >= MATCH, matches, "{least:?} to {most:?} for {asked:?}");
        }
        assert!(fit(over_500, Some(1001), Some(5000)) > fit(over_500, Some(501), Some(1000)));
        assert!(fit(over_500, Some(201), Some(500)) > fit(over_500, Some(11), Some(50)));
    }
}
