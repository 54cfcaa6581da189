//! Files of a room do not import each other in circles, but for those listed here.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{self, Tree, room_of};
use crate::uses::{Modules, without_reexports};
use crate::{Outcome, none};

/// Circles that stand: their files, and why.
const CIRCLES: &[(&[&str], &str)] = &[
    (
        &["relational/lookup.rs", "relational/store.rs", "relational/tally.rs"],
        "the store's methods for one question stand in the file of that question",
    ),
    (
        &["query/paths/written/firm.rs", "query/paths/written/mod.rs", "query/paths/written/runs.rs"],
        "the reader's methods for firms and for names stand in a file each",
    ),
];

/// Which files of its own room each file of `product`, one crate, names. What a module only hands on (`pub use`) is
/// no import of it.
fn imports(product: &Tree, is_one_room: bool) -> BTreeMap<&str, BTreeSet<String>> {
    let modules = Modules::new(product);
    let mut imports = BTreeMap::new();
    for (file, code) in product {
        let named = modules.named_in(file, &without_reexports(code));
        let files = named.iter().filter_map(|path| modules.file_of(path));
        let inside = files.filter(|other| *other != file && (is_one_room || room_of(other) == room_of(file)));
        imports.insert(file.as_str(), inside.map(str::to_owned).collect());
    }
    imports
}

/// The files that each file reaches by imports within its room.
fn circles(product: &Tree, is_one_room: bool) -> BTreeSet<Vec<String>> {
    let imports = imports(product, is_one_room);
    let reached = |from: &str| {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for next in imports.get(file).into_iter().flatten() {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|file| (*file, reached(file))).collect();
    let circle_of = |file: &str, reached: &BTreeSet<&str>| -> Vec<String> {
        let back =
            reached.iter().filter(|other| reach.get(**other).is_some_and(|reached| reached.contains(file)));
        back.map(|file| (*file).to_owned()).collect()
    };
    let all = reach.iter().map(|(file, reached)| circle_of(file, reached));
    all.filter(|circle| !circle.is_empty()).collect()
}

fn findings(found: &BTreeSet<Vec<String>>, listed: &[(&[&str], &str)]) -> Vec<String> {
    let new = found.iter().filter(|circle| !listed.iter().any(|(files, _)| circle == files));
    let gone = listed.iter().filter(|(files, _)| !found.iter().any(|circle| circle == files));
    new.map(|circle| format!("these files import each other in a circle: {circle:?}"))
        .chain(gone.map(|(files, _)| format!("this circle is no more; take it off the list: {files:?}")))
        .collect()
}

#[test]
fn files_of_a_room_form_no_circle_but_those_listed() -> Outcome {
    let mut found = BTreeSet::new();
    for each in &tree::CRATES {
        found.extend(circles(&tree::product(&each.sources()?), each.only_room.is_some()));
    }
    none(&findings(&found, CIRCLES));
    Ok(())
}

/// The control: a circle through `super` and a facade, one that is listed, and one that is gone.
#[test]
fn a_circle_is_caught() {
    let sources = tree::tree(&[
        ("a/mod.rs", "mod x;\nmod y;\nmod z;\npub use x::X;\npub use y::Y;"),
        ("a/x.rs", "use super::Y;"),
        ("a/y.rs", "use crate::a::z::Z;"),
        ("a/z.rs", "use crate::{a::X, b::p::P};"),
        ("b/p.rs", "fn f() { super::q::Q::new() }"),
        ("b/q.rs", "use crate::b::p::P;"),
        ("b/r.rs", "use crate::b::p::P;\nuse crate::a::X;"),
    ]);
    let listed: &[(&[&str], &str)] = &[(&["b/p.rs", "b/q.rs"], "listed"), (&["b/p.rs", "b/r.rs"], "gone")];
    assert_eq!(
        findings(&circles(&tree::product(&sources), false), listed),
        [
            r#"these files import each other in a circle: ["a/x.rs", "a/y.rs", "a/z.rs"]"#,
            r#"this circle is no more; take it off the list: ["b/p.rs", "b/r.rs"]"#,
        ]
    );
}
