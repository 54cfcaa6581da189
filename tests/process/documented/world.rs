//! The state that readers have before they follow a document.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use flate2::read::GzDecoder;

use super::session::{Session, copy};
use crate::http::Connection;
use crate::program::{Server, Site, project, run_well};

const FERNHOLLOW: &str = "fixtures/demo/fernhollow";
/// The people to whom nobody of the demo's organization had an edge on Monday.
const NEW: [&str; 3] = ["person_2bt70r", "person_3mtb9t", "person_ks6rd8"];

/// Puts in place what the commands of `document` begin with.
///
/// Returns a server that the document asks in place of the demo, and its folder, if it needs one.
pub(crate) fn prepare(document: &str, session: &mut Session) -> Option<(Server, Site)> {
    if document == "docs/changes.md" {
        prepare("docs/shell.md", session);
        return Some(serve_changes(session));
    }
    let copied = |from: &str, to: &str| copy(&project(from), &session.path(to));
    let built = |tables: &Path, out: &str| {
        run_well(&["build", tables.to_str().unwrap(), "--out", session.path(out).to_str().unwrap()]);
    };
    match document {
        "README.md" => {
            copied("fixtures/team", "fixtures/team");
            copied(FERNHOLLOW, "tables");
            copied("fixtures/exports/linkedin.csv", "~/Downloads/Connections.csv");
            copied("fixtures/exports/apple.vcf", "~/Downloads/contacts.vcf");
        }
        "docs/import.md" => {
            for entry in fs::read_dir(project("fixtures/team")).unwrap() {
                let name = entry.unwrap().file_name();
                let name = name.to_str().unwrap();
                copied(&format!("fixtures/team/{name}"), name);
            }
            copied("fixtures/exports/linkedin.csv", "~/Downloads/Connections.csv");
            copied("fixtures/exports/linkedin.csv", "Connections.csv");
            copied("fixtures/exports/linkedin.csv", "exports/Connections.csv");
            copied("fixtures/exports/apple.vcf", "contacts.vcf");
        }
        "docs/install.md" => built(&project(FERNHOLLOW), "snapshots/acme.kith"),
        "docs/suppression.md" => {
            built(&project(FERNHOLLOW), "snapshots/acme.kith");
            copied(FERNHOLLOW, "tables");
        }
        "docs/shell.md" => {
            built(&project(FERNHOLLOW), "snapshots/acme.kith");
            built(&project(FERNHOLLOW), "friday.kith");
            monday(&session.path("tables-of-monday"));
            built(&session.path("tables-of-monday"), "monday.kith");
            let changes = fs::read_to_string(project("docs/changes.md")).unwrap();
            let accounts = changes.split("file=\"accounts.txt\"\n").nth(1).unwrap();
            session.write("accounts.txt", accounts.split("```").next().unwrap());
        }
        _ => {}
    }
    None
}

/// A server whose network was that of Monday before the one that it serves.
fn serve_changes(session: &mut Session) -> (Server, Site) {
    let site = Site::new();
    fs::copy(session.path("monday.kith"), site.snapshot("acme.kith")).unwrap();
    let key = site.create_key("org_fernhollow", "documents");
    let server = site.serve_in("error", &[("KITH_LIVE__KEEP_CHANGES", "true")]);
    let path = "/api/v1/search/companies?query=quillwick";
    let before = Connection::open(server.api).get(path, &key);
    let next = site.snapshot("next");
    fs::copy(session.path("friday.kith"), &next).unwrap();
    fs::rename(next, site.snapshot("acme.kith")).unwrap();
    let reloaded = Connection::open(server.admin).send("POST", "/admin/reload", &[]);
    assert_eq!(reloaded.status, 200, "{reloaded:?}");
    session.ask(server.api, &key, before.header("service-generation").unwrap());
    (server, site)
}

/// The demo's Fernhollow Robotics before edges to three people came, and when each CFO was still head of finance.
fn monday(folder: &Path) {
    fs::create_dir(folder).unwrap();
    for entry in fs::read_dir(project(FERNHOLLOW)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut text = String::new();
        match name.strip_suffix(".gz") {
            Some(_) => GzDecoder::new(File::open(&path).unwrap()).read_to_string(&mut text).unwrap(),
            None => File::open(&path).unwrap().read_to_string(&mut text).unwrap(),
        };
        let is_new = |line: &str| NEW.iter().any(|id| line.contains(&format!("\"to\":\"{id}\"")));
        match name {
            "connections.ndjson.gz" => {
                text = text.lines().filter(|line| !is_new(line)).map(|line| format!("{line}\n")).collect();
            }
            "people.ndjson.gz" => text = text.replace("\"CFO\"", "\"Head of Finance\""),
            _ => {}
        }
        let mut file = File::create(folder.join(name.trim_end_matches(".gz"))).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
}
