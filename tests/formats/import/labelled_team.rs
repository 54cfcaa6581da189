//! Identity: a whole team whose rows are labelled (`fixtures/identity/team`, 4,648 rows of 1,284 people, including 30
//! pairs of namesakes, written without knowledge of the rules).
//!
//! Promise: Of a labelled team no two people are joined by themselves, .83 of the pairs of rows that are one person's
//!   are, and .97 once the proposals are answered, one for four people.
//! Control: who answers every proposal with yes joins people who are two.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use kith_import::dates::CalendarDay;
use kith_import::imported::{ImportSettings, import};
use kith_import::manifest::overrides::Overrides;
use kith_import::manifest::read_manifest;
use kith_import::tables::folder::{DOUBLES, TableFolder};
use serde_json::Value;

const TEAM: &str = "fixtures/identity/team";

/// The lines of a table.
fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows with whose they are, and the entry that the import put each in.
struct Judged {
    rows: Vec<(String, String)>,
}

impl Judged {
    /// The precision and the recall of pairs of rows, where `entry` says which entries are one.
    fn figures(&self, entry: impl Fn(&str) -> String) -> (f64, f64) {
        let (mut truth, mut found, mut both) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (person, id) in &self.rows {
            let id = entry(id);
            *truth.entry(person).or_insert(0_u64) += 1;
            *found.entry(id.clone()).or_insert(0_u64) += 1;
            *both.entry((person, id)).or_insert(0_u64) += 1;
        }
        let pairs = |count: u64| count * (count - 1) / 2;
        let truth: u64 = truth.into_values().map(pairs).sum();
        let found: u64 = found.into_values().map(pairs).sum();
        let both: u64 = both.into_values().map(pairs).sum();
        (both as f64 / found as f64, both as f64 / truth as f64)
    }

    /// The person to whom most rows of an entry belong.
    fn person_of(&self) -> HashMap<&str, &str> {
        let mut counts: HashMap<(&str, &str), u32> = HashMap::new();
        for (person, id) in &self.rows {
            *counts.entry((id, person)).or_default() += 1;
        }
        let mut best: HashMap<&str, (u32, &str)> = HashMap::new();
        for ((id, person), count) in counts {
            let known = best.entry(id).or_insert((0, ""));
            *known = (*known).max((count, person));
        }
        best.into_iter().map(|(id, (_, person))| (id, person)).collect()
    }
}

/// The entry that stands for each after the pairs were joined.
fn joined<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> impl Fn(&str) -> String {
    let mut above: HashMap<String, String> = HashMap::new();
    let root = |above: &HashMap<String, String>, id: &str| {
        let mut at = id.to_owned();
        while let Some(next) = above.get(&at) {
            at.clone_from(next);
        }
        at
    };
    for (one, other) in pairs {
        let (one, other) = (root(&above, one), root(&above, other));
        if one != other {
            above.insert(one, other);
        }
    }
    move |id| root(&above, id)
}

#[test]
fn people_of_a_labelled_team_are_joined_and_never_two_who_are_apart() {
    let folder = tempfile::tempdir().unwrap();
    let plan = read_manifest(&Path::new(TEAM).join("team.toml")).unwrap();
    let settings = ImportSettings {
        today: CalendarDay { year: 2026, month: 11, day: 28 },
        tables: folder.path(),
        overrides: Overrides::default(),
        keep: false,
        is_forgotten: None,
    };
    let imported = import(plan, &settings).unwrap();
    let mut tables = TableFolder::open(folder.path()).unwrap();
    imported.write(&mut tables).unwrap();
    tables.put().unwrap();

    let text = |of: &Value| of.as_str().unwrap().to_owned();
    let mut entries: HashMap<(String, u64), String> = HashMap::new();
    for person in lines(&folder.path().join("identities.ndjson")) {
        for row in person["rows"].as_array().unwrap() {
            entries.insert((text(&row["file"]), row["line"].as_u64().unwrap()), text(&person["id"]));
        }
    }
    let truth = fs::read_to_string(Path::new(TEAM).join("truth.csv")).unwrap();
    let row = |line: &str| {
        let [file, line, person] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let entry = entries.get(&(file.to_owned(), line.parse().unwrap()))?;
        (person != "none").then(|| (person.to_owned(), entry.clone()))
    };
    let judged = Judged { rows: truth.lines().skip(1).filter_map(row).collect() };
    let person_of = judged.person_of();
    let doubles = lines(&folder.path().join(DOUBLES));
    let pairs = || doubles.iter().map(|pair| (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap()));
    let is_one = |(one, other): &(&str, &str)| {
        person_of.get(one).is_some_and(|person| person_of.get(other) == Some(person))
    };
    let alone = judged.figures(str::to_owned);
    let answered = judged.figures(joined(pairs().filter(is_one)));
    let all_yes = judged.figures(joined(pairs()));
    println!(
        "alone {alone:.4?}, answered {answered:.4?}, all yes {all_yes:.4?}, {} proposals",
        doubles.len()
    );
    assert!(judged.rows.len() > 4_500, "{}", judged.rows.len());
    assert!(alone.0 >= 0.9995 && alone.1 >= 0.83, "{alone:?}");
    assert!(answered.0 >= 0.9995 && answered.1 >= 0.97, "{answered:?}");
    let people: HashSet<&str> = person_of.into_values().collect();
    assert!(doubles.len() * 4 <= people.len(), "{} of {} people", doubles.len(), people.len());
    assert!(all_yes.0 < 0.9995, "the control: {all_yes:?}");
}
