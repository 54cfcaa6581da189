//! Replaces tables of a folder together: an interrupted run leaves either the old ones or the new ones.
//!
//! New tables are written beside the old ones under other names, then a list of them. Once the list exists, the next
//! reader of the folder renames them.
//!
//! Promise: Tables that are replaced together are the old or the new ones for the next reader, wherever the run is cut
//!   short.
//! Control: renamed one after the other, some are old and some are new.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use kith::file_system;
use tempfile::NamedTempFile;

/// The list of tables to rename.
const LIST: &str = ".kith-next";
/// The prefix and the suffix of a new table's name until then.
const NEXT: (&str, &str) = (".kith-next-", ".tmp");

fn next(name: &str) -> String {
    format!("{}{name}{}", NEXT.0, NEXT.1)
}

/// Whether tables of `folder` wait to be renamed, so that drafts there must be kept.
#[must_use]
pub fn is_pending(folder: &Path) -> bool {
    folder.join(LIST).exists()
}

/// Replaces the tables of `folder` that `written` names, and removes those named in `gone`.
///
/// # Errors
/// Returns an error if the system refuses a step. Then the next reader finds the old tables, or completes the change.
pub fn replace(folder: &Path, written: Vec<(NamedTempFile, &str)>, gone: &[&str]) -> io::Result<()> {
    put_in_place(folder)?;
    let mut list = String::new();
    for (file, name) in written {
        file_system::put_in_place(file.into_temp_path(), &folder.join(next(name)))?;
        list.push_str(&format!("{name}\n"));
    }
    for name in gone {
        list.push_str(&format!("-{name}\n"));
    }
    let mut draft = tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(folder)?;
    draft.write_all(list.as_bytes())?;
    draft.as_file().sync_all()?;
    file_system::sync_folder(folder)?;
    file_system::put_in_place(draft.into_temp_path(), &folder.join(LIST))?;
    file_system::sync_folder(folder)?;
    put_in_place(folder)
}

/// Completes an interrupted run: renames the new tables of `folder` if their list exists. Otherwise does nothing.
///
/// # Errors
/// Returns an error if the system refuses a step.
pub fn put_in_place(folder: &Path) -> io::Result<()> {
    let list = match fs::read_to_string(folder.join(LIST)) {
        Ok(list) => list,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => return Err(error),
    };
    // Another reader may be doing the same.
    let unless_done = |done: io::Result<()>| match done {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    for line in list.lines() {
        let name = line.strip_prefix('-').unwrap_or(line);
        if Path::new(name).file_name() != Some(name.as_ref()) {
            // The folder may be untrusted.
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("{LIST} names no table of the folder"),
            ));
        }
        unless_done(match line.strip_prefix('-') {
            Some(gone) => fs::remove_file(folder.join(gone)),
            None => fs::rename(folder.join(next(line)), folder.join(line)),
        })?;
    }
    file_system::sync_folder(folder)?;
    unless_done(fs::remove_file(folder.join(LIST)))?;
    file_system::sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(folder: &Path, text: &str) -> NamedTempFile {
        let mut file = NamedTempFile::new_in(folder).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    /// Every file of `folder` with its text.
    fn texts(folder: &Path) -> Vec<(String, String)> {
        let read = |path: std::path::PathBuf| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        };
        let mut all: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap().path())).collect();
        all.sort();
        all
    }

    fn names(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn tables_are_replaced_and_those_that_are_gone_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c", "other"] {
            fs::write(folder.path().join(name), "old").unwrap();
        }
        let written = vec![(draft(folder.path(), "new"), "a"), (draft(folder.path(), "new"), "d")];
        replace(folder.path(), written, &["b", "nothing"]).unwrap();
        assert_eq!(
            texts(folder.path()),
            names(&[("a", "new"), ("c", "old"), ("d", "new"), ("other", "old")])
        );
    }

    /// The folder after a run that stops after a number of the renames, or before the list.
    #[test]
    fn a_run_that_is_cut_short_leaves_the_old_tables_or_the_next_reader_puts_the_new_ones() {
        for renamed in 0..=3 {
            let folder = tempfile::tempdir().unwrap();
            for name in ["a", "b", "gone"] {
                fs::write(folder.path().join(name), "old").unwrap();
                fs::write(folder.path().join(next(name)), "new").unwrap();
            }
            fs::remove_file(folder.path().join(next("gone"))).unwrap();
            put_in_place(folder.path()).unwrap();
            let before = texts(folder.path());
            assert!(before.iter().filter(|(name, _)| !name.starts_with('.')).all(|(_, text)| text == "old"));
            fs::write(folder.path().join(LIST), "a\nb\n-gone\n").unwrap();
            for name in ["a", "b"].iter().take(renamed) {
                fs::rename(folder.path().join(next(name)), folder.path().join(name)).unwrap();
            }
            if renamed == 3 {
                fs::remove_file(folder.path().join("gone")).unwrap();
            }
            assert!(is_pending(folder.path()));
            if renamed == 1 {
                // The control: without a reader the tables are from two runs.
                let mixed = texts(folder.path());
                assert!(
                    mixed.contains(&("a".into(), "new".into()))
                        && mixed.contains(&("b".into(), "old".into()))
                );
            }
            put_in_place(folder.path()).unwrap();
            assert_eq!(texts(folder.path()), names(&[("a", "new"), ("b", "new")]), "{renamed}");
        }
    }

    #[test]
    fn drafts_of_a_run_that_came_to_no_list_are_replaced_by_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(next("a")), "of a killed run").unwrap();
        replace(folder.path(), vec![(draft(folder.path(), "new"), "a")], &[]).unwrap();
        assert_eq!(texts(folder.path()), names(&[("a", "new")]));
        assert!(
            put_in_place(&folder.path().join("a")).is_ok()
                && put_in_place(Path::new("/nowhere/at all")).is_ok()
        );
    }

    #[test]
    fn a_list_that_names_a_file_elsewhere_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("tables");
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path().join("mine"), "precious").unwrap();
        for list in ["-../mine\n", "../mine\n", "-/etc/none\n", "-..\n", "\n"] {
            fs::write(inner.join(LIST), list).unwrap();
            assert!(put_in_place(&inner).is_err(), "{list:?}");
        }
        assert_eq!(fs::read_to_string(folder.path().join("mine")).unwrap(), "precious");
    }
}
