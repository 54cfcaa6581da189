//! The optional log of look-ups: who looked at whom, apart from all other logs, in a file per day.
//!
//! A look-up is a question about one person: them, their contacts, or who can introduce to them. Lists and searches are
//! not look-ups. A separate thread writes, so that no request waits for the disk, and deletes files past their time.
//!
//! Promise: Each answer about one person is a line that says who asked, when, and about whom, for as many days as the
//!   operator wants, and lies nowhere else.
//! Control: a search, an answer about nobody, and a service that keeps no such log.
//! Also in: `tests/process/look_ups.rs`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::clock;
use crate::file_system::{make_own_folder, open_own};
use crate::limits::{LOOK_UPS_BYTES_MAX, LOOK_UPS_WAITING_MAX};
use crate::model::time::Timestamp;

/// A file's name before and after the day.
const NAME: (&str, &str) = ("look-ups-", ".ndjson");
/// Length of a day in characters, as in `2026-11-29`.
const DAY_CHARS: usize = 10;

/// The folder of the log of look-ups, and how long its files are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUpSettings {
    /// The folder of the files, created if missing.
    pub folder: PathBuf,
    /// How many days a file is kept.
    pub days: u32,
}

/// A look-up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LookUp<'a> {
    /// When, in RFC 3339.
    pub at: &'a str,
    /// The organization.
    pub organization: &'a str,
    /// The id of the credential, or `jwt`.
    pub credential: &'a str,
    /// The member who asked; left out for an organization key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<&'a str>,
    /// The name of the operation or the tool.
    pub operation: &'a str,
    /// The person about whom it was asked.
    pub person: &'a str,
}

/// Why look-ups cannot be logged.
#[derive(Debug, thiserror::Error)]
#[error(
    "look-ups cannot be logged in {folder} (look_ups.folder): {cause}; name a folder that this user may write"
)]
pub struct LookUpError {
    folder: PathBuf,
    cause: io::Error,
}

impl LookUpError {
    /// Look-ups cannot be logged in `folder`, for `cause`.
    #[must_use]
    pub fn new(folder: &Path, cause: io::Error) -> Self {
        Self { folder: folder.to_owned(), cause }
    }
}

/// The log of look-ups. Dropping this waits until the last one is written.
#[derive(Debug)]
pub struct LookUpLog {
    lines: Option<SyncSender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl LookUpLog {
    /// Starts logging into the folder of `settings`, and deletes expired files.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written, or the system gives no thread.
    pub fn start(settings: LookUpSettings) -> Result<Self, LookUpError> {
        let folder = settings.folder.clone();
        Self::begin(settings).map_err(|cause| LookUpError::new(&folder, cause))
    }

    fn begin(settings: LookUpSettings) -> io::Result<Self> {
        make_own_folder(&settings.folder)?;
        let mut writer = Writer { settings, day: String::new(), file: None, bytes: 0, lost: None };
        writer.begin(&day_of(clock::wall_time()))?;
        let (lines, come) = mpsc::sync_channel(LOOK_UPS_WAITING_MAX);
        let thread = thread::Builder::new().name("look-ups".to_owned()).spawn(move || writer.run(&come))?;
        Ok(Self { lines: Some(lines), thread: Some(thread) })
    }

    /// Passes `look` to the writing thread. If too many wait already, it is lost, and the server's log says so.
    pub fn note(&self, look: &LookUp<'_>) {
        // Texts can always be written.
        let line = serde_json::to_string(look).unwrap_or_default();
        let Some(Err(TrySendError::Full(_))) = self.lines.as_ref().map(|lines| lines.try_send(line)) else {
            return;
        };
        tracing::error!("a look-up was not logged: more wait than are written");
    }
}

impl Drop for LookUpLog {
    fn drop(&mut self) {
        drop(self.lines.take());
        // A writer that panicked has nothing left to write.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The file of one day.
#[derive(Debug)]
struct Writer {
    settings: LookUpSettings,
    day: String,
    file: Option<BufWriter<File>>,
    /// The bytes in the file of the day.
    bytes: u64,
    /// The number of look-ups lost since a fault; `None` without a fault.
    lost: Option<u64>,
}

impl Writer {
    /// Writes incoming lines until the channel closes.
    fn run(mut self, come: &Receiver<String>) {
        while let Ok(first) = come.recv() {
            self.write_all(iter::once(first).chain(come.try_iter()));
        }
    }

    /// Writes as many of `lines` as possible; logs only the first of consecutive faults, and their end.
    fn write_all(&mut self, lines: impl Iterator<Item = String>) {
        let (mut lost, mut fault) = (0, None);
        for line in lines {
            if let Err(error) = self.write(&line) {
                (lost, fault) = (lost + 1, Some(error));
            }
        }
        // What cannot be flushed stays in the buffer, for the next time.
        let flushed = self.file.as_mut().map_or(Ok(()), Write::flush);
        match (fault.or(flushed.err()), self.lost) {
            (None, None) => {}
            (None, Some(lost)) => {
                tracing::error!(lost, "look-ups are logged again");
                self.lost = None;
            }
            (Some(error), before) => {
                if before.is_none() {
                    tracing::error!(%error, "look-ups cannot be logged; it is tried again");
                }
                self.lost = Some(before.unwrap_or(0) + lost);
            }
        }
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        let today = day_of(clock::wall_time());
        if today != self.day || self.file.is_none() {
            self.begin(&today)?;
        }
        if self.bytes + line.len() as u64 >= LOOK_UPS_BYTES_MAX {
            return Err(io::Error::other(format!("the file of {today} has {LOOK_UPS_BYTES_MAX} bytes")));
        }
        self.bytes += line.len() as u64 + 1;
        let Some(file) = &mut self.file else { return Ok(()) };
        writeln!(file, "{line}")
    }

    /// Opens the file of `day`, and deletes expired ones.
    fn begin(&mut self, day: &str) -> io::Result<()> {
        let path = self.settings.folder.join(format!("{}{day}{}", NAME.0, NAME.1));
        let file = open_own(OpenOptions::new().append(true).create(true), &path)?;
        (self.bytes, self.file, self.day) =
            (file.metadata()?.len(), Some(BufWriter::new(file)), day.to_owned());
        expire(&self.settings, clock::wall_time())
    }
}

/// Deletes the files of days past their time.
fn expire(settings: &LookUpSettings, now: SystemTime) -> io::Result<()> {
    let kept = Duration::from_secs(u64::from(settings.days) * 24 * 60 * 60);
    let oldest = day_of(now.checked_sub(kept).unwrap_or(SystemTime::UNIX_EPOCH));
    for file in fs::read_dir(&settings.folder)? {
        let path = file?.path();
        if day_in(&path).is_some_and(|day| *day < *oldest) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The day in the name of one of our files.
fn day_in(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let day = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    (day.len() == DAY_CHARS).then_some(day)
}

/// The day of `time`, as in `2026-11-29`.
fn day_of(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let at = Timestamp { seconds: since as i64, nanos: 0 };
    at.to_rfc3339_ms().chars().take(DAY_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_is_over_for_longer_than_it_is_kept_goes_and_nothing_else_does() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let settings = LookUpSettings { folder: folder.path().to_owned(), days: 30 };
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        assert_eq!(day_of(now), "2023-11-14");
        let names = [
            "look-ups-2023-11-14.ndjson",
            "look-ups-2023-10-15.ndjson",
            "look-ups-2023-10-14.ndjson",
            "look-ups-x.ndjson",
            "other.txt",
        ];
        for name in names {
            fs::write(folder.path().join(name), "")?;
        }
        expire(&settings, now)?;
        let mut left: Vec<_> = fs::read_dir(folder.path())?
            .map(|file| file.map(|file| file.file_name()))
            .collect::<Result<_, _>>()?;
        left.sort();
        assert_eq!(
            left,
            ["look-ups-2023-10-15.ndjson", "look-ups-2023-11-14.ndjson", "look-ups-x.ndjson", "other.txt"]
        );
        Ok(())
    }

    #[test]
    fn a_file_that_is_full_takes_no_more_and_says_so() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let settings = LookUpSettings { folder: folder.path().to_owned(), days: 30 };
        let mut writer = Writer { settings, day: String::new(), file: None, bytes: 0, lost: None };
        writer.write("{}")?;
        writer.bytes = LOOK_UPS_BYTES_MAX - 2;
        assert!(writer.write("{}").is_err());
        writer.write_all(["{}", "{}", "{}"].map(str::to_owned).into_iter());
        assert_eq!(writer.lost, Some(3), "each one is counted, not each turn");
        Ok(())
    }
}
