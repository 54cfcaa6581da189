//! The set keeps its own promises: every judgement is about the data, neither half is easier, and a paraphrase is one.

use std::collections::{BTreeMap, BTreeSet};

use kith_server::search::conditions::{TERM_CHARS_MAX, TERMS_MAX};

use crate::judged::case::{Case, NETWORKS, REACHES, cases};
use crate::judged::fields::singular_words;
use crate::judged::set::{Clause, Half, Judged, judged_queries};

/// Classes of queries, each with how many there are at least.
const CLASSES: [(&str, usize); 10] = [
    ("plain", 12),
    ("paraphrase", 50),
    ("filter", 30),
    ("typo", 10),
    ("negation", 10),
    ("name", 6),
    ("company", 6),
    ("past", 6),
    ("network", 8),
    ("abbreviation", 8),
];

/// The fields that a rule may look at.
const LOOKED_AT: [&str; 8] = [
    "people",
    "positions",
    "industries",
    "companies",
    "cities",
    "countries",
    "headquarters",
    "past_companies",
];

/// Words that carry no sense of their own.
const SMALL_WORDS: [&str; 19] = [
    "a", "an", "and", "at", "anyone", "by", "contact", "folk", "for", "from", "in", "of", "on", "out",
    "people", "the", "their", "up", "who",
];

/// The share of a pool that a query has to leave out.
const LEFT_OUT_MIN: f64 = 0.6;

#[test]
fn the_set_is_large_and_its_halves_are_alike() {
    let queries = judged_queries();
    assert!(queries.len() >= 170, "{}", queries.len());
    let ids: BTreeSet<&str> = queries.iter().map(|query| query.id.as_str()).collect();
    assert_eq!(ids.len(), queries.len(), "an id is there twice");
    let asked: BTreeSet<_> = queries.iter().map(|it| (&it.network, it.query.to_lowercase())).collect();
    assert_eq!(asked.len(), queries.len(), "a query is there twice");
    let mut counts: BTreeMap<(&str, &str), [usize; 2]> = BTreeMap::new();
    for query in &queries {
        assert!(NETWORKS.contains(&query.network.as_str()), "{}: {}", query.id, query.network);
        let entry = counts.entry((&query.network, &query.class)).or_default();
        entry[usize::from(query.half == Half::HeldOut)] += 1;
    }
    for (of, [tune, held_out]) in &counts {
        assert_eq!(tune, held_out, "{of:?}");
    }
    for (class, at_least) in CLASSES {
        let count = queries.iter().filter(|query| query.class == class).count();
        assert!(count >= at_least, "{class}: {count}");
    }
    assert!(queries.iter().all(|query| CLASSES.iter().any(|(class, _)| *class == query.class)));
}

/// The faults of one query that show without its network.
fn faults_of_line(query: &Judged) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |holds: bool, fault: &str| {
        if !holds {
            faults.push(format!("{}: {fault}", query.id));
        }
    };
    let says = |said: fn(&Judged) -> bool, class: &str| said(query) || query.class != class;
    check(query.fields.len() <= TERMS_MAX && !query.fields.is_empty(), "too few or many fields");
    check(says(|it| it.fields.iter().any(|field| field.negated), "negation"), "nothing is negated");
    check(says(|it| it.fields.iter().any(|field| field.past), "past"), "nothing is past");
    check(says(|it| !it.networks.is_empty(), "network"), "no network is named");
    check(query.networks.iter().all(|it| REACHES.contains(&it.as_str())), "an unknown network");
    let asked = query.query.to_lowercase();
    for field in &query.fields {
        let length = field.text.chars().count();
        check(field.kind().is_some(), "an unknown kind");
        check((1..=TERM_CHARS_MAX).contains(&length), "a text too short or long");
        check(asked.contains(&field.text.to_lowercase()), "a field that is not in the query");
    }
    check(!query.relevant.is_empty(), "no rule");
    for (name, clause) in &query.relevant {
        for (of, values) in clause.parts(name.trim_start_matches("not_")) {
            check(LOOKED_AT.contains(&of), "a clause about something unknown");
            check(!values.is_empty(), "an empty clause");
        }
    }
    if query.class == "paraphrase" {
        faults.extend(words_given_away(query).map(|word| format!("{}: says {word:?}", query.id)));
    }
    faults
}

/// Words of a query that the positions and industries meant have, too, or that begin as one of theirs.
fn words_given_away(query: &Judged) -> impl Iterator<Item = String> {
    let clauses = query.relevant.iter().flat_map(|(name, clause)| clause.parts(name));
    let texts = clauses.filter(|(of, _)| ["positions", "industries"].contains(of));
    let meant: BTreeSet<String> =
        texts.flat_map(|(_, values)| values).flat_map(|text| singular_words(text)).collect();
    let begins_as = |word: &str, other: &str| {
        let start: String = word.chars().take(6).collect();
        start.chars().count() == 6 && other.starts_with(&start)
    };
    singular_words(&query.query)
        .into_iter()
        .filter(|word| !SMALL_WORDS.contains(&word.as_str()))
        .filter(move |word| meant.iter().any(|other| other == word || begins_as(word, other)))
}

#[test]
fn every_line_is_in_shape_and_no_paraphrase_gives_itself_away() {
    let faults: Vec<String> = judged_queries().iter().flat_map(faults_of_line).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The faults of one query over its network.
fn faults_in_network(case: &Case, query: &Judged) -> Vec<String> {
    let mut faults = unknown_values(case, query);
    let (pool, relevant) = (case.pool_named(query).len(), case.relevant(query).len());
    // If the query names neither networks nor a member, the organization alone has to hold them.
    let narrow = query.as_user.is_none() && query.networks.is_empty();
    let held = case.pool_of(query, |name| !narrow || name == "organization");
    let held = case.relevant(query).intersection(&held).count();
    if held < if query.class == "name" { 1 } else { 2 } {
        faults.push(format!("{}: {held} people are meant", query.id));
    }
    if relevant as f64 >= (1.0 - LEFT_OUT_MIN) * pool as f64 {
        faults.push(format!("{}: {relevant} of {pool} people are meant", query.id));
    }
    faults
}

/// The values of a rule that nobody and no company has.
fn unknown_values(case: &Case, query: &Judged) -> Vec<String> {
    let clauses = query.relevant.iter();
    let parts = clauses.flat_map(|(name, clause)| clause.parts(name.trim_start_matches("not_")));
    let mut unknown = Vec::new();
    for (of, values) in parts {
        let known = known_values(case, of);
        let new = values.iter().filter(|value| !known.contains(value.as_str()));
        unknown.extend(new.map(|value| format!("{}: no {of} {value:?}", query.id)));
    }
    unknown
}

/// All values in a network of what a clause is called.
fn known_values<'a>(case: &'a Case, of: &str) -> BTreeSet<&'a str> {
    let companies = case.network.companies.values();
    match of {
        "companies" => companies.map(|company| company.id.as_str()).collect(),
        "industries" => companies.filter_map(|company| company.industry.as_deref()).collect(),
        "headquarters" => companies.filter_map(|company| company.headquarters_location.as_deref()).collect(),
        of => case.network.people.keys().flat_map(|person| case.values(person, of)).collect(),
    }
}

#[test]
fn every_query_means_some_people_of_its_network_and_not_most() {
    let mut seen = 0;
    for case in cases() {
        let faults: Vec<String> =
            case.queries.iter().flat_map(|query| faults_in_network(&case, query)).collect();
        assert!(faults.is_empty(), "{faults:#?}");
        seen += case.queries.len();
    }
    assert!(seen >= 120, "{seen}");
}

/// A clause of one of these values.
fn values(values: &[&str]) -> Clause {
    Clause::Values(values.iter().map(|it| (*it).to_owned()).collect())
}

/// Makes one fault in a query.
type Spoil = Box<dyn Fn(&mut Judged)>;

/// The control: each fault made on purpose is found.
#[test]
fn faulty_queries_are_found() {
    let cases = cases();
    let case = &cases[0];
    let good = case.queries.iter().find(|query| query.query == "bean counters in Poland").unwrap();
    let all = |query: &Judged| [faults_of_line(query), faults_in_network(case, query)].concat();
    assert_eq!(all(good), [""; 0]);
    let rows: [(&str, &str, Spoil); 7] = [
        (
            "a word given away",
            "says \"accountant\"",
            Box::new(|it| it.query = "Accountants in Poland".into()),
        ),
        ("a field made up", "not in the query", Box::new(|it| it.fields[0].text = "cfo".into())),
        ("an unknown kind", "unknown kind", Box::new(|it| it.fields[0].kind = "job".into())),
        ("a class in name only", "nothing is negated", Box::new(|it| it.class = "negation".into())),
        (
            "a value made up",
            "no positions \"Wizard\"",
            Box::new(|it| drop(it.relevant.insert("positions".into(), values(&["Wizard", "CFO"])))),
        ),
        (
            "nobody is meant",
            ": 0 people are meant",
            Box::new(|it| drop(it.relevant.insert("countries".into(), values(&["Kenya"])))),
        ),
        (
            "nearly everybody is meant",
            "people are meant",
            Box::new(|it| {
                it.relevant = [("not_positions".to_owned(), values(&["CFO"]))].into();
            }),
        ),
    ];
    for (fault, reported, make) in rows {
        let mut query = good.clone();
        make(&mut query);
        let faults = all(&query);
        assert!(faults.iter().any(|it| it.contains(reported)), "{fault}: {faults:?}");
    }
}
