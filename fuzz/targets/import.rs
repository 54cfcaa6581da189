//! Exports of any bytes under any name: rows, and whole imports.
#![no_main]

mod threads;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use properties::import::Desk;

static DESK: LazyLock<Desk> = LazyLock::new(Desk::new);

fuzz_target!(init: threads::only_one(), |input: &[u8]| {
    DESK.check(input);
});
