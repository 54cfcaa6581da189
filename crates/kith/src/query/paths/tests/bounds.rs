//! The bounds, exactly met and exceeded, and the targets of company mode.

use super::*;
use crate::sketch::net;

#[test]
fn a_target_counts_its_warmest_incoming_edges_near_a_member_or_not() {
    let net = net("
        member ann
        ann -50-> cay -70-> pat
        yan -90-> pat                   # nobody knows yan: no path, but an edge
        ann -50-> bob -80-> pat
    ");
    let [bob, cay] = ["ann > bob > pat [second_degree] 40", "ann > cay > pat [second_degree] 35"];
    for (edges_per_target, paths, is_capped) in
        [(1, &[][..], true), (2, &[bob], true), (3, &[bob, cay], false), (4, &[bob, cay], false)]
    {
        let asked = to("pat").within(Limits { edges_per_target, ..WIDE });
        assert_eq!(
            (asked.paths(&net), asked.is_capped(&net)),
            (owned(paths), is_capped),
            "{edges_per_target}"
        );
    }
}

#[test]
fn edges_from_the_from_set_do_not_count_for_a_target() {
    let net = net("
        member ann, bea
        ann -90-> pat
        bea -80-> pat
        ann -50-> bob -40-> pat
    ");
    let one = to("pat").types(&[SecondDegree]).within(Limits { edges_per_target: 1, ..WIDE });
    let over_bob = "ann > bob > pat [second_degree] 20";
    assert_eq!((one.paths(&net), one.is_capped(&net)), (owned(&[over_bob]), false));
    // The other side: a member outside the from-set counts, with or without a path.
    let of_ann = one.from(&["ann"]);
    assert_eq!((of_ann.paths(&net), of_ann.is_capped(&net)), (vec![], true));
}

#[test]
fn a_connector_counts_its_warmest_members_of_the_from_set() {
    let net = net("
        member ann, bea, cat
        ann -50-> bob -100-> pat
        bea -60-> bob
        cat -70-> bob
    ");
    let all = ["cat > bob > pat [second_degree] 70", "bea > bob > pat [second_degree] 60"];
    for (edges_per_connector, kept, is_capped) in [(1, 1, true), (2, 2, true), (3, 3, false)] {
        let asked = to("pat").within(Limits { edges_per_connector, ..WIDE });
        let paths = asked.paths(&net);
        assert_eq!((paths.len(), asked.is_capped(&net)), (kept, is_capped), "{edges_per_connector}");
        assert!(paths.iter().zip(all).all(|(path, expected)| path == expected), "{paths:?}");
    }
    // Members outside the from-set do not count.
    for (edges_per_connector, kept, is_capped) in [(1, 1, true), (2, 2, false)] {
        let asked = to("pat").from(&["ann", "bea"]).within(Limits { edges_per_connector, ..WIDE });
        assert_eq!((asked.paths(&net).len(), asked.is_capped(&net)), (kept, is_capped));
    }
}

#[test]
fn a_connector_counts_its_warmest_advocates_apart_from_its_members() {
    let net = net("
        member ann, bea
        advocate xia of ann
        advocate yan of ann
        ann -50-> xia -50-> cay -100-> pat
        ann -50-> yan -60-> cay
        bea -20-> cay
    ");
    let [bea, yan, xia] = [
        "bea > cay > pat [second_degree] 20",
        "ann > yan > cay > pat [advocate_second_degree] 30",
        "ann > xia > cay > pat [advocate_second_degree] 25",
    ];
    for (edges_per_connector, paths, is_capped) in [(1, &[bea, yan][..], true), (2, &[bea, yan, xia], false)]
    {
        let asked = to("pat").within(Limits { edges_per_connector, ..WIDE });
        assert_eq!((asked.paths(&net), asked.is_capped(&net)), (owned(paths), is_capped));
    }
}

#[test]
fn only_advocates_who_can_help_count_for_a_connector() {
    let net = net("
        member ann, bea, cat
        advocate bea of ann             # in the from-set
        advocate pat of ann             # the target
        advocate yan of cat             # of nobody in the from-set
        advocate zoe of ann
        bea -90-> cay
        pat -80-> cay
        yan -75-> cay
        ann -50-> zoe -70-> cay -100-> pat
    ");
    let asked = to("pat").from(&["ann", "bea"]).types(&[AdvocateSecondDegree]);
    let one = asked.within(Limits { edges_per_connector: 1, ..WIDE });
    let over_zoe = "ann > zoe > cay > pat [advocate_second_degree] 35";
    assert_eq!((one.paths(&net), one.is_capped(&net)), (owned(&[over_zoe]), false));
}

#[test]
fn what_is_scanned_counts_also_if_it_yields_no_path() {
    // zoe is ann's own advocate, so her edge to zoe is not a second-degree leg.
    let own_advocate = net("
        member ann, bea
        advocate zoe of ann
        ann -90-> zoe -100-> pat
        bea -80-> zoe
    ");
    let one = to("pat").types(&[SecondDegree]).within(Limits { edges_per_connector: 1, ..WIDE });
    assert_eq!((one.paths(&own_advocate), one.is_capped(&own_advocate)), (vec![], true));
    // ann knows cay herself, so her advocate's edge to cay is not a path.
    let known = net("
        member ann, bea
        advocate yan of ann
        advocate zoe of bea
        ann -50-> yan -90-> cay -100-> pat
        bea -50-> zoe -80-> cay
        ann -10-> cay
    ");
    let one = to("pat").types(&[AdvocateSecondDegree]).within(Limits { edges_per_connector: 1, ..WIDE });
    assert_eq!((one.paths(&known), one.is_capped(&known)), (vec![], true));
    // The target is a member: their own edge to bob leads nowhere.
    let target = net("
        member ann, pat
        pat -90-> bob -100-> pat
        ann -80-> bob
    ");
    let one = to("pat").types(&[SecondDegree]).within(Limits { edges_per_connector: 1, ..WIDE });
    assert_eq!((one.paths(&target), one.is_capped(&target)), (vec![], true));
}

#[test]
fn direct_and_advocate_paths_are_never_cut() {
    let net = net("
        member ann, bea
        advocate yan of ann
        advocate zoe of ann
        ann -10-> pat
        bea -20-> pat
        ann -50-> yan -30-> pat
        ann -50-> zoe -40-> pat
        fay -90-> pat
    ");
    let narrow = Limits { edges_per_target: 1, edges_per_connector: 1, ..WIDE };
    let asked = to("pat").types(&[Direct, Advocate]).within(narrow);
    let expected = [
        "bea > pat [direct] 20",
        "ann > pat [direct] 10",
        "ann > zoe > pat [advocate] 20",
        "ann > yan > pat [advocate] 15",
    ];
    assert_eq!(asked.paths(&net), expected);
    assert!(!asked.is_capped(&net));
}

#[test]
fn types_nobody_asked_for_are_not_scanned() {
    let net = net("
        member ann, bea
        advocate yan of ann
        advocate zoe of ann
        ann -50-> bob -80-> pat         # two members and an advocate know bob
        bea -50-> bob
        yan -50-> bob
        bea -50-> cay -80-> pam         # a member and two advocates know cay
        yan -50-> cay
        zoe -50-> cay
    ");
    let narrow = Limits { edges_per_connector: 1, ..WIDE };
    for (types, is_capped) in [
        (&[Direct, Advocate][..], [false, false]),
        (&[SecondDegree], [true, false]),
        (&[AdvocateSecondDegree], [false, true]),
    ] {
        for (target, is_capped) in ["pat", "pam"].into_iter().zip(is_capped) {
            let asked = to(target).types(types).within(narrow);
            assert!(asked.answer(&net).paths.iter().all(|path| types.contains(&path.kind)), "{types:?}");
            assert_eq!(asked.is_capped(&net), is_capped, "{types:?} to {target}");
        }
    }
}

// --- company mode

/// The targets of a request and their coverage: `1 of at most 1, capped, 2 withheld`.
fn targets(asked: &Ask<'_>, net: &Net) -> String {
    let PathCoverage { candidates, candidates_cap, candidates_capped, excluded_intro_requested, .. } =
        asked.answer(net).coverage;
    let most = candidates_cap.map_or(String::new(), |cap| format!(" of at most {cap}"));
    let capped = if candidates_capped { ", capped" } else { "" };
    format!("{candidates}{most}{capped}, {excluded_intro_requested} withheld")
}

#[test]
fn the_most_known_employees_are_the_targets() {
    let net = net("
        member ann
        ann -50-> pat @ acme
        ann -60-> pam @ acme
        ann -70-> pit @ acme
        fay -> pit
        ann -80-> pol @ globex
    ");
    let [pit, pam, pat] = ["ann > pit [direct] 70", "ann > pam [direct] 60", "ann > pat [direct] 50"];
    for (company_candidates, paths, said) in [
        (1, &[pit][..], "1 of at most 1, capped, 0 withheld"),
        (2, &[pit, pam], "2 of at most 2, capped, 0 withheld"),
        (3, &[pit, pam, pat], "3 of at most 3, 0 withheld"),
        (4, &[pit, pam, pat], "3 of at most 4, 0 withheld"),
    ] {
        let asked = to_anyone_at("acme").within(Limits { company_candidates, ..WIDE });
        assert_eq!((asked.paths(&net), targets(&asked, &net)), (owned(paths), said.to_owned()));
    }
}

#[test]
fn employees_already_asked_for_are_taken_out_before_the_bound() {
    let net = net("
        member ann
        ann -70-> pit @ acme
        fay -> pit
        ann -60-> pam @ acme
        intro to pit by ann
    ");
    let asked = to_anyone_at("acme").within(Limits { company_candidates: 1, ..WIDE });
    assert_eq!(asked.paths(&net), ["ann > pam [direct] 60"]);
    assert_eq!(targets(&asked, &net), "1 of at most 1, 1 withheld");
    // The other side: the request may include them, and then they are like all others.
    let asked = Ask { include_intro_requested: true, ..asked };
    assert_eq!(asked.paths(&net), ["ann > pit [direct] 70"]);
    assert_eq!(targets(&asked, &net), "1 of at most 1, capped, 0 withheld");
    // Named directly, pit is still a target.
    assert_eq!(to("pit").paths(&net), ["ann > pit [direct] 70"]);
}
