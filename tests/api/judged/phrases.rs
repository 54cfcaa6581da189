//! Phrases that describe a role, an industry or a place without its name: how well searches find the described names.
//!
//! The test network has one person for each distinct position, industry, city and country of the judged networks, so
//! that names are found, not people; positions of the demos that differ only in the level count as one.
//!
//! Promise: Phrases that describe a role, an industry or a place find it among all names of the judged networks, as
//!   they are and with a typo.
//! Control: the bare model, which compares the phrase with each name: it does not reach the floors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use kith_embed::model::{Model, Vector};
use kith_server::live::network::LiveNetwork;
use kith_server::search::engine::{Engines, Mode};
use kith_server::search::question::{Question, ask};
use kith_server::search::rank::Strictness;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::judged::case::{Case, NETWORKS, cases};
use crate::judged::metrics::DEPTH;
use crate::judged::set::Half;
use crate::support::network_of;

const PHRASES: &str = include_str!("phrases.ndjson");
/// Levels that stand before a position of the demos.
const LEVELS: [&str; 6] = ["Senior", "Principal", "Lead", "Staff", "Junior", "Freelance"];

/// The least recall at 10 and mean reciprocal rank, as the phrases are and with a typo: of the searches, and what the
/// bare model does not reach.
const LEAST: [(f64, f64); 2] = [(0.63, 0.67), (0.58, 0.65)];

/// A row of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrase {
    id: String,
    #[serde(rename = "split")]
    half: Half,
    kind: String,
    phrase: String,
    typo: Option<String>,
    names: BTreeSet<String>,
}

fn phrases() -> Vec<Phrase> {
    PHRASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Phrase {
    /// Whether a careful reader accepts `name`, with or without its level.
    fn accepts(&self, name: &str) -> bool {
        self.names.contains(name) || self.names.contains(without_level(name))
    }
}

/// A position without its level.
fn without_level(name: &str) -> &str {
    match name.split_once(' ') {
        Some((level, rest)) if LEVELS.contains(&level) => rest,
        _ => name.strip_suffix(" Intern").unwrap_or(name),
    }
}

/// The distinct names, each with its table's field.
fn names(cases: &[Case], phrases: &[Phrase]) -> BTreeMap<String, &'static str> {
    let listed: BTreeSet<&str> = phrases.iter().flat_map(|it| &it.names).map(String::as_str).collect();
    let mut names: BTreeMap<String, &'static str> = BTreeMap::new();
    for (of, field) in
        [("cities", "city"), ("countries", "city"), ("industries", "industry"), ("positions", "position")]
    {
        for case in cases {
            let values = case.network.people.keys().flat_map(|person| case.values(person, of));
            names.extend(values.filter(|it| !it.trim().is_empty()).map(|value| (value.to_owned(), field)));
        }
    }
    let all: BTreeSet<String> = names.keys().cloned().collect();
    names.retain(|name, _| {
        let short = without_level(name);
        short == name || listed.contains(name.as_str()) || !all.contains(short)
    });
    names
}

/// The network of one person for each name, and the names by their people's ids.
fn network(names: &BTreeMap<String, &'static str>, folder: &Path) -> (LiveNetwork, BTreeMap<String, String>) {
    let mut lines: BTreeMap<&str, Vec<serde_json::Value>> = BTreeMap::new();
    let member = json!({"userId": "user_m", "personId": "person_m", "role": "admin", "joinedAt": "2024-01-01T00:00:00Z"});
    lines.entry("members").or_default().push(member);
    lines.entry("people").or_default().push(json!({"id": "person_m", "name": "Mm Mm"}));
    let mut named = BTreeMap::new();
    for (number, (name, field)) in names.iter().enumerate() {
        let (id, company) = (format!("person_q{number:05}"), format!("company_z{number}"));
        let mut person = json!({"id": id, "name": format!("Q{number} Xq")});
        if *field == "industry" {
            let row = json!({"id": company, "name": format!("Zq{number}"), "industry": name});
            lines.entry("companies").or_default().push(row);
            person["currentCompanyId"] = company.into();
        } else {
            person[*field] = name.as_str().into();
        }
        lines.entry("people").or_default().push(person);
        let edge = json!({"from": "person_m", "to": id, "warmness": 50});
        lines.entry("connections").or_default().push(edge);
        named.insert(id, name.clone());
    }
    fs::write(folder.join("organization.json"), json!({"id": "org_names", "name": "Names"}).to_string())
        .unwrap();
    for (table, rows) in lines {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(folder.join(format!("{table}.ndjson")), text).unwrap();
    }
    (network_of(folder), named)
}

/// The names that a search in automatic mode finds, best first.
fn searched(network: &LiveNetwork, named: &BTreeMap<String, String>, text: &str) -> Vec<String> {
    let question = Question {
        text: text.to_owned(),
        networks: None,
        strictness: Strictness::Relaxed,
        view: None,
        acting: None,
        explains: false,
        names_ties: false,
        limit: DEPTH as u32,
        mode: Mode::Auto,
    };
    let searched = network.searched(Engines::ALL, Instant::now() + Duration::from_secs(60));
    let found = ask(searched, &question, None).unwrap();
    found.people.into_iter().map(|it| named[it.person.id].clone()).collect()
}

/// The control: the names whose vectors are nearest to that of the text.
fn nearest(vectors: &[(Vector, &String)], text: &str) -> Vec<String> {
    let vector = Model::own().embed(text);
    let cosine = |other: &Vector| vector.0.iter().zip(other.0).map(|(one, other)| one * other).sum::<f32>();
    let mut names: Vec<(f32, &String)> = vectors.iter().map(|(of, name)| (cosine(of), *name)).collect();
    names.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    names.into_iter().take(DEPTH).map(|(_, name)| name.clone()).collect()
}

/// Recall among the first ten, of at most ten, and the reciprocal rank of the first right one.
fn scored(phrase: &Phrase, found: &[String], all: &BTreeMap<String, &'static str>) -> (f64, f64) {
    let right = |name: &String| phrase.accepts(name);
    let accepted = all.keys().filter(|name| right(name)).count();
    let place = found.iter().position(right);
    let recall = found.iter().filter(|name| right(name)).count() as f64 / accepted.clamp(1, DEPTH) as f64;
    (recall, place.map_or(0.0, |place| 1.0 / (place + 1) as f64))
}

/// The means of recall and reciprocal rank.
fn means(scores: &[(f64, f64)]) -> (f64, f64) {
    let mean = |part: fn(&(f64, f64)) -> f64| scores.iter().map(part).sum::<f64>() / scores.len() as f64;
    (mean(|it| it.0), mean(|it| it.1))
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what this is run for")]
fn phrases_find_what_they_mean_and_the_bare_model_does_not_do_as_well() {
    let cases = cases();
    // The names of the real network are among those that are accepted.
    if cases.len() < NETWORKS.len() {
        return;
    }
    let phrases = phrases();
    let names = names(&cases, &phrases);
    let folder = tempfile::tempdir().unwrap();
    let (network, named) = network(&names, folder.path());
    let vectors: Vec<(Vector, &String)> = names.keys().map(|name| (Model::own().embed(name), name)).collect();
    println!("{} names", names.len());
    println!("| phrases | half | count | auto R@10 | MRR | bare model R@10 | MRR |");
    for (typed, least) in ["plain", "typo"].into_iter().zip(LEAST) {
        let text = |phrase: &Phrase| match typed {
            "plain" => Some(phrase.phrase.clone()),
            _ => phrase.typo.clone(),
        };
        let texts: Vec<(&Phrase, String)> = phrases.iter().filter_map(|it| Some((it, text(it)?))).collect();
        let score = |(phrase, text): &(&Phrase, String)| {
            let found = scored(phrase, &searched(&network, &named, text), &names);
            (found, scored(phrase, &nearest(&vectors, text), &names))
        };
        let scores: Vec<_> = texts.par_iter().map(score).collect();
        let show = |label: &str, chosen: &dyn Fn(&Phrase) -> bool| {
            let of = texts.iter().zip(&scores).filter(|((phrase, _), _)| chosen(phrase));
            let (found, control): (Vec<_>, Vec<_>) = of.map(|(_, score)| *score).unzip();
            let (count, found, control) = (found.len(), means(&found), means(&control));
            let shown = [found.0, found.1, control.0, control.1].map(|it| format!("{it:.3}")).join(" | ");
            println!("| {typed} | {label} | {count} | {shown} |");
            (found, control)
        };
        for half in Half::BOTH {
            show(half.name(), &|it| it.half == half);
        }
        for kind in ["role", "industry", "place"] {
            show(kind, &|it| it.kind == kind);
        }
        let (found, control) = show("all", &|_| true);
        assert!(found.0 >= least.0 && found.1 >= least.1, "{typed}: {found:?}");
        assert!(control.0 < least.0 || control.1 < least.1, "{typed}: the bare model {control:?}");
    }
    let ids: BTreeSet<&str> = phrases.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), phrases.len());
}
