//! Whose exports some files are, by what LinkedIn writes of their owner: the profile, and the addresses beside it.

use crate::archive;
use crate::files::{FileRow, read_file};
use crate::identity::name::{PersonName, are_alike, compared};
use crate::limits::{IMPORT_ARCHIVE_BYTES_MAX, IMPORT_MANIFEST_BYTES_MAX};
use crate::manifest::paths::FoundFile;
use kith::regular_file;

/// The names of the two files, in lower case: only these are opened before the import.
const CALLED: [&str; 2] = ["profile.csv", "email addresses.csv"];

/// The owner's names and addresses, as their files state them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owned {
    /// The name in each profile, and the file that has it.
    pub(crate) profiles: Vec<(String, String)>,
    /// The addresses; the primary ones first.
    pub(crate) emails: Vec<String>,
}

impl Owned {
    /// Reads the owner from `files`. Skips unreadable files; the import reports them.
    pub(crate) fn of(files: &[FoundFile]) -> Self {
        let (mut profiles, mut addresses) = (Vec::new(), Vec::new());
        let mut take = |file: &str, bytes: &[u8]| {
            read_file(file, bytes, None, &mut |entry, _, row| match row {
                Ok(FileRow::Profile(profile)) if !profile.name.is_empty() => {
                    profiles.push((profile.name, entry.to_owned()));
                }
                Ok(FileRow::OwnAddress(address)) => addresses.push(address),
                _ => {}
            });
        };
        for file in files.iter().filter(|file| file.fault.is_none()) {
            let base = file.name.rsplit('/').next().unwrap_or_default().to_lowercase();
            let most = match base.as_str() {
                base if CALLED.contains(&base) => IMPORT_MANIFEST_BYTES_MAX,
                base if base.ends_with(".zip") => IMPORT_ARCHIVE_BYTES_MAX,
                _ => continue,
            };
            let Ok(read) = regular_file::read(&file.path, most) else { continue };
            if read.bytes.len() > most {
                continue;
            }
            if CALLED.contains(&base.as_str()) {
                take(&file.name, &read.bytes);
            } else {
                archive::entries_called(&read.bytes, &CALLED, IMPORT_MANIFEST_BYTES_MAX, |entry, bytes| {
                    take(&format!("{}!/{entry}", file.name), bytes);
                });
            }
        }
        addresses.sort_by_key(|address| !address.is_primary);
        let mut emails: Vec<String> = Vec::new();
        for address in addresses {
            if !emails.contains(&address.email) {
                emails.push(address.email);
            }
        }
        Self { profiles, emails }
    }
}

/// Whether two names may be one person's: titles, degrees, short forms, accents and word order are ignored, and a given name
/// alone fits all who have it.
#[must_use]
pub fn is_one_person(one: &str, other: &str) -> bool {
    let (first, second) = (PersonName::parse(one), PersonName::parse(other));
    let is_short = first.family.is_empty() || second.family.is_empty();
    are_alike(&first, &second)
        || first.words() == second.words()
        || is_short && first.compared_given() == second.compared_given()
        || compared(one) == compared(other)
}
