//! Warm paths against the oracle, and each broken rule against the engine.
//!
//! Promise: Targets by id, e-mail address, domain and employer, positions, orders, groups, matches, reasons and
//!   evidence are the oracle's.
//! Control: thirteen broken rules more.
//! Also in: `tests/api/props/reads.rs`, `tests/api/network_search/mod.rs`.

use super::broken_rules::each_broken_rule_is_caught;
use super::case::Case;
use crate::oracle::random::{Dice, Distribution, random_warm_paths_request};
use crate::oracle::{Mistake, Network, Request};
use crate::support::Credentials;

const NETWORKS: u64 = 1_000;
const REQUESTS: usize = 12;

fn draw(network: &Network, dice: &mut Dice) -> Request {
    let (caller, params) = random_warm_paths_request(network, dice);
    Request { caller, path: "/api/v1/search/warm-paths".to_owned(), params }
}

#[tokio::test]
async fn warm_paths_are_the_oracles_on_any_network_and_request() {
    let credentials = Credentials::new();
    let mut distribution = Distribution::default();
    let mut pairs = 0;
    for seed in 0..NETWORKS {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..REQUESTS {
            let request = draw(&case.network, &mut dice);
            let answer = case.compare(&credentials, &request).await.unwrap();
            distribution.note_warm_paths(&case.network, &request.params, &case.caps, &answer["data"]);
            pairs += 1;
        }
    }
    assert!(pairs >= 10_000);
    assert_eq!(distribution.rarer_than(50, &Distribution::WARM_PATHS), []);
}

/// The control: an oracle with one rule broken disagrees with the engine, so the property above
/// would catch an engine that breaks it.
#[tokio::test]
async fn each_broken_rule_of_warm_paths_is_caught() {
    let draws = |network: &Network, dice: &mut Dice| (0..REQUESTS).map(|_| draw(network, dice)).collect();
    let mistakes: Vec<Mistake> = [&Mistake::WARM_PATHS[..], &Mistake::EXTENSIONS].concat();
    each_broken_rule_is_caught(&mistakes, draws).await;
}
