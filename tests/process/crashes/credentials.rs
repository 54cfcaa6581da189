//! The credential store while operations fail and processes are killed: no earlier key is lost, no revoked key returns,
//! and a printed key is valid.
//!
//! Promise: A revoked key stays revoked if the server is killed at once.
//! Control: a revocation that was not yet on the disk: the key comes back.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use kith_server::auth::error::StoreError;
use kith_server::auth::store::CredentialStore;
use kith_server::auth::verify::Verifier;
use tempfile::TempDir;

use crate::crashes::failing::{Stake, ending, print, sweep};
use crate::crashes::shim::{Operation, Run, Shim};
use crate::http::Connection;
use crate::program::{self, build_tiny, run_well};
use crate::support::scale;

const ORGANIZATION: &str = "org_tiny";
/// The folder in which a new store is made.
const DRAFTS: &str = "/.credentials-*";

/// A store with a key that holds and one that is revoked, and a command that changes the store.
struct Keys {
    folder: TempDir,
    /// The store's bytes before the command; `None` if the command makes it.
    before: Option<Vec<u8>>,
    holding: Key,
    revoked: Key,
    change: Change,
}

struct Key {
    id: String,
    secret: String,
}

/// The action of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Create,
    /// Revoke the valid key.
    Revoke,
}

impl Keys {
    /// A store to change, or none yet.
    fn new(change: Change, is_there: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("credentials.db");
        let store = CredentialStore::open(&file).unwrap();
        let create = || {
            let issued = store.create_key(ORGANIZATION, "before", SystemTime::now()).unwrap();
            Key { id: issued.id, secret: issued.secret.reveal().to_owned() }
        };
        let (holding, revoked) = (create(), create());
        store.revoke_key(&revoked.id, SystemTime::now()).unwrap().unwrap();
        drop(store);
        let before = is_there.then(|| fs::read(&file).unwrap());
        Self { folder, before, holding, revoked, change }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("credentials.db")
    }

    fn printed(&self) -> PathBuf {
        self.folder.path().join("printed")
    }

    /// Whether a secret holds. Returns `None` if there is no store.
    fn holds(&self, secret: &str) -> Result<Option<bool>, String> {
        let said = |error: StoreError| error.to_string();
        match Verifier::open(&self.file()) {
            Ok(verifier) => Ok(Some(verifier.verify(secret, SystemTime::now()).map_err(said)?.is_some())),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(said(error)),
        }
    }

    /// How many keys there are. Returns `None` if there is no store. Reads it through.
    fn count(&self) -> Result<Option<usize>, String> {
        match CredentialStore::open_existing(&self.file()).and_then(|store| store.list_keys()) {
            Ok(keys) => Ok(Some(keys.len())),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Drafts of a store that were left over.
    fn left_over(&self) -> usize {
        let names = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_str().unwrap().starts_with(".credentials-")).count()
    }
}

impl Stake for Keys {
    fn prepare(&self) -> Command {
        for path in fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        if let Some(bytes) = &self.before {
            fs::write(self.file(), bytes).unwrap();
            fs::set_permissions(self.file(), PermissionsExt::from_mode(0o600)).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
        match self.change {
            Change::Create => command.args(["keys", "create", "--org", ORGANIZATION, "--name", "new"]),
            Change::Revoke => command.args(["keys", "revoke", &self.holding.id]),
        };
        command.arg("--credentials").arg(self.file()).env_clear().stdin(Stdio::null());
        command.stdout(fs::File::create(self.printed()).unwrap()).stderr(Stdio::piped());
        command
    }

    fn judge(&self, run: &Run) -> Result<String, String> {
        let ending = ending(run, |place| may_fail(run, place))?;
        let is_clearing =
            run.failed_operation().is_some_and(|failed| failed.name == "unlink" || failed.file == DRAFTS);
        if self.left_over() > 0 && ending != "killed" && !is_clearing {
            return Err("a draft was left over".to_owned());
        }
        let (count, holding) = (self.count()?, self.holds(&self.holding.secret)?);
        if self.before.is_some() && self.holds(&self.revoked.secret)? != Some(false) {
            return Err("the key that was revoked before is not any more".to_owned());
        }
        match self.change {
            Change::Create => self.judge_created(ending, count, holding),
            Change::Revoke => match holding {
                Some(false) => Ok(format!("{ending}, revoked")),
                Some(true) if ending != "success" => Ok(format!("{ending}, not revoked")),
                _ => Err(format!("{ending} was reported, but the key holds")),
            },
        }
    }
}

impl Keys {
    /// Holds the store to what it may be, now that it has `count` keys and the earlier one is `holding`.
    fn judge_created(
        &self,
        ending: &str,
        count: Option<usize>,
        holding: Option<bool>,
    ) -> Result<String, String> {
        let printed = fs::read_to_string(self.printed()).unwrap();
        let is_new = printed.ends_with('\n') && self.holds(printed.trim_end())? == Some(true);
        match (count, &self.before) {
            _ if ending == "success" && !is_new => {
                Err("success was reported, but the key does not hold".to_owned())
            }
            (Some(count @ 2..), Some(_)) if holding == Some(true) => {
                Ok(format!("{ending}, {} new", count - 2))
            }
            (Some(count), None) => Ok(format!("{ending}, {count} new")),
            (None, None) => Ok(format!("{ending}, no store")),
            (count, Some(_)) => Err(format!("{ending}, and an earlier key is gone: {count:?}, {holding:?}")),
        }
    }
}

/// Whether success may be reported although the operation at `place` failed.
///
/// A change is on the disk once the write-ahead log is, and the names of its files; what follows only moves
/// it on. Names are brought to the disk more than once, and once is enough.
fn may_fail(run: &Run, place: usize) -> bool {
    // Beside the store: what is not made there now is made at the next start, and the log's index once there is room.
    const BESIDE: [&str; 3] = ["/credentials.db-reserve", "/credentials.db-revoked", "/credentials.db-shm"];
    BESIDE.contains(&&*run.operations[place].file) || may_fail_of("/credentials.db-wal", run, place)
}

/// [`may_fail`] of the database with this `log`.
pub(crate) fn may_fail_of(log: &str, run: &Run, place: usize) -> bool {
    let opened = places(run, "open", log).first().copied();
    let Some((opened, written)) = opened.zip(places(run, "pwrite", log).last().copied()) else {
        return false;
    };
    let Some(kept) = places(run, "fsync", log).into_iter().find(|sync| *sync > written) else { return false };
    let names_kept = |sync: &usize| (opened..kept).contains(sync) && *sync != place;
    match &run.operations[place] {
        Operation { name, .. } if name == "unlink" => true,
        Operation { file, .. } if file.is_empty() || file == DRAFTS => {
            places(run, "fsync", "").iter().any(names_kept)
        }
        Operation { file, .. } => place > kept && file != "/printed",
    }
}

/// The places of the operations called `name` on `file` in `run`; the folder itself has an empty name.
fn places(run: &Run, name: &str, file: &str) -> Vec<usize> {
    let is = |place: &usize| run.operations[*place].name == name && run.operations[*place].file == file;
    (0..run.operations.len()).filter(is).collect()
}

#[track_caller]
fn check(what: &str, change: Change, is_there: bool) {
    let keys = Keys::new(change, is_there);
    let tally = sweep(&Shim::new(), keys.folder.path(), &keys).unwrap_or_else(|wrong| panic!("{wrong}"));
    let total = print(what, &tally);
    assert!(total >= 20, "only {total} faults");
}

#[test]
fn a_key_is_made_whole_or_not_at_all_whatever_fails() {
    check("kith keys create", Change::Create, true);
}

#[test]
fn the_first_key_is_made_with_its_store_or_not_at_all_whatever_fails() {
    check("kith keys create, without a store", Change::Create, false);
}

#[test]
fn a_key_is_revoked_or_the_failure_is_reported_whatever_fails() {
    check("kith keys revoke", Change::Revoke, true);
}

/// The content of the credential store on disk when a server is killed.
#[derive(Clone, Copy)]
enum OnDisk {
    /// The state that the revocation wrote.
    Revoked,
    /// The content before: the revocation was only in memory.
    NotYet,
}

/// Revokes a fresh key, kills the server at once and starts another one on what is on the disk: the statuses of the
/// key before and after, and of a key that is never revoked.
fn kill_after_a_revocation(site: &program::Site, on_disk: OnDisk, other: &str) -> [u16; 3] {
    let status = |server: &program::Server, key: &str| {
        Connection::open(server.api).get("/api/v1/search/people?q=oak", key).status
    };
    let server = site.serve("error");
    let key = site.create_key(ORGANIZATION, "to be revoked");
    let before = status(&server, &key);
    let written = store_files(site);
    run_well(&["keys", "revoke", "--credentials", &site.credentials(), &newest_id(site)]);
    assert_eq!(server.stop("KILL").0, None);
    if let OnDisk::NotYet = on_disk {
        store_files(site).into_keys().for_each(|file| fs::remove_file(file).unwrap());
        written.into_iter().for_each(|(file, bytes)| {
            fs::write(&file, bytes).unwrap();
            fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
        });
    }
    let server = site.serve("error");
    [before, status(&server, &key), status(&server, other)]
}

/// The files of a site's store of credentials, and what is in them.
fn store_files(site: &program::Site) -> BTreeMap<PathBuf, Vec<u8>> {
    let store = PathBuf::from(site.credentials());
    let files = fs::read_dir(store.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let of_store = files.filter(|file| file.to_str().unwrap().starts_with(store.to_str().unwrap()));
    of_store.map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

fn site_with_a_key() -> (program::Site, String) {
    let site = program::Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let other = site.create_key(ORGANIZATION, "never revoked");
    (site, other)
}

#[test]
fn a_revoked_key_stays_revoked_if_the_server_is_killed_at_once() {
    let (site, other) = site_with_a_key();
    let trials = scale::of(10, 1_000);
    for trial in 0..trials {
        assert_eq!(kill_after_a_revocation(&site, OnDisk::Revoked, &other), [200, 401, 200], "trial {trial}");
    }
    println!("{trials} keys revoked, the server killed at once: none came back");
}

#[test]
fn a_revocation_that_was_not_yet_on_the_disk_is_caught() {
    let (site, other) = site_with_a_key();
    assert_eq!(kill_after_a_revocation(&site, OnDisk::NotYet, &other), [200, 200, 200]);
}

/// The id of the key that was made last.
fn newest_id(site: &program::Site) -> String {
    let listed = run_well(&["keys", "list", "--json", "--credentials", &site.credentials()]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    listed.as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned()
}
