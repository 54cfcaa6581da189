//! Numbers in a query: "over 500 people", "50–200 employees", "more than 500 connections".
//!
//! A number counts only beside a word that says of what: "top 10", "20 years" and "24/7" say nothing about a company.

use crate::model::text::fold;
use crate::search::conditions::{Measure, Span};

/// A number said in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it says.
    pub measure: Measure,
}

/// A word, a number or a sign, and where it stands.
#[derive(Debug)]
struct Piece {
    start: usize,
    end: usize,
    text: String,
    number: Option<u64>,
}

/// How a number bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Over,
    AtLeast,
    Under,
    AtMost,
    About,
}

const BOUNDS: [(Bound, &[&str]); 5] = [
    (
        Bound::AtMost,
        &[
            "no more than",
            "not more than",
            "no bigger than",
            "no larger than",
            "not over",
            "up to",
            "at most",
            "maximum",
            "max",
            "<=",
            "≤",
            "bis zu",
            "hochstens",
            "maximal",
            "jusqu a",
            "au plus",
            "hasta",
            "como maximo",
            "hoogstens",
            "maximaal",
            "niet meer dan",
            "nicht mehr als",
        ],
    ),
    (
        Bound::AtLeast,
        &[
            "no fewer than",
            "no less than",
            "not fewer than",
            "not less than",
            "not under",
            "at least",
            "minimum",
            "min",
            "starting at",
            ">=",
            "≥",
            "mindestens",
            "au moins",
            "al menos",
            "por lo menos",
            "minstens",
            "ten minste",
            "minimaal",
        ],
    ),
    (
        Bound::Over,
        &[
            "more than",
            "over",
            "above",
            "greater than",
            "larger than",
            "bigger than",
            "exceeding",
            "north of",
            "upwards of",
            "upward of",
            "in excess of",
            "beyond",
            ">",
            "uber",
            "mehr als",
            "plus de",
            "mas de",
            "meer dan",
            "boven",
        ],
    ),
    (
        Bound::Under,
        &[
            "fewer than",
            "less than",
            "under",
            "below",
            "smaller than",
            "<",
            "unter",
            "weniger als",
            "moins de",
            "menos de",
            "minder dan",
            "onder",
        ],
    ),
    (
        Bound::About,
        &[
            "about",
            "around",
            "roughly",
            "approximately",
            "approx",
            "some",
            "circa",
            "ca",
            "nearly",
            "almost",
            "~",
            "etwa",
            "rund",
            "ungefahr",
            "environ",
            "alrededor de",
            "unos",
            "ongeveer",
        ],
    ),
];

/// What joins two numbers to a range; a few only after a word that opens one.
const TO: [&str; 8] = ["-", "–", "—", "to", "bis", "a", "tot", "through"];
const AND: [&str; 4] = ["and", "und", "et", "en"];
const BETWEEN: [&str; 4] = ["between", "zwischen", "entre", "tussen"];

/// Words of which only companies have a number.
const STAFF: [&str; 26] = [
    "employee",
    "employees",
    "staff",
    "staffers",
    "headcount",
    "workers",
    "fte",
    "ftes",
    "strong",
    "mitarbeiter",
    "mitarbeitern",
    "mitarbeitende",
    "mitarbeitenden",
    "angestellte",
    "angestellten",
    "beschaftigte",
    "beschaftigten",
    "employes",
    "salaries",
    "collaborateurs",
    "empleados",
    "trabajadores",
    "medewerkers",
    "werknemers",
    "personeel",
    "mann",
];
/// Words that may mean so too.
const PEOPLE: [&str; 10] = [
    "people",
    "person",
    "persons",
    "heads",
    "leute",
    "leuten",
    "personen",
    "personnes",
    "personas",
    "mensen",
];
/// Words of which only a person has a number.
const TIES: [&str; 14] = [
    "connections",
    "connection",
    "contacts",
    "links",
    "ties",
    "kontakte",
    "kontakten",
    "verbindungen",
    "relations",
    "contactos",
    "conexiones",
    "contacten",
    "connecties",
    "followers",
];
/// Words before a number that say it is of a company.
const COMPANY: [&str; 30] = [
    "company",
    "companies",
    "firm",
    "firms",
    "business",
    "businesses",
    "startup",
    "startups",
    "employer",
    "employers",
    "employs",
    "employing",
    "employ",
    "size",
    "sized",
    "headcount",
    "staff",
    "team",
    "teams",
    "organisations",
    "organizations",
    "agencies",
    "firmen",
    "unternehmen",
    "entreprises",
    "empresas",
    "bedrijven",
    "bedrijf",
    "vendors",
    "shops",
];
/// Words after a number that say it is of something else.
const OTHER: [&str; 40] = [
    "year",
    "years",
    "yr",
    "yrs",
    "month",
    "months",
    "week",
    "weeks",
    "day",
    "days",
    "hours",
    "hour",
    "minutes",
    "percent",
    "million",
    "millions",
    "billion",
    "mn",
    "bn",
    "usd",
    "eur",
    "dollars",
    "euros",
    "km",
    "miles",
    "deals",
    "investments",
    "exits",
    "rounds",
    "patents",
    "papers",
    "jahre",
    "jahren",
    "ans",
    "annees",
    "anos",
    "jaar",
    "degrees",
    "countries",
    "revenue",
];
const LARGE: [(&str, u64); 6] = [
    ("dozen", 12),
    ("hundred", 100),
    ("hundreds", 200),
    ("thousand", 1_000),
    ("thousands", 2_000),
    ("tens", 10),
];
const SMALL: [(&str, u64); 14] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("fifteen", 15),
    ("twenty", 20),
    ("fifty", 50),
    ("a", 1),
];

/// The numbers of `text` that say something of a company or of somebody's connections, from left to right. Costs a
/// pass over its words.
#[must_use]
pub fn counted(text: &str) -> Vec<Counted> {
    if !may_count(text) {
        return Vec::new();
    }
    let pieces = pieces(text);
    let mut found: Vec<Counted> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        match Said::at(&pieces, at).and_then(|said| Some((said.measure(&pieces)?, said))) {
            Some((measure, said)) => {
                found.push(Counted { start: pieces[said.first].start, end: pieces[said.last].end, measure });
                at = said.last + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// What the number in `text` says, which is known to be about a size.
#[must_use]
pub fn size(text: &str) -> Option<Span> {
    let pieces = pieces(text);
    (0..pieces.len()).find_map(|at| Some(Said::at(&pieces, at)?.span()))
}

/// Whether there is a digit, or a word that stands for many, in `text`.
fn may_count(text: &str) -> bool {
    text.chars().any(char::is_numeric) || LARGE.iter().any(|(word, _)| text.to_lowercase().contains(word))
}

/// A number, or two, with the words around that belong to it.
struct Said {
    first: usize,
    /// The last number.
    number: usize,
    last: usize,
    bound: Option<Bound>,
    least: u64,
    /// The other end of a range.
    most: Option<u64>,
}

impl Said {
    /// The number that begins at `at`.
    fn at(pieces: &[Piece], at: usize) -> Option<Self> {
        let (least, mut number) = whole(pieces, at)?;
        let (mut first, mut bound) = before(pieces, at);
        let opened = at > 0 && BETWEEN.contains(&pieces[at - 1].text.as_str());
        let joined = pieces.get(number + 1).is_some_and(|piece| {
            TO.contains(&piece.text.as_str()) || (opened && AND.contains(&piece.text.as_str()))
        });
        let mut most = None;
        if joined && let Some((other, end)) = whole(pieces, number + 2) {
            (most, number) = (Some(other), end);
            first = if opened { at - 1 } else { at };
            bound = None;
        }
        let mut last = number;
        let next = |by: usize| pieces.get(number + by).map_or("", |piece| piece.text.as_str());
        if next(1) == "+" || next(1) == "plus" {
            (bound, last) = (bound.or(Some(Bound::AtLeast)), number + 1);
        }
        for (words, says) in [
            (["or", "more"], Bound::AtLeast),
            (["and", "up"], Bound::AtLeast),
            (["or", "above"], Bound::AtLeast),
            (["or", "fewer"], Bound::AtMost),
            (["or", "less"], Bound::AtMost),
            (["or", "under"], Bound::AtMost),
            (["oder", "mehr"], Bound::AtLeast),
            (["ou", "plus"], Bound::AtLeast),
            (["o", "mas"], Bound::AtLeast),
            (["of", "meer"], Bound::AtLeast),
        ] {
            if next(1) == words[0] && next(2) == words[1] {
                (bound, last) = (Some(says), number + 2);
            }
        }
        Some(Self { first, number, last, bound, least, most })
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

    /// What it says, and the words after it taken in; `None` if it is not about a company or connections.
    fn measure(&self, pieces: &[Piece]) -> Option<Measure> {
        let word = |at: usize| pieces.get(at).map_or("", |piece| piece.text.as_str());
        let after = self.after(pieces);
        let unit = word(after);
        let earlier = &pieces[self.first.saturating_sub(5)..self.first];
        let has_before = |words: &[&str]| earlier.iter().any(|piece| words.contains(&piece.text.as_str()));
        let is_bounded = self.bound.is_some_and(|bound| bound != Bound::About) || self.most.is_some();
        if TIES.contains(&unit) {
            let span = self.span();
            let asked = if is_bounded { span } else { Span { least: self.least, most: Span::ENDLESS } };
            return Some(Measure::Connections(asked));
        }
        if STAFF.contains(&unit) {
            return Some(Measure::Size(self.span()));
        }
        let is_company =
            has_before(&COMPANY) || COMPANY.contains(&word(after + 1)) || COMPANY.contains(&unit);
        if PEOPLE.contains(&unit) {
            let knows = has_before(&["knows", "know", "knowing", "met", "connected"]);
            if knows && is_bounded && !is_company {
                return Some(Measure::Connections(self.span()));
            }
            return (is_bounded || is_company).then(|| Measure::Size(self.span()));
        }
        let is_other = OTHER.contains(&unit) || ["$", "€", "£", "%"].contains(&unit) || {
            let sign = self.first.checked_sub(1).map_or("", word);
            ["$", "€", "£", "top", "under", "web"].contains(&sign)
        };
        let is_year = self.most.is_none() && (1900..2100).contains(&self.least);
        let says = is_bounded || (is_company && self.bound.is_some());
        (says && !is_other && !(is_year && !is_company) && self.least.max(self.most.unwrap_or(0)) > 1)
            .then(|| Measure::Size(self.span()))
    }

    /// The place after the number and the hyphen behind it.
    fn after(&self, pieces: &[Piece]) -> usize {
        let next = self.last.max(self.number) + 1;
        next + usize::from(pieces.get(next).is_some_and(|piece| piece.text == "-"))
    }
}

/// The number that begins at `at`, and the last of its pieces: "500", "five hundred".
fn whole(pieces: &[Piece], at: usize) -> Option<(u64, usize)> {
    let piece = pieces.get(at)?;
    let large = |at: usize| {
        let text = pieces.get(at).map(|piece| piece.text.as_str());
        LARGE.iter().find(|(word, _)| Some(*word) == text).map(|&(_, number)| number)
    };
    let few = || SMALL.iter().find(|(word, _)| *word == piece.text).map(|&(_, number)| number);
    if let Some(number) = piece.number {
        return Some(large(at + 1).map_or((number, at), |times| (number.saturating_mul(times), at + 1)));
    }
    if let (Some(few), Some(times)) = (few(), large(at + 1)) {
        return Some((few * times, at + 1));
    }
    large(at).map(|number| (number, at))
}

/// Where the words begin that bound the number at `at`, and how they do.
fn before(pieces: &[Piece], at: usize) -> (usize, Option<Bound>) {
    for length in (1..=at.min(3)).rev() {
        let words: Vec<&str> = pieces[at - length..at].iter().map(|piece| piece.text.as_str()).collect();
        let phrase = words.join(" ");
        if let Some((bound, _)) = BOUNDS.iter().find(|(_, phrases)| phrases.contains(&phrase.as_str())) {
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
                let grouped =
                    matches!(next, ',' | '.' | '\'' | '’') && is_group(&text[at + next.len_utf8()..]);
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

/// Whether a group of just three digits begins here: what follows the comma of 1,000.
fn is_group(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}
