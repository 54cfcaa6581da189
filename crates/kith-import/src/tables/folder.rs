//! A folder of tables that is replaced file by file, each whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

/// The tables that are written; all of them each time, so that none of last time is left.
pub(crate) const TABLES: [&str; 9] = [
    "organization.json",
    "companies.ndjson",
    "people.ndjson",
    "person_aliases.ndjson",
    "members.ndjson",
    "advocates.ndjson",
    "connections.ndjson",
    "intro_requests.ndjson",
    "evidence.ndjson",
];

/// The table of preferences.
pub(crate) const PREFERENCES: &str = "preferences.ndjson";

/// The pairs of people that were observed, beside the tables.
pub const DERIVED: &str = "derived.ndjson";

/// The people who may be one, beside the tables.
pub const DOUBLES: &str = "doubles.ndjson";

/// Tables that are written and not in their place yet.
#[derive(Debug)]
pub struct TableFolder {
    folder: PathBuf,
    written: Vec<(NamedTempFile, &'static str)>,
    gone: Vec<&'static str>,
}

/// One table that is being written.
pub(crate) struct NewTable {
    out: BufWriter<NamedTempFile>,
    name: &'static str,
}

impl TableFolder {
    /// The folder at `path`, made if there is none.
    ///
    /// # Errors
    /// Returns an error if it cannot be made.
    pub fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Self { folder: path.to_owned(), written: Vec::new(), gone: Vec::new() })
    }

    pub(crate) fn table(&self, name: &'static str) -> io::Result<NewTable> {
        let file = tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(&self.folder)?;
        Ok(NewTable { out: BufWriter::new(file), name })
    }

    pub(crate) fn add(&mut self, table: NewTable) -> io::Result<()> {
        let file = table.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        self.written.push((file, table.name));
        Ok(())
    }

    /// Takes the table `name` of last time away.
    pub(crate) fn take_away(&mut self, name: &'static str) {
        self.gone.push(name);
    }

    /// Puts all tables in their place.
    ///
    /// # Errors
    /// Returns an error if one cannot be put there; those before it are.
    pub fn put(self) -> io::Result<()> {
        for (file, name) in self.written {
            file.persist(self.folder.join(name)).map_err(|refused| refused.error)?;
        }
        for name in self.gone {
            match fs::remove_file(self.folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::File::open(&self.folder)?.sync_all()
    }
}

impl NewTable {
    pub(crate) fn row(&mut self, row: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, row)?;
        self.out.write_all(b"\n")
    }
}
