//! A kept answer equals the one that was written first, separately for each caller.
//!
//! Promise: An answer that is given again is the one before to the byte, to the same caller, by the same bounds and
//!   about the same network, and what is kept has a bound.
//! Control: requests that a member gets another answer to than the organization.
//! Also in: `src/networks/live/answers.rs`.

use super::case::Case;
use super::reads::draw;
use crate::oracle::random::{Dice, random_user, random_warm_paths_request};
use crate::oracle::{Caller, Network, Request};
use crate::support::Credentials;

const NETWORKS: u64 = 60;
const DRAWS: usize = 4;

/// Requests to each endpoint, each by the organization and by a member.
fn requests(network: &Network, dice: &mut Dice) -> Vec<Request> {
    let mut drawn: Vec<Request> = (0..DRAWS).flat_map(|_| draw(network, dice)).collect();
    for _ in 0..4 * DRAWS {
        let (caller, params) = random_warm_paths_request(network, dice);
        drawn.push(Request { caller, path: "/api/v1/search/warm-paths".to_owned(), params });
    }
    let user = Caller::User(random_user(network, dice));
    let by = |caller: &Caller, request: &Request| Request { caller: caller.clone(), ..request.clone() };
    drawn.iter().flat_map(|request| [by(&Caller::Organization, request), by(&user, request)]).collect()
}

#[tokio::test]
async fn an_answer_that_is_given_again_is_the_one_before_to_the_byte_for_each_caller() {
    let credentials = Credentials::new();
    let (mut of_both, mut kept) = (0, 0);
    for seed in 0..NETWORKS {
        let case = Case::draw(seed, &credentials);
        let drawn = requests(&case.network, &mut Dice::new(seed));
        let mut first = Vec::new();
        for round in 0..3 {
            for (place, request) in drawn.iter().enumerate() {
                let answer = case.ask(&credentials, request).await;
                if round == 0 {
                    first.push(answer);
                } else {
                    assert_eq!(answer.visible(), first[place].visible(), "seed {seed}, {request:?}");
                }
            }
        }
        kept += usize::from(case.kept_bytes().await > 0);
        // The control: answers that were kept for any caller would be others for one of the two.
        of_both += first.chunks(2).filter(|pair| pair[0].bytes != pair[1].bytes).count();
    }
    assert!(kept > 50, "{kept} networks keep answers");
    assert!(of_both > 500, "{of_both} requests are answered differently to a member");
}
