//! Results of the endpoint: every engine over both sets.

use axum::body::Body;
use axum::http::Request;
use kith::limits::Limits;
use serde_json::{Value, json};

use crate::judged::case::{Case, NETWORKS, cases};
use crate::judged::metrics::{DEPTH, Score, score};
use crate::judged::set::{Expected, Half, Judged, LATER_SETS, judged_queries};
use crate::judged::table::Scores;
use crate::support::{Credentials, Served, stored};

/// The modes, each with the backend that has to answer; `None` if the service chooses it.
const MODES: [(&str, Option<&str>); 4] = [
    ("vector", Some("graph-vector")),
    ("graph", Some("graph-keyword")),
    ("relational", Some("relational")),
    ("auto", None),
];

/// Maximum entries of a page.
const PAGE_MAX: usize = 50;
/// The least nDCG of `auto`, tune and held_out, over all queries and by some classes, if all networks are here.
// Six of them were .01 to .07 higher before a reader that has learned reads words that the rules do not know, and one .07 lower.
const NDCG_LEAST: [(&str, [f64; 2]); 14] = [
    ("all", [0.91, 0.85]),
    ("clauses", [0.69, 0.56]),
    ("connections", [0.83, 0.66]),
    ("dutch", [0.92, 0.70]),
    ("filter", [0.94, 0.86]),
    ("french", [0.85, 0.86]),
    ("german", [0.80, 0.83]),
    ("negation", [0.98, 0.89]),
    ("past", [0.72, 0.90]),
    ("plain-filter", [0.86, 0.97]),
    ("relation", [0.87, 0.76]),
    // 0.67 before the reader learned more, by which a single query of 13 fell from 1 to 0.
    ("short-forms", [0.67, 0.60]),
    ("size", [0.81, 0.97]),
    ("spanish", [0.92, 0.86]),
];

/// Likewise of those that were written later, set by set.
const LATER_LEAST: [&[(&str, [f64; 2])]; LATER_SETS] = [
    &[
        ("all", [0.82, 0.66]),
        // 0.55 (.598 of 7 queries) before lists of alternatives were one condition and titles of other languages were read.
        ("clauses", [0.74, 0.45]),
        ("connections", [0.90, 0.60]),
        ("negation", [0.82, 0.79]),
        ("vague", [0.60, 0.18]),
    ],
    &[("all", [0.83, 0.85]), ("negation", [0.83, 0.87]), ("relation", [0.65, 0.62])],
    &[
        // 0.85 while the words of people outside weighed too, who are in no answer.
        ("all", [0.84, 0.85]),
        ("multilingual", [0.76, 0.91]),
        ("negation", [0.94, 0.88]),
        ("relation", [0.74, 0.99]),
        ("size", [0.60, 0.77]),
    ],
    &[("all", [0.84, 0.72])],
    &[("all", [0.78, 0.70])],
];

/// The reply.
#[derive(Clone, Debug)]
struct Found {
    /// Best first.
    people: Vec<String>,
    total: usize,
}

/// A network in service.
struct Bench {
    case: Case,
    served: Served,
    key: String,
    /// The folder of the snapshot and its store, kept for as long as they are in use.
    _folder: tempfile::TempDir,
    /// Likewise, who may ask.
    _credentials: Credentials,
}

impl Bench {
    /// Every network that is here.
    fn all() -> Vec<Self> {
        let bench = |case: Case| {
            let credentials = Credentials::new();
            let key = credentials.key(&case.organization);
            let folder = tempfile::tempdir().unwrap();
            let served =
                Served::networks([stored(&case.folder, folder.path())], &credentials, Limits::DEFAULT);
            Self { case, served, key, _folder: folder, _credentials: credentials }
        };
        cases().into_iter().map(bench).collect()
    }

    async fn ask(&self, query: &Judged, mode: (&str, Option<&str>), strictness: u8, limit: usize) -> Found {
        let mut body = json!({ "query": query.query, "mode": mode.0, "limit": limit });
        body["strictness"] = strictness.into();
        if let Some(user) = &query.as_user {
            body["asUserId"] = user.as_str().into();
        }
        let request = Request::post("/api/v1/search/network")
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let answer = self.served.send(request).await;
        let said = String::from_utf8_lossy(&answer.bytes);
        assert_eq!(answer.status, 200, "{} {mode:?}: {said}", query.id);
        let json = answer.json();
        if let Some(backend) = mode.1 {
            assert_eq!(json["meta"]["backend"], backend, "{}: {said}", query.id);
        }
        found(&json)
    }
}

fn found(answer: &Value) -> Found {
    let people = answer["data"].as_array().unwrap().iter();
    let people = people.map(|row| row["person"]["id"].as_str().unwrap().to_owned()).collect();
    Found { people, total: answer["meta"]["totalCount"].as_u64().unwrap().try_into().unwrap() }
}

/// The queries of a case that are scored.
#[derive(Clone, Copy)]
enum Chosen {
    /// Those of the first two sets that mean people.
    First,
    /// Those of one of the sets that were written later.
    Later(usize),
}

impl Chosen {
    fn of(self, case: &Case) -> Vec<&Judged> {
        match self {
            Self::First => {
                case.queries.iter().chain(&case.more).filter(|query| query.expect.is_none()).collect()
            }
            Self::Later(set) => case.later[set].iter().collect(),
        }
    }
}

/// The scores of all `chosen` queries, asked as a caller would who sets `mode` alone.
async fn scores_of(benches: &[Bench], chosen: Chosen, mode: (&str, Option<&str>)) -> Vec<Score> {
    let mut scores = Vec::new();
    for bench in benches {
        for query in chosen.of(&bench.case) {
            let found = bench.ask(query, mode, 1, DEPTH).await;
            scores.push(score(&found.people, &bench.case.relevant(query), &bench.case.partly(query)));
        }
    }
    scores
}

/// The scores of all modes.
async fn scores(benches: &[Bench]) -> Scores {
    let mut engines = Vec::new();
    for mode in MODES {
        engines.push((mode.0, scores_of(benches, Chosen::First, mode).await));
    }
    Scores {
        queries: benches
            .iter()
            .flat_map(|bench| Chosen::First.of(&bench.case).into_iter().cloned())
            .collect(),
        engines,
    }
}

/// Asserts the `least` nDCG of `auto` by class, tune and held_out.
#[track_caller]
fn assert_least(scores: &Scores, least: &[(&str, [f64; 2])]) {
    for &(class, least) in least {
        for (half, least) in Half::BOTH.into_iter().zip(least) {
            let is_in = |it: &Judged| it.half == half && (class == "all" || it.class == class);
            let found = scores.of("auto", is_in).unwrap().ndcg;
            assert!(found >= least, "{class}, {half:?}: nDCG {found}");
        }
    }
}

#[tokio::test]
#[allow(clippy::print_stdout, reason = "the table is what this is run for")]
async fn the_vector_engine_finds_paraphrases_that_keywords_miss_and_auto_is_the_best_of_all() {
    let benches = Bench::all();
    let scores = scores(&benches).await;
    println!("{}", scores.table());
    if benches.len() == NETWORKS.len() {
        assert_least(&scores, &NDCG_LEAST);
    }
    for half in Half::BOTH {
        let of = |engine| scores.of(engine, |it| it.half == half && it.class == "paraphrase").unwrap();
        let (vector, keyword) = (of("vector"), of("graph"));
        let said = format!("{half:?}: vector {vector:?}, keyword {keyword:?}");
        assert!(vector.recall > keyword.recall && vector.mrr > keyword.mrr, "{said}");
    }
    let recall = |engine| scores.of(engine, |_| true).unwrap().recall;
    let best = ["vector", "graph", "relational"].map(recall).into_iter().fold(0.0, f64::max);
    assert!(recall("auto") >= best, "auto {}, the best engine {best}", recall("auto"));
}

#[tokio::test]
#[allow(clippy::print_stdout, reason = "the table is what this is run for")]
async fn queries_that_were_written_later_are_answered_too() {
    let benches = Bench::all();
    for (set, least) in LATER_LEAST.into_iter().enumerate() {
        let chosen = Chosen::Later(set);
        let auto = scores_of(&benches, chosen, ("auto", None)).await;
        let queries = benches.iter().flat_map(|bench| chosen.of(&bench.case).into_iter().cloned()).collect();
        let scores = Scores { queries, engines: vec![("auto", auto)] };
        println!("{}", scores.table());
        if benches.len() == NETWORKS.len() {
            assert_least(&scores, least);
        }
    }
}

#[tokio::test]
async fn a_query_without_a_letter_or_a_digit_finds_nobody() {
    for bench in Bench::all() {
        for query in bench.case.more.iter().filter(|query| query.expect == Some(Expected::Nobody)) {
            for mode in MODES {
                let found = bench.ask(query, mode, 1, PAGE_MAX).await;
                assert!(
                    found.people.is_empty() && found.total == 0,
                    "{} {:?} {mode:?}",
                    query.id,
                    query.query
                );
            }
        }
    }
}

/// Why the answer to a stricter search cannot be right, given that of a more relaxed one.
fn grew(relaxed: &Found, strict: &Found) -> Option<String> {
    if strict.total > relaxed.total {
        return Some(format!("{} people became {}", relaxed.total, strict.total));
    }
    // A page that does not hold everybody says nothing about who is missing from it.
    let is_whole = relaxed.total <= PAGE_MAX;
    let new = strict.people.iter().find(|person| is_whole && !relaxed.people.contains(person));
    new.map(|person| format!("{person} is new"))
}

#[tokio::test]
async fn a_stricter_search_finds_nobody_new_in_any_engine() {
    for bench in Bench::all() {
        for query in &bench.case.queries {
            for mode in MODES {
                let mut relaxed = bench.ask(query, mode, 1, PAGE_MAX).await;
                for strictness in [2, 3] {
                    let strict = bench.ask(query, mode, strictness, PAGE_MAX).await;
                    let said = grew(&relaxed, &strict);
                    assert_eq!(said, None, "{} {:?} {mode:?} at {strictness}", query.id, query.query);
                    relaxed = strict;
                }
            }
        }
    }
}

/// A person in the answer who is not in the pool, or who is there twice.
fn stranger<'a>(found: &'a Found, pool: &crate::judged::case::People) -> Option<&'a String> {
    let mut seen = crate::judged::case::People::new();
    found.people.iter().find(|person| !pool.contains(*person) || !seen.insert((*person).clone()))
}

#[tokio::test]
async fn everybody_found_is_in_the_networks_searched() {
    for bench in Bench::all() {
        for query in &bench.case.queries {
            let pool = bench.case.pool(query);
            for mode in MODES {
                let found = bench.ask(query, mode, 1, PAGE_MAX).await;
                assert_eq!(stranger(&found, &pool), None, "{} {:?} {mode:?}", query.id, query.query);
                let length = found.total.min(PAGE_MAX);
                assert!(found.total <= pool.len() && found.people.len() == length, "{} {mode:?}", query.id);
            }
        }
    }
}

/// The control: the comparisons above see answers that are wrong.
#[test]
fn wrong_answers_are_seen() {
    let found = |ids: &str, total| Found { people: ids.chars().map(String::from).collect(), total };
    for (relaxed, strict, wrong) in [
        (found("abc", 3), found("ca", 2), false),
        (found("abc", 3), found("abc", 3), false),
        (found("abc", 3), found("", 0), false),
        (found("abc", 3), found("ad", 2), true),
        (found("abc", 3), found("abc", 4), true),
        (found("abc", 51), found("xyz", 50), false),
        (found("abc", 51), found("abc", 52), true),
    ] {
        assert_eq!(grew(&relaxed, &strict).is_some(), wrong, "{relaxed:?} {strict:?}");
    }
    let pool = found("abc", 3).people.into_iter().collect();
    for (ids, wrong) in [("", false), ("cab", false), ("abd", true), ("aba", true)] {
        assert_eq!(stranger(&found(ids, 0), &pool).is_some(), wrong, "{ids}");
    }
}

/// The control: an answer is read from where the API puts it.
#[test]
fn an_answer_is_read_as_the_api_writes_it() {
    let answer = json!({
        "data": [{"person": {"id": "person_b"}}, {"person": {"id": "person_a"}}],
        "meta": {"totalCount": 7, "backend": "graph-vector"},
    });
    let found = found(&answer);
    assert_eq!((found.people, found.total), (vec!["person_b".to_owned(), "person_a".to_owned()], 7));
    assert!(!judged_queries().is_empty());
}
