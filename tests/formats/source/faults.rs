//! Every fault: the message names file, line and field, the expected and the actual value.
//!
//! Promise: No value of a table is longer than its bound: refused with file, line and field.
//! Control: one byte less is taken.

use crate::source::network::{File, Network, read, read_in_blocks};

/// Reads `files`, which hold one fault, and checks the place and the text of the report.
#[track_caller]
fn check(files: &[File], file: &str, line: Option<u64>, field: Option<&str>, said: &str) {
    let error = read(files).expect_err(said);
    let sentence = error.to_string();
    assert_eq!((error.file.as_str(), error.line, error.field.as_deref()), (file, line, field), "{sentence}");
    assert!(sentence.starts_with(file) && sentence.contains(said), "{sentence} lacks {said}");
    assert!(!sentence.contains('\n') && sentence.len() < 500, "{sentence}");
}

/// Rows with one fault each; see the head of the file.
pub(crate) const FAULTY_ROWS: &str = include_str!("faulty_rows.txt");
pub(crate) const GHOST: &str = r#""id":"ghost_x","prospectId":"person_eve","overallScore":1,"status":"saved","discoveredAt":"WHEN","discoveredBy":"user_1""#;

#[test]
fn a_row_with_a_fault_is_reported_in_both_formats() {
    let cases = FAULTY_ROWS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for case in cases {
        let [table, field, said, row] = case.splitn(4, " | ").collect::<Vec<_>>().try_into().unwrap();
        let row = row.replace("GHOST", GHOST).replace("WHEN", "2020-01-01T00:00:00Z");
        let network = Network::small().with_row(table, &row);
        let rows = network.tables[table].len() as u64;
        check(&network.ndjson(), &format!("{table}.ndjson"), Some(rows), Some(field), said);
        // One person's position holds a line end, so that their record takes two lines.
        let line = rows + 1 + u64::from(table == "people");
        check(&network.csv(), &format!("{table}.csv"), Some(line), Some(field), said);
    }
}

#[test]
fn every_fault_of_an_earlier_row_names_its_line() {
    let duplicate = r#"{"id":"person_bob","name":"B"}"#;
    let network = Network::small().with_row("people", duplicate);
    let error = read(&network.ndjson()).unwrap_err();
    let said = "people.ndjson line 6: field id: person_bob stands in line 2 already; each id stands once in its table";
    assert_eq!(error.to_string(), said);
    let error = read(&network.csv()).unwrap_err();
    assert!(error.to_string().contains("line 8: field id: person_bob stands in line 3 already"), "{error}");
}

#[test]
fn json_values_of_another_kind_are_reported_as_they_stand() {
    for (table, row, field, said) in [
        ("companies", r#"{"id":5,"name":"X"}"#, Some("id"), "an id that begins with company_"),
        ("companies", r#"{"id":"company_x","name":5}"#, Some("name"), "expected text, got 5"),
        (
            "companies",
            r#"{"id":"company_x","name":"X","industry":[]}"#,
            Some("industry"),
            "expected text, got []",
        ),
        ("companies", r#"{"id":"company_x","name":"\udc00"}"#, Some("name"), "stands for no character"),
        ("companies", r#"{"id":"company_x","name":"X","minSize":"5"}"#, Some("minSize"), r#"got "5""#),
        ("companies", r#"{"id":"company_x","name":"X","minSize":""}"#, Some("minSize"), r#"got """#),
        (
            "connections",
            r#"{"from":"person_ann","to":"person_eve","warmness":"5"}"#,
            Some("warmness"),
            r#"got "5""#,
        ),
        (
            "connections",
            r#"{"from":"person_ann","to":"person_eve","breakdown":""}"#,
            Some("breakdown"),
            r#"got """#,
        ),
        (
            "members",
            r#"{"userId":"user_3","personId":"person_eve","role":"admin","joinedAt":5}"#,
            Some("joinedAt"),
            "got 5",
        ),
        (
            "connections",
            r#"{"from":"person_ann","to":"person_eve","to":"person_eve"}"#,
            Some("to"),
            "stands twice",
        ),
        ("connections", r#"{"from":"person_ann","to":"person_eve","x":1,"x":1}"#, Some("x"), "stands twice"),
        (
            "connections",
            r#"{"from":null,"from":"person_ann","to":"person_eve"}"#,
            Some("from"),
            "stands twice",
        ),
        ("connections", "[]", None, "a JSON object, got []"),
        ("connections", "from,to", None, "a JSON object, got from,to"),
        ("connections", r#"{"from":"person_ann""#, None, "not valid JSON"),
        (
            "connections",
            r#"{"from":"person_ann","to":"person_eve"} {}"#,
            None,
            "not valid JSON: trailing characters (column 41)",
        ),
        ("connections", "{\"from\":\"person_ann\",\"to\":\"person_eve\t\"}", None, "not valid JSON"),
        ("connections", r#"{"\ud800":1}"#, None, "not valid JSON"),
    ] {
        let network = Network::small().with_row(table, row);
        let rows = network.tables[table].len() as u64;
        check(&network.ndjson(), &format!("{table}.ndjson"), Some(rows), field, said);
    }
}

/// The control is the same row with one byte less, which is taken.
#[test]
fn a_value_that_is_longer_than_its_bound_is_refused_with_its_place() {
    const GHOST: &str = r#"{"id":"ghost_x","prospectId":"person_eve","overallScore":1,"status":"visible","discoveredAt":"2026-01-01T00:00:00Z","discoveredBy":"user_1","paths":[]"#;
    let text = |row: &str| (row.to_owned(), 4_096, "x");
    let cases = [
        ("people", "name", text(r#"{"id":"person_x","name":"FILL"}"#)),
        ("people", "position", text(r#"{"id":"person_x","name":"X","position":"FILL"}"#)),
        ("companies", "industry", text(r#"{"id":"company_x","name":"X","industry":"FILL"}"#)),
        (
            "connections",
            "breakdown",
            (r#"{"from":"person_ann","to":"person_eve","breakdown":{"FILL":1}}"#.to_owned(), 4_096 - 6, "x"),
        ),
        (
            "ghost_opportunities",
            "keyInsights",
            (format!(r#"{GHOST},"keyInsights":{{"a": "FILL"}}}}"#), 65_536 - 8, "x"),
        ),
        ("ghost_opportunities", "priority", text(&format!(r#"{GHOST},"priority":"FILL"}}"#))),
        (
            "ghost_opportunities",
            "confidenceLevel",
            (format!(r#"{GHOST},"confidenceLevel":0.FILL}}"#), 4_096 - 2, "1"),
        ),
    ];
    for (table, field, (row, fill, with)) in cases {
        let network =
            |bytes: usize| Network::small().with_row(table, &row.replace("FILL", &with.repeat(bytes)));
        let whole = network(fill);
        read(&whole.ndjson()).unwrap_or_else(|error| panic!("{field}: {error}"));
        read(&whole.csv()).unwrap_or_else(|error| panic!("{field}: {error}"));
        let long = network(fill + 1);
        let rows = long.tables[table].len() as u64;
        let max = if field == "keyInsights" { 65_536 } else { 4_096 };
        let said = format!("has {} bytes, and a value here has at most {max}", max + 1);
        check(&long.ndjson(), &format!("{table}.ndjson"), Some(rows), Some(field), &said);
    }
}

#[test]
fn csv_cells_are_taken_strictly() {
    for (text, line, field, said) in [
        ("from,to\nperson_ann,person_eve,\n", 2, None, "expected 2 cells as in the header, got 3"),
        (
            "from,to\n\nperson_ann,person_eve\nperson_ann\n",
            4,
            None,
            "expected 2 cells as in the header, got 1",
        ),
        ("from,to,from\n", 1, Some("from"), "stands twice"),
        ("from,to,x,x\n", 1, Some("x"), "stands twice"),
        ("from,warmness\n", 1, Some("to"), "the header lacks this column"),
        ("\nfrom,From\n", 2, Some("to"), "the header lacks this column"),
        ("from,to\nperson_ann,\"person_eve\n", 2, None, "a quoted cell does not end"),
        ("from,to\nperson_ann,person\"_eve\n", 2, None, "a quote inside a cell"),
        ("from,to\nperson_ann, person_eve\n", 2, Some("to"), "an id that begins with person_"),
        ("from,to,warmness\nperson_ann,person_eve,+5\n", 2, Some("warmness"), "got +5"),
        ("from,to,warmness\nperson_ann,person_eve, 5\n", 2, Some("warmness"), "got  5"),
        (
            "from,to,breakdown\nperson_ann,person_eve,\"{\"\"a\"\":1\"\n",
            2,
            Some("breakdown"),
            "not valid JSON",
        ),
        ("from,to,breakdown\nperson_ann,person_eve,{} {}\n", 2, Some("breakdown"), "not valid JSON"),
        (
            "from,to,breakdown\nperson_ann,person_eve,\"{\"\"a\"\":\n\"\"b\"\"}\"\n",
            2,
            Some("breakdown"),
            "a number for the factor a",
        ),
        ("from,to,note\nperson_ann,person_eve,\"one\r\ntwo\"\nperson_ann,x,\n", 4, Some("to"), "got x"),
    ] {
        let mut files = Network::small().csv();
        files.iter_mut().filter(|file| file.0 == "connections.csv").for_each(|file| file.1 = text.into());
        check(&files, "connections.csv", Some(line), field, said);
    }
}

#[test]
fn csv_numbers_are_numbers_as_json_writes_them() {
    for score in ["+1", " 1", "1 ", ".5", "1.", "01", "0x1", "inf", "NaN", "1e", "1_0", "\"1\"", "-"] {
        let row = r#"{"id":"ghost_x","prospectId":"person_eve","overallScore":"SCORE","status":"saved","discoveredAt":"2020-01-01T00:00:00Z","discoveredBy":"user_1"}"#;
        let row = row.replace("\"SCORE\"", &serde_json::to_string(score).unwrap());
        let files = Network::small().with_row("ghost_opportunities", &row).csv();
        check(&files, "ghost_opportunities.csv", Some(4), Some("overallScore"), "expected a finite number");
    }
}

#[test]
fn the_organization_is_reported_with_the_line_of_its_value() {
    for (text, line, field, said) in [
        ("{\n\"id\": \"org_a\"}", 1, Some("name"), "has no value"),
        ("{\n\"id\":\n\"acme\",\n\"name\": \"A\"}", 3, Some("id"), "an id that begins with org_"),
        ("{\"id\": \"org_a\",\n\"name\": 5}", 2, Some("name"), "expected text, got 5"),
        ("{\"id\": \"org_a\",\n\"name\": \"A\",\n\"companyId\": \"a\"}", 3, Some("companyId"), "company_"),
        (
            "\n{\"id\": \"org_a\", \"name\": \"A\", \"companyId\": \"company_x\"}",
            2,
            Some("companyId"),
            "company_x is not in the table companies",
        ),
        ("{\"id\": \"org_a\",\n\"name\" \"A\"}", 2, None, "not valid JSON: expected `:` (column 8)"),
        ("{\"id\": \"org_a\",\n\"id\": \"org_a\", \"name\": \"A\"}", 1, Some("id"), "stands twice"),
        ("[]", 1, None, "a JSON object, got []"),
        ("", 1, None, "a JSON object"),
    ] {
        let network = Network { organization: text.to_owned(), ..Network::small() };
        check(&network.ndjson(), "organization.json", Some(line), field, said);
    }
}

#[test]
fn a_table_stands_in_one_file_and_needed_ones_in_at_least_one() {
    let small = Network::small().ndjson();
    for (missing, said) in [
        ("organization.json", "there is no such file"),
        ("people.ndjson", "there is no such file"),
        ("members.ndjson", "there is no such file"),
    ] {
        let files: Vec<File> = small.iter().filter(|file| file.0 != missing).cloned().collect();
        check(&files, missing, None, None, said);
    }
    for (first, second) in [
        ("people.ndjson", "people.csv"),
        ("people.ndjson", "people.ndjson.gz"),
        ("connections.ndjson", "connections.csv.zst"),
        ("organization.json", "organization.json.zst"),
    ] {
        let mut files = small.clone();
        files.push((second.to_owned(), Vec::new()));
        check(&files, second, None, None, &format!("{first} holds the same table"));
    }
}

#[test]
fn a_folder_that_is_not_there_is_reported_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    let error = kith_tables::source::build::read_folder(&gone, &kith_tables::progress::Silent).unwrap_err();
    assert_eq!((error.file.as_str(), error.line), (gone.display().to_string().as_str(), None));
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

#[test]
fn the_first_fault_is_reported_however_the_file_is_cut() {
    let sound = r#"{"from":"person_ann","to":"person_eve"}"#;
    let mut rows = vec![sound; 300];
    rows[100] = r#"{"from":"person_ann","to":"person_first"}"#;
    rows[101] = "{";
    rows[102] = "\u{0}";
    rows[299] = "[]";
    let files = Network::small().with_table("connections", &rows).ndjson();
    for block_bytes in [1, 50, 100, 1000, 4040, 1 << 20] {
        let error = read_in_blocks(&files, block_bytes).unwrap_err();
        assert_eq!((error.line, error.field.as_deref()), (Some(101), Some("to")), "{error}");
    }
}

#[test]
fn a_row_twice_comes_before_a_fault_below_it_however_the_file_is_cut() {
    let rows = [
        r#"{"id":"person_ann","name":"A"}"#,
        r#"{"id":"person_bob","name":"B"}"#,
        r#"{"id":"person_ann","name":"A"}"#,
        "{",
    ];
    let files = Network::small().with_table("people", &rows).ndjson();
    for block_bytes in [1, 30, 70, 1 << 20] {
        let error = read_in_blocks(&files, block_bytes).unwrap_err();
        assert_eq!((error.line, error.field.as_deref()), (Some(3), Some("id")), "{error}");
    }
}
