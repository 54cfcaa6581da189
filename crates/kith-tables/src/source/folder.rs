//! Finds the file of each table in a folder.

use std::io;
use std::path::{Path, PathBuf};

use crate::source::earlier::EarlierRow;
use crate::source::error::{Reason, SourceError, TableFault};
use crate::source::parquet_rows::row_of;

#[derive(Clone, Debug)]
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    /// The name of the table.
    pub(crate) table: &'static str,
    /// The name without the folder, for faults and warnings.
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) packing: Packing,
    /// The length on disk; of all parts together.
    pub(crate) bytes: u64,
    /// The files of a Parquet table, sorted by name; empty in other formats.
    pub(crate) parts: Vec<TablePart>,
}

/// One file of a Parquet table.
#[derive(Clone, Debug)]
pub(crate) struct TablePart {
    pub(crate) path: PathBuf,
    /// `people.parquet`, or `people/part-0.parquet` in a folder.
    pub(crate) name: String,
    /// The length on disk.
    pub(crate) bytes: u64,
}

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One JSON object.
    Json,
    /// One JSON object per line.
    Ndjson,
    /// RFC 4180 with a header.
    Csv,
    /// Parquet, in one file or in parts.
    Parquet,
}

/// The compression of a file.
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
    pub(crate) preferences: Option<TableFile>,
    pub(crate) affiliations: Option<TableFile>,
}

const PACKINGS: [(&str, Packing); 3] =
    [("", Packing::Plain), (".gz", Packing::Gzip), (".zst", Packing::Zstd)];
const ONE_OBJECT: [(&str, Format); 1] = [(".json", Format::Json)];
const ROWS: [(&str, Format); 3] =
    [(".ndjson", Format::Ndjson), (".csv", Format::Csv), (PARQUET, Format::Parquet)];
const PARQUET: &str = ".parquet";

impl Folder {
    /// Finds the files of the tables in `folder`.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read, a required table is missing, or a table has two files.
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
            preferences: find_table(folder, "preferences", &ROWS)?,
            affiliations: find_table(folder, "affiliations", &ROWS)?,
        })
    }

    /// All faults; [`Self::find`] returns the first of them.
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
            &self.preferences,
            &self.affiliations,
        ];
        needed.into_iter().chain(others.into_iter().flatten()).map(|file| file.bytes).sum()
    }
}

/// A table, the endings of its files, and whether it is required.
type KnownTable = (&'static str, &'static [(&'static str, Format)], bool);

const TABLES: [KnownTable; 12] = [
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
    ("preferences", &ROWS, false),
    ("affiliations", &ROWS, false),
];

/// The table in a file of this name, if any.
pub(crate) fn table_of(name: &str) -> Option<&'static str> {
    let of = |(table, formats, _): &KnownTable| {
        let rest = name.strip_prefix(table)?;
        let is_file = |(ending, format): &(&str, Format)| {
            let packing = rest.strip_prefix(ending);
            packing.is_some_and(|packing| packings(*format).iter().any(|(suffix, _)| *suffix == packing))
        };
        formats.iter().any(is_file).then_some(*table)
    };
    TABLES.iter().find_map(of)
}

/// The possible compressions of a file of the format `format`, by its ending.
fn packings(format: Format) -> &'static [(&'static str, Packing)] {
    if format == Format::Parquet { &PACKINGS[..1] } else { &PACKINGS }
}

/// The table in the folder `name` of `folder`, if any: a table in parts.
pub(crate) fn table_of_parts(folder: &Path, name: &str) -> Option<&'static str> {
    let (table, ..) = TABLES.iter().find(|(table, formats, _)| *table == name && formats.len() > 1)?;
    parts_of(folder, table).is_ok_and(|parts| !parts.is_empty()).then_some(*table)
}

/// Whether a file of this name in the folder of a table is one of its parts. Engines keep other files there.
pub(crate) fn is_part(name: &str) -> bool {
    name.ends_with(PARQUET) && !is_of_engine(name)
}

/// Whether a file of this name is one that engines keep beside the parts.
pub(crate) fn is_of_engine(name: &str) -> bool {
    name.starts_with(['.', '_'])
}

/// The parts of the table `table` in a folder of its name; empty if there are none.
fn parts_of(folder: &Path, table: &str) -> io::Result<Vec<TablePart>> {
    let inside = folder.join(table);
    if !inside.is_dir() {
        return Ok(Vec::new());
    }
    let mut parts = Vec::new();
    for entry in std::fs::read_dir(inside)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if is_part(&name) {
            let bytes = std::fs::metadata(&path)?.len();
            parts.push(TablePart { path, name: format!("{table}/{name}"), bytes });
        }
    }
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(parts)
}

/// A file name for each table.
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
        for &(suffix, packing) in packings(*format) {
            let name = format!("{table}{extension}{suffix}");
            let path = folder.join(&name);
            let bytes = match std::fs::metadata(&path) {
                Ok(file) => file.len(),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
                Err(cause) => return Err(TableFault::from(Reason::Unreadable(cause)).in_file(&name)),
            };
            if let Some(first) = found {
                return Err(TableFault::from(Reason::SecondFile(first.name)).in_file(&name));
            }
            let part = || TablePart { path: path.clone(), name: name.clone(), bytes };
            let parts = if *format == Format::Parquet { vec![part()] } else { Vec::new() };
            found = Some(TableFile { path, table, name, format: *format, packing, bytes, parts });
        }
    }
    if formats.len() == 1 {
        return Ok(found);
    }
    let name = format!("{table}/");
    let parts = parts_of(folder, table)
        .map_err(|cause| TableFault::from(Reason::Unreadable(cause)).in_file(&name))?;
    match found {
        found if parts.is_empty() => Ok(found),
        Some(first) => Err(TableFault::from(Reason::SecondFile(first.name)).in_file(&name)),
        None => {
            let (path, bytes) = (folder.join(table), parts.iter().map(|part| part.bytes).sum());
            let (format, packing) = (Format::Parquet, Packing::Plain);
            Ok(Some(TableFile { path, table, name, format, packing, bytes, parts }))
        }
    }
}

impl TableFile {
    /// The fault `fault` with the file it is in.
    pub(crate) fn place(&self, fault: TableFault) -> SourceError {
        if self.format != Format::Parquet {
            return fault.in_file(&self.name);
        }
        let part_name = |part: usize| self.parts.get(part).map_or(&self.name, |part| &part.name).clone();
        let (part, row) = row_of(fault.line.unwrap_or(0));
        let mut placed = fault.in_file(&part_name(part));
        placed.line = Some(row).filter(|&row| row > 0);
        if let Some(earlier) = placed.reason.earlier_row() {
            let (part, row) = row_of(earlier.row);
            *earlier = EarlierRow { row, part: Some(part_name(part)) };
        }
        placed
    }
}
