//! Builds killed at any moment, and in place of each of their file operations.
//!
//! Promise: A build that is killed leaves the old snapshot or the new one.
//! Control: a build that writes in place: of 1,000 kills 400 leave nothing that loads.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::reload::Reloader;
use kith_server::live::report::Outcome;

use crate::crashes::version::{Found, Site};
use crate::dice::Dice;
use crate::support::scale;

/// Until a build that nobody kills is done, at the most of a few.
fn duration(site: &Site) -> Duration {
    let time = |version| {
        let started = Instant::now();
        assert!(site.build(version).status().unwrap().success());
        started.elapsed()
    };
    (0..4).map(|run| time(run % 2)).max().unwrap()
}

#[test]
fn a_build_killed_at_any_moment_leaves_one_version_whole() {
    let site = Site::new();
    let (whole, mut dice) = (duration(&site), Dice::new(0));
    let mut there = site.find().unwrap();
    let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
    for trial in 0..scale::of(30, 10_000) {
        let next = 1 - there.snapshot;
        let moment = whole.mul_f64(dice.below(12_000) as f64 / 10_000.0);
        let mut build = site.build(next).spawn().unwrap();
        thread::sleep(moment); // the moment is what is drawn; no outcome is expected of it
        build.kill().unwrap();
        let is_done = build.wait().unwrap().success();
        let found = site.find().unwrap_or_else(|fault| panic!("kill {trial}, after {moment:?}: {fault}"));
        let outcome = match (is_done, found) {
            (true, found) => {
                assert_eq!(found, Found::whole(next), "kill {trial}, after {moment:?}: it said it was done");
                "done before"
            }
            (false, found) if found == there => "as before",
            (false, found) if found == Found::whole(next) => "replaced, but killed before it said so",
            (false, _) => "before, beside the next store",
        };
        *tally.entry(outcome).or_default() += 1;
        for file in site.left_over().unwrap() {
            *tally.entry("files left over").or_default() += 1;
            fs::remove_file(file).unwrap();
        }
        there = found;
    }
    println!("builds of {whole:?}, killed: {tally:?}");
}

/// The leftovers of a killed build neither hinder the next build nor are served.
#[test]
fn what_is_left_over_is_harmless() {
    let site = Site::new();
    for (name, bytes) in
        [(".kith-aBc123.tmp", site.snapshot(1)), (".kith-dEf456.tmp", &site.snapshot(1)[..999])]
    {
        fs::write(site.snapshots().join(name), bytes).unwrap();
    }
    assert_eq!(site.left_over().unwrap().len(), 2);
    assert!(site.build(1).status().unwrap().success());
    assert_eq!(site.find(), Ok(Found::whole(1)));
    let live = Arc::new(LiveNetworks::new(Networks::default()));
    let report = Reloader::new(site.snapshots(), live).unwrap().reload().wait().unwrap();
    let outcomes: Vec<_> = report.files.iter().map(|line| (line.file.as_str(), &line.outcome)).collect();
    assert_eq!(outcomes, [("net.kith", &Outcome::Loaded)]);
}
