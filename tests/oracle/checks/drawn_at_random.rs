//! Random runs: every branch occurs, and every broken rule is detected.

use crate::oracle::random::{
    Dice, Distribution, random_caps, random_network, random_request, random_warm_paths_request,
};
use crate::oracle::{Mistake, Network, Rules, same_answer};

#[test]
fn random_warm_paths_come_upon_every_branch() {
    let mut distribution = Distribution::default();
    for seed in 0..600 {
        let network = Network::from_tables(&random_network(seed));
        let caps = random_caps(seed);
        let dice = &mut Dice::new(seed);
        for _ in 0..10 {
            let (caller, params) = random_warm_paths_request(&network, dice);
            let answer = network.warm_paths(&caller, &params, &caps);
            distribution.note_warm_paths(&network, &params, &caps, &answer);
        }
    }
    let rare = distribution.rarer_than(20, &Distribution::WARM_PATHS);
    assert!(rare.is_empty(), "too rare: {rare:?}\nall: {distribution:#?}");
}

#[test]
fn random_warm_paths_catch_every_broken_rule() {
    for mistake in Mistake::WARM_PATHS {
        let caught = (0..600).find(|seed| warm_paths_differ(*seed, mistake));
        assert!(caught.is_some(), "{mistake:?} answers like the right rules");
    }
}

fn warm_paths_differ(seed: u64, mistake: Mistake) -> bool {
    let tables = random_network(seed);
    let (right, wrong) =
        (Network::from_tables(&tables), Network::from_tables_by(Rules::with(mistake), &tables));
    let (caps, dice) = (random_caps(seed), &mut Dice::new(seed));
    (0..10).any(|_| {
        let (caller, params) = random_warm_paths_request(&right, dice);
        let answers = [&right, &wrong].map(|network| network.warm_paths(&caller, &params, &caps));
        same_answer(&answers[1], &answers[0]).is_err()
    })
}

#[test]
fn random_reads_come_upon_every_branch() {
    let mut distribution = Distribution::default();
    for seed in 0..600 {
        let network = Network::from_tables(&random_network(seed));
        let (caps, dice) = (random_caps(seed), &mut Dice::new(seed));
        for _ in 0..20 {
            let request = random_request(&network, dice);
            distribution.note_read(&request, network.answer(&request, &caps).as_ref());
        }
    }
    let rare = distribution.rarer_than(20, &Distribution::READS);
    assert!(rare.is_empty(), "too rare: {rare:?}\nall: {distribution:#?}");
}

#[test]
fn random_reads_catch_every_broken_rule() {
    for mistake in Mistake::OTHER_ANSWERS {
        let caught = (0..600).find(|seed| reads_differ(*seed, mistake));
        assert!(caught.is_some(), "{mistake:?} answers like the right rules");
    }
}

fn reads_differ(seed: u64, mistake: Mistake) -> bool {
    let tables = random_network(seed);
    let (right, wrong) =
        (Network::from_tables(&tables), Network::from_tables_by(Rules::with(mistake), &tables));
    let (caps, dice) = (random_caps(seed), &mut Dice::new(seed));
    (0..20).any(|_| {
        let request = random_request(&right, dice);
        if request.path.ends_with("warm-paths") {
            return false;
        }
        match (right.answer(&request, &caps), wrong.answer(&request, &caps)) {
            (Some(right), Some(wrong)) => same_answer(&wrong, &right).is_err(),
            (right, wrong) => right.is_some() != wrong.is_some(),
        }
    })
}
