//! The committed snapshots are, byte for byte, the builds of the fixtures, and are valid.
//!
//! Promise: Snapshots of format versions 1 to 4 load as what their tables build today, and are written as version 5.
//! Control: a network with aliases, domains and evidence that went through an older version is another one.
//! Also in: `fuzz`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kith_embed::of_tables::check_prepared;
use kith_server::model::aliases::Aliases;
use kith_server::model::column::TextColumn;
use kith_server::model::dataset::Dataset;
use kith_server::model::evidence::Evidence;
use kith_server::snapshot::{decode, encode, inspect, load, read_identity};
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

use crate::craft;
use crate::sample::small;

/// Each snapshot, and the source tables it is built from.
const SNAPSHOTS: [(&str, &str); 3] = [
    ("fernhollow.kith", "fixtures/demo/fernhollow"),
    ("harbourlight.kith", "fixtures/demo/harbourlight"),
    ("tiny.kith", "fixtures/tiny"),
];

/// Older versions of the format, and how many sections their files have.
const OLDER: [(u32, usize); 4] = [(1, 25), (2, 27), (3, 28), (4, 30)];

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn build(folder: &Path) -> Vec<u8> {
    encode(&read_folder(folder, &Silent).unwrap().dataset).unwrap()
}

/// Whether the snapshot `file` is what the tables in `folder` build.
fn is_fresh(file: &str, folder: &Path) -> bool {
    // Not assert_eq: nobody reads a megabyte of bytes.
    fs::read(project("snapshots").join(file)).unwrap() == build(folder)
}

#[test]
fn each_snapshot_is_what_its_tables_build_byte_for_byte() {
    for (file, folder) in SNAPSHOTS {
        assert!(
            is_fresh(file, &project(folder)),
            "{file} is stale: snapshots/README.md says how to rebuild it"
        );
    }
}

#[test]
fn each_snapshot_is_sound() {
    for (file, folder) in SNAPSHOTS {
        let path = project("snapshots").join(file);
        let loaded = load(&path).unwrap();
        check_prepared(&loaded.dataset).unwrap();
        let inspection = inspect(&path).unwrap();
        assert!(inspection.sections.iter().all(|section| section.sound), "{file}");
        assert_eq!((inspection.identity, inspection.size_bytes), (loaded.identity, loaded.size_bytes));
        let organization = fs::read_to_string(project(folder).join("organization.json")).unwrap();
        assert!(organization.contains(&format!("\"{}\"", loaded.dataset.organization.id)), "{file}");
    }
}

#[test]
fn the_readme_lists_each_snapshot_and_how_it_is_built() {
    let readme = fs::read_to_string(project("snapshots/README.md")).unwrap();
    let mut expected = BTreeSet::from(["README.md", "compat"].map(str::to_owned));
    for (file, folder) in SNAPSHOTS {
        let command = format!("kith build {folder} --out snapshots/{file}\n");
        assert!(readme.contains(&command), "{command}");
        expected.insert(file.to_owned());
    }
    let files = fs::read_dir(project("snapshots")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(files.map(|name| name.into_string().unwrap()).collect::<BTreeSet<String>>(), expected);
}

/// The files that older versions of the format had of the same tables. Those of the demo's networks are not what the
/// generator makes today, so they are compared with those of the newest of these versions.
#[test]
fn snapshots_of_older_versions_load_as_what_their_tables_build_today() {
    for ((file, _), (version, sections)) in
        SNAPSHOTS.into_iter().flat_map(|snapshot| OLDER.map(|version| (snapshot, version)))
    {
        let path = project("snapshots/compat").join(version.to_string()).join(file);
        let old = load(&path).unwrap();
        let new =
            load(&project(if file == "tiny.kith" { "snapshots" } else { "snapshots/compat/4" }).join(file));
        let new = new.unwrap();
        let inspection = inspect(&path).unwrap();
        assert_eq!((inspection.format_version, inspection.sections.len()), (version, sections), "{file}");
        assert!(inspection.sections.iter().all(|section| section.sound), "{file}");
        assert_eq!((inspection.identity, read_identity(&path).unwrap()), (old.identity, old.identity));
        // Not assert_eq: nobody reads that much. Everything that answers is made of the dataset alone.
        let expected = as_held_by(version, new.dataset);
        assert!(old.dataset == expected, "{file} of version {version} holds another network");
        assert!(encode(&old.dataset).unwrap().starts_with(b"\x89KITH\r\n\n\x05"), "{file} is written anew");
        check_prepared(&old.dataset).unwrap();
    }
}

/// `dataset` as an older version holds it.
fn as_held_by(version: u32, mut dataset: Dataset) -> Dataset {
    dataset.former = Vec::new();
    if version < 4 {
        dataset.preferences = Vec::new();
        dataset.members.external_ids = TextColumn::without_values(dataset.members.user_ids.len());
    }
    if version < 3 {
        dataset.people.aliases = Aliases::default();
    }
    if version == 1 {
        dataset.companies.domains = TextColumn::without_values(dataset.companies.ids.len());
        dataset.evidence = Evidence::default();
    }
    dataset
}

/// The control: what an older version does not have is lost on the way through it, and found missing.
#[test]
fn what_an_older_version_does_not_hold_is_no_part_of_what_is_loaded_from_it() {
    for (version, _) in OLDER {
        let loaded = decode(&craft::of_version(version, &encode(&small()).unwrap())).unwrap().dataset;
        assert!(loaded != small() && loaded == as_held_by(version, small()), "{version}");
    }
    assert!(as_held_by(1, small()) != as_held_by(2, small()));
}

/// The control: one score that changed makes another snapshot.
#[test]
fn a_changed_table_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(project("fixtures/tiny")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    assert!(is_fresh("tiny.kith", folder.path()));
    let table = folder.path().join("connections.ndjson");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("\"warmness\":88", "\"warmness\":87", 1)).unwrap();
    assert!(!is_fresh("tiny.kith", folder.path()));
}
