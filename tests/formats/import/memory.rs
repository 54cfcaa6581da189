//! A file is read in 512 MiB, whatever it holds: each trial in a process of its own, whose highest mark the system keeps.
//!
//! Promise: A file is read in 512 MiB, whatever it holds.
//! Control: the same trial with every row kept is above.

use std::process::Command;
use std::{env, fs};

use zip::CompressionMethod;

use kith_import::files::read_file;

use crate::import::archives::{packed, repacked};
use crate::import::fixture;

const MEGABYTE: usize = 1 << 20;
/// The most that reading a file takes, with the file and all that the process has.
const MOST: usize = 512 * MEGABYTE;
/// Names the trial of a process that is one.
const TRIAL: &str = "KITH_IMPORT_TRIAL";
const HEADER: &[u8] = b"First Name,Last Name,Connected On\n";

/// A file at its bounds.
fn file(trial: &str) -> Vec<u8> {
    let long = |begin: &[u8], byte: u8, bytes: usize| {
        let mut file = begin.to_vec();
        file.resize(bytes, byte);
        file
    };
    let sheet = |part: &str, at: &str, piece: &[u8], bytes: usize| {
        repacked(fixture("linkedin.xlsx"), |name, content| {
            let text = String::from_utf8(content).unwrap();
            if name != part {
                return text.into_bytes();
            }
            let (before, behind) = text.split_at(text.find(at).unwrap());
            let times = (bytes - text.len()) / piece.len();
            [before.as_bytes(), &piece.repeat(times), behind.as_bytes()].concat()
        })
    };
    let open = [HEADER, b"\""].concat();
    match trial {
        "a quote" | "rows kept" => long(&open, b'\n', 256 * MEGABYTE),
        "another encoding" => long(&open, 0xe4, 64 * MEGABYTE),
        "an archive" => {
            let entry = long(&open, 0xe4, 63 * MEGABYTE);
            let pad = long(b"", 0, 64 * MEGABYTE);
            packed(&[("a.csv", &entry), ("pad.jpg", &pad)], CompressionMethod::Stored)
        }
        "texts" => sheet("xl/sharedStrings.xml", "</sst>", b"<si/>", 16 * MEGABYTE),
        "a sheet" => sheet("xl/worksheets/sheet1.xml", "</sheetData>", b" ", 64 * MEGABYTE),
        other => panic!("{other}"),
    }
}

/// The highest mark of this process, in bytes.
fn highest() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}

/// Reads the file of the trial that the environment names, if it names one.
#[test]
fn one_trial() {
    let Ok(trial) = env::var(TRIAL) else { return };
    let bytes = file(&trial);
    let mut kept = Vec::new();
    let counts = read_file("a", &bytes, None, &mut |_, _, row| drop(row));
    assert!(!counts.is_empty());
    if trial == "rows kept" {
        kept.extend(bytes.repeat(2));
    }
    let highest = highest();
    assert!(highest <= MOST, "{trial}: {highest} bytes with {} kept", kept.len());
}

/// Whether a process that reads the file of `trial` keeps to the bound.
fn keeps_to_it(trial: &str) -> bool {
    let program = env::current_exe().unwrap();
    let child =
        Command::new(program).args(["--exact", "import::memory::one_trial"]).env(TRIAL, trial).output();
    let child = child.unwrap();
    assert!(String::from_utf8_lossy(&child.stdout).contains("running 1 test"), "{child:?}");
    child.status.success()
}

#[test]
fn a_file_is_read_in_512_mib_whatever_it_holds() {
    for trial in ["a quote", "another encoding", "an archive", "texts", "a sheet"] {
        assert!(keeps_to_it(trial), "{trial}");
    }
    // The control: what a reader that keeps what it reads takes.
    assert!(!keeps_to_it("rows kept"));
}
