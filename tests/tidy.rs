//! Holds the source to the map in `ARCHITECTURE.md`: who may import whom, where each library lives,
//! and that every file says what it is for.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Layers, lowest first. A file may import from its own layer and from those listed with it.
const LAYERS: &[(&str, &[&str])] = &[
    ("limits", &[]),
    ("model", &["limits"]),
    ("embed", &["model"]),
    ("prepare", &["limits", "model", "embed"]),
    ("source", &["limits", "model", "prepare"]),
    ("snapshot", &["limits", "model", "prepare"]),
    ("generate", &["limits", "model"]),
    ("graph", &["limits", "model"]),
    ("relational", &["limits", "model", "snapshot"]),
    ("query", &["limits", "model", "graph"]),
    ("search", &["limits", "model", "embed", "relational", "graph", "query"]),
    ("file_look", &[]),
    ("outbound", &[]),
    ("telemetry", &["outbound"]),
    ("language_model", &["limits", "model", "search", "outbound"]),
    ("suppress", &["limits", "model", "query", "file_look"]),
    (
        "live",
        &["limits", "model", "prepare", "snapshot", "relational", "graph", "search", "file_look", "suppress"],
    ),
    ("auth", &["limits", "model", "file_look", "outbound"]),
    ("turns", &[]),
    ("api", &["limits", "model", "graph", "query", "search", "language_model", "live", "auth", "turns"]),
    ("server", &["limits", "api"]),
    (
        "cli",
        &[
            "limits",
            "model",
            "embed",
            "prepare",
            "source",
            "snapshot",
            "generate",
            "relational",
            "graph",
            "query",
            "search",
            "language_model",
            "suppress",
            "live",
            "auth",
            "turns",
            "telemetry",
            "api",
            "server",
        ],
    ),
];

/// Libraries with a home: named in these places alone (a layer, or a file below `src`).
const HOMES: &[(&str, &[&str])] = &[
    ("arc_swap", &["live/networks.rs", "live/suppression.rs", "server/tls.rs"]),
    ("async_trait", &["telemetry/collector.rs"]),
    ("axum", &["api", "server"]),
    ("bincode", &["snapshot/codec.rs", "snapshot/record.rs"]),
    ("blake3", &["snapshot", "suppress"]),
    ("clap", &["cli"]),
    ("config", &["cli/config.rs"]),
    ("crc32fast", &["auth"]),
    ("csv", &["source"]),
    ("data_encoding", &["auth/jwt"]),
    ("dashmap", &["language_model/cache.rs"]),
    ("fixedbitset", &["graph", "query"]),
    ("flate2", &["api/compress.rs", "source", "generate"]),
    ("futures_util", &["api"]),
    ("hashbrown", &["graph", "source", "embed/wordpiece.rs"]),
    (
        "hyper",
        &[
            "server",
            "outbound",
            "telemetry",
            "language_model/client.rs",
            "language_model/settings.rs",
            "auth/jwt",
        ],
    ),
    ("hyper_rustls", &["outbound/client.rs"]),
    ("hyper_util", &["server", "outbound/client.rs"]),
    ("indicatif", &["cli/progress.rs"]),
    ("httpdate", &["server/refusal.rs"]),
    ("memchr", &["query", "server/refusal.rs"]),
    ("opentelemetry", &["telemetry/exporter.rs", "api/traces.rs"]),
    ("opentelemetry_http", &["telemetry/collector.rs"]),
    ("opentelemetry_otlp", &["telemetry/exporter.rs"]),
    ("opentelemetry_sdk", &["telemetry/exporter.rs", "api/traces.rs"]),
    ("petgraph", &["graph/analytics.rs"]),
    ("prometheus", &["api/metrics.rs"]),
    ("rand_chacha", &["generate"]),
    ("rapidfuzz", &["query/name_match.rs", "search/parse/tokens.rs"]),
    (
        "rayon",
        &[
            "prepare",
            "source",
            "snapshot",
            "graph",
            "query/people_search.rs",
            "embed/dot.rs",
            "search",
            "suppress/list.rs",
        ],
    ),
    ("ring", &["auth/jwt/key.rs"]),
    ("rusqlite", &["auth", "relational"]),
    ("rustls", &["outbound/client.rs", "server/tls.rs"]),
    ("rustix", &["server/socket.rs"]),
    ("safetensors", &["embed"]),
    (
        "serde_json",
        &[
            "cli",
            "generate",
            "source",
            "snapshot",
            "query/signals.rs",
            "embed",
            "search/past.rs",
            "language_model",
            "api/body.rs",
            "auth/jwt",
        ],
    ),
    ("sha2", &["auth", "embed/model.rs"]),
    (
        "tempfile",
        &["auth/database.rs", "cli/demo.rs", "snapshot/write.rs", "relational/write.rs", "suppress/file.rs"],
    ),
    (
        "thiserror",
        &[
            "model",
            "embed",
            "prepare",
            "source",
            "snapshot",
            "generate",
            "relational",
            "telemetry",
            "language_model",
            "suppress",
            "auth",
            "server/tls.rs",
            "cli",
        ],
    ),
    ("time", &["model/time.rs"]),
    ("tokio_rustls", &["server/tls.rs"]),
    (
        "tokio",
        &[
            "server",
            "api",
            "cli",
            "language_model",
            "telemetry",
            "auth/jwt/key_url.rs",
            "turns.rs",
            "live/flight.rs",
            "live/reload.rs",
        ],
    ),
    ("unicode_normalization", &["model/text.rs", "embed/normalize.rs"]),
    ("unicode_properties", &["model/text.rs", "embed/normalize.rs"]),
    ("zstd", &["api/compress.rs", "source", "generate"]),
];

/// Files that may be longer than [`LINES_MAX`], each with its reason.
const LONG_FILES: &[(&str, &str)] = &[];
const LINES_MAX: usize = 400;

type Outcome = Result<(), Box<dyn Error>>;

/// Every source file below `src`, by its path there.
fn sources() -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders: Vec<PathBuf> = vec![root.clone()];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
                files.insert(name, fs::read_to_string(&path)?);
            }
        }
    }
    assert!(files.len() > 30, "only {} files found", files.len());
    Ok(files)
}

fn layer_of(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or(file)
}

/// The code of a file without comments and unit tests, which may reach anywhere.
fn code(file: &str, text: &str) -> String {
    if file.ends_with("/tests.rs") {
        return String::new();
    }
    let product = text.split("\n#[cfg(test)]").next().unwrap_or(text);
    product.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The names that follow `prefix` in `text` where `prefix` starts a word.
fn names_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(prefix).filter_map(move |(at, _)| {
        let is_start =
            !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':');
        let rest = &text[at + prefix.len()..];
        let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
        is_start.then_some(&rest[..end])
    })
}

/// The layers that `text`, a file of `layer`, imports against the rules.
fn forbidden_imports<'a>(layer: &str, text: &'a str) -> Vec<&'a str> {
    let allowed = LAYERS.iter().find(|(name, _)| *name == layer).map_or(&[][..], |(_, allowed)| allowed);
    names_after(text, "crate::").filter(|name| *name != layer && !allowed.contains(name)).collect()
}

#[test]
fn imports_run_one_way() -> Outcome {
    for (file, text) in sources()? {
        let layer = layer_of(&file);
        if matches!(layer, "lib" | "main") {
            continue;
        }
        assert!(LAYERS.iter().any(|(name, _)| *name == layer), "{file} is in no known layer");
        let code = code(&file, &text);
        assert_eq!(forbidden_imports(layer, &code), [""; 0], "{file} imports what its layer may not");
        assert!(!code.contains("crate::{"), "{file}: name the layer in each import");
    }
    Ok(())
}

#[test]
fn layers_are_listed_below_those_that_use_them() {
    for (place, (layer, allowed)) in LAYERS.iter().enumerate() {
        for used in *allowed {
            let at = LAYERS.iter().position(|(name, _)| name == used);
            assert!(at.is_some_and(|at| at < place), "{layer} may use {used}, which is not below it");
        }
    }
}

#[test]
fn libraries_are_named_in_their_homes_alone() -> Outcome {
    for (file, text) in sources()? {
        let code = code(&file, &text);
        for (library, homes) in HOMES {
            let at_home = homes.iter().any(|home| file == *home || file.starts_with(&format!("{home}/")));
            let is_used = names_after(&code, &format!("{library}::")).next().is_some();
            assert!(at_home || !is_used, "{file} names {library}, whose home is {homes:?}");
        }
    }
    Ok(())
}

#[test]
fn every_file_says_what_it_is_for_and_stays_readable() -> Outcome {
    for (file, text) in sources()? {
        assert!(text.starts_with("//! "), "{file} has no //! head");
        let lines = text.lines().count();
        let listed = LONG_FILES.iter().find(|(name, _)| *name == file);
        assert!(lines <= LINES_MAX || listed.is_some(), "{file} has {lines} lines");
        assert!(listed.is_none() || lines > LINES_MAX, "{file} is short now; take it off the list");
    }
    Ok(())
}

#[test]
fn no_module_is_a_drawer_for_odds_and_ends() -> Outcome {
    for file in sources()?.keys() {
        let drawers = ["utils", "helpers", "common", "types", "prelude", "misc"];
        assert!(!file.split(['/', '.']).any(|part| drawers.contains(&part)), "{file}");
    }
    Ok(())
}

/// The control: the checks above see an import that should not be.
#[test]
fn a_wrong_import_is_caught() {
    let wrong = "use crate::api::json::Json;\nfn f() { crate::graph::index::x() }";
    assert_eq!(forbidden_imports("model", wrong), ["api", "graph"]);
    assert_eq!(forbidden_imports("api", wrong), [""; 0]);
    assert_eq!(names_after("bincode::encode(x)", "bincode::").collect::<Vec<_>>(), ["encode"]);
    assert_eq!(names_after("my_bincode::encode(x)", "bincode::").count(), 0);
}
