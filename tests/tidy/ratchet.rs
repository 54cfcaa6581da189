//! Lists of the remaining cases of an old habit: each may only shrink.
//!
//! A list has a line for each entry, its count and its name. The count in the tree must equal it: more is a new fault,
//! less means that the list must be lowered, which `UPDATE_WORDS=1 cargo test --test tidy` does. That never raises a
//! list's total, so entries may be renamed with their files and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use crate::tree;

/// How often something is found, by name; without zeros.
pub(crate) type Counts = BTreeMap<String, usize>;

/// Compares `found` with the list in the file `path`, or lowers the list if the environment asks for it.
pub(crate) fn check(path: &str, found: &Counts) -> io::Result<Vec<String>> {
    let listed = parse(&tree::read(path)?);
    let is_update = std::env::var_os("UPDATE_WORDS").is_some();
    if is_update && !rises(&listed, found) {
        fs::write(tree::root().join(path), write(found))?;
        return Ok(Vec::new());
    }
    Ok(findings(path, &listed, found))
}

fn parse(text: &str) -> Counts {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(count, name)| Some((name.to_owned(), count.parse().ok()?))).collect()
}

fn write(counts: &Counts) -> String {
    counts.iter().map(|(name, count)| format!("{count} {name}\n")).collect()
}

fn rises(listed: &Counts, found: &Counts) -> bool {
    found.values().sum::<usize>() > listed.values().sum()
}

fn findings(path: &str, listed: &Counts, found: &Counts) -> Vec<String> {
    let names = listed.keys().chain(found.keys().filter(|name| !listed.contains_key(*name)));
    let count = |counts: &Counts, name: &str| counts.get(name).copied().unwrap_or(0);
    let pairs = names.map(|name| (name, count(listed, name), count(found, name)));
    pairs
        .filter(|(_, listed, found)| listed != found)
        .map(|(name, listed, found)| {
            if found > listed {
                format!("{name}: {found} found, {path} allows {listed}")
            } else {
                format!("{name}: {found} found, {path} has {listed}; lower it: UPDATE_WORDS=1 cargo test --test tidy")
            }
        })
        .collect()
}

/// The control: one entry more, one less, one that is new; and an update that would raise the list.
#[test]
fn a_list_that_is_not_met_exactly_is_caught() {
    let listed = parse("2 a.rs\n1 b.rs\n3 same.rs\n");
    let found = parse("3 a.rs\n3 same.rs\n1 c d.rs\n");
    let short = "found, list.txt";
    assert_eq!(
        findings("list.txt", &listed, &found),
        [
            format!("a.rs: 3 {short} allows 2"),
            format!("b.rs: 0 {short} has 1; lower it: UPDATE_WORDS=1 cargo test --test tidy"),
            format!("c d.rs: 1 {short} allows 0"),
        ]
    );
    assert!(rises(&listed, &found) && !rises(&found, &listed));
    assert_eq!(parse(&write(&found)), found);
}
