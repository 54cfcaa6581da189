//! Every place that repeats the version of `Cargo.toml` agrees with it, and the version has a heading in the changelog
//! and its API document.
//!
//! Promise: Every place that repeats the version has that of `Cargo.toml`, and the version has its API document.
//! Control: the version raised in the manifest alone.

use std::io;

use crate::tree::{self, Tree};
use crate::{Outcome, none};

/// Files that repeat the version, and the texts around it.
const PLACES: &[(&str, &str, &str)] = &[
    ("Cargo.lock", "name = \"kith-server\"\nversion = \"", "\""),
    ("fuzz/Cargo.lock", "name = \"kith-server\"\nversion = \"", "\""),
    ("clients/python/pyproject.toml", "name = \"kith-client\"\nversion = \"", "\""),
    ("clients/typescript/package.json", "\"name\": \"kith-client\",\n    \"version\": \"", "\""),
    ("clients/typescript/package-lock.json", "\"name\": \"kith-client\",\n    \"version\": \"", "\""),
    ("clients/typescript/README.md", "kith-client-", ".tgz"),
    ("CHANGELOG.md", "\n## ", "\n"),
];

/// The files of a release; one that is missing is left out.
fn release() -> io::Result<Tree> {
    let mut files = tree::files("docs/api", "json")?;
    files = files.into_iter().map(|(name, text)| (format!("docs/api/{name}"), text)).collect();
    for path in PLACES.iter().map(|(path, ..)| *path).chain(["Cargo.toml"]) {
        files.insert(path.to_owned(), tree::read(path)?);
    }
    Ok(files)
}

fn version_of(manifest: &str) -> Option<&str> {
    manifest.split_once("\nversion = \"")?.1.split('"').next()
}

fn findings(files: &Tree) -> Vec<String> {
    let text = |path: &str| files.get(path).map_or("", String::as_str);
    let Some(version) = version_of(text("Cargo.toml")) else {
        return vec!["Cargo.toml has no version".to_owned()];
    };
    let mut findings: Vec<String> = PLACES
        .iter()
        .filter(|(path, before, after)| !text(path).contains(&format!("{before}{version}{after}")))
        .map(|(path, ..)| format!("{path} does not have version {version}"))
        .collect();
    let document = format!("docs/api/{version}.json");
    if !text(&document).contains(&format!("\"version\": \"{version}\"")) {
        findings.push(format!("{document} is not the document of {version}: docs/promise.md, A release"));
    }
    findings
}

#[test]
fn every_place_has_the_version_of_the_manifest() -> Outcome {
    none(&findings(&release()?));
    Ok(())
}

/// The control: the same files with another version in the manifest.
#[test]
fn a_version_that_was_raised_in_one_place_alone_is_caught() -> Outcome {
    let mut files = release()?;
    let manifest = files["Cargo.toml"].clone();
    let version = version_of(&manifest).ok_or("no version")?.to_owned();
    files.insert("Cargo.toml".to_owned(), manifest.replacen(&version, "99.0.0", 1));
    assert_eq!(findings(&files).len(), PLACES.len() + 1);
    Ok(())
}
