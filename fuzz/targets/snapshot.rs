//! Files that look like snapshots, most of them with correct checksums, under a memory limit.
#![no_main]

mod memory;
mod threads;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use properties::service::Front;
use properties::snapshot::{check, file_of};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting::new();

static FRONT: LazyLock<Front> = LazyLock::new(Front::new);

fuzz_target!(init: threads::only_one(), |input: &[u8]| {
    LazyLock::force(&FRONT);
    let file = file_of(input);
    ALLOCATOR.restart();
    let decoded = kith_server::snapshot::decode(&file);
    let peak = ALLOCATOR.peak_bytes();
    assert!(peak <= 3 * file.len() + (1 << 20), "{peak} bytes were held for a file of {}", file.len());
    check(&FRONT, &file, decoded);
});
