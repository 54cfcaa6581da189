//! Snapshots that commands answer from by themselves, without the people who are to be forgotten.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::graph::index::GraphIndex;
use crate::graph::self_check;
use crate::live::suppression::LIST_FILE;
use crate::model::dataset::Dataset;
use crate::prepare::without::without;
use crate::snapshot;
use crate::suppress::error::ListError;
use crate::suppress::list::SuppressionList;
use crate::suppress::{file, marker};

/// The list of people to forget, as `kith serve` takes it.
#[derive(Debug, Args)]
pub(super) struct ListArg {
    /// The list of people to forget; if none is named, suppressions.txt beside the snapshot
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
}

/// The network in the snapshot at `path`.
///
/// # Errors
/// Returns an error if the list or the snapshot cannot be used.
pub(super) fn open(path: &Path, list: &ListArg) -> Result<GraphIndex, Box<dyn Error>> {
    let list = list.read(path)?;
    let data = read(path)?;
    let gone = named(&data, &list);
    index(data, &gone)
}

/// The networks in two snapshots of one organization. A person whom the list names in one of them is in neither: they
/// may have had another handle then.
///
/// # Errors
/// Returns an error if a list or a snapshot cannot be used, or the snapshots are of two organizations.
pub(super) fn open_both(paths: [&Path; 2], list: &ListArg) -> Result<[GraphIndex; 2], Box<dyn Error>> {
    let lists = [list.read(paths[0])?, list.read(paths[1])?];
    let [old, new] = [read(paths[0])?, read(paths[1])?];
    let organizations = [&old, &new].map(|data| &data.organization.id);
    if organizations[0] != organizations[1] {
        let [one, other] = organizations;
        let [old, new] = paths.map(Path::display);
        return Err(format!(
            "{old} is of {one} and {new} of {other}: compare two snapshots of one organization"
        )
        .into());
    }
    let ids = |data: &Dataset| {
        let rows = lists.iter().flat_map(|list| named(data, list));
        rows.map(|row| data.people.ids.get(row).to_owned()).collect::<BTreeSet<String>>()
    };
    let gone = &ids(&old) | &ids(&new);
    let rows =
        |data: &Dataset| gone.iter().filter_map(|id| data.people.ids.find_sorted(id)).collect::<Vec<u32>>();
    let (old_rows, new_rows) = (rows(&old), rows(&new));
    Ok([index(old, &old_rows)?, index(new, &new_rows)?])
}

impl ListArg {
    /// The list that is named, else the one beside `snapshot`, if there is one.
    fn read(&self, snapshot: &Path) -> Result<SuppressionList, ListError> {
        if let Some(path) = &self.suppressions {
            return file::read(path);
        }
        let path = snapshot.with_file_name(LIST_FILE);
        match file::read(&path) {
            Err(ListError::Missing { .. }) => marker::check_none(&path).map(|()| SuppressionList::default()),
            read => read,
        }
    }
}

fn read(path: &Path) -> Result<Dataset, String> {
    let loaded = snapshot::read::load(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(loaded.dataset)
}

/// The numbers of the people in `data` whom `list` names.
fn named(data: &Dataset, list: &SuppressionList) -> Vec<u32> {
    let wanted = list.of(&data.organization.id);
    wanted.map_or_else(Vec::new, |wanted| wanted.named_in(data))
}

/// The index of `data` without the people numbered `gone`, looked at before it answers.
fn index(data: Dataset, gone: &[u32]) -> Result<GraphIndex, Box<dyn Error>> {
    let data = if gone.is_empty() { data } else { without(&data, gone).dataset };
    let rows = self_check::Counts::of(&data);
    let index = GraphIndex::build(data);
    self_check::check(&index, rows)?;
    Ok(index)
}
