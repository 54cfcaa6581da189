//! The Rust that `Cargo.toml` declares is enough for every dependency.
//!
//! Clippy (`incompatible_msrv`) checks the crate itself, as does a build with that Rust in `.ci/run` if it is
//! installed.
//!
//! Promise: The declared Rust is enough.
//! Control: a dependency that asks for more.

use std::error::Error;
use std::process::Command;

use serde_json::Value;

use crate::{Outcome, none};

/// A release of Rust; what is not said is 0.
type Release = [u64; 3];

fn release(text: &str) -> Release {
    let mut parts = text.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

/// What `cargo metadata` says of this package and all that it is built from, on this machine's platform.
/// Needs no network: a build has fetched all of it.
fn metadata() -> Result<Value, Box<dyn Error>> {
    let version = Command::new("rustc").arg("-vV").output()?.stdout;
    let version = String::from_utf8(version)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The packages of `metadata` that ask for a newer Rust than its root does.
fn findings(metadata: &Value) -> Vec<String> {
    let list = |value: &'static str, within: &Value| within[value].as_array().cloned().unwrap_or_default();
    let used: Vec<Value> =
        list("nodes", &metadata["resolve"]).iter().map(|node| node["id"].clone()).collect();
    let packages = list("packages", metadata);
    let asks = |package: &Value| package["rust_version"].as_str().map(release);
    let root = packages.iter().find(|package| package["id"] == metadata["resolve"]["root"]);
    let Some(ours) = root.and_then(asks) else {
        return vec!["Cargo.toml declares no rust-version".to_owned()];
    };
    packages
        .iter()
        .filter(|package| used.contains(&package["id"]) && asks(package).is_some_and(|theirs| theirs > ours))
        .map(|package| {
            let [name, version, asked] = ["name", "version", "rust_version"].map(|key| package[key].as_str());
            let shown = [name, version, asked].map(Option::unwrap_or_default);
            format!("{} {} asks for Rust {}, more than our rust-version", shown[0], shown[1], shown[2])
        })
        .collect()
}

#[test]
fn no_dependency_asks_for_a_newer_rust_than_we_declare() -> Outcome {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().map_or(0, Vec::len);
    assert!(packages > 100, "cargo names {packages} packages");
    none(&findings(&metadata));
    Ok(())
}

/// The control.
#[test]
fn a_dependency_that_asks_for_a_newer_rust_is_caught() {
    let package = |id: &str, rust: Option<&str>| serde_json::json!({ "id": id, "name": id, "version": "1.2.3", "rust_version": rust });
    let mut metadata = serde_json::json!({
        "packages": [
            package("us", Some("1.89")),
            package("same", Some("1.89.0")),
            package("newer", Some("1.100")),
            package("newer-patch", Some("1.89.1")),
            package("silent", None),
            package("unused", Some("1.99")),
        ],
        "resolve": {
            "root": "us",
            "nodes": [{ "id": "us" }, { "id": "same" }, { "id": "newer" }, { "id": "newer-patch" }, { "id": "silent" }],
        },
    });
    assert_eq!(
        findings(&metadata),
        [
            "newer 1.2.3 asks for Rust 1.100, more than our rust-version",
            "newer-patch 1.2.3 asks for Rust 1.89.1, more than our rust-version",
        ]
    );
    metadata["packages"][0]["rust_version"] = Value::Null;
    assert_eq!(findings(&metadata), ["Cargo.toml declares no rust-version"]);
}
