//! Resolves overrides to rows, by file and line or by the id of their person.

use std::collections::{HashMap, HashSet};

use crate::gather::Gathered;
use crate::identity::ids::{EarlierPerson, PersonKey, key_of};
use crate::identity::rules::ResolvedOverrides;
use crate::known_by::known_by;
use crate::manifest::overrides::{Named, Overrides};
use crate::note::ImportNote;
use crate::tables::earlier::EarlierTables;

/// Overrides as rows, with notes.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) rows: ResolvedOverrides,
    pub(crate) overridden: HashSet<u32>,
    pub(crate) notes: Vec<ImportNote>,
}

/// Resolves `overrides` to rows. An entry without a row gets a note.
pub(crate) fn resolve(overrides: &Overrides, gathered: &Gathered, earlier: &EarlierTables) -> Resolved {
    let mut resolved = Resolved::default();
    if overrides.same.is_empty() && overrides.apart.is_empty() {
        return resolved;
    }
    let finder = RowFinder::new(overrides, gathered, earlier);
    for named in &overrides.same {
        let rows: Vec<u32> = finder.each(named, &mut resolved.notes).into_iter().flatten().collect();
        resolved.overridden.extend(&rows);
        resolved.rows.same.push(rows);
    }
    for named in &overrides.apart {
        let mut taken = HashSet::new();
        let people = finder.each(named, &mut resolved.notes).into_iter();
        // A row named twice belongs to the first person: it cannot be apart from itself.
        let people = people.map(|rows| rows.into_iter().filter(|row| taken.insert(*row)).collect()).collect();
        resolved.rows.apart.push(people);
    }
    resolved
}

struct RowFinder<'a> {
    gathered: &'a Gathered,
    earlier: &'a EarlierTables,
    by_place: HashMap<(&'a str, u64), u32>,
    by_key: HashMap<PersonKey, Vec<u32>>,
}

impl<'a> RowFinder<'a> {
    fn new(overrides: &Overrides, gathered: &'a Gathered, earlier: &'a EarlierTables) -> Self {
        let mut by_place = HashMap::new();
        let mut by_key: HashMap<PersonKey, Vec<u32>> = HashMap::new();
        let is_by_person =
            overrides.same.iter().chain(&overrides.apart).any(|named| !named.people.is_empty());
        let none = HashSet::new();
        for (row, of) in gathered.rows.iter().enumerate() {
            let row = row as u32;
            if of.is_of_file() {
                let file = &gathered.outcomes[of.file as usize];
                by_place.insert((file.stored.as_str(), of.line), row);
                by_place.insert((file.file.as_str(), of.line), row);
            }
            if is_by_person {
                for key in known_by(gathered, &[row], &none).keys {
                    by_key.entry(key).or_default().push(row);
                }
            }
        }
        Self { gathered, earlier, by_place, by_key }
    }

    /// The rows of each row and person in `named`.
    fn each(&self, named: &Named, notes: &mut Vec<ImportNote>) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        for (file, line) in &named.rows {
            match self.by_place.get(&(file.as_str(), *line)) {
                Some(row) => found.push(vec![*row]),
                None => notes.push(ImportNote::sentence(format!(
                    "{}: {file}:{line} is no row of a person",
                    named.place
                ))),
            }
        }
        for id in &named.people {
            let rows = self.rows_of(id);
            if rows.is_empty() {
                notes.push(ImportNote::sentence(format!("{}: no row is of {id}", named.place)));
            } else {
                found.push(rows);
            }
        }
        found
    }

    /// The rows of the person who has, or had, the id `id`.
    fn rows_of(&self, id: &str) -> Vec<u32> {
        let by_key = |key: &PersonKey| self.by_key.get(key).into_iter().flatten().copied();
        let mut rows: Vec<u32> = key_of(id).iter().flat_map(by_key).collect();
        if rows.is_empty() {
            let had = |earlier: &&EarlierPerson| {
                earlier.id == id || earlier.formerly.iter().any(|formerly| formerly == id)
            };
            for earlier in self.earlier.people.iter().filter(had) {
                rows.extend(earlier.strong.iter().flat_map(by_key));
                if earlier.strong.is_empty() {
                    rows.extend(
                        earlier.rows.iter().filter_map(|(file, line)| self.earlier_row(*file, *line)),
                    );
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn earlier_row(&self, file: u32, line: u64) -> Option<u32> {
        let (name, _) = self.earlier.files.iter().find(|(_, number)| **number == file)?;
        self.by_place
            .get(&(name.as_str(), line))
            .copied()
            .filter(|row| (*row as usize) < self.gathered.rows.len())
    }
}
