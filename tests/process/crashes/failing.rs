//! Each file operation of a program fails in turn, in every way, until none is left to fail.
//!
//! Promise: Whichever file operation fails, nothing is lost and nothing is claimed.
//! Control: a build that ignores what fsync and rename say.
//! Also in: `tests/process/crashes/credentials.rs`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::crashes::shim::{Fault, Operation, Run, Shim};
use crate::crashes::version::{Found, Site};
use crate::support::scale;

/// The data at stake while operations fail.
pub(crate) trait Stake {
    /// Puts everything as it was before, and gives the command that changes it.
    fn prepare(&self) -> Command;

    /// Holds what is there after `run` to what it may be. Returns the outcome in a few words.
    ///
    /// # Errors
    /// What was lost, or what the program said that is not so.
    fn judge(&self, run: &Run) -> Result<String, String>;
}

/// How many runs came to what: by fault, by operation, by outcome.
pub(crate) type Tally = BTreeMap<(Fault, String, String), u64>;

/// Runs the command with every operation failing in every way; in the usual size with the first and the
/// last of each kind, in one way after the other.
///
/// # Errors
/// The first run that is judged wrong, with its place.
pub(crate) fn sweep(shim: &Shim, root: &Path, stake: &impl Stake) -> Result<Tally, String> {
    let clean = shim.run(stake.prepare(), root, 0, Fault::Io);
    if clean.code != 0 {
        return Err(format!("without a fault: {clean:?}"));
    }
    let chosen = chosen(&clean.operations);
    let mut tally = Tally::new();
    for fault in Fault::ALL {
        // One run may have some operations more than another: the end is reached if none is left to fail.
        for nth in (1..).filter(|nth| *nth > clean.operations.len() || chosen.contains(&(*nth, fault))) {
            let run = shim.run(stake.prepare(), root, nth, fault);
            let at = format!("{fault:?} at operation {nth}");
            let outcome = stake.judge(&run).map_err(|wrong| {
                format!("{at}: {wrong}; exit {}, {:?}, {:?}", run.code, run.said, run.failed_operation())
            })?;
            match run.failed_operation() {
                Some(operation) => {
                    *tally.entry((fault, operation.name.clone(), outcome)).or_default() += 1;
                }
                None if run.code != 0 => return Err(format!("{at}: nothing failed, but {:?}", run.said)),
                None if nth > run.operations.len() => break,
                None => {} // cannot fail in this way
            }
        }
    }
    Ok(tally)
}

/// The operations to fail, each with its fault.
fn chosen(operations: &[Operation]) -> Vec<(usize, Fault)> {
    let all = (1..=operations.len()).flat_map(|nth| Fault::ALL.map(|fault| (nth, fault)));
    if scale::of(0, 1) == 1 {
        return all.collect();
    }
    let is_like = |nth: usize| move |other: &Operation| *other == operations[nth - 1];
    let is_edge = |&nth: &usize| {
        !operations[..nth - 1].iter().any(is_like(nth)) || !operations[nth..].iter().any(is_like(nth))
    };
    (1..=operations.len()).filter(is_edge).zip(Fault::ALL.into_iter().cycle()).collect()
}

/// Prints a tally; gives how many faults it counts.
pub(crate) fn print(what: &str, tally: &Tally) -> u64 {
    let total = tally.values().sum();
    println!("{what}: {total} faults");
    for ((fault, operation, outcome), count) in tally {
        println!("  {:5} {operation:10} {count:6}  {outcome}", format!("{fault:?}"));
    }
    total
}

/// How the program ended, in a word; `may_fail` returns whether success may be reported although the
/// operation at a place failed.
///
/// # Errors
/// Returns an error if the program failed without a reason, or reported a success that is none.
pub(crate) fn ending(run: &Run, may_fail: impl Fn(usize) -> bool) -> Result<&'static str, String> {
    let sentence = run.said.strip_prefix("kith: ").and_then(|said| said.strip_suffix('\n'));
    match (run.code, run.failed) {
        (0, Some((Fault::Io | Fault::Full, place))) if !may_fail(place) => {
            Err("success was reported all the same".to_owned())
        }
        (0, _) => Ok("success"),
        (1, _) if sentence.is_some_and(|said| !said.is_empty() && !said.contains('\n')) => Ok("failure"),
        (1, _) => Err("it did not say why in one line".to_owned()),
        (-9, Some((Fault::Kill, _))) => Ok("killed"),
        _ => Err("it ended as no command may".to_owned()),
    }
}

/// A build of the second version over the first.
struct Build<'a>(&'a Site);

impl Stake for Build<'_> {
    fn prepare(&self) -> Command {
        self.0.put(0);
        self.0.build(1)
    }

    fn judge(&self, run: &Run) -> Result<String, String> {
        judge_pair(self.0, run)
    }
}

/// Holds what `run` was to replace, the first version by the second, to what it may be.
pub(crate) fn judge_pair(site: &Site, run: &Run) -> Result<String, String> {
    let found = site.find()?;
    // A file that is thrown away may stay, and drafts of earlier runs, which the first look into the folder is for.
    let ending = ending(run, |place| run.is_failed("unlink") || (place == 0 && run.is_failed("open")))?;
    let left_over = site.left_over()?;
    if !left_over.is_empty() && ending != "killed" && !run.is_failed("unlink") {
        return Err(format!("{left_over:?} were left over"));
    }
    match (found.snapshot, found.store) {
        (0, _) if ending == "success" => Err(format!("success was reported, but {found:?}")),
        (0, 0) => Ok(format!("{ending}, as before")),
        (0, _) => Ok(format!("{ending}, as before, beside the next store")),
        (_, 1) => Ok(format!("{ending}, replaced")),
        _ => Err("the snapshot was replaced before its store".to_owned()),
    }
}

#[test]
fn a_build_with_any_operation_failing_leaves_one_version_whole_and_says_so() {
    let (shim, site) = (Shim::new(), Site::new());
    assert_eq!(site.find(), Ok(Found::whole(0)));
    let tally = sweep(&shim, site.root(), &Build(&site)).unwrap_or_else(|wrong| panic!("{wrong}"));
    let total = print("kith build", &tally);
    assert!(total >= 30, "only {total} faults");
}

/// A reading of the first version.
struct Verify<'a>(&'a Site);

impl Stake for Verify<'_> {
    fn prepare(&self) -> Command {
        self.0.put(0);
        self.0.verify()
    }

    fn judge(&self, run: &Run) -> Result<String, String> {
        let (found, ending) = (self.0.find()?, ending(run, |_| false)?);
        if found == Found::whole(0) { Ok(ending.to_owned()) } else { Err(format!("{found:?}")) }
    }
}

#[test]
fn a_snapshot_is_read_whole_or_the_failure_is_reported_whatever_fails() {
    let (shim, site) = (Shim::new(), Site::new());
    let tally = sweep(&shim, site.root(), &Verify(&site)).unwrap_or_else(|wrong| panic!("{wrong}"));
    let total = print("kith verify", &tally);
    assert!(total >= 4, "only {total} faults");
}
