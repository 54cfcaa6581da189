//! Every dependency has a home, and is named there alone.

use crate::tree::{self, Tree};
use crate::uses::names_after;
use crate::{Outcome, none};

/// The home of each dependency: it is named in these places alone (a layer, or a file below `src`).
const HOMES: &[(&str, &[&str])] = &[
    ("arc_swap", &["live/networks.rs", "live/slot.rs", "live/suppression.rs", "server/tls.rs"]),
    ("async_trait", &["telemetry/collector.rs", "cells/remote/connector.rs"]),
    ("axum", &["api", "openapi", "mcp", "explorer", "server", "service/listening.rs"]),
    ("bincode", &["snapshot/codec.rs", "snapshot/record.rs"]),
    (
        "blake3",
        &["snapshot", "suppress", "import", "api/compress.rs", "cells/place.rs", "cli/open/folder.rs"],
    ),
    (
        "bytes",
        &[
            "language_model/client.rs",
            "outbound/client.rs",
            "telemetry/collector.rs",
            "auth/jwt/key_url.rs",
            "cells/remote",
            "live/answers.rs",
        ],
    ),
    ("calamine", &["import/workbook.rs"]),
    ("calcard", &["import/vcard.rs", "import/calendar.rs"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli/completions.rs"]),
    ("clap_mangen", &["cli/manual.rs"]),
    ("config", &["cli/config.rs", "cli/config/error.rs", "cli/config/faults.rs"]),
    ("crc32fast", &["auth"]),
    ("csv", &["source"]),
    ("data_encoding", &["api/layers.rs", "auth", "cells/manifest.rs"]),
    ("dashmap", &["language_model/cache.rs", "rates.rs"]),
    ("encoding_rs", &["import/decode.rs"]),
    ("fixedbitset", &["graph", "query", "search"]),
    ("flate2", &["api/compress.rs", "source", "generate"]),
    ("futures_util", &["api", "mcp/server.rs", "cells/remote/download.rs"]),
    ("getrandom", &["auth", "api/layers.rs", "suppress"]),
    ("hashlink", &["live/answers.rs"]),
    ("hashbrown", &["graph", "search", "source", "embed/wordpiece.rs"]),
    (
        "http_body_util",
        &[
            "language_model/client.rs",
            "outbound/client.rs",
            "telemetry/collector.rs",
            "auth/jwt/key_url.rs",
            "cells/remote/connector.rs",
            "api/body.rs",
            "server/unread.rs",
        ],
    ),
    (
        "hyper",
        &[
            "server",
            "outbound",
            "telemetry",
            "language_model/client.rs",
            "language_model/settings.rs",
            "auth/jwt",
            "cells/remote/connector.rs",
        ],
    ),
    ("hyper_rustls", &["outbound/client.rs"]),
    ("hyper_util", &["server", "outbound/client.rs"]),
    ("indicatif", &["cli/progress.rs"]),
    ("httpdate", &["server/refusal.rs"]),
    ("idna", &["suppress/entry.rs"]),
    ("httparse", &["server/head.rs"]),
    ("mail_parser", &["import/mail.rs", "import/vcard.rs"]),
    ("memchr", &["import/archive.rs", "import/mail.rs", "query", "server/refusal.rs", "server/head.rs"]),
    ("mimalloc", &["main.rs"]),
    ("object_store", &["cells/remote"]),
    ("opentelemetry", &["telemetry/exporter.rs", "api/traces.rs"]),
    ("opentelemetry_http", &["telemetry/collector.rs"]),
    ("opentelemetry_otlp", &["telemetry/exporter.rs"]),
    ("opentelemetry_sdk", &["telemetry/exporter.rs", "api/traces.rs"]),
    ("parquet", &["source/parquet_file.rs", "source/parquet_rows.rs", "source/parquet_schema.rs"]),
    ("petgraph", &["graph/analytics.rs"]),
    ("prometheus", &["api/metrics"]),
    ("rand_chacha", &["generate"]),
    (
        "rapidfuzz",
        &[
            "query/name_match/loose.rs",
            "query/name_match/mod.rs",
            "search/parse/mend.rs",
            "search/names.rs",
            "search/languages.rs",
            "search/languages/reading.rs",
            "cli/config/variables.rs",
            "model/nearest.rs",
        ],
    ),
    (
        "rayon",
        &[
            "prepare",
            "source",
            "snapshot",
            "graph",
            "query/people_search.rs",
            "query/changes.rs",
            "embed/dot.rs",
            "embed/of_tables.rs",
            "search",
            "suppress/list.rs",
            // Only to reach each of the threads that all share.
            "server/returning.rs",
        ],
    ),
    ("ring", &["auth/jwt/key.rs", "auth/session.rs"]),
    ("rmcp", &["mcp"]),
    ("rusqlite", &["auth", "relational"]),
    ("rustls", &["outbound/client.rs", "server/tls.rs"]),
    ("rustix", &["server/socket.rs", "auth/changes.rs", "cli/pull.rs", "cli/drafts.rs"]),
    ("safetensors", &["embed"]),
    (
        "serde",
        &[
            "cli",
            "generate",
            "source/json.rs",
            "snapshot/check/json.rs",
            "graph/signals.rs",
            "embed/wordpiece.rs",
            "language_model",
            "api/body.rs",
            "auth/jwt/json.rs",
            "auth/replica.rs",
            "cells/manifest.rs",
            "cells/folder.rs",
            "import/score/weights.rs",
            "import/tables",
            "import/note.rs",
            "import/report.rs",
        ],
    ),
    (
        "serde_json",
        &[
            "cli",
            "generate",
            "source",
            "snapshot",
            "graph/signals.rs",
            "embed",
            "search/past.rs",
            "language_model",
            "api/body.rs",
            "auth/jwt",
            "auth/replica.rs",
            "cells/manifest.rs",
            "cells/folder.rs",
            "mcp",
            "import/score/breakdown.rs",
            "import/tables",
            "import/report.rs",
        ],
    ),
    ("sha2", &["auth", "embed/model.rs"]),
    (
        "tempfile",
        &[
            "auth/database.rs",
            "cells/folder.rs",
            "cli/demo.rs",
            "cli/import/mod.rs",
            "snapshot/write.rs",
            "relational/write.rs",
            "suppress/file.rs",
            "import/tables/folder.rs",
        ],
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
            "import/fault.rs",
            "import/import_error.rs",
            "import/manifest/fault.rs",
            "import/tables/earlier.rs",
            "import/score/weights.rs",
            "rates.rs",
            "telemetry",
            "language_model",
            "suppress",
            "live/by_need.rs",
            "live/refusal.rs",
            "auth",
            "cells",
            "server/peers.rs",
            "server/tls.rs",
            "cli",
        ],
    ),
    ("thread_priority", &["live/spare.rs"]),
    ("time", &["model/time.rs"]),
    ("tokio_rustls", &["server/tls.rs", "server/listen.rs"]),
    (
        "tokio",
        &[
            "server",
            "api",
            "mcp",
            "service",
            "language_model",
            "telemetry",
            "auth/jwt/key_url.rs",
            "admission/mod.rs",
            "cli/health.rs",
            "cli/import/reload.rs",
            "cli/import/watch.rs",
            "cli/mcp.rs",
            "cli/pull.rs",
            "cli/push.rs",
            "cells/remote",
            "live/by_need.rs",
            "live/flight.rs",
            "live/gate.rs",
            "live/networks.rs",
            "live/predecessor.rs",
            "live/reload.rs",
            "live/slot.rs",
            "live/spare.rs",
        ],
    ),
    ("toml", &["import/manifest/section.rs", "import/plan.rs", "import/imported.rs"]),
    ("tower", &["server"]),
    (
        "tracing",
        &[
            "audit.rs",
            "telemetry",
            "language_model/mod.rs",
            "live",
            "auth",
            "api",
            "server",
            "service",
            "cli/serve.rs",
        ],
    ),
    ("tracing_subscriber", &["cli/logs.rs"]),
    ("unicode_normalization", &["model/text.rs", "embed/normalize.rs"]),
    ("unicode_properties", &["model/text.rs", "model/unseen.rs", "embed/normalize.rs"]),
    ("unicode_width", &["cli/table.rs"]),
    ("zip", &["import/archive.rs"]),
    ("zstd", &["api/compress.rs", "source", "generate"]),
];

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
