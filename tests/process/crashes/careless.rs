//! The controls: typical careless writers, whose losses the checks detect.
//!
//! They run in their own processes: this test program with an environment variable set.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, thread};

use crate::crashes::failing::judge_pair;
use crate::crashes::shim::{Fault, Shim};
use crate::crashes::version::Site;
use crate::dice::Dice;
use crate::support::scale;

/// The variable with the folder in which a writer finds the versions it writes, and writes; a process without
/// it is no writer.
const SITE: &str = "KITH_CARELESS_SITE";

/// The folder to write in; `None` if this process is not a writer.
fn site_line() -> Option<PathBuf> {
    env::var_os(SITE).map(PathBuf::from)
}

/// Writes the versions to the path itself, one over the other, until it is killed.
#[test]
fn write_in_place() {
    let Some(site) = site_line() else { return };
    println!("writing");
    for version in (0..2).cycle() {
        let bytes = fs::read(site.join(format!("made-{version}.kith"))).unwrap();
        let mut file = File::create(site.join("snapshots/net.kith")).unwrap();
        bytes.chunks(1 << 10).for_each(|piece| file.write_all(piece).unwrap());
        file.sync_all().unwrap();
    }
}

/// Writes the second version beside the first and renames it over that, but looks at no outcome.
#[test]
fn write_without_looking() {
    let Some(site) = site_line() else { return };
    for name in ["net.kith.sqlite", "net.kith"] {
        let bytes = fs::read(site.join(name.replace("net", "made-1"))).unwrap();
        let draft = site.join("snapshots/.kith-draft.tmp");
        let mut file = File::create(&draft).unwrap();
        let _ = file.write_all(&bytes);
        let _ = file.sync_all();
        let _ = fs::rename(&draft, site.join("snapshots").join(name));
        let _ = File::open(site.join("snapshots")).and_then(|folder| folder.sync_all());
    }
}

/// This program as the writer that is the test `name`.
fn writer(site: &Site, name: &str) -> Command {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &format!("{module}::{name}"), "--nocapture"]).env(SITE, site.root());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_writer_in_place_is_caught_when_it_is_killed() {
    let (site, mut dice) = (Site::new(), Dice::new(0));
    let kills = scale::of(30, 1_000);
    let lost = (0..kills).filter(|_| {
        let mut writer = writer(&site, "write_in_place").spawn().unwrap();
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("writing")));
        thread::sleep(Duration::from_micros(dice.below(20_000) as u64));
        writer.kill().unwrap();
        writer.wait().unwrap();
        site.find().is_err()
    });
    let lost = lost.count();
    println!("a writer in place, killed {kills} times: {lost} times there was no version");
    assert!(lost > 0);
}

#[test]
fn a_writer_that_looks_at_no_outcome_is_caught_when_an_operation_fails() {
    let (shim, site) = (Shim::new(), Site::new());
    let run = |nth| {
        site.put(0);
        shim.run(writer(&site, "write_without_looking"), site.root(), nth, Fault::Io)
    };
    let clean = run(0);
    judge_pair(&site, &clean).unwrap();
    for name in ["write", "fsync", "rename"] {
        let nth = 1 + clean.operations.iter().rposition(|operation| operation.name == name).unwrap();
        assert!(judge_pair(&site, &run(nth)).is_err(), "{name}");
    }
}
