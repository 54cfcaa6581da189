//! The network of one organization: its index, and the file it came from.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use kith::asks::book::AskBook;
use tokio::sync::Semaphore;

use crate::graph::index::GraphIndex;
use crate::limits::LONG_BODIES_MAX;
use crate::live::answers::Answers;
use crate::live::asked::{AskedNetwork, LastAsked};
use crate::live::forgotten::Forgotten;
use crate::live::generation::generation_of;
use crate::live::leaving::{LastLeaving, Leaving};
use crate::model::dataset::Dataset;
use crate::model::kept::Kept;
use crate::model::time::Timestamp;
use crate::query::members;
use crate::regular_file::FileStamp;
use crate::relational::error::StoreUnusable;
use crate::relational::path_beside;
use crate::relational::store::RelationalStore;
use crate::search::engine::Engines;
use crate::search::index::SearchIndex;
use crate::search::searched::Searched;
use crate::snapshot::header::Identity;
use crate::snapshot::read::Loaded;
use crate::suppress::list::{SuppressionList, Suppressions};

/// One organization's index, and the file it came from.
#[derive(Debug)]
pub struct LiveNetwork {
    /// The index.
    pub index: Arc<GraphIndex>,
    /// Its index for searches.
    pub search: SearchIndex,
    /// The relational store beside the snapshot, or why it cannot be used.
    pub store: Result<RelationalStore, StoreUnusable>,
    /// The stamp of the store's file before it was opened, if there was one.
    store_stamp: Option<FileStamp>,
    /// The kept answers about it.
    pub answers: Answers,
    /// The identity of the snapshot.
    pub identity: Identity,
    /// The snapshot's file name.
    pub file: String,
    /// The snapshot's size.
    pub size_bytes: u64,
    /// The number of people in the snapshot.
    snapshot_people: u32,
    /// Limits how many callers of the organization send more of a long body at once; see [`LONG_BODIES_MAX`].
    pub long_bodies: Semaphore,
    /// See [`Self::with_asks`].
    asked: LastAsked,
    /// See [`Self::leaving`].
    leaving: LastLeaving,
    /// See [`Self::data_as_of`].
    data_as_of: OnceLock<Option<Timestamp>>,
    /// The people of the snapshot who are not in the index.
    pub(crate) forgotten: Forgotten,
}

/// The snapshot that a network comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    file: String,
    identity: Identity,
    size_bytes: u64,
    people: u32,
    store_stamp: Option<FileStamp>,
}

impl Origin {
    /// A snapshot read from `path`, before the store beside it is opened.
    pub(crate) fn of(loaded: &Loaded, path: &Path) -> Self {
        Self {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            identity: loaded.identity,
            size_bytes: loaded.size_bytes,
            people: u32::try_from(loaded.dataset.people.len()).unwrap_or(u32::MAX),
            store_stamp: FileStamp::at(&path_beside(path)),
        }
    }

    /// The name of the snapshot's file.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The identity of the snapshot.
    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// The size of the snapshot, in bytes.
    pub(crate) fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// The stamp of the store's file before it was opened, if there was one.
    pub(crate) fn store_stamp(&self) -> Option<FileStamp> {
        self.store_stamp
    }

    /// Opens the store beside the snapshot at `path`.
    pub(crate) fn open_store(&self, path: &Path) -> Result<RelationalStore, StoreUnusable> {
        RelationalStore::open(path, self.identity, self.people)
    }
}

impl LiveNetwork {
    /// Indexes a checked snapshot read from `path`, and opens the store beside it.
    #[must_use]
    pub fn open(loaded: Loaded, path: &Path) -> Self {
        let origin = Origin::of(&loaded, path);
        let store = origin.open_store(path);
        Self::make(loaded.dataset, origin, store, Forgotten::default())
    }

    /// Indexes a checked snapshot, without a store; `file` is its name.
    #[must_use]
    pub fn new(loaded: Loaded, file: &str) -> Self {
        let origin = Origin::of(&loaded, Path::new(file));
        let store = Err(StoreUnusable::Absent { path: path_beside(Path::new(file)) });
        Self::make(loaded.dataset, origin, store, Forgotten::default())
    }

    /// Indexes `dataset`: the snapshot `origin` without the people `forgotten`, who are not in `store` either.
    pub(crate) fn make(
        dataset: Dataset,
        origin: Origin,
        store: Result<RelationalStore, StoreUnusable>,
        forgotten: Forgotten,
    ) -> Self {
        Self::of_index(GraphIndex::build(dataset), origin, store, forgotten)
    }

    /// Like [`Self::make`], from the dataset's `index`.
    pub(crate) fn of_index(
        index: GraphIndex,
        origin: Origin,
        store: Result<RelationalStore, StoreUnusable>,
        forgotten: Forgotten,
    ) -> Self {
        let index = Arc::new(index);
        let search = SearchIndex::build(&index);
        let Origin { file, identity, size_bytes, people, store_stamp } = origin;
        Self {
            answers: Answers::beside(index.size_bytes()),
            index,
            search,
            store,
            store_stamp,
            identity,
            file,
            size_bytes,
            snapshot_people: people,
            long_bodies: Semaphore::new(LONG_BODIES_MAX),
            asked: LastAsked::default(),
            leaving: LastLeaving::default(),
            data_as_of: OnceLock::new(),
            forgotten,
        }
    }

    /// Lays the asks of `book`, its organization's, over it.
    #[must_use]
    pub fn with_asks(&self, book: &Arc<AskBook>) -> Arc<AskedNetwork> {
        self.asked.of(&self.index, book)
    }

    /// This network as the rest of `whole`, with only `people`; takes over the hashed keys of `whole`.
    pub(crate) fn remaining_of(self, whole: &Self, people: &Kept) -> Self {
        Self { leaving: whole.leaving.of_rest(people), ..self }
    }

    /// Hashes its people's keys, so that changes of `list` cost no pass over them.
    pub(crate) fn hash_people(&self, list: &SuppressionList) {
        self.leaving.prepare(&self.index, list);
    }

    /// The people in it who match `wanted`. Costs a hash per person, unless they are hashed already.
    pub(crate) fn leaving(&self, wanted: &Arc<Suppressions>) -> Arc<Leaving> {
        self.leaving.of(&self.index, wanted)
    }

    /// The same, once [`Self::leaving`] has found them; never completes if any answer may change without them.
    pub(crate) async fn announced(&self, wanted: &Arc<Suppressions>) -> Option<Arc<Leaving>> {
        self.leaving.announced(wanted).await
    }

    /// The newest time in its tables. Costs a pass over them the first time.
    #[must_use]
    pub fn data_as_of(&self) -> Option<Timestamp> {
        *self.data_as_of.get_or_init(|| members::data_as_of(&self.index))
    }

    /// The number of its generation: the same for the same people of the same snapshot.
    pub(crate) fn generation(&self) -> u64 {
        let data = &self.index.data;
        let is_whole = data.people.len() == self.snapshot_people as usize;
        let left = (!is_whole).then_some(&data.people.ids);
        generation_of(&data.organization.id, self.identity, left)
    }

    /// The snapshot it comes from.
    pub(crate) fn origin(&self) -> Origin {
        let Self { identity, size_bytes, snapshot_people: people, store_stamp, .. } = *self;
        Origin { file: self.file.clone(), identity, size_bytes, people, store_stamp }
    }

    /// Whether the store beside the snapshot at `path` belongs to it and should replace the one in service: there is
    /// none, or it has failed, or its file was written to. A working store is kept even if another file took its name:
    /// the same snapshot has the same store.
    #[must_use]
    pub fn could_use_store(&self, path: &Path) -> bool {
        let may_stay = self.store.as_ref().is_ok_and(|store| {
            let now = FileStamp::at(&path_beside(path));
            let is_written_to = match (self.store_stamp, now) {
                (Some(before), Some(now)) => before != now && before.is_same_file(now),
                _ => false,
            };
            self.store_stamp == now || !(store.has_failed() || is_written_to)
        });
        !may_stay && self.origin().open_store(path).is_ok()
    }

    /// Why the store beside the snapshot at `path` cannot be used, if so.
    #[must_use]
    pub fn store_fault(&self, path: &Path) -> Option<StoreUnusable> {
        if self.has_store_of(path) { None } else { self.origin().open_store(path).err() }
    }

    /// Logs how a look-up in the store failed, only for the first failure.
    pub fn log_store_failure(&self) {
        let failure = self.store.as_ref().ok().and_then(RelationalStore::unreported_failure);
        if let Some(reason) = failure {
            let (file, organization) = (&self.file, &self.index.data.organization.id);
            tracing::error!(file, organization, %reason, "relational store failed in service: put a sound one in place and reload");
        }
    }

    /// Whether the store in service is the file beside the snapshot at `path`.
    fn has_store_of(&self, path: &Path) -> bool {
        self.store.is_ok() && self.store_stamp == FileStamp::at(&path_beside(path))
    }

    /// Memory of the index, the search index, the hashed keys and the kept answers, in bytes. Costs a pass over the distinct texts.
    #[must_use]
    pub fn size_bytes_in_memory(&self) -> usize {
        self.indexed_bytes() + self.answers.size_bytes()
    }

    /// Maximum memory it can ever take, in bytes: [`Self::size_bytes_in_memory`] with a full cache of answers.
    #[must_use]
    pub fn size_bytes_at_most(&self) -> usize {
        self.indexed_bytes() + self.answers.size_bytes_at_most()
    }

    fn indexed_bytes(&self) -> usize {
        self.index.size_bytes() + self.search.size_bytes() + self.leaving.size_bytes()
    }

    /// The data for a search over this network, with `engines` in service until `deadline`.
    #[must_use]
    pub fn searched(&self, engines: Engines, deadline: Instant) -> Searched<'_> {
        let store = self.store.as_ref().ok();
        Searched { index: &self.index, search: &self.search, store, engines, deadline }
    }
}
