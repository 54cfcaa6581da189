//! `kith suppress` beside a running server: a suppressed person is gone with the next request.

use std::fs;

use serde_json::{Value, json};

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny, run, run_well};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
/// A list with pia in it.
const PEOPLE: &str = "/api/v1/search/people?q=e&limit=50";

/// A site with the tiny network and a list of its own, still empty.
fn site() -> (Site, String) {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let list = site.snapshot("../forget me.txt").to_str().unwrap().to_owned();
    run_well(&["suppress", "create", "--suppressions", &list]);
    (site, list)
}

fn add(list: &str, named: &[&str]) -> String {
    let args = ["suppress", "add", "--suppressions", list, "--org", "org_tiny"];
    run_well(&[&args, named].concat())
}

fn remove(list: &str, named: &[&str]) -> crate::program::Ended {
    let args = ["suppress", "remove", "--suppressions", list, "--org", "org_tiny"];
    run(&[&args, named].concat())
}

fn has_pia(server: &Server, key: &str) -> bool {
    let mut api = Connection::open(server.api);
    let [paths, people] = [PIA, PEOPLE].map(|path| {
        let reply = api.get(path, key);
        assert_eq!(reply.status, 200);
        reply
    });
    let is_prospect = !paths.json()["data"]["prospect"].is_null();
    let is_listed = String::from_utf8_lossy(&people.body).contains("person_pia");
    assert_eq!(is_prospect, is_listed, "the one as the other");
    is_listed
}

#[test]
fn who_is_put_on_the_list_is_gone_with_the_next_request_and_after_a_crash() {
    let (site, list) = site();
    let key = site.create_key("org_tiny", "a");
    let token = site.create_token("org_tiny", "user_cai");
    let server = site.serve_with("info", &["--suppressions", &list]);
    assert!(has_pia(&server, &key));
    let handle = ["--linkedin-id", "https://www.linkedin.com/in/Pia-Weiss/"];
    assert_eq!(add(&list, &handle), "1 added, 0 there already\n");
    assert!(!has_pia(&server, &key), "the very next request");
    assert_eq!(add(&list, &handle), "0 added, 1 there already\n");

    // A member who is forgotten is no longer a member.
    // Another connection each time: one that is silent while commands run is closed.
    let status = || Connection::open(server.api).get(PIA, &token).status;
    assert_eq!(status(), 200);
    add(&list, &["--email", " CAI@oaktide.example "]);
    assert_eq!(status(), 401);
    assert_eq!(remove(&list, &["--email", "cai@oaktide.example"]).out, "1 removed\n");
    assert_eq!(status(), 200);

    let (code, logged) = server.stop("KILL");
    assert_eq!(code, None);
    assert!(!logged.iter().any(|line| line.to_lowercase().contains("pia-weiss")), "{logged:?}");
    let server = site.serve_with("info", &["--suppressions", &list]);
    assert!(!has_pia(&server, &key), "after a crash");
    build_tiny(&site.snapshot("tiny.kith"), &[("\"warmness\":40,", "\"warmness\":41,")]);
    let mut admin = Connection::open(server.admin);
    assert_eq!(admin.send("POST", "/admin/reload", &[("content-length", "0")]).status, 200);
    assert!(!has_pia(&server, &key), "after the load of a snapshot that holds them");
    assert_eq!(remove(&list, &["--linkedin-id", "pia-weiss"]).code, Some(0));
    assert!(has_pia(&server, &key), "and back");
}

#[test]
fn a_list_among_the_snapshots_is_found_by_itself() {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let key = site.create_key("org_tiny", "a");
    let list = site.snapshot("suppressions.txt").to_str().unwrap().to_owned();
    let early = site.serve("info");
    assert!(has_pia(&early, &key));
    let said = add(&list, &["--linkedin-id", "pia-weiss"]);
    assert!(said.contains("the list is new") && said.contains(&list), "{said}");
    assert!(!has_pia(&early, &key), "made while a server runs");
    let server = site.serve("info");
    assert!(!has_pia(&server, &key));
    let line = server.logged().iter().find(|line| line.contains("\"reload\"")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&line["generation_before"], &line["generation_after"]), (&json!(0), &json!(1)), "{line}");
}

#[test]
fn a_server_does_not_start_with_a_list_it_cannot_keep_to() {
    let (site, list) = site();
    let start = || {
        let args = site.serve_args();
        let args: Vec<&str> = args.iter().map(String::as_str).chain(["--suppressions", &list]).collect();
        run(&args)
    };
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replace("end\t0", "end\t1")).unwrap();
    let ended = start();
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("forget me.txt") && ended.err.contains("line 3"), "{}", ended.err);
    fs::remove_file(&list).unwrap();
    let ended = start();
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("there is no suppression list"), "{}", ended.err);
}

#[test]
fn the_commands_say_what_is_listed_and_whether_a_snapshot_holds_any_of_them() {
    let (site, list) = site();
    let snapshot = site.snapshot("tiny.kith").to_str().unwrap().to_owned();
    let check = || run(&["suppress", "check", "--suppressions", &list, &snapshot]);
    let none = check();
    assert_eq!((none.code, none.out.contains("nobody in")), (Some(0), true), "{none:?}");
    add(
        &list,
        &["--linkedin-id", "pia-weiss", "--email", "ana@lanternworks.example", "--linkedin-id", "no-one"],
    );
    let some = check();
    assert_eq!((some.code, some.err.contains("2 people are in")), (Some(1), true), "{some:?}");

    let listed = run_well(&["suppress", "list", "--suppressions", &list, "--json"]);
    assert!(!listed.contains("pia") && !listed.contains("ana"), "{listed}");
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    let kinds: Vec<_> = listed.iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["linkedinId", "linkedinId", "email"]);
    for entry in &listed {
        assert_eq!((&entry["organization"], entry["hash"].as_str().unwrap().len()), (&json!("org_tiny"), 8));
        assert!(entry["addedAt"].as_str().unwrap().ends_with('Z'));
    }
    let table = run_well(&["suppress", "list", "--suppressions", &list]);
    assert!(table.starts_with("ORGANIZATION") && table.lines().count() == 4, "{table}");

    // All of them or none.
    let refused = remove(&list, &["--linkedin-id", "pia-weiss", "--linkedin-id", "no-two"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("1 of the 2") && !refused.err.contains("no-two"), "{}", refused.err);
    assert_eq!(
        remove(&list, &["--linkedin-id", "pia-weiss", "--email", "ANA@lanternworks.example"]).code,
        Some(0)
    );
    assert_eq!(check().code, Some(0));
    let refused = run(&["suppress", "create", "--suppressions", &list]);
    assert_eq!((refused.code, refused.err.contains("is there already")), (Some(1), true));
    for bad in [
        &["suppress", "add", "--suppressions", &list, "--org", "org_tiny"][..],
        &["suppress", "add", "--suppressions", &list, "--org", "org_tiny", "--email", " "],
        &["suppress", "add", "--suppressions", &list, "--org", "user_x", "--email", "a@b.c"],
        &["suppress", "check", "--suppressions", &list],
    ] {
        assert_eq!(run(bad).code, Some(2), "{bad:?}");
    }
}
