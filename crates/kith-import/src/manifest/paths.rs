//! Finds the files that a manifest names: one by one, as a folder, or by a pattern.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf, is_separator};

use crate::limits::{IMPORT_FILES_MAX, IMPORT_FOLDER_DEPTH_MAX};
use crate::manifest::fault::ManifestFault;
use crate::messages::{MaildirPart, MessageFolder, is_maildir, part_of_maildir, pattern_of};
use crate::plan::{ImportPlan, PlannedFile};

/// A file that was found, or a named one that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    pub(crate) path: PathBuf,
    /// Its name in reports.
    pub(crate) name: String,
    /// Why it cannot be read.
    pub(crate) fault: Option<String>,
}

/// The fault of a folder or a pattern with more than [`IMPORT_FILES_MAX`] files.
const TOO_MANY: &str =
    "stands for more than 10,000 files, of which the first were read; name its folders one by one";
const _: () = assert!(IMPORT_FILES_MAX == 10_000);

/// The files for `given`, in byte order: `named` itself, the files of the folder `named` and its subfolders, or those
/// matching the pattern (`*` and `?`, within a part of the path). Hidden files are skipped. A symbolic link is followed
/// only if it is named itself. The messages of one folder are one file, see [`MessageFolder`].
pub(crate) fn expand(base: &Path, given: &str, named: &Path) -> Vec<FoundFile> {
    let mut found = Vec::new();
    if named.is_dir() {
        walk(named, given.trim_end_matches(is_separator), 0, &mut found);
        if found.is_empty() {
            found.push(unreadable(named, given, "the folder holds no file"));
        }
    } else if fs::symlink_metadata(named).is_ok() || !given.contains(['*', '?']) {
        found.push(FoundFile { path: named.to_owned(), name: given.to_owned(), fault: None });
    } else {
        let (start, name, parts) = pattern_parts(base, given);
        fit(&start, name, &parts, &mut found);
        if found.is_empty() {
            found.push(unreadable(named, given, "no file fits this pattern"));
        }
    }
    if found.len() > IMPORT_FILES_MAX {
        found.truncate(IMPORT_FILES_MAX);
        found.push(unreadable(named, given, TOO_MANY));
    }
    found
}

/// The folder in which a pattern begins, its name, and the parts of the pattern below it.
fn pattern_parts<'a>(base: &Path, given: &'a str) -> (PathBuf, &'a str, Vec<&'a str>) {
    let mut parts: Vec<&str> = given.split(is_separator).collect();
    if cfg!(windows) && parts[0].ends_with(':') && Path::new(given).is_absolute() {
        let drive = parts.remove(0);
        return (PathBuf::from(format!("{drive}\\")), drive, parts);
    }
    (if given.starts_with(is_separator) { "/".into() } else { base.to_owned() }, "", parts)
}

fn unreadable(path: &Path, name: &str, fault: &str) -> FoundFile {
    FoundFile { path: path.to_owned(), name: name.to_owned(), fault: Some(fault.to_owned()) }
}

/// The visible entries of `folder`, in byte order of their names.
fn entries(folder: &Path) -> Vec<(String, PathBuf, fs::FileType)> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            Some((name, entry.path(), entry.file_type().ok()?))
        })
        .filter(|(name, path, _)| !name.starts_with('.') || is_maildir(path))
        .collect();
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    entries
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{}/{name}", folder.trim_end_matches('/')) }
}

fn walk(folder: &Path, name: &str, depth: usize, found: &mut Vec<FoundFile>) {
    let messages =
        |pattern: &str| FoundFile { path: folder.join(pattern), name: joined(name, pattern), fault: None };
    match part_of_maildir(folder) {
        Some(MaildirPart::Messages) if entries(folder).is_empty() => return,
        Some(MaildirPart::Messages) => return found.push(messages("*")),
        Some(MaildirPart::Unfinished) => return,
        None => {}
    }
    let mut patterns = HashSet::new();
    for (entry, path, kind) in entries(folder) {
        // One more, so that an excess is noticed.
        if found.len() > IMPORT_FILES_MAX {
            return;
        }
        let name = joined(name, &entry);
        if kind.is_symlink() {
            found.push(unreadable(
                &path,
                &name,
                "a symbolic link, which is followed only if it is named itself",
            ));
        } else if let Some(pattern) = pattern_of(&path).filter(|_| kind.is_file()) {
            if patterns.insert(pattern.clone()) {
                found.push(messages(&pattern));
            }
        } else if !kind.is_dir() {
            found.push(FoundFile { path, name, fault: None });
        } else if depth < IMPORT_FOLDER_DEPTH_MAX {
            walk(&path, &name, depth + 1, found);
        } else {
            found.push(unreadable(&path, &name, "a folder too deep below the one that was named"));
        }
    }
}

/// Appends the files below `folder` whose paths match the `parts` of a pattern.
fn fit(folder: &Path, name: &str, parts: &[&str], found: &mut Vec<FoundFile>) {
    let Some((part, behind)) = parts.split_first() else { return };
    if part.is_empty() || *part == "." || *part == ".." {
        let name = if part.is_empty() { "/".to_owned() } else { joined(name, part) };
        return fit(&folder.join(part), &name, behind, found);
    }
    for (entry, path, kind) in entries(folder) {
        if found.len() > IMPORT_FILES_MAX || !fits(part, &entry) {
            continue;
        }
        let name = joined(name, &entry);
        match (behind.is_empty(), kind.is_symlink()) {
            (_, true) => {
                found.push(unreadable(
                    &path,
                    &name,
                    "a symbolic link, which is followed only if it is named itself",
                ));
            }
            (true, _) if kind.is_dir() => walk(&path, &name, 0, found),
            (true, _) => found.push(FoundFile { path, name, fault: None }),
            (false, _) if kind.is_dir() => fit(&path, &name, behind, found),
            (false, _) => {}
        }
    }
}

/// Whether `pattern` matches the whole of `name`.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut in_name, mut star) = (0, 0, None);
    while in_name < name.len() {
        if at < pattern.len() && pattern[at] == '*' {
            star = Some((at, in_name));
            at += 1;
        } else if at < pattern.len() && (pattern[at] == '?' || pattern[at] == name[in_name]) {
            at += 1;
            in_name += 1;
        } else if let Some((of_star, taken)) = star {
            star = Some((of_star, taken + 1));
            at = of_star + 1;
            in_name = taken + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|left| *left == '*')
}

/// Adds `found` to the files of `plan`. A file that its owner names twice, as by two patterns, is read once.
pub(crate) fn add_files(
    plan: &mut ImportPlan,
    found: Vec<FoundFile>,
    holder: Option<usize>,
) -> Result<(), ManifestFault> {
    let mut own = HashSet::new();
    for file in found {
        let place = place_of(&file.path);
        if !own.insert(place.clone()) {
            continue;
        }
        if plan.files.iter().any(|known| known.holder != holder && known.place == place) {
            return Err(ManifestFault::FileTwice(file.name));
        }
        let FoundFile { path, name, fault } = file;
        plan.files.push(PlannedFile { place, fault, ..PlannedFile::of(path, name, holder) });
    }
    Ok(())
}

/// The path of a file, or of a folder of messages, without links.
fn place_of(path: &Path) -> PathBuf {
    let without = match MessageFolder::at(path).zip(path.file_name()) {
        Some((messages, pattern)) => fs::canonicalize(messages.folder()).map(|folder| folder.join(pattern)),
        None => fs::canonicalize(path),
    };
    without.unwrap_or_else(|_| path.to_owned())
}

/// Names `files` in the provenance relative to their common folder, so that its location does not matter.
pub(crate) fn from_common_folder(files: &mut [PlannedFile]) {
    let folder_of = |file: &PlannedFile| -> Vec<String> {
        let folder = file.path.parent().unwrap_or(Path::new(""));
        let parts = folder.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let mut folders = files.iter().map(folder_of);
    let Some(mut common) = folders.next() else { return };
    for folder in folders {
        let alike = common.iter().zip(&folder).take_while(|(one, other)| one == other).count();
        common.truncate(alike);
    }
    for file in files {
        let own = folder_of(file).split_off(common.len());
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        file.stored = own.iter().map(String::as_str).chain([&*name]).collect::<Vec<_>>().join("/");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_whole_names() {
        for (pattern, name, is_fit) in [
            ("*.csv", "a.csv", true),
            ("*.csv", "a.csvx", false),
            ("?.csv", "ab.csv", false),
            ("a*b*c", "axxbyybzc", true),
            ("a*b*c", "axxbyybz", false),
            ("*", "", true),
            ("", "a", false),
            ("é?", "éa", true),
        ] {
            assert_eq!(fits(pattern, name), is_fit, "{pattern} {name}");
        }
    }

    #[test]
    fn a_file_a_folder_and_a_pattern_are_expanded_in_order_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        for file in ["b.csv", "a.csv", "in/c.csv", "in/deep/d.vcf", ".hidden.csv"] {
            fs::create_dir_all(base.join(file).parent().unwrap()).unwrap();
            fs::write(base.join(file), "").unwrap();
        }
        std::os::unix::fs::symlink(base.join("a.csv"), base.join("in/link.csv")).unwrap();
        let names = |given: &str| -> Vec<String> {
            let found = expand(base, given, &base.join(given));
            found
                .iter()
                .map(|file| format!("{}{}", file.name, file.fault.as_ref().map_or("", |_| " !")))
                .collect()
        };
        assert_eq!(names("a.csv"), ["a.csv"]);
        assert_eq!(names("gone.csv"), ["gone.csv"]);
        assert_eq!(names("*.csv"), ["a.csv", "b.csv"]);
        assert_eq!(names("in"), ["in/c.csv", "in/deep/d.vcf", "in/link.csv !"]);
        assert_eq!(names("i*/*.csv"), ["in/c.csv", "in/link.csv !"]);
        assert_eq!(names("*.ics"), ["*.ics !"]);
        // The control: the link that is named itself.
        assert_eq!(names("in/link.csv"), ["in/link.csv"]);
    }
}
