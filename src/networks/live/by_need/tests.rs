//! Loading by need, on networks of text: the budget, the loads, and that everything else is as without it.
//!
//! Promise: With a budget for memory, outcomes of reloads, generations, forgetting and answers are as if all were in
//!   memory.
//! Control: the run itself: networks left memory and came back.
//!
//! Promise: No organization can displace all others, a load is shared, a request waits 5 s for it at most, and a load
//!   waits for no thread that gets no processor.
//! Control: two organizations that together may; a request after the load; a wait without the bound; a load that trusts
//!   a probe which is wrong.
//! Also in: `src/networks/live/spare.rs`.

use std::fs::{self, File};
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::live::gate::Gate;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::predecessor::Keep;
use crate::live::reload::{InMemory, Reloader};
use crate::live::suppression::{LIST_FILE, ListPlace};
use crate::model::time::Timestamp;
use crate::snapshot::read::load;
use crate::snapshot::write::write;
use crate::suppress::entry::EntryKind;
use crate::suppress::error::ListError;
use crate::suppress::file::change_or_create;
use kith_embed::sketch::dataset;

const SKETCHES: [&str; 3] = [
    "member ann\nann -80-> bob -70-> cay",
    "member ann\nann -60-> bob -70-> dan",
    "member ann\nann -60-> cay -70-> dan\nann -50-> eve",
];
const NAMES: [&str; 5] = ["ann", "bob", "cay", "dan", "eve"];
const FILES: [(&str, &str); 5] =
    [("a.kith", "org_a"), ("b.kith", "org_b"), ("c.kith", "org_c"), ("d.kith", "org_d"), ("e.kith", "org_a")];

/// Writes the network of `sketch`, for `organization`, to `file` in `folder`.
fn put(folder: &Path, (file, organization): (&str, &str), sketch: &str) {
    let mut dataset = dataset(sketch);
    organization.clone_into(&mut dataset.organization.id);
    write(&folder.join(file), &dataset).unwrap();
}

/// A slot of a snapshot in `folder`, its network in memory and counted as `bytes`.
fn slot(folder: &TempDir, name: &str, bytes: u64) -> Arc<Slot> {
    let path = folder.path().join(format!("{name}.kith"));
    put(folder.path(), (&format!("{name}.kith"), &format!("org_{name}")), SKETCHES[0]);
    let network = LiveNetwork::open(load(&path).unwrap(), &path);
    let slot = Arc::new(Slot::new(Arc::new(network), Some(Arc::new(File::open(&path).unwrap()))));
    slot.note_bytes(bytes);
    slot
}

fn by_need(folder: &TempDir, budget: u64) -> ByNeed {
    ByNeed::new(budget, usize::MAX, folder.path().to_owned(), Memory::unbounded())
}

/// A budget of 100 bytes with four slots of 25, used in the order of their names.
fn four(folder: &TempDir) -> (ByNeed, Vec<Arc<Slot>>) {
    let by_need = by_need(folder, 100);
    let slots: Vec<_> = ["a", "b", "c", "d"].iter().map(|name| slot(folder, name, 25)).collect();
    for (slot, at) in slots.iter().zip(1..) {
        by_need.make_room(slot).unwrap();
        slot.note_use(at);
    }
    (by_need, slots)
}

fn in_memory(slots: &[Arc<Slot>]) -> String {
    slots
        .iter()
        .filter(|slot| slot.network().is_some())
        .map(|slot| slot.organization().trim_start_matches("org_"))
        .collect()
}

#[test]
fn those_used_longest_ago_make_room_and_only_as_many_as_it_takes() {
    for (used, bytes, stay) in [
        (&[][..], 0, "abcd"),
        (&[], 1, "bcd"),
        (&[], 25, "bcd"),
        (&[], 26, "cd"),
        (&[], 50, "cd"),
        (&[0], 25, "acd"),
        (&[1, 0], 50, "ab"),
        (&[0, 1, 2, 3, 0], 50, "ad"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (by_need, slots) = four(&folder);
        for (&place, at) in used.iter().zip(10..) {
            let place: usize = place;
            slots[place].note_use(at);
        }
        let new = slot(&folder, "new", bytes);
        by_need.make_room(&new).unwrap();
        assert_eq!(in_memory(&slots), stay, "{used:?}, {bytes}");
        let status = by_need.status();
        assert_eq!(status.used, 25 * stay.len() as u64 + bytes);
        assert_eq!((status.in_memory, status.let_go), (stay.len() as u64 + 1, 4 - stay.len() as u64));
    }
}

#[test]
fn no_organization_displaces_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let (by_need, slots) = four(&folder);
    let (large, half) = (slot(&folder, "large", 51), slot(&folder, "half", 50));
    let refused = by_need.make_room(&large).unwrap_err();
    assert!(matches!(refused, RefusedNetwork::OverBudget { .. }));
    assert_eq!((in_memory(&slots).as_str(), by_need.status().used), ("abcd", 100));
    half.note_use(10);
    for _ in 0..10 {
        by_need.make_room(&half).unwrap();
        assert_eq!(in_memory(&slots), "cd");
    }
    // The control: two together as large as the budget may.
    by_need.make_room(&slot(&folder, "other", 50)).unwrap();
    assert_eq!(in_memory(&slots), "");
}

#[test]
fn what_is_out_of_service_counts_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let (by_need, mut slots) = four(&folder);
    drop(slots.remove(3));
    assert_eq!((by_need.status().used, by_need.status().in_memory), (75, 3));
    by_need.make_room(&slot(&folder, "new", 25)).unwrap();
    assert_eq!(in_memory(&slots), "abc");
}

#[tokio::test]
async fn a_hundred_requests_for_one_organization_share_one_load() {
    let folder = tempfile::tempdir().unwrap();
    let (by_need, slot) = (Arc::new(by_need(&folder, 1 << 30)), slot(&folder, "a", 25));
    let all = |by_need: &Arc<ByNeed>, slot: &Arc<Slot>| {
        let ask = || {
            let (by_need, slot) = (Arc::clone(by_need), Arc::clone(slot));
            tokio::spawn(async move { by_need.wait_for(&slot).await })
        };
        (0..100).map(|_| ask()).collect::<Vec<_>>()
    };
    for loads in 1..=2 {
        drop(slot.let_go().unwrap());
        for asked in all(&by_need, &slot) {
            assert_eq!(asked.await.unwrap().unwrap().index.data.people.len(), 3);
        }
        // The control: a request after the eviction begins another load.
        assert_eq!((by_need.status().loaded, by_need.status().failed), (loads, 0));
    }
}

#[tokio::test]
async fn a_request_waits_for_a_load_as_long_as_the_bound_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let (mut by_need, slot) = (by_need(&folder, 1 << 30), slot(&folder, "a", 25));
    by_need.wait_max = Duration::from_millis(20);
    let by_need = Arc::new(by_need);
    drop(slot.let_go().unwrap());
    let turns = by_need.turns.acquire_many(LOADS_AT_ONCE as u32).await.unwrap();
    assert_eq!(by_need.wait_for(&slot).await.unwrap_err(), NotLoaded::Late);
    // The control: without the bound it would still wait.
    let waiting = tokio::time::timeout(Duration::from_millis(60), by_need.loaded(&slot)).await;
    assert!(waiting.is_err());
    drop(turns);
    let loaded = tokio::time::timeout(Duration::from_secs(60), by_need.loaded(&slot)).await;
    assert!(loaded.unwrap().is_ok());
    assert_eq!(
        (by_need.status().late, by_need.status().loaded),
        (1, 1),
        "what nobody waits for is not loaded"
    );
}

#[tokio::test]
async fn a_load_waits_for_no_thread_that_gets_no_processor() {
    let folder = tempfile::tempdir().unwrap();
    let (by_need, slot) = (Arc::new(by_need(&folder, 1 << 30)), slot(&folder, "a", 25));
    // One thread for loads is busy, then all are.
    let spare = by_need.spare.as_ref().unwrap();
    let processors = std::thread::available_parallelism().unwrap().get();
    let _work: Vec<_> = (0..processors).map(|_| spare.keep_work_busy()).collect();
    let probe = spare.keep_probe_busy();
    drop(slot.let_go().unwrap());
    let loaded = tokio::time::timeout(Duration::from_secs(60), by_need.loaded(&slot)).await;
    assert!(loaded.unwrap().is_ok());
    // The control: if the probe says that there is time, a load waits for the busy threads. On a busy machine the probe
    // may be right once and wrong the next time.
    drop(probe);
    let mut has_waited = false;
    for _ in 0..50 {
        drop(slot.let_go());
        while !spare.have_time().await {}
        has_waited |= tokio::time::timeout(Duration::from_millis(60), by_need.loaded(&slot)).await.is_err();
        if has_waited {
            break;
        }
    }
    assert!(has_waited);
}

#[tokio::test]
async fn a_file_that_takes_the_name_changes_nothing_and_one_that_is_written_over_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (by_need, slot) = (Arc::new(by_need(&folder, 1 << 30)), slot(&folder, "a", 25));
    let path = folder.path().join("a.kith");
    let before = fs::read(&path).unwrap();
    put(folder.path(), ("a.kith", "org_a"), SKETCHES[2]);
    drop(slot.let_go().unwrap());
    assert_eq!(by_need.wait_for(&slot).await.unwrap().index.data.people.len(), 3);

    let old = slot;
    let slot = Arc::new(Slot::new(old.network().unwrap(), Some(Arc::new(File::open(&path).unwrap()))));
    drop(old);
    fs::write(&path, &before[..before.len() - 1]).unwrap();
    drop(slot.let_go().unwrap());
    for _ in 0..10 {
        assert_eq!(by_need.wait_for(&slot).await.unwrap_err(), NotLoaded::Failed);
    }
    assert_eq!(by_need.status().failed, 1, "it is not tried again at once");
    slot.note_failure(1);
    tokio::time::sleep(LOAD_RETRY_AFTER).await;
    assert_eq!(by_need.wait_for(&slot).await.unwrap_err(), NotLoaded::Failed);
    assert_eq!((by_need.status().failed, by_need.status().used), (2, 0));
}

/// A service of a folder.
struct Side {
    reloader: Arc<Reloader>,
    gate: Gate,
}

impl Side {
    fn new(folder: &Path, in_memory: InMemory) -> Self {
        Self::with_at_most(folder, in_memory, usize::MAX)
    }

    fn with_at_most(folder: &Path, in_memory: InMemory, snapshots_max: usize) -> Self {
        let live = Arc::new(LiveNetworks::new(Networks::default()));
        let (place, memory) = (ListPlace::among(folder), Memory::unbounded());
        let reloader =
            Reloader::within(folder.to_owned(), live, place, memory, in_memory, snapshots_max).unwrap();
        Self { gate: Gate::keeping_to_list(Arc::clone(&reloader)), reloader }
    }

    /// Each file with its outcome, and the generations around the reload.
    async fn reload(&self) -> (Vec<(String, Option<String>, String)>, u64, u64) {
        let report = self.reloader.reload().ended().await.unwrap();
        let lines = report.files.iter();
        let lines =
            lines.map(|line| (line.file.clone(), line.organization.clone(), format!("{:?}", line.outcome)));
        (lines.collect(), report.generation_before, report.generation_after)
    }

    /// The generation of `organization` and its people, as a request gets them, if it is in service.
    async fn ask(&self, organization: &str) -> Option<(u64, Vec<String>)> {
        let networks = self.gate.pin_for(organization).await.unwrap();
        let network = self.gate.network_in(networks.by_organization.get(organization)?).await.unwrap();
        let people = &network.index.data.people;
        let names = (0..people.len() as u32).map(|row| people.names.get(row).to_owned()).collect();
        Some((networks.generation_of(organization), names))
    }
}

#[tokio::test]
async fn more_snapshots_than_may_be_open_are_refused_by_name_and_those_in_service_stay() {
    let folder = tempfile::tempdir().unwrap();
    let in_memory = || InMemory::ByNeed { budget: 1 << 30 };
    for (file, organization) in &FILES[1..3] {
        put(folder.path(), (file, organization), SKETCHES[0]);
    }
    let side = Side::with_at_most(folder.path(), in_memory(), 2);
    assert!(side.reload().await.0.iter().all(|(.., outcome)| outcome == "Loaded"));
    // A file that sorts first is one too many; one that replaces another is not.
    put(folder.path(), FILES[0], SKETCHES[0]);
    put(folder.path(), FILES[1], SKETCHES[1]);
    let (files, ..) = side.reload().await;
    assert!(files[0].2.contains(&format!("{} is one too many", FILES[0].0)), "{files:?}");
    assert_eq!((files[1].2.as_str(), files[2].2.as_str()), ("Loaded", "Unchanged"));
    assert!(side.ask(FILES[0].1).await.is_none() && side.ask(FILES[2].1).await.is_some());
    // The control: a server that may open all of them.
    let all = Side::new(folder.path(), in_memory());
    assert!(all.reload().await.0.iter().all(|(.., outcome)| outcome == "Loaded"));
}

/// A deterministic random number generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Changes the folder, or its list, in a random way.
fn change(folder: &Path, draw: &mut Draw) {
    let (file, organization) = FILES[draw.below(FILES.len())];
    let path = folder.join(file);
    match draw.below(6) {
        0 | 1 => put(folder, (file, organization), SKETCHES[draw.below(SKETCHES.len())]),
        2 => drop(fs::remove_file(&path)),
        3 => {
            // An unsound file takes its name.
            if let Ok(bytes) = fs::read(&path) {
                fs::write(folder.join("draft"), &bytes[..bytes.len() - 1]).unwrap();
                fs::rename(folder.join("draft"), &path).unwrap();
            }
        }
        _ => change_or_create(&folder.join(LIST_FILE), |list| {
            let entry =
                list.entry(organization, EntryKind::LinkedinId, NAMES[draw.below(NAMES.len())]).unwrap();
            if !list.remove(organization, &entry) {
                list.add(organization, entry, Timestamp { seconds: 1_700_000_000, nanos: 0 });
            }
            Ok::<_, ListError>(())
        })
        .unwrap(),
    }
}

/// The slow oracle is the same service with everything in memory.
#[tokio::test]
async fn reloads_the_list_and_answers_are_as_if_all_were_in_memory() {
    let (mut loaded, mut let_go) = (0, 0);
    for seed in 0..4 {
        let (folder, mut draw) = (tempfile::tempdir().unwrap(), Draw(seed));
        let budget = {
            let bytes = |sketch: &&str| {
                put(folder.path(), ("x", "org_x"), sketch);
                LiveNetwork::new(load(&folder.path().join("x")).unwrap(), "x").size_bytes_at_most() as u64
            };
            SKETCHES.iter().map(bytes).max().unwrap() * 5 / 2
        };
        let whole = Side::new(folder.path(), InMemory::All(Keep::InService));
        let small = Side::new(folder.path(), InMemory::ByNeed { budget });
        let by_need = small.reloader.by_need().unwrap();
        for step in 0..60 {
            change(folder.path(), &mut draw);
            if draw.below(2) == 0 {
                assert_eq!(small.reload().await, whole.reload().await, "seed {seed}, step {step}");
            }
            // Otherwise the next change may or may not be taken up together with this one.
            for side in [&small, &whole] {
                side.reloader.keep_to_list().ended().await.unwrap();
            }
            for _ in 0..draw.below(4) {
                let (_, organization) = FILES[draw.below(FILES.len())];
                let (got, expected) = (small.ask(organization).await, whole.ask(organization).await);
                assert_eq!(got, expected, "seed {seed}, step {step}, {organization}");
            }
            assert!(by_need.status().used <= budget * 2, "seed {seed}, step {step}");
        }
        loaded += by_need.status().loaded;
        let_go += by_need.status().let_go;
    }
    // The control: networks did leave memory and come back.
    assert!(loaded >= 10 && let_go >= 30, "{loaded} loads, {let_go} let go");
}
