//! Whole imports of random files: every row is used, merged or skipped, every kept row belongs to one person, two
//! handles are never one person, and neither the order nor the folder of files nor the day changes anything.
//!
//! Promise: An import counts each row once (read = used + merged + skipped), has every kept row in one person, never
//!   makes one person of two handles, and gives the same bytes in any order of files, place and year, and over its own
//!   tables.
//! Control: rows in another order are other bytes of provenance; another row is other people; a second handle by an
//!   override.
//! Also in: `tests/process/importing/team.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use kith_import::dates::CalendarDay;
use kith_import::imported::{ImportSettings, Imported, import};
use kith_import::manifest::overrides::Overrides;
use kith_import::manifest::read_manifest;
use kith_import::tables::folder::TableFolder;
use serde_json::Value;

/// Chooses by a seed; the same choices each time.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

const GIVEN: [&str; 8] = ["Ann", "Anne", "Bob", "Robert", "Zoë", "Wei", "", "Dr. Kim"];
const FAMILY: [&str; 6] = ["Lee", "Ray", "Müller", "Mueller", "", "O'Neill"];
const COMPANIES: [&str; 6] = ["Acme Inc.", "ACME", "Fox, Ltd", "", "Self-employed", "Kumo"];
const LOCALS: [&str; 6] = ["ann", "bob", "info", "lee", "zoe", "x"];
const DOMAINS: [&str; 3] = ["acme.example", "gmail.com", "fox.example"];
const DATES: [&str; 5] = ["12 Mar 2024", "3/4/2022", "01 Jan 2020", "01 Jan 2099", ""];

/// LinkedIn's connections with this many random rows of few values, so that rows coincide.
fn connections(choices: &mut Choices, rows: u64) -> String {
    let mut text = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n".to_owned();
    for _ in 0..rows {
        let url = match choices.below(3) {
            0 => format!("https://www.linkedin.com/in/{}-{}", choices.of(&LOCALS), choices.below(3)),
            _ => String::new(),
        };
        let email = match choices.below(3) {
            0 => format!("{}@{}", choices.of(&LOCALS), choices.of(&DOMAINS)),
            _ => String::new(),
        };
        let (given, family) = (choices.of(&GIVEN), choices.of(&FAMILY));
        let (company, date) = (choices.of(&COMPANIES), choices.of(&DATES));
        text.push_str(&format!("{given},{family},{url},{email},\"{company}\",Boss,{date}\n"));
    }
    text
}

const MEMBERS: [&str; 3] = ["Ana Ruiz", "Ben Okri", "Cleo Tan"];

/// Writes the files of three members to `folder`, members in the order `order`.
fn put(folder: &Path, files: &[String; 3], order: [usize; 3]) {
    let mut manifest = "[organization]\nname = \"Acme\"\n".to_owned();
    for member in order {
        let name = MEMBERS[member];
        manifest.push_str(&format!(
            "[[members]]\nname = \"{name}\"\nemail = \"member{member}@own.example\"\nfiles = [\"{member}.csv\"]\n"
        ));
        fs::write(folder.join(format!("{member}.csv")), &files[member]).unwrap();
    }
    fs::write(folder.join("team.toml"), manifest).unwrap();
}

fn import_from(folder: &Path, today: CalendarDay) -> Imported {
    let tables = folder.join("tables");
    let settings = ImportSettings {
        today,
        tables: &tables,
        overrides: Overrides::default(),
        keep: false,
        is_forgotten: None,
    };
    let imported = import(read_manifest(&folder.join("team.toml")).unwrap(), &settings).unwrap();
    let mut written = TableFolder::open(&tables).unwrap();
    imported.write(&mut written).unwrap();
    written.put().unwrap();
    imported
}

fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("tables")).unwrap().map(Result::unwrap);
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// The faults of an import into `folder`.
fn faults(folder: &Path, imported: &Imported) -> Vec<String> {
    let mut faults = Vec::new();
    let mut kept = 0;
    for file in imported.files() {
        let totals = file.totals();
        if totals.read != totals.used + totals.merged + totals.skipped {
            faults.push(format!("{}: {totals:?}", file.file));
        }
        kept += totals.used + totals.merged;
    }
    let text = fs::read_to_string(folder.join("tables/identities.ndjson")).unwrap();
    let mut places = BTreeSet::new();
    let mut rows = 0;
    for person in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if person["handles"].as_array().unwrap().len() > 1 {
            faults.push(format!("two handles: {person}"));
        }
        for row in person["rows"].as_array().unwrap() {
            rows += 1;
            places.insert(format!("{}:{}", row["file"], row["line"]));
        }
    }
    if (places.len() as u64, rows) != (kept, kept) {
        faults.push(format!("{} places of {rows} rows, and {kept} are kept", places.len()));
    }
    faults
}

#[test]
fn random_imports_count_every_row_once_and_depend_on_the_files_alone() {
    let today = CalendarDay { year: 2026, month: 5, day: 4 };
    let (mut two_in_one, mut merged) = (0, 0);
    for seed in 0..60 {
        let mut choices = Choices(seed);
        let files: [String; 3] = std::array::from_fn(|_| {
            let rows = choices.below(30) + 1;
            connections(&mut choices, rows)
        });
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        put(here.path(), &files, [0, 1, 2]);
        let imported = import_from(here.path(), today);
        assert_eq!(faults(here.path(), &imported), [""; 0], "seed {seed}");
        merged += imported.totals().merged;
        let first = bytes(here.path());
        import_from(here.path(), today);
        assert_eq!(bytes(here.path()), first, "seed {seed}: again over the tables of last time");
        put(there.path(), &files, [2, 0, 1]);
        import_from(there.path(), CalendarDay { year: 2027, ..today });
        let other = bytes(there.path());
        for (name, bytes) in &first {
            assert!(other.get(name) == Some(bytes), "seed {seed}: {name} in another order, place and year");
        }
        // The control: lines in another order are the same people, and other bytes of provenance.
        let turned = files.clone().map(|file| {
            let (header, rows) = file.split_once('\n').unwrap();
            let rows: Vec<&str> = rows.lines().rev().collect();
            format!("{header}\n{}\n", rows.join("\n"))
        });
        put(there.path(), &turned, [0, 1, 2]);
        fs::remove_dir_all(there.path().join("tables")).unwrap();
        let imported = import_from(there.path(), today);
        assert_eq!(
            imported.totals().read,
            imported.totals().used + imported.totals().merged + imported.totals().skipped
        );
        two_in_one += usize::from(bytes(there.path())["people.ndjson"].len() == first["people.ndjson"].len());
    }
    assert!(merged > 100 && two_in_one > 50, "{merged} merged, {two_in_one} imports with as much of people");
}
