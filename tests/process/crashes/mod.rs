//! Killed processes, full disks and failing disks: the old content stays, or the new content is complete; and only
//! success is reported as success.
//!
//! `version` is a path at which builds write one of two versions of a network, and distinguishes them. `shim` runs the
//! program with one file operation failing. `killed` and `failing` test builds, `credentials` and `full` the credential
//! store. `careless` contains the controls: programs that write like many others, whose losses the same checks detect.
#![allow(clippy::print_stdout, reason = "what came of the faults is counted and printed")]

mod asks;
mod careless;
mod credentials;
mod failing;
mod full;
mod killed;
mod shim;
mod version;
