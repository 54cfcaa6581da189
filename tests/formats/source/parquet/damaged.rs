//! Parquet files damaged anywhere: a named fault, whatever the library does with them.
//!
//! Promise: A damaged Parquet file is a fault by name; the library's own panics reach neither the program nor stderr.
//! Control: files on which the library panics are among those tried.

use std::process::Command;

use crate::source::network::{File, Network, in_folder, read};
use crate::source::parquet::random::Random;
use crate::source::parquet::with_people;
use crate::source::parquet::writing::{Layout, files_of};

/// The message of a fault if the library panicked.
const PANICKED: &str = "its parts do not fit together";
/// Damaged files tried at most; some fifty panic.
const FILES_MAX: u64 = 4_000;

/// A file of people with some of its bytes changed.
fn damaged(random: &mut Random) -> Vec<File> {
    let mut files = files_of("people", &Network::small().tables["people"], Layout::random(random));
    let bytes = &mut files[0].1;
    for _ in 0..1 + random.below(3) {
        let at = 4 + random.below(bytes.len() - 12);
        match random.below(3) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 0x7f, 0x80, 0xff][random.below(4)],
            _ => {
                let (from, last) = (random.below(bytes.len() - 8), bytes.len() - 8);
                bytes.copy_within(from..from + 8, at.min(last));
            }
        }
    }
    with_people(files)
}

#[test]
fn a_damaged_file_is_a_fault_and_a_panic_of_the_library_is_nowhere() {
    let panicking = (0..FILES_MAX).map(|seed| damaged(&mut Random(seed)));
    let panicking =
        panicking.filter(|files| read(files).is_err_and(|error| error.to_string().contains(PANICKED)));
    let files = panicking.into_iter().next().expect("one file on which the library panics");
    in_folder(&files, |folder| {
        let out = folder.join("out.kith");
        let built =
            Command::new(env!("CARGO_BIN_EXE_kith")).arg("build").arg(folder).arg("--out").arg(out).output();
        let built = built.unwrap();
        let said = String::from_utf8_lossy(&built.stderr);
        assert_eq!(built.status.code(), Some(1), "{said}");
        assert!(said.contains(PANICKED) && !said.contains("panicked"), "{said}");
    });
}
