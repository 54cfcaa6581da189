//! `kith quiet`, `kith digest` and `kith batch`: the weekly commands.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::{check_failure, list_with_pia};
use crate::program::{Site, build_tiny, project, run, run_well};

/// Two snapshots of the tiny network with evidence: in the later one Ana knows Fay better than a connection does, tom is
/// within reach no more, and the year of Ana's tie to Dee is over.
struct Weeks {
    site: Site,
    before: String,
    after: String,
}

/// Evidence of the member ties to dee (90), kim, fay and hal; the newest is of the day given.
fn evidence(newest: &str) -> String {
    let row = |from: &str, to: &str, kind: &str, day: &str| {
        format!(
            "{{\"from\":\"person_{from}\",\"to\":\"person_{to}\",\"kind\":\"{kind}\",\"at\":\"{day}T00:00:00Z\"}}\n"
        )
    };
    [
        row("ana", "dee", "mail_sent", "2025-06-02"),
        row("ana", "dee", "connection", "2020-01-01"),
        row("ana", "fay", "mail_sent", "2020-01-01"),
        row("ana", "ben", "meeting", "2020-01-01"),
        row("cai", "rui", "meeting", newest),
    ]
    .concat()
}

fn build(site: &Site, name: &str, edits: &[(&str, &str)], evidence: &str) -> String {
    let folder = site.file(&format!("{name}-tables"));
    fs::create_dir(&folder).unwrap();
    for entry in fs::read_dir(project("fixtures/tiny")).unwrap() {
        let path = entry.unwrap().path();
        let edited = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        let text = edits.iter().fold(fs::read_to_string(&path).unwrap(), edited);
        fs::write(format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap()), text).unwrap();
    }
    fs::write(format!("{folder}/evidence.ndjson"), evidence).unwrap();
    let out = site.snapshot(&format!("{name}.kith"));
    let out = out.to_str().unwrap().to_owned();
    run_well(&["build", &folder, "--out", &out]);
    out
}

fn weeks() -> Weeks {
    let site = Site::new();
    let before = build(&site, "before", &[], &evidence("2026-05-30"));
    let edits = [
        ("{\"from\":\"person_kim\",\"to\":\"person_tom\"", "{\"from\":\"person_kim\",\"to\":\"person_sol\""),
        ("VP Sales", "CRO"),
    ];
    let after = build(&site, "after", &edits, &evidence("2026-06-02"));
    Weeks { site, before, after }
}

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_strong_tie_is_quiet_after_a_year_without_contact_and_others_are_not() {
    let weeks = weeks();
    let quiet = |more: &[&str]| {
        let ties = lines(&run_well(&[&["quiet", &weeks.after, "--json"], more].concat()));
        let text = |tie: &Value, key: &str| tie[key].as_str().unwrap().to_owned();
        let tie = |tie: &Value| {
            (text(&tie["person"], "id"), text(tie, "userId"), tie["quietDays"].as_u64().unwrap())
        };
        ties.iter().map(tie).collect::<Vec<_>>()
    };
    // fay is no strong tie of ana's, and ben is a colleague.
    let dee = ("person_dee".to_owned(), "user_ana".to_owned(), 365);
    for more in [&[][..], &["--as", "user_ana"]] {
        assert_eq!(quiet(more), std::slice::from_ref(&dee), "{more:?}");
    }
    assert_eq!(quiet(&["--as", "user_cai"]), []);
    assert_eq!(quiet(&["--days", "366"]), []);
    let tie = &lines(&run_well(&["quiet", &weeks.after, "--json"]))[0];
    assert_eq!((&tie["warmness"], &tie["lastContact"]), (&json!(90), &json!("2025-06-02")));
    // The control: three days earlier the year was not over.
    assert_eq!(run_well(&["quiet", &weeks.before, "--json"]), "");
    assert!(run_well(&["quiet", &weeks.before]).contains("No tie of 31 or more has been quiet for 365 days"));
    check_failure(&["quiet", &weeks.after, "--as", "user_eve"], &["no member", "user_eve"]);
    let bare = weeks.site.snapshot("bare.kith");
    build_tiny(&bare, &[]);
    assert!(run_well(&["quiet", bare.to_str().unwrap()]).contains("no evidence"));
}

#[test]
fn a_digest_has_what_is_new_and_one_of_a_snapshot_with_itself_nothing() {
    let weeks = weeks();
    let targets = weeks.site.file("targets.txt");
    fs::write(&targets, "person_tom\nQue\n").unwrap();
    let digest = |before: &[&str]| -> Value {
        let all = [&["digest", &weeks.after, "--json", "--targets", &targets], before].concat();
        serde_json::from_str(&run_well(&all)).unwrap()
    };
    let kinds = |section: &Value| -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap().trim_start_matches("person_").to_owned();
        let entries = section["entries"].as_array().unwrap();
        entries.iter().map(|it| format!("{} {}", text(&it["kind"]), text(&it["person"]["id"]))).collect()
    };
    let found = digest(&["--before", &weeks.before]);
    assert_eq!(kinds(&found["people"]), ["reachable sol"]);
    assert_eq!(kinds(&found["targets"]), ["unreachable tom"]);
    assert_eq!(kinds(&found["moved"]), ["position que"]);
    assert_eq!(found["quiet"]["entries"][0]["person"]["id"], "person_dee");
    assert_eq!((&found["quiet"]["total"], &found["organization"]["id"]), (&json!(1), &json!("org_tiny")));
    // With itself, nothing; without another one everything, but for members.
    let same = digest(&["--before", &weeks.after]);
    for key in ["people", "targets", "moved", "quiet"] {
        assert_eq!(same[key], json!({ "total": 0, "entries": [] }), "{key}");
    }
    let first = digest(&[]);
    assert!(first["people"]["total"].as_u64().unwrap() > 5 && first.get("since").is_none());
    assert!(
        first["people"]["entries"].as_array().unwrap().iter().all(|it| it["person"]["id"] != "person_ben")
    );
    // As a text and as a mail.
    let text = run_well(&["digest", &weeks.after, "--before", &weeks.before]);
    assert!(
        text.starts_with("Lanternworks: what is new from ") && text.contains("Newly in reach: 1\n"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let html = run_well(&["digest", &weeks.after, "--html"]);
    assert!(html.starts_with("<!doctype html>") && html.contains("Oak &amp; Tide Advisory"), "{html}");
    assert!(!html.contains("<script") && !html.contains("http"), "nothing is asked for elsewhere");
    // A forgotten person is in no section.
    let list = list_with_pia(&weeks.site);
    let without = |more: &[&str]| run_well(&[&["digest", &weeks.after, "--json"], more].concat());
    assert!(
        without(&[]).contains("person_pia") && !without(&["--suppressions", &list]).contains("person_pia")
    );
}

#[test]
fn a_batch_is_a_table_that_a_crm_loads() {
    let weeks = weeks();
    let targets = weeks.site.file("targets.txt");
    fs::write(&targets, "Pia Weiß <PIA@copper.example>\nperson_pia\ncompany_mill\n=1+1 nobody\n").unwrap();
    for (crm, name, headings) in [
        ("hubspot", "First Name", 10),
        ("salesforce", "FirstName", 10),
        ("affinity", "First Name", 10),
        ("attio", "Name", 9),
    ] {
        let ended = run(&["batch", &weeks.after, "--targets", &targets, "--for", crm]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert!(
            ended.err.contains("line 4 of the targets is not in the snapshot: =1+1 nobody"),
            "{}",
            ended.err
        );
        let mut table = csv::Reader::from_reader(ended.out.as_bytes());
        let head: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!((head[0].as_str(), head.len()), (name, headings), "{crm}");
        let rows: Vec<BTreeMap<String, String>> = table
            .records()
            .map(|row| head.iter().cloned().zip(row.unwrap().iter().map(str::to_owned)).collect())
            .collect();
        assert_eq!(rows.len(), 3, "{crm}");
        let email = |row: &BTreeMap<String, String>| {
            row.iter().find(|(key, _)| key.starts_with("Email")).map(|(_, email)| email.clone()).unwrap()
        };
        // The address of the list, and of no other row.
        assert_eq!(
            [email(&rows[0]), email(&rows[1]), email(&rows[2])],
            ["pia@copper.example", "", ""],
            "{crm}"
        );
        let of_pia = |key: &str| {
            rows[1]
                .iter()
                .find(|(own, _)| own.to_lowercase().contains(key))
                .map(|(_, cell)| cell.clone())
                .unwrap()
        };
        assert!(of_pia("linkedin").ends_with("/in/pia-weiss") && !of_pia("strength").is_empty(), "{rows:?}");
        assert!(!of_pia("ask").is_empty(), "{rows:?}");
    }
    let list = list_with_pia(&weeks.site);
    let without =
        run(&["batch", &weeks.after, "--targets", &targets, "--for", "attio", "--suppressions", &list]);
    assert!(!without.out.contains("pia-weiss"), "{}", without.out);
    assert_eq!(run(&["batch", &weeks.after, "--targets", &targets, "--for", "excel"]).code, Some(2));
}
