//! Questions about who of us knows a person ("Wer von uns kennt …", "Welke collega heeft een ingang bij …"), and about
//! people nobody has asked yet ("à qui on n'a encore rien demandé"), in any language.
//!
//! Both are runs of small words with their key words in any order. The words are in `src/finding/search/lexicon/relations.txt`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::search::languages::Translated;
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::parse::written::{WrittenWord, written};
use crate::search::word_list;
use crate::search::words::plain;

/// Maximum words in a run.
const RUN_MAX: usize = 12;
/// Maximum phrases after the verb that belong to it.
const TRAILING_MAX: usize = 4;
/// Maximum words in a phrase of the file.
const PHRASE_MAX: usize = 3;
/// Maximum words of a question about who knows a person.
const ASKED_WORDS_MAX: usize = 4;
/// The English for "who of us knows a person".
const KNOWN_TO_US: &str = "my colleagues know";
/// The English for people we have not asked.
const NOT_ASKED: &str = "not asked yet";
/// The English for people we have asked.
const ALREADY_ASKED: &str = "already asked";

static GROUPS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> =
    LazyLock::new(|| word_list::sets(include_str!("../lexicon/relations.txt")));

fn is(group: &str, phrase: &str) -> bool {
    GROUPS.get(group).is_some_and(|phrases| phrases.contains(phrase))
}

/// Whether `query` asks who knows the person it names, or for a path to them: "can anyone introduce me to Ann". Costs a
/// look-up for each run of a few words.
#[must_use]
pub(super) fn asks_who_knows(query: &str) -> bool {
    let words: Vec<String> = written(query).iter().map(|it| plain(&it.word)).collect();
    let runs = (2..=ASKED_WORDS_MAX).flat_map(|length| words.windows(length));
    runs.into_iter().any(|run| is("who knows", &run.join(" ")))
}

/// The parts of `words` with such a meaning, with their English, ascending. Costs a few look-ups per word.
#[must_use]
pub(super) fn relations(words: &[WrittenWord], is_named: &[bool]) -> Vec<Translated> {
    let plain: Vec<String> = words.iter().map(|it| plain(&it.word)).collect();
    let mut found: Vec<Translated> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let free = is_named[at..].iter().take(RUN_MAX).take_while(|is_named| !**is_named).count();
        let run = &plain[at..at + free];
        let said = asked(run, |place| words[at + place].after_break)
            .filter(|&(length, _)| !has_cue(&run[..length]))
            .or_else(|| known_to_us(run).map(|length| (length, KNOWN_TO_US)));
        if let Some((length, english)) = said {
            found.push(Translated { at, length, english, is_former: false });
        }
        at += said.map_or(1, |(length, _)| length);
    }
    found
}

/// Whether a cue within `words` has the same meaning: it keeps its own words.
fn has_cue(words: &[String]) -> bool {
    let is_cue = |phrase: &[String]| find_cue(&phrase.join(" ")) == Some(Cue::NotAsked);
    (0..words.len()).any(|from| (from + 2..=words.len()).any(|to| is_cue(&words[from..to])))
}

/// A run of phrases: the groups of each, and its end.
struct Run {
    phrases: Vec<(Vec<&'static str>, usize)>,
}

impl Run {
    /// The run at the start of `words` of phrases in `groups`, longest first.
    fn of(words: &[String], groups: &[&'static str], ends: impl Fn(usize) -> bool) -> Self {
        let (mut phrases, mut at) = (Vec::new(), 0);
        while at < words.len() && (at == 0 || !ends(at)) {
            let longest = (1..=PHRASE_MAX.min(words.len() - at)).rev().find_map(|length| {
                let phrase = words[at..at + length].join(" ");
                let of: Vec<_> = groups.iter().copied().filter(|group| is(group, &phrase)).collect();
                (!of.is_empty()).then_some((of, at + length))
            });
            let Some((of, end)) = longest else { break };
            phrases.push((of, end));
            at = end;
        }
        Self { phrases }
    }

    /// Whether the phrase at `place` is in one of `groups`.
    fn is(&self, place: usize, groups: &[&str]) -> bool {
        self.phrases.get(place).is_some_and(|(of, _)| of.iter().any(|group| groups.contains(group)))
    }

    /// The last position of a phrase in one of `groups`.
    fn last(&self, groups: &[&str]) -> Option<usize> {
        (0..self.phrases.len()).rev().find(|&place| self.is(place, groups))
    }

    fn has(&self, most: usize, groups: &[&str]) -> bool {
        (0..most).any(|place| self.is(place, groups))
    }
}

/// The number of words at the start of `words` that say that one of us knows a person, if any.
pub(super) fn known_to_us(words: &[String]) -> Option<usize> {
    let us = ["from us", "our own", "our people"];
    let run = Run::of(words, &["who", "from us", "our own", "our people", "know", "between"], |_| false);
    if run.is(0, &["between"]) && !run.is(0, &["who", "our people", "know"]) {
        return None;
    }
    let last = (0..run.phrases.len()).rev().find(|&place| run.is(place, &us) || run.is(place, &["know"]))?;
    let most = last + 1;
    // "my team knows"
    let begins = run.is(0, &["our people"]) || run.has(most, &["who"]);
    (begins && run.has(most, &us) && run.has(most, &["know"])).then(|| run.phrases[last].1)
}

/// The number of words at the start of `words` that say whether a person was asked, and the English for it, if any. A
/// break ends them.
fn asked(words: &[String], ends: impl Fn(usize) -> bool) -> Option<(usize, &'static str)> {
    let groups = ["not", "we", "asked", "asked by us", "yet", "already", "around"];
    let run = Run::of(words, &groups, ends);
    if !run.is(0, &["not", "we", "yet", "already"]) {
        return None;
    }
    let asked = run.last(&["asked", "asked by us"])?;
    let before = asked;
    let is_ours = run.has(before, &["we"]);
    let is_asked = run.is(asked, &["asked"]) && (is_ours || run.has(before, &["yet"]));
    let is_not = run.has(before, &["not"]);
    // "have we already asked"
    let is_already = is_ours && run.has(before, &["already"]) && run.is(asked, &["asked"]);
    if !is_not && !is_already {
        return None;
    }
    if is_not && !is_asked && !(is_ours && run.is(asked, &["asked by us"])) {
        return None;
    }
    // "gefragt haben", "no hemos pedido una presentación"
    let trailing =
        run.phrases[asked + 1..].iter().take_while(|(of, _)| of.contains(&"around")).take(TRAILING_MAX);
    let end = run.phrases[asked].1;
    Some((trailing.last().map_or(end, |(_, end)| *end), if is_not { NOT_ASKED } else { ALREADY_ASKED }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parse::written::written;

    /// The parts of `query` with such a meaning, in English.
    fn said(query: &str) -> Vec<(&'static str, String)> {
        let words = written(query);
        let found = relations(&words, &vec![false; words.len()]);
        let text = |it: &Translated| {
            let words = words[it.at..it.at + it.length].iter().map(|it| it.word.as_str());
            words.collect::<Vec<_>>().join(" ")
        };
        found.iter().map(|it| (it.english, text(it))).collect()
    }

    #[test]
    fn who_of_us_knows_them_is_read_in_whatever_order_and_language() {
        for (query, expected) in [
            ("Wer von uns kennt jemanden bei Acme", "wer von uns kennt"),
            ("Kennt einer von euch Leute bei Acme", "kennt einer von euch"),
            ("Welcher Kollege hat einen Draht zu Acme", "welcher kollege hat einen draht"),
            ("Qui, dans l'équipe, connaît un avocat", "qui dans l equipe connait"),
            ("Lequel d'entre nous a un contact chez Acme", "lequel d entre nous a un contact"),
            ("¿Alguno de nosotros conoce gente de Acme?", "alguno de nosotros conoce"),
            ("¿Quién del equipo tiene contacto con Acme?", "quien del equipo tiene contacto"),
            ("Wie van ons kent iemand bij Acme", "wie van ons kent"),
            ("Welke collega heeft een ingang bij Acme", "welke collega heeft een ingang"),
            ("which of our colleagues know bankers", "which of our colleagues know"),
            ("Leute, die unsere Kollegen kennen", "unsere kollegen kennen"),
            ("people only our team is connected to", "our team is connected"),
        ] {
            assert_eq!(said(query), [(KNOWN_TO_US, expected.to_owned())], "{query}");
        }
        // The controls: without us, without a word for knowing, and who knows us.
        for query in
            ["Wer kennt jemanden bei Acme", "Wer von uns arbeitet bei Acme", "people who know us", "our team"]
        {
            assert_eq!(said(query), [], "{query}");
        }
    }

    #[test]
    fn whom_nobody_has_asked_is_read_in_whatever_order_and_language() {
        for (query, expected) in [
            ("bankers none of us has ever written to", "none of us has ever written to"),
            ("CFOs, die noch keiner von uns kontaktiert hat", "noch keiner von uns kontaktiert hat"),
            ("Leute, die wir noch nie angesprochen haben", "wir noch nie angesprochen haben"),
            ("à qui on n'a encore rien demandé", "on n a encore rien demande"),
            ("que nous n'avons jamais contactés", "nous n avons jamais contactes"),
            ("a los que nunca hemos escrito", "nunca hemos escrito"),
            ("que nadie de nosotros ha contactado", "nadie de nosotros ha contactado"),
            ("die we nog niet om een intro hebben gevraagd", "we nog niet om een intro hebben gevraagd"),
            ("die niemand van ons gesproken heeft", "niemand van ons gesproken heeft"),
        ] {
            assert_eq!(said(query).first().map(|(_, text)| text.as_str()), Some(expected), "{query}");
        }
        for query in ["die wir schon gefragt haben", "whom did we already ask for an intro"] {
            assert_eq!(said(query).first().map(|it| it.0), Some(ALREADY_ASKED), "{query}");
        }
        // The controls: what others never wrote, and things not asked for.
        for query in ["people who have never written code", "not recruiters", "we asked bankers"] {
            assert_eq!(said(query), [], "{query}");
        }
    }
}
