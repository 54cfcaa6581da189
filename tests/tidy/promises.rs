//! `TESTING.md` lists each promise with the module that tests it, from the heads of the modules.
//!
//! A head has `Promise: …` and then `Control: …`, the known-bad variant that the same test detects; further lines of
//! either begin with two spaces. `UPDATE_TESTING=1 cargo test --test tidy promises` writes the list.
//!
//! Promise: The index of promises is that of the heads of tests, and each promise has its control.
//! Control: a head without a control, and an index that lacks a promise.

use std::fmt::Write;
use std::fs;
use std::io;

use crate::tree::{self, Tree};
use crate::{Outcome, none};

const PAGE: &str = "TESTING.md";
/// The index begins behind this line and goes on to the end of the page.
const MARK: &str = "<!-- UPDATE_TESTING=1 cargo test --test tidy promises writes what follows -->\n";
/// Sections of the index, by how paths in them begin; the last one has the rest.
const SECTIONS: [(&str, &str); 4] = [
    ("The crates", "crates/"),
    ("The program, inside", "src/"),
    ("Tests", "tests/"),
    ("Checks beside them", ""),
];

/// A promise and its control, as a head says them.
#[derive(Debug, PartialEq)]
struct Promise {
    text: String,
    control: Option<String>,
}

/// The promises in the head of a file, in their order.
fn promises(text: &str) -> Vec<Promise> {
    let head = text.lines().skip_while(|line| line.starts_with("#!"));
    let comments = head.map_while(|line| ["//!", "//", "#"].iter().find_map(|mark| line.strip_prefix(mark)));
    let mut paragraphs: Vec<String> = Vec::new();
    for line in comments.map(|line| line.strip_prefix(' ').unwrap_or(line)) {
        match (line.strip_prefix("  "), paragraphs.last_mut()) {
            (Some(more), Some(last)) if !last.is_empty() => {
                last.push(' ');
                last.push_str(more);
            }
            _ => paragraphs.push(line.to_owned()),
        }
    }
    let mut promises: Vec<Promise> = Vec::new();
    for paragraph in paragraphs {
        if let Some(text) = paragraph.strip_prefix("Promise: ") {
            promises.push(Promise { text: text.to_owned(), control: None });
        } else if let (Some(control), Some(last)) = (paragraph.strip_prefix("Control: "), promises.last_mut())
        {
            last.control = Some(control.to_owned());
        }
    }
    promises
}

/// Promises without a control, by their files.
fn uncontrolled(files: &Tree) -> Vec<String> {
    let all =
        files.iter().flat_map(|(path, text)| promises(text).into_iter().map(move |promise| (path, promise)));
    let bare = all.filter(|(_, promise)| promise.control.is_none());
    bare.map(|(path, promise)| format!("{path}: no control of \"{}\"", promise.text)).collect()
}

/// The index of all promises.
fn index(files: &Tree) -> String {
    let mut page = String::new();
    for (at, (title, start)) in SECTIONS.iter().enumerate() {
        let of = |path: &str| SECTIONS.iter().position(|(_, start)| path.starts_with(start)) == Some(at);
        _ = write!(page, "\n## {title}\n\n| promise | held by |\n| --- | --- |\n");
        for (path, text) in files.iter().filter(|(path, _)| of(path)) {
            let name = path.strip_prefix(start).unwrap_or(path);
            for promise in promises(text) {
                _ = writeln!(page, "| {} | [{name}]({path}) |", promise.text.replace('|', "\\|"));
            }
        }
    }
    page
}

/// Every file whose head may have a promise.
fn files() -> io::Result<Tree> {
    let mut files = tree::files("", "rs")?;
    files.extend(tree::files("", "mjs")?);
    for folder in [".ci", "fuzz"] {
        for entry in fs::read_dir(tree::root().join(folder))? {
            let entry = entry?;
            if entry.file_type()?.is_file() && entry.path().extension().is_none() {
                let name = entry.file_name();
                files.insert(
                    format!("{folder}/{}", name.to_string_lossy()),
                    fs::read_to_string(entry.path())?,
                );
            }
        }
    }
    Ok(files)
}

#[test]
fn the_index_is_that_of_the_heads() -> Outcome {
    let files = files()?;
    none(&uncontrolled(&files));
    let page = tree::read(PAGE)?;
    let (start, listed) = page.split_once(MARK).ok_or("the page has no mark")?;
    let index = index(&files);
    if std::env::var_os("UPDATE_TESTING").is_some() {
        fs::write(tree::root().join(PAGE), format!("{start}{MARK}{index}"))?;
    } else {
        assert!(
            listed == index,
            "the index is old: UPDATE_TESTING=1 cargo test --test tidy promises writes it"
        );
    }
    Ok(())
}

#[test]
fn a_promise_without_a_control_or_a_line_in_the_index_is_caught() {
    let sound =
        "//! A head.\n//!\n//! Promise: It holds,\n//!   always.\n//! Control: it does not.\n\nuse x;\n";
    let expected = Promise { text: "It holds, always.".to_owned(), control: Some("it does not.".to_owned()) };
    assert_eq!(promises(sound), [expected]);
    let bare = tree::tree(&[("src/a.rs", "//! Promise: It holds.\n")]);
    assert_eq!(uncontrolled(&bare), ["src/a.rs: no control of \"It holds.\""]);
    assert!(index(&bare).contains("| It holds. | [a.rs](src/a.rs) |") && !index(&bare).contains("always"));
    assert!(promises("# A script.\n#\n# Promise: So it is.\nset -e\n# Promise: not here.\n").len() == 1);
}
