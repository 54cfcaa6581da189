//! The order of paths, and pages of them.

use super::*;
use crate::sketch::net;

#[test]
fn a_better_tier_comes_before_a_warmer_path() {
    let net = net("
        member ann
        advocate zoe of ann
        ann -1-> pat
        ann -2-> zoe -100-> pat
        ann -90-> bob -100-> pat
        zoe -100-> cay -100-> pat
    ");
    let tiers = |ask: Ask<'_>| ask.answer(&net).paths.iter().map(|path| path.kind).collect::<Vec<_>>();
    assert_eq!(tiers(to("pat")), PathType::ALL);
}

#[test]
fn in_a_tier_the_warmer_path_comes_first_then_the_warmer_last_leg() {
    let net = net("
        member ann
        ann -60-> bob -40-> pat
        ann -40-> cay -60-> pat
        ann -50-> dan -50-> pat
    ");
    let expected = [
        "ann > dan > pat [second_degree] 25",
        "ann > cay > pat [second_degree] 24",
        "ann > bob > pat [second_degree] 24",
    ];
    assert_eq!(to("pat").paths(&net), expected);
}

#[test]
fn equal_paths_go_by_user_id_then_connector_then_target_then_advocate() {
    let net = net("
        member zed as 1
        member ann as 2
        advocate xia of ann
        advocate yan of ann
        zed -50-> bob -50-> pat @ acme
        zed -50-> cay -50-> pam
        ann -50-> bob -50-> pam @ acme
        ann -50-> yan -50-> dan -50-> pat
        ann -50-> xia -50-> dan
    ");
    let expected = [
        "zed > bob > pam [second_degree] 25",
        "zed > bob > pat [second_degree] 25",
        "zed > cay > pam [second_degree] 25",
        "ann > bob > pam [second_degree] 25",
        "ann > bob > pat [second_degree] 25",
        "ann > xia > dan > pat [advocate_second_degree] 13",
        "ann > yan > dan > pat [advocate_second_degree] 13",
    ];
    assert_eq!(to_anyone_at("acme").paths(&net), expected);
}

#[test]
fn pages_neither_overlap_nor_skip_and_count_every_path() {
    let everybody = |names: &[String]| names.join(", ");
    let members: Vec<String> = (10..20).map(|number| format!("m{number}")).collect();
    let mut text = format!("member {}\n", everybody(&members));
    for connector in 0..9 {
        text += &format!("c{connector} -{}-> pat\n", 50 - connector);
        members.iter().for_each(|member| text += &format!("{member} -40-> c{connector}\n"));
    }
    let net = net(&text);
    let whole = to("pat").page(1000, 0).paths(&net);
    assert_eq!((whole.len(), whole[0].as_str()), (90, "m10 > c0 > pat [second_degree] 20"));
    for limit in [1, 7, 50] {
        let pages = (0..90).step_by(limit as usize).map(|offset| to("pat").page(limit, offset));
        assert_eq!(pages.flat_map(|page| page.paths(&net)).collect::<Vec<_>>(), whole);
        assert_eq!(to("pat").page(limit, 0).answer(&net).total, 90);
    }
}

#[test]
fn warmest_first_a_path_of_a_worse_tier_may_come_before_one_of_a_better() {
    let net = net("
        member ann, bea
        advocate zoe of ann
        ann -20-> pat
        ann -80-> bob -90-> pat
        ann -50-> zoe -40-> pat
        bea -20-> bob
        bea -18-> pat
    ");
    let by_tier = [
        "ann > pat [direct] 20",
        "bea > pat [direct] 18",
        "ann > zoe > pat [advocate] 20",
        "ann > bob > pat [second_degree] 72",
        "bea > bob > pat [second_degree] 18",
    ];
    let [ann, bea, zoe, bob, bob_too] = by_tier;
    assert_eq!(to("pat").paths(&net), by_tier);
    let warmest = Ask { sort: PathSort::Warmness, ..to("pat") };
    // Equally warm: the better tier first.
    assert_eq!(warmest.paths(&net), [bob, ann, zoe, bea, bob_too]);
    assert_eq!(warmest.page(2, 1).paths(&net), [ann, zoe]);
}

#[test]
fn a_group_shows_its_first_path_and_counts_those_behind_it() {
    let net = net("
        member ann, bea
        ann -30-> pat @ acme
        ann -80-> bob -90-> pat
        bea -70-> bob
        bob -10-> kim @ acme
        bea -60-> kim
    ");
    let grouped = |by, sort| {
        let answer = Ask { group_by: Some(by), sort, ..to_anyone_at("acme") }.answer(&net);
        let paths = answer.paths.iter().map(|path| (line(&net, path), path.alternatives));
        (paths.collect::<Vec<_>>(), answer.total)
    };
    let rows = |rows: &[(&str, u64)]| {
        let of = |&(line, behind): &(&str, u64)| (line.to_owned(), Some(behind));
        (rows.iter().map(of).collect::<Vec<_>>(), rows.len() as u64)
    };
    let [bea, ann, bob] =
        ["bea > kim [direct] 60", "ann > pat [direct] 30", "ann > bob > pat [second_degree] 72"];
    assert_eq!(grouped(GroupBy::Connector, PathSort::Tier), rows(&[(bea, 0), (ann, 0), (bob, 3)]));
    assert_eq!(grouped(GroupBy::Connector, PathSort::Warmness), rows(&[(bob, 3), (bea, 0), (ann, 0)]));
    assert_eq!(grouped(GroupBy::Target, PathSort::Tier), rows(&[(bea, 2), (ann, 2)]));
    assert_eq!(grouped(GroupBy::Target, PathSort::Warmness), rows(&[(bob, 2), (bea, 2)]));
}
