//! Reads the tables of the last import, so that ids stay the same.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::identity::company_key::company_key;
use crate::identity::ids::{EarlierPerson, KnownBy};
use crate::tables::folder::{COMPANIES, MEMBERS, ORGANIZATION, TABLES};
use kith_tables::source::replaced::put_in_place;

/// The tables of the last import; empty if there was none.
#[derive(Debug, Default)]
pub(crate) struct EarlierTables {
    pub(crate) people: Vec<EarlierPerson>,
    /// The numbers of the names of files.
    pub(crate) files: HashMap<String, u32>,
    /// Ids of members by the id of their person.
    pub(crate) users: HashMap<String, String>,
    /// When members joined, by the id of their person.
    pub(crate) joined: HashMap<String, String>,
    /// Ids of companies by their keys.
    pub(crate) companies: HashMap<String, String>,
}

/// Why the tables of the last import cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EarlierFault {
    /// A table cannot be read.
    #[error("{path}: cannot be read: {cause}", path = .path.display())]
    Unreadable {
        /// The table.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A line differs from what an import writes.
    #[error(
        "{path} line {line}: not as an import writes it ({cause}); restore it, or import into another folder and lose \
         the ids that were given", path = .path.display()
    )]
    Broken {
        /// The table.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Why.
        cause: String,
    },
    /// The tables are another organization's.
    #[error(
        "{path}: the tables are those of {organization}, and {wanted} is to be imported; import it into another folder, or \
         write organization.id = \"{organization}\" in the team file", path = .path.display()
    )]
    OfAnother {
        /// The folder.
        path: PathBuf,
        /// The organization of the tables.
        organization: String,
        /// The organization to import.
        wanted: String,
    },
    /// The folder has tables that no import wrote.
    #[error(
        "{path}: the folder holds tables and no identities.ndjson, so no import wrote them; import into another folder",
        path = .path.display()
    )]
    Foreign {
        /// A table.
        path: PathBuf,
    },
}

/// One line of `identities.ndjson`.
#[derive(Debug, Deserialize, Serialize)]
pub struct IdentityLine {
    /// The id of the person.
    pub id: String,
    /// The rows of the imported files that the person comes from.
    pub rows: Vec<IdentityRow>,
    /// The handles of the person.
    #[serde(default)]
    pub handles: Vec<String>,
    /// The addresses of the person.
    #[serde(default)]
    pub emails: Vec<String>,
    /// Ids that the person had before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formerly: Vec<String>,
    /// Each name of the person with a company of theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(String, String)>,
    /// The names of the person's rows that have nothing else by which a person is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bare: Vec<String>,
    /// Whether an import kept the person although no file named them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
}

/// One row of a person.
#[derive(Debug, Deserialize, Serialize)]
pub struct IdentityRow {
    /// The file, as the team file names it.
    pub file: String,
    /// The row's first line, from 1.
    pub line: u64,
    /// The rule by which the row belongs to this person.
    pub rule: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MemberLine {
    user_id: String,
    person_id: String,
    joined_at: String,
}

#[derive(Deserialize)]
struct OrganizationLine {
    id: String,
}

#[derive(Deserialize)]
struct CompanyLine {
    id: String,
    name: String,
}

/// The name of the provenance.
pub const IDENTITIES: &str = "identities.ndjson";

impl EarlierTables {
    /// Reads the tables in `folder`, which must belong to `organization`.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, no import wrote them, or they are another organization's.
    pub(crate) fn read(folder: &Path, organization: &str) -> Result<Self, EarlierFault> {
        let mut tables = Self::default();
        let unreadable = |cause| EarlierFault::Unreadable { path: folder.to_owned(), cause };
        put_in_place(folder).map_err(unreadable)?;
        let identities = folder.join(IDENTITIES);
        if !identities.exists() {
            let foreign = TABLES.iter().map(|name| folder.join(name)).find(|path| path.exists());
            return foreign.map_or(Ok(tables), |path| Err(EarlierFault::Foreign { path }));
        }
        if let Some(of) = organization_of(folder)?.filter(|of| of != organization) {
            let (path, wanted) = (folder.to_owned(), organization.to_owned());
            return Err(EarlierFault::OfAnother { path, organization: of, wanted });
        }
        each_line(&identities, |line: IdentityLine| {
            let rows = line.rows.iter().map(|row| {
                let number = tables.files.len() as u32;
                let file = match tables.files.get(&row.file) {
                    Some(number) => *number,
                    None => *tables.files.entry(row.file.clone()).or_insert(number),
                };
                (file, row.line)
            });
            let rows = rows.collect();
            let handles = line.handles.iter().map(|handle| KnownBy::Handle(handle).key());
            let emails = line.emails.iter().map(|email| KnownBy::Address(email).key());
            let strong = handles.chain(emails).collect();
            let kept = line.kept;
            tables.people.push(EarlierPerson { id: line.id, rows, strong, formerly: line.formerly, kept });
        })?;
        let members = folder.join(MEMBERS);
        if members.exists() {
            each_line(&members, |line: MemberLine| {
                tables.joined.insert(line.person_id.clone(), line.joined_at);
                tables.users.insert(line.person_id, line.user_id);
            })?;
        }
        let companies = folder.join(COMPANIES);
        if companies.exists() {
            each_line(&companies, |line: CompanyLine| {
                tables.companies.insert(company_key(&line.name), line.id);
            })?;
        }
        Ok(tables)
    }
}

/// The id of the organization whose tables are in `folder`, if any.
///
/// # Errors
/// Returns an error if it cannot be read.
pub fn organization_of(folder: &Path) -> Result<Option<String>, EarlierFault> {
    let path = folder.join(ORGANIZATION);
    let mut id = None;
    if path.exists() {
        each_line(&path, |line: OrganizationLine| id = Some(line.id))?;
    }
    Ok(id)
}

/// Passes each line of the table at `path` to `take`.
///
/// # Errors
/// Returns an error if the file cannot be read, or a line is not JSON of that form.
pub fn each_line<T: DeserializeOwned>(path: &Path, mut take: impl FnMut(T)) -> Result<(), EarlierFault> {
    let unreadable = |cause| EarlierFault::Unreadable { path: path.to_owned(), cause };
    put_in_place(path.parent().unwrap_or(Path::new("."))).map_err(unreadable)?;
    let lines = BufReader::new(File::open(path).map_err(unreadable)?).lines();
    for (number, line) in lines.enumerate() {
        let line = line.map_err(unreadable)?;
        let parsed = serde_json::from_str(&line).map_err(|fault| EarlierFault::Broken {
            path: path.to_owned(),
            line: number as u64 + 1,
            cause: fault.to_string(),
        })?;
        take(parsed);
    }
    Ok(())
}
