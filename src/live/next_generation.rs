//! The next generation, built from the networks in service and the files of the folder.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::live::fit::{KeptSize, Without, check_fits, memory_beside};
use crate::live::folder::snapshot_files;
use crate::live::forget::{ReadNetwork, forget, load};
use crate::live::networks::{Network, Networks};
use crate::live::predecessor::{Keep, Predecessor};
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
    keep: Keep,
    networks: BTreeMap<String, Arc<Network>>,
    /// Of each organization whose snapshot was read the people who are in it and not in the network.
    gone: RefCell<BTreeMap<String, Vec<String>>>,
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
        let (networks, files, sound_before) = (BTreeMap::new(), Vec::new(), sound);
        let (keep, gone, sound) = (Keep::InService, RefCell::default(), BTreeMap::new());
        Self { folder, before, sound_before, list, memory, keep, networks, gone, files, sound }
    }

    /// The same, and the generations of `keep` stay in memory.
    pub(crate) fn keeping(self, keep: Keep) -> Self {
        Self { keep, ..self }
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
        let predecessors = match self.keep {
            Keep::InService => BTreeMap::new(),
            Keep::OneBefore => self.predecessors(),
        };
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
                *generations.entry(organization.clone()).or_insert(before.numbered_after) += 1;
            }
        }
        let numbered_after = before.numbered_after;
        let (by_organization, suppressed) = (networks, list);
        let next =
            Networks { by_organization, generation, generations, numbered_after, predecessors, suppressed };
        BuiltGeneration { next: (!is_unchanged).then_some(next), files, sound }
    }

    /// Of each organization whose network took another one's place the one that it took; of the others what is kept
    /// already, in keeping with the list.
    fn predecessors(&self) -> BTreeMap<String, Arc<Predecessor>> {
        let (before, gone) = (self.before, self.gone.borrow());
        let predecessor = |organization: &str, network: &Arc<Network>| {
            let (served, wanted) = (before.by_organization.get(organization)?, self.list.of(organization));
            if !Arc::ptr_eq(served, network) {
                // Of one snapshot without the same people the tables are the same: one index does for both.
                let is_same = served.identity == network.identity
                    && served.forgotten.is_within(wanted)
                    && network.forgotten.is_just(wanted);
                let old = if is_same { &network.index } else { &served.index };
                let gone = gone.get(organization).map_or(&[][..], Vec::as_slice);
                let (generation, sides) = (before.generation_of(organization), [old, &network.index]);
                return Some(Arc::new(Predecessor::keeping_to(generation, sides, wanted, gone)));
            }
            let kept = before.predecessors.get(organization)?;
            Some(match before.keep_to(&self.list, organization) {
                true => Arc::clone(kept),
                false => Arc::new(kept.in_keeping_with(wanted)),
            })
        };
        let all = self.networks.iter().filter_map(|(organization, network)| {
            Some((organization.clone(), predecessor(organization, network)?))
        });
        all.collect()
    }

    /// The network in the snapshot at `path`, which takes the place of `old`, if there is one.
    fn load(&self, path: &Path, old: Option<&Arc<Network>>) -> Result<Network, RefusedNetwork> {
        let beside = match old.filter(|_| self.keep == Keep::OneBefore) {
            None => 0,
            Some(old) => {
                let without = if self.list.is_empty() { Without::Nobody } else { Without::Some };
                let (people, bytes) = (old.index.data.people.len() as u64, old.index.size_bytes() as u64);
                memory_beside(path, KeptSize { people, bytes }, without)?
            }
        };
        let ReadNetwork { network, gone } = load(path, &self.list, self.memory, beside)?;
        let organization = network.index.data.organization.id.clone();
        self.gone.borrow_mut().insert(organization, gone);
        Ok(network)
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
        match self.load(&path, old) {
            Ok(network) => (Some(Arc::new(network)), Outcome::Loaded),
            Err(refusal) => (old.and_then(|old| self.keep(old)), Outcome::refused(&refusal)),
        }
    }

    /// Reads the whole snapshot at `path` and keeps nothing of it.
    fn read_once(&self, path: &Path) -> Result<(), RefusedNetwork> {
        check_fits(path, Without::Nobody, 0, self.memory)?;
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
            self.load(&path, Some(network))
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
