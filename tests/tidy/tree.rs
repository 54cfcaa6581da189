//! The files of the repository, with the code, comments and tests of each Rust file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Texts by path, with `/` between folders.
pub(crate) type Tree = BTreeMap<String, String>;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of one file below the root.
pub(crate) fn read(path: &str) -> io::Result<String> {
    fs::read_to_string(root().join(path))
}

/// Every file below `folder` whose name ends in `.extension`, by its path from there. Build folders,
/// hidden folders and what npm installs are left out.
pub(crate) fn files(folder: &str, extension: &str) -> io::Result<Tree> {
    let top = root().join(folder);
    let mut folders: Vec<PathBuf> = vec![top.clone()];
    let mut files = Tree::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type()?.is_dir() {
                if name != "target" && name != "node_modules" && !name.to_string_lossy().starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                let name = path.strip_prefix(&top).map_err(io::Error::other)?;
                files.insert(name.to_string_lossy().replace('\\', "/"), fs::read_to_string(&path)?);
            }
        }
    }
    Ok(files)
}

/// A crate of the workspace.
pub(crate) struct Crate {
    pub(crate) name: &'static str,
    /// Its folder, with a `/` behind it; empty at the root.
    folder: &'static str,
    /// The name of its only room, if it is one: its files stand directly below its `src`.
    pub(crate) only_room: Option<&'static str>,
}

/// The folders of the program's `src` that only group rooms, lowest first.
const GROUPS: [&str; 7] = ["machine", "observe", "finding", "callers", "networks", "answers", "front"];

/// The crates, lowest first.
pub(crate) const CRATES: [Crate; 6] = [
    Crate { name: "kith", folder: "crates/kith/", only_room: None },
    Crate { name: "kith-embed", folder: "crates/kith-embed/", only_room: Some("embed") },
    Crate { name: "kith-tables", folder: "crates/kith-tables/", only_room: None },
    Crate { name: "kith-import", folder: "crates/kith-import/", only_room: Some("import") },
    Crate { name: "kith-generate", folder: "crates/kith-generate/", only_room: Some("generate") },
    Crate { name: "kith-server", folder: "", only_room: None },
];

impl Crate {
    /// Its source files, by their paths below its `src`, without the folders that only group rooms.
    pub(crate) fn sources(&self) -> io::Result<Tree> {
        let files = files(&format!("{}src", self.folder), "rs")?;
        let in_room = |path: String| match path.split_once('/') {
            Some((group, inside)) if self.folder.is_empty() && GROUPS.contains(&group) => inside.to_owned(),
            _ => path,
        };
        Ok(files.into_iter().map(|(path, text)| (in_room(path), text)).collect())
    }

    /// Its root, which declares its rooms.
    pub(crate) fn root(&self) -> io::Result<String> {
        read(&format!("{}src/lib.rs", self.folder))
    }

    /// Its manifest.
    pub(crate) fn manifest(&self) -> io::Result<String> {
        read(&format!("{}Cargo.toml", self.folder))
    }
}

/// Every source file of all crates, by its path below their `src`. A crate that is one room is a folder by that room's name,
/// and the bounds of a crate are a file by its name in the folder `limits`. Roots that only list rooms are left out.
pub(crate) fn sources() -> io::Result<Tree> {
    let mut sources = Tree::new();
    for each in &CRATES {
        for (path, text) in each.sources()? {
            let path = match (each.only_room, path.as_str()) {
                (Some(room), "lib.rs") => format!("{room}/mod.rs"),
                (Some(room), _) => format!("{room}/{path}"),
                (None, "lib.rs") => continue,
                (None, "limits.rs") => format!("limits/{}.rs", each.name),
                (None, _) => path,
            };
            assert!(sources.insert(path.clone(), text).is_none(), "two crates have {path}");
        }
    }
    assert!(sources.len() > 30, "only {} source files found", sources.len());
    Ok(sources)
}

/// A tree written in a control.
pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// The room of a source file: the first folder or file name below `src`.
pub(crate) fn room_of(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or(file)
}

/// The code that goes into the product: without comments, the insides of literals and unit tests. Each
/// file keeps its length and its lines.
pub(crate) fn product(sources: &Tree) -> Tree {
    let code: Tree = sources.iter().map(|(file, text)| (file.clone(), split(text).code)).collect();
    let tests: BTreeSet<String> = code
        .iter()
        .flat_map(|(file, code)| test_modules(file, code))
        .filter(|file| code.contains_key(file))
        .collect();
    code.iter()
        // Networks as text, for tests alone: a feature of the engine, whose root this tree leaves out.
        .filter(|(file, _)| room_of(file) != "sketch" && !tests.iter().any(|test| is_within(file, test)))
        .map(|(file, code)| (file.clone(), without_tests(code)))
        .collect()
}

/// Whether `file` is the module file `test`, or in the folder of that module.
fn is_within(file: &str, test: &str) -> bool {
    let stem = test.strip_suffix(".rs").unwrap_or(test);
    let folder = stem.strip_suffix("/mod").unwrap_or(stem);
    file == test || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The files that `code`, of `file`, declares for tests alone (`#[cfg(test)] mod tests;`).
fn test_modules(file: &str, code: &str) -> Vec<String> {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let folder = match stem.rsplit_once('/') {
        Some((folder, "mod")) => folder.to_owned(),
        _ if matches!(stem, "lib" | "main") => String::new(),
        _ => stem.to_owned(),
    };
    let prefix = if folder.is_empty() { folder } else { format!("{folder}/") };
    let mut found = Vec::new();
    let marks = TEST_MARKS.iter().flat_map(|mark| code.match_indices(mark));
    for (at, mark) in marks {
        let item = code[at + mark.len()..].split(['{', ';']).next().unwrap_or("");
        let mut words = item.split_whitespace().skip_while(|word| *word != "mod").skip(1);
        if let Some(name) = words.next() {
            found.push(format!("{prefix}{name}.rs"));
            found.push(format!("{prefix}{name}/mod.rs"));
        }
    }
    found
}

/// Attributes before an item that is not in the product.
const TEST_MARKS: [&str; 2] = ["#[cfg(test)]", "#[cfg(any(test, feature = \"      \"))]"];

/// `code` with every item under `#[cfg(test)]` blanked.
fn without_tests(code: &str) -> String {
    let mut kept = code.to_owned();
    while let Some((start, mark)) = TEST_MARKS.iter().find_map(|mark| Some((kept.find(mark)?, mark))) {
        let end = item_end(&kept, start + mark.len());
        let blank: String = kept[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        kept.replace_range(start..end, &blank);
    }
    kept
}

/// The end of the item that begins at `from`: after its `;`, or after the brace that closes its body.
pub(crate) fn item_end(code: &str, from: usize) -> usize {
    let (mut braces, mut others) = (0_usize, 0_usize);
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => others += 1,
            b')' | b']' => others = others.saturating_sub(1),
            b'{' => braces += 1,
            b'}' => {
                braces = braces.saturating_sub(1);
                if braces == 0 && others == 0 {
                    return at + 1;
                }
            }
            b';' if braces == 0 && others == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// A Rust text in two halves, each as long as the whole and with its line breaks.
pub(crate) struct Halves {
    /// Code; comments and the insides of literals are blank.
    pub(crate) code: String,
    /// Comments with their slashes; everything else is blank.
    pub(crate) comments: String,
}

/// Cuts `text` into code and comments.
pub(crate) fn split(text: &str) -> Halves {
    let bytes = text.as_bytes();
    let blank = || bytes.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }).collect::<Vec<u8>>();
    let (mut code, mut comments) = (blank(), blank());
    let mut at = 0;
    while at < bytes.len() {
        let (end, is_comment, is_literal) = token(bytes, at);
        if is_comment {
            comments[at..end].copy_from_slice(&bytes[at..end]);
        } else if is_literal {
            // The quotes stay, so that no two words grow together.
            code[at] = b'"';
            code[end - 1] = b'"';
        } else {
            code[at..end].copy_from_slice(&bytes[at..end]);
        }
        at = end;
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Halves { code: text(code), comments: text(comments) }
}

/// The end of the token at `at`, and whether it is a comment or a literal in quotes.
fn token(bytes: &[u8], at: usize) -> (usize, bool, bool) {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        return (at + length, true, false);
    }
    if rest.starts_with(b"/*") {
        return (at + block_comment(rest), true, false);
    }
    let is_in_word = at > 0 && is_word(bytes[at - 1]);
    let literal = match rest[0] {
        b'"' => Some(quoted(rest, b'"')),
        b'\'' => char_literal(rest),
        b'r' | b'b' | b'c' if !is_in_word => raw_literal(rest),
        _ => None,
    };
    match literal {
        Some(length) => (at + length, false, true),
        None => (at + 1, false, false),
    }
}

/// Whether `byte` can stand in a name.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a character in quotes, or `None` if the quote begins a lifetime.
fn char_literal(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        return Some(quoted(rest, b'\''));
    }
    // One character is at most four bytes; a lifetime has no quote after its first.
    let width = 1 + rest.get(2..5)?.iter().take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count();
    (rest.get(1 + width) == Some(&b'\'')).then_some(width + 2)
}

/// The length of `r"…"`, `r#"…"#`, `br"…"`, or `None` if this begins something else.
fn raw_literal(rest: &[u8]) -> Option<usize> {
    let prefix = rest.iter().take_while(|byte| matches!(byte, b'b' | b'c')).count();
    if rest.get(prefix) != Some(&b'r') {
        return None;
    }
    let hashes = rest[prefix + 1..].iter().take_while(|byte| **byte == b'#').count();
    let start = prefix + 1 + hashes;
    if rest.get(start) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let end = rest[start + 1..].windows(close.len()).position(|window| window == close);
    Some(end.map_or(rest.len(), |end| start + 1 + end + close.len()))
}

#[test]
fn code_comments_and_tests_are_taken_apart() {
    let text = "fn f<'a>(x: &'a str) { g('}', \"// no { comment\", r#\"a \"quoted\" }\"#); } // crate::api\n\
                /* crate::x /* y */ */ fn h() {}\n#[cfg(test)]\nmod tests { fn t() {} }\nfn after() {}\n";
    let halves = split(text);
    assert_eq!(halves.code.len(), text.len());
    assert!(
        !halves.code.contains("crate::")
            && !halves.code.contains("comment")
            && !halves.code.contains('"'.to_string().repeat(3).as_str())
    );
    assert!(halves.comments.contains("// crate::api") && halves.comments.contains("crate::x"));
    let product = product(&tree(&[
        ("a/mod.rs", text),
        ("b.rs", "#[cfg(test)]\nmod drawn;\nfn kept() {}"),
        ("b/drawn.rs", "fn gone() {}"),
    ]));
    assert!(product["a/mod.rs"].contains("fn after() {}") && !product["a/mod.rs"].contains("fn t()"));
    assert!(product["b.rs"].contains("kept") && !product.contains_key("b/drawn.rs"));
}
