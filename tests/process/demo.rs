//! `kith demo`: its printed commands work, and nothing is left when it ends.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::http::Connection;
use crate::program::{Server, start_demo, stop_demo_at_its_first_file};

/// A printed curl line, taken apart.
struct Curl {
    credential: String,
    host: String,
    path: String,
}

/// `curl -s -H 'Authorization: Bearer CREDENTIAL' 'http://HOST/PATH'`
fn parse(line: &str) -> Curl {
    let rest = line.strip_prefix("curl -s -H 'Authorization: Bearer ").unwrap();
    let (credential, address) = rest.split_once("' 'http://").unwrap();
    let (host, path) = address.strip_suffix('\'').unwrap().split_once('/').unwrap();
    Curl { credential: credential.to_owned(), host: host.to_owned(), path: format!("/{path}") }
}

/// Waits for the curl lines of both organizations; each ends with the one that needs the token.
fn curl_lines(demo: &mut Server) -> Vec<Vec<Curl>> {
    let mut lines = Vec::new();
    for _ in 0..2 {
        let before = demo.printed().len();
        demo.wait_for_output(|line| line.starts_with("curl ") && line.contains("scope=me"));
        let printed = demo.printed()[before..].iter();
        lines.push(printed.filter(|line| line.starts_with("curl ")).map(|line| parse(line)).collect());
    }
    lines
}

fn types_of(answer: &Value) -> BTreeSet<String> {
    let paths = answer["data"]["paths"].as_array().unwrap();
    paths.iter().map(|path| path["connectionType"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_printed_lines_answer_all_four_types_and_nothing_is_left_behind() {
    let all = ["direct", "advocate", "second_degree", "advocate_second_degree"].map(str::to_owned);
    let folder = tempfile::tempdir().unwrap();
    let mut demo = start_demo(folder.path(), &["--verbose"]);
    let mut api = Connection::open(demo.api);
    let organizations = curl_lines(&mut demo);
    let links: Vec<String> =
        demo.printed().iter().filter_map(|line| line.strip_prefix("page   ")).map(str::to_owned).collect();
    assert_eq!(links.len(), 2);
    assert!(fs::read_dir(folder.path()).unwrap().count() > 0, "the control: it does make files");
    for (lines, link) in organizations.iter().zip(&links) {
        assert_eq!(lines.len(), 7);
        for line in lines {
            assert_eq!(line.host, demo.api.to_string());
            let reply = api.get(&line.path, &line.credential);
            assert_eq!(reply.status, 200, "{}: {}", line.path, String::from_utf8_lossy(&reply.body));
            let types = types_of(&reply.json());
            if let Some((_, rest)) = line.path.split_once("connectionTypes=") {
                assert_eq!(
                    types,
                    BTreeSet::from([rest.split('&').next().unwrap().to_owned()]),
                    "{}",
                    line.path
                );
            }
            assert!(!types.is_empty() || line.path.contains("scope=me"), "{}", line.path);
        }
        // Its link leads to a person whom its token finds, and who can be reached.
        let (host, opened) = link.strip_prefix("http://").unwrap().split_once("/explore#key=").unwrap();
        let (token, person) = opened.split_once("&to=/paths/").unwrap();
        assert_eq!(host, demo.api.to_string());
        let reply = api.get(&format!("/api/v1/search/warm-paths?prospectId={person}"), token);
        assert!(!types_of(&reply.json()).is_empty(), "{link}");
        let first = api.get(&lines[0].path, &lines[0].credential);
        assert_eq!(types_of(&first.json()), BTreeSet::from(all.clone()));
        // A credential of one organization says nothing about the other's people.
        let (ours, theirs) = (&organizations[0][0], &organizations[1][0]);
        assert!(types_of(&api.get(&theirs.path, &ours.credential).json()).is_empty());
    }
    assert_eq!(Connection::open(demo.admin).send("GET", "/readyz", &[]).status, 200);
    let (code, _) = demo.stop("TERM");
    assert_eq!(code, Some(0));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn without_verbose_one_screen_says_what_it_is_and_its_three_lines_answer_what_stands_above_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = start_demo(folder.path(), &[]);
    let mut api = Connection::open(demo.api);
    demo.wait_for_output(|line| line.starts_with("More: "));
    let printed = demo.printed().to_vec();
    let rows: usize = printed.iter().map(|line| line.chars().count().div_ceil(80).max(1)).sum();
    assert!(rows <= 36, "{rows} rows of 80 columns:\n{}", printed.join("\n"));
    let curls: Vec<usize> = (0..printed.len()).filter(|&place| printed[place].starts_with("curl ")).collect();
    assert_eq!(curls.len(), 3, "a person and a company of the first organization, a person of the second");
    for place in curls {
        let line = parse(&printed[place]);
        let reply = api.get(&line.path, &line.credential);
        assert_eq!(reply.status, 200, "{}", line.path);
        let answer = reply.json();
        if let Some((total, first)) = printed[place - 1].split_once(" paths; the first: ") {
            assert_eq!(total, format!("# {}", answer["data"]["totalCount"]));
            let path = &answer["data"]["paths"][0];
            assert!(first.starts_with(path["fromUserName"].as_str().unwrap()), "{first} {path}");
            assert!(first.ends_with(&format!("warmness {}", path["warmness"])), "{first} {path}");
        }
    }
    assert_eq!(demo.stop("TERM").0, Some(0));
}

#[test]
fn a_demo_that_is_stopped_before_it_serves_leaves_nothing_behind_either() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(stop_demo_at_its_first_file(folder.path(), signal), Some(0), "SIG{signal}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "SIG{signal}");
    }
}
