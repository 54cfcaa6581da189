//! Reload, by the operator's listener and by SIGHUP: the outcome for each file, and the networks served afterwards.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::http::Connection;
use crate::program::{Site, build_tiny};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss&limit=1";

/// Builds the tiny network with another score for the one direct path to pia.
fn build_with(file: &Path, score: u64) {
    build_tiny(
        file,
        &[("\"warmness\":40,\"breakdown\":{\"ind", &format!("\"warmness\":{score},\"breakdown\":{{\"ind"))],
    );
}

/// The tiny network as that of another organization.
const ELSEWHERE: [(&str, &str); 1] = [("\"org_tiny\"", "\"org_elsewhere\"")];

/// Reloads; the status, and the results without their reasons.
fn reload(admin: &mut Connection) -> (u16, Value, String) {
    let reply = admin.send("POST", "/admin/reload", &[("content-length", "0")]);
    let mut body = reply.json();
    let mut reasons = String::new();
    for line in body["results"].as_array_mut().unwrap() {
        let refused = line["outcome"] == "refused";
        let reason = line.as_object_mut().unwrap().remove("reason");
        assert_eq!(reason.is_some(), refused, "a reason where it is refused, and only there: {line}");
        reasons.push_str(reason.as_ref().and_then(Value::as_str).unwrap_or(""));
    }
    assert_eq!(body.as_object().unwrap().len(), 1);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    (reply.status, body["results"].take(), reasons)
}

#[test]
fn a_reload_says_what_became_of_each_file() {
    let site = Site::new();
    let (tiny, other) = (site.snapshot("tiny.kith"), site.snapshot("other.kith"));
    build_with(&tiny, 40);
    let (key, elsewhere) = (site.create_key("org_tiny", "a"), site.create_key("org_elsewhere", "b"));
    let server = site.serve("info");
    let (mut api, mut admin) = (Connection::open(server.api), Connection::open(server.admin));
    let mut warmness = |key: &str| match api.get(PIA, key) {
        reply if reply.status == 200 => reply.json()["data"]["paths"][0]["warmness"].as_u64().unwrap(),
        reply => u64::from(reply.status),
    };
    let line = |file: &str, organization: &str, outcome: &str| json!({ "file": file, "organization": organization, "outcome": outcome });
    let tiny_is = |outcome: &str| line("tiny.kith", "org_tiny", outcome);

    assert_eq!(reload(&mut admin), (200, json!([tiny_is("unchanged")]), String::new()));
    assert_eq!((warmness(&key), warmness(&elsewhere)), (40, 503));

    // The same tables built again are the same snapshot.
    build_with(&tiny, 40);
    assert_eq!(reload(&mut admin).1, json!([tiny_is("unchanged")]));

    build_with(&tiny, 73);
    assert_eq!(warmness(&key), 40, "nothing changes before a reload");
    assert_eq!(reload(&mut admin), (200, json!([tiny_is("loaded")]), String::new()));
    assert_eq!(warmness(&key), 73);

    build_tiny(&other, &ELSEWHERE);
    let results = json!([line("other.kith", "org_elsewhere", "loaded"), tiny_is("unchanged")]);
    assert_eq!(reload(&mut admin), (200, results, String::new()));
    assert_eq!((warmness(&key), warmness(&elsewhere)), (73, 40));

    // A refused file leaves the old network in service, and does not prevent others from loading.
    let sound = fs::read(&other).unwrap();
    fs::write(&other, &sound[..sound.len() - 1]).unwrap();
    build_with(&tiny, 12);
    let (status, results, reason) = reload(&mut admin);
    assert_eq!(status, 422);
    assert_eq!(results, json!([line("other.kith", "org_elsewhere", "refused"), tiny_is("loaded")]));
    assert!(reason.contains("cut off"), "{reason}");
    assert_eq!((warmness(&key), warmness(&elsewhere)), (12, 40));
    fs::write(&other, &sound).unwrap();
    assert_eq!(reload(&mut admin).0, 200);

    fs::remove_file(&tiny).unwrap();
    let results = json!([line("other.kith", "org_elsewhere", "unchanged"), tiny_is("unloaded")]);
    assert_eq!(reload(&mut admin), (200, results, String::new()));
    assert_eq!((warmness(&key), warmness(&elsewhere)), (503, 40));
    assert_eq!(
        reload(&mut admin).1,
        json!([line("other.kith", "org_elsewhere", "unchanged")]),
        "reported once"
    );

    build_with(&tiny, 55);
    assert_eq!(reload(&mut admin).0, 200);
    assert_eq!(warmness(&key), 55, "and it comes back");
}

#[test]
fn a_second_file_for_an_organization_is_refused_at_each_reload() {
    let site = Site::new();
    build_with(&site.snapshot("a.kith"), 40);
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("info");
    let (mut api, mut admin) = (Connection::open(server.api), Connection::open(server.admin));
    build_with(&site.snapshot("b.kith"), 73);
    for _ in 0..2 {
        let (status, results, reason) = reload(&mut admin);
        assert_eq!(status, 422);
        assert_eq!(results[0]["outcome"], "unchanged");
        assert_eq!(results[1], json!({ "file": "b.kith", "organization": "org_tiny", "outcome": "refused" }));
        assert!(reason.contains("a.kith") && reason.contains("org_tiny"), "{reason}");
        assert_eq!(api.get(PIA, &key).json()["data"]["paths"][0]["warmness"], 40);
    }
    // With the first one gone the second is served, without an answer in between that says otherwise.
    fs::remove_file(site.snapshot("a.kith")).unwrap();
    let (status, results, _) = reload(&mut admin);
    assert_eq!(
        (status, &results[0]["file"], &results[0]["outcome"]),
        (200, &json!("b.kith"), &json!("loaded"))
    );
    assert_eq!(api.get(PIA, &key).json()["data"]["paths"][0]["warmness"], 73);
}

#[test]
fn a_file_that_holds_another_organization_now_takes_the_old_one_out_of_service() {
    let site = Site::new();
    build_tiny(&site.snapshot("it.kith"), &[]);
    let (key, elsewhere) = (site.create_key("org_tiny", "a"), site.create_key("org_elsewhere", "b"));
    let server = site.serve("info");
    let (mut api, mut admin) = (Connection::open(server.api), Connection::open(server.admin));
    build_tiny(&site.snapshot("it.kith"), &ELSEWHERE);
    let (status, results, _) = reload(&mut admin);
    let outcomes: Vec<_> =
        results.as_array().unwrap().iter().map(|line| (&line["organization"], &line["outcome"])).collect();
    let (loaded, unloaded) =
        ((&json!("org_elsewhere"), &json!("loaded")), (&json!("org_tiny"), &json!("unloaded")));
    assert_eq!((status, outcomes), (200, vec![loaded, unloaded]));
    assert_eq!((api.get(PIA, &key).status, api.get(PIA, &elsewhere).status), (503, 200));
}

#[test]
fn sighup_does_what_a_reload_does() {
    let site = Site::new();
    build_with(&site.snapshot("tiny.kith"), 40);
    let key = site.create_key("org_tiny", "a");
    let mut server = site.serve("info");
    let mut api = Connection::open(server.api);
    for (score, outcome) in [(40, "unchanged"), (73, "loaded")] {
        build_with(&site.snapshot("tiny.kith"), score);
        server.signal("HUP");
        let line = server.wait_for_log(|line| line.contains("\"file\":\"tiny.kith\""));
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&line["outcome"], &line["organization"]), (&json!(outcome), &json!("org_tiny")));
        assert_eq!(api.get(PIA, &key).json()["data"]["paths"][0]["warmness"], score);
    }
    fs::write(site.snapshot("tiny.kith"), "no snapshot").unwrap();
    server.signal("HUP");
    let line = server.wait_for_log(|line| line.contains("snapshot refused"));
    assert!(line.contains("11 bytes"), "{line}");
    assert_eq!(api.get(PIA, &key).json()["data"]["paths"][0]["warmness"], 73);
    let (code, _) = server.stop("TERM");
    assert_eq!(code, Some(0));
}

#[test]
fn a_reload_takes_nothing_but_post() {
    let site = Site::new();
    let server = site.serve("info");
    let mut admin = Connection::open(server.admin);
    let refused = admin.send("GET", "/admin/reload", &[]);
    assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")));
    let (status, results, _) = reload(&mut admin);
    assert_eq!((status, results), (200, json!([])));
}
