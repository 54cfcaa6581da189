//! From what a query says to every way in which a text may say the same.

use std::collections::HashSet;

use crate::model::ix::PersonIx;
use crate::search::companies::company_stems;
use crate::search::conditions::{Condition, Draft, KNOWING_MAX, Measure, Query, Term, TermKind};
use crate::search::lexicon::{LEXICON, Level, Meaning, Name, Phrase, WorkField};
use crate::search::measure;
use crate::search::words::stems;

/// The most ways to say one condition.
const PHRASES_MAX: usize = 96;
/// The most of them that are compared by sense.
const SENSES_MAX: usize = 4;
/// Words of a role that only join the others.
const JOINING: [&str; 3] = ["of", "the", "for"];

/// The query that `draft` means. A term without a word in it is left out.
#[must_use]
pub fn resolve(draft: &Draft) -> Query {
    let mut query = Query {
        networks: draft.networks.clone(),
        view: draft.view,
        ignored: draft.ignored.clone(),
        mended: draft.mended.clone(),
        ..Query::default()
    };
    for term in &draft.terms {
        if term.kind == TermKind::Name && has_other_reading(draft, term) {
            continue;
        }
        let Some(condition) = resolve_term(term) else { continue };
        let or_name = term.kind != TermKind::Name && has_other_reading(draft, term);
        let condition = Condition { or_name, ..condition };
        let list = if term.negated { &mut query.exclusions } else { &mut query.conditions };
        if !list.contains(&condition) {
            list.push(condition);
        }
    }
    query.conditions.extend(draft.known_by.as_ref().map(|(people, name)| known_by(people, name)));
    query
}

/// Whether the same words of `draft` are both a name and something else: then they are one condition.
fn has_other_reading(draft: &Draft, term: &Term) -> bool {
    let is_name = |term: &Term| term.kind == TermKind::Name;
    let is_same = |other: &Term| other.text == term.text && other.negated == term.negated;
    draft.terms.iter().any(|other| is_same(other) && is_name(other) != is_name(term))
}

/// The words of the term itself, as texts have them.
#[must_use]
pub fn own_words(condition: &Condition) -> Phrase {
    stems(&condition.term).into_iter().filter(|word| !JOINING.contains(&word.as_str())).collect()
}

fn resolve_term(term: &Term) -> Option<Condition> {
    if matches!(term.kind, TermKind::Size | TermKind::Connections) {
        return measured(term);
    }
    let words = if term.kind == TermKind::Company { company_stems(&term.text) } else { stems(&term.text) };
    let words: Phrase = words.into_iter().filter(|word| !JOINING.contains(&word.as_str())).collect();
    if words.is_empty() {
        return None;
    }
    let ways = match term.kind {
        // Who is not wanted is meant narrowly: "not consultants" leaves strategists in.
        TermKind::Role if term.negated => narrow_role(&words),
        TermKind::Role => role(&words),
        TermKind::Seniority => seniority(&words),
        TermKind::Industry | TermKind::Topic => same_line(&words, &LEXICON.industries, industry_line),
        TermKind::Place => same_line(&words, &LEXICON.places, place_line),
        TermKind::Company | TermKind::Name | TermKind::Size | TermKind::Connections => Ways::default(),
    };
    let mut seen = HashSet::new();
    // A level is told by its titles: an "account executive" is no executive.
    let is_other =
        term.kind == TermKind::Seniority && !ways.phrases.is_empty() && !ways.phrases.contains(&words);
    let said = if is_other { vec![] } else { vec![words] };
    let mut phrases = [said, ways.phrases].concat();
    phrases.retain(|phrase| !phrase.is_empty() && seen.insert(phrase.clone()));
    phrases.truncate(PHRASES_MAX);
    let mut senses = vec![term.text.clone()];
    senses.extend(ways.senses.into_iter().filter(|sense| *sense != term.text).take(SENSES_MAX - 1));
    Some(Condition {
        kind: term.kind,
        term: term.text.clone(),
        phrases,
        senses,
        past: term.past,
        or_name: false,
        measure: None,
    })
}

/// That one of `people`, whom the query calls `name`, knows them.
fn known_by(people: &[PersonIx], name: &str) -> Condition {
    let mut knowing = [None; KNOWING_MAX];
    knowing.iter_mut().zip(people).for_each(|(place, &person)| *place = Some(person));
    Condition {
        kind: TermKind::Connections,
        term: name.to_owned(),
        phrases: Vec::new(),
        senses: Vec::new(),
        past: false,
        or_name: false,
        measure: Some(Measure::KnownBy(knowing)),
    }
}

/// A term that counts; `None` if its words count nothing.
fn measured(term: &Term) -> Option<Condition> {
    Some(Condition {
        kind: term.kind,
        term: term.text.clone(),
        phrases: Vec::new(),
        senses: Vec::new(),
        past: false,
        or_name: false,
        measure: Some(measure::read(term.kind, &term.text)?),
    })
}

/// Other ways to say a term: for words, and for sense.
#[derive(Default)]
struct Ways {
    phrases: Vec<Phrase>,
    senses: Vec<String>,
}

impl Ways {
    /// Names, and the first few of them for their sense.
    fn named(names: &[Name]) -> Self {
        Self {
            phrases: names.iter().map(|name| name.stems.clone()).collect(),
            senses: names.iter().take(2).map(|name| name.said.clone()).collect(),
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.phrases.extend(other.phrases);
        self.senses.extend(other.senses);
        self
    }
}

/// A role's parts: its level, its field or job, and the words that are neither.
struct RoleParts {
    level: Option<&'static Level>,
    work: Option<(&'static WorkField, Work)>,
    other: Phrase,
    /// Whether the field is told by talk about it, not by a title: other words are talk too.
    is_talk: bool,
}

#[derive(Clone, Copy)]
enum Work {
    Whole,
    Chief,
    Job(usize),
}

/// Ways to say a role.
fn role(words: &[String]) -> Ways {
    let parts = take_apart(words);
    let mut ways = match (parts.level, parts.work) {
        (Some(level), Some((field, Work::Job(job)))) => levelled(level, &field.jobs[job]),
        (Some(level), Some((field, _))) => {
            let chiefs = if level.with_chiefs { Ways::named(&field.chiefs) } else { Ways::default() };
            chiefs.and(levelled(level, &field.titles))
        }
        (None, Some((field, Work::Job(job)))) => Ways::named(&field.jobs[job]),
        (None, Some((field, Work::Chief))) => {
            let heads = LEXICON.levels.first().filter(|_| field.name != "general management");
            let heads = heads.map(|level| levelled(level, &field.titles)).unwrap_or_default();
            Ways::named(&field.chiefs).and(heads)
        }
        (None, Some((field, Work::Whole))) => {
            let jobs = field.jobs.iter().map(|job| Ways::named(job));
            jobs.fold(Ways::named(&field.titles).and(Ways::named(&field.chiefs)), Ways::and)
        }
        (Some(level), None) if parts.other.is_empty() => Ways::named(&level.alone),
        (Some(level), None) => {
            let titles = level.titles.iter().map(|title| title.stems.clone());
            Ways { phrases: titles.collect(), senses: Vec::new() }
        }
        (None, None) => Ways::default(),
    };
    if parts.is_talk {
        return ways;
    }
    // "robotics engineer": whatever an engineer is called, robotics is part of it.
    if !parts.other.is_empty() {
        ways.phrases
            .iter_mut()
            .for_each(|phrase| phrase.splice(0..0, parts.other.iter().cloned()).for_each(drop));
        ways.senses.clear();
    }
    ways
}

/// Every name with every title of a level: "head of sales", "vp revenue".
fn levelled(level: &Level, names: &[Name]) -> Ways {
    let combine =
        |title: &Name| names.iter().map(|name| [&title.stems[..], &name.stems].concat()).collect::<Vec<_>>();
    let said = level.titles.first().zip(names.first());
    Ways {
        phrases: level.titles.iter().flat_map(combine).collect(),
        senses: said.map(|(title, name)| format!("{} of {}", title.said, name.said)).into_iter().collect(),
    }
}

/// Only the role's own names.
fn narrow_role(words: &[String]) -> Ways {
    let parts = take_apart(words);
    match (parts.level, parts.work) {
        (None, Some((field, Work::Job(job)))) => Ways::named(&field.jobs[job]),
        (None, Some((field, Work::Chief))) => Ways::named(&field.chiefs),
        (None, Some((field, Work::Whole))) => Ways::named(&field.titles),
        _ => Ways::default(),
    }
}

/// Finds a level and a field in `words`, the longest phrases first.
fn take_apart(words: &[String]) -> RoleParts {
    let lexicon = &*LEXICON;
    let mut role = RoleParts { level: None, work: None, other: Phrase::new(), is_talk: false };
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=(words.len() - at).min(lexicon.words_max)).rev().find_map(|length| {
            let meanings = lexicon.meanings(&words[at..at + length]);
            let work = role.work.is_none().then(|| work_of(meanings)).flatten();
            let level = meanings.iter().find_map(|meaning| match meaning {
                Meaning::Level(level) if role.level.is_none() => Some(*level),
                _ => None,
            });
            (work.is_some() || level.is_some()).then_some((length, level, work))
        });
        match longest {
            Some((length, Some(level), _)) => {
                role.level = Some(&lexicon.levels[level]);
                at += length;
            }
            Some((length, None, work)) => {
                role.is_talk = is_talk(lexicon.meanings(&words[at..at + length]));
                role.work = work.map(|(field, work)| (&lexicon.fields[field], work));
                at += length;
            }
            None => {
                role.other.push(words[at].clone());
                at += 1;
            }
        }
    }
    role
}

fn work_of(meanings: &[Meaning]) -> Option<(usize, Work)> {
    let rank = |meaning: &Meaning| match *meaning {
        Meaning::Chief(field) => Some((0, field, Work::Chief)),
        Meaning::Job(field, job) => Some((1, field, Work::Job(job))),
        Meaning::Title(field) => Some((2, field, Work::Whole)),
        Meaning::Talk(field) => Some((3, field, Work::Whole)),
        _ => None,
    };
    let best = meanings.iter().filter_map(rank).min_by_key(|&(rank, ..)| rank);
    best.map(|(_, field, work)| (field, work))
}

/// Whether talk is all that `meanings` have of a field.
fn is_talk(meanings: &[Meaning]) -> bool {
    let told = |it: &Meaning| matches!(it, Meaning::Title(_) | Meaning::Job(..) | Meaning::Chief(_));
    !meanings.iter().any(told)
}

fn seniority(words: &[String]) -> Ways {
    let level = LEXICON.meanings(words).iter().find_map(|meaning| match meaning {
        Meaning::Level(level) => Some(&LEXICON.levels[*level]),
        _ => None,
    });
    let level = level.or_else(|| LEXICON.levels.iter().find(|level| stems(&level.name) == words));
    level.map(|level| Ways::named(&level.alone)).unwrap_or_default()
}

/// The other names in the lines that have these words.
fn same_line(words: &[String], lines: &[Vec<Name>], line: fn(&Meaning) -> Option<usize>) -> Ways {
    let mut found: Vec<usize> = LEXICON.meanings(words).iter().filter_map(line).collect();
    // The line that the words open is their own; others only mention them.
    if let Some(&own) = found.iter().find(|&&at| lines[at].first().is_some_and(|name| name.stems == words)) {
        found = vec![own];
    }
    found.iter().map(|&at| Ways::named(&lines[at])).fold(Ways::default(), Ways::and)
}

fn industry_line(meaning: &Meaning) -> Option<usize> {
    match meaning {
        Meaning::Industry(line) => Some(*line),
        _ => None,
    }
}

fn place_line(meaning: &Meaning) -> Option<usize> {
    match meaning {
        Meaning::Place(line) => Some(*line),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(kind: TermKind, text: &str) -> Condition {
        let term = Term { kind, text: text.to_owned(), negated: false, past: false };
        resolve(&Draft { terms: vec![term], ..Draft::default() }).conditions.remove(0)
    }

    fn says(condition: &Condition, text: &str) -> bool {
        condition.phrases.contains(&stems(text))
    }

    #[test]
    fn a_role_is_said_in_every_way_its_field_has() {
        for (role, same, other) in [
            (
                "head of finance",
                &["CFO", "VP Finance", "chief financial officer", "director finance"][..],
                "accountant",
            ),
            ("VP Eng", &["CTO", "vice president engineering", "head engineering"], "software programmer"),
            ("recruiter", &["talent acquisition", "sourcer"], "hr manager"),
            ("CFO", &["chief financial officer", "head finance"], "accountant"),
            ("finance", &["CFO", "accountant", "treasury"], "buyer"),
            ("senior recruiters", &["senior recruiter", "lead talent acquisition"], "sourcer"),
            ("head of robotics", &["vp robotics", "director robotics"], "vp"),
        ] {
            let condition = condition(TermKind::Role, role);
            for same in same {
                let sorted =
                    |phrase: &Phrase| phrase.iter().cloned().collect::<std::collections::BTreeSet<_>>();
                let wanted = sorted(&stems(same));
                assert!(
                    condition.phrases.iter().any(|it| sorted(it) == wanted),
                    "{role}: {same}: {condition:?}"
                );
            }
            assert!(!says(&condition, other), "{role}: {other}");
        }
    }

    #[test]
    fn places_and_industries_are_said_as_data_says_them() {
        assert!(says(&condition(TermKind::Place, "Germany"), "DEU"));
        assert!(
            !says(&condition(TermKind::Place, "Germany"), "Ciudad de México"),
            "a word, not the code of a country"
        );
        assert!(says(&condition(TermKind::Place, "Munich"), "München"));
        assert!(says(&condition(TermKind::Place, "Scandinavia"), "Norway"));
        assert!(says(&condition(TermKind::Industry, "fintech"), "financial services"));
        assert!(!says(&condition(TermKind::Place, "Norway"), "Sweden"));
    }

    #[test]
    fn senses_are_plain_words_the_term_first() {
        assert_eq!(
            condition(TermKind::Role, "heads of finance").senses,
            ["heads of finance", "cfo", "chief financial officer", "head of finance"]
        );
        assert_eq!(condition(TermKind::Topic, "quantum").senses, ["quantum"]);
    }

    #[test]
    fn what_is_not_wanted_is_meant_narrowly_and_apart() {
        let negated = Term { kind: TermKind::Role, text: "consultants".into(), negated: true, past: false };
        let empty = Term { kind: TermKind::Topic, text: "?!".into(), negated: false, past: false };
        let query = resolve(&Draft { terms: vec![negated, empty], ..Draft::default() });
        assert!(query.conditions.is_empty());
        assert!(
            says(&query.exclusions[0], "management consultant") && !says(&query.exclusions[0], "strategy")
        );
    }
}
