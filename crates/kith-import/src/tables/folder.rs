//! A folder of tables that are replaced together, or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use tempfile::NamedTempFile;

use kith_tables::source::replaced::replace;

pub(crate) const ORGANIZATION: &str = "organization.json";
pub(crate) const COMPANIES: &str = "companies.ndjson";
pub(crate) const PEOPLE: &str = "people.ndjson";
pub(crate) const ALIASES: &str = "person_aliases.ndjson";
pub(crate) const MEMBERS: &str = "members.ndjson";
pub(crate) const ADVOCATES: &str = "advocates.ndjson";
pub(crate) const CONNECTIONS: &str = "connections.ndjson";
pub(crate) const INTRO_REQUESTS: &str = "intro_requests.ndjson";
pub(crate) const EVIDENCE: &str = "evidence.ndjson";

/// The tables to write: always all of them, so that no table of the last import is left.
pub(crate) const TABLES: [&str; 9] =
    [ORGANIZATION, COMPANIES, PEOPLE, ALIASES, MEMBERS, ADVOCATES, CONNECTIONS, INTRO_REQUESTS, EVIDENCE];

/// The table of preferences.
pub(crate) const PREFERENCES: &str = "preferences.ndjson";

/// The table of affiliations.
pub(crate) const AFFILIATIONS: &str = "affiliations.ndjson";

/// The observed pairs of people, in a file beside the tables.
pub const DERIVED: &str = "derived.ndjson";

/// The likely doubles, in a file beside the tables.
pub const DOUBLES: &str = "doubles.ndjson";

/// Lines of the last import, by table.
pub(crate) type KeptLines = BTreeMap<&'static str, Vec<String>>;

/// Tables that are written, by several threads, but not yet in place.
#[derive(Debug)]
pub struct TableFolder {
    folder: PathBuf,
    written: Mutex<Vec<(NamedTempFile, &'static str)>>,
    gone: Mutex<Vec<&'static str>>,
    kept: Arc<KeptLines>,
}

/// A table being written.
pub(crate) struct NewTable {
    out: BufWriter<NamedTempFile>,
    name: &'static str,
}

impl TableFolder {
    /// The folder at `path`, created if missing.
    ///
    /// # Errors
    /// Returns an error if it cannot be created.
    pub fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Self {
            folder: path.to_owned(),
            written: Mutex::default(),
            gone: Mutex::default(),
            kept: Arc::default(),
        })
    }

    pub(crate) fn table(&self, name: &'static str) -> io::Result<NewTable> {
        let file = tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(&self.folder)?;
        Ok(NewTable { out: BufWriter::new(file), name })
    }

    /// Appends `kept`, lines of the last import by table, to the tables to be written.
    pub(crate) fn keep(&mut self, kept: Arc<KeptLines>) {
        self.kept = kept;
    }

    pub(crate) fn add(&self, mut table: NewTable) -> io::Result<()> {
        for line in self.kept.get(table.name).into_iter().flatten() {
            writeln!(table.out, "{line}")?;
        }
        let file = table.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        self.written.lock().unwrap_or_else(PoisonError::into_inner).push((file, table.name));
        Ok(())
    }

    /// Removes the table `name` of the last import.
    pub(crate) fn take_away(&self, name: &'static str) {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner).push(name);
    }

    /// Puts all tables in place, together.
    ///
    /// # Errors
    /// Returns the errors of [`replace`].
    pub fn put(self) -> io::Result<()> {
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let gone = self.gone.into_inner().unwrap_or_else(PoisonError::into_inner);
        replace(&self.folder, written, &gone)
    }
}

impl NewTable {
    pub(crate) fn row(&mut self, row: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, row)?;
        self.out.write_all(b"\n")
    }
}
