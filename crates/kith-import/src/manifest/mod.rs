//! Reads an import's plan from a manifest (`team.toml`) or from a command line.

pub mod answers;
pub mod colleagues;
pub mod fault;
pub mod overrides;

mod keys;
mod owned;
pub(crate) mod paths;
mod section;

use std::path::{Path, PathBuf};

use crate::manifest::fault::{ManifestError, ManifestFault};
use crate::manifest::owned::Owned;
pub use crate::manifest::owned::is_one_person;
use crate::manifest::paths::{add_files, expand, from_common_folder};
use crate::manifest::section::{Section, parse_toml, read_text};
use crate::plan::{ImportPlan, PlannedHolder};
use kith::model::dataset::Role;

/// Reads the manifest at `path`.
///
/// # Errors
/// Returns the first fault of the manifest. An unreadable file named in it is not an error: the plan records it, and
/// the import reports it.
pub fn read_manifest(path: &Path) -> Result<ImportPlan, ManifestError> {
    let fault = |fault| ManifestError { file: path.display().to_string(), fault };
    let table = parse_toml(&read_text(path).map_err(fault)?).map_err(fault)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    keys::plan_of(&Section::root(&table), folder).map_err(fault)
}

/// The place among the holders of `plan` of the one member whose name or address `text` is.
#[must_use]
pub fn member_named(plan: &ImportPlan, text: &str) -> Option<usize> {
    keys::member_named(plan, text, "").ok()
}

/// The first of `profiles` (each with its file) of another person than `me`, or than the first profile's.
fn another(me: &str, profiles: Vec<(String, String)>) -> Option<(String, String)> {
    let first = profiles.first()?.0.clone();
    profiles.into_iter().find(|(name, _)| !is_one_person(me, name) || !is_one_person(&first, name))
}

/// Plans an import of `files`, all of the member `me` of `organization`. The member has the addresses in `emails` and those in
/// the files.
///
/// # Errors
/// Returns an error if a file is named twice or by its profile another person's, a name is empty, or an address is invalid.
pub fn plan_of_files(
    organization: &str,
    me: &str,
    emails: &[String],
    files: &[PathBuf],
) -> Result<ImportPlan, ManifestError> {
    let fault = |fault| ManifestError { file: "the command line".to_owned(), fault };
    for (flag, name) in [("--org", organization), ("--me", me)] {
        if name.trim().is_empty() {
            return Err(fault(ManifestFault::MissingKey(flag.to_owned())));
        }
    }
    let unfit = || fault(ManifestFault::Unfit { place: "--email".to_owned(), expected: "an e-mail address" });
    let emails: Result<Vec<String>, _> =
        emails.iter().map(|email| keys::address(email).ok_or_else(unfit)).collect();
    let found: Vec<_> =
        files.iter().flat_map(|file| expand(Path::new(""), &file.to_string_lossy(), file)).collect();
    let Owned { profiles, emails: of_files } = Owned::of(&found);
    if let Some((owner, file)) = another(me, profiles) {
        return Err(ManifestError {
            file,
            fault: ManifestFault::OfAnother { owner, me: me.trim().to_owned() },
        });
    }
    let mut emails = emails?;
    emails.extend(of_files.into_iter().filter(|email| !emails.contains(email)).collect::<Vec<_>>());
    let mut plan = ImportPlan::named(organization);
    plan.holders.push(PlannedHolder::member(me.trim().to_owned(), emails, Role::Admin));
    add_files(&mut plan, found, Some(0)).map_err(fault)?;
    from_common_folder(&mut plan.files);
    Ok(plan)
}
