//! `kith path` and `kith find`.
//!
//! Promise: `kith path` and `kith find` print what a server answers, byte by byte; a pasted target means the same in both.
//! Control: another target is another answer.

use std::fs;

use serde_json::{Value, json};

use super::{check_failure, check_golden, list_with_pia, tiny};
use crate::http::Connection;
use crate::program::{Site, build_tiny, run, run_well};
use crate::support::pasted::Pasted;
use crate::support::project;

/// Texts, and the query that asks a server the same.
const ASKED: [(&str, &str); 9] = [
    ("person_pia", "prospectId=person_pia"),
    ("company_mill", "prospectId=company_mill"),
    ("PIA@coppermill.example", "prospectEmail=PIA@coppermill.example"),
    ("pia-weiss", "prospectLinkedinId=pia-weiss"),
    (
        "https://www.linkedin.com/in/pia-weiss/",
        "prospectLinkedinId=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fpia-weiss%2F",
    ),
    ("Weiß Pia", "prospectName=Wei%C3%9F%20Pia"),
    ("Quentin Lefevre", "prospectName=Quentin%20Lefevre"),
    ("Copper Mill", "prospectCompany=Copper%20Mill"),
    ("person_sol", "prospectId=person_sol"),
];

#[test]
fn with_json_the_answers_are_those_of_a_server_byte_by_byte() {
    let site = Site::new();
    let file = tiny(&site);
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("info");
    for (who, query) in ASKED {
        let said = run_well(&["path", &file, who, "--json"]);
        let reply = Connection::open(server.api).get(&format!("/api/v1/search/warm-paths?{query}"), &key);
        assert_eq!(said, format!("{}\n", String::from_utf8_lossy(&reply.body)), "{who}");
    }
    for words in ["heads of operations in Porto", "partners", "nobody at all", "\u{1b}[2J"] {
        let said = run_well(&["find", &file, words, "--json"]);
        let body = json!({ "query": words }).to_string();
        let reply = Connection::open(server.api).post("/api/v1/search/network", &key, body.as_bytes());
        assert_eq!(said, format!("{}\n", String::from_utf8_lossy(&reply.body)), "{words}");
    }
    // The control: another target is another answer.
    let [pia, que] = ["person_pia", "person_que"].map(|who| run_well(&["path", &file, who, "--json"]));
    assert_ne!(pia, que);
}

#[test]
fn a_pasted_target_means_the_same_in_a_shell_and_in_a_batch() {
    let site = Site::new();
    let file = site.snapshot("fernhollow.kith");
    fs::copy(project("snapshots/fernhollow.kith"), &file).unwrap();
    let key = site.create_key("org_fernhollow", "a");
    let server = site.serve("info");
    let lines = Pasted::list("fernhollow");
    let texts: Vec<Value> = lines.iter().map(|line| json!({ "text": line.text })).collect();
    let body = json!({ "targets": texts, "perTarget": 1 }).to_string();
    let reply = Connection::open(server.api).post("/api/v1/search/warm-paths/batch", &key, body.as_bytes());
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    let results = answer["data"]["results"].as_array().unwrap();
    let meant = |answer: &Value| [&answer["prospect"]["id"], &answer["company"]["id"]].map(Value::clone);
    let mut found = 0;
    for (line, result) in lines.iter().zip(results).step_by(5) {
        let said = run(&["path", file.to_str().unwrap(), &line.text, "--json"]);
        let mine = serde_json::from_str(&said.out).unwrap_or_else(|_| json!({ "data": {} }));
        assert_eq!(meant(&mine["data"]), meant(result), "{}", line.text);
        found += usize::from(said.code == Some(0));
    }
    assert!((20..lines.len() / 5).contains(&found), "the control: some were found, some were not: {found}");
}

#[test]
fn tables_for_people_are_as_the_goldens_show() {
    let site = Site::new();
    let file = tiny(&site);
    for (golden, args) in [
        ("path-person", ["path", &file, "pia-weiss"]),
        ("path-company", ["path", &file, "Copper Mill"]),
        ("path-member", ["path", &file, "o"]),
        ("path-none", ["path", &file, "person_sol"]),
        ("find", ["find", &file, "partners in Porto"]),
        ("find-nobody", ["find", &file, "xyzzy"]),
    ] {
        let ended = run(&args);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{golden}");
        check_golden(golden, &ended.out);
    }
}

#[test]
fn no_text_of_a_network_steers_the_terminal_and_no_line_is_longer_than_80_columns() {
    let site = Site::new();
    let file = site.snapshot("tiny.kith");
    let (name, position) = ("Pia \\u001b[2J\\u202eWeiß", format!("{} Head", "\\u0007 김".repeat(60)));
    let replaced = [("Pia Weiß", name), ("Head of Operations", position.as_str())];
    build_tiny(&file, &replaced);
    let file = file.to_str().unwrap();
    for args in [["path", file, "person_pia"], ["path", file, "company_mill"], ["find", file, "Head of 김"]]
    {
        let out = run_well(&args);
        assert!(out.contains("Pia \\u{1b}[2J\\u{202e}"), "{out}");
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!out.contains(steers), "{out:?}");
        let columns = |line: &str| line.chars().map(|c| if ('가'..='힣').contains(&c) { 2 } else { 1 }).sum();
        let widest: Option<usize> = out.lines().map(columns).max();
        assert!(widest <= Some(80), "{widest:?}: {out}");
    }
}

#[test]
fn nobody_who_is_meant_is_exit_code_1_and_what_cannot_be_asked_is_2() {
    let site = Site::new();
    let file = tiny(&site);
    for who in ["Zebediah Quux", "person_nobody", "company_nobody", "no@where.example", "person_pi"] {
        check_failure(&["path", &file, who], &["nobody", "tiny.kith", who]);
        check_failure(&["path", &file, who, "--json"], &["nobody"]);
    }
    let absent = site.snapshot("absent.kith");
    for command in ["path", "find"] {
        check_failure(&[command, absent.to_str().unwrap(), "x"], &["absent.kith", "cannot find"]);
        for args in
            [&[command][..], &[command, &file], &[command, &file, " "], &[command, &file, &"x".repeat(1001)]]
        {
            assert_eq!(run(args).code, Some(2), "{args:?}");
        }
    }
    // The control: the longest query is taken.
    assert_eq!(run(&["find", &file, &"x".repeat(1000)]).code, Some(0));
}

#[test]
fn a_suppressed_person_is_not_found_from_a_shell_either() {
    let site = Site::new();
    let (file, list) = (tiny(&site), list_with_pia(&site));
    let people = |args: &[&str]| -> Vec<Value> {
        let answer: Value = serde_json::from_str(&run_well(&[args, &["--json"]].concat())).unwrap();
        answer["data"].as_array().unwrap().iter().map(|hit| hit["person"]["id"].clone()).collect()
    };
    let find = ["find", &file, "heads of operations in Porto"];
    // The control: without the list she is found.
    assert!(people(&find).contains(&json!("person_pia")));
    assert!(run_well(&["path", &file, "pia-weiss"]).contains("person_pia"));
    let with_list = ["--suppressions", &list];
    assert!(!people(&[&find[..], &with_list].concat()).contains(&json!("person_pia")));
    for who in ["person_pia", "pia-weiss"] {
        check_failure(&[&["path", &file, who][..], &with_list].concat(), &["nobody"]);
    }
    // Her address shows who else is at the firm, as one does that nobody ever had.
    let [hers, of_no_one] = ["pia@coppermill.example", "no-one@coppermill.example"]
        .map(|who| run(&[&["path", &file, who][..], &with_list].concat()));
    assert_eq!((hers.code, &hers.out), (of_no_one.code, &of_no_one.out));
    assert!(hers.code == Some(1) && !hers.out.contains("Pia Weiss"), "{}", hers.out);
    let mill = run_well(&[&["path", &file, "company_mill", "--json"][..], &with_list].concat());
    assert!(mill.contains("person_que") && !mill.contains("person_pia"), "{mill}");

    // As with `kith serve`, a list that is named is there, and one beside the snapshot holds unasked.
    check_failure(&["path", &file, "person_pia", "--suppressions", &site.file("no.txt")], &["no.txt"]);
    let beside = site.snapshot("suppressions.txt");
    fs::copy(&list, &beside).unwrap();
    check_failure(&["path", &file, "person_pia"], &["nobody"]);
    fs::write(&beside, "damaged").unwrap();
    check_failure(&["find", &file, "partners"], &["suppressions.txt"]);
    fs::remove_file(&beside).unwrap();
    assert!(run_well(&["path", &file, "person_pia"]).contains("person_pia"));
    fs::write(site.snapshot(".suppressions.txt.made"), "").unwrap();
    check_failure(&["path", &file, "person_pia"], &["suppressions.txt"]);
}
