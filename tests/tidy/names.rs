//! One word, one meaning: no two public types have the same name.
//!
//! `names.txt` lists the names that still stand for several types. See `ratchet` for how to lower it.

use crate::ratchet::{self, Counts};
use crate::tree::{self, Tree, is_word};
use crate::{Outcome, none};

const LIST: &str = "tests/tidy/names.txt";
const KINDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

/// How many types beyond their file are called by each name that more than one of them has.
fn counts(product: &Tree) -> Counts {
    let mut counts = Counts::new();
    for code in product.values() {
        for name in public_types(code) {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count > 1);
    counts
}

fn public_types(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in code.lines().map(str::trim_start).filter(|line| line.starts_with("pub")) {
        let mut words = line.split_whitespace().skip(1);
        if words.next().is_some_and(|kind| KINDS.contains(&kind)) {
            let name = words.next().unwrap_or("");
            let end = name.bytes().position(|next| !is_word(next)).unwrap_or(name.len());
            found.push(&name[..end]);
        }
    }
    found
}

#[test]
fn a_public_type_has_its_name_for_itself() -> Outcome {
    none(&ratchet::check(LIST, &counts(&tree::product(&tree::sources()?)))?);
    Ok(())
}

/// The control.
#[test]
fn a_name_that_stands_for_two_types_is_caught() {
    let sources = tree::tree(&[
        ("a.rs", "pub struct Settings<'a>(&'a str);\nstruct Private;\npub enum Only {}"),
        (
            "b.rs",
            "pub(crate) type Settings = u8;\nstruct Private;\n// pub trait Only\npub struct SettingsOf;",
        ),
    ]);
    assert_eq!(counts(&tree::product(&sources)), Counts::from([("Settings".to_owned(), 2)]));
}
