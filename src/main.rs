//! The program: hands the command line to a command.

#![warn(clippy::disallowed_methods)]

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kith_server::cli::run()
}
