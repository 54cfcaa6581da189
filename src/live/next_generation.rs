//! The next generation, built from the networks in service and the files of the folder.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::live::fit::{Without, check_fits};
use crate::live::folder::snapshot_files;
use crate::live::forget::{forget, load};
use crate::live::networks::{Network, Networks};
use crate::live::refusal::RefusedNetwork;
use crate::live::report::{FileOutcome, Outcome};
use crate::memory::Memory;
use crate::regular_file::FileStamp;
use crate::snapshot;
use crate::suppress::list::SuppressionList;

/// The stamps, by name, of the files that were sound when they were read last.
pub(crate) type SoundFiles = BTreeMap<String, FileStamp>;

/// The next generation as far as it is known.
#[derive(Debug)]
pub(crate) struct GenerationBuilder<'a> {
    folder: &'a Path,
    before: &'a Networks,
    sound_before: &'a SoundFiles,
    list: Arc<SuppressionList>,
    memory: &'a Memory,
    networks: BTreeMap<String, Arc<Network>>,
    files: Vec<FileOutcome>,
    sound: SoundFiles,
}

/// A generation that is built.
#[derive(Debug)]
pub(crate) struct BuiltGeneration {
    /// The generation to put in service; `None` if it is the one in service.
    pub(crate) next: Option<Networks>,
    /// What became of each file.
    pub(crate) files: Vec<FileOutcome>,
    /// The files that need not be read again while their stamps stay the same.
    pub(crate) sound: SoundFiles,
}

/// A network to serve, if any, and the outcome of its file.
type Taken = (Option<Arc<Network>>, Outcome);

impl<'a> GenerationBuilder<'a> {
    /// A generation of `folder` that follows `before`, whose sound files were `sound`, in keeping with `list`; what is
    /// read fits in `memory`.
    pub(crate) fn new(
        folder: &'a Path,
        before: &'a Networks,
        sound: &'a SoundFiles,
        list: Arc<SuppressionList>,
        memory: &'a Memory,
    ) -> Self {
        let (networks, files) = (BTreeMap::new(), Vec::new());
        Self { folder, before, sound_before: sound, list, memory, networks, files, sound: BTreeMap::new() }
    }

    /// The generation of the files that the folder holds now.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    pub(crate) fn build_from_folder(mut self) -> io::Result<BuiltGeneration> {
        for file in snapshot_files(self.folder)? {
            // Taken before the file is read: a later change gives it another stamp.
            let stamp = FileStamp::at(&self.folder.join(&file));
            let (network, outcome) = self.take_file(&file, stamp);
            if let (Some(stamp), false) = (stamp, matches!(outcome, Outcome::Refused(_))) {
                self.sound.insert(file.clone(), stamp);
            }
            self.put(file, network, outcome);
        }
        self.report_unloaded();
        Ok(self.end())
    }

    /// The generation of the networks in service; of the folder, only files with people who come back.
    pub(crate) fn build_from_service(mut self) -> BuiltGeneration {
        for (organization, network) in &self.before.by_organization {
            let (settled, outcome) = self.settle(network);
            let file = network.file.clone();
            let organization_id = Some(organization.clone());
            self.files.push(FileOutcome { file, organization: organization_id, outcome, store_fault: None });
            self.networks.extend(settled.map(|network| (organization.clone(), network)));
        }
        self.sound = self.sound_before.clone();
        self.end()
    }

    fn end(self) -> BuiltGeneration {
        let Self { before, networks, files, sound, list, .. } = self;
        let is_same = |(organization, network): (&String, &Arc<Network>)| {
            networks.get(organization).is_some_and(|now| Arc::ptr_eq(now, network))
        };
        let is_unchanged = networks.len() == before.by_organization.len()
            && before.by_organization.iter().all(is_same)
            && before.suppressed == list;
        let generation = before.generation + 1;
        let mut generations = before.generations.clone();
        for (organization, network) in &networks {
            let served = before.by_organization.get(organization);
            if !served.is_some_and(|served| Arc::ptr_eq(served, network)) {
                *generations.entry(organization.clone()).or_default() += 1;
            }
        }
        let next = Networks { by_organization: networks, generation, generations, suppressed: list };
        BuiltGeneration { next: (!is_unchanged).then_some(next), files, sound }
    }

    /// The network to serve from `file`, whose stamp is `stamp`.
    fn take_file(&self, file: &str, stamp: Option<FileStamp>) -> Taken {
        let path = self.folder.join(file);
        let old = self.before.by_organization.values().find(|network| network.file == file);
        if let Some(same) = old.filter(|old| is_same(&path, old)) {
            let is_sound = stamp.is_some() && self.sound_before.get(file) == stamp.as_ref();
            // So says the header; whether the rest is as sound as the network in memory, only reading shows.
            return match if is_sound { Ok(()) } else { self.read_once(&path) } {
                Ok(()) => self.settle(same),
                Err(refusal) => (self.keep(same), Outcome::refused(&refusal)),
            };
        }
        match load(&path, &self.list, self.memory) {
            Ok(network) => (Some(Arc::new(network)), Outcome::Loaded),
            Err(refusal) => (old.and_then(|old| self.keep(old)), Outcome::refused(&refusal)),
        }
    }

    /// Reads the whole snapshot at `path` and keeps nothing of it.
    fn read_once(&self, path: &Path) -> Result<(), RefusedNetwork> {
        check_fits(path, Without::Nobody, self.memory)?;
        Ok(snapshot::read::load(path).map(drop)?)
    }

    /// `network`, whose file has not changed, in keeping with the list: from memory if nobody comes back,
    /// else from its file.
    fn settle(&self, network: &Arc<Network>) -> Taken {
        let wanted = self.list.of(&network.index.data.organization.id);
        if network.forgotten.is_just(wanted) {
            return (Some(Arc::clone(network)), Outcome::Unchanged);
        }
        if network.forgotten.is_within(wanted) {
            return match forget(network, wanted) {
                Ok(None) => (Some(Arc::clone(network)), Outcome::Unchanged),
                Ok(Some(made)) => (Some(Arc::new(made)), Outcome::Loaded),
                Err(refusal) => (None, Outcome::refused(&refusal)),
            };
        }
        let path = self.folder.join(&network.file);
        let read = if is_same(&path, network) {
            load(&path, &self.list, self.memory)
        } else {
            Err(RefusedNetwork::FileReplaced)
        };
        match read {
            Ok(made) => (Some(Arc::new(made)), Outcome::Loaded),
            Err(refusal) => (self.keep(network), Outcome::refused(&refusal)),
        }
    }

    /// `network` as it is, but without the people that the list names now; `None` if that cannot be made.
    fn keep(&self, network: &Arc<Network>) -> Option<Arc<Network>> {
        match forget(network, self.list.of(&network.index.data.organization.id)) {
            Ok(None) => Some(Arc::clone(network)),
            Ok(Some(made)) => Some(Arc::new(made)),
            Err(_) => None,
        }
    }

    /// Notes the outcome of `file`; its `network` is served unless another one of the organization is.
    fn put(&mut self, file: String, network: Option<Arc<Network>>, mut outcome: Outcome) {
        let organization = network.as_ref().map(|network| network.index.data.organization.id.clone());
        let path = self.folder.join(&file);
        let store_fault = network.as_ref().and_then(|network| network.store_fault(&path));
        if let (Some(network), Some(organization)) = (network, &organization) {
            match self.networks.get(organization) {
                None => drop(self.networks.insert(organization.clone(), network)),
                Some(first) => {
                    let (organization, file) = (organization.clone(), first.file.clone());
                    outcome = Outcome::refused(&RefusedNetwork::AlreadyServed { organization, file });
                }
            }
        }
        self.files.push(FileOutcome { file, organization, outcome, store_fault });
    }

    fn report_unloaded(&mut self) {
        for (organization, network) in &self.before.by_organization {
            if !self.networks.contains_key(organization) {
                self.files.push(FileOutcome {
                    file: network.file.clone(),
                    organization: Some(organization.clone()),
                    outcome: Outcome::Unloaded,
                    store_fault: None,
                });
            }
        }
    }
}

/// Whether the header of the file at `path` names the snapshot that `network` was made of, and no other
/// store lies beside it than the one in service.
fn is_same(path: &Path, network: &Network) -> bool {
    snapshot::read::read_identity(path).is_ok_and(|identity| identity == network.identity)
        && !network.could_use_store(path)
}
