//! Builds networks without the people on a suppression list, and checks them before they serve.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::graph::self_check;
use crate::live::fit::{Without, check_fits};
use crate::live::forgotten::Forgotten;
use crate::live::network::{LiveNetwork, Origin};
use crate::live::refusal::RefusedNetwork;
use crate::live::slot::Slot;
use crate::memory::Memory;
use crate::model::dataset::Dataset;
use crate::model::kept::Kept;
use crate::prepare::without::{Remaining, without};
use crate::relational::error::StoreUnusable;
use crate::relational::store::RelationalStore;
use crate::snapshot;
use crate::snapshot::read::Loaded;
use crate::suppress::list::{SuppressionList, Suppressions};

/// A network read from its snapshot.
#[derive(Debug)]
pub(crate) struct ReadNetwork {
    pub(crate) network: LiveNetwork,
    /// The ids of the people in the snapshot who were left out; only for comparisons, then dropped.
    pub(crate) gone: Vec<String>,
}

/// Reads, checks, indexes and checks again the `snapshot` at `path`, without the people that `list` names; `beside`
/// bytes of memory are taken as well.
///
/// # Errors
/// Returns an error if it cannot be served, or `memory` leaves too little to read it.
pub(crate) fn load(
    snapshot: &File,
    path: &Path,
    list: &SuppressionList,
    memory: &Memory,
    beside: u64,
) -> Result<ReadNetwork, RefusedNetwork> {
    let without = if list.is_empty() { Without::Nobody } else { Without::Some };
    check_fits(snapshot, &name_of(path), without, beside, memory)?;
    let loaded = snapshot::read::load_file(snapshot)?;
    let wanted = list.of(&loaded.dataset.organization.id);
    read(loaded, path, wanted)
}

/// Reads the network of `slot` again from its snapshot, which is or was at `path`, as [`load`] did.
///
/// # Errors
/// Returns an error if it cannot be served any more: its file was overwritten or damaged, or `memory` leaves too
/// little.
pub(crate) fn load_again(slot: &Slot, path: &Path, memory: &Memory) -> Result<LiveNetwork, RefusedNetwork> {
    let snapshot = slot.snapshot().ok_or(RefusedNetwork::FileReplaced)?;
    let wanted = slot.forgotten().by();
    let without = if wanted.is_some() { Without::Some } else { Without::Nobody };
    check_fits(&snapshot, slot.file(), without, 0, memory)?;
    let loaded = snapshot::read::load_file(&snapshot)?;
    if loaded.identity != slot.identity() {
        return Err(RefusedNetwork::FileReplaced);
    }
    Ok(read(loaded, path, wanted)?.network)
}

fn read(
    loaded: Loaded,
    path: &Path,
    wanted: Option<&Arc<Suppressions>>,
) -> Result<ReadNetwork, RefusedNetwork> {
    let Some(wanted) = wanted else {
        let rows = self_check::Counts::of(&loaded.dataset);
        let network = checked(LiveNetwork::open(loaded, path), rows)?;
        return Ok(ReadNetwork { network, gone: Vec::new() });
    };
    let origin = Origin::of(&loaded, path);
    let store = origin.open_store(path);
    let forgotten = Forgotten::named(wanted);
    match remaining(&loaded.dataset, wanted) {
        None => {
            let network = make(loaded.dataset, origin, store, forgotten)?;
            Ok(ReadNetwork { network, gone: Vec::new() })
        }
        Some(Remaining { dataset, people }) => {
            let gone = people.gone().map(|row| loaded.dataset.people.ids.get(row).to_owned()).collect();
            drop(loaded);
            let network = make(dataset, origin, renumbered(store.as_ref(), &people), forgotten)?;
            Ok(ReadNetwork { network, gone })
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Rebuilds `network` from memory without the people that `wanted` names; `None` if it has none of them.
///
/// # Errors
/// Returns an error if it cannot be built: then `network` must not be served.
pub(crate) fn forget(
    network: &LiveNetwork,
    wanted: Option<&Arc<Suppressions>>,
) -> Result<Option<LiveNetwork>, RefusedNetwork> {
    let Some(wanted) = wanted else { return Ok(None) };
    let leaving = network.leaving(wanted);
    if leaving.gone.is_empty() {
        return Ok(None);
    }
    let Remaining { dataset, people } = without(&network.index.data, &leaving.gone);
    let forgotten = network.forgotten.and_named(wanted);
    let store = renumbered(network.store.as_ref(), &people);
    let rows = self_check::Counts::of(&dataset);
    let index = network.index.without(dataset, &people);
    let made =
        LiveNetwork::of_index(index, network.origin(), store, forgotten).remaining_of(network, &people);
    let made = checked(made, rows)?;
    // Everybody in it was in the previous one, in which the list names only these.
    let ids = &network.index.data.people.ids;
    match people.gone().filter(|&row| made.index.find_person(ids.get(row)).is_some()).count() {
        0 => Ok(Some(made)),
        left => Err(RefusedNetwork::StillNamed(left)),
    }
}

/// The rest of `dataset` without the people that `wanted` names; `None` if it names none of them.
fn remaining(dataset: &Dataset, wanted: &Suppressions) -> Option<Remaining> {
    let gone = wanted.named_in(dataset);
    (!gone.is_empty()).then(|| without(dataset, &gone))
}

fn renumbered(
    store: Result<&RelationalStore, &StoreUnusable>,
    people: &Kept,
) -> Result<RelationalStore, StoreUnusable> {
    store.map(|store| store.renumbered(&people.numbers())).map_err(StoreUnusable::clone)
}

/// Builds the network of `dataset` and checks it: it answers, and contains none of the forgotten people.
fn make(
    dataset: Dataset,
    origin: Origin,
    store: Result<RelationalStore, StoreUnusable>,
    forgotten: Forgotten,
) -> Result<LiveNetwork, RefusedNetwork> {
    let rows = self_check::Counts::of(&dataset);
    let network = checked(LiveNetwork::make(dataset, origin, store, forgotten), rows)?;
    let named = network.forgotten.by().map(|wanted| wanted.named_in(&network.index.data));
    match named.map_or(0, |named| named.len()) {
        0 => Ok(network),
        left => Err(RefusedNetwork::StillNamed(left)),
    }
}

fn checked(network: LiveNetwork, rows: self_check::Counts) -> Result<LiveNetwork, RefusedNetwork> {
    self_check::check(&network.index, rows)?;
    Ok(network)
}
