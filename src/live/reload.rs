//! Reading a folder of snapshots into service: what is new is loaded, the rest left as it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::live::networks::{LiveNetworks, Network, Networks};
use crate::snapshot;

/// What became of one snapshot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was read, checked and put in service.
    Loaded,
    /// It is in service already.
    Unchanged,
    /// It was not put in service, for this reason; what was served before goes on being served.
    Refused(String),
    /// It is gone, and no longer in service.
    Unloaded,
}

/// One line of a reload's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOutcome {
    /// The file's name in the folder.
    pub file: String,
    /// The organization whose network it holds, where that is known.
    pub organization: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
}

/// Keeps the networks in service as a folder of snapshots holds them.
#[derive(Debug)]
pub struct Reloader {
    folder: PathBuf,
    live: Arc<LiveNetworks>,
    /// Held while a reload runs: one at a time.
    running: Mutex<()>,
}

impl Reloader {
    /// A reloader of `folder` into `live`; loads nothing yet.
    #[must_use]
    pub fn new(folder: PathBuf, live: Arc<LiveNetworks>) -> Self {
        Self { folder, live, running: Mutex::new(()) }
    }

    /// Reads the folder and puts what it holds in service, by one swap at the end. Blocks: seconds
    /// for large snapshots. A reload that runs already is waited for first.
    ///
    /// # Errors
    /// Where the folder cannot be listed; nothing changes then.
    pub fn reload(&self) -> std::io::Result<Vec<FileOutcome>> {
        let _running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.live.pin();
        let files = snapshot_files(&self.folder)?;
        let mut pass = Pass::default();
        for file in &files {
            let old = before.by_organization.values().find(|network| network.file == *file);
            pass.take_file(&self.folder.join(file), file, old);
        }
        pass.tell_unloaded(&before);
        let Pass { networks, outcomes } = pass;
        if outcomes.iter().any(|line| matches!(line.outcome, Outcome::Loaded | Outcome::Unloaded)) {
            self.live.swap(Networks { by_organization: networks, generation: before.generation + 1 });
        }
        Ok(outcomes)
    }
}

/// A reload in progress: the next generation as far as it is known.
#[derive(Default)]
struct Pass {
    networks: BTreeMap<String, Arc<Network>>,
    outcomes: Vec<FileOutcome>,
}

impl Pass {
    fn take_file(&mut self, path: &Path, file: &str, old: Option<&Arc<Network>>) {
        let unchanged = |old: &&Arc<Network>| {
            snapshot::read::read_identity(path).is_ok_and(|identity| identity == old.identity)
                && !old.could_use_store(path)
        };
        let (network, mut outcome) = match (old.filter(unchanged), old) {
            (Some(same), _) => (Some(Arc::clone(same)), Outcome::Unchanged),
            (None, old) => match snapshot::read::load(path) {
                Ok(loaded) => (Some(Arc::new(Network::open(loaded, path))), Outcome::Loaded),
                Err(error) => (old.map(Arc::clone), Outcome::Refused(error.to_string())),
            },
        };
        let organization = network.as_ref().map(|network| network.index.organization.id.clone());
        if let (Some(network), Some(organization)) = (network, &organization) {
            match self.networks.get(organization) {
                None => drop(self.networks.insert(organization.clone(), network)),
                Some(first) => {
                    outcome = Outcome::Refused(format!(
                        "{organization} is already served from {}: keep one snapshot for each organization",
                        first.file
                    ));
                }
            }
        }
        self.outcomes.push(FileOutcome { file: file.to_owned(), organization, outcome });
    }

    fn tell_unloaded(&mut self, before: &Networks) {
        for (organization, network) in &before.by_organization {
            if !self.networks.contains_key(organization) {
                self.outcomes.push(FileOutcome {
                    file: network.file.clone(),
                    organization: Some(organization.clone()),
                    outcome: Outcome::Unloaded,
                });
            }
        }
    }
}

/// The names of the snapshots in `folder` (`*.kith`), ascending.
fn snapshot_files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        if let Some(name) = name.to_str().filter(|name| name.ends_with(".kith")) {
            files.push(name.to_owned());
        }
    }
    files.sort();
    Ok(files)
}
