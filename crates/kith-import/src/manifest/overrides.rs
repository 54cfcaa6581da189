//! Overrides: rows or people that are one person or two, whatever the rules say.

use std::path::Path;

use crate::manifest::fault::{ManifestError, ManifestFault};
use crate::manifest::section::{Section, parse_toml, read_text};

/// The contents of a file of overrides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Each entry is one person.
    pub same: Vec<Named>,
    /// The people of each entry are all different.
    pub apart: Vec<Named>,
    /// Ids of people between whom no edge may be derived.
    pub untied: Vec<Vec<String>>,
}

/// Rows, people, or both, in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The location of the entry, for messages.
    pub place: String,
    /// `FILE:LINE`.
    pub rows: Vec<(String, u64)>,
    /// `person_…`
    pub people: Vec<String>,
}

/// Reads the overrides in the file at `path`.
///
/// # Errors
/// Returns the first fault of the file.
pub fn read_overrides(path: &Path) -> Result<Overrides, ManifestError> {
    let overrides = read_text(path).and_then(|text| parse_overrides(&text));
    overrides.map_err(|fault| ManifestError { file: path.display().to_string(), fault })
}

/// Parses the overrides in `text`, TOML.
///
/// # Errors
/// Returns the first fault.
pub(crate) fn parse_overrides(text: &str) -> Result<Overrides, ManifestFault> {
    let table = parse_toml(text)?;
    let root = Section::root(&table);
    root.check(&["same", "apart", "untied"])?;
    let named = |key: &str| -> Result<Vec<Named>, ManifestFault> {
        root.sections(key)?.iter().map(named_in).collect()
    };
    let untied = root.sections("untied")?.iter().map(untied_in).collect::<Result<_, _>>()?;
    Ok(Overrides { same: named("same")?, apart: named("apart")?, untied })
}

fn untied_in(section: &Section<'_>) -> Result<Vec<String>, ManifestFault> {
    section.check(&["people"])?;
    let people = section.list("people")?;
    if people.len() < 2 || people.iter().any(|id| !id.starts_with("person_")) {
        return Err(ManifestFault::Unfit {
            place: section.place("people"),
            expected: "two ids or more that begin with person_",
        });
    }
    Ok(people)
}

fn named_in(section: &Section<'_>) -> Result<Named, ManifestFault> {
    section.check(&["rows", "people"])?;
    let unfit = |expected| ManifestFault::Unfit { place: section.place("rows"), expected };
    let mut rows = Vec::new();
    for row in section.list("rows")? {
        let (file, line) = row.rsplit_once(':').ok_or_else(|| unfit("rows such as \"FILE:LINE\""))?;
        let line = line.parse().map_err(|_| unfit("rows such as \"FILE:LINE\""))?;
        rows.push((file.to_owned(), line));
    }
    let people = section.list("people")?;
    if people.iter().any(|id| !id.starts_with("person_")) {
        return Err(ManifestFault::Unfit {
            place: section.place("people"),
            expected: "ids that begin with person_",
        });
    }
    if rows.len() + people.len() < 2 {
        return Err(unfit("two rows or people, or more"));
    }
    Ok(Named { place: section.place("rows"), rows, people })
}
