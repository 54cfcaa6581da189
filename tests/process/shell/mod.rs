//! `kith path`, `kith find` and `kith diff`: the same answers as a server's, without a server.
//!
//! Promise: A suppressed person is not found from a shell, nor in a change between two snapshots, whichever of the two
//!   the list matches.
//! Control: the same commands without the list.

mod answers;
mod changes;
mod weekly;

use std::fs;

use crate::program::{Site, build_tiny, project, run, run_well};

/// The tiny network as a snapshot.
fn tiny(site: &Site) -> String {
    let file = site.snapshot("tiny.kith");
    build_tiny(&file, &[]);
    file.to_str().unwrap().to_owned()
}

/// A list that names pia, beside the snapshots' folder.
fn list_with_pia(site: &Site) -> String {
    let list = site.file("forget.txt");
    run_well(&["suppress", "create", "--suppressions", &list]);
    let add = ["suppress", "add", "--suppressions", &list, "--org", "org_tiny", "--linkedin-id", "pia-weiss"];
    run_well(&add);
    list
}

/// Compares what was printed with the golden of this name.
#[track_caller]
fn check_golden(name: &str, printed: &str) {
    let file = project("tests/process/shell/golden").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, printed).unwrap();
    }
    assert_eq!(
        printed,
        fs::read_to_string(&file).unwrap_or_default(),
        "UPDATE_GOLDEN=1 writes {name}.txt anew"
    );
}

/// Checks that a command fails with exit code 1, no result and one sentence that holds each of `parts`.
#[track_caller]
fn check_failure(args: &[&str], parts: &[&str]) {
    let ended = run(args);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{args:?}: {}", ended.err);
    assert!(ended.err.lines().count() == 1 && ended.err.starts_with("kith: "), "{args:?}: {}", ended.err);
    assert!(parts.iter().all(|part| ended.err.contains(part)), "{args:?}: {}", ended.err);
}
