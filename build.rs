//! Adds the commit of a release to `kith --version`.
//!
//! A development build has none: otherwise each commit would compile the whole program again.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=KITH_COMMIT");
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    // Set in a build without a repository, such as an image's.
    let commit = std::env::var("KITH_COMMIT").ok().filter(|commit| !commit.is_empty()).or_else(commit);
    if let Some(commit) = commit {
        println!("cargo::rustc-env=KITH_COMMIT={commit}");
    }
}

/// The first 12 digits of the checked-out commit, followed by `+` if tracked files differ from it. `None` without git,
/// or outside a repository.
///
/// Runs again after a checkout or a change of a source file, but not after a change of git's index: `git status` writes
/// that, and would cause a full build.
fn commit() -> Option<String> {
    let heads = ["HEAD", "logs/HEAD"].map(|file| git(&["rev-parse", "--git-path", file]));
    // A missing path would count as changed each time.
    let heads = heads.into_iter().flatten().filter(|path| Path::new(path).exists());
    for path in heads.chain(["src", "Cargo.toml", "Cargo.lock"].map(str::to_owned)) {
        println!("cargo::rerun-if-changed={path}");
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"];
    let changed = !git(&status)?.is_empty();
    Some(if changed { format!("{commit}+") } else { commit })
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
