//! A replica of a cell: the notes of `kith pull` in its folder decide whether it is ready, and whether it answers.
//!
//! Promise: `cell.folder`: ready only with every organization of the cell; `cell.age_max_seconds`: 500 and unready once
//!   credentials were not pulled for so long, until they are.
//! Control: the same server without the key.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny, project};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
/// So old credentials may be: longer than any trial takes.
const AGE_MAX_SECONDS: u64 = 3_600;

fn tiny_site() -> Site {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site
}

fn is_ready(server: &Server) -> u16 {
    Connection::open(server.admin).send("GET", "/readyz", &[]).status
}

/// Writes the note of a cell with these organizations.
fn note(site: &Site, organizations: &[&str]) {
    let identities: serde_json::Map<_, _> = organizations
        .iter()
        .map(|organization| ((*organization).to_owned(), json!("ab".repeat(32))))
        .collect();
    let note = json!({ "cell": "eu-1", "organizations": identities, "left": {} });
    fs::write(site.snapshot("cell.json"), note.to_string()).unwrap();
}

#[test]
fn a_replica_is_ready_with_every_organization_of_its_cell_and_answers_for_those_it_has() {
    let site = tiny_site();
    let key = site.create_key("org_tiny", "a");
    let folder = site.snapshots();
    // The control: the same server without the key.
    let (cell, control) = (site.serve_in("info", &[("KITH_CELL__FOLDER", &folder)]), site.serve("info"));
    let readiness = || (is_ready(&cell), is_ready(&control));
    let reload =
        || Connection::open(cell.admin).send("POST", "/admin/reload", &[("content-length", "0")]).status;

    assert_eq!(readiness(), (503, 200), "what is in the cell is not known");
    fs::write(site.snapshot("cell.json"), "{").unwrap();
    assert_eq!(readiness(), (503, 200), "nor is it now");
    note(&site, &["org_tiny", "org_elsewhere"]);
    assert_eq!(readiness(), (503, 200), "one is missing");
    assert_eq!(Connection::open(cell.api).get(PIA, &key).status, 200, "the other one is served");
    build_tiny(&site.snapshot("elsewhere.kith"), &[("\"org_tiny\"", "\"org_elsewhere\"")]);
    assert_eq!(readiness(), (503, 200), "a file alone is not in service");
    assert_eq!((reload(), readiness()), (200, (200, 200)));

    // One that leaves the cell may leave the service too.
    note(&site, &["org_tiny"]);
    fs::remove_file(site.snapshot("elsewhere.kith")).unwrap();
    assert_eq!((reload(), readiness()), (200, (200, 200)));
    note(&site, &["org_tiny", "org_elsewhere"]);
    assert_eq!(readiness(), (503, 200));
}

#[test]
fn a_replica_whose_credentials_were_not_pulled_for_too_long_answers_500_until_they_are() {
    let site = tiny_site();
    let key = site.create_key("org_tiny", "a");
    note(&site, &["org_tiny"]);
    let (folder, age_max) = (site.snapshots(), AGE_MAX_SECONDS.to_string());
    let server =
        site.serve_in("info", &[("KITH_CELL__FOLDER", &folder), ("KITH_CELL__AGE_MAX_SECONDS", &age_max)]);
    // The control: the same server with the folder alone.
    let control = site.serve_in("info", &[("KITH_CELL__FOLDER", &folder)]);
    let mark = |seconds_ago| {
        let at = SystemTime::now() - Duration::from_secs(seconds_ago);
        File::create(site.snapshot("pulled")).unwrap().set_modified(at).unwrap();
    };
    let seen = |server: &Server| (Connection::open(server.api).get(PIA, &key).status, is_ready(server));
    let (well, stale) = ((200, 200), (500, 503));

    assert_eq!((seen(&server), seen(&control)), (stale, well), "never pulled");
    for (seconds_ago, expected) in
        [(0, well), (2 * AGE_MAX_SECONDS, stale), (AGE_MAX_SECONDS / 2, well), (AGE_MAX_SECONDS + 1, stale)]
    {
        mark(seconds_ago);
        assert_eq!((seen(&server), seen(&control)), (expected, well), "pulled {seconds_ago} s ago");
    }
    fs::remove_file(site.snapshot("pulled")).unwrap();
    assert_eq!(seen(&server), stale, "the mark is gone");
}
