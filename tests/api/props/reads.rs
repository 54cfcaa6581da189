//! Every other read endpoint against the oracle, and each broken rule against the engine.

use super::broken_rules::each_broken_rule_is_caught;
use super::case::Case;
use crate::oracle::random::{
    Dice, Distribution, random_caller, random_connections, random_opportunities, random_people_network,
    random_person, random_search_companies, random_search_people, random_second_degree, random_user,
};
use crate::oracle::{Caller, Mistake, Network, Request};
use crate::support::Credentials;

const NETWORKS: u64 = 1_000;
const REQUESTS: usize = 10;

type Params = Vec<(String, String)>;

/// One request to each endpoint.
pub(super) fn draw(network: &Network, dice: &mut Dice) -> Vec<Request> {
    let user = random_user(network, dice);
    let own = Caller::User(user.clone());
    let any = random_caller(network, dice);
    let (person, asked) = random_person(network, dice);
    let of = |caller: &Caller, path: &str, params: Params| Request {
        caller: caller.clone(),
        path: format!("/api/v1/{path}"),
        params,
    };
    vec![
        of(&any, &person, asked),
        of(&any, "search/people", random_search_people(network, dice)),
        of(&any, "search/companies", random_search_companies(network, dice)),
        of(&own, "connections", random_connections(dice)),
        of(&own, "connections/second-degree", random_second_degree(network, &user, dice)),
        of(&any, "people/network", random_people_network(network, dice)),
        of(&any, "ghost/opportunities", random_opportunities(network, dice)),
    ]
}

#[tokio::test]
async fn every_read_is_the_oracles_on_any_network_and_request() {
    let credentials = Credentials::new();
    let mut distribution = Distribution::default();
    let mut pairs = 0;
    for seed in 0..NETWORKS {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..REQUESTS {
            for request in draw(&case.network, &mut dice) {
                let answer = case.compare(&credentials, &request).await;
                distribution.note_read(&request, answer.as_ref());
            }
            pairs += 1;
        }
    }
    assert!(pairs >= 10_000);
    assert_eq!(distribution.rarer_than(50, &Distribution::READS), []);
}

/// The control: an oracle with one rule broken disagrees with the engine.
#[tokio::test]
async fn each_broken_rule_of_the_other_reads_is_caught() {
    let draws =
        |network: &Network, dice: &mut Dice| (0..REQUESTS).flat_map(|_| draw(network, dice)).collect();
    each_broken_rule_is_caught(&Mistake::OTHER_ANSWERS, draws).await;
}
