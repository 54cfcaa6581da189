//! Source tables of any bytes, in every possible format.
#![no_main]

mod threads;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use properties::source::Folders;

static FOLDERS: LazyLock<Folders> = LazyLock::new(Folders::new);

fuzz_target!(init: threads::only_one(), |input: &[u8]| {
    FOLDERS.check(input);
});
