//! A team of three and two advocates: every type of path, stable bytes, and what is withheld.
//!
//! Promise: From the exports of a team to paths of all four types; what a member leaves out and who is on the
//!   suppression list is counted and never written.
//! Control: without the advocates' files the direct path alone; without the list they are there.
//!
//! Promise: An id once given stays; of two people who turn out to be one the id that sorts first stays.
//! Control: without the tables of last time the id is another.
//! Also in: `crates/kith-import/src/identity/ids.rs`.

use std::fs;

use serde_json::{Value, json};

use super::{Bench, LINKEDIN, miscounts};
use crate::program::{run, run_well};

/// The types of the paths to `who`.
fn path_types(snapshot: &str, who: &str) -> Vec<String> {
    let said: Value = serde_json::from_str(&run_well(&["path", snapshot, who, "--json"])).unwrap();
    let paths = said["data"]["paths"].as_array().unwrap();
    let mut types: Vec<String> =
        paths.iter().map(|path| path["connectionType"].as_str().unwrap().to_owned()).collect();
    types.sort_unstable();
    types.dedup();
    types
}

#[test]
fn from_exports_of_a_team_to_paths_of_all_four_types() {
    let bench = Bench::team();
    let snapshot = bench.path("snapshots/brook.kith");
    let snapshot = snapshot.to_str().unwrap();
    let ended = bench.import("team.toml", "tables", &["--out", snapshot]);
    assert_eq!(ended.code, Some(0), "{} {}", ended.out, ended.err);
    assert_eq!(miscounts(&bench.report()), [""; 0]);
    let types = ["advocate", "advocate_second_degree", "direct", "second_degree"];
    assert_eq!(path_types(snapshot, "max-orr"), types);
    // The control: without the advocates' files there is the direct path alone.
    let without = bench
        .text("team.toml")
        .replace("[\"dee-connections.csv\"]", "[]")
        .replace("[\"eli-connections.csv\"]", "[]");
    bench.put("team.toml", &without);
    assert_eq!(bench.import("team.toml", "other", &["--out", snapshot]).code, Some(0));
    assert_eq!(path_types(snapshot, "max@orr.example"), ["direct"]);
}

#[test]
fn the_tables_hold_one_person_for_each_edges_of_holders_alone_and_nothing_that_is_kept_back() {
    let bench = Bench::team();
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let people = bench.people("tables");
    let names: Vec<&str> = people.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "Ana Ruiz",
            "Augustus Hart",
            "Ben Okri",
            "Chloe Tan",
            "Dee Fox",
            "Eli Stone",
            "Fay Lind",
            "Gus Hart",
            "Hal Ito",
            "Kim Roe",
            "Lou Vale",
            "Max Orr",
            "Mum",
            "Nia Poe"
        ]
    );
    let by_id =
        |id: &Value| people.iter().find(|(_, own)| Some(own.as_str()) == id.as_str()).unwrap().0.clone();
    let rows = bench.table("tables/connections.ndjson");
    let mut edges: Vec<String> =
        rows.iter().map(|row| format!("{}>{}", by_id(&row["from"]), by_id(&row["to"]))).collect();
    edges.sort_unstable();
    assert_eq!(
        edges,
        [
            "Ana Ruiz>Augustus Hart",
            "Ana Ruiz>Dee Fox",
            "Ana Ruiz>Fay Lind",
            "Ana Ruiz>Gus Hart",
            "Ana Ruiz>Mum",
            "Ben Okri>Eli Stone",
            "Ben Okri>Fay Lind",
            "Ben Okri>Hal Ito",
            "Chloe Tan>Eli Stone",
            "Chloe Tan>Kim Roe",
            "Chloe Tan>Max Orr",
            "Dee Fox>Ana Ruiz",
            "Dee Fox>Eli Stone",
            "Dee Fox>Lou Vale",
            "Eli Stone>Dee Fox",
            "Eli Stone>Lou Vale",
            "Eli Stone>Max Orr"
        ]
    );
    for row in &rows {
        let factors = row["breakdown"].as_object().unwrap().values();
        let sum: i64 = factors.filter_map(Value::as_i64).sum();
        assert_eq!(Some(sum), row["warmness"].as_i64(), "{row}");
        assert!((0..=30).contains(&sum), "nothing but a connection: {row}");
    }
    let all: String =
        bench.bytes("tables").into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect();
    assert!(!all.contains("Ida") && !all.contains("clinic") && !all.contains("Harrow"), "left out");
    assert!(all.contains("Hal Ito"), "the control: what is not left out is there");
}

#[test]
fn the_same_files_give_the_same_bytes_wherever_they_are_and_in_whatever_order() {
    let (bench, other) = (Bench::team(), Bench::team());
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let first = bench.bytes("tables");
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    assert!(bench.bytes("tables") == first, "over the tables of last time");
    assert_eq!(other.import("team.toml", "elsewhere/tables", &[]).code, Some(0));
    assert!(other.bytes("elsewhere/tables") == first, "in another folder");
    let manifest = other.text("team.toml");
    let (head, rest) = manifest.split_once("[[members]]").unwrap();
    let (members, rest) = rest.split_once("[[advocates]]").unwrap();
    let turned: Vec<&str> = members.split("[[members]]").collect();
    let turned: String = turned.iter().rev().map(|member| format!("[[members]]{member}")).collect();
    other.put("team.toml", &format!("{head}{turned}[[advocates]]{rest}"));
    assert_eq!(other.import("team.toml", "turned", &[]).code, Some(0));
    assert!(other.bytes("turned") == first, "members in another order");
    // The control: another row is other bytes.
    other.put("ana/Connections.csv", &other.text("ana/Connections.csv").replace("Gus,Hart", "Gus,Hurt"));
    assert_eq!(other.import("team.toml", "changed", &[]).code, Some(0));
    assert!(other.bytes("changed")["people.ndjson"] != first["people.ndjson"]);
}

#[test]
fn every_row_is_in_one_person_and_each_person_can_be_explained() {
    let bench = Bench::team();
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let mut places: Vec<String> = Vec::new();
    for person in bench.table("tables/identities.ndjson") {
        for row in person["rows"].as_array().unwrap() {
            places.push(format!("{}:{}", row["file"].as_str().unwrap(), row["line"]));
        }
    }
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    let totals = &bench.report()["totals"];
    let kept = totals["used"].as_u64().unwrap() + totals["merged"].as_u64().unwrap();
    assert_eq!((places.len(), count as u64), (count, kept));
    let people = bench.people("tables");
    let said = run_well(&[
        "import",
        "--tables",
        bench.path("tables").to_str().unwrap(),
        "--explain",
        &people["Fay Lind"],
    ]);
    for part in [
        "ana/Connections.csv:7  handle: fay-lind",
        "ana/google.csv:2  address: fay@lind.example",
        "ben/Connections.csv:3",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let nobody =
        run(&["import", "--tables", bench.path("tables").to_str().unwrap(), "--explain", "person_nobody"]);
    assert_eq!(nobody.code, Some(1), "{}", nobody.err);
}

#[test]
fn ids_stay_when_files_are_added_and_when_two_people_turn_out_to_be_one() {
    let google = "First Name,Last Name,E-mail Address,E-mail 2 Address\nFay,Lind,fay@lind.example,\n";
    let bench = Bench::new(&[
        ("google.csv", google),
        ("connections.csv", &format!("{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,,,,\n")),
    ]);
    assert_eq!(bench.import_mine(&["google.csv", "connections.csv"], "tables").code, Some(0));
    let ids = |tables: &str| -> Vec<String> {
        let rows = bench.table(&format!("{tables}/people.ndjson"));
        let fays = rows.iter().filter(|row| row["name"] == "Fay Lind");
        fays.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    let two = ids("tables");
    assert_eq!(two.len(), 2, "a name alone joins nobody");
    bench.put(
        "more.csv",
        &format!("{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,fay@lind.example,,,\n"),
    );
    assert_eq!(bench.import_mine(&["more.csv", "google.csv", "connections.csv"], "tables").code, Some(0));
    let mut sorted = two.clone();
    sorted.sort_unstable();
    assert_eq!(ids("tables"), sorted[..1]);
    let identities = bench.table("tables/identities.ndjson");
    let fay = identities.iter().find(|person| person["id"] == sorted[0]).unwrap();
    assert_eq!(fay["formerly"], json!([sorted[1]]));
    let said =
        run_well(&["import", "--tables", bench.path("tables").to_str().unwrap(), "--explain", &sorted[1]]);
    assert!(said.contains(&format!("formerly  {}", sorted[1])), "{said}");
}

#[test]
fn who_is_on_the_suppression_list_is_counted_and_never_written() {
    let bench = Bench::team();
    let list = bench.path("forget.txt");
    let list = list.to_str().unwrap();
    let args = [
        "suppress",
        "add",
        "--suppressions",
        list,
        "--org",
        "org_brook-robotics",
        "--email",
        "fay@lind.example",
    ];
    let added = run(&args);
    assert_eq!(added.code, Some(0), "{}", added.err);
    assert_eq!(bench.import("team.toml", "tables", &["--suppressions", list]).code, Some(0));
    assert_eq!(miscounts(&bench.report()), [""; 0]);
    let all: String =
        bench.bytes("tables").into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect();
    assert!(!all.to_lowercase().contains("lind"), "a row without the address too");
    let skips = bench.report().to_string();
    assert_eq!(skips.matches("on the suppression list").count(), 3);
    // The control: without the list they are there.
    assert_eq!(bench.import("team.toml", "other", &[]).code, Some(0));
    assert!(fs::read_to_string(bench.path("other/people.ndjson")).unwrap().contains("Fay Lind"));
}
