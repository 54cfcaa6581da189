//! Checks everything that an answer promises about the understood query against a slow look at each person.

use std::collections::BTreeSet;

use kith_server::search::engine::Engine;
use kith_server::search::words::{apart, stems};
use serde_json::Value;

use super::{Asking, Bench, PAGE_MAX, Reckoned};

/// A promise of the answer that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A fault of the listed terms.
    Terms(String),
    /// A fault of the people in the answer, or their reasons.
    Membership(String),
    /// A fault of the number of people who fit.
    Counts(String),
    /// A text that its field does not contain.
    Text(String),
}

/// The strictest search that a person passes who fits the conditions `matched`; 0 for none. `lists` has the number of
/// each condition's list of alternatives, from 0 on; a list counts as one condition.
pub(crate) fn passed(matched: &BTreeSet<usize>, lists: &[usize]) -> usize {
    let met: BTreeSet<usize> = matched.iter().filter_map(|&at| lists.get(at).copied()).collect();
    let (matched, all) = (met.len(), lists.last().map_or(0, |last| last + 1));
    match () {
        () if matched == all => 3,
        () if 2 * matched > all => 2,
        () => usize::from(matched > 0),
    }
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}")).try_into().unwrap()
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

fn id(hit: &Value) -> &str {
    text(&hit["person"]["id"])
}

/// The terms that a hit says it matches.
fn terms_of(hit: &Value) -> BTreeSet<usize> {
    list(&hit["matched"]).iter().map(|matched| number(&matched["term"])).collect()
}

/// Everything that does not hold of `answers`, asked at each strictness.
pub(crate) fn faults(
    bench: &Bench,
    asking: &Asking<'_>,
    answers: &[Value; 3],
    reckoned: &Reckoned,
) -> Vec<Fault> {
    let mut faults = of_terms(bench, answers, reckoned);
    faults.extend(of_membership(answers, &reckoned.lists));
    faults.extend(of_counts(answers, reckoned));
    for answer in answers {
        let terms = list(&answer["meta"]["understood"]);
        for hit in list(&answer["data"]) {
            let fitting = reckoned.fitting.get(id(hit));
            if fitting != Some(&terms_of(hit)) {
                faults.push(Fault::Membership(format!("{} fits {fitting:?}: {hit}", id(hit))));
            }
            faults.extend(
                list(&hit["matched"]).iter().filter_map(|it| of_text(bench, asking.engine, terms, hit, it)),
            );
        }
    }
    faults
}

fn of_terms(bench: &Bench, answers: &[Value; 3], reckoned: &Reckoned) -> Vec<Fault> {
    let mut faults = Vec::new();
    for answer in answers {
        let meta = &answer["meta"];
        let terms = list(&meta["understood"]);
        let read: Vec<&Value> =
            terms.iter().map(|term| term.get("readAs").unwrap_or(&term["term"])).collect();
        if read != list(&meta["searchTerms"]).iter().collect::<Vec<_>>() {
            faults.push(Fault::Terms(format!("{read:?} of {}", meta["searchTerms"])));
        }
        if meta["understood"] != answers[0]["meta"]["understood"]
            || meta["ignored"] != answers[0]["meta"]["ignored"]
        {
            faults.push(Fault::Terms("another strictness understands other terms".to_owned()));
        }
        for term in terms {
            let Some(widened) = term.get("widenedTo") else { continue };
            let fields = ["position", "city", "country", "company", "industry", "headquartersLocation"];
            let is_held = |text: &Value| {
                let mut pool = reckoned.pool.iter();
                pool.any(|person| {
                    fields
                        .iter()
                        .any(|field| bench.texts(person, field).contains(&text.as_str().unwrap().to_owned()))
                })
            };
            let widened = list(widened);
            if !(1..=3).contains(&widened.len()) || !widened.iter().all(is_held) {
                faults.push(Fault::Text(format!("widened to {widened:?}")));
            }
        }
    }
    faults
}

/// Who is in each answer follows from what those of the most relaxed one match.
fn of_membership(answers: &[Value; 3], lists: &[usize]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let terms = list(&answers[0]["meta"]["understood"]);
    let wanted: BTreeSet<usize> = (0..terms.len()).filter(|&at| terms[at]["negated"] == false).collect();
    let lists = &lists[..lists.len().min(wanted.len())];
    let passes = |hit: &Value| passed(&terms_of(hit), lists);
    for (answer, strictness) in answers.iter().zip(1..) {
        let hits = list(&answer["data"]);
        // If nobody fits anything, the most relaxed search lists those who come nearest.
        let lists_nearest = strictness == 1 && number(&answer["meta"]["counts"]["any"]) == 0;
        let least = if lists_nearest { 0 } else { strictness };
        for hit in hits.iter().filter(|hit| passes(hit) < least || !terms_of(hit).is_subset(&wanted)) {
            faults.push(Fault::Membership(format!(
                "at {strictness} with {} of {wanted:?}: {hit}",
                passes(hit)
            )));
        }
        if hits.iter().any(|hit| terms_of(hit).len() != list(&hit["matched"]).len()) {
            faults.push(Fault::Membership("a term is matched twice".to_owned()));
        }
        if !hits.iter().map(passes).rev().is_sorted() {
            faults.push(Fault::Membership("who matches more comes later".to_owned()));
        }
        let relaxed = list(&answers[0]["data"]);
        let kept = relaxed.iter().filter(|hit| passes(hit) >= least).map(id);
        let is_whole = number(&answers[0]["meta"]["totalCount"]) <= PAGE_MAX;
        if is_whole && !kept.eq(hits.iter().map(id)) {
            faults.push(Fault::Membership(format!("others at {strictness}")));
        }
    }
    faults
}

fn of_counts(answers: &[Value; 3], reckoned: &Reckoned) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut check = |holds: bool, reported: String| {
        if !holds {
            faults.push(Fault::Counts(reported));
        }
    };
    for (answer, name) in answers.iter().zip(["any", "most", "every"]) {
        let meta = &answer["meta"];
        let counts = ["any", "most", "every"].map(|name| number(&meta["counts"][name]));
        check(counts == reckoned.counts, format!("{counts:?} for {:?}", reckoned.counts));
        let lists_nearest = name == "any" && counts[0] == 0;
        let is_total = meta["counts"][name] == meta["totalCount"] || lists_nearest;
        check(is_total, format!("{name} and {}", meta["totalCount"]));
        let people: Vec<usize> =
            list(&meta["understood"]).iter().map(|term| number(&term["people"])).collect();
        check(people == reckoned.people, format!("{people:?} for {:?}", reckoned.people));
    }
    faults
}

/// The faults of one match of `person`.
fn of_text(bench: &Bench, engine: Engine, terms: &[Value], hit: &Value, matched: &Value) -> Option<Fault> {
    let person = id(hit);
    let (field, said, how) = (text(&matched["field"]), text(&matched["text"]), text(&matched["how"]));
    let is_held = match field {
        "warmness" => hit["warmness"].as_u64().map(|it| it.to_string()).as_deref() == Some(said),
        _ => bench.texts(person, field).contains(&said.to_owned()),
    };
    let term = terms.get(number(&matched["term"]))?;
    let (own, held) = (stems(text(term.get("readAs").unwrap_or(&term["term"]))), stems(said));
    let kind = text(&term["kind"]);
    let goes_by_name = ["company", "name"].contains(&kind) || ["name", "knownBy", "knows"].contains(&field);
    // The store knows words by their stems as English inflects, "engineering" for "engineer", and "co-founder" as two.
    let alike = |word: &str, other: &str| {
        let start: String = word.chars().take(4).collect();
        let apart = || apart(other).iter().any(|other| other.starts_with(&start));
        word == other || (engine == Engine::Relational && apart())
    };
    let own: Vec<&String> =
        own.iter().filter(|word| !["of", "the", "for"].contains(&word.as_str())).collect();
    let holds = |word: &&String| held.iter().any(|other| alike(word, other));
    let has_words = own.iter().all(holds);
    // If no text holds all words of a role or a topic, those count that hold one.
    let has_part = engine != Engine::Vector && ["role", "topic"].contains(&kind) && own.iter().any(holds);
    let is_right = match how {
        "words" => goes_by_name || has_words || has_part,
        "sense" => !goes_by_name && (engine == Engine::Relational || !has_words),
        "number" => ["size", "connections"].contains(&text(&term["kind"])),
        "past" => field == "pastCompany" && term["past"] == true,
        other => panic!("{other} is no way to match"),
    };
    (!is_held || !is_right).then(|| Fault::Text(format!("{person}: {matched} for {term}")))
}
