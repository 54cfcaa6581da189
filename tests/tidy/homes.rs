//! Every dependency has a home, and is used only there.

use crate::home_list::HOMES;
use crate::tree::{self, Tree};
use crate::uses::names_after;
use crate::{Outcome, none};

/// The files that may call what `clippy.toml` bans elsewhere.
const DOORS: &[&str] = &["clock.rs", "cli/environment.rs", "cli/browser.rs", "telemetry/exporter.rs"];

type Homes<'a> = [(&'a str, &'a [&'a str])];

/// The libraries under `[dependencies]` of a manifest, and those of one system, as code names them.
fn dependencies(manifest: &str) -> Vec<String> {
    let sections = manifest.split("\n[").filter_map(|section| section.split_once(']'));
    let listed = sections.filter(|(name, _)| {
        *name == "dependencies" || (name.starts_with("target.") && name.ends_with(".dependencies"))
    });
    let lines = listed.flat_map(|(_, section)| section.lines());
    let lines = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()));
    let names = lines.filter_map(|line| line.split(['=', ' ', '.']).next());
    names.map(|name| name.replace('-', "_")).collect()
}

/// Dependencies without a row in `homes`, and rows without a dependency.
fn unlisted(dependencies: &[String], homes: &Homes<'_>) -> Vec<String> {
    let homeless = dependencies.iter().filter(|name| !homes.iter().any(|(library, _)| library == name));
    let gone = homes.iter().filter(|(library, _)| !dependencies.iter().any(|name| name == library));
    homeless
        .map(|name| format!("{name} has no home"))
        .chain(gone.map(|(library, _)| format!("{library} has a home and is no dependency")))
        .collect()
}

/// Libraries named away from home, and homes that do not exist or do not use what lives there.
fn findings(product: &Tree, homes: &Homes<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (library, places) in homes {
        let users = product.iter().filter(|(_, code)| is_named(library, code));
        let users: Vec<&str> = users.map(|(file, _)| file.as_str()).collect();
        for file in users.iter().filter(|file| !places.iter().any(|place| is_in(file, place))) {
            found.push(format!("{file} names {library}, whose home is {places:?}"));
        }
        for place in places.iter().filter(|place| !users.iter().any(|file| is_in(file, place))) {
            found.push(format!("{library} is at home in {place}, which does not name it"));
        }
    }
    found
}

/// Whether `code` names the library, in a path or as an attribute of its derive.
fn is_named(library: &str, code: &str) -> bool {
    let path = format!("{library}::");
    names_after(code, &path).next().is_some() || code.contains(&format!("#[{library}("))
}

fn is_in(file: &str, place: &str) -> bool {
    file.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest == ".rs" || rest.starts_with('/'))
}

/// Files that switch the ban off, and doors that no longer do.
fn doors(product: &Tree, listed: &[&str]) -> Vec<String> {
    let is_open = |code: &str| {
        let mut switches = code.match_indices("clippy::disallowed_methods").map(|(at, _)| &code[..at]);
        switches.any(|before| before.trim_end().ends_with("allow(") || before.trim_end().ends_with("expect("))
    };
    let open: Vec<&str> =
        product.iter().filter(|(_, code)| is_open(code)).map(|(file, _)| file.as_str()).collect();
    let strange = open.iter().filter(|file| !listed.contains(file)).map(|file| format!("{file} is no door"));
    let shut =
        listed.iter().filter(|file| !open.contains(file)).map(|file| format!("{file} is no door any more"));
    strange.chain(shut).collect()
}

#[test]
fn banned_methods_are_called_through_their_doors_alone() -> Outcome {
    none(&doors(&tree::product(&tree::sources()?), DOORS));
    Ok(())
}

#[test]
fn every_dependency_has_a_home() -> Outcome {
    let mut names = Vec::new();
    for each in &tree::CRATES {
        names.extend(dependencies(&each.manifest()?));
    }
    names.retain(|name| !tree::CRATES.iter().any(|each| each.name.replace('-', "_") == *name));
    none(&unlisted(&names, HOMES));
    Ok(())
}

#[test]
fn libraries_are_named_in_their_homes_alone() -> Outcome {
    none(&findings(&tree::product(&tree::sources()?), HOMES));
    Ok(())
}

/// The controls: a library away from home, one without a home, and homes that are out of date.
#[test]
fn a_library_away_from_home_is_caught() {
    let sources = tree::tree(&[
        ("graph/index.rs", "use csv::Reader;\nfn f() { \"serde::x\"; my_serde::y() }\n#[zstd(x)]"),
        (
            "source/csv_rows.rs",
            "use csv::Reader;\n// serde::z\n#[cfg(test)]\nmod tests { use serde::Serialize; }",
        ),
    ]);
    assert_eq!(
        findings(
            &tree::product(&sources),
            &[("csv", &["source"]), ("serde", &["source/csv_rows.rs"]), ("zstd", &[])]
        ),
        [
            "graph/index.rs names csv, whose home is [\"source\"]",
            "serde is at home in source/csv_rows.rs, which does not name it",
            "graph/index.rs names zstd, whose home is []",
        ]
    );
    let manifest = "[package]\nname = \"x\"\n\n[dependencies]\n# --- tables\ncsv = \"1\" # RFC 4180\n\
                    hyper-util.workspace = true\n\n[target.'cfg(unix)'.dependencies]\nnix = \"1\"\n\n\
                    [dev-dependencies]\nserde = \"1\"\n";
    assert_eq!(
        unlisted(&dependencies(manifest), &[("csv", &["source"]), ("zstd", &["source"])]),
        ["hyper_util has no home", "nix has no home", "zstd has a home and is no dependency"]
    );
}

#[test]
fn a_strange_door_is_caught() {
    let sources = tree::tree(&[
        ("clock.rs", "#[expect(clippy::disallowed_methods, reason = \"home\")]\nfn now() {}"),
        ("graph/index.rs", "#![allow(\n    clippy::disallowed_methods)]\nfn f() {}"),
        ("lib.rs", "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]"),
        ("shut.rs", "// #[expect(clippy::disallowed_methods)]"),
    ]);
    assert_eq!(
        doors(&tree::product(&sources), &["clock.rs", "shut.rs"]),
        ["graph/index.rs is no door", "shut.rs is no door any more"]
    );
}
