//! Which file of a folder holds which table.

use std::io;
use std::path::{Path, PathBuf};

use crate::source::error::{Reason, SourceError, TableFault};

/// The file of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    /// The name of the table.
    pub(crate) table: &'static str,
    /// Its name without the folder: what faults and warnings tell.
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) packing: Packing,
    /// Its length on disk.
    pub(crate) bytes: u64,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One JSON object.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// RFC 4180 with a header.
    Csv,
}

/// How the file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// The files of one organization.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) organization: TableFile,
    pub(crate) companies: Option<TableFile>,
    pub(crate) people: TableFile,
    pub(crate) members: TableFile,
    pub(crate) advocates: Option<TableFile>,
    pub(crate) connections: Option<TableFile>,
    pub(crate) intro_requests: Option<TableFile>,
    pub(crate) opportunities: Option<TableFile>,
    pub(crate) evidence: Option<TableFile>,
    pub(crate) person_aliases: Option<TableFile>,
}

const PACKINGS: [(&str, Packing); 3] =
    [("", Packing::Plain), (".gz", Packing::Gzip), (".zst", Packing::Zstd)];
const ONE_OBJECT: [(&str, Format); 1] = [(".json", Format::Json)];
const ROWS: [(&str, Format); 2] = [(".ndjson", Format::Ndjson), (".csv", Format::Csv)];

impl Folder {
    /// The files of the tables in `folder`.
    ///
    /// # Errors
    /// Where the folder cannot be read, a table that must be there is not, or one has two files.
    pub(crate) fn find(folder: &Path) -> Result<Self, SourceError> {
        std::fs::read_dir(folder).map_err(|cause| {
            TableFault::from(Reason::Unreadable(cause)).in_file(&folder.display().to_string())
        })?;
        Ok(Self {
            organization: find_needed(folder, "organization", &ONE_OBJECT)?,
            companies: find_table(folder, "companies", &ROWS)?,
            people: find_needed(folder, "people", &ROWS)?,
            members: find_needed(folder, "members", &ROWS)?,
            advocates: find_table(folder, "advocates", &ROWS)?,
            connections: find_table(folder, "connections", &ROWS)?,
            intro_requests: find_table(folder, "intro_requests", &ROWS)?,
            opportunities: find_table(folder, "ghost_opportunities", &ROWS)?,
            evidence: find_table(folder, "evidence", &ROWS)?,
            person_aliases: find_table(folder, "person_aliases", &ROWS)?,
        })
    }

    /// Every fault of the kind that [`Self::find`] returns the first of.
    pub(crate) fn faults(folder: &Path) -> Vec<SourceError> {
        let found = TABLES.map(|(table, formats, is_needed)| match is_needed {
            true => find_needed(folder, table, formats).err(),
            false => find_table(folder, table, formats).err(),
        });
        found.into_iter().flatten().collect()
    }

    /// The length of all files together.
    pub(crate) fn bytes(&self) -> u64 {
        let needed = [&self.organization, &self.people, &self.members];
        let others = [
            &self.companies,
            &self.advocates,
            &self.connections,
            &self.intro_requests,
            &self.opportunities,
            &self.evidence,
            &self.person_aliases,
        ];
        needed.into_iter().chain(others.into_iter().flatten()).map(|file| file.bytes).sum()
    }
}

/// A table, the endings of its files, and whether it must be there.
type KnownTable = (&'static str, &'static [(&'static str, Format)], bool);

const TABLES: [KnownTable; 10] = [
    ("organization", &ONE_OBJECT, true),
    ("companies", &ROWS, false),
    ("people", &ROWS, true),
    ("members", &ROWS, true),
    ("advocates", &ROWS, false),
    ("connections", &ROWS, false),
    ("intro_requests", &ROWS, false),
    ("ghost_opportunities", &ROWS, false),
    ("evidence", &ROWS, false),
    ("person_aliases", &ROWS, false),
];

/// Which table a file of this name holds.
pub(crate) fn table_of(name: &str) -> Option<&'static str> {
    let name = PACKINGS.iter().rev().find_map(|(suffix, _)| name.strip_suffix(suffix)).unwrap_or(name);
    let of = |(table, formats, _): &KnownTable| {
        let is_file = formats.iter().any(|(ending, _)| name.strip_suffix(ending) == Some(*table));
        is_file.then_some(*table)
    };
    TABLES.iter().find_map(of)
}

/// The name of a file for each table.
pub(crate) fn file_names() -> impl Iterator<Item = (&'static str, String)> {
    TABLES.iter().map(|(table, formats, _)| {
        (*table, format!("{table}{}", formats.first().map_or("", |(ending, _)| ending)))
    })
}

fn find_needed(
    folder: &Path,
    table: &'static str,
    formats: &[(&str, Format)],
) -> Result<TableFile, SourceError> {
    find_table(folder, table, formats)?.ok_or_else(|| {
        let extension = formats.first().map_or("", |(extension, _)| extension);
        TableFault::from(Reason::NoTable).in_file(&format!("{table}{extension}"))
    })
}

fn find_table(
    folder: &Path,
    table: &'static str,
    formats: &[(&str, Format)],
) -> Result<Option<TableFile>, SourceError> {
    let mut found: Option<TableFile> = None;
    for (extension, format) in formats {
        for (suffix, packing) in PACKINGS {
            let name = format!("{table}{extension}{suffix}");
            let path = folder.join(&name);
            let bytes = match std::fs::metadata(&path) {
                Ok(told) => told.len(),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
                Err(cause) => return Err(TableFault::from(Reason::Unreadable(cause)).in_file(&name)),
            };
            if let Some(first) = found {
                return Err(TableFault::from(Reason::SecondFile(first.name)).in_file(&name));
            }
            found = Some(TableFile { path, table, name, format: *format, packing, bytes });
        }
    }
    Ok(found)
}
