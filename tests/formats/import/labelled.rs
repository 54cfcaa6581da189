//! Identity: pairs of rows of which it is known whether they are one person (`fixtures/identity/pairs.csv`, written
//! before the rules were tried on any).
//!
//! Promise: People of labelled pairs of rows are kept apart: precision at least .99.
//! Control: a rule that joins whatever has one name.

use std::collections::BTreeMap;
use std::fs;

use kith_import::dates::CalendarDay;
use kith_import::imported::{ImportSettings, import};
use kith_import::manifest::overrides::Overrides;
use kith_import::manifest::read_manifest;

/// Minimum precision of joins.
const PRECISION_MIN: f64 = 0.99;
/// How many of the joins that could be made are, at least; `docs/import.md` has the figure.
const RECALL_MIN: f64 = 0.8;

/// One pair: its kind, whether it is one person, whether both rows are in one file, and the rows' cells.
struct Pair {
    kind: String,
    is_same: bool,
    is_one_file: bool,
    rows: [Vec<String>; 2],
}

fn pairs() -> Vec<Pair> {
    let text = include_str!("../../../fixtures/identity/pairs.csv");
    let cells = |line: &str| -> Vec<String> {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for character in line.chars() {
            match character {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                _ => cells.last_mut().unwrap().push(character),
            }
        }
        cells
    };
    let pair = |line: &str| {
        let cells = cells(line);
        assert_eq!(cells.len(), 11, "{line}");
        Pair {
            kind: cells[0].clone(),
            is_same: cells[1] == "same",
            is_one_file: cells[2] == "one",
            rows: [cells[3..7].to_vec(), cells[7..].to_vec()],
        }
    };
    text.lines().skip(1).map(pair).collect()
}

/// Whether the import makes one person of the pair; `is_turned` puts the second row first.
fn is_joined(pair: &Pair, is_turned: bool) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let header = "Who,Page,Mail,Firm\n";
    let line = |row: &Vec<String>| row.iter().map(|cell| format!("\"{cell}\"")).collect::<Vec<_>>().join(",");
    let [mut first, mut second] = [line(&pair.rows[0]), line(&pair.rows[1])];
    if is_turned {
        std::mem::swap(&mut first, &mut second);
    }
    if pair.is_one_file {
        (first, second) = (format!("{first}\n{second}"), "\"Some Body Else\",,,".to_owned());
    }
    fs::write(folder.path().join("a.csv"), format!("{header}{first}\n")).unwrap();
    fs::write(folder.path().join("b.csv"), format!("{header}{second}\n")).unwrap();
    let columns = |file: &str| {
        format!(
            "[[columns]]\nfile = \"{file}\"\nname = \"Who\"\nurl = \"Page\"\nemail = \"Mail\"\ncompany = \"Firm\"\n"
        )
    };
    let member = |name: &str, file: &str| {
        format!("[[members]]\nname = \"{name}\"\nemail = \"{file}@own.example\"\nfiles = [\"{file}\"]\n")
    };
    let manifest = format!(
        "[organization]\nname = \"Own\"\n{}{}{}{}",
        member("First Owner", "a.csv"),
        member("Second Owner", "b.csv"),
        columns("a.csv"),
        columns("b.csv")
    );
    fs::write(folder.path().join("team.toml"), manifest).unwrap();
    let settings = ImportSettings {
        today: CalendarDay { year: 2026, month: 1, day: 1 },
        tables: &folder.path().join("tables"),
        overrides: Overrides::default(),
        keep: false,
        is_forgotten: None,
    };
    let imported = import(read_manifest(&folder.path().join("team.toml")).unwrap(), &settings).unwrap();
    let people = imported.facts().people - 2 - usize::from(pair.is_one_file);
    assert!((1..=2).contains(&people), "{people} people of {:?}", pair.rows);
    people == 1
}

/// Precision and recall of `joined` over `pairs`, and the pairs it has wrong by kind.
fn figures(pairs: &[Pair], joined: &[bool]) -> (f64, f64, BTreeMap<String, usize>) {
    let (mut right, mut wrong, mut missed) = (0_u32, 0_u32, 0_u32);
    let mut faults = BTreeMap::new();
    for (pair, joined) in pairs.iter().zip(joined) {
        match (pair.is_same, joined) {
            (true, true) => right += 1,
            (false, true) => wrong += 1,
            (true, false) => missed += 1,
            (false, false) => {}
        }
        if pair.is_same != *joined {
            *faults.entry(pair.kind.clone()).or_default() += 1;
        }
    }
    let share = |part: u32, other: u32| f64::from(part) / f64::from((part + other).max(1));
    (share(right, wrong), share(right, missed), faults)
}

#[test]
fn people_of_labelled_pairs_are_distinguished() {
    let pairs = pairs();
    assert!(pairs.len() >= 300, "{} pairs", pairs.len());
    let joined: Vec<bool> = pairs.iter().map(|pair| is_joined(pair, false)).collect();
    let (precision, recall, faults) = figures(&pairs, &joined);
    println!("precision {precision:.4}, recall {recall:.4}, wrong: {faults:?}");
    assert!(precision >= PRECISION_MIN, "precision {precision:.4}: {faults:?}");
    assert!(recall >= RECALL_MIN, "recall {recall:.4}: {faults:?}");
    let turned: Vec<bool> = pairs.iter().map(|pair| is_joined(pair, true)).collect();
    assert_eq!(turned, joined, "the order of the files");
    // The control: a rule that joins whatever has the same name is not sure enough.
    let by_name: Vec<bool> = pairs.iter().map(|pair| pair.rows[0][0] == pair.rows[1][0]).collect();
    assert!(figures(&pairs, &by_name).0 < PRECISION_MIN);
}
