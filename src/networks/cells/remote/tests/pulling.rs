//! Pulls: killed at every step, broken streams, a missing store, and organizations that leave.
//!
//! Promise: A pull that is killed at any point leaves a folder that serves, and a later one ends it.
//! Control: the same trial of a pull that writes under the names that are served: a file is refused.
//!
//! Promise: A stream that breaks off is continued, of the same version; an object store that is gone changes nothing;
//!   if nothing changed, that costs one request.
//! Control: none yet.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use object_store::{ObjectStore, ObjectStoreExt, PutOptions};

use super::*;
use crate::cells::folder::{CellNote, NOTE_FILE, snapshot_in};
use crate::cells::remote::pull::{Placing, Puller, Round};
use crate::cells::remote::push::push;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::reload::Reloader;
use crate::live::report::Outcome;
use crate::relational::path_beside;

const NOW: u64 = 1_700_000_000;

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

/// A round whose files a server took up at once.
async fn pull(puller: &mut Puller, seconds: u64) -> Round {
    let round = puller.round(at(seconds)).await.unwrap();
    if round.is_news {
        puller.note_in_force(&round, at(seconds)).unwrap();
    }
    round
}

fn served(folder: &FilePath, organizations: &[&str]) -> Vec<Option<Identity>> {
    let path = |organization: &&str| snapshot_in(folder, organization).unwrap();
    organizations.iter().map(|organization| identity_at(&path(organization))).collect()
}

/// The files in `folder` that a server refuses.
async fn refused(folder: &FilePath) -> Vec<String> {
    let live = std::sync::Arc::new(LiveNetworks::new(Networks::default()));
    let report = Reloader::new(folder.to_owned(), live).unwrap().reload().ended().await.unwrap();
    let is_refused = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_));
    report.files.iter().filter(|file| is_refused(&file.outcome)).map(|file| file.file.clone()).collect()
}

fn copy(from: &FilePath, to: &FilePath) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Kills a pull before each of its steps and operations in turn, and checks the folder. Returns what was wrong.
async fn killed_at_every_point(placing: Placing) -> Vec<String> {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, a1_is), (a2, a2_is)) = (bench.build("org_a", 1), bench.build("org_a", 2));
    let ((b1, b1_is), (c1, c1_is)) = (bench.build("org_b", 1), bench.build("org_c", 1));
    push(&cell, &[a1, b1], &[]).await.unwrap();
    let first = tempfile::tempdir().unwrap();
    pull(&mut Puller::new(cell.clone(), first.path()).unwrap(), NOW).await;
    push(&cell, &[a2, c1], &["org_b".to_owned()]).await.unwrap();
    let mut wrong = Vec::new();
    for lives in 0.. {
        assert!(lives < 100);
        let folder = tempfile::tempdir().unwrap();
        copy(first.path(), folder.path());
        let mut puller = Puller::new(cell.clone(), folder.path()).unwrap();
        let store = std::sync::Arc::clone(&bench.store);
        puller.placing = placing;
        puller.before =
            Box::new(move |_| if store.lives_on() { Ok(()) } else { Err(std::io::Error::other("killed")) });
        bench.store.lives.store(lives, Ordering::Relaxed);
        let died = match puller.round(at(NOW)).await {
            Ok(round) => !round.failed.is_empty() || puller.note_in_force(&round, at(NOW)).is_err(),
            Err(_) => true,
        };
        bench.store.lives.store(usize::MAX, Ordering::Relaxed);
        for file in refused(folder.path()).await {
            wrong.push(format!("killed after {lives}: {file} is refused"));
        }
        let [a, b, c] = served(folder.path(), &["org_a", "org_b", "org_c"])[..] else { unreachable!() };
        let is_known =
            [Some(a1_is), Some(a2_is)].contains(&a) && b == Some(b1_is) && [None, Some(c1_is)].contains(&c);
        if !is_known {
            wrong.push(format!("killed after {lives}: {a:?}, {b:?}, {c:?}"));
        }
        // The next pull finishes the killed one.
        pull(&mut Puller::new(cell.clone(), folder.path()).unwrap(), NOW).await;
        assert_eq!(
            served(folder.path(), &["org_a", "org_b", "org_c"]),
            [Some(a2_is), Some(b1_is), Some(c1_is)]
        );
        assert_eq!(refused(folder.path()).await, [""; 0], "repaired after {lives}");
        let note = CellNote::read(&folder.path().join(NOTE_FILE)).unwrap().unwrap();
        assert_eq!(note.organizations.unwrap().into_keys().collect::<Vec<_>>(), ["org_a", "org_c"]);
        assert_eq!(note.left.into_keys().collect::<Vec<_>>(), ["org_b"]);
        if !died {
            assert!(lives > 12, "only {lives} points");
            return wrong;
        }
    }
    wrong
}

#[tokio::test]
async fn a_pull_that_is_killed_at_any_point_leaves_a_folder_that_serves_and_a_later_one_ends_it() {
    assert_eq!(killed_at_every_point(Placing::Aside).await, [""; 0]);
}

/// The control: the same trial of a pull that writes where the server reads.
#[tokio::test]
async fn a_pull_that_wrote_under_the_names_that_are_served_would_leave_half_a_file() {
    let wrong = killed_at_every_point(Placing::Directly).await;
    assert!(wrong.iter().any(|wrong| wrong.contains("org_a.kith is refused")), "{wrong:?}");
}

#[tokio::test]
async fn streams_that_tear_are_taken_up_and_one_that_always_does_leaves_the_folder_as_it_was() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, a1_is), (a2, a2_is)) = (bench.build("org_a", 1), bench.build("org_a", 2));
    push(&cell, std::slice::from_ref(&a1), &[]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut puller = Puller::new(cell.clone(), folder.path()).unwrap();
    puller.round(at(NOW)).await.unwrap();
    assert_eq!(served(folder.path(), &["org_a"]), [Some(a1_is)]);
    push(&cell, &[a2], &[]).await.unwrap();

    bench.store.tears.store(100, Ordering::Relaxed);
    assert!(puller.round(at(NOW)).await.is_err(), "the manifest is torn too");
    bench.store.tears.store(0, Ordering::Relaxed);
    // From here on the manifest is known, and streams break.
    let (_, store) = cell.pair("org_a", a2_is).unwrap();
    let kept = cell.store.get(&store).await.unwrap().bytes().await.unwrap();
    cell.store.delete(&store).await.unwrap();
    let round = pull(&mut puller, NOW).await;
    assert!(round.failed[0].1.to_string().contains("no such object"), "{:?}", round.failed);
    bench.store.inner.put_opts(&store, kept.clone().into(), PutOptions::default()).await.unwrap();
    bench.store.tears.store(100, Ordering::Relaxed);
    let round = pull(&mut puller, NOW).await;
    assert!(
        round.failed[0].1.to_string().contains("bytes came")
            || round.failed[0].1.to_string().contains("broke")
    );
    assert_eq!(served(folder.path(), &["org_a"]), [Some(a1_is)]);

    // Two breaks of one object's stream, with another version of the object after the first.
    bench.store.tears.store(2, Ordering::Relaxed);
    *bench.store.after_tear.lock().unwrap() = Some((store, kept.to_vec()));
    let round = pull(&mut puller, NOW).await;
    assert_eq!((round.placed, round.failed.len()), (vec!["org_a".to_owned()], 0));
    assert_eq!(served(folder.path(), &["org_a"]), [Some(a2_is)]);
    assert_eq!(refused(folder.path()).await, [""; 0]);
}

#[tokio::test]
async fn an_unchanged_manifest_costs_one_request_and_a_store_that_is_gone_changes_nothing() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let (a1, a1_is) = bench.build("org_a", 1);
    let folder = tempfile::tempdir().unwrap();
    let mut puller = Puller::new(cell.clone(), folder.path()).unwrap();
    let none = puller.round(at(NOW)).await.map_err(|error| error.to_string());
    assert!(none.is_err_and(|error| error.contains("cells/one.json")));
    push(&cell, &[a1], &[]).await.unwrap();
    assert!(pull(&mut puller, NOW).await.is_news);
    let before = bench.store.operations.load(Ordering::Relaxed);
    let round = pull(&mut puller, NOW).await;
    assert!(!round.is_news && round.placed.is_empty());
    assert_eq!(bench.store.operations.load(Ordering::Relaxed) - before, 1);
    bench.store.lives.store(0, Ordering::Relaxed);
    assert!(puller.round(at(NOW + 90_000)).await.is_err());
    assert_eq!(served(folder.path(), &["org_a"]), [Some(a1_is)]);
}

#[tokio::test]
async fn what_is_not_what_its_name_says_is_not_put_in_place_and_the_others_are() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, _), (b1, b1_is), (c1, c1_is)) =
        (bench.build("org_a", 1), bench.build("org_b", 1), bench.build("org_c", 1));
    push(&cell, &[a1.clone(), b1, c1], &[]).await.unwrap();
    // The pair of org_a under the names of the pair of org_c.
    let (snapshot, store) = cell.pair("org_c", c1_is).unwrap();
    for (object, path) in [(&snapshot, a1.clone()), (&store, path_beside(&a1))] {
        let bytes = fs::read(path).unwrap();
        bench.store.inner.put_opts(object, bytes.into(), PutOptions::default()).await.unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let mut puller = Puller::new(cell, folder.path()).unwrap();
    let round = pull(&mut puller, NOW).await;
    assert_eq!(round.placed, ["org_a", "org_b"]);
    assert!(round.failed[0].1.to_string().contains("org_c"), "{:?}", round.failed);
    assert_eq!(served(folder.path(), &["org_b", "org_c"]), [Some(b1_is), None]);
    let note = CellNote::read(&folder.path().join(NOTE_FILE)).unwrap().unwrap();
    assert_eq!(note.organizations, None, "a replica that never had all of them is not ready");
}

#[tokio::test]
async fn the_files_of_an_organization_that_left_go_a_day_later_and_no_others_do() {
    let bench = Bench::new();
    let cell = bench.cell("one");
    let ((a1, a1_is), (b1, b1_is), (x1, x1_is)) =
        (bench.build("org_a", 1), bench.build("org_b", 1), bench.build("org_x", 1));
    push(&cell, &[a1, b1.clone()], &[]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    // A snapshot that was never pulled.
    fs::copy(&x1, folder.path().join("org_x.kith")).unwrap();
    let mut puller = Puller::new(cell.clone(), folder.path()).unwrap();
    pull(&mut puller, NOW).await;
    push(&cell, &[], &["org_b".to_owned()]).await.unwrap();
    let day = 24 * 60 * 60;
    let all = ["org_a", "org_b", "org_x"];
    for (seconds, b) in
        [(NOW + 1, Some(b1_is)), (NOW + day, Some(b1_is)), (NOW + 1 + day, None), (NOW + 3 * day, None)]
    {
        pull(&mut puller, seconds).await;
        assert_eq!(served(folder.path(), &all), [Some(a1_is), b, Some(x1_is)], "{seconds}");
        assert_eq!(path_beside(&folder.path().join("org_b.kith")).exists(), b.is_some());
    }
    // An organization that comes back within the day stays.
    push(&cell, &[b1], &[]).await.unwrap();
    pull(&mut puller, NOW + 4 * day).await;
    push(&cell, &[], &["org_b".to_owned()]).await.unwrap();
    pull(&mut puller, NOW + 4 * day + 1).await;
    push(&cell, &[bench.build("org_b", 1).0], &[]).await.unwrap();
    pull(&mut puller, NOW + 4 * day + 2).await;
    pull(&mut puller, NOW + 9 * day).await;
    assert_eq!(served(folder.path(), &all), [Some(a1_is), Some(b1_is), Some(x1_is)]);
    let note = CellNote::read(&folder.path().join(NOTE_FILE)).unwrap().unwrap();
    assert_eq!(note.left, BTreeMap::new());
}

#[test]
fn a_folder_takes_one_cell_alone() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let note = CellNote { cell: "one".into(), ..CellNote::default() };
    note.write(&folder.path().join(NOTE_FILE)).unwrap();
    assert!(Puller::new(bench.cell("one"), folder.path()).is_ok());
    let refused = Puller::new(bench.cell("two"), folder.path()).map(drop).map_err(|error| error.to_string());
    assert!(refused.is_err_and(|error| error.contains("one") && error.contains("two")));
}
