//! One reload: from what is in service and what lies in the folder to the next generation.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::graph::self_check;
use crate::live::folder::{FileLook, snapshot_files};
use crate::live::networks::{Network, Networks};
use crate::live::report::{FileOutcome, Outcome};
use crate::snapshot;

/// How the files looked that were found sound when they were read last, by name.
pub(crate) type SoundFiles = BTreeMap<String, FileLook>;

/// A reload in progress: the next generation as far as it is known.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    before: &'a Networks,
    sound_before: &'a SoundFiles,
    networks: BTreeMap<String, Arc<Network>>,
    files: Vec<FileOutcome>,
    sound: SoundFiles,
}

/// What a reload comes to.
#[derive(Debug)]
pub(crate) struct Passed {
    /// The generation to put in service, where it is another one.
    pub(crate) next: Option<Networks>,
    /// What became of each file.
    pub(crate) files: Vec<FileOutcome>,
    /// The files that need not be read again while they look the same.
    pub(crate) sound: SoundFiles,
}

impl<'a> Pass<'a> {
    /// Reads `folder`, where `before` is in service and `sound` are its files.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub(crate) fn over(folder: &Path, before: &'a Networks, sound: &'a SoundFiles) -> io::Result<Passed> {
        let (networks, files) = (BTreeMap::new(), Vec::new());
        let mut pass = Self { before, sound_before: sound, networks, files, sound: BTreeMap::new() };
        for file in snapshot_files(folder)? {
            pass.take_file(&folder.join(&file), file);
        }
        pass.tell_unloaded();
        Ok(pass.end())
    }

    fn end(self) -> Passed {
        let Self { before, networks, files, sound, .. } = self;
        let is_change = |line: &FileOutcome| matches!(line.outcome, Outcome::Loaded | Outcome::Unloaded);
        let next = Networks { by_organization: networks, generation: before.generation + 1 };
        Passed { next: files.iter().any(is_change).then_some(next), files, sound }
    }

    fn take_file(&mut self, path: &Path, file: String) {
        // Looked at before it is read: what is written later makes it look different.
        let look = FileLook::at(path);
        let (network, mut outcome) = self.network_of(path, &file, look);
        if let (Some(look), false) = (look, matches!(outcome, Outcome::Refused(_))) {
            self.sound.insert(file.clone(), look);
        }
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
        self.files.push(FileOutcome { file, organization, outcome });
    }

    /// The network to serve from the file at `path`, if any, and what became of the file.
    fn network_of(&self, path: &Path, file: &str, look: Option<FileLook>) -> (Option<Arc<Network>>, Outcome) {
        let old = self.before.by_organization.values().find(|network| network.file == file);
        let (network, read) = match old.filter(|old| is_same(path, old)) {
            Some(same) if look.is_some() && self.sound_before.get(file) == look.as_ref() => {
                return (Some(Arc::clone(same)), Outcome::Unchanged);
            }
            // The header says so; whether the rest is as sound as what is in memory, only reading tells.
            Some(same) => {
                let read = snapshot::read::load(path).map(|_| Outcome::Unchanged);
                (Arc::clone(same), read.map_err(|error| error.to_string()))
            }
            None => match (load(path), old) {
                (Ok(network), _) => (Arc::new(network), Ok(Outcome::Loaded)),
                (Err(reason), Some(old)) => (Arc::clone(old), Err(reason)),
                (Err(reason), None) => return (None, Outcome::Refused(reason)),
            },
        };
        (Some(network), read.unwrap_or_else(Outcome::Refused))
    }

    fn tell_unloaded(&mut self) {
        for (organization, network) in &self.before.by_organization {
            if !self.networks.contains_key(organization) {
                self.files.push(FileOutcome {
                    file: network.file.clone(),
                    organization: Some(organization.clone()),
                    outcome: Outcome::Unloaded,
                });
            }
        }
    }
}

/// Whether the file at `path` says that it is what `network` was made of, and nothing better.
fn is_same(path: &Path, network: &Network) -> bool {
    snapshot::read::read_identity(path).is_ok_and(|identity| identity == network.identity)
        && !network.could_use_store(path)
}

/// Reads, checks, indexes and checks again the snapshot at `path`; or why it cannot be served.
fn load(path: &Path) -> Result<Network, String> {
    let loaded = snapshot::read::load(path).map_err(|error| error.to_string())?;
    let expected = self_check::Counts::of(&loaded.dataset);
    let network = Network::open(loaded, path);
    self_check::check(&network.index, expected).map_err(|error| error.to_string())?;
    Ok(network)
}
