//! Exports arriving in a folder: its files, and whether they have stopped changing.

use std::path::{Path, PathBuf};

use crate::manifest::paths::expand;
use crate::messages::MessageFolder;
use kith::regular_file::FileStamp;

/// Name endings of files that a browser or a copy is still writing.
const UNFINISHED: [&str; 6] = [".crdownload", ".download", ".filepart", ".opdownload", ".part", ".partial"];

/// The files that an import reads, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrivals {
    files: Vec<(PathBuf, Option<FileStamp>)>,
}

/// The files found by the latest polls.
#[derive(Debug, Default)]
pub struct ArrivalPolls {
    last: Option<Arrivals>,
    read: Option<Arrivals>,
}

/// Whether the name of the file at `path` shows that another program has not finished it.
#[must_use]
pub fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    UNFINISHED.iter().any(|ending| name.ends_with(ending))
}

impl Arrivals {
    /// The files in `folder` that an import finds, and `others`. Opens none.
    #[must_use]
    pub fn of(folder: &Path, others: impl IntoIterator<Item = PathBuf>) -> Self {
        let found = expand(Path::new(""), &folder.to_string_lossy(), folder);
        let mut paths: Vec<PathBuf> = found.into_iter().map(|file| file.path).chain(others).collect();
        // An empty folder stands for itself.
        paths.retain(|path| path != folder && !is_unfinished(path));
        paths.sort_unstable();
        paths.dedup();
        let stamped = |path: PathBuf| {
            // A folder changes with each message that is delivered, read or removed.
            let messages = MessageFolder::at(&path);
            let stamp = FileStamp::at(messages.as_ref().map_or(&path, MessageFolder::folder));
            (path, stamp)
        };
        Self { files: paths.into_iter().map(stamped).collect() }
    }
}

impl ArrivalPolls {
    /// Whether to import: the files `now` are the files of the previous poll, and not the files last
    /// imported.
    pub fn is_due(&mut self, now: &Arrivals) -> bool {
        let is_quiet = self.last.as_ref() == Some(now);
        self.last = Some(now.clone());
        is_quiet && self.read.as_ref() != Some(now)
    }

    /// Records that an import read the files `now`: the next one is due once they change.
    pub fn was_read(&mut self, now: Arrivals) {
        self.read = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Copies a file in three steps; returns how much was there each time an import was due, as decided by `is_due`.
    fn read_while_written(is_due: impl Fn(&mut ArrivalPolls, &Arrivals) -> bool) -> Vec<u64> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Connections.csv");
        let (mut polls, mut read) = (ArrivalPolls::default(), Vec::new());
        for part in ["First Name,", "Last Name\n", "", "", "Ana,Ruiz\n", "", ""] {
            let written = fs::read_to_string(&path).unwrap_or_default() + part;
            if !part.is_empty() {
                fs::write(&path, written).unwrap();
            }
            let now = Arrivals::of(folder.path(), []);
            if is_due(&mut polls, &now) {
                read.push(fs::metadata(&path).unwrap().len());
                polls.was_read(now);
            }
        }
        read
    }

    #[test]
    fn a_file_is_read_once_it_has_stopped_growing_and_again_when_it_grows() {
        assert_eq!(read_while_written(ArrivalPolls::is_due), [21, 30]);
        // The control: an import at each change reads a part of the file.
        assert_eq!(read_while_written(|polls, now| polls.read.as_ref() != Some(now)), [11, 21, 30]);
    }

    #[test]
    fn what_is_not_finished_is_no_arrival_and_every_other_change_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("team.toml");
        let inside = folder.path().join("exports");
        fs::create_dir_all(inside.join("Mail/cur")).unwrap();
        fs::create_dir_all(inside.join("Mail/new")).unwrap();
        fs::write(inside.join("Mail/cur/0"), "").unwrap();
        let poll = || Arrivals::of(&inside, [manifest.clone()]);
        let mut before = poll();
        for name in ["a.csv.crdownload", "b.zip.PART", ".hidden.csv"] {
            fs::write(inside.join(name), "x").unwrap();
            assert_eq!(poll(), before, "{name}");
        }
        let changes: [&dyn Fn() -> std::io::Result<()>; 6] = [
            &|| fs::rename(inside.join("a.csv.crdownload"), inside.join("a.csv")),
            &|| fs::write(inside.join("a.csv"), "xy"),
            &|| fs::create_dir(inside.join("in")).and_then(|()| fs::write(inside.join("in/b.vcf"), "")),
            &|| fs::write(inside.join("Mail/cur/1"), ""),
            &|| fs::write(&manifest, ""),
            &|| fs::remove_file(inside.join("a.csv")),
        ];
        for (place, change) in changes.iter().enumerate() {
            change().unwrap();
            let now = poll();
            assert_ne!(now, before, "change {place}");
            before = now;
        }
    }
}
