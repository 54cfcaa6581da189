//! The outcome of each file in a reload, on networks of text.
//!
//! Promise: No snapshot takes an organization from the file that is in service, under any name, also from a file of
//!   another organization; of two that are new both are refused.
//! Control: the order of names decided before: the same trials failed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::live::gate::Gate;
use crate::live::networks::Networks;
use crate::live::suppression::LIST_FILE;
use crate::model::time::Timestamp;
use crate::snapshot::write::write;
use crate::suppress::entry::EntryKind;
use crate::suppress::file::change_or_create;
use kith_embed::sketch::dataset;

const ACME: &str = "member ann\nann -80-> bob -70-> cay";
const OTHER_ACME: &str = "member ann\nann -60-> bob -70-> cay";
const TIME: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 0 };

/// A folder of snapshots, and the service of it.
struct Folder {
    root: TempDir,
    reloader: Arc<Reloader>,
}

impl Folder {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let live = Arc::new(LiveNetworks::new(Networks::default()));
        let reloader = Reloader::new(root.path().to_owned(), live).unwrap();
        Self { root, reloader }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    /// Writes the network of `sketch`, for `organization`, to `file`.
    fn put(&self, file: &str, organization: &str, sketch: &str) {
        let mut dataset = dataset(sketch);
        organization.clone_into(&mut dataset.organization.id);
        write(&self.path(file), &dataset).unwrap();
    }

    /// Adds `name`, a person of `organization`, to the list of people to forget.
    fn suppress(&self, organization: &str, name: &str) {
        change_or_create(&self.path(LIST_FILE), |list| {
            let entry = list.entry(organization, EntryKind::LinkedinId, name).unwrap();
            list.add(organization, entry, TIME);
            Ok::<_, ListError>(())
        })
        .unwrap();
    }

    /// Reloads; returns each file with its outcome, such as `acme.kith loaded`, and the generations around it.
    fn reload(&self) -> (Vec<String>, (u64, u64)) {
        let report = self.reloader.reload().wait().unwrap();
        let line = |file: &FileOutcome| format!("{} {}", file.file, file.outcome.name());
        (report.files.iter().map(line).collect(), (report.generation_before, report.generation_after))
    }

    #[track_caller]
    fn check(&self, files: &[&str], generations: (u64, u64)) {
        let (got, around) = self.reload();
        assert_eq!(
            (got.iter().map(String::as_str).collect::<Vec<_>>(), around),
            (files.to_vec(), generations)
        );
    }

    /// The names of the people in service for `organization`, ascending.
    fn people(&self, organization: &str) -> Vec<String> {
        let networks = self.reloader.live().pin();
        networks.network_of(organization).map_or_else(Vec::new, |network| {
            let people = &network.index.data.people;
            (0..people.len() as u32).map(|row| people.names.get(row).to_owned()).collect()
        })
    }
}

#[test]
fn a_new_file_is_loaded_and_one_that_is_gone_is_unloaded() {
    let folder = Folder::new();
    folder.check(&[], (0, 0));
    folder.put("acme.kith", "org_acme", ACME);
    folder.check(&["acme.kith loaded"], (0, 1));
    assert_eq!(folder.people("org_acme"), ["ann", "bob", "cay"]);
    fs::remove_file(folder.path("acme.kith")).unwrap();
    folder.check(&["acme.kith unloaded"], (1, 2));
    assert_eq!(folder.people("org_acme"), [""; 0]);
}

#[test]
fn what_did_not_change_keeps_its_generation_and_its_memory() {
    let folder = Folder::new();
    folder.put("acme.kith", "org_acme", ACME);
    folder.put("hill.kith", "org_hill", ACME);
    folder.check(&["acme.kith loaded", "hill.kith loaded"], (0, 1));
    folder.check(&["acme.kith unchanged", "hill.kith unchanged"], (1, 1));
    let before = folder.reloader.live().pin();
    folder.put("hill.kith", "org_hill", OTHER_ACME);
    folder.check(&["acme.kith unchanged", "hill.kith loaded"], (1, 2));
    let after = folder.reloader.live().pin();
    let is_kept = |organization: &str| {
        Arc::ptr_eq(&before.by_organization[organization], &after.by_organization[organization])
    };
    assert!(is_kept("org_acme") && !is_kept("org_hill"));
}

#[test]
fn a_file_that_cannot_be_taken_is_refused_and_what_was_served_stays() {
    let folder = Folder::new();
    folder.put("acme.kith", "org_acme", ACME);
    folder.check(&["acme.kith loaded"], (0, 1));
    let bytes = fs::read(folder.path("acme.kith")).unwrap();
    fs::write(folder.path("acme.kith"), &bytes[..bytes.len() - 1]).unwrap();
    folder.check(&["acme.kith refused"], (1, 1));
    assert_eq!(folder.people("org_acme"), ["ann", "bob", "cay"]);
    fs::write(folder.path("acme.kith"), &bytes).unwrap();
    folder.check(&["acme.kith unchanged"], (1, 1));
}

#[test]
fn the_file_in_service_stays_whatever_another_file_of_its_organization_is_called() {
    for stranger in ["a.kith", "z.kith"] {
        let folder = Folder::new();
        folder.put("m.kith", "org_acme", ACME);
        folder.check(&["m.kith loaded"], (0, 1));
        folder.put(stranger, "org_acme", "member eve\neve -> zoe");
        let mut files = [("m.kith", "m.kith unchanged"), (stranger, "")];
        let refused = format!("{stranger} refused");
        files[1].1 = &refused;
        files.sort_unstable();
        folder.check(&files.iter().map(|file| file.1).collect::<Vec<_>>(), (1, 1));
        assert_eq!(folder.people("org_acme"), ["ann", "bob", "cay"]);
        // Its own file may get another of its networks, or be removed.
        folder.put("m.kith", "org_acme", OTHER_ACME);
        files[usize::from(stranger == "a.kith")].1 = "m.kith loaded";
        folder.check(&files.iter().map(|file| file.1).collect::<Vec<_>>(), (1, 2));
        fs::remove_file(folder.path("m.kith")).unwrap();
        folder.check(&[&format!("{stranger} loaded")], (2, 3));
        assert_eq!(folder.people("org_acme"), ["eve", "zoe"]);
    }
}

/// However many there are, sorting before or after it.
#[test]
fn the_file_in_service_stays_beside_any_others_of_its_organization() {
    let strangers = ["a.kith", "b.kith", "y.kith", "z.kith"];
    for chosen in 1..1 << strangers.len() {
        let folder = Folder::new();
        folder.put("m.kith", "org_acme", ACME);
        folder.check(&["m.kith loaded"], (0, 1));
        let mut expected = vec!["m.kith unchanged".to_owned()];
        for (_, stranger) in strangers.iter().enumerate().filter(|(place, _)| chosen & 1 << place != 0) {
            folder.put(stranger, "org_acme", "member eve\neve -> zoe");
            expected.push(format!("{stranger} refused"));
        }
        expected.sort_unstable();
        folder.check(&expected.iter().map(String::as_str).collect::<Vec<_>>(), (1, 1));
        assert_eq!(folder.people("org_acme"), ["ann", "bob", "cay"], "{expected:?}");
    }
}

#[test]
fn of_two_files_of_an_organization_that_is_not_in_service_both_are_refused() {
    let folder = Folder::new();
    for file in ["a.kith", "b.kith", "c.kith"] {
        folder.put(file, "org_acme", ACME);
    }
    folder.put("d.kith", "org_other", ACME);
    folder.check(&["a.kith refused", "b.kith refused", "c.kith refused", "d.kith loaded"], (0, 1));
    assert_eq!(folder.people("org_acme"), Vec::<String>::new());
    let report = folder.reloader.reload().wait().unwrap();
    let reason = |file: usize| match &report.files[file].outcome {
        Outcome::Refused(reason) => reason.clone(),
        other => format!("{other:?}"),
    };
    assert!(reason(0).contains("b.kith") && reason(1).contains("a.kith"), "{} {}", reason(0), reason(1));
    for file in ["a.kith", "c.kith"] {
        fs::remove_file(folder.path(file)).unwrap();
    }
    folder.check(&["b.kith loaded", "d.kith unchanged"], (1, 2));
}

/// Even by a file that serves another organization, which goes on being served.
#[test]
fn no_file_takes_an_organization_from_another_by_holding_its_network() {
    let folder = Folder::new();
    folder.put("a.kith", "org_eve", "member eve");
    folder.put("b.kith", "org_acme", ACME);
    folder.check(&["a.kith loaded", "b.kith loaded"], (0, 1));
    folder.put("a.kith", "org_acme", "member eve\neve -> zoe");
    folder.check(&["a.kith refused", "b.kith unchanged"], (1, 1));
    assert_eq!(folder.people("org_acme"), ["ann", "bob", "cay"]);
    assert_eq!(folder.people("org_eve"), ["eve"]);
}

#[test]
fn only_files_that_end_in_kith_are_read() {
    let folder = Folder::new();
    folder.put("acme.kith", "org_acme", ACME);
    for other in ["acme.kith.sqlite", "acme.kith.old", "notes.txt", ".kith-draft.tmp"] {
        fs::write(folder.path(other), "not a snapshot").unwrap();
    }
    folder.check(&["acme.kith loaded"], (0, 1));
    // No report can contain this name: a similar one is refused.
    fs::write(folder.path("").join(OsStr::from_bytes(b"bad\xff.kith")), "not a snapshot").unwrap();
    folder.check(&["acme.kith unchanged", "bad\u{fffd}.kith refused"], (1, 1));
}

#[test]
fn people_on_the_list_are_in_no_network_that_is_put_in_service() {
    let folder = Folder::new();
    folder.put("acme.kith", "org_acme", ACME);
    folder.put("hill.kith", "org_hill", ACME);
    folder.suppress("org_acme", "bob");
    folder.check(&["acme.kith loaded", "hill.kith loaded"], (0, 1));
    assert_eq!(folder.people("org_acme"), ["ann", "cay"]);
    assert_eq!(folder.people("org_hill"), ["ann", "bob", "cay"]);
    folder.suppress("org_acme", "cay");
    folder.check(&["acme.kith loaded", "hill.kith unchanged"], (1, 2));
    assert_eq!(folder.people("org_acme"), ["ann"]);
    // People whom the list no longer names come back from the file.
    fs::remove_file(folder.path(LIST_FILE)).unwrap();
    folder.check(&["acme.kith unchanged", "hill.kith unchanged"], (2, 2));
    assert_eq!(folder.people("org_acme"), ["ann"], "a list that is gone stays in force");
}

#[tokio::test]
async fn a_request_after_a_change_of_the_list_waits_for_a_network_without_them() {
    let folder = Folder::new();
    folder.put("acme.kith", "org_acme", ACME);
    let reloader = Arc::clone(&folder.reloader);
    reloader.reload().ended().await.unwrap();
    let gate = Gate::keeping_to_list(reloader);
    folder.suppress("org_acme", "bob");
    assert_eq!(folder.people("org_acme"), ["ann", "bob", "cay"], "nothing reads the list by itself");
    let networks = gate.pin_for("org_acme").await.unwrap();
    let network = networks.network_of("org_acme").unwrap();
    let people = &network.index.data.people;
    assert_eq!((people.len(), networks.generation), (2, 2));
}
