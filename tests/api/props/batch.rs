//! The batch of targets against the oracle, and each target against the engine's own single request.
//!
//! Promise: A batch is the oracle's, each target of it is, field by field, what the engine answers to the single
//!   request, and connectors are counted right.
//! Control: five broken rules: connectors that count paths, repeats once, any member; two of single requests.

use serde_json::Value;

use super::case::{Batch, Case};
use crate::drawn::{at_least, share};
use crate::oracle::random::{Dice, random_batch};
use crate::oracle::{Mistake, Network, RESULT, Request, Rules, same_answer, single_request};
use crate::support::Credentials;

const NETWORKS: u64 = 300;
const BATCHES: usize = 5;
/// Minimum number of each kind in a run.
const LEAST: usize = 100;

/// How often a run came upon each kind of batch or target.
#[derive(Debug, Default)]
struct Met {
    targets: usize,
    malformed: usize,
    nobody: usize,
    with_paths: usize,
    capped: usize,
    not_capped: usize,
    /// Batches in which one connector is asked for several targets.
    shared: usize,
    /// Connectors that several members ask.
    of_several: usize,
}

impl Met {
    fn note(&mut self, answer: &Value) {
        let results = answer["data"]["results"].as_array().unwrap();
        let count = |is: &dyn Fn(&Value) -> bool| results.iter().filter(|result| is(result)).count();
        self.targets += results.len();
        self.malformed += count(&|result| result["code"].is_string());
        self.nobody += count(&|result| result["reasons"][0]["code"] == "target_unknown");
        self.with_paths += count(&|result| result["paths"].as_array().is_some_and(|paths| !paths.is_empty()));
        self.capped += usize::from(answer["meta"]["capped"] == true);
        self.not_capped += usize::from(answer["meta"]["capped"] == false);
        let connectors = answer["data"]["connectors"].as_array().unwrap();
        self.shared += usize::from(connectors.first().is_some_and(|first| first["targets"] != 1));
        let ids: Vec<&Value> = connectors.iter().map(|asked| &asked["connector"]["id"]).collect();
        self.of_several += usize::from((1..ids.len()).any(|place| ids[..place].contains(&ids[place])));
    }
}

/// Passes if each result is, field by field, what the engine answers to the single request.
async fn equal_single_requests(case: &Case, credentials: &Credentials, batch: &Batch, got: &Value) {
    for (target, result) in
        batch.body["targets"].as_array().unwrap().iter().zip(got["data"]["results"].as_array().unwrap())
    {
        let Some(params) = single_request(&batch.body, target) else { continue };
        let path = "/api/v1/search/warm-paths".to_owned();
        let request = Request { caller: batch.caller.clone(), path, params };
        let single = case.ask(credentials, &request).await.json();
        for field in RESULT {
            assert_eq!(result[field], single["data"][field], "seed {}, {request:?}: {field}", case.seed);
        }
        assert_eq!(result.as_object().unwrap().len(), RESULT.len() + 1, "{result}");
    }
}

fn draw(network: &Network, dice: &mut Dice) -> Batch {
    let (caller, body) = random_batch(network, dice);
    Batch { caller, body }
}

#[tokio::test]
async fn a_batch_is_the_oracles_and_each_target_is_as_in_a_request_of_its_own() {
    let credentials = Credentials::new();
    let mut met = Met::default();
    for seed in 0..share(NETWORKS) {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..BATCHES {
            let batch = draw(&case.network, &mut dice);
            let answer = case.batch(&credentials, &batch).await;
            let said = String::from_utf8_lossy(&answer.bytes);
            assert_eq!(answer.status, 200, "seed {seed}, {}: {said}", batch.body);
            let (got, expected) =
                (answer.json(), case.network.warm_paths_batch(&batch.caller, &batch.body, &case.caps));
            if let Err(difference) = same_answer(&got, &expected) {
                panic!("seed {seed}, {}, {:?}: {difference}", batch.body, case.caps);
            }
            equal_single_requests(&case, &credentials, &batch, &got).await;
            met.note(&got);
        }
    }
    assert!(met.targets >= at_least(10_000), "{met:?}");
    let Met { malformed, nobody, with_paths, capped, not_capped, shared, of_several, .. } = met;
    let kinds = [malformed, nobody, with_paths, capped, not_capped, shared, of_several];
    assert!(kinds.iter().all(|&met| met >= at_least(LEAST)), "{met:?}");
}

/// The control: an oracle with one rule broken answers some batch differently than the engine.
#[tokio::test]
async fn each_broken_rule_of_batches_is_caught() {
    let credentials = Credentials::new();
    let also = [Mistake::AlternativesCountTheFirst, Mistake::ExcludedTypesNotTried];
    let mut uncaught: Vec<Mistake> = [&Mistake::BATCHES[..], &also].concat();
    for seed in 0..share(NETWORKS) {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..BATCHES {
            let batch = draw(&case.network, &mut dice);
            let got = case.batch(&credentials, &batch).await.json();
            uncaught.retain(|&mistake| {
                let broken = Network::from_tables_by(Rules::with(mistake), &case.tables);
                same_answer(&got, &broken.warm_paths_batch(&batch.caller, &batch.body, &case.caps)).is_ok()
            });
        }
        if uncaught.is_empty() {
            break;
        }
    }
    assert_eq!(uncaught, [], "these broken rules were not caught");
}
