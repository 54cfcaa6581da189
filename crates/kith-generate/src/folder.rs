//! The folder for tables: never one with other content, unless requested.

use std::fs;
use std::io;
use std::path::Path;

/// The tables of one organization, in the order of writing.
pub const TABLES: [&str; 8] = [
    "companies",
    "people",
    "members",
    "advocates",
    "connections",
    "evidence",
    "intro_requests",
    "ghost_opportunities",
];

/// The treatment of a folder that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupied {
    /// Fails and changes nothing.
    Refuse,
    /// Removes the source tables in it, in every form, and keeps all other files.
    ReplaceTables,
}

/// Prepares `folder` for tables: afterwards it exists and contains none.
///
/// # Errors
/// Returns an error if the folder is not empty and `occupied` refuses that, or if the system refuses.
pub fn prepare(folder: &Path, occupied: Occupied) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| at_path(folder, &error))?;
    let entries = fs::read_dir(folder).map_err(|error| at_path(folder, &error))?;
    for entry in entries {
        let entry = entry?;
        if occupied == Occupied::Refuse {
            let text = format!("{} is not empty; name an empty folder, or use --force", folder.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
        }
        if entry.file_name().to_str().is_some_and(is_table) {
            fs::remove_file(entry.path()).map_err(|error| at_path(&entry.path(), &error))?;
        }
    }
    Ok(())
}

/// `error`, with the path it is about.
pub(crate) fn at_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Whether a file called `name` is read as a source table.
fn is_table(name: &str) -> bool {
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    let table = plain.strip_suffix(".ndjson").or_else(|| plain.strip_suffix(".csv"));
    plain == "organization.json" || table.is_some_and(|table| TABLES.contains(&table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_read_as_a_table_is_a_table() {
        for name in ["people.ndjson", "people.csv.zst", "connections.ndjson.gz", "organization.json"] {
            assert!(is_table(name), "{name}");
        }
        for name in ["people.json", "README.md", "people", "notes.ndjson", "people.ndjson.gz.bak"] {
            assert!(!is_table(name), "{name}");
        }
    }

    #[test]
    fn a_folder_that_holds_something_is_refused_unless_forced() -> io::Result<()> {
        let scratch = tempfile::tempdir()?;
        let folder = scratch.path().join("new/network");
        prepare(&folder, Occupied::Refuse)?;
        fs::write(folder.join("people.csv"), "")?;
        fs::write(folder.join("notes.txt"), "")?;
        let refused = prepare(&folder, Occupied::Refuse).map_err(|error| error.kind());
        assert_eq!(refused, Err(io::ErrorKind::AlreadyExists));
        assert!(folder.join("people.csv").exists());
        prepare(&folder, Occupied::ReplaceTables)?;
        assert_eq!((folder.join("people.csv").exists(), folder.join("notes.txt").exists()), (false, true));
        Ok(())
    }
}
