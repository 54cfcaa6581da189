//! From what a query says to every way in which a text may say the same.

use crate::search::conditions::{Condition, Draft, Kind, Query, Term};
use crate::search::index::company_stems;
use crate::search::lexicon::{Field, LEXICON, Level, Meaning, Phrase};
use crate::search::words::stems;

/// The most ways to say one condition.
const PHRASES_MAX: usize = 96;

/// The query that `draft` means. A term without a word in it is left out.
#[must_use]
pub fn resolve(draft: &Draft) -> Query {
    let mut query = Query { networks: draft.networks.clone(), ..Query::default() };
    for term in &draft.terms {
        let Some(condition) = resolve_term(term) else { continue };
        let list = if term.negated { &mut query.exclusions } else { &mut query.conditions };
        if !list.contains(&condition) {
            list.push(condition);
        }
    }
    query
}

fn resolve_term(term: &Term) -> Option<Condition> {
    let words = if term.kind == Kind::Company { company_stems(&term.text) } else { stems(&term.text) };
    if words.is_empty() {
        return None;
    }
    let mut phrases = match term.kind {
        // Who is not wanted is meant narrowly: "not consultants" leaves strategists in.
        Kind::Role if term.negated => narrow_role(&words),
        Kind::Role => role(&words),
        Kind::Seniority => seniority(&words),
        Kind::Industry => same_line(&words, &LEXICON.industries, industry_line),
        Kind::Place => same_line(&words, &LEXICON.places, place_line),
        Kind::Topic => topic(&words),
        Kind::Company | Kind::Name => vec![words],
    };
    let mut seen = std::collections::HashSet::new();
    phrases.retain(|phrase| !phrase.is_empty() && seen.insert(phrase.clone()));
    phrases.truncate(PHRASES_MAX);
    Some(Condition { kind: term.kind, term: term.text.clone(), phrases, past: term.past })
}

/// A role's parts: its level, its field or job, and the words that are neither.
struct Role<'a> {
    level: Option<&'a Level>,
    work: Option<(&'a Field, Work)>,
    other: Phrase,
}

#[derive(Clone, Copy)]
enum Work {
    Whole,
    Chief,
    Job(usize),
}

/// Ways to say a role, the words as they were said first.
fn role(words: &[String]) -> Vec<Phrase> {
    let words: Phrase =
        words.iter().filter(|word| !["of", "the", "for"].contains(&word.as_str())).cloned().collect();
    let parts = take_apart(&words);
    let mut phrases = vec![words.clone()];
    let with_other = |phrase: &Phrase| [parts.other.as_slice(), phrase.as_slice()].concat();
    match (parts.level, parts.work) {
        (Some(level), Some((field, work))) => {
            let named = match work {
                Work::Job(job) => &field.jobs[job],
                Work::Whole | Work::Chief => &field.titles,
            };
            let is_leading = level.with_chiefs && !matches!(work, Work::Job(_));
            if is_leading && parts.other.is_empty() {
                phrases.extend(field.chiefs.iter().cloned());
            }
            for title in &level.titles {
                phrases.extend(named.iter().map(|name| with_other(&[title.as_slice(), name].concat())));
            }
        }
        (None, Some((field, Work::Job(job)))) => {
            phrases.extend(field.jobs[job].iter().map(with_other));
        }
        (None, Some((field, Work::Chief))) => {
            phrases.extend(field.chiefs.iter().map(with_other));
            let heads = LEXICON.levels.first().into_iter().flat_map(|level| &level.titles).take(4);
            for title in heads.filter(|_| field.name != "general management") {
                phrases.extend(field.titles.iter().map(|name| [title.as_slice(), name].concat()));
            }
        }
        (None, Some((field, Work::Whole))) => {
            let all = field.titles.iter().chain(&field.chiefs).chain(field.jobs.iter().flatten());
            phrases.extend(all.map(with_other));
        }
        (Some(level), None) if !parts.other.is_empty() => {
            phrases.extend(level.titles.iter().map(|title| [title.as_slice(), &parts.other].concat()));
        }
        (Some(level), None) => phrases.extend(level.alone.iter().cloned()),
        (None, None) => {}
    }
    phrases
}

/// Only the role's own names.
fn narrow_role(words: &[String]) -> Vec<Phrase> {
    let parts = take_apart(words);
    let mut phrases = vec![words.to_vec()];
    match (parts.level, parts.work) {
        (None, Some((field, Work::Job(job)))) => phrases.extend(field.jobs[job].iter().cloned()),
        (None, Some((field, Work::Chief))) => phrases.extend(field.chiefs.iter().cloned()),
        (None, Some((field, Work::Whole))) => phrases.extend(field.titles.iter().cloned()),
        _ => {}
    }
    phrases
}

/// Finds a level and a field in `words`, the longest phrases first.
fn take_apart(words: &[String]) -> Role<'static> {
    let lexicon = &*LEXICON;
    let mut role = Role { level: None, work: None, other: Phrase::new() };
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

fn seniority(words: &[String]) -> Vec<Phrase> {
    let level = LEXICON.meanings(words).iter().find_map(|meaning| match meaning {
        Meaning::Level(level) => Some(&LEXICON.levels[*level]),
        _ => None,
    });
    let level = level.or_else(|| LEXICON.levels.iter().find(|level| stems(&level.name) == words));
    let alone = level.map_or(&[][..], |level| &level.alone);
    std::iter::once(words.to_vec()).chain(alone.iter().cloned()).collect()
}

fn topic(words: &[String]) -> Vec<Phrase> {
    // A topic that a directory has its own words for: "payments".
    same_line(words, &LEXICON.industries, industry_line)
}

/// The words themselves, then the other names in the lines that have them.
fn same_line(words: &[String], lines: &[Vec<Phrase>], line: fn(&Meaning) -> Option<usize>) -> Vec<Phrase> {
    let mut found: Vec<usize> = LEXICON.meanings(words).iter().filter_map(line).collect();
    // The line that the words open is their own; others only mention them.
    if let Some(&own) = found.iter().find(|&&at| lines[at].first().is_some_and(|name| name == words)) {
        found = vec![own];
    }
    let others = found.iter().flat_map(|&at| lines[at].iter().cloned());
    std::iter::once(words.to_vec()).chain(others).collect()
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

    fn condition(kind: Kind, text: &str) -> Condition {
        let term = Term { kind, text: text.to_owned(), negated: false, past: false };
        resolve(&Draft { terms: vec![term], networks: Vec::new() }).conditions.remove(0)
    }

    fn says(condition: &Condition, text: &str) -> bool {
        condition.phrases.contains(&stems(text))
    }

    #[test]
    fn a_role_is_said_in_every_way_its_field_has() {
        for (role, same, other) in [
            (
                "head of finance",
                &["CFO", "VP Finance", "chief financial officer", "finance director"][..],
                "accountant",
            ),
            ("VP Eng", &["CTO", "vice president engineering", "head engineering"], "software engineer"),
            ("recruiter", &["talent acquisition", "sourcer"], "hr manager"),
            ("CFO", &["chief financial officer", "head finance"], "accountant"),
            ("finance", &["CFO", "accountant", "treasury"], "buyer"),
            ("senior recruiters", &["senior recruiter", "lead talent acquisition"], "recruiter"),
            ("head of robotics", &["vp robotics", "director robotics"], "robotics"),
        ] {
            let condition = condition(Kind::Role, role);
            same.iter().for_each(|same| assert!(says(&condition, same), "{role}: {same}: {condition:?}"));
            assert!(!says(&condition, other), "{role}: {other}");
        }
    }

    #[test]
    fn places_and_industries_are_said_as_data_says_them() {
        assert!(says(&condition(Kind::Place, "Germany"), "DEU"));
        assert!(says(&condition(Kind::Place, "Munich"), "München"));
        assert!(says(&condition(Kind::Place, "Scandinavia"), "Norway"));
        assert!(says(&condition(Kind::Industry, "fintech"), "financial services"));
        assert!(!says(&condition(Kind::Place, "Norway"), "Sweden"));
    }

    #[test]
    fn what_is_not_wanted_is_meant_narrowly_and_apart() {
        let negated = Term { kind: Kind::Role, text: "consultants".into(), negated: true, past: false };
        let empty = Term { kind: Kind::Topic, text: "?!".into(), negated: false, past: false };
        let query = resolve(&Draft { terms: vec![negated, empty], networks: Vec::new() });
        assert!(query.conditions.is_empty());
        assert!(
            says(&query.exclusions[0], "management consultant") && !says(&query.exclusions[0], "strategy")
        );
    }
}
