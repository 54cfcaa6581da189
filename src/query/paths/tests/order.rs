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
