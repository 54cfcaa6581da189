//! Networks made without the people that a suppression list names, and looked at before they serve.

use std::path::Path;
use std::sync::Arc;

use crate::graph::self_check;
use crate::live::networks::{Network, Origin};
use crate::model::dataset::Dataset;
use crate::model::tables::Tables;
use crate::prepare::without::{Remaining, without};
use crate::relational::error::StoreUnusable;
use crate::relational::store::RelationalStore;
use crate::snapshot;
use crate::suppress::list::{SuppressionList, Suppressions};

/// Whom a network was made without.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forgotten {
    /// Those that these name.
    named: Option<Arc<Suppressions>>,
    /// Whether there are more, which an earlier list named.
    and_more: bool,
}

impl Forgotten {
    /// Whether they are those that `wanted` names and nobody else.
    pub(crate) fn is_just(&self, wanted: Option<&Arc<Suppressions>>) -> bool {
        !self.and_more && self.named.as_ref() == wanted
    }

    /// Whether `wanted` names all of them, and perhaps more.
    pub(crate) fn is_within(&self, wanted: Option<&Arc<Suppressions>>) -> bool {
        let named = self.named.as_deref();
        !self.and_more && named.is_none_or(|named| wanted.is_some_and(|wanted| wanted.includes(named)))
    }
}

/// Reads, checks, indexes and checks again the snapshot at `path`, without the people that `list` names;
/// or tells why it cannot be served.
pub(crate) fn load(path: &Path, list: &SuppressionList) -> Result<Network, String> {
    let loaded = snapshot::read::load(path).map_err(|error| error.to_string())?;
    let Some(wanted) = list.of(&loaded.dataset.organization.id) else {
        let rows = self_check::Counts::of(&loaded.dataset);
        return checked(Network::open(loaded, path), rows);
    };
    let origin = Origin::of(&loaded, path);
    let store = origin.open_store(path);
    let forgotten = Forgotten { named: Some(Arc::clone(wanted)), and_more: false };
    match remaining(&loaded.dataset.tables(), wanted)? {
        None => make(loaded.dataset, origin, store, forgotten),
        Some(Remaining { dataset, numbers }) => {
            drop(loaded);
            make(dataset, origin, renumbered(store.as_ref(), &numbers), forgotten)
        }
    }
}

/// `network` made again without the people that `wanted` names, from memory; nothing where none of them
/// is in it. Or why that failed: then it must not be served.
pub(crate) fn forget(
    network: &Network,
    wanted: Option<&Arc<Suppressions>>,
) -> Result<Option<Network>, String> {
    let Some(wanted) = wanted else { return Ok(None) };
    let Some(Remaining { dataset, numbers }) = remaining(&network.index.tables(), wanted)? else {
        return Ok(None);
    };
    let and_more = !network.forgotten.is_within(Some(wanted));
    let forgotten = Forgotten { named: Some(Arc::clone(wanted)), and_more };
    let store = renumbered(network.store.as_ref(), &numbers);
    make(dataset, network.origin(), store, forgotten).map(Some)
}

/// What is left of `tables` without whom `wanted` names; nothing where nobody is named.
fn remaining(tables: &Tables<'_>, wanted: &Suppressions) -> Result<Option<Remaining>, String> {
    let gone = wanted.named_in(tables.people);
    if gone.is_empty() {
        return Ok(None);
    }
    without(tables, &gone).map(Some).map_err(|error| error.to_string())
}

fn renumbered(
    store: Result<&RelationalStore, &StoreUnusable>,
    numbers: &[u32],
) -> Result<RelationalStore, StoreUnusable> {
    store.map(|store| store.renumbered(numbers)).map_err(StoreUnusable::clone)
}

/// The network of `dataset`, looked at: it answers, and nobody is in it who should not be.
fn make(
    dataset: Dataset,
    origin: Origin,
    store: Result<RelationalStore, StoreUnusable>,
    forgotten: Forgotten,
) -> Result<Network, String> {
    let rows = self_check::Counts::of(&dataset);
    let network = checked(Network::make(dataset, origin, store, forgotten), rows)?;
    let named = network.forgotten.named.as_ref().map(|wanted| wanted.named_in(&network.index.people));
    match named.map_or(0, |named| named.len()) {
        0 => Ok(network),
        left => {
            Err(format!("{left} people are in it who are to be forgotten; report this fault of the program"))
        }
    }
}

fn checked(network: Network, rows: self_check::Counts) -> Result<Network, String> {
    self_check::check(&network.index, rows).map(|()| network).map_err(|error| error.to_string())
}
