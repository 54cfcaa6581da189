//! Generated networks have histories, and scores by the rules of an import.
//!
//! Promise: Each score of a generated network is the sum of its breakdown, and has evidence unless a list states it.
//! Control: a row less of evidence, and a point more.

use std::collections::{BTreeSet, HashSet};

use kith_generate::demo::DEMO_FOLDERS;
use kith_generate::plan::Plan;
use serde_json::Value;

use super::{Tables, fixtures, read, text, write};

#[test]
fn demo_scores_are_mostly_low_and_a_tenth_of_the_edges_has_none() {
    for folder in DEMO_FOLDERS {
        let tables = read(&fixtures("demo").join(folder));
        let edges = &tables.rows["connections"];
        let scores: Vec<u64> = edges.iter().filter_map(|row| row["warmness"].as_u64()).collect();
        let unscored = edges.len() - scores.len();
        assert!((8..=12).contains(&(unscored * 100 / edges.len())), "{folder}: {unscored} unscored");
        let low = scores.iter().filter(|&&score| score < 40).count() * 100 / scores.len();
        let high = scores.iter().filter(|&&score| score >= 90).count() * 100 / scores.len();
        assert!(low > 60 && (1..5).contains(&high), "{folder}: {low}% low, {high}% high");
        let distinct: BTreeSet<u64> = scores.iter().copied().collect();
        assert!(distinct.len() > 80, "{folder}: {} scores", distinct.len());
    }
}

/// The rows of connections whose breakdown does not add up to their score, or that have one and no evidence.
fn unexplained(tables: &Tables) -> Vec<&Value> {
    let ends = |row: &Value| (text(row, "from").to_owned(), text(row, "to").to_owned());
    let proven: HashSet<(String, String)> = tables.rows["evidence"].iter().map(ends).collect();
    let is_explained = |row: &Value| match row["breakdown"].as_object() {
        None => row["warmness"].is_null(),
        Some(factors) => {
            let sum: i64 = factors.values().filter_map(Value::as_i64).sum();
            let is_listed = factors.keys().eq(["listedWeight"]);
            row["warmness"] == sum && (is_listed || proven.contains(&ends(row)))
        }
    };
    tables.rows["connections"].iter().filter(|row| !is_explained(row)).collect()
}

#[test]
fn each_score_is_the_sum_of_its_breakdown_and_has_evidence() {
    let edges = |tables: &Tables, factor: &str| {
        tables.rows["connections"].iter().filter(|row| row["breakdown"].get(factor).is_some()).count()
    };
    for folder in DEMO_FOLDERS {
        let mut tables = read(&fixtures("demo").join(folder));
        assert_eq!(unexplained(&tables), Vec::<&Value>::new(), "{folder}");
        // Scores from a list have no dates: only repeated rows have such scores here.
        assert!((20..400).contains(&edges(&tables, "listedWeight")), "{folder}");
        for factor in ["messageVolume", "meetings", "invitation", "pastCompanyOverlap", "seenTogether"] {
            assert!(edges(&tables, factor) > 500, "{folder}: {factor}");
        }
        // The control: a row less of evidence, and a point more.
        let last = tables.rows.get_mut("evidence").unwrap().pop().unwrap();
        let of_last = |row: &Value| row["to"] == last["to"] && row["from"] == last["from"];
        let is_left = tables.rows["evidence"].iter().any(of_last);
        let rows = tables.rows.get_mut("connections").unwrap();
        let row = rows.iter_mut().find(|row| row["warmness"] == 40).unwrap();
        row["warmness"] = 41.into();
        assert_eq!(unexplained(&tables).len(), 2 - usize::from(is_left), "{folder}");
    }
}

#[test]
fn beyond_the_histories_of_the_plan_a_list_states_the_scores() {
    for histories in [0, 1_000, 12_000] {
        let plan = Plan { histories, ..Plan::sized(1_500, 15_000) };
        let tables = read(write(&plan).0.path());
        assert_eq!(unexplained(&tables), Vec::<&Value>::new());
        let rows = tables.rows["connections"].iter().filter_map(|row| row["breakdown"].as_object());
        let told = rows.filter(|factors| !factors.contains_key("listedWeight")).count() as u64;
        // One edge in ten has no score.
        assert!(told <= histories && told >= histories * 85 / 100, "{told} of {histories}");
    }
}
