//! Removes drafts left by killed runs: files with people's data in the clear that nothing reads again.
//!
//! Promise: Drafts of killed runs are removed after a day, and nothing else.
//! Control: younger drafts, other names, folders.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::clock;
use crate::file_system::owner;
use crate::system;
use kith_tables::source::replaced::is_pending;

/// The age from which on a draft is no longer being written.
const DRAFT_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the drafts in `folder` that this user left there more than a day ago. Skips files that cannot be read or
/// removed: no run fails because of them.
pub(super) fn sweep(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if is_pending(folder) {
        return;
    }
    let user = system::user();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(".kith-") && name.ends_with(".tmp")) {
            continue;
        }
        let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
        let age = found.modified().ok().and_then(|at| clock::wall_time().duration_since(at).ok());
        if found.is_file() && owner(&found) == user && age.is_some_and(|age| age > DRAFT_AGE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes the drafts beside the file at `path`, like [`sweep`].
pub(super) fn sweep_beside(path: &Path) {
    sweep(path.parent().unwrap_or(Path::new(".")));
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn drafts_older_than_a_day_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, days: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(clock::wall_time() - DRAFT_AGE * days as u32).unwrap();
        };
        for (name, days) in [
            (".kith-old.tmp", 2),
            (".kith-new.tmp", 0),
            ("people.ndjson", 2),
            (".kith-x.db", 2),
            (".other.tmp", 2),
        ] {
            put(name, days);
        }
        fs::create_dir(folder.path().join(".kith-folder.tmp")).unwrap();
        sweep(folder.path());
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        left.sort_unstable();
        assert_eq!(left, [".kith-folder.tmp", ".kith-new.tmp", ".kith-x.db", ".other.tmp", "people.ndjson"]);
    }
}
