//! Files have a description, files and functions stay short, and no module is a drawer.

use crate::tree::{self, Tree, item_end, split};
use crate::{Outcome, none};

/// Files that may be longer than [`LINES_MAX`], each with its reason.
const LONG_FILES: &[(&str, &str)] = &[];
/// Lines of a file.
const LINES_MAX: usize = 400;
/// Lines of a function between its braces.
const FUNCTION_LINES_MAX: usize = 70;
const DRAWERS: [&str; 6] = ["utils", "helpers", "common", "types", "prelude", "misc"];

fn findings(sources: &Tree, long_files: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in sources {
        if !text.starts_with("//! ") {
            found.push(format!("{file} has no //! head"));
        }
        let lines = text.lines().count();
        let is_listed = long_files.iter().any(|(name, _)| name == file);
        if lines > LINES_MAX && !is_listed {
            found.push(format!("{file} has {lines} lines"));
        }
        if lines <= LINES_MAX && is_listed {
            found.push(format!("{file} is short now; take it off the list"));
        }
        if let Some(drawer) = file.split(['/', '.']).find(|part| DRAWERS.contains(part)) {
            found.push(format!("{file}: {drawer} names a drawer for odds and ends"));
        }
    }
    found
}

/// Functions with more than [`FUNCTION_LINES_MAX`] lines. Not asked of tests, which may be long tables.
fn long_functions(sources: &Tree) -> Vec<String> {
    let in_file = |(file, text): (&String, &String)| -> Vec<String> {
        let code = split(text).code;
        let long = functions(&code).into_iter().filter(|(_, lines)| *lines > FUNCTION_LINES_MAX);
        long.map(|(name, lines)| format!("{file}: `{name}` has {lines} lines")).collect()
    };
    sources.iter().flat_map(in_file).collect()
}

/// Each function of `code`, with the number of lines between its braces.
fn functions(code: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for (at, mark) in code.match_indices("fn ") {
        let is_part = code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let name = code[at + mark.len()..].split(|next: char| !next.is_alphanumeric() && next != '_').next();
        let Some(name) = name.filter(|name| !name.is_empty() && !is_part) else { continue };
        let item = &code[at..item_end(code, at)];
        let body = item.split_once('{').map_or("", |(_, body)| body);
        found.push((name, body.matches('\n').count().saturating_sub(1)));
    }
    found
}

#[test]
fn every_file_says_what_it_is_for_and_stays_readable() -> Outcome {
    none(&findings(&tree::sources()?, LONG_FILES));
    Ok(())
}

#[test]
fn no_function_is_longer_than_a_page() -> Outcome {
    none(&long_functions(&tree::sources()?));
    Ok(())
}

#[test]
fn tests_and_benches_stay_readable_too() -> Outcome {
    for folder in ["tests", "benches", "fuzz"] {
        none(&findings(&tree::files(folder, "rs")?, &[]));
    }
    Ok(())
}

/// The control.
#[test]
fn a_shapeless_file_is_caught() {
    let long = format!("//! Long.\nfn f() {{\n{}}}\n", "    g();\n".repeat(FUNCTION_LINES_MAX + 1));
    let longer = format!("//! Longer.\n{}", "// line\n".repeat(LINES_MAX));
    let sources = tree::tree(&[
        ("a/helpers.rs", "//! A drawer."),
        ("b.rs", "fn no_head() {}"),
        ("c.rs", &long),
        ("d.rs", &longer),
        ("e.rs", "//! Short.\nfn short() -> [u8; 2] { [1, 2] }"),
    ]);
    assert_eq!(
        findings(&sources, &[("e.rs", "it was long")]),
        [
            "a/helpers.rs: helpers names a drawer for odds and ends",
            "b.rs has no //! head",
            "d.rs has 401 lines",
            "e.rs is short now; take it off the list",
        ]
    );
    assert_eq!(long_functions(&sources), ["c.rs: `f` has 71 lines"]);
}
