//! A second import with only some of the files.
//!
//! Promise: People of last time who are in none of today's files are counted and named, with their edges; `--keep` keeps them with
//!   their edges as they were, and members and advocates who gave no file as what they were, but nobody who is left out or to be forgotten, and no
//!   derived edge.
//! Control: without `--keep` they are gone.
//! Also in: `src/cli/suppress/tests.rs`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Bench, LINKEDIN};
use crate::program::{run, run_well};

const ANA: &str = "Pia,Weiss,https://www.linkedin.com/in/pia-weiss,pia@kelp.example,Kelp Labs,CEO,12 Mar 2024\n\
                   Gus,Hart,,,Hart Co,CFO,11 Mar 2024\n\
                   Lou,Vale,,lou@vale.example,Vale Ltd,COO,10 Mar 2024\n";
const BEN: &str = "Pia,Weiss,https://www.linkedin.com/in/pia-weiss,,Kelp Labs,CEO,10 Jan 2024\n\
                   Kim,Roe,https://www.linkedin.com/in/kim-roe,,Roe Inc,CTO,10 Jan 2024\n";

/// A manifest with the files of Ana and of Ben, and further lines at the end of each section.
fn team(ana: &[&str], ben: &[&str], of_ana: &str, more: &str) -> String {
    format!(
        "[organization]\nname = \"Acme\"\n\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\nfiles = {ana:?}\n\
         {of_ana}\n\n[[members]]\nname = \"Ben Okri\"\nemail = \"ben@acme.example\"\nfiles = {ben:?}\n\n{more}\n"
    )
}

/// Two members whose files were all imported into `tables`.
fn imported() -> Bench {
    let bench = Bench::new(&[
        ("ana.csv", &format!("{LINKEDIN}{ANA}")),
        ("ben.csv", &format!("{LINKEDIN}{BEN}")),
        (
            "new.csv",
            &format!("{LINKEDIN}Nia,Poe,https://www.linkedin.com/in/nia-poe,,Poe AG,CEO,01 Apr 2024\n"),
        ),
        ("team.toml", &team(&["ana.csv"], &["ben.csv"], "", "")),
    ]);
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    bench
}

/// The lines of a table of `bench` that name one of `ids`.
fn lines_of<'i>(bench: &Bench, table: &str, ids: impl IntoIterator<Item = &'i String>) -> BTreeSet<String> {
    let ids: Vec<&String> = ids.into_iter().collect();
    let text = bench.text(&format!("tables/{table}.ndjson"));
    text.lines().filter(|line| ids.iter().any(|id| line.contains(*id))).map(str::to_owned).collect()
}

fn names(bench: &Bench) -> Vec<String> {
    bench.people("tables").into_keys().collect()
}

#[test]
fn who_is_in_none_of_the_files_is_named_and_kept_as_they_were() {
    let bench = imported();
    let people = bench.people("tables");
    let missing = ["Gus Hart", "Lou Vale"].map(|name| people[name].clone());
    let before = ["people", "connections", "evidence"].map(|table| lines_of(&bench, table, &missing));
    assert_eq!(before[1].len(), 2);
    bench.put("team.toml", &team(&["new.csv"], &["ben.csv"], "", ""));
    let snapshot = bench.path("acme.kith");
    let snapshot = snapshot.to_str().unwrap();
    for _ in 0..2 {
        let ended = bench.import("team.toml", "tables", &["--keep", "--out", snapshot]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let said = ended.out.replace('\n', " ");
        assert!(
            said.contains("2 people of last time are in none of these files and stay as they were: "),
            "{said}"
        );
        assert_eq!(
            names(&bench),
            ["Ana Ruiz", "Ben Okri", "Gus Hart", "Kim Roe", "Lou Vale", "Nia Poe", "Pia Weiss"]
        );
        assert_eq!(
            ["people", "connections", "evidence"].map(|table| lines_of(&bench, table, &missing)),
            before
        );
        let report = bench.report();
        assert_eq!((&report["lastTime"]["missing"], &report["lastTime"]["kept"]), (&2.into(), &true.into()));
        assert_eq!(report["network"]["people"], 7);
        let path: Value =
            serde_json::from_str(&run_well(&["path", snapshot, "lou@vale.example", "--json"])).unwrap();
        assert_eq!(path["data"]["totalCount"], 1);
        let explained = run_well(&[
            "import",
            "--tables",
            bench.path("tables").to_str().unwrap(),
            "--explain",
            &missing[0],
        ]);
        assert!(explained.contains("no file of the last import names this person"), "{explained}");
    }
    // Back in a file they are as if they had never been away.
    bench.put("team.toml", &team(&["ana.csv"], &["ben.csv"], "", ""));
    assert_eq!(bench.import("team.toml", "tables", &["--keep"]).code, Some(0));
    assert_eq!(["Gus Hart", "Lou Vale"].map(|name| bench.people("tables")[name].clone()), missing);
    let back = lines_of(&bench, "identities", &missing);
    assert!(back.iter().all(|line| !line.contains("kept")), "{back:?}");
    // The control.
    bench.put("team.toml", &team(&["new.csv"], &["ben.csv"], "", ""));
    let ended = bench.import("team.toml", "tables", &[]);
    assert!(
        ended
            .out
            .replace('\n', " ")
            .contains("2 people of last time are in none of these files and go; --keep")
    );
    let report = bench.report();
    let named: Vec<&str> = report["lastTime"]["people"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(named.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from(["Gus Hart", "Lou Vale"]));
    assert_eq!(names(&bench), ["Ana Ruiz", "Ben Okri", "Kim Roe", "Nia Poe", "Pia Weiss"]);
    assert_eq!(bench.import("team.toml", "tables", &["--keep"]).code, Some(0));
    assert!(bench.report().get("lastTime").is_none(), "nobody is missing now");
}

/// The people that each of these changes removes from those who would be kept.
#[test]
fn nobody_is_kept_who_is_left_out_or_to_be_forgotten() {
    let left_out = |what: &str| format!("leave_out = {{ {what} }}");
    for (of_ana, gone) in [
        (left_out("companies = [\"Hart Co\"]"), "Gus Hart"),
        (left_out("domains = [\"vale.example\"]"), "Lou Vale"),
        (left_out("addresses = [\"lou@vale.example\"]"), "Lou Vale"),
        (left_out("people = [\"Lou@vale.example\"]"), "Lou Vale"),
        (left_out("people = [\"gus  HART\"]"), "Gus Hart"),
    ] {
        let bench = imported();
        bench.put("team.toml", &team(&["new.csv"], &["ben.csv"], &of_ana, ""));
        let ended = bench.import("team.toml", "tables", &["--keep"]);
        assert_eq!(bench.report()["lastTime"]["missing"], 1, "{of_ana}");
        assert!(!(ended.out + &bench.text("report.json")).contains(gone), "{of_ana}");
        assert!(!names(&bench).contains(&gone.to_owned()), "{of_ana}");
    }
    // By a label of a row of today, which says of whom it is by name and company alone.
    let bench = imported();
    let google = "First Name,Middle Name,Last Name,Organization Name,Organization Title,Labels,E-mail 1 - Label,\
                  E-mail 1 - Value\nGus,,Hart,Hart Co,,* family,,\nNia,,Poe,Poe AG,,,,nia@poe.example\n";
    bench.put("google.csv", google);
    bench.put("team.toml", &team(&["google.csv"], &["ben.csv"], &left_out("labels = [\"family\"]"), ""));
    assert_eq!(bench.import("team.toml", "tables", &["--keep"]).code, Some(0));
    assert!(!names(&bench).contains(&"Gus Hart".to_owned()));
    // On the list.
    let bench = imported();
    let (list, tables) = (bench.path("list.txt"), bench.path("tables"));
    let (list, tables) = (list.to_str().unwrap(), tables.to_str().unwrap());
    let gus = bench.people("tables")["Gus Hart"].clone();
    run_well(&["suppress", "add", "--suppressions", list, "--tables", tables, "--id", &gus]);
    bench.put("team.toml", &team(&["new.csv"], &["ben.csv"], "", ""));
    let ended = bench.import("team.toml", "tables", &["--keep", "--suppressions", list]);
    assert_eq!(bench.report()["lastTime"]["missing"], 1);
    assert!(!(ended.out + &bench.text("report.json")).contains("Gus"));
    assert!(!names(&bench).contains(&"Gus Hart".to_owned()));
}

/// The manifest without Ana.
fn without_ana() -> String {
    let whole = team(&[], &["ben.csv"], "", "");
    let without = whole.split("[[members]]").enumerate().filter(|(part, _)| *part != 1);
    without.map(|(_, part)| part).collect::<Vec<_>>().join("[[members]]")
}

#[test]
fn a_member_who_gave_no_file_stays_a_member_with_their_edges() {
    let bench = imported();
    let ana = bench.people("tables")["Ana Ruiz"].clone();
    let of_ana = |bench: &Bench, table: &str| -> BTreeSet<String> {
        let from = format!("\"from\":\"{ana}\"");
        lines_of(bench, table, [&ana])
            .into_iter()
            .filter(|line| table == "members" || line.contains(&from))
            .collect()
    };
    let before = ["members", "connections", "evidence"].map(|table| of_ana(&bench, table));
    assert_eq!((before[0].len(), before[1].len()), (1, 3), "she knows Pia, Gus and Lou");
    bench.put("team.toml", &without_ana());
    for _ in 0..2 {
        let ended = bench.import(
            "team.toml",
            "tables",
            &["--keep", "--out", bench.path("acme.kith").to_str().unwrap()],
        );
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert_eq!(["members", "connections", "evidence"].map(|table| of_ana(&bench, table)), before);
        assert_eq!(names(&bench), ["Ana Ruiz", "Ben Okri", "Gus Hart", "Kim Roe", "Lou Vale", "Pia Weiss"]);
        let said = ended.out.replace('\n', " ");
        for note in [
            "2 people of last time are in none of these files and stay as they were: ",
            "with them stay 2 edges",
            "no file is of Ana Ruiz, a member of last time, who stays a member with 3 edges as they were",
        ] {
            assert!(said.contains(note), "{note}: {said}");
        }
        let network = bench.report()["network"].clone();
        assert_eq!(
            [&network["people"], &network["members"], &network["edges"], &network["reached"]],
            [6, 2, 5, 4],
            "{network}"
        );
    }
    // Back with her file she is as if she had never been away.
    bench.put("team.toml", &team(&["ana.csv"], &["ben.csv"], "", ""));
    assert_eq!(bench.import("team.toml", "tables", &["--keep"]).code, Some(0));
    assert_eq!(["members", "connections", "evidence"].map(|table| of_ana(&bench, table)), before);
    // The control: she goes, and the note says with whom and with what.
    bench.put("team.toml", &without_ana());
    let said = bench.import("team.toml", "tables", &[]).out.replace('\n', " ");
    for note in [
        "3 people of last time are in none of these files and go; --keep keeps them with their edges",
        "with them go 2 edges",
        "no file is of Ana Ruiz, a member of last time, who is none any more; --keep keeps them a member, with 3 edges",
    ] {
        assert!(said.contains(note), "{note}: {said}");
    }
    assert_eq!(names(&bench), ["Ben Okri", "Kim Roe", "Pia Weiss"]);
}

#[test]
fn an_advocate_who_gave_no_file_stays_one_with_their_edges() {
    let bench = imported();
    bench.put("dee.csv", &format!("{LINKEDIN}Uma,Lind,,uma@lind.example,Lind AB,CEO,02 Feb 2024\nGus,Hart,,,Hart Co,CFO,03 Feb 2024\n"));
    let dee = "[[advocates]]\nname = \"Dee Fox\"\nemail = \"dee@fox.example\"\nhelps = [\"Ana Ruiz\", \"Ben Okri\"]\nfiles = [\"dee.csv\"]\n";
    let [with, without] = [dee, ""].map(|more| team(&["ana.csv"], &["ben.csv"], "", more));
    bench.put("team.toml", &with);
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let id = bench.people("tables")["Dee Fox"].clone();
    let of_dee = || ["advocates", "connections", "evidence"].map(|table| lines_of(&bench, table, [&id]));
    let before = of_dee();
    assert_eq!((before[0].len(), before[1].len()), (2, 2), "she helps two, and knows Uma and Gus");
    bench.put("team.toml", &without);
    for _ in 0..2 {
        let said = bench.import("team.toml", "tables", &["--keep"]).out.replace('\n', " ");
        let note = "no file is of Dee Fox, an advocate of last time, who stays an advocate with 2 edges as they were";
        assert!(said.contains(note), "{said}");
        assert_eq!(of_dee(), before);
    }
    // Back with her file she is as if she had never been away.
    bench.put("team.toml", &with);
    assert_eq!(bench.import("team.toml", "tables", &["--keep"]).code, Some(0));
    assert_eq!(of_dee(), before);
    // The control: she goes.
    bench.put("team.toml", &without);
    let said = bench.import("team.toml", "tables", &[]).out.replace('\n', " ");
    let note = "an advocate of last time, who is none any more; --keep keeps them an advocate, with 2 edges";
    assert!(said.contains(note), "{said}");
    assert_eq!(of_dee().map(|lines| lines.len()), [0; 3]);
}

#[test]
fn members_who_import_their_files_one_after_the_other_are_one_network() {
    let bench = Bench::new(&[
        ("ana.csv", &format!("{LINKEDIN}{ANA}")),
        ("ben.csv", &format!("{LINKEDIN}{BEN}Ana,Ruiz,,,Acme,CEO,10 Jan 2024\n")),
    ]);
    let (tables, path) = (bench.path("tables"), |name: &str| bench.path(name).to_str().unwrap().to_owned());
    for (me, file) in [("Ana Ruiz", "ana.csv"), ("Ben Okri", "ben.csv")] {
        let ended = run(&[
            "import",
            "--org",
            "Acme",
            "--me",
            me,
            "--tables",
            tables.to_str().unwrap(),
            "--keep",
            &path(file),
        ]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
    }
    assert_eq!(bench.table("tables/members.ndjson").len(), 2);
    assert_eq!(
        bench.table("tables/connections.ndjson").len(),
        5,
        "three of hers, two of his, none between the two"
    );
    assert_eq!(names(&bench), ["Ana Ruiz", "Ben Okri", "Gus Hart", "Kim Roe", "Lou Vale", "Pia Weiss"]);
}

#[test]
fn a_member_who_is_to_be_forgotten_does_not_stay() {
    let bench = imported();
    let (list, tables) = (bench.path("list.txt"), bench.path("tables"));
    let (list, tables) = (list.to_str().unwrap(), tables.to_str().unwrap());
    let ana = bench.people("tables")["Ana Ruiz"].clone();
    run_well(&["suppress", "add", "--suppressions", list, "--tables", tables, "--id", &ana]);
    bench.put("team.toml", &without_ana());
    let ended = bench.import("team.toml", "tables", &["--keep", "--suppressions", list]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(!(ended.out + &bench.text("report.json")).contains("Ana"));
    assert_eq!(names(&bench), ["Ben Okri", "Kim Roe", "Pia Weiss"]);
}

#[test]
fn who_is_kept_can_be_named_in_the_team_file_and_is_not_who_was_derived() {
    let mail = |from: &str, to: &str, day: u32| {
        format!(
            "From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {from}\nTo: {to}\nDate: Tue, {day} Mar 2024 09:14:00 +0000\n\nhi\n\n"
        )
    };
    let bench = imported();
    let both = [
        mail("Lou Vale <lou@vale.example>", "ana@acme.example, Zed Kay <zed@kay.example>", 5),
        mail("Zed Kay <zed@kay.example>", "ana@acme.example, Lou Vale <lou@vale.example>", 6),
    ];
    bench.put("mail.mbox", &both.concat());
    bench.put("team.toml", &team(&["ana.csv", "mail.mbox"], &["ben.csv"], "", ""));
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    assert!(
        names(&bench).contains(&"Zed Kay".to_owned())
            && bench.text("tables/connections.ndjson").contains("seenTogether")
    );
    let more = "[[intros]]\nperson = \"lou@vale.example\"\nby = \"Ana Ruiz\"\nstatus = \"asked\"\nat = 2024-03-20\n\n\
                [[preferences]]\nconnectorId = \"Lou Vale\"\nrule = \"never\"\n";
    bench.put("team.toml", &team(&["new.csv"], &["ben.csv"], "", more));
    let ended = bench.import("team.toml", "tables", &["--keep"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let lou = bench.people("tables")["Lou Vale"].clone();
    assert_eq!(bench.table("tables/intro_requests.ndjson")[0]["personId"], lou.as_str());
    assert_eq!(bench.table("tables/preferences.ndjson")[0]["connectorId"], lou.as_str());
    assert!(!names(&bench).contains(&"Zed Kay".to_owned()));
    assert!(!bench.text("tables/connections.ndjson").contains("seenTogether"));
    let snapshot = bench.path("acme.kith");
    let built = run(&[
        "build",
        bench.path("tables").to_str().unwrap(),
        "--out",
        snapshot.to_str().unwrap(),
        "--strict",
    ]);
    assert_eq!(built.code, Some(0), "{}", built.err);
}
