//! `kith import`: from the exports of a team to tables, a snapshot and paths; its report, and its exit.

mod addressed;
mod aliases;
mod companies;
mod derived;
mod every_format;
mod keep;
mod one_person;
mod long_files;
mod messages;
mod observed;
mod refusals;
mod retain;
mod team;
mod together;
mod watching;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Ended, project, run};

/// The header of LinkedIn's connections.
const LINKEDIN: &str = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n";

/// A folder with exports, and where tables and a report go.
struct Bench {
    folder: TempDir,
}

impl Bench {
    /// A folder with `files`, each with its text.
    fn new(files: &[(&str, &str)]) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        files.iter().for_each(|(name, text)| bench.put(name, text));
        bench
    }

    /// A copy of the team of `fixtures/team`.
    fn team() -> Self {
        let bench = Self::new(&[]);
        copy(&project("fixtures/team"), &bench.path("")).unwrap();
        bench
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Imports the manifest into `tables`, with a report.
    fn import(&self, manifest: &str, tables: &str, more: &[&str]) -> Ended {
        let [manifest, tables, report] =
            [manifest, tables, "report.json"].map(|name| self.path(name).to_str().unwrap().to_owned());
        let args = [&["import", &manifest, "--tables", &tables, "--report", &report], more].concat();
        run(&args)
    }

    /// Imports one member's files into `tables`, with a report.
    fn import_mine(&self, files: &[&str], tables: &str) -> Ended {
        let files: Vec<String> =
            files.iter().map(|file| self.path(file).to_str().unwrap().to_owned()).collect();
        let [tables, report] =
            [tables, "report.json"].map(|name| self.path(name).to_str().unwrap().to_owned());
        let mut args =
            vec!["import", "--org", "Acme", "--me", "Ana Ruiz", "--tables", &tables, "--report", &report];
        args.extend(files.iter().map(String::as_str));
        run(&args)
    }

    fn report(&self) -> Value {
        serde_json::from_str(&self.text("report.json")).unwrap()
    }

    /// The rows of a table.
    fn table(&self, name: &str) -> Vec<Value> {
        self.text(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The names and ids of the people in `tables`.
    fn people(&self, tables: &str) -> BTreeMap<String, String> {
        let rows = self.table(&format!("{tables}/people.ndjson"));
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        rows.iter().map(|row| (text(row, "name"), text(row, "id"))).collect()
    }

    /// Every file in `tables` with its bytes.
    fn bytes(&self, tables: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(tables)).unwrap().map(Result::unwrap);
        let read = |entry: fs::DirEntry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())
        };
        entries.map(read).collect()
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?
        } else {
            fs::copy(entry.path(), target).map(|_| ())?
        }
    }
    Ok(())
}

/// The faults of the numbers of a report: in each file and in total, read = used + merged + skipped.
fn miscounts(report: &Value) -> Vec<String> {
    let number = |of: &Value, key: &str| of[key].as_u64().unwrap();
    let mut totals = BTreeMap::from([("read", 0), ("used", 0), ("merged", 0), ("skipped", 0)]);
    let mut faults = Vec::new();
    for file in report["files"].as_array().unwrap() {
        let skips = file["skips"].as_array().unwrap().len() as u64;
        let sum = number(file, "used") + number(file, "merged") + number(file, "skipped");
        if number(file, "read") != sum || number(file, "skipped") != skips {
            faults.push(file.to_string());
        }
        totals.iter_mut().for_each(|(key, total)| *total += number(file, key));
    }
    if totals.iter().any(|(key, total)| number(&report["totals"], key) != *total) {
        faults.push(format!("{} and not {totals:?}", report["totals"]));
    }
    faults
}
