//! A folder of snapshots with a list, and a service in process over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kith_server::live::gate::Gate;
use kith_server::live::network::LiveNetwork;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::predecessor::Keep;
use kith_server::live::reload::{InMemory, Reloader};
use kith_server::live::report::Outcome;
use kith_server::live::suppression::ListPlace;
use kith_server::memory::Memory;
use kith_server::model::dataset::Dataset;
use kith_server::model::time::Timestamp;
use kith_server::relational::pair;
use kith_server::suppress::error::ListError;
use kith_server::suppress::file;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use tempfile::TempDir;

use crate::oracle::Tables;
use crate::support::{Credentials, Served, project};
use crate::suppression::tables::Wish;

const NOW: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 5_000_000 };

/// The dataset that a build makes of `tables`.
pub(crate) fn built(tables: &Tables) -> Dataset {
    let folder = tempfile::tempdir().unwrap();
    tables.write(folder.path());
    read_folder(folder.path(), &Silent).unwrap().dataset
}

/// The tables of a fixture.
pub(crate) fn fixture(path: &str) -> Tables {
    Tables::read(&project(path))
}

/// A network as if it were all there is, with a store of its own.
pub(crate) fn alone(dataset: &Dataset, place: &Path) -> LiveNetwork {
    let path = place.join("alone.kith");
    pair::write(&path, dataset).unwrap();
    LiveNetwork::open(kith_server::snapshot::load(&path).unwrap(), &path)
}

/// Snapshots with an empty list among them, in service.
pub(crate) struct Site {
    pub(crate) folder: TempDir,
    pub(crate) live: Arc<LiveNetworks>,
    pub(crate) reloader: Arc<Reloader>,
}

impl Site {
    pub(crate) fn of(datasets: &[&Dataset]) -> Self {
        Self::open(Self::folder(datasets))
    }

    /// A folder with snapshots and an empty list among them.
    pub(crate) fn folder(datasets: &[&Dataset]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        file::create(&folder.path().join("suppressions.txt")).unwrap();
        datasets.iter().for_each(|dataset| put(folder.path(), dataset));
        folder
    }

    /// Starts with what lies in the folder.
    pub(crate) fn open(folder: TempDir) -> Self {
        Self::open_keeping(folder, Networks::default(), Keep::InService)
    }

    /// Like [`Self::open`], after `first`; the generations of `keep` stay in memory.
    pub(crate) fn open_keeping(folder: TempDir, first: Networks, keep: Keep) -> Self {
        let live = Arc::new(LiveNetworks::new(first));
        let (path, list) = (folder.path().to_owned(), ListPlace::among(folder.path()));
        let reloader = Reloader::within(
            path,
            Arc::clone(&live),
            list,
            Memory::unbounded(),
            InMemory::All(keep),
            usize::MAX,
        )
        .unwrap();
        let site = Self { folder, live, reloader };
        site.reload();
        site
    }

    /// Ends, and starts again.
    pub(crate) fn restart(self) -> Self {
        let Self { folder, .. } = self;
        Self::open(folder)
    }

    pub(crate) fn put(&self, dataset: &Dataset) {
        put(self.folder.path(), dataset);
    }

    pub(crate) fn list(&self) -> PathBuf {
        self.folder.path().join("suppressions.txt")
    }

    pub(crate) fn add(&self, organization: &str, wishes: &[Wish]) {
        file::change_or_create(&self.list(), |list| {
            for (kind, text) in wishes {
                list.add(organization, list.entry(organization, *kind, text).unwrap(), NOW);
            }
            Ok::<_, ListError>(())
        })
        .unwrap();
    }

    pub(crate) fn remove(&self, organization: &str, wishes: &[Wish]) {
        file::change(&self.list(), |list| {
            for (kind, text) in wishes {
                let entry = list.entry(organization, *kind, text).unwrap();
                assert!(list.remove(organization, &entry));
            }
            Ok::<_, ListError>(())
        })
        .unwrap();
    }

    /// Reloads, and returns what became of each file.
    pub(crate) fn reload(&self) -> Vec<Outcome> {
        // On a thread of its own: that of the test drives requests.
        let asked = self.reloader.reload();
        let report = std::thread::spawn(|| asked.wait()).join().unwrap().unwrap();
        report.files.iter().map(|file| file.outcome.clone()).collect()
    }

    /// The network that a request of `organization` gets now.
    pub(crate) async fn network(&self, organization: &str) -> Arc<LiveNetwork> {
        let networks = self.gate().pin_for(organization).await.unwrap();
        networks.network_of(organization).unwrap()
    }

    fn gate(&self) -> Gate {
        Gate::keeping_to_list(Arc::clone(&self.reloader))
    }

    pub(crate) fn served(&self, credentials: &Credentials) -> Served {
        Served::live(self.gate(), credentials)
    }
}

fn put(folder: &Path, dataset: &Dataset) {
    pair::write(&folder.join(format!("{}.kith", dataset.organization.id)), dataset).unwrap();
}
