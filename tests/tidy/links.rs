//! Targets in documents and comments exist: links with their anchors, and paths of files.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::tree::{self, Tree, split};
use crate::{Outcome, none};

/// Folders from which a path may be meant, beside the root.
const BASES: [&str; 15] = [
    "",
    "src",
    "src/machine",
    "src/observe",
    "src/finding",
    "src/callers",
    "src/networks",
    "src/answers",
    "src/front",
    "crates/kith/src",
    "crates/kith-embed/src",
    "crates/kith-tables/src",
    "crates/kith-import/src",
    "crates/kith-generate/src",
    "tests",
];
/// The endings of the names of linked files.
const ENDINGS: [&str; 8] = [".rs", ".md", ".toml", ".txt", ".json", ".sqlite", ".py", "/"];

/// The links in a document that lead nowhere; `is_there` says which paths from the root exist.
fn dead_links(documents: &Tree, is_there: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in documents {
        for target in targets(text) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(file).parent().unwrap_or(Path::new(""));
            let whole = if path.is_empty() { PathBuf::from(file) } else { plain(&folder.join(path)) };
            let anchors = documents.get(&*whole.to_string_lossy()).map(|text| anchors(text));
            if !is_there(&whole) {
                found.push(format!("{file} links to {target}, which does not exist"));
            } else if !anchor.is_empty() && anchors.is_some_and(|anchors| !anchors.contains(anchor)) {
                found.push(format!("{file} links to {target}, a heading that does not exist"));
            }
        }
    }
    found
}

/// The relative targets of links in Markdown, outside its code.
fn targets(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.retain(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    let inline =
        lines.iter().flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    let below =
        lines.iter().filter_map(|line| line.strip_prefix('[')?.split_once("]: ").map(|(_, target)| target));
    inline.chain(below).filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let slug = |line: &str| -> String {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(slug).collect()
}

/// `path` without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The paths of files between back-ticks that exist nowhere; `comments` says whether the texts are Rust.
fn dead_paths(texts: &Tree, comments: bool, is_there: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in texts {
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let prose = if comments { split(text).comments } else { text.clone() };
        for path in
            prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(|path| is_path(path))
        {
            let bases = BASES.iter().map(Path::new).chain([folder]);
            if !bases.map(|base| base.join(path)).any(|path| is_there(&path)) {
                found.push(format!("{file} names {path}, which does not exist"));
            }
        }
    }
    found
}

/// Whether `text` is the path of a file or folder of ours: with a folder in front, and nothing left open.
fn is_path(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte));
    let name = text.trim_end_matches('/');
    is_plain
        && name.contains('/')
        && !text.starts_with('/')
        && ENDINGS.iter().any(|ending| text.ends_with(ending))
}

fn exists(path: &Path) -> bool {
    tree::root().join(path).exists()
}

#[test]
fn every_link_leads_somewhere() -> Outcome {
    none(&dead_links(&tree::files("", "md")?, &exists));
    Ok(())
}

#[test]
fn every_file_that_prose_names_exists() -> Outcome {
    let mut found = dead_paths(&tree::files("", "md")?, false, &exists);
    found.extend(dead_paths(&tree::files("", "rs")?, true, &exists));
    none(&found);
    Ok(())
}

/// The control.
#[test]
fn a_link_that_leads_nowhere_is_caught() {
    let documents = tree::tree(&[
        (
            "README.md",
            "# A `b` c: d\n[1](docs/a.md#what-is-it) [2](docs/a.md#what) [3](b.md) [4](#a-b-c-d) [5](x://y)",
        ),
        (
            "docs/a.md",
            "## What is it?\n[up](../README.md), [r][] and [gone](../c.md)\n```\n[x](y)\n```\n\n[r]: ./d.md\n",
        ),
    ]);
    let is_there = |path: &Path| documents.contains_key(&*path.to_string_lossy());
    assert_eq!(
        dead_links(&documents, &is_there),
        [
            "README.md links to docs/a.md#what, a heading that does not exist",
            "README.md links to b.md, which does not exist",
            "docs/a.md links to ../c.md, which does not exist",
            "docs/a.md links to ./d.md, which does not exist",
        ]
    );
    let prose = tree::tree(&[(
        "a.rs",
        "//! `docs/a.md`, `docs/b.md`, `text/html`, `a/{b,c}.rs`.\nfn f() { \"`c/d.rs`\" }",
    )]);
    assert_eq!(dead_paths(&prose, true, &is_there), ["a.rs names docs/b.md, which does not exist"]);
    assert_eq!(dead_paths(&prose, false, &is_there).len(), 2);
}
