//! The control of the properties: an oracle with one broken rule disagrees with the engine.

use super::case::Case;
use crate::oracle::random::Dice;
use crate::oracle::{Mistake, Network, Request, Rules, same_answer};
use crate::support::Credentials;

/// So many networks at most are drawn until every mistake is caught.
const NETWORKS_MAX: u64 = 400;

/// Checks that an oracle that makes one of `mistakes` answers some request that `draw` makes for some network
/// differently than the engine, so that the properties would catch an engine that makes it.
pub(crate) async fn each_broken_rule_is_caught(
    mistakes: &[Mistake],
    draw: impl Fn(&Network, &mut Dice) -> Vec<Request>,
) {
    let credentials = Credentials::new();
    let mut uncaught = mistakes.to_vec();
    for seed in 0..NETWORKS_MAX {
        if uncaught.is_empty() {
            break;
        }
        let case = Case::draw(seed, &credentials);
        let mut broken: Vec<(Mistake, Network, bool)> = uncaught
            .iter()
            .map(|&mistake| (mistake, Network::from_tables_by(Rules::with(mistake), &case.tables), false))
            .collect();
        for request in draw(&case.network, &mut Dice::new(seed)) {
            let got = case.ask(&credentials, &request).await;
            let got = (got.status == 200).then(|| got.json());
            for (_, network, caught) in &mut broken {
                *caught |= match (&got, &network.answer(&request, &case.caps)) {
                    (Some(got), Some(wrong)) => same_answer(got, wrong).is_err(),
                    (got, wrong) => got.is_some() != wrong.is_some(),
                };
            }
        }
        uncaught = broken.into_iter().filter(|(.., caught)| !caught).map(|(mistake, ..)| mistake).collect();
    }
    assert_eq!(uncaught, [], "these broken rules were not caught");
}
