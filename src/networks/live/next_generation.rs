//! The next generation, built from the networks in service and the files of the folder.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::live::by_need::ByNeed;
use crate::live::fit::{KeptSize, Without, check_fits, memory_beside};
use crate::live::folder::snapshot_files;
use crate::live::forget::{ReadNetwork, forget, load};
use crate::live::network::LiveNetwork;
use crate::live::networks::Networks;
use crate::live::predecessor::{Keep, Predecessor};
use crate::live::refusal::RefusedNetwork;
use crate::live::report::{FileOutcome, Outcome};
use crate::live::slot::Slot;
use crate::memory::Memory;
use crate::regular_file::FileStamp;
use crate::snapshot;
use crate::suppress::list::SuppressionList;

/// The stamps of the files that were sound when last read, by name.
pub(crate) type SoundFiles = BTreeMap<String, FileStamp>;

/// The next generation, under construction.
#[derive(Debug)]
pub(crate) struct GenerationBuilder<'a> {
    folder: &'a Path,
    before: &'a Networks,
    sound_before: &'a SoundFiles,
    list: Arc<SuppressionList>,
    memory: &'a Memory,
    keep: Keep,
    by_need: Option<&'a ByNeed>,
    slots: BTreeMap<String, Arc<Slot>>,
    /// The file that each organization was in service from, or else its first file, whatever its outcome.
    first_files: BTreeMap<String, String>,
    /// For each organization whose snapshot was read, the people of the snapshot who are not in the network.
    gone: RefCell<BTreeMap<String, Vec<String>>>,
    files: Vec<FileOutcome>,
    sound: SoundFiles,
}

#[derive(Debug)]
pub(crate) struct BuiltGeneration {
    /// The generation to put in service; `None` if it is already in service.
    pub(crate) next: Option<Networks>,
    /// The outcome of each file.
    pub(crate) files: Vec<FileOutcome>,
    /// The files that need not be read again while their stamps stay the same.
    pub(crate) sound: SoundFiles,
}

/// The slot to serve, if any, and the outcome of its file.
type Taken = (Option<Arc<Slot>>, Outcome);

impl<'a> GenerationBuilder<'a> {
    /// A builder for the generation of `folder` after `before`, whose sound files were `sound`, keeping to `list`;
    /// loads must fit in `memory`.
    pub(crate) fn new(
        folder: &'a Path,
        before: &'a Networks,
        sound: &'a SoundFiles,
        list: Arc<SuppressionList>,
        memory: &'a Memory,
    ) -> Self {
        let (slots, files, sound_before) = (BTreeMap::new(), Vec::new(), sound);
        let (keep, by_need, gone, sound) = (Keep::InService, None, RefCell::default(), BTreeMap::new());
        let first_files = BTreeMap::new();
        Self {
            folder,
            before,
            sound_before,
            list,
            memory,
            keep,
            by_need,
            slots,
            first_files,
            gone,
            files,
            sound,
        }
    }

    /// Loads networks `by_need`, if that is on.
    pub(crate) fn by_need(self, by_need: Option<&'a ByNeed>) -> Self {
        Self { by_need, ..self }
    }

    /// Keeps the generations of `keep` in memory.
    pub(crate) fn keeping(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    /// Builds the generation of the files now in the folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    pub(crate) fn build_from_folder(mut self) -> io::Result<BuiltGeneration> {
        let before = self.before;
        let served = before.by_organization.values();
        let served: BTreeMap<&str, &Arc<Slot>> = served.map(|slot| (slot.file(), slot)).collect();
        for file in snapshot_files(self.folder)? {
            // Taken before the file is read: a later change gives it another stamp.
            let stamp = FileStamp::at(&self.folder.join(&file));
            let (slot, outcome) = self.take_file(&file, stamp, served.get(file.as_str()).copied());
            if let (Some(stamp), false) = (stamp, matches!(outcome, Outcome::Refused(_))) {
                self.sound.insert(file.clone(), stamp);
            }
            self.put(file, slot, outcome);
        }
        self.keep_those_of_refused_files();
        self.report_unloaded();
        Ok(self.end())
    }

    /// Builds the generation of the networks in service; reads only files with people who come back.
    pub(crate) fn build_from_service(mut self) -> BuiltGeneration {
        for (organization, slot) in &self.before.by_organization {
            let (settled, outcome) = self.settle(slot);
            let file = slot.file().to_owned();
            let organization_id = Some(organization.clone());
            self.files.push(FileOutcome { file, organization: organization_id, outcome, store_fault: None });
            self.slots.extend(settled.map(|slot| (organization.clone(), slot)));
        }
        self.sound = self.sound_before.clone();
        self.end()
    }

    fn end(self) -> BuiltGeneration {
        let predecessors = match self.keep {
            Keep::InService => BTreeMap::new(),
            Keep::OneBefore => self.predecessors(),
        };
        let Self { before, slots, files, sound, list, .. } = self;
        let is_same = |(organization, slot): (&String, &Arc<Slot>)| {
            slots.get(organization).is_some_and(|now| Arc::ptr_eq(now, slot))
        };
        let is_unchanged = slots.len() == before.by_organization.len()
            && before.by_organization.iter().all(is_same)
            && before.suppressed == list;
        let generation = before.generation + 1;
        let (by_organization, suppressed) = (slots, list);
        let next = Networks { by_organization, generation, predecessors, suppressed };
        BuiltGeneration { next: (!is_unchanged).then_some(next), files, sound }
    }

    /// For each organization whose network was replaced, the replaced one; for the others, the one already kept,
    /// keeping to the list.
    fn predecessors(&self) -> BTreeMap<String, Arc<Predecessor>> {
        let (before, gone) = (self.before, self.gone.borrow());
        let predecessor = |organization: &str, slot: &Arc<Slot>| {
            let (served, wanted) = (before.by_organization.get(organization)?, self.list.of(organization));
            if served.generation() != slot.generation() {
                let (served, network) = (served.network()?, slot.network()?);
                // The tables of one snapshot without the same people are the same, so one index serves both.
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
        let all = self.slots.iter().filter_map(|(organization, slot)| {
            Some((organization.clone(), predecessor(organization, slot)?))
        });
        all.collect()
    }

    /// Loads the network in the snapshot at `path`, to replace `old` if there is one.
    fn load(&self, path: &Path, old: Option<&Arc<Slot>>) -> Result<Arc<Slot>, RefusedNetwork> {
        let beside = match old.filter(|_| self.keep == Keep::OneBefore).and_then(|old| old.network()) {
            None => 0,
            Some(old) => {
                let without = if self.list.is_empty() { Without::Nobody } else { Without::Some };
                let (people, bytes) = (old.index.data.people.len() as u64, old.index.size_bytes() as u64);
                memory_beside(path, KeptSize { people, bytes }, without)?
            }
        };
        if let (None, Some(by_need)) = (old, self.by_need) {
            let served = &self.before.by_organization;
            let new = self.slots.keys().filter(|organization| !served.contains_key(*organization)).count();
            by_need.check_has_room(path, served.len() + new)?;
        }
        let (snapshot, _) = snapshot::read::open(path)?;
        let ReadNetwork { network, gone } = load(&snapshot, path, &self.list, self.memory, beside)?;
        let organization = network.index.data.organization.id.clone();
        self.gone.borrow_mut().insert(organization, gone);
        self.serve(network, || Some(Arc::new(snapshot)))
    }

    /// Puts `network` in service and in memory; `from` returns the snapshot to load it from again, if loading is by
    /// need.
    ///
    /// # Errors
    /// Returns an error if it takes too much of the budget.
    fn serve(
        &self,
        network: LiveNetwork,
        from: impl FnOnce() -> Option<Arc<File>>,
    ) -> Result<Arc<Slot>, RefusedNetwork> {
        let Some(by_need) = self.by_need else { return Ok(Arc::new(Slot::resident(network))) };
        let slot = Arc::new(Slot::new(Arc::new(network), from()));
        by_need.take_in(&slot)?;
        Ok(slot)
    }

    /// The slot to serve from `file`, whose stamp is `stamp` and which serves `old`, if anything.
    fn take_file(&self, file: &str, stamp: Option<FileStamp>, old: Option<&Arc<Slot>>) -> Taken {
        let path = self.folder.join(file);
        if let Some(same) = old.filter(|old| old.is_of(&path)) {
            let is_sound = stamp.is_some() && self.sound_before.get(file) == stamp.as_ref();
            // The header says so; only reading shows whether the rest is as sound as the network in memory.
            return match if is_sound { Ok(()) } else { self.read_once(&path, same) } {
                Ok(()) => self.settle(same),
                Err(refusal) => (self.keep(same), Outcome::refused(&refusal)),
            };
        }
        match self.load(&path, old) {
            Ok(slot) => (Some(slot), Outcome::Loaded),
            Err(refusal) => (old.and_then(|old| self.keep(old)), Outcome::refused(&refusal)),
        }
    }

    /// Reads the whole snapshot at `path`, the same as that of `slot`, and keeps only the open file.
    fn read_once(&self, path: &Path, slot: &Slot) -> Result<(), RefusedNetwork> {
        let (snapshot, _) = snapshot::read::open(path)?;
        check_fits(
            &snapshot,
            &path.file_name().unwrap_or_default().to_string_lossy(),
            Without::Nobody,
            0,
            self.memory,
        )?;
        snapshot::read::load_file(&snapshot)?;
        if self.by_need.is_some() {
            slot.take_up(snapshot);
        }
        Ok(())
    }

    /// `slot`, whose file has not changed, keeping to the list: from memory if nobody comes back, otherwise from its
    /// file.
    fn settle(&self, slot: &Arc<Slot>) -> Taken {
        let wanted = self.list.of(slot.organization());
        if slot.forgotten().is_just(wanted) {
            return (Some(Arc::clone(slot)), Outcome::Unchanged);
        }
        if slot.forgotten().is_within(wanted) {
            return match self.without_named(slot) {
                Ok(None) => (Some(Arc::clone(slot)), Outcome::Unchanged),
                Ok(Some(made)) => (Some(made), Outcome::Loaded),
                Err(refusal) => (self.to_be_loaded(slot), Outcome::refused(&refusal)),
            };
        }
        let path = self.folder.join(slot.file());
        let read =
            if slot.is_of(&path) { self.load(&path, Some(slot)) } else { Err(RefusedNetwork::FileReplaced) };
        match read {
            Ok(made) => (Some(made), Outcome::Loaded),
            Err(refusal) => (self.keep(slot), Outcome::refused(&refusal)),
        }
    }

    /// `slot` without the people that the list now names; `None` if that cannot be built.
    fn keep(&self, slot: &Arc<Slot>) -> Option<Arc<Slot>> {
        let wanted = self.list.of(slot.organization());
        if slot.forgotten().is_just(wanted) {
            return Some(Arc::clone(slot));
        }
        match self.without_named(slot) {
            Ok(None) => Some(Arc::clone(slot)),
            Ok(Some(made)) => Some(made),
            Err(_) => self.to_be_loaded(slot),
        }
    }

    /// Rebuilds the network of `slot` without the people that the list now names, loading it if needed; `None` if it
    /// has none of them.
    fn without_named(&self, slot: &Arc<Slot>) -> Result<Option<Arc<Slot>>, RefusedNetwork> {
        let network = match (slot.network(), self.by_need) {
            (Some(network), _) => network,
            (None, Some(by_need)) => by_need.load(slot)?,
            (None, None) => return Err(RefusedNetwork::FileReplaced),
        };
        let made = forget(&network, self.list.of(slot.organization()))?;
        made.map(|network| self.serve(network, || slot.snapshot())).transpose()
    }

    /// `slot` without its network; the next load leaves out the people that the list now names. `None` if it cannot be
    /// loaded.
    fn to_be_loaded(&self, slot: &Slot) -> Option<Arc<Slot>> {
        self.by_need?;
        slot.unloaded(self.list.of(slot.organization())).map(Arc::new)
    }

    /// Records the outcome of `file`, and serves its `slot` unless another file of the organization has precedence.
    fn put(&mut self, file: String, slot: Option<Arc<Slot>>, mut outcome: Outcome) {
        let organization = slot.as_ref().map(|slot| slot.organization().to_owned());
        let path = self.folder.join(&file);
        let store_fault = slot.as_ref().and_then(|slot| slot.store_fault(&path));
        if let (Some(slot), Some(organization)) = (slot, &organization)
            && let Err(refusal) = self.place(organization, slot, &file)
        {
            outcome = Outcome::refused(&refusal);
        }
        self.files.push(FileOutcome { file, organization, outcome, store_fault });
    }

    /// Serves `slot` from `file`. The file that already serves the organization has precedence; of several new ones
    /// none is served, since it is unknown which is the organization's own.
    fn place(&mut self, organization: &str, slot: Arc<Slot>, file: &str) -> Result<(), RefusedNetwork> {
        let in_service = self.before.by_organization.get(organization).map(|slot| slot.file());
        let Some(first) = self.first_files.get(organization).cloned() else {
            self.first_files.insert(organization.to_owned(), file.to_owned());
            self.slots.insert(organization.to_owned(), slot);
            return Ok(());
        };
        let organization = organization.to_owned();
        let served = |file: &str| RefusedNetwork::AlreadyServed {
            organization: organization.clone(),
            file: file.to_owned(),
        };
        let contested = |file: &str| RefusedNetwork::Contested {
            organization: organization.clone(),
            file: file.to_owned(),
        };
        if in_service == Some(file) {
            self.refuse(&first, &served(file));
            self.first_files.insert(organization.clone(), file.to_owned());
            self.slots.insert(organization, slot);
            Ok(())
        } else if in_service == Some(&first) {
            Err(served(&first))
        } else {
            self.refuse(&first, &contested(file));
            self.slots.remove(&organization);
            Err(contested(&first))
        }
    }

    /// Refuses a file whose outcome is already recorded, unless it was refused before.
    fn refuse(&mut self, file: &str, refusal: &RefusedNetwork) {
        let noted = self.files.iter_mut().find(|noted| noted.file == file);
        if let Some(noted) = noted.filter(|noted| !matches!(noted.outcome, Outcome::Refused(_))) {
            noted.outcome = Outcome::refused(refusal);
        }
    }

    /// Keeps organizations in service whose file was refused because it now has another organization's network.
    fn keep_those_of_refused_files(&mut self) {
        for (organization, slot) in &self.before.by_organization {
            let is_refused = |noted: &FileOutcome| {
                noted.file == slot.file() && matches!(noted.outcome, Outcome::Refused(_))
            };
            if !self.slots.contains_key(organization) && self.files.iter().any(is_refused) {
                let kept = self.keep(slot);
                self.slots.extend(kept.map(|slot| (organization.clone(), slot)));
            }
        }
    }

    fn report_unloaded(&mut self) {
        for (organization, slot) in &self.before.by_organization {
            if !self.slots.contains_key(organization) {
                self.files.push(FileOutcome {
                    file: slot.file().to_owned(),
                    organization: Some(organization.clone()),
                    outcome: Outcome::Unloaded,
                    store_fault: None,
                });
            }
        }
    }
}
