//! Query strings and ids in paths, as received.
#![no_main]

mod threads;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use properties::query_string::check;
use properties::service::Front;

static FRONT: LazyLock<Front> = LazyLock::new(Front::new);

fuzz_target!(init: threads::only_one(), |input: &[u8]| {
    check(&FRONT, input);
});
