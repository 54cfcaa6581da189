//! In which classes of queries searches are worse than the bare model, which compares the query as one vector with each
//! person's texts as one vector.
//!
//! Promise: In no class of later queries is a search worse than the bare model, beyond the 95 % interval of the
//!   difference.
//! Control: answers to other queries of the class are worse than it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kith_embed::model::{Model, Vector};
use kith_server::live::network::LiveNetwork;
use kith_server::search::engine::{Engines, Mode};
use kith_server::search::question::{Question, ask};
use kith_server::search::rank::Strictness;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::judged::case::{Case, NETWORKS, cases};
use crate::judged::metrics::{DEPTH, score};
use crate::judged::set::Judged;
use crate::support::network_of;

/// How often the queries of a class are drawn anew.
const DRAWS: usize = 2000;
/// Fewer queries of a class show nothing.
const QUERIES_MIN: usize = 10;

/// The texts of a person in one line.
fn profile(case: &Case, person: &str) -> String {
    let company = case.network.people[person].company_id.as_ref();
    let company = company.and_then(|id| case.network.companies.get(id)).map(|it| it.name.as_str());
    let of = |of: &'static str| case.values(person, of);
    let texts = of("positions").into_iter().chain(company).chain(of("industries"));
    let places = ["cities", "countries", "headquarters"].into_iter().flat_map(of);
    texts.chain(places).collect::<Vec<_>>().join(" ")
}

/// The people who may be found, the nearest vectors first.
fn nearest(case: &Case, vectors: &BTreeMap<&str, Vector>, query: &Judged) -> Vec<String> {
    let vector = Model::own().embed(&query.query);
    let cosine = |other: &Vector| vector.0.iter().zip(other.0).map(|(one, other)| one * other).sum::<f32>();
    let pool = case.pool(query);
    let mut people: Vec<(f32, &String)> = pool.iter().map(|it| (cosine(&vectors[it.as_str()]), it)).collect();
    people.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    people.into_iter().take(DEPTH).map(|(_, person)| person.clone()).collect()
}

/// The people whom a search finds, best first.
fn searched(network: &LiveNetwork, query: &Judged) -> Vec<String> {
    let question = Question {
        text: query.query.clone(),
        networks: None,
        strictness: Strictness::Relaxed,
        view: None,
        acting: query.as_user.as_ref().and_then(|user| network.index.find_user(user)),
        explains: false,
        names_ties: false,
        limit: DEPTH as u32,
        mode: Mode::Auto,
    };
    let searched = network.searched(Engines::ALL, Instant::now() + Duration::from_secs(60));
    let found = ask(searched, &question, None).unwrap();
    found.people.into_iter().map(|it| it.person.id.to_owned()).collect()
}

/// By class, the nDCG of each query: as searched, of the bare model, and of the answer to another query.
fn scores(cases: &[Case]) -> BTreeMap<String, Vec<[f64; 3]>> {
    let mut scores: BTreeMap<String, Vec<[f64; 3]>> = BTreeMap::new();
    for case in cases {
        let network = network_of(&case.folder);
        let people: Vec<&str> = case.network.people.keys().map(String::as_str).collect();
        let vector = |&person: &&'_ str| Model::own().embed(&profile(case, person));
        let vectors = people.par_iter().map(vector).collect::<Vec<_>>();
        let vectors = people.iter().copied().zip(vectors).collect();
        let queries: Vec<&Judged> = case.later.iter().flatten().filter(|it| it.expect.is_none()).collect();
        let found: Vec<Vec<String>> = queries.par_iter().map(|query| searched(&network, query)).collect();
        for (at, query) in queries.iter().enumerate() {
            let (relevant, partly) = (case.relevant(query), case.partly(query));
            let bare = nearest(case, &vectors, query);
            let answers = [&found[at], &bare, &found[(at + 1) % found.len()]];
            let row = answers.map(|answer| score(answer, &relevant, &partly).ndcg);
            scores.entry(query.class.clone()).or_default().push(row);
        }
    }
    scores
}

/// The upper end of the 95 % interval of the mean, by drawing anew.
fn upper_end(differences: &[f64]) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(42);
    let mut draw = || differences[random.next_u32() as usize % differences.len()];
    let mean = |_| (0..differences.len()).map(|_| draw()).sum::<f64>() / differences.len() as f64;
    let mut means: Vec<f64> = (0..DRAWS).map(mean).collect();
    means.sort_by(f64::total_cmp);
    means[DRAWS * 39 / 40]
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what this is run for")]
fn no_class_is_answered_worse_than_by_the_bare_model() {
    let cases = cases();
    if cases.len() < NETWORKS.len() {
        return;
    }
    println!("| class | queries | auto | bare model | difference at most |");
    let mut worse = 0;
    for (class, scores) in scores(&cases).into_iter().filter(|(_, scores)| scores.len() >= QUERIES_MIN) {
        let mean = |at: usize| scores.iter().map(|it| it[at]).sum::<f64>() / scores.len() as f64;
        let end = |at: usize| upper_end(&scores.iter().map(|it| it[at] - it[1]).collect::<Vec<_>>());
        println!("| {class} | {} | {:.3} | {:.3} | {:+.3} |", scores.len(), mean(0), mean(1), end(0));
        assert!(end(0) >= 0.0, "{class}");
        worse += usize::from(end(2) < 0.0);
    }
    assert!(worse > 0, "the control");
}
