//! Source tables as text, read from a folder or written to it.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// Every table but the organization.
const TABLES: [&str; 9] = [
    "companies",
    "people",
    "members",
    "advocates",
    "connections",
    "intro_requests",
    "ghost_opportunities",
    "evidence",
    "person_aliases",
];

/// The files of one source folder: name, and text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// File names as in the folder (`people.ndjson`), never compressed ones, each with its text.
    pub(crate) files: Vec<(String, String)>,
}

impl Tables {
    /// Reads the NDJSON tables of a folder, plain or gzip. Other files are passed over.
    pub(crate) fn read(folder: &Path) -> Tables {
        let names = TABLES.iter().map(|table| format!("{table}.ndjson"));
        let names = names.chain(["organization.json".to_owned()]);
        let files =
            names.filter_map(|name| Some((name.clone(), read_plain_or_gzip(folder, &name)?))).collect();
        Tables { files }
    }

    /// Writes the files into a folder that exists.
    pub(crate) fn write(&self, folder: &Path) {
        for (name, text) in &self.files {
            fs::write(folder.join(name), text).unwrap();
        }
    }

    /// The lines of one table that hold something; none for a missing table.
    pub(crate) fn lines(&self, table: &str) -> Vec<&str> {
        let name = format!("{table}.ndjson");
        let text = self.files.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
        text.lines().filter(|line| !line.trim().is_empty()).collect()
    }

    /// The text of `organization.json`.
    pub(crate) fn organization(&self) -> &str {
        &self.files.iter().find(|(file, _)| file == "organization.json").unwrap().1
    }
}

fn read_plain_or_gzip(folder: &Path, name: &str) -> Option<String> {
    if let Ok(text) = fs::read_to_string(folder.join(name)) {
        return Some(text);
    }
    let packed = fs::read(folder.join(format!("{name}.gz"))).ok()?;
    let mut text = String::new();
    MultiGzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    Some(text)
}
