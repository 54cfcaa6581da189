//! Networks after a change of the list or of the files beside it.
//!
//! Promise: An older copy of the list brings nobody back in silence; a change that is cut short leaves a list that is
//!   read; lists of version 1 name whom they named.
//! Control: the same copy without the mark; mark and list the other way round.
//! Also in: `tests/api/suppression/lists.rs`, `tests/process/forgetting.rs`.
//!
//! Promise: A list that is not in force is no secret: log, metric, `/readyz` 503; one that has disappeared stops the
//!   next start.
//! Control: the same start without the mark forgets the list.

use std::fs;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::reload::Reloader;
use kith_server::live::report::Outcome;
use kith_server::live::suppression::ListPlace;
use kith_server::model::dataset::Dataset;
use kith_server::suppress::entry::EntryKind;
use kith_server::suppress::error::ListError;
use kith_server::suppress::file;
use tower::ServiceExt;

use crate::oracle::Tables;
use crate::support::{Credentials, operator};
use crate::suppression::site::{Site, built, fixture};
use crate::suppression::tables::{Wish, named, without};

const TINY: &str = "org_tiny";

fn wish(handle: &str) -> Wish {
    (EntryKind::LinkedinId, handle.to_owned())
}

/// The tiny tables without the people with these handles.
fn tiny_without(handles: &[&str]) -> Dataset {
    let tables = fixture("fixtures/tiny");
    let wishes: Vec<Wish> = handles.iter().map(|handle| wish(handle)).collect();
    built(&without(&tables, &named(&tables, &wishes)))
}

/// The tiny network, with another name or as that of another organization.
fn tiny_as(organization: &str, name: &str) -> Dataset {
    let mut dataset = tiny_without(&[]);
    organization.clone_into(&mut dataset.organization.id);
    name.clone_into(&mut dataset.organization.name);
    dataset
}

async fn assert_serves(site: &Site, expected: &Dataset) {
    let mut expected = expected.clone();
    expected.edges.into.let_go();
    assert!(site.network(&expected.organization.id).await.index.data == expected);
}

#[tokio::test]
async fn who_is_taken_off_the_list_comes_back_from_the_snapshot() {
    let site = Site::of(&[&tiny_without(&[])]);
    site.add(TINY, &[wish("pia-weiss"), wish("ana-moreira")]);
    assert_serves(&site, &tiny_without(&["pia-weiss", "ana-moreira"])).await;
    site.remove(TINY, &[wish("ana-moreira")]);
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
    // One off and another one on, at once.
    file::change(&site.list(), |list| {
        let [pia, ana] = ["pia-weiss", "ana-moreira"]
            .map(|handle| list.entry(TINY, EntryKind::LinkedinId, handle).unwrap());
        let added = list.iter().next().unwrap().2;
        assert!(list.remove(TINY, &pia) && list.add(TINY, ana, added));
        Ok::<_, ListError>(())
    })
    .unwrap();
    assert_serves(&site, &tiny_without(&["ana-moreira"])).await;
    site.remove(TINY, &[wish("ana-moreira")]);
    assert_serves(&site, &tiny_without(&[])).await;
    assert_eq!(site.reload(), [Outcome::Unchanged]);
}

#[tokio::test]
async fn who_cannot_come_back_yet_stays_away_and_who_is_new_on_the_list_goes_all_the_same() {
    let newer = tiny_as(TINY, "newer");
    type Damage = fn(&Site, &Dataset);
    let damages: [(Damage, bool); 3] = [
        (|site, newer| site.put(newer), true),
        (|site, _| fs::remove_file(site.folder.path().join("org_tiny.kith")).unwrap(), false),
        (|site, _| fs::write(site.folder.path().join("org_tiny.kith"), "damaged").unwrap(), false),
    ];
    for (damage, is_sound) in damages {
        let site = Site::of(&[&tiny_without(&[])]);
        site.add(TINY, &[wish("pia-weiss")]);
        assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
        damage(&site, &newer);
        site.remove(TINY, &[wish("pia-weiss")]);
        site.add(TINY, &[wish("ana-moreira")]);
        assert_serves(&site, &tiny_without(&["pia-weiss", "ana-moreira"])).await;
        if is_sound {
            assert_eq!(site.reload(), [Outcome::Loaded]);
            let network = site.network(TINY).await;
            assert_eq!(network.index.data.organization.name, "newer");
            let people = tiny_without(&["ana-moreira"]).people;
            assert!(network.index.data.people == people, "one is back, the other one gone");
        }
    }
}

#[tokio::test]
async fn every_load_keeps_to_the_list_an_older_snapshot_and_a_new_start_too() {
    let site = Site::of(&[&tiny_without(&[])]);
    site.add(TINY, &[wish("pia-weiss")]);
    let gone = tiny_without(&["pia-weiss"]);
    assert_serves(&site, &gone).await;
    // A snapshot that was built without them, then the older one again, which holds them.
    site.put(&gone);
    assert_eq!(site.reload(), [Outcome::Loaded]);
    assert_serves(&site, &gone).await;
    site.put(&tiny_without(&[]));
    assert_eq!(site.reload(), [Outcome::Loaded]);
    assert_serves(&site, &gone).await;
    assert_eq!(site.reload(), [Outcome::Unchanged]);
    let site = site.restart();
    assert_serves(&site, &gone).await;
}

#[tokio::test]
async fn only_networks_in_which_a_person_is_named_are_made_again() {
    let site = Site::of(&[&tiny_as("org_other", "other"), &tiny_without(&[])]);
    // Weak: what is held would keep a reload waiting for its end.
    let served = async |organization| Arc::downgrade(&site.network(organization).await);
    let (tiny, other) = (served(TINY).await, served("org_other").await);
    // Nobody there has this handle.
    site.add(TINY, &[wish("nobody-at-all")]);
    assert!(served(TINY).await.ptr_eq(&tiny) && served("org_other").await.ptr_eq(&other));
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Unchanged]);

    site.add(TINY, &[wish("pia-weiss")]);
    // The list has changed, and no request came yet: this reload is the first to see it.
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Loaded]);
    assert!(!served(TINY).await.ptr_eq(&tiny) && served("org_other").await.ptr_eq(&other));
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Unchanged]);

    let tiny = served(TINY).await;
    site.add("org_nowhere", &[wish("pia-weiss")]);
    assert!(served(TINY).await.ptr_eq(&tiny) && served("org_other").await.ptr_eq(&other));
}

#[tokio::test]
async fn a_list_made_anew_under_another_salt_names_the_same_people() {
    let site = Site::of(&[&tiny_without(&[])]);
    site.add(TINY, &[wish("pia-weiss")]);
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
    let network = site.network(TINY).await;
    let elsewhere = site.folder.path().join("new.txt");
    file::create(&elsewhere).unwrap();
    fs::rename(&elsewhere, site.list()).unwrap();
    // Without its mark: with it the list would be taken for an older copy.
    fs::remove_file(site.list().with_file_name(".suppressions.txt.made")).unwrap();
    site.add(TINY, &[wish("ana-moreira")]);
    assert_serves(&site, &tiny_without(&["ana-moreira"])).await;
    assert!(!Arc::ptr_eq(&network, &site.network(TINY).await));
}

/// The answer of `/readyz` on the operator's listener.
async fn ready(site: &Site) -> (StatusCode, String) {
    ask_operator(site, "/readyz").await
}

async fn ask_operator(site: &Site, path: &str) -> (StatusCode, String) {
    let credentials = Credentials::new();
    let request = Request::get(path).body(Body::empty()).unwrap();
    let answer = operator(&site.live, &site.reloader, &credentials).oneshot(request).await.unwrap();
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn an_older_copy_of_the_list_brings_nobody_back_in_silence() {
    let site = Site::of(&[&tiny_without(&[])]);
    site.add(TINY, &[wish("pia-weiss")]);
    let older = fs::read(site.list()).unwrap();
    site.add(TINY, &[wish("ana-moreira")]);
    let newer = fs::read(site.list()).unwrap();
    let both = tiny_without(&["pia-weiss", "ana-moreira"]);
    assert_serves(&site, &both).await;
    let start = |folder: &std::path::Path| {
        let live = Arc::new(LiveNetworks::new(Networks::default()));
        Reloader::new(folder.to_owned(), live)
    };
    fs::write(site.list(), &older).unwrap();
    assert_serves(&site, &both).await;
    let (code, said) = ready(&site).await;
    assert!(code == StatusCode::SERVICE_UNAVAILABLE && said.contains("lacks 1 of the entries"), "{said}");
    assert!(ask_operator(&site, "/metrics").await.1.contains("kith_suppression_list_fault 1\n"));
    let refused = start(site.folder.path()).err().unwrap().to_string();
    assert!(refused.contains("is an older copy") && refused.contains(".suppressions.txt.made"), "{refused}");
    // The newest copy again, and an entry that is taken off by the command, are no older copies.
    fs::write(site.list(), &newer).unwrap();
    assert_serves(&site, &both).await;
    assert_eq!(ready(&site).await.0, StatusCode::OK);
    site.remove(TINY, &[wish("ana-moreira")]);
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
    // The control: without the mark the older copy is believed.
    site.add(TINY, &[wish("ana-moreira")]);
    assert_serves(&site, &both).await;
    let mark = site.list().with_file_name(".suppressions.txt.made");
    fs::remove_file(&mark).unwrap();
    fs::write(site.list(), &older).unwrap();
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
    assert!(start(site.folder.path()).is_ok());
}

#[tokio::test]
async fn a_list_that_cannot_be_read_or_is_gone_leaves_the_last_good_one_in_force_and_is_reported() {
    let site = Site::of(&[&tiny_without(&[])]);
    site.add(TINY, &[wish("pia-weiss")]);
    let gone = tiny_without(&["pia-weiss"]);
    assert_serves(&site, &gone).await;
    let good = fs::read(site.list()).unwrap();
    assert_eq!(ready(&site).await, (StatusCode::OK, "ready".to_owned()));
    type Spoil = fn(&Site, &[u8]);
    let spoils: [(Spoil, &str); 4] = [
        (|site, good| fs::write(site.list(), &good[..good.len() / 2]).unwrap(), "cut off"),
        (|site, _| fs::write(site.list(), "").unwrap(), "line 1"),
        (|_, _| {}, "there is no suppression list"),
        (|site, _| fs::create_dir(site.list()).unwrap(), "is not a file"),
    ];
    for (spoil, reported) in spoils {
        if site.list().is_file() {
            fs::remove_file(site.list()).unwrap();
        }
        spoil(&site, &good);
        assert!(site.network(TINY).await.index.data.people == gone.people, "{reported}");
        site.put(&tiny_as(TINY, reported));
        assert_eq!(site.reload(), [Outcome::Loaded]);
        assert!(site.network(TINY).await.index.data.people == gone.people, "{reported}");
        let status = site.reloader.list_status().unwrap();
        assert!(status.fault.as_deref().is_some_and(|fault| fault.contains(reported)), "{status:?}");
        assert_eq!(status.entries, 1);
        let (code, said) = ready(&site).await;
        assert!(code == StatusCode::SERVICE_UNAVAILABLE && said.contains(reported), "{said}");
        let metrics = ask_operator(&site, "/metrics").await.1;
        for line in ["kith_suppression_list_fault 1\n", "kith_suppression_entries 1\n"] {
            assert!(metrics.contains(line), "{metrics}");
        }
    }
    fs::remove_dir(site.list()).unwrap();
    fs::write(site.list(), &good).unwrap();
    assert!(site.network(TINY).await.index.data.people == gone.people);
    assert_eq!(site.reloader.list_status().unwrap().fault, None);
    assert_eq!(ready(&site).await, (StatusCode::OK, "ready".to_owned()));
    let metrics = ask_operator(&site, "/metrics").await.1;
    assert!(metrics.contains("kith_suppression_list_fault 0\n"), "{metrics}");
    let read_at = metrics.split("kith_suppression_list_read_timestamp_seconds ").last().unwrap();
    assert!(read_at.lines().next().unwrap().parse::<u64>().unwrap() > 1_700_000_000, "{metrics}");
}

/// The control: if no mark is left, as before there were any, the same restart forgets the list.
#[tokio::test]
async fn a_list_that_has_disappeared_is_missed_at_the_next_start_and_none_is_begun_in_its_place() {
    let site = Site::of(&[&tiny_without(&[])]);
    site.add(TINY, &[wish("pia-weiss")]);
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
    let good = fs::read(site.list()).unwrap();
    fs::remove_file(site.list()).unwrap();
    let Site { folder, .. } = site;
    let path = folder.path().join("suppressions.txt");
    let start = || {
        let live = Arc::new(LiveNetworks::new(Networks::default()));
        Reloader::new(folder.path().to_owned(), live).map(|reloader| reloader.list_status())
    };
    let reported = start().unwrap_err().to_string();
    assert!(reported.contains("has disappeared") && reported.contains("kith suppress create"), "{reported}");
    let begun = file::change_or_create(&path, |_| Ok::<_, ListError>(()));
    assert!(matches!(begun, Err(ListError::Gone { .. })), "{begun:?}");
    assert!(matches!(file::create_if_new(&path), Err(ListError::Gone { .. })));
    // A copy that is brought back, and an empty one that was asked for, are lists like any other.
    fs::write(&path, good).unwrap();
    assert_eq!(start().unwrap().map(|status| status.entries), Some(1));
    assert!(!file::create_if_new(&path).unwrap());
    fs::remove_file(&path).unwrap();
    file::create(&path).unwrap();
    assert_eq!(start().unwrap().map(|status| status.entries), Some(0));
    for name in [".suppressions.txt.made", "suppressions.txt"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert_eq!(start().unwrap(), None);
    // A server's reading leaves the mark too.
    let elsewhere = tempfile::tempdir().unwrap();
    file::create(&elsewhere.path().join("a")).unwrap();
    fs::rename(elsewhere.path().join("a"), &path).unwrap();
    assert!(start().unwrap().is_some());
    fs::remove_file(&path).unwrap();
    assert!(start().is_err());
}

#[test]
fn nothing_starts_with_a_list_that_cannot_be_used_or_without_one_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suppressions.txt");
    let live = || Arc::new(LiveNetworks::new(Networks::default()));
    let among = || Reloader::new(folder.path().to_owned(), live()).map(|reloader| reloader.list_status());
    let named = || {
        let reloader = Reloader::with_list(folder.path().to_owned(), live(), ListPlace::named(path.clone()));
        reloader.map(|reloader| reloader.list_status())
    };
    assert_eq!(among().unwrap(), None, "there need not be one");
    assert!(named().unwrap_err().to_string().contains("suppressions.txt"));
    file::create(&path).unwrap();
    for started in [among(), named()] {
        assert_eq!(started.unwrap().map(|status| (status.entries, status.fault)), Some((0, None)));
    }
    fs::write(&path, "kith suppressions 1\nsalt\t0\n").unwrap();
    for started in [among(), named()] {
        let reported = started.unwrap_err().to_string();
        assert!(reported.contains("suppressions.txt") && reported.contains("line 2"), "{reported}");
    }
}

#[tokio::test]
async fn the_first_list_among_the_snapshots_holds_at_once_and_so_does_what_comes_to_it() {
    let site = Site::of(&[&tiny_without(&[])]);
    fs::remove_file(site.list()).unwrap();
    fs::remove_file(site.folder.path().join(".suppressions.txt.made")).unwrap();
    let site = site.restart();
    assert_serves(&site, &tiny_without(&[])).await;
    assert_eq!(site.reloader.list_status(), None);
    site.add(TINY, &[wish("pia-weiss")]);
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
    assert_eq!(site.reloader.list_status().map(|status| status.entries), Some(1));
    site.add(TINY, &[wish("ana-moreira")]);
    assert_serves(&site, &tiny_without(&["pia-weiss", "ana-moreira"])).await;
}

/// Nobody's handle in the tables is written as a profile's address; were it, it would be understood too.
#[tokio::test]
async fn a_handle_that_a_snapshot_has_as_an_address_is_the_same_handle() {
    let tables = fixture("fixtures/tiny");
    let swap = |text: &str| text.replace("\"pia-weiss\"", "\"https://www.linkedin.com/in/Pia-Weiss/\"");
    let files = tables.files.iter().map(|(name, text)| (name.clone(), swap(text)));
    let site = Site::of(&[&built(&Tables { files: files.collect() })]);
    site.add(TINY, &[wish("pia-weiss")]);
    assert_serves(&site, &tiny_without(&["pia-weiss"])).await;
}
