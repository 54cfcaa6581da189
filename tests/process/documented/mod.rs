//! Every example in the documents runs, and prints the shown output.
//!
//! A block of `sh` is run. A block of `text` or `json` right after it is the output of its last command, and so is one
//! that begins with `$ COMMAND` or is marked `shown-by="COMMAND"`. One marked `file="NAME"` is a file of the reader.
//! Any other gives the reason why it is not run: `not-run="REASON"`. A picture is a block without a language. `…`
//! stands for omitted content: the rest of a text, lines, entries or fields.
//!
//! Promise: Every example in the documents runs on the demo and prints what is shown; what is not run says why and is
//!   counted.
//! Control: each number, text and line that is shown, changed; a command that fails, an answer that is refused, a block
//!   without a word.

mod blocks;
mod compare;
mod session;
mod world;

use std::collections::BTreeMap;
use std::fs;

use blocks::{Block, Part, blocks};
use compare::difference;
use session::Session;

use crate::program::{project, start_demo};

/// The languages of blocks that no shell runs and that show no output.
const OTHER_LANGUAGES: [&str; 6] = ["toml", "yaml", "ini", "ts", "python", ""];
/// How many blocks of each document say that they are not run.
const NOT_RUN: &[(&str, usize)] = &[
    ("CONTRIBUTING.md", 1),
    ("README.md", 2),
    ("docs/cells.md", 4),
    ("docs/changes.md", 1),
    ("docs/clients.md", 2),
    ("docs/credentials.md", 2),
    ("docs/exports.md", 1),
    ("docs/import.md", 1),
    ("docs/install.md", 9),
    ("docs/mcp.md", 4),
    ("docs/monitoring.md", 1),
    ("docs/scoring.md", 4),
    ("docs/sizing.md", 1),
    ("docs/source-tables.md", 1),
];

/// The parts of a document beside the printed output.
struct Shown {
    place: String,
    language: String,
    shown: String,
    printed: String,
}

/// The outcome of running a document.
#[derive(Default)]
struct Ran {
    shown: Vec<Shown>,
    not_run: usize,
    commands: usize,
    faults: Vec<String>,
}

impl Ran {
    /// Runs the blocks of a document, from the first to the last.
    fn of(document: &str, text: &str, session: &mut Session) -> Self {
        let mut ran = Self::default();
        let mut last = None;
        for block in blocks(text) {
            let place = format!("{document}:{}", block.line);
            match ran.block(&place, &block, last.take(), session) {
                Ok(printed) => last = printed,
                Err(fault) => ran.faults.push(format!("{place}: {fault}")),
            }
        }
        ran
    }

    /// Runs one block behind one that printed `before`. Returns what its last command printed.
    fn block(
        &mut self,
        place: &str,
        block: &Block,
        before: Option<String>,
        session: &mut Session,
    ) -> Result<Option<String>, String> {
        if OTHER_LANGUAGES.contains(&block.language.as_str()) {
            return Ok(None);
        }
        let part = block.part(before.is_some())?;
        let printed = match &part {
            Part::NotRun => {
                self.not_run += 1;
                return Ok(None);
            }
            Part::File(name) => {
                session.write(name, &block.text);
                return Ok(None);
            }
            Part::Commands => {
                let mut printed = None;
                for command in blocks::commands(&block.text) {
                    self.commands += 1;
                    printed = Some(session.run(&command)?);
                }
                session.stop_servers();
                return Ok(printed);
            }
            Part::ShownBy(command) => {
                self.commands += 1;
                let printed = session.run(command)?;
                session.stop_servers();
                printed
            }
            Part::Shown => before.unwrap_or_default(),
        };
        let shown = block.shown();
        let language = block.language.clone();
        if let Some(difference) = difference(&language, &shown, &printed) {
            return Err(format!("{difference}\nit printed:\n{printed}"));
        }
        self.shown.push(Shown { place: place.to_owned(), language, shown, printed });
        Ok(None)
    }
}

/// The documents of the project, by path.
fn documents() -> BTreeMap<String, String> {
    let mut names: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned).into();
    let in_docs = fs::read_dir(project("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let in_docs = in_docs.map(|name| format!("docs/{}", name.to_str().unwrap()));
    names.extend(in_docs.filter(|name| name.ends_with(".md")));
    let text = |name: &String| fs::read_to_string(project(name)).unwrap();
    names.iter().map(|name| (name.clone(), text(name))).collect()
}

#[test]
fn every_example_runs_and_prints_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = start_demo(folder.path(), &[]);
    let mut not_run: Vec<(String, usize)> = Vec::new();
    let (mut commands, mut changed, mut caught) = (0, 0, 0);
    let (mut faults, mut escaped) = (Vec::new(), Vec::new());
    let (key, api) = (session::fernhollow_key(&mut demo), demo.api);
    for (name, text) in documents() {
        let mut session = Session::new(api, &key);
        let _server = world::prepare(&name, &mut session);
        let ran = Ran::of(&name, &text, &mut session);
        // The control: each number, text and flag that is shown, changed, is found by the same comparison.
        for shown in &ran.shown {
            for wrong in compare::changed(&shown.language, &shown.shown) {
                changed += 1;
                match difference(&shown.language, &wrong, &shown.printed) {
                    Some(_) => caught += 1,
                    None => escaped.push(format!("{}: {wrong}", shown.place)),
                }
            }
        }
        commands += ran.commands;
        faults.extend(ran.faults);
        if ran.not_run > 0 {
            not_run.push((name, ran.not_run));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n\n{}", faults.len(), faults.join("\n\n"));
    assert!(escaped.is_empty(), "{} changes escape:\n{}", escaped.len(), escaped.join("\n"));
    let expected: Vec<(String, usize)> =
        NOT_RUN.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
    assert_eq!(not_run, expected, "blocks that are not run");
    println!("{commands} commands, {changed} changes caught");
    assert!(commands >= 30 && changed >= 150 && caught == changed, "{commands} commands, {changed} changes");
}

/// The controls: a command that fails, an answer that is refused, a block that is neither run nor says why.
#[test]
fn an_example_that_does_not_run_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = start_demo(folder.path(), &[]);
    let key = session::fernhollow_key(&mut demo);
    let run = |text: &str| Ran::of("a.md", text, &mut Session::new(demo.api, &key));
    let path = "/api/v1/search/warm-paths?prospectLinkedinId=deepa-reddy-0zs8&limit=1";
    let with = |credential: &str| {
        format!("```sh\ncurl -s -H 'Authorization: Bearer {credential}' 'http://127.0.0.1:8080{path}'\n```\n")
    };
    let shown = "\n```json\n{ \"data\": { \"prospect\": { \"id\": \"person_0zs8sx\", … }, … } }\n```\n";
    let sound = run(&(with("service_sk_…") + shown));
    assert_eq!((sound.faults.len(), sound.commands, sound.shown.len()), (0, 1, 1), "{:?}", sound.faults);
    for wrong in [
        with("service_sk_wrong"),
        with("service_sk_…") + &shown.replace("0zs8sx", "0zs8sy"),
        with("service_sk_…") + &shown.replacen(", … }", " }", 1),
        "```sh\nkith verify nowhere.kith\n```\n".to_owned(),
        "```sh\nkith verfy nowhere.kith\n```\n".to_owned(),
        "```json\n{}\n```\n".to_owned(),
        "```text\nx\n```\n".to_owned(),
        "```sh not-run=\"\"\nkith verify nowhere.kith\n```\n".to_owned(),
        "```shell\nkith verify nowhere.kith\n```\n".to_owned(),
    ] {
        assert_eq!(run(&wrong).faults.len(), 1, "{wrong}");
    }
    let marked = run("```sh not-run=\"needs a cluster\"\nkith verify nowhere.kith\n```\n");
    assert_eq!((marked.faults.len(), marked.not_run), (0, 1));
}
