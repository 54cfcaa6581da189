//! Errors of `kith import`, and its treatment of files without rows.
//!
//! Promise: For a wrong team file the message says what is wrong, and nothing is written; a file that gives nothing is
//!   reported and the others are imported. A table of no known export is read by what its columns are called, or
//!   refused with what to write.
//! Control: the sound manifest; the good file alone.

use serde_json::json;

use super::{Bench, LINKEDIN, miscounts};

const MANIFEST: &str =
    "[organization]\nname = \"Acme\"\n\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n";

/// A manifest of one member with the files `files`, and `more` below it.
fn manifest(files: &str, more: &str) -> String {
    format!("{MANIFEST}files = [{files}]\n{more}")
}

#[test]
fn a_wrong_manifest_names_what_is_wrong_and_nothing_is_written() {
    let row = format!("{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,,Lind,Partner,12 Mar 2024\n");
    let bench = Bench::new(&[("a.csv", &row), ("b.csv", &row)]);
    for (text, said) in [
        (manifest("\"a.csv\"", "nmae = \"x\"\n"), "members[1].nmae is not known; did you mean name?"),
        (
            manifest("\"a.csv\"", "").replace("[organization]", "[organisation]"),
            "organisation is not known; did you mean organization?",
        ),
        (
            manifest("\"a.csv\"", "leave_out = { label = [] }\n"),
            "leave_out.label is not known; did you mean labels?",
        ),
        (manifest("\"a.csv\"", "[scoring]\nconection = 3\n"), "connection"),
        (
            manifest("\"a.csv\"", "").replace("email = \"ana@acme.example\"\n", ""),
            "members[1].email is missing",
        ),
        (manifest("\"a.csv\"", "role = \"boss\"\n"), "members[1].role: expected admin or member"),
        (
            manifest("\"a.csv\"", "linkedin = \"https://example.com/ana\"\n"),
            "members[1].linkedin: expected the address of a profile",
        ),
        (
            manifest(
                "\"a.csv\"",
                "[[advocates]]\nname = \"Dee\"\nemail = \"d@x.example\"\nhelps = [\"Nobody\"]\n",
            ),
            "Nobody is no member's name or address; members are Ana Ruiz",
        ),
        (
            manifest(
                "\"a.csv\"",
                "[[members]]\nname = \"Ben\"\nemail = \"ben@acme.example\"\nfiles = [\"./a.csv\"]\n",
            ),
            "./a.csv is listed twice",
        ),
        (
            manifest("\"a.csv\"", "[[columns]]\nfile = \"b.csv\"\nname = \"Who\"\n"),
            "b.csv is listed by nobody",
        ),
        (manifest("\"a.csv\"", "").replace("[[members]]", "[[members]\n"), "team.toml: line "),
        ("as_of = \"soon\"\n".to_owned() + &manifest("\"a.csv\"", ""), "as_of: expected a date"),
    ] {
        bench.put("team.toml", &text);
        let ended = bench.import("team.toml", "tables", &[]);
        assert!(ended.code == Some(2) && ended.err.contains(said), "{said}: {:?} {}", ended.code, ended.err);
        assert!(!bench.path("tables").exists() && !bench.path("report.json").exists(), "{said}");
    }
    // The control.
    bench.put("team.toml", &manifest("\"a.csv\"", ""));
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    for args in [
        &["import", "--tables", "x"][..],
        &["import", "--tables", "x", "--org", "A", "--me", "B"],
        &["import", "a", "b", "--tables", "x"],
    ] {
        assert_eq!(crate::program::run(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn a_file_that_gives_nothing_is_named_and_the_others_are_imported_all_the_same() {
    let row = format!(
        "{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,,Lind,Partner,12 Mar 2024\n,,,,,,\n"
    );
    let bench = Bench::new(&[
        ("good.csv", &row),
        ("empty.csv", ""),
        ("odd.csv", "a,b\n1,2\n"),
        ("blank.csv", &format!("{LINKEDIN},,,,,,\n")),
    ]);
    for bad in ["empty.csv", "odd.csv", "blank.csv", "gone.csv"] {
        let tables = format!("tables of {bad}");
        let ended = bench.import_mine(&["good.csv", bad], &tables);
        assert!(ended.code == Some(1) && ended.err.contains(bad), "{bad}: {:?} {}", ended.code, ended.err);
        assert!(
            ended.err.ends_with("kith: 1 file gave nothing; all others were imported\n"),
            "{}",
            ended.err
        );
        assert!(bench.people(&tables).contains_key("Fay Lind"), "{bad}");
        assert_eq!(miscounts(&bench.report()), [""; 0]);
        let file = &bench.report()["files"][1];
        assert_eq!(file.get("fault").is_some(), bad != "blank.csv", "{file}");
    }
    let files = &bench.report()["files"][0];
    assert_eq!(files["skips"], json!([{ "line": 3, "reason": "all cells are empty" }]));
    let ended = bench.import_mine(&["odd.csv"], "nothing");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(!bench.path("nothing").exists(), "nothing is written if no file gave anything");
    // The control: the good file alone, and beside a file of LinkedIn's export that has no contacts.
    assert_eq!(bench.import_mine(&["good.csv"], "good").code, Some(0));
    bench.put("Skills.csv", "Name\nSales\n");
    let ended = bench.import_mine(&["good.csv", "Skills.csv"], "skills");
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(
        ended.out.contains("1 file of LinkedIn's export holds no contacts, as expected: Skills.csv"),
        "{}",
        ended.out
    );
}

#[test]
fn a_dry_run_reports_the_same_and_writes_no_tables() {
    let bench = Bench::team();
    assert_eq!(bench.import("team.toml", "tables", &["--dry-run"]).code, Some(0));
    let dry = bench.report();
    assert!(!bench.path("tables").exists());
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    assert!(bench.path("tables/people.ndjson").exists() && bench.report() == dry);
}

#[test]
fn tables_that_no_import_wrote_are_not_replaced() {
    let row = format!("{LINKEDIN}Fay,Lind,,,Lind,Partner,12 Mar 2024\n");
    let bench =
        Bench::new(&[("a.csv", &row), ("tables/people.ndjson", "{\"id\":\"person_x\",\"name\":\"X\"}\n")]);
    let ended = bench.import_mine(&["a.csv"], "tables");
    assert!(ended.code == Some(1) && ended.err.contains("people.ndjson"), "{}", ended.err);
    assert!(bench.text("tables/people.ndjson").contains("person_x"));
    bench.put("damaged/identities.ndjson", "{\"id\":");
    let ended = bench.import_mine(&["a.csv"], "damaged");
    assert!(ended.code == Some(1) && ended.err.contains("identities.ndjson line 1"), "{}", ended.err);
    // The control.
    assert_eq!(bench.import_mine(&["a.csv"], "other").code, Some(0));
}

#[test]
fn an_override_joins_two_handles_and_keeps_two_rows_of_one_address_apart() {
    let bench = Bench::new(&[
        (
            "a.csv",
            &format!(
                "{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,,,,\nFay,Lund,https://www.linkedin.com/in/fay-lund,,,,\n"
            ),
        ),
        ("b.csv", &format!("{LINKEDIN}Gus,Hart,,gus@hart.example,,,\n")),
        ("c.csv", &format!("{LINKEDIN}Gustav,Hart,,gus@hart.example,,,\n")),
        ("team.toml", &manifest("\"a.csv\", \"b.csv\", \"c.csv\"", "")),
    ]);
    assert_eq!(bench.import("team.toml", "plain", &[]).code, Some(0));
    let plain = bench.people("plain");
    assert_eq!(plain.len(), 4, "two handles are two people, one address is one: {plain:?}");
    let people = format!("[[same]]\npeople = [\"{}\", \"{}\"]\n", plain["Fay Lind"], plain["Fay Lund"]);
    let rows = "[[same]]\nrows = [\"a.csv:2\", \"a.csv:3\"]\n[[apart]]\nrows = [\"b.csv:2\", \"c.csv:2\"]\n";
    for (overrides, tables, count) in [(people.as_str(), "people", 3), (rows, "rows", 4)] {
        bench.put("overrides.toml", overrides);
        let path = bench.path("overrides.toml");
        for _ in 0..2 {
            let ended = bench.import("team.toml", tables, &["--overrides", path.to_str().unwrap()]);
            assert_eq!(ended.code, Some(0), "{}", ended.err);
            assert_eq!(bench.people(tables).len(), count, "{:?}", bench.people(tables));
        }
    }
    bench.put(
        "overrides.toml",
        "[[same]]\nrows = [\"b.csv:2\", \"c.csv:2\"]\n[[apart]]\nrows = [\"b.csv:2\", \"c.csv:2\"]\n",
    );
    let path = bench.path("overrides.toml");
    let ended = bench.import("team.toml", "torn", &["--overrides", path.to_str().unwrap()]);
    assert!(ended.code == Some(2) && ended.err.contains("same and apart"), "{}", ended.err);
}

#[test]
fn a_table_of_no_known_export_is_read_by_what_its_columns_are_called_or_refused_with_what_to_write() {
    let list =
        "Voornaam,Achternaam,Bedrijf,E-mailadres\nMaud,Visser,Linde Maritiem,maud@linde-maritiem.example\n";
    let bills = "Number,Date,Total\n7,2026-01-01,12.00\n";
    let bench = Bench::new(&[
        ("lijst.csv", list),
        ("bills.csv", bills),
        ("team.toml", &manifest("\"lijst.csv\", \"bills.csv\"", "")),
    ]);
    let ended = bench.import("team.toml", "tables", &[]);
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("[[columns]]") && ended.err.contains("Number,Date,Total"), "{}", ended.err);
    let report = bench.report();
    let formats: Vec<&str> =
        report["files"].as_array().unwrap().iter().map(|file| file["format"].as_str().unwrap()).collect();
    assert!(
        formats.contains(&"table, read by its columns: first name, last name, email, company"),
        "{formats:?}"
    );
    let people = bench.text("tables/people.ndjson");
    assert!(people.contains("Maud Visser") && people.contains("maud@linde-maritiem.example"), "{people}");
}
