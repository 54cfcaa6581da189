//! `kith diff`.

use std::fs;

use serde_json::{Value, json};

use super::{check_failure, check_golden, list_with_pia, tiny};
use crate::program::{Site, build_tiny, run, run_well};

/// The edits of the tiny network, and the resulting changes.
const EDITS: [(&str, &str); 5] = [
    // dee knows pia better,
    ("\"to\":\"person_pia\",\"warmness\":70", "\"to\":\"person_pia\",\"warmness\":90"),
    // nobody knows tom any more, but kim knows sol,
    ("{\"from\":\"person_kim\",\"to\":\"person_tom\"", "{\"from\":\"person_kim\",\"to\":\"person_sol\""),
    // que has another position,
    ("VP Sales", "CRO"),
    // fay works at Copper Mill,
    (
        "\"position\":\"Freelance Designer\"",
        "\"position\":\"Freelance Designer\",\"currentCompanyId\":\"company_mill\"",
    ),
    // and cai knows rui less than ana knows hal, who knows rui.
    ("\"to\":\"person_rui\",\"warmness\":66", "\"to\":\"person_rui\",\"warmness\":11"),
];

struct Snapshots {
    site: Site,
    old: String,
    new: String,
}

fn snapshots() -> Snapshots {
    let site = Site::new();
    let old = tiny(&site);
    let new = site.snapshot("later.kith");
    build_tiny(&new, &EDITS);
    Snapshots { old, new: new.to_str().unwrap().to_owned(), site }
}

impl Snapshots {
    fn changes(&self, more: &[&str]) -> Vec<Value> {
        let out = run_well(&[&["diff", &self.old, &self.new, "--json"], more].concat());
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn targets(&self, text: &str) -> String {
        let file = self.site.file("targets.txt");
        fs::write(&file, text).unwrap();
        file
    }
}

/// `kind person` for each change.
fn kinds(changes: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().trim_start_matches("person_").to_owned();
    changes.iter().map(|it| format!("{} {}", text(&it["kind"]), text(&it["person"]["id"]))).collect()
}

#[test]
fn known_edits_are_the_changes_that_are_reported() {
    let snapshots = snapshots();
    let changes = snapshots.changes(&[]);
    let expected = [
        "company fay",
        "warmer pia",
        "position que",
        "colder rui",
        "connector rui",
        "reachable sol",
        "unreachable tom",
    ];
    assert_eq!(kinds(&changes), expected);
    let of = |who: &str| changes.iter().find(|it| it["person"]["id"] == who).unwrap();
    assert_eq!(
        of("person_fay"),
        &json!({
            "kind": "company",
            "person": { "id": "person_fay", "name": "Fay Groß", "position": "Freelance Designer", "company": "Copper Mill" },
            "before": null,
            "after": { "id": "company_mill", "name": "Copper Mill" },
        })
    );
    assert_eq!(
        of("person_pia"),
        &json!({
            "kind": "warmer",
            "person": { "id": "person_pia", "name": "Pia Weiß", "linkedinId": "pia-weiss", "position": "Head of Operations", "company": "Copper Mill" },
            "before": { "warmness": 63, "connectionType": "advocate", "fromUserId": "user_ana", "connector": { "id": "person_dee", "name": "Dee Sørensen-Holt" } },
            "after": { "warmness": 81, "connectionType": "advocate", "fromUserId": "user_ana", "connector": { "id": "person_dee", "name": "Dee Sørensen-Holt" } },
        })
    );
    check_golden("diff", &run_well(&["diff", &snapshots.old, &snapshots.new]));
    // The control: a snapshot has not changed since itself.
    let same = run(&["diff", &snapshots.old, &snapshots.old]);
    assert_eq!((same.code, same.out.as_str()), (Some(0), "nothing changed\n"));
    assert_eq!(run_well(&["diff", &snapshots.old, &snapshots.old, "--json"]), "");
}

#[test]
fn with_targets_only_their_changes_are_reported_and_who_is_in_neither_is_on_stderr() {
    let snapshots = snapshots();
    for (text, expected) in [
        ("person_sol\n", &["reachable sol"][..]),
        ("\n person_tom\r\n\nperson_tom\nperson_gus\n", &["unreachable tom"]),
        ("{\"name\":\"Fay Groß\"}", &["company fay"]),
        ("{\"linkedinId\":\"pia-weiss\"}", &["warmer pia"]),
        ("{\"email\":\"pia@coppermill.example\"}", &["warmer pia"]),
        ("{\"company\":\"Copper Mill\",\"position\":\"designer\"}", &["company fay"]),
        ("{\"id\":\"company_mill\",\"position\":\"cro\"}\nperson_sol", &["position que", "reachable sol"]),
        ("", &[]),
    ] {
        let targets = snapshots.targets(text);
        assert_eq!(kinds(&snapshots.changes(&["--targets", &targets])), expected, "{text}");
    }
    let targets = snapshots.targets("person_sol\nperson_nobody\n{\"name\":\"Xyzzy \\u001b\"}\n");
    let ended = run(&["diff", &snapshots.old, &snapshots.new, "--targets", &targets]);
    assert_eq!((ended.code, ended.err.lines().count()), (Some(0), 2), "{}", ended.err);
    assert!(ended.err.contains("line 2 ") && ended.err.contains("person_nobody"), "{}", ended.err);
    assert!(ended.err.contains("line 3 ") && !ended.err.contains('\u{1b}'), "{}", ended.err);

    let targets = snapshots.targets("person_sol\n\n{\"name\":\"a\",\"id\":\"person_a\"}\n");
    check_failure(
        &["diff", &snapshots.old, &snapshots.new, "--targets", &targets],
        &["targets.txt", "line 3"],
    );
    let absent = snapshots.site.file("absent");
    check_failure(&["diff", &snapshots.old, &snapshots.new, "--targets", &absent], &["absent"]);
}

#[test]
fn a_suppressed_person_is_in_no_change() {
    let snapshots = snapshots();
    let list = list_with_pia(&snapshots.site);
    // The control: without the list she is.
    assert!(snapshots.changes(&[]).iter().any(|it| it.to_string().contains("person_pia")));
    for more in [
        &["--suppressions", &list][..],
        &["--suppressions", &list, "--targets", &snapshots.targets("person_sol\ncompany_mill")],
    ] {
        let changes = snapshots.changes(more);
        assert!(
            !changes.is_empty() && !changes.iter().any(|it| it.to_string().contains("person_pia")),
            "{changes:?}"
        );
    }
    // Nor if the list knows her by a handle that she has in one of the two alone.
    let renamed = snapshots.site.snapshot("renamed.kith");
    build_tiny(&renamed, &[("\"linkedinId\":\"pia-weiss\"", "\"linkedinId\":\"pia-w\"")]);
    let renamed = renamed.to_str().unwrap();
    for [one, other] in [[&snapshots.old[..], renamed], [renamed, &snapshots.old]] {
        assert_eq!(run_well(&["diff", one, other, "--suppressions", &list, "--json"]), "");
    }
}

#[test]
fn snapshots_of_two_organizations_are_not_compared() {
    let snapshots = snapshots();
    let other = snapshots.site.snapshot("other.kith");
    build_tiny(&other, &[("org_tiny", "org_other")]);
    let other = other.to_str().unwrap();
    check_failure(&["diff", &snapshots.old, other], &["org_tiny", "org_other"]);
    check_failure(&["diff", other, &snapshots.new], &["org_tiny", "org_other"]);
    check_failure(&["diff", &snapshots.old, &snapshots.site.file("none")], &["none"]);
    for args in [&["diff"][..], &["diff", &snapshots.old], &["diff", "a", "b", "c"]] {
        assert_eq!(run(args).code, Some(2), "{args:?}");
    }
}
