//! Files that are not tables and fields that no table has, which a build ignores, each with a guess at its purpose.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::limits::SOURCE_FAULTS_MAX;
use crate::source::error::echo;
use crate::source::folder::{file_names, is_of_engine, is_part, table_of, table_of_parts};
use kith::model::nearest::nearest_of;

/// An ignored field that the table does not have. Displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// The name of the file.
    pub table: String,
    /// The name of the field; `paths.NAME` inside a path.
    pub field: String,
    /// The field of the table with a similar name.
    pub nearly: Option<&'static str>,
}

/// Files of a folder that are not tables, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredFiles {
    /// The first of them, up to [`SOURCE_FAULTS_MAX`].
    pub files: Vec<IgnoredFile>,
    /// The number of further ones.
    pub more: u64,
}

/// A file that is not a table. Displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredFile {
    /// Its name.
    pub name: String,
    /// Its likely kind.
    pub likeness: Likeness,
}

/// The likely kind of a file that is not a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// This table, which is missing in the folder.
    Table(String),
    /// An export of another program.
    Export(&'static str),
    /// Unknown.
    None,
}

/// Bytes examined per file: 16 KiB.
const HEAD_BYTES: u64 = 16 << 10;

/// Exports, with the texts that all occur near their beginning.
const EXPORTS: &[(&str, &[&str])] = &[
    ("LinkedIn's list of connections", &["First Name", "Last Name", "Connected On"]),
    ("LinkedIn's list of connections", &["Vorname", "Nachname", "Verbunden am"]),
    ("LinkedIn's messages", &["CONVERSATION ID", "SENDER PROFILE URL"]),
    ("LinkedIn's invitations", &["inviterProfileUrl", "Direction"]),
    ("an export of Google Contacts", &["E-mail 1 - Value"]),
    ("an export of Outlook's contacts", &["First Name", "E-mail Address", "E-mail 2 Address"]),
    ("an export of HubSpot's contacts", &["Record ID", "First Name", "Email"]),
    ("an export of Salesforce's contacts", &["AccountId", "LastName"]),
    ("a report of Salesforce's contacts", &["Account Name", "Last Name", "Email"]),
    ("a file of vCards", &["BEGIN:VCARD"]),
    ("a calendar", &["BEGIN:VCALENDAR"]),
];

impl IgnoredFiles {
    /// The files of `folder` that are not tables. Skips hidden files, READMEs, snapshots and the files that `kith
    /// import` keeps beside the tables, and folders unless they are named like a table.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed. A missing folder has no such files.
    pub(crate) fn among(folder: &Path) -> io::Result<Self> {
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            entries => entries?,
        };
        let names: BTreeSet<_> = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
        let of = |name: &str| table_of(name).or_else(|| table_of_parts(folder, name));
        let has = |table| names.iter().any(|name| of(&name.to_string_lossy()) == Some(table));
        let missing: Vec<(&'static str, String)> = file_names().filter(|(table, _)| !has(*table)).collect();
        let mut found = Self::default();
        for name in &names {
            let (path, name) = (folder.join(name), name.to_string_lossy());
            if table_of_parts(folder, &name).is_some() {
                found.add_strays(&path, &name)?;
                continue;
            }
            if table_of(&name).is_some() || belongs_beside(&name) {
                continue;
            }
            let meant = || nearest_of(stem(&name), missing.iter().map(|(table, _)| *table));
            if !path.is_file() && meant().is_none() {
                continue;
            }
            let table = || missing.iter().find(|(table, _)| Some(*table) == meant());
            let likeness = export(&path)
                .map(Likeness::Export)
                .or_else(|| table().map(|(_, file)| Likeness::Table(file.clone())))
                .unwrap_or(Likeness::None);
            found.push(&name, likeness);
        }
        Ok(found)
    }

    fn push(&mut self, name: &str, likeness: Likeness) {
        if self.files.len() == SOURCE_FAULTS_MAX {
            self.more += 1;
        } else {
            self.files.push(IgnoredFile { name: echo(name), likeness });
        }
    }

    /// Adds the files in the folder `path` of the table `table` that are not parts of it.
    fn add_strays(&mut self, path: &Path, table: &str) -> io::Result<()> {
        let names = std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name()));
        let names = names.collect::<io::Result<BTreeSet<_>>>()?;
        for name in names.iter().map(|name| name.to_string_lossy()) {
            if !is_part(&name) && !is_of_engine(&name) {
                self.push(&format!("{table}/{name}"), Likeness::None);
            }
        }
        Ok(())
    }

    /// Their number.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.files.len() as u64 + self.more
    }
}

/// Whether a file of this name belongs beside tables.
fn belongs_beside(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.starts_with('.')
        || lower.starts_with("readme")
        || lower.ends_with(".kith")
        || lower.ends_with(".kith.sqlite")
        || ["identities.ndjson", "derived.ndjson", "doubles.ndjson"].contains(&lower.as_str())
}

/// `name` up to its first dot.
fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The program that exported the file at `path`; `None` if it is unknown, or the file cannot be read.
fn export(path: &Path) -> Option<&'static str> {
    // Only regular files: reading another kind may never end.
    let file = path.is_file().then(|| File::open(path).ok())??;
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    if head.starts_with(b"PK\x03\x04") {
        let is_sheet = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"));
        return Some(if is_sheet { "an Excel workbook" } else { "a zip archive" });
    }
    // Removes the zeros of UTF-16; the texts to find are ASCII.
    head.retain(|byte| *byte != 0);
    let head = String::from_utf8_lossy(&head);
    EXPORTS.iter().find(|(_, marks)| marks.iter().all(|mark| head.contains(mark))).map(|(name, _)| *name)
}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: field {} is unknown and ignored", self.table, echo(&self.field))?;
        match self.nearly {
            Some(name) => write!(f, "; did you mean {name}?"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for IgnoredFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.likeness {
            Likeness::Table(file) => write!(f, "{name} is no table and ignored; did you mean {file}?"),
            Likeness::Export(export) => write!(
                f,
                "{name} is no table and ignored; it looks like {export}, of which source tables have to be made first"
            ),
            Likeness::None => write!(f, "{name} is no table and ignored"),
        }
    }
}
