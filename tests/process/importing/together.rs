//! Ties of people who were at one place: from the jobs and schools of exports to edges, and who may opt out.
//!
//! Promise: An import makes an edge of two who were at one place of at most 50 people for 12 months or more, from a
//!   person whom a holder knows; from no member and to none, of nobody who is left out or forgotten, and of no file
//!   whose owner said no.
//! Control: a month less, a person more, the same files with `--no-derive`.
//! Also in: `crates/kith/src/prepare/together.rs`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Bench;

const TEAM: &str = "[organization]\nname = \"Acme\"\nMORE\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
                    role = \"admin\"\nfiles = [\"people.csv\", \"Positions.csv\"]\nOWN\n";
const POSITIONS: &str =
    "Company Name,Title,Description,Location,Started On,Finished On\nKelp Labs,CTO,,,Jan 2019,Dec 2022\n";
const HEADER: &str = "Name,Email,Company,Title,Started on,Finished on,School";
/// Bo and Cy were at Kelp for 24 months together and Di for one; Eve is there still, and Fay was at the same school as Bo.
const PEOPLE: [&str; 6] = [
    "Bo Berg,bo@berg.example,Kelp Labs GmbH,Engineer,2019-01,2021-12,",
    "Cy Clark,cy@clark.example,Kelp Labs,Designer,2020-01-15,2022-06-30,",
    "Di Dorn,di@dorn.example,Kelp Labs,Buyer,2021-12,2022,",
    "Bo Berg,bo@berg.example,,,2001,2004,Dune School",
    "Fay Fox,fay@fox.example,,,2002,2005,Dune School",
    "Eve Ek,eve@ek.example,Reed AB,CEO,2024,,",
];

/// The edges of an import that people who were together have, as `from to points`, and the tables.
fn imported(people: &[&str], more: &str, own: &str, arguments: &[&str]) -> (Vec<String>, Bench) {
    let team = TEAM.replace("MORE", more).replace("OWN", own);
    let table = format!("{HEADER}\n{}\n", people.join("\n"));
    let bench = Bench::new(&[("people.csv", &table), ("Positions.csv", POSITIONS), ("team.toml", &team)]);
    let ended = bench.import("team.toml", "tables", arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let names: BTreeMap<String, String> =
        bench.table("tables/people.ndjson").iter().map(|row| (text(row, "id"), text(row, "name"))).collect();
    let first = |row: &Value, key: &str| names[&text(row, key)].split(' ').next().unwrap().to_owned();
    let rows = bench.table("tables/connections.ndjson");
    let derived = rows.iter().filter(|row| row["breakdown"].get("sharedInstitution").is_some());
    let mut edges: Vec<String> = derived
        .map(|row| {
            assert_eq!(row["breakdown"], serde_json::json!({ "sharedInstitution": row["warmness"] }));
            format!("{} {} {}", first(row, "from"), first(row, "to"), row["warmness"])
        })
        .collect();
    edges.sort();
    (edges, bench)
}

fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_owned()
}

#[test]
fn people_who_were_together_are_tied_and_a_member_is_not() {
    let (edges, bench) = imported(&PEOPLE, "", "", &[]);
    assert_eq!(edges, ["Bo Cy 5", "Bo Fay 6", "Cy Bo 5", "Fay Bo 6"]);
    let report: Value = serde_json::from_str(&bench.text("report.json")).unwrap();
    assert_eq!((&report["totals"]["together"], &report["totals"]["derived"]), (&4.into(), &0.into()));
    let evidence = bench.table("tables/evidence.ndjson");
    let notes: Vec<String> = evidence
        .iter()
        .filter(|row| row["kind"] == "same_place")
        .map(|row| format!("{} {}", &text(row, "at")[..7], text(row, "note")))
        .collect();
    assert!(notes.contains(&"2021-12 at Kelp Labs together for 24 months".to_owned()), "{notes:?}");
    assert!(notes.contains(&"2004-12 at Dune School together for 36 months".to_owned()), "{notes:?}");
    let affiliations = bench.table("tables/affiliations.ndjson");
    let of_ana: Vec<&Value> = affiliations.iter().filter(|row| row["role"] == "CTO").collect();
    assert_eq!(
        (of_ana.len(), of_ana[0]["from"].as_str(), of_ana[0]["to"].as_str()),
        (1, Some("2019-01"), Some("2022-12"))
    );
    assert_eq!(affiliations.len(), 7);
    // Who left, works there no more; who is there, does.
    let people = bench.table("tables/people.ndjson");
    let company =
        |name: &str| people.iter().find(|row| row["name"] == name).unwrap()["currentCompanyId"].clone();
    assert!(
        company("Cy Clark").as_str().is_none_or(|id| !id.contains("kelp")) && company("Eve Ek").is_string()
    );
    // kith build makes the same of the tables, if it is asked to.
    assert_eq!(bench.text("tables/connections.ndjson").matches("sharedInstitution").count(), 4);
}

#[test]
fn a_month_less_a_person_more_or_a_no_makes_no_edge() {
    let none: [&str; 0] = [];
    // Eleven months together.
    let short = [PEOPLE[0], "Cy Clark,cy@clark.example,Kelp Labs,Designer,2021-02,2022-06,"];
    assert_eq!(imported(&short, "", "", &[]).0, none);
    let enough = [PEOPLE[0], "Cy Clark,cy@clark.example,Kelp Labs,Designer,2021-01,2022-06,"];
    assert_eq!(imported(&enough, "", "", &[]).0, ["Bo Cy 4", "Cy Bo 4"]);
    // 50 people are at most: Ana is one of them.
    let crowd = |count: usize| -> Vec<String> {
        let row = |at| format!("P{at} Lee,p{at}@lee.example,Kelp Labs,Engineer,2019-01,2021-12,");
        (0..count).map(row).collect()
    };
    let edges = |rows: &[String]| {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        imported(&rows, "", "", &[]).0.len()
    };
    assert_eq!((edges(&crowd(49)), edges(&crowd(50))), (49 * 48, 0));
    for (more, own, arguments) in [
        ("", "", &["--no-derive"][..]),
        ("derive = false", "", &[]),
        ("", "derive = false", &[]),
        ("", "leave_out = { domains = [\"berg.example\"] }", &[]),
    ] {
        let (edges, bench) = imported(&PEOPLE[..3], more, own, arguments);
        assert_eq!(edges, none, "{more} {own} {arguments:?}");
        assert!(bench.text("tables/affiliations.ndjson").contains("Buyer"));
    }
    let (_, bench) = imported(&PEOPLE[..3], "", "leave_out = { domains = [\"berg.example\"] }", &[]);
    assert!(
        !bench.text("tables/affiliations.ndjson").contains("Engineer"),
        "Bo is left out of the table too"
    );
}
