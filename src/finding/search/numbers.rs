//! Numbers in a query: "over 500 people", "50–200 employees", "more than 500 connections".
//!
//! A number counts only beside a word for what is counted: "top 10", "20 years" and "24/7" say nothing about a company.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::model::text::fold;
use crate::search::conditions::{Measure, Span};
use crate::search::word_list;

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The position of its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
    /// The measure.
    pub measure: Measure,
}

/// A word, a number or a sign, with its position.
#[derive(Debug)]
struct Piece {
    start: usize,
    end: usize,
    text: String,
    number: Option<u64>,
}

/// How a number limits a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Over,
    AtLeast,
    Under,
    AtMost,
    About,
}

/// The groups of words that set a bound before a number.
const BOUNDS: [(Bound, &str); 5] = [
    (Bound::AtMost, "at most"),
    (Bound::AtLeast, "at least"),
    (Bound::Over, "over"),
    (Bound::Under, "under"),
    (Bound::About, "about"),
];

/// Maximum distance of a word for companies before a number.
const EARLIER_MAX: usize = 9;

/// The words around numbers, by their group in the file.
static GROUPS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> =
    LazyLock::new(|| word_list::sets(include_str!("lexicon/numbers.txt")));

/// Whether `word`, or a few joined, is in `group`.
fn is(group: &str, word: &str) -> bool {
    GROUPS.get(group).is_some_and(|words| words.contains(word))
}

/// The number that `word` of `group` means.
fn number_of(group: &str, word: &str) -> Option<u64> {
    let mut numbers = GROUPS.get(group)?.iter().filter_map(|entry| entry.split_once(' '));
    numbers.find(|(name, _)| *name == word)?.1.parse().ok()
}

/// The numbers of `text` about a company or a person's connections, from left to right. Costs a pass over its words.
#[must_use]
pub fn counted(text: &str) -> Vec<Counted> {
    if !may_count(text) {
        return Vec::new();
    }
    let pieces = pieces(text);
    let mut found: Vec<Counted> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        match Said::at(&pieces, at).and_then(|said| Some((said.measure(&pieces)?, said.end(&pieces), said))) {
            Some((measure, last, said)) => {
                // "headcount 11-50"
                let first = said.first.saturating_sub(1);
                let first = if pieces[first].text == "headcount" { first } else { said.first };
                found.push(Counted { start: pieces[first].start, end: pieces[last].end, measure });
                at = last + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// The range of the number in `text`, which must be about a size.
#[must_use]
pub fn size(text: &str) -> Option<Span> {
    let pieces = pieces(text);
    (0..pieces.len()).find_map(|at| Some(Said::at(&pieces, at)?.span()))
}

/// Whether `text` contains a digit, or a word for two or more.
fn may_count(text: &str) -> bool {
    let is_number = |word: &str| number_of("many", word).or_else(|| few(word)).is_some();
    text.chars().any(char::is_numeric)
        || text.split(|it: char| !it.is_alphanumeric()).any(|word| is_number(&fold(word)))
}

/// The number that `word` alone means: two or more, since "a" and "one" seldom count.
fn few(word: &str) -> Option<u64> {
    number_of("few", word).filter(|&number| number > 1)
}

/// A number, or two, with the words around it that belong to it.
struct Said {
    first: usize,
    /// The last number.
    number: usize,
    last: usize,
    /// The last word of a bound after the unit: "50 people at most".
    behind: Option<usize>,
    bound: Option<Bound>,
    least: u64,
    /// The upper end of a range.
    most: Option<u64>,
}

impl Said {
    /// Parses the number that begins at `at`.
    fn at(pieces: &[Piece], at: usize) -> Option<Self> {
        let (least, mut number) = whole(pieces, at)?;
        let (mut first, mut bound) = before(pieces, at);
        let text = |at: usize| pieces.get(at).map_or("", |piece| piece.text.as_str());
        let opened = at > 0 && is("between", text(at - 1));
        let joined = is("to", text(number + 1)) || (opened && is("and", text(number + 1)));
        let mut most = None;
        if joined && let Some((other, end)) = whole(pieces, number + 2) {
            (most, number) = (Some(other), end);
            first = if opened { at - 1 } else { at };
            bound = None;
        }
        let mut last = number;
        if let Some((says, end)) = behind(pieces, number) {
            (bound, last) = (bound.or(Some(says)), end);
        }
        let mut said = Self { first, number, last, behind: None, bound, least, most };
        let unit = said.after(pieces);
        if bound.is_none()
            && is_unit(text(unit))
            && let Some((says, end)) = behind(pieces, unit)
        {
            (said.bound, said.behind) = (Some(says), Some(end));
        }
        Some(said)
    }

    fn span(&self) -> Span {
        let number = self.least;
        match (self.most, self.bound) {
            (Some(most), _) => Span { least: number.min(most), most: number.max(most) },
            (None, Some(Bound::Over)) => Span { least: number.saturating_add(1), most: Span::ENDLESS },
            (None, Some(Bound::AtLeast)) => Span { least: number, most: Span::ENDLESS },
            (None, Some(Bound::Under)) => Span { least: 0, most: number.saturating_sub(1) },
            (None, Some(Bound::AtMost)) => Span { least: 0, most: number },
            (None, Some(Bound::About) | None) => {
                Span { least: number - number / 3, most: number.saturating_add(number / 2) }
            }
        }
    }

    /// Its measure, including the words after it; `None` if it is not about a company or connections.
    fn measure(&self, pieces: &[Piece]) -> Option<Measure> {
        let word = |at: usize| pieces.get(at).map_or("", |piece| piece.text.as_str());
        let after = self.after(pieces);
        let unit = word(after);
        let earlier = &pieces[self.first.saturating_sub(EARLIER_MAX)..self.first];
        let has_before = |group: &str| earlier.iter().any(|piece| is(group, &piece.text));
        let is_bounded = self.bound.is_some_and(|bound| bound != Bound::About) || self.most.is_some();
        let span = self.span();
        let is_beside_company = has_before("company") || is("company", word(after + 1));
        let is_company = is_beside_company || is("company", unit);
        // Neither "two staff engineers" nor "five contacts in finance" counts.
        if few(word(self.number)).is_some() && !(is_unit(unit) && (is_bounded || is_beside_company)) {
            return None;
        }
        if is("ties", unit) {
            let asked = if is_bounded { span } else { Span { least: self.least, most: Span::ENDLESS } };
            return Some(Measure::Connections(asked));
        }
        if is("staff", unit) {
            return Some(Measure::Size(span));
        }
        if is("people", unit) {
            if has_before("know") && is_bounded && !is_company {
                return Some(Measure::Connections(span));
            }
            return (is_bounded || is_company).then_some(Measure::Size(span));
        }
        let sign = self.first.checked_sub(1).map_or("", word);
        let is_other = is("other", unit) || is("other before", sign);
        let is_year = self.most.is_none() && (1900..2100).contains(&self.least) && !is_company;
        let says = is_bounded || (is_company && self.bound.is_some());
        (says && !is_other && !is_year && span.most > 1 && self.least > 1).then_some(Measure::Size(span))
    }

    /// Its last piece: the word for what is counted, if any.
    fn end(&self, pieces: &[Piece]) -> usize {
        let after = self.after(pieces);
        let unit = pieces.get(after).map_or("", |piece| piece.text.as_str());
        self.behind.unwrap_or(if is_unit(unit) { after } else { self.last })
    }

    /// The position after the number and a hyphen.
    fn after(&self, pieces: &[Piece]) -> usize {
        let next = self.last.max(self.number) + 1;
        let text = |at: usize| pieces.get(at).map_or("", |piece| piece.text.as_str());
        let next = next + usize::from(text(next) == "-");
        // "une centaine de salariés", "unas decenas de empleados"
        match (text(next), text(next + 1)) {
            ("de", unit) if is_unit(unit) => next + 1,
            ("d", "'" | "’") if is_unit(text(next + 2)) => next + 2,
            _ => next,
        }
    }
}

/// The number that begins at `at`, and its last piece: "500", "five hundred".
fn whole(pieces: &[Piece], at: usize) -> Option<(u64, usize)> {
    let piece = pieces.get(at)?;
    let many = |at: usize| pieces.get(at).and_then(|piece| number_of("many", &piece.text));
    let times = |few: u64| many(at + 1).map(|many| (few.saturating_mul(many), at + 1));
    match piece.number {
        Some(number) => times(number).or(Some((number, at))),
        None => {
            let hundreds = number_of("few", &piece.text).and_then(times);
            hundreds.or_else(|| Some((many(at).or_else(|| few(&piece.text))?, at)))
        }
    }
}

/// Whether `word` is a unit.
fn is_unit(word: &str) -> bool {
    ["ties", "staff", "people"].iter().any(|group| is(group, word))
}

/// The bound set by the words from the piece at `at` on, after a number, and the last of them, if any.
fn behind(pieces: &[Piece], at: usize) -> Option<(Bound, usize)> {
    let text = |at: usize| pieces.get(at).map_or("", |piece| piece.text.as_str());
    let pair = format!("{} {}", text(at + 1), text(at + 2));
    [("or more", Bound::AtLeast), ("or fewer", Bound::AtMost)].into_iter().find_map(|(group, says)| {
        let length = if is(group, &pair) { 2 } else { usize::from(is(group, text(at + 1))) };
        (length > 0).then_some((says, at + length))
    })
}

/// The position of the words before the number at `at` that set its bound, and the bound.
fn before(pieces: &[Piece], at: usize) -> (usize, Option<Bound>) {
    for length in (1..=at.min(3)).rev() {
        let words: Vec<&str> = pieces[at - length..at].iter().map(|piece| piece.text.as_str()).collect();
        let phrase = words.join(" ");
        if let Some((bound, _)) = BOUNDS.iter().find(|(_, group)| is(group, &phrase)) {
            return (at - length, Some(*bound));
        }
    }
    (at, None)
}

/// The words, numbers and signs of `text`, folded.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        if character.is_whitespace() {
            continue;
        }
        let mut end = start + character.len_utf8();
        if character.is_ascii_digit() {
            let mut digits = String::from(character);
            while let Some(&(at, next)) = rest.peek() {
                // "5,000" and "5 000"
                let divides =
                    matches!(next, ',' | '.' | '\'' | '’') || next.is_whitespace() && digits.len() < 4;
                let grouped = divides && is_group(&text[at + next.len_utf8()..]);
                if !next.is_ascii_digit() && !grouped {
                    break;
                }
                if next.is_ascii_digit() {
                    digits.push(next);
                }
                end = at + next.len_utf8();
                rest.next();
            }
            let mut number = digits.parse::<u64>().ok();
            let tail = &text[end..];
            let lone = |tail: &str| !tail.chars().nth(1).is_some_and(char::is_alphanumeric);
            if tail.starts_with(['k', 'K']) && lone(tail) {
                number = number.map(|number| number.saturating_mul(1000));
                end += 1;
                rest.next();
            }
            pieces.push(Piece { start, end, text: String::new(), number });
        } else if character.is_alphanumeric() {
            while let Some(&(at, next)) = rest.peek() {
                if !next.is_alphanumeric() && !is_mark(next) {
                    break;
                }
                end = at + next.len_utf8();
                rest.next();
            }
            pieces.push(Piece { start, end, text: fold(&text[start..end]), number: None });
        } else {
            let pair = rest.peek().is_some_and(|&(_, next)| next == '=' && ['<', '>'].contains(&character));
            if pair {
                end += 1;
                rest.next();
            }
            pieces.push(Piece { start, end, text: text[start..end].to_owned(), number: None });
        }
    }
    pieces
}

/// Combining marks, which folding removes.
fn is_mark(character: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&character)
}

/// Whether a group of exactly three digits begins here: what follows the comma of 1,000.
fn is_group(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_may_stand_behind_what_is_counted() {
        let size = |least, most| Some(Measure::Size(Span { least, most }));
        for (text, counts, expected) in [
            ("companies with 50 people at most", "50 people at most", size(0, 50)),
            ("firms of 500 employees or more", "500 employees or more", size(500, Span::ENDLESS)),
            ("startups, 10 people max", "10 people max", size(0, 10)),
            ("ten people at most", "ten people at most", size(0, 10)),
            ("500 or more employees", "500 or more employees", size(500, Span::ENDLESS)),
            ("headcount 11-50", "headcount 11-50", size(11, 50)),
            ("companies with 50 people in Oslo", "50 people", size(34, 75)),
        ] {
            let found = counted(text).first().copied();
            assert_eq!(found.map(|it| it.measure), expected, "{text}");
            assert_eq!(found.map(|it| &text[it.start..it.end]), Some(counts), "{text}");
        }
    }

    #[test]
    fn a_small_number_in_words_counts_only_beside_its_unit_and_a_bound_or_a_company() {
        let size = |least, most| Some(Measure::Size(Span { least, most }));
        for (text, expected) in [
            ("fewer than ten employees", size(0, 9)),
            ("at least twenty staff", size(20, Span::ENDLESS)),
            ("companies with ten people", size(7, 15)),
            ("ten person startups", size(7, 15)),
            ("between ten and fifty people", size(10, 50)),
            ("companies with 10 people", size(7, 15)),
            ("two staff engineers", None),
            ("five contacts in finance", None),
            ("ten people in Berlin", None),
            ("over ten", None),
            ("a staff engineer", None),
            ("one person companies", None),
        ] {
            assert_eq!(counted(text).first().map(|found| found.measure), expected, "{text}");
        }
    }
}
