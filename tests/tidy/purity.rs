//! The core takes values and returns values: it has no clock, environment, logs, network or `async`.
//!
//! One sentence of `ARCHITECTURE.md` lists the rooms of the core and those of their files that do IO; this test reads
//! it.

use crate::tree::{self, Tree, is_word, room_of};
use crate::uses::{names_after, paths_from};
use crate::{Outcome, none};

/// The words that mark the sentence.
const MARK: &str = "have no `async`";
/// Paths, by their beginning, that no file of the core may name.
const FORBIDDEN: &[&str] = &[
    "crate::clock",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::time::UNIX_EPOCH",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "futures_util",
    "getrandom",
    "hyper",
    "tokio",
    "tracing",
];
/// Paths that only the files in the sentence may name.
const FILE_IO: &[&str] = &["std::fs", "std::os", "tempfile", "rustix"];
/// Modules that hide a part of the path if they are imported as a whole.
const WHOLE: &[&str] = &["std::time", "std::io::*", "std::time::*"];
const MACROS: &[&str] = &["print!", "println!", "eprint!", "eprintln!", "dbg!"];

/// The rooms of the core, and those of their files that open files.
fn core_of(architecture: &str) -> (Vec<&str>, Vec<&str>) {
    let mut paragraphs = architecture.split("\n- ").map(|item| item.split("\n\n").next().unwrap_or(item));
    let sentence = paragraphs.find(|item| item.contains(MARK)).unwrap_or("");
    let (rooms, rest) = sentence.split_once(MARK).unwrap_or(("", ""));
    let named = |text| -> Vec<&str> { str::split(text, '`').skip(1).step_by(2).collect() };
    (named(rooms), named(rest).into_iter().filter(|name| name.ends_with(".rs")).collect())
}

fn findings(product: &Tree, rooms: &[&str], io_files: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = io_files
        .iter()
        .filter(|file| !product.get(**file).is_some_and(|code| names_any(code, FILE_IO)))
        .map(|file| format!("{file} opens no file any more; take it out of the sentence"))
        .collect();
    for (file, code) in product.iter().filter(|(file, _)| rooms.contains(&room_of(file))) {
        let may_open = io_files.contains(&file.as_str());
        let lists = [FORBIDDEN, WHOLE, if may_open { &[] } else { FILE_IO }];
        for name in lists.concat().into_iter().filter(|name| names(code, name)) {
            found.push(format!("{file} names {name}"));
        }
        for word in MACROS.iter().filter(|word| has_word(code, word)) {
            found.push(format!("{file} prints: {word}"));
        }
        for word in ["async", "await"].iter().filter(|word| has_word(code, word)) {
            found.push(format!("{file} is {word}"));
        }
    }
    found
}

fn names_any(code: &str, list: &[&str]) -> bool {
    list.iter().any(|name| names(code, name))
}

/// Whether `code` names `name` or what is in it; of [`WHOLE`], only the module as such.
fn names(code: &str, name: &str) -> bool {
    let wanted: Vec<&str> = name.split("::").collect();
    if let [library] = wanted[..] {
        return names_after(code, &format!("{library}::")).next().is_some();
    }
    paths_from(code, wanted[0]).iter().any(|path| {
        let path: Vec<&str> = path.iter().map(String::as_str).filter(|part| *part != "self").collect();
        if WHOLE.contains(&name) { path == wanted } else { path.starts_with(&wanted) }
    })
}

fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let after = code.as_bytes().get(at + word.len());
        !code.as_bytes()[..at].last().is_some_and(|before| is_word(*before))
            && (word.ends_with('!') || !after.is_some_and(|after| is_word(*after)))
    })
}

#[test]
fn the_core_takes_values_and_returns_values() -> Outcome {
    let architecture = tree::read("ARCHITECTURE.md")?;
    let (rooms, io_files) = core_of(&architecture);
    assert!(
        rooms.len() >= 6 && rooms.contains(&"limits") && rooms.contains(&"query"),
        "the core is {rooms:?}"
    );
    none(&findings(&tree::product(&tree::sources()?), &rooms, &io_files));
    Ok(())
}

/// The control: every kind of impurity, as it may be spelt.
#[test]
fn an_impure_core_is_caught() {
    let map = "## Invariants\n\n- One.\n- `model` and `graph` have no `async`, no clock; of them\n  `graph/read.rs` and \
               `graph/gone.rs` open files.\n- Three.\n";
    let (rooms, io_files) = core_of(map);
    assert_eq!(
        (&rooms[..], &io_files[..]),
        (&["model", "graph"][..], &["graph/read.rs", "graph/gone.rs"][..])
    );
    let sources = tree::tree(&[
        ("graph/gone.rs", "fn asynchronous() {}"),
        ("graph/read.rs", "use std::fs::File;"),
        (
            "graph/walk.rs",
            "use std::{env, time::{Duration, Instant}};\nasync fn f() { tracing::info!(\"x\") }",
        ),
        (
            "model/open.rs",
            "use std::{fs, io};\nuse std::time;\nfn f() { println!(\"std::net\"); crate::clock::now() }",
        ),
        ("query/free.rs", "use std::env;"),
    ]);
    assert_eq!(
        findings(&tree::product(&sources), &rooms, &io_files),
        [
            "graph/gone.rs opens no file any more; take it out of the sentence",
            "graph/walk.rs names std::env",
            "graph/walk.rs names std::time::Instant",
            "graph/walk.rs names tracing",
            "graph/walk.rs is async",
            "model/open.rs names crate::clock",
            "model/open.rs names std::time",
            "model/open.rs names std::fs",
            "model/open.rs prints: println!",
        ]
    );
}
