//! The output in `docs/changes.md` is the real output.

use std::fs;

use clap::{Args, Command, FromArgMatches};
use kith_server::cli::diff::DiffCommand;
use kith_server::snapshot::write::write;

use crate::oracle::Tables;
use crate::support::project;
use crate::suppression::site::{built, fixture};

/// The people to whom nobody of the demo's organization had an edge on Monday.
const NEW: [&str; 3] = ["person_2bt70r", "person_3mtb9t", "person_ks6rd8"];

/// The demo's Fernhollow Robotics before edges to three people came, and when each CFO was still head of finance.
pub(crate) fn fernhollow_on_monday() -> Tables {
    let mut tables = fixture("fixtures/demo/fernhollow");
    for (name, text) in &mut tables.files {
        match name.as_str() {
            "connections.ndjson" => {
                let is_new = |line: &&str| NEW.iter().any(|id| line.contains(&format!("\"to\":\"{id}\"")));
                *text = text.lines().filter(|line| !is_new(line)).map(|line| format!("{line}\n")).collect();
            }
            "people.ndjson" => *text = text.replace("\"CFO\"", "\"Head of Finance\""),
            _ => {}
        }
    }
    tables
}

#[test]
fn the_report_of_monday_is_what_the_demo_prints() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write(path("monday").as_ref(), &built(&fernhollow_on_monday())).unwrap();
    write(path("friday").as_ref(), &built(&fixture("fixtures/demo/fernhollow"))).unwrap();
    let shown = fs::read_to_string(project("docs/changes.md")).unwrap();
    let accounts = shown.split("file=\"accounts.txt\"\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(path("accounts"), accounts).unwrap();
    let (monday, friday, accounts) = (path("monday"), path("friday"), path("accounts"));
    let args = ["diff", &monday, &friday, "--targets", &accounts];
    let matches = DiffCommand::augment_args(Command::new("diff")).get_matches_from(args);
    let mut out = Vec::new();
    DiffCommand::from_arg_matches(&matches).unwrap().write(&mut out).unwrap();
    let printed = String::from_utf8(out).unwrap();
    assert!(printed.lines().count() > 3 && shown.contains(&format!("\n{printed}```")), "{printed}");
}
