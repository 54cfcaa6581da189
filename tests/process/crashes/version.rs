//! A path at which builds write one of two versions of a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kith_server::relational::error::StoreUnusable;
use kith_server::relational::path_beside;
use kith_server::relational::store::RelationalStore;
use kith_server::snapshot::load;
use tempfile::TempDir;

use crate::program::{run_well, tiny_tables};

/// The network before a score changed, and after.
const CHANGED: [&str; 2] = ["\"warmness\":88", "\"warmness\":87"];

/// Two versions as source tables and as they are when they are built well, and a folder to build to.
pub(crate) struct Site {
    folder: TempDir,
    versions: [Version; 2],
}

/// One version of the network.
struct Version {
    tables: PathBuf,
    snapshot: Vec<u8>,
    store: Vec<u8>,
}

/// The version of the snapshot at the path, and that of the store beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) snapshot: usize,
    pub(crate) store: usize,
}

impl Found {
    /// The whole of one version.
    pub(crate) fn whole(version: usize) -> Self {
        Self { snapshot: version, store: version }
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let versions = [0, 1].map(|version| {
            let tables = folder.path().join(format!("tables-{version}"));
            fs::rename(tiny_tables(&[(CHANGED[0], CHANGED[version])]).keep(), &tables).unwrap();
            let made = folder.path().join(format!("made-{version}.kith"));
            run_well(&["build", tables.to_str().unwrap(), "--out", made.to_str().unwrap()]);
            let (snapshot, store) = (fs::read(&made).unwrap(), fs::read(path_beside(&made)).unwrap());
            Version { tables, snapshot, store }
        });
        assert!(versions[0].snapshot != versions[1].snapshot && versions[0].store != versions[1].store);
        let site = Self { folder, versions };
        fs::create_dir(site.snapshots()).unwrap();
        site.put(0);
        site
    }

    /// The folder that everything is in, which is read or written.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the path.
    pub(crate) fn snapshots(&self) -> PathBuf {
        self.folder.path().join("snapshots")
    }

    /// The path.
    pub(crate) fn path(&self) -> PathBuf {
        self.snapshots().join("net.kith")
    }

    /// The bytes of a version's snapshot.
    pub(crate) fn snapshot(&self, version: usize) -> &[u8] {
        &self.versions[version].snapshot
    }

    /// Puts a version at the path, whole, and takes everything else out of the folder.
    pub(crate) fn put(&self, version: usize) {
        fs::remove_dir_all(self.snapshots()).unwrap();
        fs::create_dir(self.snapshots()).unwrap();
        fs::write(self.path(), &self.versions[version].snapshot).unwrap();
        fs::write(path_beside(&self.path()), &self.versions[version].store).unwrap();
    }

    /// The program, about to build a version to the path.
    pub(crate) fn build(&self, version: usize) -> Command {
        let mut command = self.kith("build");
        command.arg(&self.versions[version].tables).arg("--out").arg(self.path());
        command
    }

    /// The program, about to verify what is at the path.
    pub(crate) fn verify(&self) -> Command {
        let mut command = self.kith("verify");
        command.arg(self.path());
        command
    }

    /// The program, about to run a command; what it prints goes to a file below the root.
    fn kith(&self, name: &str) -> Command {
        let printed = fs::File::create(self.root().join("printed")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
        command.arg(name).env_clear().stdin(Stdio::null()).stdout(printed).stderr(Stdio::piped());
        command
    }

    /// What is at the path.
    ///
    /// # Errors
    /// Returns an error if the snapshot or the store beside it is not one whole version, if a store of another
    /// version is used, or if one of the same version is refused.
    pub(crate) fn find(&self) -> Result<Found, String> {
        let loaded = load(&self.path()).map_err(|error| format!("the snapshot does not load: {error}"))?;
        let is_at = |path: &Path, bytes: fn(&Version) -> &[u8]| {
            let found = fs::read(path).unwrap_or_default();
            let version = self.versions.iter().position(|version| bytes(version) == found);
            version.ok_or_else(|| format!("{} is no version that was built", path.display()))
        };
        let snapshot = is_at(&self.path(), |version| &version.snapshot)?;
        let store = is_at(&path_beside(&self.path()), |version| &version.store)?;
        let people = loaded.dataset.people.len() as u32;
        match RelationalStore::open(&self.path(), loaded.identity, people) {
            Ok(_) if snapshot == store => Ok(Found { snapshot, store }),
            Err(StoreUnusable::OfAnotherSnapshot { .. }) if snapshot != store => {
                Ok(Found { snapshot, store })
            }
            opened => Err(format!("a store of version {store} beside snapshot {snapshot}: {opened:?}")),
        }
    }

    /// The files in the folder of the path that are neither the snapshot nor its store.
    ///
    /// # Errors
    /// Returns an error if one could be taken for a snapshot or a store.
    pub(crate) fn left_over(&self) -> Result<Vec<PathBuf>, String> {
        let files = fs::read_dir(self.snapshots()).unwrap().map(|entry| entry.unwrap().path());
        let others: Vec<PathBuf> =
            files.filter(|file| ![self.path(), path_beside(&self.path())].contains(file)).collect();
        let is_distinct = |file: &PathBuf| {
            let name = file.file_name().unwrap().to_str().unwrap();
            name.starts_with(".kith-") && name.ends_with(".tmp")
        };
        match others.iter().find(|file| !is_distinct(file)) {
            Some(other) => Err(format!("{} was left over", other.display())),
            None => Ok(others),
        }
    }
}
