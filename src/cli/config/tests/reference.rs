//! `docs/configuration.md`: its tables come from the sample configuration in `deploy/`, key by key.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::config::variables::{FLAGS, KEYS};
use crate::cli::environment;

/// Separates the text that people write from the tables that this test writes.
const MARK: &str = "<!-- From deploy/kith.toml by `UPDATE_DOCS=1 cargo test --lib reference`. -->\n";
/// The start of a comment on a key that is off by default.
const OFF: &str = "Off; ";

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The tables of `sample`, one per section. A comment belongs to the key or section after it.
fn tables(sample: &str) -> String {
    let (mut text, mut section, mut comment) = (String::new(), String::new(), String::new());
    for line in sample.lines() {
        if let Some(words) = line.strip_prefix("# ") {
            comment.push_str(if comment.is_empty() { "" } else { " " });
            comment.push_str(words);
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_owned();
            let _ = write!(text, "\n## [{section}]\n\n");
            if !comment.is_empty() {
                let _ = write!(text, "{comment}\n\n");
            }
            text.push_str("| key | default | meaning |\n| --- | --- | --- |\n");
            comment.clear();
        } else if let Some((key, value)) = line.strip_prefix('#').and_then(|key| key.split_once(" = ")) {
            text.push_str(&row(&section, key, value, &comment));
            comment.clear();
        } else {
            comment.clear();
        }
    }
    text
}

/// The row of one key. A key that is off shows its value as an example.
fn row(section: &str, key: &str, value: &str, comment: &str) -> String {
    let name = format!("KITH_{}__{}", section.to_uppercase(), key.to_uppercase());
    let (default, meaning) = match comment.strip_prefix(OFF) {
        Some(meaning) => ("off".to_owned(), format!("{meaning} For example `{value}`.")),
        None => (format!("`{value}`"), comment.to_owned()),
    };
    let meaning = meaning
        .chars()
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(meaning.chars().skip(1)).collect());
    format!("| `{key}`<br>`{name}` | {default} | {meaning} |\n")
}

#[test]
fn the_page_has_every_key_and_flag_as_the_sample_has_them() -> Result<(), Box<dyn Error>> {
    let (path, sample) = (file("docs/configuration.md"), std::fs::read_to_string(file("deploy/kith.toml"))?);
    let page = std::fs::read_to_string(&path)?;
    let (head, _) = page.split_once(MARK).ok_or("the page lacks its mark")?;
    let made = format!("{head}{MARK}{}", tables(&sample));
    if environment::lossy("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made)?;
    }
    assert_eq!(std::fs::read_to_string(&path)?, made, "UPDATE_DOCS=1 writes it again");
    for name in KEYS.iter().chain(FLAGS) {
        assert!(made.contains(&format!("`KITH_{name}`")), "{name}");
    }
    Ok(())
}

/// The control: a sample without a key, or without its comment.
#[test]
fn a_key_that_is_missing_or_has_no_meaning_shows() {
    let made = tables("# Page.\n[explorer]\n# Whether the page is served.\n#enabled = true\n#other = 1\n");
    assert!(made.contains("## [explorer]\n\nPage.\n\n| key"), "{made}");
    assert!(
        made.contains("| `enabled`<br>`KITH_EXPLORER__ENABLED` | `true` | Whether the page is served. |")
    );
    assert!(made.contains("| `other`<br>`KITH_EXPLORER__OTHER` | `1` |  |"), "{made}");
    assert!(!made.contains("KITH_MCP__ENABLED"));
}

#[test]
fn every_key_of_the_sample_has_a_meaning() -> Result<(), Box<dyn Error>> {
    let made = tables(&std::fs::read_to_string(file("deploy/kith.toml"))?);
    let silent: Vec<&str> = made.lines().filter(|line| line.ends_with("|  |")).collect();
    assert_eq!(silent, <[&str; 0]>::default());
    Ok(())
}
