//! From a folder of exports in every format to a served network in two commands.
//!
//! Promise: From a folder of exports in every format to paths over HTTP in two commands, with the columns that faults
//!   ask for; the same files give the same tables and snapshot.
//! Control: without one file the tables are others.

use std::fs;

use serde_json::Value;

use super::{Bench, miscounts};
use crate::http::Connection;
use crate::program::{Site, project};

/// The exports that are read as they are, and what the report calls each.
const EXPORTS: [(&str, &str); 18] = [
    ("android.vcf", "vCard"),
    ("apple.vcf", "vCard"),
    ("calendar.ics", "calendar"),
    ("google-older.csv", "Google Contacts (older)"),
    ("google.csv", "Google Contacts"),
    ("hubspot.csv", "HubSpot contacts"),
    ("linkedin-excel.csv", "LinkedIn connections"),
    ("linkedin-german.csv", "LinkedIn connections"),
    ("linkedin-older.csv", "LinkedIn connections"),
    ("linkedin.csv", "LinkedIn connections"),
    ("linkedin.xlsx", "LinkedIn connections"),
    ("linkedin.zip!/Connections.csv", "LinkedIn connections"),
    ("linkedin.zip!/messages.csv", "LinkedIn messages"),
    ("linkedin.zip!/Invitations.csv", "LinkedIn invitations"),
    ("mail.mbox", "mail archive"),
    ("outlook.csv", "Outlook contacts"),
    ("salesforce-report.csv", "Salesforce report"),
    ("version4.vcf", "vCard"),
];
/// Exports of the organization's own.
const OF_ALL: [&str; 4] = ["affinity.csv", "hubspot.csv", "salesforce-report.csv", "salesforce.csv"];

/// The columns of the files that no known program wrote.
const MAPPED: &str = r#"
[[columns]]
file = "mapped.csv"
first = "Vorname"
last = "Nachname"
company = "Firma"
email = ["E-Mail dienstlich", "E-Mail privat"]
url = "Profil"
connected = "Kontakt seit"

[[columns]]
file = "edges.csv"
from = "source"
to = "target"
weight = "strength"
"#;
/// Exports that are refused by name.
const REFUSED: [&str; 2] = ["affinity.csv", "linkedin-french.csv"];

/// All exports with a manifest that has the columns of those that no known program wrote.
fn bench() -> Bench {
    let bench = Bench::new(&[]);
    let mut own = Vec::new();
    for entry in fs::read_dir(project("fixtures/exports")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name == "README.md" {
            continue;
        }
        fs::copy(entry.path(), bench.path(&name)).unwrap();
        if !OF_ALL.contains(&name.as_str()) {
            own.push(format!("{name:?}"));
        }
    }
    own.sort_unstable();
    bench.put(
        "team.toml",
        &format!(
            "[organization]\nname = \"Brook\"\nfiles = {OF_ALL:?}\n\n[[members]]\nname = \"Ann Lee\"\nemail = \"ann@lee.example\"\n\
             role = \"admin\"\nfiles = [{}]\n{MAPPED}",
            own.join(", ")
        ),
    );
    bench
}

#[test]
fn a_folder_of_every_format_is_served_in_two_commands_and_is_the_same_the_next_time() {
    let (bench, site) = (bench(), Site::new());
    write_what_faults_ask_for(&bench);
    let snapshot = site.snapshot("brook.kith");
    let snapshot = snapshot.to_str().unwrap();
    let ended = bench.import("team.toml", "tables", &["--out", snapshot]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
    let report = bench.report();
    assert_eq!(miscounts(&report), [""; 0]);
    let files = report["files"].as_array().unwrap();
    let found = |name: &str| files.iter().find(|file| file["file"] == name).unwrap_or(&Value::Null);
    for (name, format) in EXPORTS {
        let file = found(name);
        assert_eq!(file["format"], format, "{name}: {file}");
        let kept = file["used"].as_u64().unwrap() + file["merged"].as_u64().unwrap();
        assert!(kept > 0 && file.get("fault").is_none(), "{file}");
    }
    for name in ["mapped.csv", "edges.csv"].into_iter().chain(REFUSED) {
        assert!(found(name)["read"].as_u64().unwrap() > 0, "{name}: {}", found(name));
    }

    let key = site.create_key("org_brook", "test");
    let server = site.serve("info");
    let mut connection = Connection::open(server.api);
    for (who, name) in WHO {
        let reply = connection.get(&format!("/api/v1/search/warm-paths?{who}"), &key).json();
        assert_eq!(reply["data"]["prospect"]["name"], name, "{who}: {reply}");
        assert!(reply["data"]["totalCount"].as_u64().unwrap() > 0, "{who}: {reply}");
    }
    assert_eq!(server.stop("TERM").0, Some(0));

    let (first, built) = (bench.bytes("tables"), fs::read(snapshot).unwrap());
    assert_eq!(bench.import("team.toml", "tables", &["--out", snapshot]).code, Some(0));
    assert!(bench.bytes("tables") == first && fs::read(snapshot).unwrap() == built, "not the same again");
    assert_eq!(bench.import("team.toml", "elsewhere", &[]).code, Some(0));
    assert!(bench.bytes("elsewhere") == first, "not the same without the tables of last time");
    // The control: without one file the tables are others.
    let manifest = bench.text("team.toml");
    bench.put("team.toml", &manifest.replace("\"outlook.csv\", ", ""));
    assert_eq!(bench.import("team.toml", "fewer", &[]).code, Some(0));
    assert!(bench.bytes("fewer") != first);
}

/// People of one format or another, by what a caller knows of them.
const WHO: [(&str, &str); 5] = [
    ("prospectEmail=ana%40porto.example", "Ana Maria Souza"),
    ("prospectLinkedinId=joerg-mueller", "Jörg Müller"),
    ("prospectEmail=b.okri%40work.example", "Ben Okri"),
    ("prospectLinkedinId=priya-sharma-1a2b3c", "Priya Sharma"),
    ("prospectLinkedinId=pierre-martin", "Pierre Martin"),
];

/// Imports once, and puts the columns that the faults of refused files hold into the manifest.
fn write_what_faults_ask_for(bench: &Bench) {
    let ended = bench.import("team.toml", "refused", &[]);
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(!bench.people("refused").is_empty(), "the others are imported all the same");
    let report = bench.report();
    assert_eq!(miscounts(&report), [""; 0]);
    let mut manifest = bench.text("team.toml");
    for file in REFUSED {
        assert!(ended.err.contains(file), "{file} in {}", ended.err);
        let files = report["files"].as_array().unwrap();
        let fault = files.iter().find(|of| of["file"] == file).unwrap()["fault"].as_str().unwrap();
        let (_, columns) = fault.split_once("name them in the team file:\n").unwrap();
        manifest += &format!("\n{columns}\n");
    }
    bench.put("team.toml", &manifest);
}
