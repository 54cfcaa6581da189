//! Peak memory of `kith import` of one hostile file, as the system counts it.
//!
//! Promise: A file is imported in 512 MiB, whatever it holds.
//! Control: a process that holds such a file three times is above.
//! Also in: `tests/process/importing/long_files.rs`.

use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use zip::CompressionMethod;

use crate::import::archives::{packed, repacked};
use crate::import::fixture;

const MEGABYTE: usize = 1 << 20;
/// Maximum memory of an import.
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
        "a quote" => long(&open, b'\n', 256 * MEGABYTE),
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

/// Holds the file of the trial that the environment names three times over, if it names one: the control.
#[test]
fn held_three_times() {
    let Ok(trial) = env::var(TRIAL) else { return };
    let bytes = file(&trial);
    let kept = bytes.repeat(2);
    println!("{} bytes are held", bytes.len() + kept.len());
}

/// The highest mark of the memory of `program`, in bytes, as far as it is seen each millisecond; and whether it ended by
/// itself, with whatever code.
fn highest(program: &mut Command) -> (usize, bool) {
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    let ended = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mark = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = most.max(mark.map_or(0, |mark| mark.parse().unwrap()));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        thread::sleep(Duration::from_millis(1));
    };
    (most * 1024, ended.code().is_some())
}

#[test]
fn a_file_is_imported_in_512_mib_whatever_it_holds() {
    for trial in ["a quote", "another encoding", "an archive", "texts", "a sheet"] {
        let folder = tempfile::tempdir().unwrap();
        let [export, tables] = ["export", "tables"].map(|name| folder.path().join(name));
        fs::write(&export, file(trial)).unwrap();
        let mut import = Command::new(env!("CARGO_BIN_EXE_kith"));
        import.args(["import", "--org", "Acme", "--me", "Ana Ruiz", "--tables"]).args([&tables, &export]);
        let (most, ended) = highest(&mut import);
        assert!(ended && (MEGABYTE..=MOST).contains(&most), "{trial}: {most} bytes");
    }
    let mut control = Command::new(env::current_exe().unwrap());
    control.args(["--exact", "import::memory::held_three_times"]).env(TRIAL, "a quote");
    assert!(highest(&mut control).0 > MOST, "the control keeps to it");
}
