//! Answered asks exist after kill -9, each once, however many processes write at the same time.
//!
//! Promise: Of asks written by several processes that are killed at any moment none is lost that was answered, and none
//!   doubled, also if the last ones are sent again by their keys. Whichever file operation fails, or if the disk is
//!   full from there on, an ask is there once or not at all, and said to be there only if it is.
//! Control: a writer that answers before the write loses some.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, thread};

use kith::asks::event::{AskedOver, AskedPeople};
use kith::model::time::Timestamp;
use kith_server::ask_file::file;
use kith_server::ask_file::store::AskStore;
use kith_server::ask_file::store::each_event;
use kith_server::ask_file::writing::{MemberWords, MemberWrite};

use tempfile::TempDir;

use crate::crashes::credentials::may_fail_of;
use crate::crashes::failing::{Stake, ending, print, sweep};
use crate::crashes::shim::{Operation, Run, Shim};
use crate::dice::Dice;
use crate::program::{Site, build_tiny};
use crate::support::scale;

/// The variable with the file that a writer writes to; a process without it is no writer.
const FILE: &str = "KITH_ASKS_OF_WRITER";
/// The variable with the names that its keys begin with: of this run, and of the one before.
const RUNS: &str = "KITH_ASKS_RUNS";
/// Threads of each writer, and writers at once.
const THREADS: usize = 4;
const WRITERS: usize = 2;
/// So many of the keys of the run before are sent again.
const AGAIN: usize = 40;

fn write(store: &AskStore, key: &str) {
    let write = MemberWrite {
        org: "org_a".into(),
        user: "user_a".into(),
        name: "Ana".into(),
        is_admin: false,
        at: Timestamp { seconds: 1_800_000_000, nanos: 0 },
        note: Some(key.to_owned()),
        key: Some(key.to_owned()),
        is_dry_run: false,
    };
    let people = AskedPeople { person: format!("person_{key}"), connector: None, via_advocate: None };
    store.write(&write, MemberWords::Asked(people, AskedOver::default())).unwrap();
}

/// Writes until it is killed, and prints the key of each ask: after it was written, or before if it `is_careless`.
fn write_for_ever(is_careless: bool) {
    let Some(path) = env::var_os(FILE).map(PathBuf::from) else { return };
    let runs = env::var(RUNS).unwrap();
    let (run, before) = runs.split_once(' ').unwrap();
    thread::scope(|scope| {
        for number in 0..THREADS {
            let path = &path;
            scope.spawn(move || {
                let store = AskStore::open(path).unwrap();
                let keys = (0..AGAIN).map(|ask| format!("{before}-{number}-{ask}"));
                for key in keys.chain((0..).map(|ask| format!("{run}-{number}-{ask}"))) {
                    if is_careless {
                        println!("key {key}");
                    }
                    write(&store, &key);
                    if !is_careless {
                        println!("key {key}");
                    }
                }
            });
        }
    });
}

#[test]
fn write_asks() {
    write_for_ever(false);
}

#[test]
fn write_asks_without_waiting() {
    write_for_ever(true);
}

fn start(name: &str, path: &Path, runs: &str) -> Child {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &format!("{module}::{name}"), "--nocapture"]).env(FILE, path).env(RUNS, runs);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Has writers of this `name` killed again and again, until so many were answered: their keys, and how often each is in the file.
fn killed(name: &str, most: u64) -> (BTreeSet<String>, BTreeMap<String, u32>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("asks.db");
    file::create(&path).unwrap();
    let (mut dice, mut answered) = (Dice::new(7), BTreeSet::new());
    for round in 0..1_000_u64 {
        if answered.len() as u64 >= most {
            break;
        }
        let writers: Vec<Child> = (0..WRITERS)
            .map(|writer| {
                start(name, &path, &format!("r{round}w{writer} r{}w{writer}", round.saturating_sub(1)))
            })
            .collect();
        thread::sleep(Duration::from_millis(150 + dice.below(250) as u64));
        for mut writer in writers {
            writer.kill().unwrap();
            let mut said = Vec::new();
            writer.stdout.take().unwrap().read_to_end(&mut said).unwrap();
            // The last line may be cut short.
            let whole = said.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
            let text = String::from_utf8_lossy(&said[..whole]);
            answered.extend(text.lines().filter_map(|line| Some(line.split_once("key ")?.1.to_owned())));
            writer.wait().unwrap();
        }
    }
    let mut written = BTreeMap::new();
    each_event(&path, |_, event| {
        *written.entry(event.event.note.clone().unwrap_or_default()).or_insert(0) += 1;
        Ok(())
    })
    .unwrap();
    (answered, written)
}

#[test]
fn asks_that_were_answered_are_there_once_after_a_kill() {
    let (answered, written) = killed("write_asks", scale::of(300, 10_000));
    println!("{} asks answered by {} writers", answered.len(), WRITERS * THREADS);
    let lost: Vec<&String> = answered.iter().filter(|key| !written.contains_key(*key)).collect();
    assert!(lost.is_empty(), "{} of {} lost: {lost:?}", lost.len(), answered.len());
    assert!(written.values().all(|count| *count == 1), "written twice: {written:?}");
    assert!(answered.len() > 100, "only {} were answered", answered.len());
}

#[test]
fn a_writer_that_answers_before_the_write_is_caught() {
    let (answered, written) = killed("write_asks_without_waiting", scale::of(300, 1_000));
    assert!(answered.iter().any(|key| !written.contains_key(key)), "none of {} was lost", answered.len());
}

/// A file with one ask, and a command that adds another.
struct OneMore {
    folder: TempDir,
    snapshot: PathBuf,
    before: Vec<u8>,
}

impl OneMore {
    fn new(site: &Site) -> Self {
        let snapshot = site.snapshot("tiny.kith");
        build_tiny(&snapshot, &[]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("asks.db");
        file::create(&file).unwrap();
        write(&AskStore::open(&file).unwrap(), "before");
        let before = fs::read(&file).unwrap();
        Self { folder, snapshot, before }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("asks.db")
    }
}

impl Stake for OneMore {
    fn prepare(&self) -> Command {
        for path in fs::read_dir(self.folder.path()).unwrap() {
            fs::remove_file(path.unwrap().path()).unwrap();
        }
        fs::write(self.file(), &self.before).unwrap();
        fs::set_permissions(self.file(), PermissionsExt::from_mode(0o600)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
        command.args(["ask", "add", "person_tom", "--as", "user_ana", "--key", "new", "--note", "new"]);
        command.arg("--asks").arg(self.file()).arg("--snapshot").arg(&self.snapshot).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    fn judge(&self, run: &Run) -> Result<String, String> {
        let ending = ending(run, |place| may_fail(run, place))?;
        AskStore::open(&self.file()).map_err(|error| error.to_string())?;
        let (mut before, mut new) = (0, 0);
        each_event(&self.file(), |_, written| {
            let note = written.event.note.as_deref();
            before += u32::from(note == Some("before"));
            new += u32::from(note == Some("new"));
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        match (before, new) {
            (1, 1) => Ok(format!("{ending}, written")),
            (1, 0) if ending != "success" => Ok(format!("{ending}, not written")),
            found => Err(format!("{ending} was reported; the ask of before and the new one: {found:?}")),
        }
    }
}

/// The log's index is made anew, and what cannot be opened for writing is opened again for reading, which is all that a look-up
/// needs.
fn may_fail(run: &Run, place: usize) -> bool {
    const LOG: &str = "/asks.db-wal";
    let Operation { name, file } = &run.operations[place];
    file == "/asks.db-shm"
        || (name == "open" && [LOG, "/asks.db"].contains(&&**file))
        || may_fail_of(LOG, run, place)
}

#[test]
fn an_ask_is_written_once_or_not_at_all_whatever_fails() {
    let site = Site::new();
    let one_more = OneMore::new(&site);
    let tally =
        sweep(&Shim::new(), one_more.folder.path(), &one_more).unwrap_or_else(|wrong| panic!("{wrong}"));
    let total = print("kith ask add", &tally);
    assert!(total >= 15, "only {total} faults");
}
