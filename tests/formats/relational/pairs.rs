//! A snapshot and its store belong together, whatever happens in between.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;

use kith_server::relational::error::StoreUnusable;
use kith_server::relational::lookup::TextField;
use kith_server::relational::pair::{self, PairError};
use kith_server::relational::store::RelationalStore;
use kith_server::snapshot::{encode, load};

use crate::relational::networks::{Files, find, fixture, phrases, set_positions, strange};

fn names_in(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn both_files_are_written_and_nothing_else_is_left() {
    let dataset = strange();
    let files = Files::of(&dataset);
    assert_eq!(names_in(files.folder()), ["net.kith", "net.kith.sqlite"].map(str::to_owned).into());
    assert!(fs::read(files.snapshot()).unwrap() == encode(&dataset).unwrap(), "the snapshot is as ever");
    assert_eq!(load(&files.snapshot()).unwrap().identity, files.identity);
    let mode = |path: &Path| fs::metadata(path).unwrap().mode();
    assert_eq!(mode(&files.store()), mode(&files.snapshot()));
    assert_eq!(mode(&files.snapshot()) & 0o007, 0, "nobody else may read it");
    assert!(files.open().is_ok());
}

#[test]
fn the_same_dataset_gives_the_same_bytes() {
    let dataset = fixture("fixtures/demo/fernhollow");
    let (one, other) = (Files::of(&dataset), Files::of(&dataset));
    assert!(fs::read(one.store()).unwrap() == fs::read(other.store()).unwrap());
    assert!(fs::read(one.store()).unwrap() != fs::read(Files::of(&strange()).store()).unwrap());
}

#[test]
fn a_store_of_another_build_is_distinguished_by_its_identity() {
    let files = Files::of(&strange());
    let older = fs::read(files.snapshot()).unwrap();
    let mut dataset = strange();
    set_positions(&mut dataset, &["other"; 16]);
    let newer = pair::write(&files.snapshot(), &dataset).unwrap();
    // As a crash between the two renames leaves it: the newer store, the older snapshot.
    fs::write(files.snapshot(), older).unwrap();
    assert!(matches!(files.open(), Err(StoreUnusable::OfAnotherSnapshot { .. })));
    // The control: it is a store, of the snapshot that was built with it.
    assert!(RelationalStore::open(&files.snapshot(), newer.snapshot.identity, files.people).is_ok());
}

/// Many at a time, so that more connections are wanted than were open when the file was replaced.
#[test]
fn a_store_in_service_goes_on_with_the_file_it_opened() {
    let files = Files::of(&strange());
    let store = files.open().unwrap();
    let asked = phrases(&["manager"]);
    let before = find(&store, &[TextField::Position], &asked).unwrap();
    let mut dataset = strange();
    set_positions(&mut dataset, &["manager"; 16]);
    pair::write(&files.snapshot(), &dataset).unwrap();
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(find(&store, &[TextField::Position], &asked).unwrap(), before);
                }
            });
        }
    });
    assert!(!before.is_empty() && before.len() < 16);
}

#[test]
fn where_the_store_cannot_be_written_no_snapshot_is_put_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = folder.path().join("net.kith");
    fs::create_dir(folder.path().join("net.kith.sqlite")).unwrap();
    let refused = pair::write(&snapshot, &strange());
    assert!(matches!(refused, Err(PairError::Store(_))), "{refused:?}");
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("net.kith.sqlite") && said.contains("make room"), "{said}");
    assert_eq!(names_in(folder.path()), ["net.kith.sqlite".to_owned()].into());

    fs::write(&snapshot, "an older snapshot").unwrap();
    assert!(pair::write(&snapshot, &strange()).is_err());
    assert_eq!(fs::read_to_string(&snapshot).unwrap(), "an older snapshot");
    // The control: with the place free it is written.
    fs::remove_dir(folder.path().join("net.kith.sqlite")).unwrap();
    assert!(pair::write(&snapshot, &strange()).is_ok());
}

#[test]
fn names_that_mean_something_to_sqlite_are_only_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:x?mode=memory", "a b%20c#d", "ünï", "q?x=1&immutable=0"] {
        let snapshot = folder.path().join(name);
        let pair = pair::write(&snapshot, &strange()).unwrap();
        let store = RelationalStore::open(&snapshot, pair.snapshot.identity, 16).unwrap();
        assert!(!find(&store, &TextField::ALL, &phrases(&["manager"])).unwrap().is_empty(), "{name}");
        assert!(folder.path().join(format!("{name}.sqlite")).is_file(), "{name}");
    }
}
