//! The program with one failing file operation, by a preloaded library (`fail_nth.c`).

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::program::project;

/// How the log is laid out, as `struct log` in `fail_nth.c` declares.
const HEAD_BYTES: usize = 8;
const ENTRY_BYTES: usize = 256;
const NAME_BYTES: usize = 12;
const LOG_BYTES: u64 = (HEAD_BYTES + 8192 * ENTRY_BYTES) as u64;

/// The fate of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// It fails with EIO; those after it pass.
    Io,
    /// The disk is full from there on.
    Full,
    /// It does half of its bytes and says so.
    Short,
    /// The process is killed instead of it.
    Kill,
    /// The disk is full from there on, until the reserve of a credential store is given up.
    Crowded,
}

impl Fault {
    pub(crate) const ALL: [Self; 4] = [Self::Io, Self::Full, Self::Short, Self::Kill];

    fn name(self) -> &'static str {
        match self {
            Self::Io => "eio",
            Self::Full => "full",
            Self::Short => "short",
            Self::Kill => "kill",
            Self::Crowded => "crowded",
        }
    }
}

/// One operation on a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Operation {
    pub(crate) name: String,
    /// The file, random parts of its name taken out.
    pub(crate) file: String,
}

/// The end of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code, or minus the signal.
    pub(crate) code: i32,
    /// The text it wrote to stderr.
    pub(crate) said: String,
    /// All operations, in their order.
    pub(crate) operations: Vec<Operation>,
    /// How one was made to fail, and the place of the first that was, among `operations`.
    pub(crate) failed: Option<(Fault, usize)>,
}

impl Run {
    /// The first operation that was made to fail.
    pub(crate) fn failed_operation(&self) -> Option<&Operation> {
        self.failed.map(|(_, place)| &self.operations[place])
    }

    /// Whether that has this name.
    pub(crate) fn is_failed(&self, name: &str) -> bool {
        self.failed_operation().is_some_and(|operation| operation.name == name)
    }
}

/// The library, built, and the log it writes.
pub(crate) struct Shim {
    folder: TempDir,
}

impl Shim {
    pub(crate) fn new() -> Self {
        let shim = Self { folder: tempfile::tempdir().unwrap() };
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let mut command = Command::new(compiler);
        command.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
        command.arg(shim.library()).arg(project("tests/process/crashes/fail_nth.c"));
        assert!(command.status().unwrap().success(), "a C compiler is needed, named cc or in CC");
        shim
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("fail_nth.so")
    }

    /// Has `command` fail as [`Self::run`] says; gives its log.
    pub(crate) fn arm(&self, command: &mut Command, root: &Path, nth: usize, fault: Fault) -> PathBuf {
        let log = self.folder.path().join("log");
        let _ = fs::remove_file(&log);
        fs::File::create(&log).unwrap().set_len(LOG_BYTES).unwrap();
        command.env("LD_PRELOAD", self.library()).env("FAIL_BELOW", root).env("FAIL_LOG", &log);
        command.env("FAIL_NTH", nth.to_string()).env("FAIL_KIND", fault.name());
        log
    }

    /// Runs `command` with `fault` at the `nth` operation, from 1, on files below `root`; at none for 0.
    pub(crate) fn run(&self, mut command: Command, root: &Path, nth: usize, fault: Fault) -> Run {
        let log = self.arm(&mut command, root, nth, fault);
        let ended = command.output().unwrap();
        let status = ended.status;
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_ne!(status.code(), Some(125), "operations cannot be trapped here: {said}");
        let log = fs::read(log).unwrap();
        let (head, entries) = log.split_at(HEAD_BYTES);
        let number = |at: usize| u32::from_ne_bytes(head[at..at + 4].try_into().unwrap());
        let entries = entries.chunks_exact(ENTRY_BYTES).take(number(0) as usize);
        let operations = entries.map(|entry| operation(entry, root)).collect();
        let failed = (number(4) as usize).checked_sub(1).map(|place| (fault, place));
        let code = status.code().or_else(|| Some(-status.signal()?)).unwrap();
        Run { code, said, operations, failed }
    }
}

fn operation(entry: &[u8], root: &Path) -> Operation {
    let text = |bytes: &[u8]| {
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        String::from_utf8(bytes[..end].to_vec()).unwrap()
    };
    let (name, path) = entry.split_at(NAME_BYTES);
    let file = text(path).replacen(root.to_str().unwrap(), "", 1);
    Operation { name: text(name), file: without_random_parts(&file) }
}

/// The folder itself as nothing, `.kith-Ab12Cd.tmp` in it as `/.kith-*.tmp`.
fn without_random_parts(file: &str) -> String {
    let Some((before, rest)) = file.split_once("/.") else { return file.to_owned() };
    let Some((name, random)) = rest.split_once('-') else { return file.to_owned() };
    let after = random.trim_start_matches(|character: char| character.is_ascii_alphanumeric());
    format!("{before}/.{name}-*{after}")
}
