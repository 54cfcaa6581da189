//! `deploy/kith.service` on an unprepared machine, and the arguments that `deploy/` gives the program.
//!
//! Promise: The unit starts on a machine on which nothing was prepared, is unready and says what is missing, and keeps
//!   what it made.
//! Control: the unit without one of its preparations; a misspelt key.
//! Also in: `.ci/deploy-check`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::http::Connection;
use crate::program::{Server, kith, project, run, run_well};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
const PROGRAM: &str = "/usr/local/bin/kith";

/// The folders that systemd makes for the unit: one for its state, and one for its credentials.
struct Machine {
    folder: TempDir,
}

impl Machine {
    /// A machine without `/etc/kith`: what is given is the unit's own default.
    fn new(unit: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["state", "given"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let default = values(unit, "SetCredential")[0].strip_prefix("kith.toml:").unwrap();
        fs::write(folder.path().join("given/kith.toml"), default).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// A command of the unit, word by word.
    fn words(&self, command: &str) -> Vec<String> {
        let places = [("${STATE_DIRECTORY}", "state"), ("${CREDENTIALS_DIRECTORY}", "given")];
        let placed = places.iter().fold(command.to_owned(), |command, (variable, folder)| {
            command.replace(variable, &self.path(folder))
        });
        assert!(!placed.contains('$') && !placed.contains('%'), "a variable that is not set here: {placed}");
        placed.split_whitespace().map(str::to_owned).collect()
    }

    /// Runs what comes before the start; the arguments of the start, on free ports.
    fn prepare(&self, unit: &str) -> Vec<String> {
        for command in values(unit, "ExecStartPre") {
            let words = self.words(command);
            if words[0] == PROGRAM {
                run_well(&words[1..].iter().map(String::as_str).collect::<Vec<_>>());
            } else {
                assert!(Command::new(&words[0]).args(&words[1..]).status().unwrap().success(), "{words:?}");
            }
        }
        let mut words = self.words(values(unit, "ExecStart")[0]);
        assert_eq!(words.remove(0), PROGRAM);
        words.extend(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"].map(str::to_owned));
        words
    }
}

fn unit() -> String {
    fs::read_to_string(project("deploy/kith.service")).unwrap()
}

/// The values of a key of the unit.
fn values<'a>(unit: &'a str, key: &str) -> Vec<&'a str> {
    unit.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('=')).collect()
}

#[test]
fn the_unit_starts_where_nothing_was_prepared_and_says_what_is_missing() {
    let unit = unit();
    let machine = Machine::new(&unit);
    for is_first in [true, false] {
        let mut server = Server::start(&mut kith(&words(&machine.prepare(&unit))));
        let said = |server: &Server| {
            server
                .logged()
                .iter()
                .any(|line| line.contains("\"WARN\"") && line.contains("no network is in service"))
        };
        let ready = |server: &Server| Connection::open(server.api).send("GET", "/readyz", &[]).status;
        assert_eq!((said(&server), ready(&server)), (is_first, if is_first { 503 } else { 200 }));
        if is_first {
            fs::copy(project("snapshots/tiny.kith"), machine.path("state/snapshots/tiny.kith")).unwrap();
            server.signal("HUP");
            server.wait_for_log(|line| line.contains("\"outcome\":\"loaded\""));
            server.wait_for_log(|line| line.contains("\"reload\""));
            assert_eq!(ready(&server), 200);
        }
        let credentials = machine.path("state/credentials.db");
        let key =
            run_well(&["keys", "create", "--credentials", &credentials, "--org", "org_tiny", "--name", "a"]);
        assert_eq!(Connection::open(server.api).get(PIA, key.trim()).status, 200);
        assert_eq!(server.stop("TERM").0, Some(0));
    }
}

/// The controls: the same unit without a command before its start, or without a configuration, does not start.
#[test]
fn the_unit_without_its_preparations_is_caught() {
    let unit = unit();
    let without = |text: &str| {
        let line =
            unit.lines().find(|line| line.starts_with("ExecStartPre=") && line.contains(text)).unwrap();
        unit.replace(&format!("{line}\n"), "")
    };
    for (unit, reported) in [
        (without("mkdir"), "cannot serve"),
        (without("suppress"), "there is no suppression list"),
        (unit.replace("${CREDENTIALS_DIRECTORY}", "/nowhere"), "configuration file"),
    ] {
        let ended = run(&words(&Machine::new(&unit).prepare(&unit)));
        assert!(ended.code == Some(1) && ended.err.contains(reported), "{reported}: {}", ended.err);
    }
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The options in `text` beside its comments.
fn options(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("# ").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_ascii_lowercase() && c != '-'));
    let is_option = |word: &&str| word.strip_prefix("--").is_some_and(|name| name.starts_with(|c| c != '-'));
    words.filter(is_option).map(str::to_owned).collect()
}

/// The options in `text` that no command has which is started by what lies in `deploy/`.
fn unknown_options(text: &str) -> Vec<String> {
    let commands = [&["serve", "--help"][..], &["suppress", "create", "--help"], &["build", "--help"]];
    let known: BTreeSet<String> = commands.iter().flat_map(|command| options(&run_well(command))).collect();
    options(text).difference(&known).cloned().collect()
}

#[test]
fn what_deploy_starts_has_the_options_that_it_is_given() {
    let mut seen = 0;
    let folders = ["deploy", "deploy/kubernetes"];
    for entry in folders.iter().flat_map(|folder| fs::read_dir(project(folder)).unwrap()) {
        let path = entry.unwrap().path();
        let is_read = |path: &Path| path.extension().is_some_and(|end| end == "yaml" || end == "service");
        if is_read(&path) {
            let text = fs::read_to_string(&path).unwrap();
            seen += options(&text).len();
            assert_eq!(unknown_options(&text), <[String; 0]>::default(), "{}", path.display());
        }
    }
    assert!(seen > 10, "only {seen} options were found");
    // The control.
    let misspelt = unit().replace("--snapshots", "--snapshot");
    assert_eq!(unknown_options(&misspelt), ["--snapshot"]);
}
