//! The full paths that code names: `use` lists unfolded, `self` and `super` resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Tree, is_word, item_end};

/// A path by its segments: `crate::model::time` is `["crate", "model", "time"]`.
pub(crate) type Segments = Vec<String>;

/// The names that follow `prefix` in `code` wherever `prefix` begins a path.
pub(crate) fn names_after<'a>(code: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    starts(code, prefix).map(move |at| {
        let rest = &code[at + prefix.len()..];
        let end = rest.bytes().position(|next| !is_word(next)).unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Every path in `code` that begins with the name `first`.
pub(crate) fn paths_from(code: &str, first: &str) -> Vec<Segments> {
    let prefix = format!("{first}::");
    let mut found = Vec::new();
    for at in starts(code, &prefix) {
        unfold(&code[at..], Vec::new(), &mut found);
    }
    found
}

fn starts<'a>(code: &'a str, prefix: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(prefix).map(|(at, _)| at).filter(|at| {
        let before = code.as_bytes()[..*at].last();
        before.is_none_or(|before| !is_word(*before) && *before != b':')
    })
}

/// Adds the paths that `text` begins with to `found`, each after `stem`; returns the text behind them.
fn unfold<'a>(text: &'a str, stem: Segments, found: &mut Vec<Segments>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut list) = text.strip_prefix('{') {
        loop {
            list = list.trim_start();
            if let Some(rest) = list.strip_prefix('}') {
                return rest;
            }
            let rest = unfold(list, stem.clone(), found);
            let Some(next) = rest.find([',', '}']) else { return "" };
            list = rest[next..].strip_prefix(',').unwrap_or(&rest[next..]);
        }
    }
    let end = text.bytes().position(|next| !is_word(next)).unwrap_or(text.len());
    let (name, rest) = text.strip_prefix('*').map_or_else(|| text.split_at(end), |rest| ("*", rest));
    let mut path = stem;
    path.push(name.to_owned());
    match rest.strip_prefix("::") {
        Some(rest) if rest.starts_with(|next: char| next == '{' || next == '*' || next.is_alphanumeric()) => {
            unfold(rest, path, found)
        }
        _ => {
            found.push(path);
            rest
        }
    }
}

/// The modules of a tree of sources, by path.
pub(crate) struct Modules {
    files: BTreeMap<Segments, String>,
    /// Re-exports of a module under another name: the module and the name, then the full path.
    handed_on: BTreeMap<(Segments, String), Segments>,
}

impl Modules {
    /// The modules of `product`, by their paths.
    pub(crate) fn new(product: &Tree) -> Self {
        let files: BTreeMap<Segments, String> = product
            .keys()
            .filter(|file| *file != "main.rs")
            .map(|file| (module_of(file), file.clone()))
            .collect();
        let mut modules = Self { files, handed_on: BTreeMap::new() };
        let mut handed_on = BTreeMap::new();
        for (module, file) in &modules.files {
            for path in reexports(&product[file]).iter().filter_map(|path| modules.absolute(module, path)) {
                if let Some(name) = path.last() {
                    handed_on.insert((module.clone(), name.clone()), path.clone());
                }
            }
        }
        modules.handed_on = handed_on;
        modules
    }

    /// Every path in `code`, of `file`, that leads into this crate, from its root.
    pub(crate) fn named_in(&self, file: &str, code: &str) -> BTreeSet<Segments> {
        let module = module_of(file);
        let children =
            self.files.keys().filter(|path| path.len() == module.len() + 1 && path.starts_with(&module));
        let firsts =
            children.filter_map(|path| path.last().map(String::as_str)).chain(["crate", "self", "super"]);
        let mut found = BTreeSet::new();
        for first in firsts.filter(|first| !module.is_empty() || *first == "crate") {
            found.extend(paths_from(code, first).iter().filter_map(|path| self.absolute(&module, path)));
        }
        found
    }

    /// The file in which what `path` names stands, re-exports followed.
    pub(crate) fn file_of(&self, path: &[String]) -> Option<&str> {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let depth = (0..=path.len()).rev().find(|depth| self.files.contains_key(&path[..*depth]))?;
            let (module, rest) = path.split_at(depth);
            let next = rest.first().and_then(|name| self.handed_on.get(&(module.to_vec(), name.clone())));
            match next {
                Some(next) if *next != path => path = [next.clone(), rest[1..].to_vec()].concat(),
                _ => return self.files.get(module).map(String::as_str),
            }
        }
        None
    }

    /// `path` as named in `module`, from the root of the crate; `None` if it leads out of it.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Segments> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let (stem, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (module, &path[1..]),
            "super" => (module.get(..module.len().checked_sub(ups)?)?, &path[ups..]),
            first => {
                let child = [module, &[first.to_owned()]].concat();
                self.files.contains_key(&child).then_some((module, path))?
            }
        };
        Some([stem, rest].concat())
    }
}

fn module_of(file: &str) -> Segments {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
}

/// `code` without the statements that hand names on (`pub use`).
pub(crate) fn without_reexports(code: &str) -> String {
    let mut kept = code.to_owned();
    for (start, end) in reexport_places(code) {
        kept.replace_range(start..end, &" ".repeat(end - start));
    }
    kept
}

fn reexports(code: &str) -> Vec<Segments> {
    let mut found = Vec::new();
    for (start, end) in reexport_places(code) {
        let statement = &code[start..end];
        let tree = statement.split_once("use ").map_or("", |(_, tree)| tree);
        unfold(tree, Vec::new(), &mut found);
    }
    found
}

fn reexport_places(code: &str) -> Vec<(usize, usize)> {
    let starts = ["pub use ", "pub(crate) use ", "pub(super) use "].into_iter();
    let found = starts.flat_map(|start| code.match_indices(start));
    found.map(|(at, _)| (at, statement_end(code, at))).collect()
}

fn statement_end(code: &str, from: usize) -> usize {
    code[from..].find(';').map_or_else(|| item_end(code, from), |length| from + length + 1)
}

#[test]
fn paths_are_unfolded_and_resolved() {
    let tree = crate::tree::tree(&[
        ("a/mod.rs", "pub mod b;\npub use b::{Deep, c::Other as Renamed};"),
        ("a/b.rs", ""),
        ("a/b/c.rs", ""),
        ("d.rs", ""),
    ]);
    let modules = Modules::new(&tree);
    let code = "use crate::{d::X, a::{self, b::{c::Y, Z}}};\nfn f() { super::super::d::g(); b::h() }";
    let named = modules.named_in("a/b/c.rs", code);
    let shown: Vec<String> = named.iter().map(|path| path.join("::")).collect();
    assert_eq!(shown, ["a::b::Z", "a::b::c::Y", "a::d::g", "a::self", "d::X"]);
    let file = |path: &str| modules.file_of(&path.split("::").map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(file("a::Deep"), Some("a/b.rs"));
    assert_eq!(file("a::b::c::Y"), Some("a/b/c.rs"));
    assert_eq!(file("a::Unknown"), Some("a/mod.rs"));
    assert_eq!(file("e::X"), None);
    assert_eq!(names_after("bincode::encode(x)", "bincode::").collect::<Vec<_>>(), ["encode"]);
    assert_eq!(names_after("my_bincode::encode(x)", "bincode::").count(), 0);
}
