//! Ties of people who gave no files: which are derived, their scores, and who may opt out.
//!
//! Promise: An edge is derived of two who wrote to each other with the owner in copy, of two days of mail one way, and
//!   of two days of meetings; never of less, of bulk mail, roles or lists, nor from or to a member. Nothing else
//!   changes by it.
//! Control: each mailbox with a day less, or with one person a member, a list or a role, gives no edge.
//! Also in: `src/cli/score/derived.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::Value;

use super::Bench;
use crate::program::project;

const ANA: &str = "Ana Ruiz <ana@acme.example>";
const BO: &str = "Bo Berg <bo@berg.example>";
const CY: &str = "Cy Clark <cy@clark.example>";
const DI: &str = "Di Dorn <di@dorn.example>";

const TEAM: &str = "[organization]\nname = \"Acme\"\nMORE\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
                    role = \"admin\"\nfiles = [\"ana.mbox\", \"ana.ics\"]\nOWN\n";

fn mail(from: &str, to: &str, more: &str, day: u32) -> String {
    format!(
        "From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {from}\nTo: {to}\n{more}\
         Date: Tue, {day} Mar 2024 09:14:00 +0000\n\nhello\n\n"
    )
}

fn event(people: &[&str], day: u32) -> String {
    let attendee = |who: &&str| {
        let (name, email) = who.trim_end_matches('>').split_once(" <").unwrap();
        format!("ATTENDEE;CN={name}:mailto:{email}\n")
    };
    format!(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:{day}\nDTSTART:202403{day:02}T090000Z\n{}END:VEVENT\nEND:VCALENDAR\n",
        people.iter().map(attendee).collect::<String>()
    )
}

/// Ana and Bo, Ana and Cy wrote to each other.
fn ties() -> String {
    [mail(ANA, BO, "", 1), mail(BO, ANA, "", 2), mail(ANA, CY, "", 1), mail(CY, ANA, "", 2)].concat()
}

/// The result of an import of Ana's mail, `ties` and her calendar.
struct Given {
    bench: Bench,
    names: BTreeMap<String, String>,
}

impl Given {
    fn of(mails: &[String], events: &[String], team: &str, more: &[&str]) -> Self {
        let mbox = format!("{}{}", ties(), mails.concat());
        let ics = if events.is_empty() { event(&[ANA, BO], 1) } else { events.concat() };
        let bench = Bench::new(&[("ana.mbox", &mbox), ("ana.ics", &ics), ("team.toml", team)]);
        let given = Self { bench, names: BTreeMap::new() };
        given.import(more)
    }

    /// Imports again over the tables of last time.
    fn import(mut self, more: &[&str]) -> Self {
        let ended = self.bench.import("team.toml", "tables", more);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        self.names =
            self.rows("people.ndjson").iter().map(|row| (text(row, "id"), text(row, "name"))).collect();
        self
    }

    fn rows(&self, table: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.bench.path("tables").join(table)).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn ends(&self, row: &Value) -> String {
        let name = |key: &str| self.names[row[key].as_str().unwrap()].split(' ').next().unwrap().to_owned();
        format!("{} {}", name("from"), name("to"))
    }

    /// The derived edges with their warmness, sorted.
    fn edges(&self) -> Vec<String> {
        let rows = self.rows("connections.ndjson");
        let derived = rows.iter().filter(|row| row["breakdown"].get("seenTogether").is_some());
        let mut edges: Vec<String> = derived
            .map(|row| {
                assert_eq!(row["breakdown"].as_object().unwrap().len(), 1);
                assert_eq!(row["breakdown"]["seenTogether"], row["warmness"]);
                format!("{} {}", self.ends(row), row["warmness"])
            })
            .collect();
        edges.sort();
        edges
    }
}

fn team(more: &str, own: &str) -> String {
    TEAM.replace("MORE", more).replace("OWN", own)
}

#[test]
fn edges_are_made_of_what_counts_and_of_nothing_less() {
    let (cc_ana, cc_bo) = ("Cc: Ana Ruiz <ana@acme.example>\n", format!("Cc: {BO}\n"));
    let list = "List-Id: Chat <chat.club.example>\n";
    let chat = "Chat <chat@club.example>";
    let both = [mail(BO, CY, cc_ana, 3), mail(CY, ANA, &cc_bo, 4)];
    let once = [mail(BO, CY, cc_ana, 3)];
    let twice = [mail(BO, CY, cc_ana, 3), mail(BO, CY, cc_ana, 4)];
    let with = |base: &[String], more: &[String]| [base, more].concat();
    for (what, mails, events, expected) in [
        ("each wrote to the other", both.to_vec(), vec![], &["Bo Cy 20", "Cy Bo 20"][..]),
        ("one wrote on two days", twice.to_vec(), vec![], &["Bo Cy 15"]),
        ("one wrote on one day", once.to_vec(), vec![], &[]),
        ("one wrote twice on one day", with(&once, &once), vec![], &[]),
        (
            "somebody whom no row names",
            vec![mail(BO, DI, cc_ana, 3), mail(BO, DI, cc_ana, 4)],
            vec![],
            &["Bo Di 15"],
        ),
        (
            "nobody has a name",
            vec![mail(BO, "di@dorn.example", cc_ana, 3), mail(BO, "di@dorn.example", cc_ana, 4)],
            vec![],
            &[],
        ),
        (
            "an address that is a role",
            vec![
                mail(BO, "Di <sales@dorn.example>", cc_ana, 3),
                mail(BO, "Di <sales@dorn.example>", cc_ana, 4),
            ],
            vec![],
            &[],
        ),
        (
            "from somebody to whom nobody has an edge",
            vec![mail(DI, CY, cc_ana, 3), mail(DI, CY, cc_ana, 4)],
            vec![],
            &[],
        ),
        (
            "mail of the owner",
            vec![mail(ANA, BO, &format!("Cc: {DI}\n"), 3), mail(ANA, BO, &format!("Cc: {DI}\n"), 4)],
            vec![],
            &[],
        ),
        (
            "in Bcc",
            vec![mail(BO, ANA, &format!("Bcc: {DI}\n"), 3), mail(BO, ANA, &format!("Bcc: {DI}\n"), 4)],
            vec![],
            &[],
        ),
        (
            "bulk mail",
            vec![mail(BO, CY, &format!("{cc_ana}{list}"), 3), mail(BO, CY, &format!("{cc_ana}{list}"), 4)],
            vec![],
            &[],
        ),
        ("a list", vec![mail(BO, chat, cc_ana, 3), mail(BO, chat, cc_ana, 4)], vec![], &["Bo Chat 15"]),
        (
            "a list that a head names",
            vec![mail(BO, chat, cc_ana, 3), mail(BO, chat, cc_ana, 4), mail(DI, ANA, list, 5)],
            vec![],
            &[],
        ),
        (
            "they met on two days",
            vec![],
            vec![event(&[ANA, BO, CY], 5), event(&[ANA, BO, CY], 6)],
            &["Bo Cy 15", "Cy Bo 15"],
        ),
        ("they met on one day", vec![], vec![event(&[ANA, BO, CY], 5)], &[]),
        (
            "a crowd met",
            vec![],
            [5, 6]
                .map(|day| {
                    event(&[ANA, BO, CY, DI, "Ed Eker <ed@eker.example>", "Fe Fox <fe@fox.example>"], day)
                })
                .to_vec(),
            &[],
        ),
    ] {
        assert_eq!(Given::of(&mails, &events, &team("", ""), &[]).edges(), expected, "{what}");
    }
}

#[test]
fn nothing_is_derived_of_files_whose_owner_says_no_and_nothing_else_changes() {
    let cc = "Cc: Ana Ruiz <ana@acme.example>\n";
    let mails = [mail(BO, DI, cc, 3), mail(BO, DI, cc, 4)];
    let tables = |given: &Given| {
        let all = ["people", "person_aliases", "companies", "connections", "evidence", "identities"];
        all.map(|table| {
            fs::read_to_string(given.bench.path("tables").join(format!("{table}.ndjson"))).unwrap()
        })
    };
    let with = Given::of(&mails, &[], &team("", ""), &[]);
    let totals = &with.bench.report()["totals"];
    assert_eq!((&totals["derived"], &totals["derivedPeople"]), (&1.into(), &1.into()));
    assert_eq!(with.rows("derived.ndjson").len(), 1);
    let ways = [
        Given::of(&mails, &[], &team("", ""), &["--no-derive"]),
        Given::of(&mails, &[], &team("derive = false", ""), &[]),
        Given::of(&mails, &[], &team("", "derive = false"), &[]),
    ];
    for given in &ways {
        assert_eq!(given.edges(), [""; 0]);
        assert!(!given.bench.path("tables/derived.ndjson").exists());
        assert_eq!(tables(given), tables(&ways[0]));
        assert!(!tables(given).concat().contains("Dorn"));
    }
    // The ties stated by files are the same with and without derived ties.
    let own = |given: &Given| -> Vec<Value> {
        given
            .rows("connections.ndjson")
            .into_iter()
            .filter(|row| row["breakdown"].get("seenTogether").is_none())
            .collect()
    };
    assert_eq!(own(&with), own(&ways[0]));
}

#[test]
fn two_whom_an_override_unties_have_no_edge_and_who_was_a_person_by_it_alone_is_none() {
    let cc = "Cc: Ana Ruiz <ana@acme.example>\n";
    let mails = [mail(BO, DI, cc, 3), mail(BO, DI, cc, 4)];
    let given = Given::of(&mails, &[], &team("", ""), &[]);
    assert_eq!(given.edges(), ["Bo Di 15"]);
    let id = |name: &str| given.names.iter().find(|(_, known)| known.starts_with(name)).unwrap().0.clone();
    let overrides = format!("[[untied]]\npeople = [\"{}\", \"{}\"]\n", id("Bo"), id("Di"));
    given.bench.put("overrides.toml", &overrides);
    let path = given.bench.path("overrides.toml").to_str().unwrap().to_owned();
    let given = given.import(&["--overrides", &path]);
    assert_eq!(given.edges(), [""; 0]);
    assert_eq!(given.names.len(), 3, "{:?}", given.names);
    assert_eq!(given.rows("derived.ndjson").len(), 0);
}

#[test]
fn the_study_of_an_archive_finds_what_was_planted_in_it() {
    // Two who write to each other also without their owner, and one whom another wrote to twice with the owner in copy alone.
    let (early, late) =
        (["2\t3", "3\t2"], ["1\t2", "2\t1", "2\t1,3", "3\t1,2", "2\t1,3", "2\t1,4", "2\t1,4", "1\t2"]);
    let events = early.iter().cycle().take(8).chain(&late).enumerate();
    let lines: Vec<String> =
        events.map(|(day, event)| format!("{}\t{event}\n", 1_600_000_000 + day * 86_400)).collect();
    let bench = Bench::new(&[("events.tsv", &lines.concat())]);
    let study = Command::new("python3")
        .arg(project("docs/studies/derived_ties.py"))
        .args([bench.path("events.tsv").to_str().unwrap(), env!("CARGO_BIN_EXE_kith")])
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&study.stdout).into_owned();
    let line = |kind: &str, days: &str| {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        printed
            .lines()
            .map(words)
            .find(|words| words.len() > 3 && words[0] == kind && words[1] == days)
            .unwrap()
    };
    assert_eq!(line("both", "3")[2..6], ["2", "2", "100", "%"], "{printed}");
    // Of the other mailbox that saw one way alone for two days, the two are true; of the first the pair is not.
    assert_eq!(line("one", "2")[2..6], ["2", "1", "50", "%"], "the control: {printed}");
    assert!(printed.contains("in reach of 4 mailboxes: 7, without derived ties 4 (+75 %)"), "{printed}");
}
