//! Processes that are killed, disks that fill up and disks that fail: what was there before stays, or what
//! was made is there whole; and success is reported of nothing else.
//!
//! `version` holds a path at which builds put one or the other version of a network, and says which one is
//! there. `shim` runs the program with one file operation failing. `killed` and `failing` hold builds to
//! their promise, `credentials` and `full` the credential store. `careless` are the controls: programs that
//! write as many do, which the same checks catch.
#![allow(clippy::print_stdout, reason = "what came of the faults is counted and printed")]

mod asks;
mod careless;
mod credentials;
mod failing;
mod full;
mod killed;
mod shim;
mod version;
