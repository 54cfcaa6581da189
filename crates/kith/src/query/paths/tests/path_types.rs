//! The four types of paths, who may be on them, and their scores.

use super::*;
use crate::sketch::net;

// --- the four types

#[test]
fn a_member_who_knows_the_target_is_a_direct_path() {
    let net = net("
        member ann, bea
        ann -80-> pat -70-> bea
        bob -90-> pat
    ");
    assert_eq!(to("pat").paths(&net), ["ann > pat [direct] 80"]);
}

#[test]
fn an_accepted_advocate_who_knows_the_target_is_an_advocate_path() {
    let net = net("
        member ann
        advocate zoe of ann
        advocate yan of ann pending
        advocate xia of ann declined
        ann -50-> zoe -80-> pat
        ann -50-> yan -80-> pat
        ann -50-> xia -80-> pat
    ");
    let expected = [
        "ann > zoe > pat [advocate] 40",
        "ann > xia > pat [second_degree] 40",
        "ann > yan > pat [second_degree] 40",
    ];
    assert_eq!(to("pat").paths(&net), expected);
}

#[test]
fn a_contact_who_knows_the_target_is_a_second_degree_path() {
    let net = net("
        member ann
        ann -80-> bob -50-> pat
        pat -50-> cay -50-> ann
    ");
    assert_eq!(to("pat").paths(&net), ["ann > bob > pat [second_degree] 40"]);
}

#[test]
fn an_advocate_is_no_second_degree_connector_of_the_members_they_help() {
    let net = net("
        member ann, bea
        advocate zoe of ann
        ann -50-> zoe -80-> pat
        bea -60-> zoe
    ");
    let expected = ["ann > zoe > pat [advocate] 40", "bea > zoe > pat [second_degree] 48"];
    assert_eq!(to("pat").paths(&net), expected);
}

#[test]
fn an_advocates_contact_is_a_path_for_members_who_do_not_know_them() {
    let net = net("
        member ann, bea
        advocate zoe of ann
        advocate zoe of bea
        ann -50-> zoe -80-> cay -50-> pat
        bea -90-> zoe
        bea -0-> cay
        zoe -10-> dan -10-> pat
    ");
    let expected = [
        "bea > cay > pat [second_degree] 0",
        "ann > zoe > cay > pat [advocate_second_degree] 20",
        "ann > zoe > dan > pat [advocate_second_degree] 1",
        "bea > zoe > dan > pat [advocate_second_degree] 1",
    ];
    assert_eq!(to("pat").paths(&net), expected);
}

// --- who may be where

#[test]
fn nobody_is_introduced_to_themself() {
    let net = net("
        member ann, pat
        advocate zoe of pat
        advocate zoe of ann
        pat -80-> bob -80-> pat
        pat -80-> zoe -80-> pat
        ann -50-> zoe -80-> cay -80-> pat
    ");
    let expected = ["ann > zoe > pat [advocate] 40", "ann > zoe > cay > pat [advocate_second_degree] 32"];
    assert_eq!(to("pat").paths(&net), expected);
}

#[test]
fn an_advocate_is_not_asked_for_a_path_to_themself() {
    let net = net("
        member ann
        advocate zoe of ann
        ann -50-> zoe -80-> cay -50-> zoe
    ");
    assert_eq!(to("zoe").paths(&net), ["ann > zoe [direct] 50"]);
}

#[test]
fn a_member_in_the_from_set_is_neither_connector_nor_advocate() {
    let net = net("
        member ann, bea, cat
        advocate bea of ann
        ann -50-> bea -80-> pat
        bea -60-> cay -50-> pat
        ann -50-> cat -10-> pat
    ");
    let expected = ["bea > pat [direct] 80", "cat > pat [direct] 10", "bea > cay > pat [second_degree] 30"];
    assert_eq!(to("pat").paths(&net), expected);
    // The other side: outside the from-set, bea and cat are like all others.
    let expected = [
        "ann > bea > pat [advocate] 40",
        "ann > cat > pat [second_degree] 5",
        "ann > bea > cay > pat [advocate_second_degree] 15",
    ];
    assert_eq!(to("pat").from(&["ann"]).paths(&net), expected);
}

#[test]
fn paths_start_at_members_of_the_from_set_alone() {
    let net = net("
        member ann, bea
        advocate zoe of ann
        advocate yan of ann
        advocate yan of bea
        ann -80-> pat
        bea -70-> pat
        ann -60-> bob -50-> pat
        bea -60-> bob
        ann -40-> zoe -50-> pat
        bea -40-> yan -50-> pat
        zoe -30-> cay -50-> pat
        yan -30-> cay
    ");
    let of_bea = [
        "bea > pat [direct] 70",
        "bea > yan > pat [advocate] 20",
        "bea > bob > pat [second_degree] 30",
        "bea > yan > cay > pat [advocate_second_degree] 6",
    ];
    assert_eq!(to("pat").from(&["bea"]).paths(&net), of_bea);
    assert_eq!(to("pat").paths(&net).len(), 10);
    assert!(to("pat").from(&[]).paths(&net).is_empty());
}

// --- scores

#[test]
fn an_unscored_leg_counts_nothing() {
    let net = net("
        member ann
        ann -> pat
        ann -100-> bob -?-> pat
    ");
    assert_eq!(to("pat").paths(&net), ["ann > pat [direct] 0", "ann > bob > pat [second_degree] 0"]);
}

#[test]
fn two_legs_multiply_and_round_half_up() {
    let net = net("
        member ann
        ann -50-> bob -1-> pat
        ann -49-> cay -1-> pat
        ann -73-> dan -51-> pat
    ");
    let expected = [
        "ann > dan > pat [second_degree] 37",
        "ann > bob > pat [second_degree] 1",
        "ann > cay > pat [second_degree] 0",
    ];
    assert_eq!(to("pat").paths(&net), expected);
}

#[test]
fn three_legs_multiply_and_round_once() {
    let net = net("
        member ann
        advocate zoe of ann
        ann -50-> zoe
        zoe -1-> cay -50-> pat          # 0.25; rounded twice it would be 1
        zoe -2-> dan -50-> pat          # 0.5
    ");
    let expected = [
        "ann > zoe > dan > pat [advocate_second_degree] 1",
        "ann > zoe > cay > pat [advocate_second_degree] 0",
    ];
    assert_eq!(to("pat").paths(&net), expected);
}
