//! Checks prose against the rule sheet of `CONTRIBUTING.md` as far as possible: counts phrases in comments, in error
//! messages and in documents, and words in the names of functions.
//!
//! `words.txt` lists the number that each file still has. See `ratchet` for how to lower it.

use std::collections::BTreeMap;

use crate::ratchet::{self, Counts};
use crate::tree::{self, Tree, split};
use crate::{Outcome, none};

const LIST: &str = "tests/tidy/words.txt";
/// Phrases that the rule sheet replaces. They may be quoted, in back-ticks or quotation marks.
const PHRASES: &[&str] = &[
    "nothing where",
    "nothing for",
    "in the making",
    "that which",
    "whoever",
    "whomever",
    "somebody",
    "tell",
    "tells",
    "telling",
    "told",
    "someone",
    "sought",
    "heed",
    "heeds",
    "heeded",
    "also where",
    "even where",
    "empty where",
    "none where",
    "where there is",
    "where there are",
    "where none",
    "where nothing",
    "where nobody",
];
/// How a sentence about an error or a result must not begin, in the comments of code.
const OPENING: &str = "where ";

/// The paragraphs of the comments in a Rust text.
fn comment_paragraphs(text: &str) -> Vec<String> {
    let comments = split(text).comments;
    paragraphs(comments.lines().map(|line| {
        let line = line.trim();
        line.trim_start_matches('/').trim_start_matches('!').trim_matches('*').trim()
    }))
}

/// The paragraphs of a document, without its code and the targets of its links.
fn document_paragraphs(text: &str) -> Vec<String> {
    let mut is_code = false;
    let lines = text.lines().map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || line.starts_with("    ") { "" } else { line.trim() }
    });
    paragraphs(lines)
}

/// Joins lines to paragraphs: a blank line, a heading, an entry of a list or a row of a table begins a new
/// one.
fn paragraphs<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = vec![String::new()];
    let mut was_heading = false;
    for line in lines {
        let is_heading = line.starts_with("# ") || line.starts_with("## ") || line.starts_with('|');
        if line.is_empty() || is_heading || was_heading || line.starts_with("- ") {
            found.push(String::new());
        }
        if let Some(last) = found.last_mut() {
            last.push_str(line);
            last.push(' ');
        }
        was_heading = is_heading;
    }
    found.retain(|paragraph| !paragraph.trim().is_empty());
    found
}

/// `paragraph` in lower case, without what it quotes.
fn own_words(paragraph: &str) -> String {
    let without = |text: &str, quote: char| text.split(quote).step_by(2).collect::<Vec<_>>().join(" ");
    let text = without(&without(paragraph, '`'), '"').to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn faults(paragraphs: &[String], is_code: bool) -> usize {
    let count = |text: &str, phrase: &str| {
        let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
        let ends = text.match_indices(phrase).map(|(at, _)| (at, at + phrase.len()));
        ends.filter(|(at, end)| {
            !is_letter(text[..*at].chars().next_back()) && !is_letter(text[*end..].chars().next())
        })
        .count()
    };
    let in_paragraph = |paragraph: &String| {
        let text = own_words(paragraph);
        let phrases: usize = PHRASES.iter().map(|phrase| count(&text, phrase)).sum();
        phrases + usize::from(is_code && text.starts_with(OPENING))
    };
    paragraphs.iter().map(in_paragraph).sum()
}

/// The sentences of the errors that `thiserror` derives, with their quotation marks as they are shown.
fn error_sentences(text: &str) -> Vec<String> {
    let sentence = |(at, start): (usize, &str)| {
        let attribute = text[at + start.len()..].split(")]").next()?;
        let (_, from_quote) = attribute.split_once('"')?;
        Some(from_quote.rsplit_once('"')?.0.replace("\\\"", "\""))
    };
    text.match_indices("#[error(").filter_map(sentence).collect()
}

/// How many functions of a Rust text have a name with one of [`PHRASES`] that is a single word.
fn names_at_fault(text: &str) -> usize {
    let code = split(text).code;
    let names =
        code.split_whitespace().zip(code.split_whitespace().skip(1)).filter(|(word, _)| *word == "fn");
    let is_at_fault = |name: &str| name.split(['_', '(', '<']).any(|word| PHRASES.contains(&word));
    names.filter(|(_, name)| is_at_fault(name.split('(').next().unwrap_or(name))).count()
}

/// How many faults each file has; files without one are left out.
fn counts(rust: &Tree, documents: &Tree) -> Counts {
    let in_text = |text: &str| {
        faults(&comment_paragraphs(text), true) + faults(&error_sentences(text), false) + names_at_fault(text)
    };
    let in_rust = rust.iter().map(|(file, text)| (file, in_text(text)));
    let in_documents = documents.iter().map(|(file, text)| (file, faults(&document_paragraphs(text), false)));
    let all = in_rust.chain(in_documents).filter(|(_, count)| *count > 0);
    all.map(|(file, count)| (file.clone(), count)).collect::<BTreeMap<_, _>>()
}

#[test]
fn prose_keeps_to_the_rule_sheet() -> Outcome {
    let found = counts(&tree::files("", "rs")?, &tree::files("", "md")?);
    none(&ratchet::check(LIST, &found)?);
    Ok(())
}

/// The control: each phrase, also over two lines, and none that is quoted, code or a part of a word.
#[test]
fn a_phrase_of_the_old_kind_is_caught() {
    for phrase in PHRASES {
        let text = format!("//! Head.\n\n/// Returns {} it.\nfn f() {{}}\n", phrase.replace(' ', "\n/// "));
        let documents = tree::tree(&[("a.md", &format!("# Title\n\n- Is {phrase}, or \"{phrase}\".\n"))]);
        let found = counts(&tree::tree(&[("a.rs", &text)]), &documents);
        assert_eq!(found, Counts::from([("a.md".to_owned(), 1), ("a.rs".to_owned(), 1)]), "{phrase}");
    }
    let opening = "/// # Errors\n/// Where it fails.\n///\n/// Where: here, where it is.\nfn f() {}\n";
    assert_eq!(faults(&comment_paragraphs(opening), true), 1);
    let errors =
        "#[@(\"it tells no salt\")]\nA,\n#[@(\n    \"says \\\"told\\\"\"\n)]\nB,\n".replace('@', "error");
    assert_eq!(faults(&error_sentences(&errors), false), 1);
    let names = "fn whoever_asks() {}\nfn foretold(told: u8) {}\nfn is_told<T>() {}\nfn somewhere() {}\n";
    assert_eq!(names_at_fault(names), 2);
    let fine = "//! Retold storytellers, `told`.\nfn told() { \"somebody\" }\n";
    assert_eq!(faults(&comment_paragraphs(fine), true), 0);
    let fine = "# Where to look\n\nWhere logs go.\n\n```text\nwhoever\n```\n\n    whoever\n";
    assert_eq!(faults(&document_paragraphs(fine), false), 0);
}
