//! A person forgotten through `suppress add --tables` does not come back with an import of any subset of the files.
//!
//! Promise: A person forgotten through `suppress add --tables` and imported again from any subset of the files, over
//!   old tables or none, with `--keep` too, is in no table, report or note; nobody else is lost.
//! Control: entries by the handle alone bring them back.
//! Also in: `tests/process/forgetting.rs`.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::import::ImportCommand;
use crate::cli::suppress::{SuppressCommand, SuppressError};
use crate::model::time::Timestamp;

const NOW: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 0 };
const ORGANIZATION: &str = "org_acme";

/// The file and line of a row.
type Place = (String, u64);

#[derive(Parser)]
struct SuppressLine {
    #[command(subcommand)]
    command: SuppressCommand,
}

#[derive(Parser)]
struct ImportLine {
    #[command(flatten)]
    command: ImportCommand,
}

fn joins_companies(seed: u64) -> bool {
    seed % 2 == 1
}

/// Seeded random choices. The flag: whether companies may be joined by the domains of addresses.
struct Choices(u64, bool);

impl Choices {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

const GIVEN: [&str; 6] = ["Gus", "Augustus", "Zoë", "Bob", "Robert A.", "Wei"];
const FAMILY: [&str; 3] = ["Hart", "Müller", "Mueller"];
const COMPANIES: [&str; 5] = ["Hart Co", "HART", "Blue Ltd", "", "Blue Sky Ltd"];
const LOCALS: [&str; 5] = ["gus", "bob", "info", "z.müller", "wei"];
const DOMAINS: [&str; 3] = ["hart.example", "gmail.com", "bücher.example"];
const FILES: [&str; 4] = ["a.csv", "b.csv", "c.vcf", "d.csv"];

/// A name, a handle, addresses and a company, each with few values so that rows overlap, and most of them often
/// missing.
fn row(choices: &mut Choices) -> (String, String, Vec<String>, String) {
    let name = format!("{} {}", choices.of(&GIVEN), choices.of(&FAMILY));
    let handle = if choices.below(3) == 0 { format!("gus-{}", choices.below(4)) } else { String::new() };
    let emails = (0..choices.below(3)).filter(|_| choices.below(2) == 0).collect::<Vec<_>>();
    let emails = emails.iter().map(|_| format!("{}@{}", choices.of(&LOCALS), choices.of(&DOMAINS))).collect();
    // In every other trial, addresses at one domain may join two companies.
    let companies = &COMPANIES[..COMPANIES.len() - usize::from(!choices.1)];
    (name, handle, emails, choices.of(companies).to_owned())
}

fn file(choices: &mut Choices, name: &str) -> String {
    let rows: Vec<_> = (0..2 + choices.below(3)).map(|_| row(choices)).collect();
    let url = |handle: &str| match handle {
        "" => String::new(),
        handle => format!("https://www.linkedin.com/in/{handle}"),
    };
    if name.ends_with(".vcf") {
        let card = |(name, handle, emails, company): &(String, String, Vec<String>, String)| {
            let emails: String = emails.iter().map(|email| format!("EMAIL:{email}\n")).collect();
            let url = if handle.is_empty() { String::new() } else { format!("URL:{}\n", url(handle)) };
            format!("BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nORG:{company}\n{emails}{url}END:VCARD\n")
        };
        return rows.iter().map(card).collect();
    }
    let mut text = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n".to_owned();
    for (name, handle, emails, company) in rows {
        let (given, family) = name.rsplit_once(' ').unwrap_or((&name, ""));
        let email = emails.first().map_or("", String::as_str);
        text += &format!("{given},{family},{},{email},{company},Boss,01 Jan 2024\n", url(&handle));
    }
    text
}

struct Trial {
    folder: TempDir,
    seed: u64,
}

impl Trial {
    fn new(seed: u64) -> Self {
        let trial = Self { folder: tempfile::tempdir().unwrap(), seed };
        let mut choices = Choices(seed, joins_companies(seed));
        for name in FILES {
            fs::write(trial.path(name), file(&mut choices, name)).unwrap();
        }
        trial
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Imports the files whose bit is set in `files` into `tables`, with the list `list`. The manifest asks for an
    /// introduction to each of `intros`.
    fn import(
        &self,
        files: usize,
        tables: &str,
        list: Option<&str>,
        intros: &[String],
    ) -> Result<(), Box<dyn Error>> {
        self.import_with(files, tables, list, intros, &[])
    }

    fn import_with(
        &self,
        files: usize,
        tables: &str,
        list: Option<&str>,
        intros: &[String],
        further: &[&str],
    ) -> Result<(), Box<dyn Error>> {
        let named = |places: [usize; 2]| {
            let named = places.iter().filter(|place| files & 1 << **place != 0).map(|place| FILES[*place]);
            format!("{:?}", named.collect::<Vec<_>>())
        };
        let mut manifest = format!(
            "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.test\"\nfiles = {}\n\
             [[members]]\nname = \"Ben Okri\"\nemail = \"ben@acme.test\"\nfiles = {}\n",
            named([0, 1]),
            named([2, 3]),
        );
        for person in intros {
            manifest += &format!(
                "[[intros]]\nperson = {person:?}\nby = \"Ana Ruiz\"\nstatus = \"asked\"\nat = 2024-01-01\n"
            );
        }
        fs::write(self.path("team.toml"), manifest)?;
        let place = |name: &str| self.path(name).to_str().unwrap().to_owned();
        let mut args = vec!["import".to_owned(), place("team.toml"), "--tables".to_owned(), place(tables)];
        args.extend(["--report".to_owned(), place("report.json")]);
        args.extend(list.into_iter().flat_map(|list| ["--suppressions".to_owned(), place(list)]));
        args.extend(further.iter().map(|&argument| argument.to_owned()));
        let command = ImportLine::parse_from(args).command;
        let imported = command.import(command.plan()?)?;
        command.put(&imported)
    }

    /// Runs `kith suppress add` on `list` with `named`; returns its output and result.
    fn add(&self, list: &str, named: &[&str]) -> (String, Result<(), Box<dyn Error>>) {
        let list = self.path(list);
        let args = ["suppress", "add", "--suppressions", list.to_str().unwrap()];
        let mut out = Vec::new();
        let done = SuppressLine::parse_from([&args, named].concat()).command.execute(&mut out, NOW);
        (String::from_utf8(out).unwrap(), done)
    }

    fn identities(&self, tables: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(tables).join("identities.ndjson")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// All bytes of the tables and the report.
    fn text(&self, tables: &str) -> String {
        let files = fs::read_dir(self.path(tables)).unwrap().map(|entry| entry.unwrap().path());
        files.chain([self.path("report.json")]).map(|path| fs::read_to_string(path).unwrap()).collect()
    }
}

fn rows_of(identity: &Value) -> BTreeSet<Place> {
    let rows = identity["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["file"].as_str().unwrap().to_owned(), row["line"].as_u64().unwrap())).collect()
}

fn texts_of(identity: &Value, key: &str) -> BTreeSet<String> {
    identity[key].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The rows of `people`, and the handles and addresses that nobody else of `all` has.
fn of_people<'a>(all: &'a [Value], people: &[&Value]) -> (BTreeSet<Place>, BTreeSet<String>) {
    let is_theirs = |one: &&'a Value| people.iter().any(|person| person["id"] == one["id"]);
    let texts = |one: &Value| &texts_of(one, "handles") | &texts_of(one, "emails");
    let others: BTreeSet<String> = all.iter().filter(|one| !is_theirs(one)).flat_map(texts).collect();
    let own: BTreeSet<String> = all.iter().filter(is_theirs).flat_map(texts).collect();
    (people.iter().flat_map(|person| rows_of(person)).collect(), &own - &others)
}

/// Forgets people through `suppress add --tables`, including those it reports as indistinguishable from them; returns
/// the ids of all.
fn forget(trial: &Trial, list: &str, id: &str) -> BTreeSet<String> {
    let tables = trial.path("all");
    let mut ids = BTreeSet::from([id.to_owned()]);
    for _ in 0..FILES.len() {
        let named: Vec<&str> = ids.iter().flat_map(|id| ["--id", id.as_str()]).collect();
        let (out, done) =
            trial.add(list, &[&["--tables", tables.to_str().unwrap()], named.as_slice()].concat());
        let Err(error) = done else { return ids };
        assert!(matches!(error.downcast_ref(), Some(SuppressError::Indistinct { .. })), "{error}");
        ids.extend(out.split_whitespace().filter(|word| word.starts_with("person_")).map(str::to_owned));
    }
    panic!("nobody can be distinguished");
}

/// The remains of `rows` and `texts` in `tables`.
fn left(trial: &Trial, tables: &str, rows: &BTreeSet<Place>, texts: &BTreeSet<String>) -> Vec<String> {
    let kept: BTreeSet<Place> = trial.identities(tables).iter().flat_map(rows_of).collect();
    let said = trial.text(tables);
    let rows = kept.intersection(rows).map(|(file, line)| format!("{file}:{line}"));
    rows.chain(texts.iter().filter(|text| said.contains(text.as_str())).cloned()).collect()
}

/// People of an import without the list who have no row of `rows`, and are missing from the one with it.
fn lost(trial: &Trial, rows: &BTreeSet<Place>) -> Vec<String> {
    let kept: BTreeSet<Place> = trial.identities("with").iter().flat_map(rows_of).collect();
    let own = trial.identities("without").into_iter().map(|one| rows_of(&one));
    let strangers = own.filter(|own| own.is_disjoint(rows)).flatten();
    strangers.filter(|row| !kept.contains(row)).map(|(file, line)| format!("{file}:{line}")).collect()
}

/// The ids of people of the whole import who are missing from an import that keeps them, except the `forgotten`, and
/// those whom an import of the same files without the list joins with their `rows`.
fn not_kept(trial: &Trial, forgotten: &BTreeSet<String>, rows: &BTreeSet<Place>) -> Vec<String> {
    let today = trial.identities("without").into_iter().map(|one| rows_of(&one));
    let joined: BTreeSet<Place> = today.filter(|today| !today.is_disjoint(rows)).flatten().collect();
    let ids = |one: &Value| {
        let formerly = one["formerly"].as_array().into_iter().flatten();
        [&one["id"]].into_iter().chain(formerly).map(|id| id.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let here: BTreeSet<String> = trial.identities("with").iter().flat_map(ids).collect();
    let is_other = |one: &Value| !rows_of(one).is_empty() && rows_of(one).is_disjoint(&joined);
    let before = trial.identities("all").into_iter().filter(is_other);
    before.flat_map(|one| ids(&one)).filter(|id| !forgotten.contains(id) && !here.contains(id)).collect()
}

/// Imports `files` over previous tables, which know the forgotten people of `ids`: none of their data is there, and all
/// others are, if they are kept.
fn over_old_tables(
    trial: &Trial,
    files: usize,
    ids: &BTreeSet<String>,
    (rows, texts): &(&BTreeSet<Place>, &BTreeSet<String>),
    intros: &[String],
) {
    let put = || FILES.map(|name| fs::read_to_string(trial.path(name)).unwrap()).join("--\n");
    for keep in [&[][..], &["--keep"]] {
        fs::remove_dir_all(trial.path("with")).unwrap();
        copy(&trial.path("all"), &trial.path("with"));
        trial.import_with(files, "with", Some("list.txt"), intros, keep).unwrap();
        let left = left(trial, "with", rows, texts);
        assert_eq!(left, [""; 0], "files {files:b}, again {keep:?}\n{}\nforgotten {rows:?}", put());
    }
    if !joins_companies(trial.seed) {
        let gone = not_kept(trial, ids, rows);
        assert_eq!(gone, [""; 0], "files {files:b}: others are not kept\n{}\nforgotten {rows:?}", put());
    }
}

#[test]
fn a_person_forgotten_and_imported_again_from_any_subset_of_the_files_is_nowhere() {
    const TRIALS: u64 = 40;
    let all_files = (1 << FILES.len()) - 1;
    let (mut left_by_handle, mut subsets, mut rows_gone) = (0, 0, 0);
    for seed in (0..TRIALS - 2).chain([124, 128]) {
        let trial = Trial::new(seed);
        let put = || FILES.map(|name| fs::read_to_string(trial.path(name)).unwrap()).join("--\n");
        trial.import(all_files, "all", None, &[]).unwrap();
        let all = trial.identities("all");
        let people: Vec<&Value> = all.iter().filter(|one| !rows_of(one).is_empty()).collect();
        let one = people[Choices(seed, joins_companies(seed)).below(people.len() as u64) as usize];
        let ids = forget(&trial, "list.txt", one["id"].as_str().unwrap());
        let forgotten: Vec<&Value> =
            people.iter().copied().filter(|one| ids.contains(one["id"].as_str().unwrap())).collect();
        let (rows, texts) = of_people(&all, &forgotten);
        rows_gone += rows.len();
        let handles: BTreeSet<String> = forgotten.iter().flat_map(|one| texts_of(one, "handles")).collect();
        // The control: entries by handle alone, like in version 1 of lists.
        let by_handle: Vec<&str> =
            handles.iter().flat_map(|handle| ["--linkedin-id", handle.as_str()]).collect();
        if !by_handle.is_empty() {
            trial.add("handles.txt", &[&["--org", ORGANIZATION], by_handle.as_slice()].concat()).1.unwrap();
        }
        let intros: Vec<String> = handles
            .iter()
            .filter(|handle| texts.contains(*handle))
            .map(|handle| format!("https://www.linkedin.com/in/{handle}"))
            .collect();
        for files in 1..=all_files {
            subsets += 1;
            for (tables, list) in [("with", Some("list.txt")), ("without", None)] {
                fs::remove_dir_all(trial.path(tables)).ok();
                let _ = trial.import(files, tables, list, &intros);
                if tables == "with" {
                    assert_eq!(
                        left(&trial, tables, &rows, &texts),
                        [""; 0],
                        "seed {seed}, files {files:b}\n{}\nforgotten {rows:?}",
                        put()
                    );
                }
            }
            if !joins_companies(seed) {
                assert_eq!(
                    lost(&trial, &rows),
                    [""; 0],
                    "seed {seed}, files {files:b}: others are left out\n{}\nforgotten {rows:?}",
                    put()
                );
            }
            over_old_tables(&trial, files, &ids, &(&rows, &texts), &intros);
            if !by_handle.is_empty() {
                fs::remove_dir_all(trial.path("with")).unwrap();
                trial.import(files, "with", Some("handles.txt"), &[]).unwrap();
                left_by_handle += usize::from(!left(&trial, "with", &rows, &texts).is_empty());
            }
        }
    }
    println!(
        "{TRIALS} trials, {subsets} subsets, {rows_gone} rows of people forgotten; by handle alone {left_by_handle} subsets bring some back"
    );
    assert!(left_by_handle > 0, "the control brings nobody back");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_row_with_a_name_alone_is_forgotten_with_its_person_and_with_all_who_have_such_a_row() {
    const PHONES: &str = "First Name,Middle Name,Last Name,Organization Name,Organization Title,Labels,\
                          E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\n";
    const LINKEDIN: &str = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n";
    let trial = Trial { folder: tempfile::tempdir().unwrap(), seed: 0 };
    let put = |name: &str, text: &str| fs::write(trial.path(name), text).unwrap();
    put("b.csv", &format!("{PHONES}Gus,,Hart,,,* myContacts,,,Mobile,+46 70 123 45 67\n"));
    put(
        "c.vcf",
        "BEGIN:VCARD\nVERSION:3.0\nFN:Gus Hart\nEMAIL:gus@hart.example\nTEL:070-1234567\nEND:VCARD\n",
    );
    put("a.csv", &format!("{LINKEDIN}Gus,Hart,,,,Boss,01 Jan 2024\n"));
    let rows = |tables: &str| -> Vec<usize> {
        trial.identities(tables).iter().map(|one| rows_of(one).len()).filter(|rows| *rows > 0).collect()
    };
    trial.import(0b110, "all", None, &[]).unwrap();
    assert_eq!(rows("all"), [2], "one person by the phone number");
    let all = trial.identities("all");
    let id = all.iter().find(|one| !rows_of(one).is_empty()).unwrap()["id"].as_str().unwrap();
    assert_eq!(forget(&trial, "list.txt", id).len(), 1);
    let _ = trial.import(0b010, "with", Some("list.txt"), &[]);
    assert_eq!(rows("with"), [0; 0], "the row by itself");
    // The control: without the list it is there.
    trial.import(0b010, "without", None, &[]).unwrap();
    assert_eq!(rows("without"), [1]);
    // A third row, of which nothing is known but the name, could be either's.
    trial.import(0b111, "all", None, &[]).unwrap();
    assert_eq!(forget(&trial, "both.txt", id).len(), 2);
}
