//! Warm paths: each type, each score, each limit.

use serde_json::json;

use super::drawn::{answer, drawn, drawn_by, params, said};
use crate::oracle::{Caller, Caps, Mistake, Rules};

/// The paths of all four types to the person `p`, without limits.
#[track_caller]
fn check(edges: &str, expected: &[&str]) {
    assert_eq!(said(&answer(&drawn(edges), "prospectName=p", &Caps::default())), expected, "{edges}");
}

#[test]
fn each_type_of_path_is_found_by_its_condition() {
    let cases: [(&str, &[&str]); 14] = [
        ("m1 -70-> p", &["direct m1 70 = 100 x 70"]),
        ("p -70-> m1", &[]),
        ("m1 -50-> a1, a1 -80-> p", &["advocate m1 a1 40 = 50 x 80"]),
        ("a1 -80-> p", &["advocate m1 a1 0 = 0 x 80"]),
        ("m1 -50-> c, c -80-> p", &["second_degree m1 c 40 = 50 x 80"]),
        ("m1 -50-> a1, a1 -40-> c, c -80-> p", &["advocate_second_degree m1 a1 c 16 = 20 x 80"]),
        // Pending, or another member's: an ordinary person.
        ("m1 -50-> q1, q1 -80-> p", &["second_degree m1 q1 40 = 50 x 80"]),
        ("q1 -80-> c, c -80-> p", &[]),
        ("m1 -50-> b2, b2 -80-> p", &["advocate m2 b2 0 = 0 x 80", "second_degree m1 b2 40 = 50 x 80"]),
        // If the member knows the connector there is nothing to ask the advocate for.
        ("m1 ---> c, a1 -40-> c, c -80-> p", &["second_degree m1 c 0 = 0 x 80"]),
        ("a1 -40-> a2, a2 -80-> p", &["advocate m1 a2 0 = 0 x 80"]),
        // A member in the from-set connects nobody.
        ("m1 -50-> m2, m2 -80-> p", &["direct m2 80 = 100 x 80"]),
        ("m1 -50-> a1, a1 -40-> m2, m2 -80-> p", &["direct m2 80 = 100 x 80"]),
        // All people on a path are distinct.
        ("m1 -50-> p, p -80-> p, a1 -40-> p", &["direct m1 50 = 100 x 50", "advocate m1 a1 0 = 0 x 40"]),
    ];
    for (edges, expected) in cases {
        check(edges, expected);
    }
}

#[test]
fn a_member_can_be_the_target_and_is_then_on_no_path_of_their_own() {
    let network = drawn("m1 -70-> m2, m2 -60-> c, m1 -50-> c, c -80-> m2, b2 -10-> c");
    let expected = ["direct m1 70 = 100 x 70", "second_degree m1 c 40 = 50 x 80"];
    assert_eq!(said(&answer(&network, "prospectName=m2", &Caps::default())), expected);
}

#[test]
fn products_are_rounded_once_and_halves_go_up() {
    let cases: [(&str, &str); 8] = [
        ("m1 -1-> c, c -50-> p", "second_degree m1 c 1 = 1 x 50"),
        ("m1 -1-> c, c -49-> p", "second_degree m1 c 0 = 1 x 49"),
        ("m1 -99-> c, c -50-> p", "second_degree m1 c 50 = 99 x 50"),
        ("m1 ---> c, c -50-> p", "second_degree m1 c 0 = 0 x 50"),
        ("m1 -50-> c, c ---> p", "second_degree m1 c 0 = 50 x 0"),
        // 10 x 10 x 50 = 5000 goes up; by steps (1 x 50 + 50) / 100 it would be 1 as well.
        ("m1 -10-> a1, a1 -10-> c, c -50-> p", "advocate_second_degree m1 a1 c 1 = 1 x 50"),
        // 7 x 7 x 100 = 4900 is below a half of 10000, by steps also; 5 x 10 x 99 = 4950 by steps would be 1.
        ("m1 -7-> a1, a1 -7-> c, c -100-> p", "advocate_second_degree m1 a1 c 0 = 0 x 100"),
        ("m1 -5-> a1, a1 -10-> c, c -99-> p", "advocate_second_degree m1 a1 c 0 = 1 x 99"),
    ];
    for (edges, expected) in cases {
        check(edges, &[expected]);
    }
}

#[test]
fn paths_come_by_tier_warmness_last_leg_and_then_ids() {
    check(
        "m1 -1-> p, m2 -1-> p, m3 -2-> p, a1 -100-> p, m1 -100-> a1,
         m1 -50-> c, c -80-> p, m1 -80-> d, d -50-> p, m2 -50-> c, m1 -80-> b, b -50-> p,
         m1 -100-> a2, a2 -100-> f, a1 -100-> f, f -100-> p",
        &[
            "direct m3 2 = 100 x 2",
            "direct m1 1 = 100 x 1",
            "direct m2 1 = 100 x 1",
            "advocate m1 a1 100 = 100 x 100",
            "second_degree m1 c 40 = 50 x 80",
            "second_degree m2 c 40 = 50 x 80",
            "second_degree m1 b 40 = 80 x 50",
            "second_degree m1 d 40 = 80 x 50",
            "advocate_second_degree m1 a1 f 100 = 100 x 100",
            "advocate_second_degree m1 a2 f 100 = 100 x 100",
        ],
    );
}

#[test]
fn the_from_set_is_narrowed_by_ids_and_then_by_scope() {
    let network = drawn("m1 -10-> p, m2 -20-> p, m3 -30-> p, m1 -50-> m2");
    let me = Caller::User("user_2".to_owned());
    let through_m2 = "second_degree m1 m2 10 = 50 x 20";
    let cases: [(&Caller, &str, &[&str]); 5] = [
        (&Caller::Organization, "fromUserIds=user_1", &["direct m1 10 = 100 x 10", through_m2]),
        (
            &me,
            "fromUserIds=person_m3,user_2&fromUserIds=user_2",
            &["direct m3 30 = 100 x 30", "direct m2 20 = 100 x 20"],
        ),
        (&me, "scope=me", &["direct m2 20 = 100 x 20"]),
        (&me, "scope=organization&fromUserIds=user_3", &["direct m3 30 = 100 x 30"]),
        (&me, "scope=me&fromUserIds=user_1,user_3", &[]),
    ];
    for (caller, narrowing, expected) in cases {
        let query = params(&format!("prospectName=p&{narrowing}"));
        let answer = network.warm_paths(caller, &query, &Caps::default());
        assert_eq!(said(&answer), expected, "{narrowing}");
    }
}

#[test]
fn bounds_count_edges_that_yield_no_path() {
    let tight = |edges_per_target, edges_per_connector| Caps {
        edges_per_target,
        edges_per_connector,
        ..Caps::default()
    };
    let second = "&connectionTypes=second_degree";
    let through_advocates = "&connectionTypes=advocate_second_degree";
    let d = "second_degree m1 d 25 = 50 x 50";
    let cases: [(&str, Caps, &str, &[&str], bool); 13] = [
        // Step 1: the warmest edge comes from a person no member knows, and takes the only place.
        ("x -90-> p, m1 -50-> d, d -50-> p", tight(1, 9), second, &[], true),
        ("x -90-> p, m1 -50-> d, d -50-> p", tight(2, 9), second, &[d], false),
        // Sources in the from-set take no place.
        ("m1 -90-> p, m1 -50-> d, d -50-> p", tight(1, 9), second, &[d], false),
        // Ties go to the smaller id, and unscored edges come last.
        (
            "c ---> p, d -50-> p, e -50-> p, m1 -50-> d, m1 -50-> e, m1 -50-> c",
            tight(1, 9),
            second,
            &[d],
            true,
        ),
        // Step 2: an edge from the target, or to one's own advocate, takes a place.
        (
            "m2 -90-> c, m1 -50-> c, c -50-> p",
            tight(9, 1),
            second,
            &["second_degree m2 c 45 = 90 x 50"],
            true,
        ),
        ("m1 -90-> b2, m2 -95-> b2, b2 -50-> p", tight(9, 1), second, &[], true),
        (
            "m1 -90-> b2, m2 -95-> b2, b2 -50-> p",
            tight(9, 2),
            second,
            &["second_degree m1 b2 45 = 90 x 50"],
            false,
        ),
        // Other people's edges to the connector take none.
        ("x -90-> d, m1 -50-> d, d -50-> p", tight(9, 1), second, &[d], false),
        // Advocates have a bound of their own.
        (
            "m1 -50-> d, b2 -40-> d, d -50-> p",
            tight(9, 1),
            "",
            &[d, "advocate_second_degree m2 b2 d 0 = 0 x 50"],
            false,
        ),
        ("a1 -90-> d, b2 -40-> d, m1 ---> d, d -50-> p", tight(9, 1), through_advocates, &[], true),
        // Only what the types asked for need is scanned.
        ("m1 -50-> d, m2 -50-> d, d -50-> p", tight(9, 1), through_advocates, &[], false),
        ("x -90-> p, y -90-> p", tight(1, 1), "&connectionTypes=direct,advocate", &[], false),
        ("x -90-> p, y -90-> p", tight(1, 1), through_advocates, &[], true),
    ];
    for (edges, caps, more, expected, capped) in cases {
        let answer = answer(&drawn(edges), &format!("prospectName=p{more}"), &caps);
        assert_eq!(said(&answer), expected, "{edges} {caps:?}");
        assert_eq!(answer["coverage"]["secondDegreeEdgesCapped"], capped, "{edges} {caps:?}");
        assert_eq!(answer["coverage"]["capped"], capped, "{edges} {caps:?}");
    }
}

#[test]
fn the_target_takes_a_place_as_a_member_but_none_as_an_advocate() {
    let caps = Caps { edges_per_connector: 1, ..Caps::default() };
    let as_member = answer(&drawn("m2 -90-> c, m1 -50-> c, c -50-> m2"), "prospectName=m2", &caps);
    assert_eq!((said(&as_member), &as_member["coverage"]["capped"]), (vec![], &json!(true)));
    let as_advocate = answer(&drawn("a1 -90-> c, a2 -50-> c, c -50-> a1"), "prospectName=a1", &caps);
    let expected = ["direct m1 0 = 100 x 0", "advocate_second_degree m1 a2 c 0 = 0 x 50"];
    assert_eq!(said(&as_advocate), expected);
    assert_eq!(as_advocate["coverage"]["capped"], false);
}

#[test]
fn nothing_is_scanned_for_an_empty_from_set() {
    let network = drawn("x -90-> p, y -90-> p");
    let caps = Caps { edges_per_target: 1, ..Caps::default() };
    let query = params("prospectName=p&scope=me&fromUserIds=user_1");
    let answer = network.warm_paths(&Caller::User("user_2".to_owned()), &query, &caps);
    assert_eq!(answer["coverage"]["capped"], false);
    assert_eq!(answer["coverage"]["candidatePeople"], 1);
}

#[test]
fn company_mode_takes_the_best_known_employees_who_were_not_asked_for() {
    // Incoming edges: ea 1, eb 2, ec 2, ei 3.
    let edges = "m1 -10-> ea, m1 -20-> eb, m2 -30-> eb, m1 -40-> ec, x -50-> ec, m1 -60-> ei, m2 -61-> ei, m3 -62-> ei";
    let cases: [(&str, usize, [usize; 3], bool); 5] = [
        ("", 9, [4, 3, 1], false),
        ("", 3, [4, 3, 1], false),
        ("", 2, [3, 2, 1], true),
        ("&includeIntroRequested=true", 1, [3, 1, 0], true),
        ("&includeIntroRequested=true", 4, [7, 4, 0], false),
    ];
    for (more, company_candidates, [paths, candidates, excluded], capped) in cases {
        let caps = Caps { company_candidates, ..Caps::default() };
        let answer = answer(&drawn(edges), &format!("prospectCompany=acme{more}"), &caps);
        assert_eq!(answer["totalCount"], paths, "{more} {company_candidates}");
        assert_eq!(answer["excludedIntroRequested"], excluded);
        let coverage = json!({"capped": capped, "candidatePeople": candidates,
            "candidatePeopleCap": company_candidates, "secondDegreeEdgesCapped": false});
        assert_eq!(answer["coverage"], coverage, "{more} {company_candidates}");
    }
}

#[test]
fn the_whole_answer_has_the_fields_of_the_contract() {
    let network = drawn("m1 -10-> ei, m2 -20-> ei, m3 -30-> ei");
    let answer =
        answer(&network, "prospectName=EI&limit=1&offset=1&includeIntroRequested=false", &Caps::default());
    let expected = json!({
        "prospect": {"id": "person_ei", "name": "ei", "company": "Acme", "introRequested": true,
            "introStatus": "ACTIVE", "introRequestedBy": "m1", "introRequestedAt": "2024-01-01T00:00:00.000Z"},
        "company": null,
        "paths": [{"fromUserId": "user_2", "fromUserName": "m2", "connector": {"id": "person_m2", "name": "m2"},
            "connectionType": "direct", "warmness": 20, "userToConnectorWarmness": 100,
            "connectorToProspectWarmness": 20, "connectorToProspectBreakdown": {}}],
        "totalCount": 3, "returnedCount": 1, "limit": 1, "offset": 1, "hasMore": true, "nextOffset": 2,
        "excludedIntroRequested": 0,
        "coverage": {"capped": false, "candidatePeople": 1, "secondDegreeEdgesCapped": false},
    });
    assert_eq!(answer, expected);
}

#[test]
fn a_broken_rule_answers_differently() {
    let edges = "q1 -80-> p, m1 -50-> q1";
    let broken = drawn_by(Rules::with(Mistake::PendingCountsAsAccepted), edges);
    assert_eq!(said(&answer(&broken, "prospectName=p", &Caps::default())), ["advocate m1 q1 40 = 50 x 80"]);
}
