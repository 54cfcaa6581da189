//! Asks in the shell, and their outcomes as observed in mail and calendars.
//!
//! Promise: An introduction, contact each way after it, and a meeting are observed once each, at an import and without
//!   one; an undone one does not come again; a person merged or forgotten takes their asks along. What is held about a
//!   person is written for them, all of it and no more.
//! Control: the same mail before the ask, to five, or of a member who does not want it, shows nothing.
//! Also in: `crates/kith-import/src/observed.rs`.

use std::fs;

use serde_json::Value;

use super::Bench;
use crate::program::{Ended, run, run_well};

const ANA: &str = "Ana Ruiz <ana@acme.example>";
const BO: &str = "Bo Berg <bo@berg.example>";
const DI: &str = "Di Dorn <di@dorn.example>";
const MANY: &str =
    "Di Dorn <di@dorn.example>, Ana Ruiz <ana@acme.example>, a@x.example, b@x.example, c@x.example";

fn team(own: &str) -> String {
    format!(
        "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\nrole = \"admin\"\n\
         files = [\"ana.mbox\", \"ana.ics\"]\n{own}"
    )
}

fn mail(from: &str, to: &str, day: u32) -> String {
    format!(
        "From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {from}\nTo: {to}\nDate: Tue, {day} Mar 2024 09:14:00 +0000\n\nhi\n\n"
    )
}

/// Everybody wrote to everybody before the ask of 5 March.
fn before() -> String {
    [
        mail(ANA, BO, 1),
        mail(BO, ANA, 2),
        mail(ANA, DI, 1),
        mail(DI, ANA, 2),
        mail(BO, &format!("{ANA}, {DI}"), 3),
    ]
    .concat()
}

/// The introduction, the answers, and a mail of each kind that shows nothing.
fn after(to: &str) -> String {
    [mail(BO, to, 10), mail(ANA, DI, 11), mail(DI, ANA, 12)].concat()
}

const MEETING: &str = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20240315T090000Z\n\
    ORGANIZER;CN=Ana Ruiz:mailto:ana@acme.example\nATTENDEE;CN=Di Dorn:mailto:di@dorn.example\nEND:VEVENT\nEND:VCALENDAR\n";

/// A bench with an ask of 5 March by Ana, over Bo, about Di.
struct Asked {
    bench: Bench,
}

impl Asked {
    fn of(own: &str) -> Self {
        let bench = Bench::new(&[("ana.mbox", &before()), ("ana.ics", MEETING), ("team.toml", &team(own))]);
        let out = bench.path("a.kith");
        let ended = bench.import("team.toml", "tables", &["--out", out.to_str().unwrap()]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let asked = Self { bench };
        run_well(&["ask", "create", "--asks", &asked.path("asks.db")]);
        let args = ["add", "Di Dorn", "--connector", "Bo Berg", "--at", "2024-03-05T10:00:00Z"];
        assert_eq!(asked.ask(&args).code, Some(0));
        asked
    }

    fn path(&self, name: &str) -> String {
        self.bench.path(name).to_str().unwrap().to_owned()
    }

    /// `kith ask` as Ana.
    fn ask(&self, args: &[&str]) -> Ended {
        let (asks, snapshot) = (self.path("asks.db"), self.path("a.kith"));
        run(&[&["ask"], args, &["--asks", &asks, "--snapshot", &snapshot]].concat())
    }

    fn observe(&self) -> String {
        let (team, tables, asks) = (self.path("team.toml"), self.path("tables"), self.path("asks.db"));
        run_well(&["ask", "observe", &team, "--tables", &tables, "--asks", &asks])
    }

    /// The kinds of all events, with the day of those that were observed.
    fn events(&self) -> Vec<String> {
        let text = run_well(&["ask", "export", "--asks", &self.path("asks.db")]);
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| {
            let day = row["by"]["day"].as_str().unwrap_or("");
            format!("{} {day}", row["kind"].as_str().unwrap()).trim_end().to_owned()
        })
        .collect()
    }

    fn add_mail(&self, more: &str) {
        let text = self.bench.text("ana.mbox") + more;
        self.bench.put("ana.mbox", &text);
    }
}

#[test]
fn an_introduction_an_answer_and_a_meeting_are_observed_once() {
    let asked = Asked::of("");
    asked.bench.put("ana.ics", "");
    assert!(asked.observe().contains("observed: 0"), "nothing before the ask counts");
    asked.add_mail(&after(MANY));
    assert!(asked.observe().contains("observed: 0"), "not to five");
    asked.add_mail(&after(&format!("{ANA}, {DI}")));
    asked.bench.put("ana.ics", MEETING);
    let tables = fs::read(asked.bench.path("tables/people.ndjson")).unwrap();
    assert!(asked.observe().contains("observed: 3"));
    let all = ["asked", "introduced 2024-03-10", "in_touch 2024-03-12", "met 2024-03-15"];
    assert_eq!(asked.events(), all);
    assert_eq!(fs::read(asked.bench.path("tables/people.ndjson")).unwrap(), tables);
    assert!(asked.observe().contains("observed: 0"), "the same again adds nothing");
    let id = run_well(&["ask", "export", "--asks", &asked.path("asks.db")]);
    let first: Value = serde_json::from_str(id.lines().next().unwrap()).unwrap();
    let id = first["ask"].as_str().unwrap();
    assert_eq!(asked.ask(&["reopen", id]).code, Some(0));
    assert!(asked.observe().contains("observed: 0"), "what was undone does not come again");
    let ended = asked.bench.import("team.toml", "tables", &["--asks", &asked.path("asks.db")]);
    assert!(ended.out.contains("asks: 0 events observed"), "{}", ended.out);
}

#[test]
fn a_member_who_does_not_want_it_shows_nothing() {
    let asked = Asked::of("observe = false\n");
    asked.add_mail(&after(&format!("{ANA}, {DI}")));
    assert!(asked.observe().contains("observed: 0"));
    assert_eq!(asked.events(), ["asked"]);
}

#[test]
fn people_to_forget_leave_the_answers_at_once_and_the_file_to_the_last_byte() {
    let asked = Asked::of("");
    let listed = |asked: &Asked| asked.ask(&["list", "--json"]).out;
    assert_eq!(listed(&asked).lines().count(), 1);
    let (list, tables) = (asked.path("suppressions.txt"), asked.path("tables"));
    run_well(&["suppress", "create", "--suppressions", &list]);
    run_well(&["suppress", "add", "--suppressions", &list, "--tables", &tables, "--name", "Bo Berg"]);
    assert_eq!(listed(&asked), "", "the list beside the snapshot is kept to");
    let bo = run_well(&["ask", "export", "--asks", &asked.path("asks.db")]);
    let bo = serde_json::from_str::<Value>(&bo).unwrap()["connectorId"].as_str().unwrap().to_owned();
    let (asks, snapshot) = (asked.path("asks.db"), asked.path("a.kith"));
    let args = ["ask", "forget", "--asks", &asks, "--suppressions", &list, "--snapshot", &snapshot];
    assert!(run_well(&args).contains("taken out: 1"));
    for name in ["asks.db", "asks.db-wal"] {
        let bytes = fs::read(asked.bench.path(name)).unwrap_or_default();
        assert!(!bytes.windows(bo.len()).any(|at| at == bo.as_bytes()), "{name} holds {bo}");
    }
    assert!(asked.events().is_empty());
}

#[test]
fn a_file_that_is_none_is_refused_by_name_and_left_as_it_is() {
    let asked = Asked::of("");
    let away = asked.path("other.db");
    for (text, said) in [
        (&b"no database at all, but long enough to be read as one"[..], "no file of asks"),
        (b"", "no file of asks"),
    ] {
        fs::write(&away, text).unwrap();
        let ended = run(&["ask", "export", "--asks", &away]);
        assert!(
            ended.code == Some(1) && ended.err.contains(said) && ended.err.contains(&away),
            "{}",
            ended.err
        );
        assert_eq!(fs::read(&away).unwrap(), text);
    }
    let ended = run(&["ask", "export", "--asks", &asked.path("none.db")]);
    assert!(ended.err.contains("kith ask create"), "{}", ended.err);
    let ended = run(&["ask", "create", "--asks", &asked.path("asks.db")]);
    assert!(ended.code == Some(1) && ended.err.contains("left as it is"), "{}", ended.err);
    let ended = run(&[
        "ask",
        "list",
        "--asks",
        "postgres://kith:secret@db/asks",
        "--snapshot",
        &asked.path("a.kith"),
    ]);
    assert!(ended.code == Some(1) && !ended.err.contains("secret"), "{}", ended.err);
}

#[test]
fn who_does_not_want_to_be_asked_is_not_asked() {
    let never = "[[preferences]]\nconnectorId = \"Bo Berg\"\nrule = \"never\"\nuntil = 2999-01-01\n";
    let through = "[[preferences]]\ntargetId = \"di@dorn.example\"\nrule = \"through\"\nthroughPersonId = \"Bo Berg\"\n";
    let past = never.replace("2999", "2020");
    for (own, over_bo, directly) in
        [("", true, true), (never, false, true), (through, true, false), (past.as_str(), true, true)]
    {
        let bench = Bench::new(&[("ana.mbox", &before()), ("ana.ics", MEETING), ("team.toml", &team(own))]);
        let out = bench.path("a.kith");
        let ended = bench.import("team.toml", "tables", &["--out", out.to_str().unwrap()]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let asked = Asked { bench };
        run_well(&["ask", "create", "--asks", &asked.path("asks.db")]);
        for (args, may) in [
            (&["add", "Di Dorn", "--connector", "Bo Berg", "--dry-run"][..], over_bo),
            (&["add", "Di Dorn", "--dry-run"], directly),
        ] {
            let ended = asked.ask(args);
            assert_eq!(ended.code == Some(0), may, "{own}{args:?}: {}", ended.err);
            assert!(may || ended.err.contains("do_not_ask"), "{}", ended.err);
            assert_eq!(asked.ask(&[args, &["--override"]].concat()).code, Some(0));
        }
        asked.bench.put("wanted.txt", "Di Dorn\n");
        let (snapshot, wanted) = (asked.path("a.kith"), asked.path("wanted.txt"));
        let plan = run_well(&["plan", &snapshot, "--targets", &wanted, "--json"]);
        let plan: Value = serde_json::from_str(&plan).unwrap();
        let now = plan["now"].as_array().unwrap();
        assert_eq!(now.is_empty(), !directly, "{own}{plan}");
        assert_eq!(asked.bench.path("tables/preferences.ndjson").exists(), !own.is_empty());
    }
}

#[test]
fn all_that_is_held_about_a_person_is_written_for_them_and_no_more() {
    let asked = Asked::of("");
    asked.add_mail(&after(&format!("{DI}, {ANA}")));
    let out = asked.path("a.kith");
    asked.bench.import("team.toml", "tables", &["--out", &out, "--asks", &asked.path("asks.db")]);
    let tables = asked.path("tables");
    for who in ["Bo Berg", "di@dorn.example", "Ana Ruiz"] {
        let args = ["person", "--tables", &tables, who, "--export", "--asks", &asked.path("asks.db")];
        let held: Value = serde_json::from_str(&run_well(&args)).unwrap();
        let id = held["id"].as_str().unwrap();
        for entry in fs::read_dir(&tables).unwrap().map(|entry| entry.unwrap().path()) {
            let Some(table) = entry.file_name().unwrap().to_str().unwrap().strip_suffix(".ndjson") else {
                continue;
            };
            let text = fs::read_to_string(&entry).unwrap();
            let theirs = text.lines().filter(|line| line.contains(&format!("\"{id}\""))).count();
            assert_eq!(held["tables"][table].as_array().map_or(0, Vec::len), theirs, "{who}: {table}");
        }
        assert!(held["tables"]["identities"][0]["rows"].is_array(), "where each row came from: {held}");
        // The one ask is about, over or by each of them: with its introduction and the answers.
        assert!(held["asks"].as_array().unwrap().len() >= 2, "{held}");
    }
    let nobody = run(&["person", "--tables", &tables, "Nobody Atall", "--export"]);
    assert!(nobody.code == Some(1) && nobody.err.contains("nobody in the tables is meant"), "{nobody:?}");
    assert_eq!(run(&["person", "--tables", &tables, "Bo Berg"]).code, Some(2), "only to export");
}
