//! Periods without contact in a query: "I have not spoken to for a year", "seit sechs Monaten keinen Kontakt", "gone
//! quiet".
//!
//! The words are in `src/finding/search/lexicon/silence.txt`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use crate::model::text::plain;
use crate::search::conditions::Silence;
use crate::search::word_list;

/// A period without contact in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidSilence {
    /// Its range, in bytes.
    pub place: Range<usize>,
    /// The silence that it means.
    pub silence: Silence,
}

/// Maximum words between the verb and its period, and between "not" and the verb.
const APART_MAX: usize = 6;
/// The groups of words that can come between "not" and the verb.
const BETWEEN: [&str; 7] = ["around", "since", "not", "number", "unit", "half", "long"];
/// Maximum words in a phrase of the file.
const PHRASE_MAX: usize = 4;
/// The period of a tie that "went quiet", if the query names no other.
const QUIET: Silence = Silence::Days(365);
/// The numbers that can be years.
const YEARS: Range<u16> = 1990..2100;

static GROUPS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> =
    LazyLock::new(|| word_list::sets(include_str!("lexicon/silence.txt")));

/// The plain words of a text, with their positions in bytes.
struct Words {
    words: Vec<(Range<usize>, String)>,
}

/// The first period without contact in `text`. Costs a few look-ups per word.
#[must_use]
pub fn find_silence(text: &str) -> Option<SaidSilence> {
    let words = Words::of(text);
    (0..words.words.len()).find_map(|at| words.silence_at(at)).map(|(span, silence)| {
        let (first, last) = (&words.words[span.start].0, &words.words[span.end - 1].0);
        SaidSilence { place: first.start..last.end, silence }
    })
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words: Vec<(Range<usize>, String)> = Vec::new();
        let mut start = None;
        for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
            let is_part = character.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&character);
            match (is_part, start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    words.push((from..at, plain(&text[from..at])));
                    start = None;
                }
                _ => {}
            }
        }
        Self { words }
    }

    /// The length in words of the longest phrase of `group` at `at`; 0 if there is none.
    fn is(&self, group: &str, at: usize) -> usize {
        self.value(group, at).0
    }

    /// The same, with the number after the phrase in the file.
    fn value(&self, group: &str, at: usize) -> (usize, u32) {
        let Some(entries) = GROUPS.get(group) else { return (0, 0) };
        let most = PHRASE_MAX.min(self.words.len().saturating_sub(at));
        let found = (1..=most).rev().find_map(|length| {
            let words: Vec<&str> =
                self.words[at..at + length].iter().map(|(_, word)| word.as_str()).collect();
            let phrase = words.join(" ");
            if entries.contains(phrase.as_str()) {
                return Some((length, 0));
            }
            let number = entries.iter().find_map(|entry| {
                let (words, number) = entry.rsplit_once(' ')?;
                (words == phrase).then(|| number.parse().ok()).flatten()
            });
            number.map(|number| (length, number))
        });
        found.unwrap_or((0, 0))
    }

    /// The words from `at` on about a period without contact, with the words around them, and the period.
    fn silence_at(&self, at: usize) -> Option<(Range<usize>, Silence)> {
        let quiet = self.is("quiet", at);
        let core = match (quiet, self.is("not", at)) {
            (1.., _) => at..at + quiet,
            (0, 1..) => {
                let is_between =
                    |at: &usize| BETWEEN.iter().any(|group| self.is(group, *at) > 0) || self.is_number(*at);
                let spoke = (at + 1..=at + APART_MAX).find(|&spoke| self.is("spoke", spoke) > 0);
                let spoke = spoke.filter(|&spoke| (at + 1..spoke).all(|at| is_between(&at)));
                // "no contact", "seit einem Jahr nicht gesprochen", "not in touch"
                spoke.map(|spoke| at..spoke + self.is("spoke", spoke))?
            }
            _ => return None,
        };
        let behind = (core.end..=core.end + APART_MAX).find_map(|at| self.span_at(at));
        let within = || core.clone().find_map(|at| self.span_at(at));
        let before = || (core.start.saturating_sub(APART_MAX)..core.start).find_map(|at| self.span_at(at));
        let said = behind.or_else(within).or_else(before).filter(|(span, _)| self.is_near(span, &core));
        let (span, silence) = match said {
            Some((span, silence)) => (core.start.min(span.start)..core.end.max(span.end), silence),
            None if quiet > 0 => (core, QUIET),
            None => return None,
        };
        Some((self.with_around(span), silence))
    }

    fn is_number(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|(_, word)| word.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether only words that belong to it are between `span` and `core`.
    fn is_near(&self, span: &Range<usize>, core: &Range<usize>) -> bool {
        let mut between = core.end.min(span.end)..span.start.max(core.start);
        between.all(|at| ["around", "since", "not", "spoke"].iter().any(|group| self.is(group, at) > 0))
    }

    /// The period that begins at `at`: "for a year", "since 2023", "in ages".
    fn span_at(&self, at: usize) -> Option<(Range<usize>, Silence)> {
        let mut from = at;
        while from < self.words.len() {
            match self.is("since", from) {
                0 => break,
                length => from += length,
            }
        }
        let has_since = from > at;
        let word = |at: usize| self.words.get(at).map_or("", |(_, word)| word.as_str());
        // "lange nicht gesprochen"
        if let (length @ 1.., days) = self.value("alone", from) {
            return Some((at..from + length, Silence::Days(days)));
        }
        if let (length @ 1.., days) = self.value("long", from) {
            return has_since.then_some((at..from + length, Silence::Days(days)));
        }
        if let Ok(year) = word(from).parse::<u16>()
            && YEARS.contains(&year)
        {
            return has_since.then_some((at..from + 1, Silence::Since(year)));
        }
        let half = self.is("half", from);
        if half > 0
            && let (length @ 1.., days) = self.value("unit", from + half)
        {
            return Some((at..from + half + length, Silence::Days(days / 2)));
        }
        let (length, number) = match word(from).parse::<u32>() {
            Ok(number) => (1, number),
            Err(_) => self.value("number", from),
        };
        let unit = from + length;
        let (length @ 1.., days) = self.value("unit", unit) else { return None };
        let is_counted = unit > from || has_since;
        is_counted.then_some((at..unit + length, Silence::Days(number.max(1).saturating_mul(days))))
    }

    /// `span` extended by the small words around it that belong to it.
    fn with_around(&self, span: Range<usize>) -> Range<usize> {
        let (mut start, mut end) = (span.start, span.end);
        while start > 0 && self.is("around", start - 1) > 0 {
            start -= 1;
        }
        while end < self.words.len() && self.is("around", end) > 0 {
            end += 1;
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_without_contact_is_read_in_any_order_and_nothing_else_is_one() {
        for (text, place, silence) in [
            ("strong contacts I have not spoken to for a year", "I have not spoken to for a year", 365),
            ("people I haven't talked to in 6 months", "I haven't talked to in 6 months", 180),
            (
                "CFOs we have had no contact with for over two years",
                "we have had no contact with for over two years",
                730,
            ),
            ("founders not contacted", "", 0),
            ("who went quiet", "who went quiet", 365),
            ("investors who have gone cold", "who have gone cold", 365),
            ("contacts out of touch for half a year", "out of touch for half a year", 182),
            ("people I have not heard from in ages", "I have not heard from in ages", 365),
            (
                "Kontakte, mit denen ich seit einem Jahr nicht gesprochen habe",
                "mit denen ich seit einem Jahr nicht gesprochen habe",
                365,
            ),
            ("Leute, von denen ich lange nichts gehört habe", "von denen ich lange nichts gehört habe", 365),
            (
                "contacts à qui je n'ai pas parlé depuis six mois",
                "à qui je n'ai pas parlé depuis six mois",
                180,
            ),
            (
                "contactos con los que no he hablado desde hace dos años",
                "con los que no he hablado desde hace dos años",
                730,
            ),
            ("contacten die ik al een jaar niet gesproken heb", "die ik al een jaar niet gesproken heb", 365),
            ("no engineers with 10 years in contact centres", "", 0),
            ("not in Berlin", "", 0),
            ("people who know contact lenses", "", 0),
            ("recruiters we have not asked yet", "", 0),
            ("founded two years ago", "", 0),
        ] {
            let found = find_silence(text);
            let said = found.as_ref().map_or("", |it| &text[it.place.clone()]);
            assert_eq!(said, place, "{text}");
            let expected = (silence > 0).then_some(Silence::Days(silence));
            assert_eq!(found.map(|it| it.silence), expected, "{text}");
        }
        let since = find_silence("people not seen since 2023").map(|it| it.silence);
        assert_eq!(since, Some(Silence::Since(2023)));
    }
}
