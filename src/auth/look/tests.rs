//! What a look sees: every commit, every file that took another's place, and nothing that is not whole.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::clock;

type Outcome = Result<(), Box<dyn Error>>;

/// A store of one table that keeps a write-ahead log, open in this process.
struct Place {
    folder: TempDir,
    connection: Connection,
}

impl Place {
    fn new() -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let connection = Connection::open(folder.path().join("store"))?;
        connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER) STRICT;")?;
        Ok(Self { folder, connection })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn files(&self) -> Result<StoreFiles, StoreError> {
        StoreFiles::beside(OpenedFile::at(self.path())?)
    }
}

#[test]
fn each_commit_moves_the_stamp_and_no_stamp_comes_back() -> Outcome {
    let place = Place::new()?;
    let files = place.files()?;
    let other = Connection::open(place.path())?;
    let mut stamps = HashSet::new();
    for round in 0..50 {
        for commit in [
            "INSERT INTO t VALUES (1)",
            "UPDATE t SET a = 2",
            "BEGIN IMMEDIATE; INSERT INTO t VALUES (3); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)",
            "INSERT INTO t VALUES (4)",
            "DELETE FROM t; PRAGMA wal_checkpoint(RESTART)",
            "INSERT INTO t VALUES (5)",
            "VACUUM",
            "PRAGMA user_version = 7",
        ] {
            // Of two handles, as two processes have them.
            let by = if round % 2 == 0 { &place.connection } else { &other };
            by.execute_batch(commit)?;
            let stamp = files.look().stamp.ok_or(commit)?;
            assert!(stamps.insert(stamp.0), "{commit} in round {round} left a stamp of before");
            assert_eq!(files.look().stamp, Some(stamp), "and without a change it stays");
        }
    }
    let stamp = files.look().stamp;
    other.execute_batch("BEGIN IMMEDIATE; INSERT INTO t VALUES (3); ROLLBACK")?;
    other.query_row("SELECT count(*) FROM t", [], |_| Ok(()))?;
    assert_eq!(files.look().stamp, stamp, "what is taken back, and what only reads, changes nothing");
    Ok(())
}

#[test]
fn a_header_that_is_not_whole_or_was_set_back_is_no_stamp() -> Outcome {
    let place = Place::new()?;
    place.connection.execute_batch("INSERT INTO t VALUES (1)")?;
    let bytes = fs::read(place.folder.path().join("store-shm"))?;
    let whole: [u8; 2 * HEADER_BYTES] = bytes[..2 * HEADER_BYTES].try_into()?;
    assert!(Stamp::of(&whole).is_some());
    for at in 0..2 * HEADER_BYTES {
        let mut torn = whole;
        torn[at] ^= 1;
        assert_eq!(Stamp::of(&torn), None, "byte {at} is of another header");
    }
    for (range, why) in [(0..4, "of no version"), (8..12, "after a recovery"), (12..13, "not written yet")] {
        let mut both = whole;
        for copy in both.chunks_exact_mut(HEADER_BYTES) {
            copy[range.clone()].fill(0);
        }
        assert_eq!(Stamp::of(&both), None, "{why}");
    }
    Ok(())
}

/// What a recovery leaves is what the argument says: a counter of 0, also if a store had that header before.
#[test]
fn the_header_after_a_recovery_is_no_stamp_until_the_next_commit() -> Outcome {
    let place = Place::new()?;
    place.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    let Place { folder, connection } = place;
    connection.close().map_err(|(_, error)| error)?;
    let connection = Connection::open(folder.path().join("store"))?;
    connection.query_row("SELECT count(*) FROM t", [], |_| Ok(()))?;
    let place = Place { folder, connection };
    let files = place.files()?;
    assert_eq!(files.look().stamp, None);
    place.connection.execute_batch("PRAGMA user_version = 1")?;
    assert!(files.look().stamp.is_some());
    Ok(())
}

/// Waits until the next change of `folder` has another time than its last one.
fn wait_for_a_tick(folder: &Path) -> Outcome {
    let elsewhere = tempfile::tempdir()?;
    let time = |path: &Path| fs::metadata(path).map(|found| (found.ctime(), found.ctime_nsec()));
    while time(folder)? >= time(elsewhere.path())? {
        clock::sleep(Duration::from_millis(1));
        fs::write(elsewhere.path().join("tick"), "")?;
        fs::remove_file(elsewhere.path().join("tick"))?;
    }
    Ok(())
}

/// Whether each way to put another file in the place of one of the three is found by files that are made by `open` and
/// were seen in their place long after the folder changed last.
fn are_found(open: impl Fn(&Place) -> Result<StoreFiles, StoreError>) -> Result<Vec<bool>, Box<dyn Error>> {
    let mut found = Vec::new();
    for suffix in ["", "-wal", "-shm", "the folder"] {
        let place = Place::new()?;
        let files = open(&place)?;
        wait_for_a_tick(place.folder.path())?;
        let (now, mut seen) = (clock::wall_time() + Duration::from_secs(60), SeenFiles::default());
        files.check_by(files.look(), &mut seen, now)?;
        assert!(seen.is_proven_by(files.look(), now), "one look is enough");
        let old = match suffix {
            "the folder" => place.folder.path().to_owned(),
            suffix => database::beside(&place.path(), suffix),
        };
        let aside = place.folder.path().with_extension("aside");
        fs::rename(&old, &aside)?;
        found.push(files.check_by(files.look(), &mut seen, now).is_err());
        fs::rename(&aside, &old)?;
        files.check_by(files.look(), &mut seen, now)?;
    }
    Ok(found)
}

#[test]
fn a_file_that_is_not_in_its_place_is_found_at_the_next_look() -> Outcome {
    assert_eq!(are_found(Place::files)?, [true; 4]);
    // The control: the look of before.
    let frozen = |place: &Place| {
        let mut files = place.files()?;
        wait_for_a_tick(place.folder.path()).map_err(|_| StoreError::ClockBefore1970)?;
        files.freeze();
        Ok(files)
    };
    assert_eq!(are_found(frozen)?, [false; 4]);
    Ok(())
}

#[test]
fn each_file_is_looked_at_if_the_folder_proves_nothing() -> Outcome {
    let place = Place::new()?;
    let files = place.files()?;
    let now = clock::wall_time();
    let mut seen = SeenFiles::default();
    files.check_by(files.look(), &mut seen, now)?;
    assert!(seen.0.is_none(), "the folder changed within a tick");
    let later = now + Duration::from_secs(60);
    files.check_by(files.look(), &mut seen, later)?;
    for (at, is_enough) in
        [(later, true), (later + CREDENTIAL_FILES_PERIOD, false), (later - Duration::from_secs(1), false)]
    {
        assert_eq!(seen.is_proven_by(files.look(), at), is_enough, "{at:?}");
    }
    let link = place.folder.path().join("link");
    symlink(place.path(), &link)?;
    let through_a_link = StoreFiles::beside(OpenedFile::at(link)?)?;
    assert!(through_a_link.look().folder.is_none() && through_a_link.look().stamp.is_some());
    Ok(())
}

/// Returns the number of locks that this process has on the file, as Linux says.
#[cfg(target_os = "linux")]
fn locks_on(file: &Path) -> Result<usize, Box<dyn Error>> {
    let (inode, process) = (fs::metadata(file)?.ino().to_string(), std::process::id().to_string());
    let locks = fs::read_to_string("/proc/locks")?;
    let is_ours = |line: &&str| {
        let mut words = line.split_whitespace().skip(4);
        let (of, place) = (words.next(), words.next());
        of == Some(process.as_str())
            && place.is_some_and(|place| place.rsplit(':').next() == Some(inode.as_str()))
    };
    Ok(locks.lines().filter(is_ours).count())
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_are_let_go_leave_the_locks_of_the_connections_that_stay() -> Outcome {
    let place = Place::new()?;
    let index = place.folder.path().join("store-shm");
    let locks = locks_on(&index)?;
    assert!(locks > 0, "the open connection has one");
    let files = [place.files()?, place.files()?];
    let [first, second] = &files;
    let handle = |files: &StoreFiles| files.index.as_ref().map(Arc::as_ptr);
    assert_eq!(handle(first), handle(second), "one handle for both");
    drop(files);
    drop(place.files()?);
    assert_eq!(locks_on(&index)?, locks);
    // The control: a handle of its own, closed.
    drop(File::open(&index)?);
    assert_eq!(locks_on(&index)?, 0);
    Ok(())
}
