//! `kith score`: the factors of one edge, whether they add up, and their evidence.
//!
//! Promise: `kith score` says if a breakdown does not add up, and shows the example of its document.
//! Control: a breakdown that does.

use std::fs;

use tempfile::TempDir;

use crate::program::{Ended, project, run, run_well};

/// The tables of a member, three people and what is known of the edges between them.
const TABLES: [(&str, &str); 5] = [
    ("organization.json", r#"{"id":"org_mill","name":"Mill"}"#),
    (
        "people.ndjson",
        r#"{"id":"person_ana","name":"Ana Prado","email":"ana@mill.example"}
{"id":"person_hal","name":"Hal Novak","linkedinId":"hal-novak"}
{"id":"person_ida","name":"Ida Roth"}
{"id":"person_ida2","name":"Ida Roth \u001b[2J"}
"#,
    ),
    (
        "members.ndjson",
        r#"{"userId":"user_ana","personId":"person_ana","role":"admin","joinedAt":"2026-01-01T00:00:00Z"}
"#,
    ),
    (
        "connections.ndjson",
        r#"{"from":"person_ana","to":"person_hal","warmness":52,"breakdown":{"connection":10,"yearsConnected":5,"pastCompanyOverlap":15,"pastCompanyName":"Quayside Health","sameCity":5,"messageRecency":9,"messageVolume":5,"messageReciprocity":3}}
{"from":"person_ana","to":"person_ida","warmness":17,"breakdown":{"yearsConnected":7,"connection":10}}
{"from":"person_ana","to":"person_ida2","warmness":60,"breakdown":{"boardSeat":3,"sameCity":12.5}}
{"from":"person_hal","to":"person_ida","breakdown":{}}
{"from":"person_hal","to":"person_ana","warmness":3}
"#,
    ),
    (
        "evidence.ndjson",
        r#"{"from":"person_ana","to":"person_hal","kind":"message_sent","at":"2025-12-10T00:00:00Z","source":"messages.csv","note":"the last of 2 since 2025-11-02"}
{"from":"person_ana","to":"person_hal","kind":"message_received","at":"2025-12-08T00:00:00Z","source":"messages.csv"}
{"from":"person_ana","to":"person_hal","kind":"connection","at":"2021-02-01T00:00:00Z","source":"Connections.csv"}
"#,
    ),
];

fn tables() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, rows) in TABLES {
        fs::write(folder.path().join(name), rows).unwrap();
    }
    folder
}

fn explained(folder: &TempDir, from: &str, to: &str) -> Ended {
    run(&["score", "--explain", "--tables", folder.path().to_str().unwrap(), from, to])
}

#[test]
fn an_edge_is_explained_as_the_document_shows_it_however_its_ends_are_named() {
    let folder = tables();
    let document = fs::read_to_string(project("docs/scoring.md")).unwrap();
    for from in ["user_ana", "person_ana", "ANA@mill.example", "ana prado"] {
        for to in ["hal-novak", "person_hal", "https://www.linkedin.com/in/Hal-Novak/", "Hal Novak"] {
            let ended = explained(&folder, from, to);
            assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{from} {to}");
            assert!(document.contains(&ended.out), "{from} {to}: {}", ended.out);
            assert!(ended.out.contains("    52  warmness"), "{}", ended.out);
        }
    }
    let args = ["score", "--tables", folder.path().to_str().unwrap(), "user_ana", "hal-novak"];
    assert_eq!(run_well(&args), "52\n");
}

/// The control of the line that says that factors add up: breakdowns that do not.
#[test]
fn what_a_breakdown_does_not_say_is_said() {
    let folder = tables();
    for (from, to, lines) in [
        ("person_ana", "person_ida", &["    17  warmness", "Nothing is known but the connection"][..]),
        (
            "person_ana",
            "person_ida2",
            &["  12.5  sameCity", "boardSeat  a factor of another program", "15.5, not to 60"],
        ),
        ("person_ana", "person_ida2", &["Ida Roth \\u{1b}[2J"]),
        ("person_hal", "person_ida", &["unscored  warmness", "The edge has no score."]),
        ("person_hal", "person_ana", &["The table has no breakdown for this score."]),
    ] {
        let ended = explained(&folder, from, to);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        for line in lines {
            assert!(ended.out.contains(line), "no {line}: {}", ended.out);
        }
        assert!(!ended.out.contains("The factors add up to 17."), "{}", ended.out);
        assert!(ended.out.lines().all(|line| line.chars().count() <= 80), "{}", ended.out);
    }
}

#[test]
fn an_edge_that_is_not_there_and_a_name_of_nobody_or_of_two_end_the_command() {
    let folder = tables();
    fs::write(folder.path().join("people.ndjson"), TABLES[1].1.replace(" \\u001b[2J", "")).unwrap();
    for (from, to, said) in [
        ("person_ida", "person_ana", "there is no edge from Ida Roth to Ana Prado"),
        ("nobody", "person_ana", "nobody in the tables is meant by \"nobody\""),
        ("person_ana", "Ida Roth", "\"Ida Roth\" is meant by 2 people; name one by the id"),
    ] {
        let ended = explained(&folder, from, to);
        assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{}", ended.out);
        assert!(ended.err.contains(said) && ended.err.starts_with("kith: "), "{}", ended.err);
    }
    let absent = run(&["score", "--explain", "--tables", "absent", "a", "b"]);
    assert!(absent.code == Some(1) && absent.err.contains("absent"), "{}", absent.err);
}
