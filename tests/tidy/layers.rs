//! Imports of a crate run one way, and the three lists of the layers agree. Between crates the compiler checks it.

use crate::tree::{self, Tree, room_of};
use crate::uses::Modules;
use crate::{Outcome, none};

/// The layers of a crate, lowest first. A file may import from its own layer and from those listed with it.
type Layers = &'static [(&'static str, &'static [&'static str])];

/// The layers of the crates, by the crate's name; a crate that is one room has none.
const LAYERS: &[(&str, Layers)] = &[("kith", ENGINE), ("kith-tables", TABLES), ("kith-server", PROGRAM)];

const ENGINE: Layers = &[
    ("limits", &[]),
    ("file_system", &[]),
    ("regular_file", &["file_system"]),
    ("model", &["limits"]),
    ("prepare", &["limits", "model"]),
    ("snapshot", &["limits", "file_system", "regular_file", "model", "prepare"]),
    ("graph", &["limits", "model"]),
    ("query", &["limits", "model", "graph"]),
    ("asks", &["limits", "model", "graph", "query"]),
    ("network", &["limits", "model", "snapshot", "graph", "query"]),
];

const TABLES: Layers = &[("limits", &[]), ("progress", &[]), ("source", &["limits", "progress"])];

const PROGRAM: Layers = &[
    ("limits", &[]),
    ("system", &[]),
    ("clock", &[]),
    ("audit", &["limits", "clock"]),
    ("memory", &[]),
    ("stderr", &["limits", "clock"]),
    ("relational", &["limits", "clock"]),
    ("search", &["limits", "relational"]),
    ("outbound", &[]),
    ("telemetry", &["limits", "outbound"]),
    ("language_model", &["limits", "clock", "search", "outbound"]),
    ("suppress", &["limits"]),
    ("cells", &["limits", "relational", "outbound"]),
    ("live", &["limits", "relational", "search", "suppress", "clock", "audit", "memory"]),
    ("auth", &["limits", "system", "clock", "audit", "outbound"]),
    ("ask_file", &["clock", "auth"]),
    ("exports", &["limits", "clock", "auth"]),
    ("admission", &["limits", "clock"]),
    ("rates", &["limits", "clock"]),
    (
        "api",
        &[
            "limits",
            "stderr",
            "clock",
            "audit",
            "search",
            "language_model",
            "cells",
            "live",
            "auth",
            "ask_file",
            "exports",
            "admission",
            "rates",
        ],
    ),
    ("openapi", &["limits", "search", "api"]),
    ("mcp", &["limits", "clock", "search", "live", "ask_file", "admission", "api", "openapi"]),
    ("digest", &["api", "openapi"]),
    (
        "explorer",
        &[
            "limits",
            "clock",
            "audit",
            "suppress",
            "live",
            "auth",
            "ask_file",
            "exports",
            "admission",
            "api",
            "digest",
        ],
    ),
    ("server", &["limits", "system", "clock", "api"]),
    (
        "service",
        &[
            "limits",
            "system",
            "clock",
            "audit",
            "memory",
            "stderr",
            "search",
            "language_model",
            "live",
            "auth",
            "ask_file",
            "exports",
            "admission",
            "rates",
            "telemetry",
            "api",
            "openapi",
            "mcp",
            "explorer",
            "server",
        ],
    ),
    (
        "cli",
        &[
            "limits",
            "system",
            "stderr",
            "clock",
            "audit",
            "relational",
            "search",
            "language_model",
            "outbound",
            "suppress",
            "cells",
            "live",
            "auth",
            "ask_file",
            "exports",
            "rates",
            "telemetry",
            "api",
            "openapi",
            "mcp",
            "digest",
            "server",
            "service",
        ],
    ),
];

/// What the files of `product`, one crate, import against the rules of `layers`. What is no layer of the crate, it has from
/// another one.
fn findings(product: &Tree, layers: &[(&str, &[&str])]) -> Vec<String> {
    let modules = Modules::new(product);
    let mut found = Vec::new();
    for (file, code) in product.iter().filter(|(file, _)| !matches!(room_of(file), "lib" | "main")) {
        let room = room_of(file);
        let Some((_, allowed)) = layers.iter().find(|(name, _)| *name == room) else {
            found.push(format!("{file} is in no known layer"));
            continue;
        };
        if code.contains("crate::{") {
            found.push(format!("{file}: name the layer in each import"));
        }
        for path in modules.named_in(file, code) {
            let name = path.first().map_or("", String::as_str);
            let is_layer = layers.iter().any(|(layer, _)| *layer == name);
            if is_layer && name != room && !allowed.contains(&name) {
                found.push(format!("{file} imports {}, which its layer may not", path.join("::")));
            }
        }
    }
    found
}

/// Layers that may use one which is not below them.
fn upside_down(layers: &[(&str, &[&str])]) -> Vec<String> {
    let mut found = Vec::new();
    for (place, (layer, allowed)) in layers.iter().enumerate() {
        for used in *allowed {
            let at = layers.iter().position(|(name, _)| name == used);
            if at.is_none_or(|at| at >= place) {
                found.push(format!("{layer} may use {used}, which is not below it"));
            }
        }
    }
    found
}

/// The names that stand between back-ticks at the head of each row of the table of layers.
fn in_architecture(text: &str) -> Vec<&str> {
    let section = text.split("\n## ").find(|section| section.starts_with("Layers")).unwrap_or("");
    section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// The names of the layers in the docs of the crates; each crate may have bounds of its own.
fn in_crate_doc(text: &str) -> Vec<&str> {
    each_once(text.lines().filter_map(|line| line.strip_prefix("//! - ")?.split('`').nth(1)))
}

fn each_once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    names.for_each(|name| {
        if !seen.contains(&name) {
            seen.push(name)
        }
    });
    seen
}

/// The modules that the crates declare, but those for tests.
fn in_declarations(text: &str) -> Vec<&str> {
    let lines = text.lines().scan("", |before, line| Some((std::mem::replace(before, line), line)));
    let product = lines.filter(|(before, _)| !before.starts_with("#[cfg("));
    each_once(
        product
            .filter_map(|(_, line)| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')),
    )
}

/// The first difference between `list`, found in `place`, and `layers`.
fn first_difference(place: &str, list: &[&str], layers: &[&str]) -> Option<String> {
    let at = (0..list.len().max(layers.len())).find(|at| list.get(*at) != layers.get(*at))?;
    let name = |list: &[&str]| list.get(at).map_or("nothing".to_owned(), |name| format!("`{name}`"));
    Some(format!("{place} has {} at place {at}, LAYERS has {}", name(list), name(layers)))
}

/// The differences between the docs and the modules of a crate, and its `layers`.
fn differences(lib: &str, layers: &[&str]) -> Vec<String> {
    let lists = [("its docs", in_crate_doc(lib)), ("its modules", in_declarations(lib))];
    lists.iter().filter_map(|(place, list)| first_difference(place, list, layers)).collect()
}

/// The layers of the crate `name`.
fn layers_of(name: &str) -> Layers {
    LAYERS.iter().find(|(of, _)| *of == name).map_or(&[], |(_, layers)| layers)
}

#[test]
fn imports_run_one_way() -> Outcome {
    for each in tree::CRATES.iter().filter(|each| each.only_room.is_none()) {
        none(&findings(&tree::product(&each.sources()?), layers_of(each.name)));
    }
    Ok(())
}

#[test]
fn layers_are_listed_below_those_that_use_them() {
    LAYERS.iter().for_each(|(_, layers)| none(&upside_down(layers)));
}

#[test]
fn the_map_the_crates_and_this_test_list_the_same_layers() -> Outcome {
    let mut all = Vec::new();
    for each in &tree::CRATES {
        let layers: Vec<&str> = layers_of(each.name).iter().map(|(name, _)| *name).collect();
        match each.only_room {
            Some(_) => all.push(each.name),
            None => none(&differences(&each.root()?, &layers)),
        }
        all.extend(layers);
    }
    let map = tree::read("ARCHITECTURE.md")?;
    let difference = first_difference("ARCHITECTURE.md", &in_architecture(&map), &each_once(all.into_iter()));
    none(&difference.into_iter().collect::<Vec<_>>());
    Ok(())
}

/// The controls: imports against the layers in each of their spellings, and lists that differ.
#[test]
fn a_wrong_import_is_caught() {
    let layers: &[(&str, &[&str])] = &[("model", &[]), ("graph", &["model"]), ("api", &["graph"])];
    let sources = tree::tree(&[
        ("api/json.rs", "use crate::graph::index::X;\nuse super::super::model::Y;"),
        ("graph/index.rs", "use crate::{model::A, api::json};\n// use crate::api::Z;"),
        (
            "model/mod.rs",
            "fn f() { super::graph::index::x() }\n#[cfg(test)]\nmod tests { use crate::api::B; }",
        ),
        ("odd/one.rs", ""),
    ]);
    let found = findings(&tree::product(&sources), layers);
    assert_eq!(
        found,
        [
            "api/json.rs imports model::Y, which its layer may not",
            "graph/index.rs: name the layer in each import",
            "graph/index.rs imports api::json, which its layer may not",
            "model/mod.rs imports graph::index::x, which its layer may not",
            "odd/one.rs is in no known layer",
        ]
    );
    assert_eq!(
        upside_down(&[("model", &["graph"]), ("graph", &[])]),
        ["model may use graph, which is not below it"]
    );
}

#[test]
fn a_list_of_layers_in_another_order_is_caught() {
    let map = "# Map\n\n## Layers\n\n| layer | what |\n| --- | --- |\n| `model` | m |\n| `graph` | g |\n\n## More\n";
    let lib = "//! - [`graph`] \u{2013} g.\n//! - `model` \u{2013} m.\n\npub mod model;\n";
    let layers = ["model", "graph"];
    assert_eq!(first_difference("the map", &in_architecture(map), &layers), None);
    assert_eq!(
        differences(lib, &layers),
        [
            "its docs has `graph` at place 0, LAYERS has `model`",
            "its modules has nothing at place 1, LAYERS has `graph`",
        ]
    );
}
