//! Data that a cell's replicas need besides snapshots: its credentials and the list of people to forget, one object
//! each.

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, GetOptions, ObjectStore, ObjectStoreExt, PutPayload};

use crate::cells::error::CellError;
use crate::cells::remote::address::RemoteCell;
use crate::cells::remote::refused::refused;
use crate::limits::{CELL_CREDENTIALS_BYTES_MAX, SUPPRESSION_LIST_BYTES_MAX};

/// The kind of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellListKind {
    /// The credentials, as hashes.
    Credentials,
    /// The people to forget, as keyed hashes.
    Suppressions,
}

impl CellListKind {
    fn ending(self) -> &'static str {
        match self {
            Self::Credentials => "credentials",
            Self::Suppressions => "suppressions",
        }
    }

    fn bytes_max(self) -> usize {
        match self {
            Self::Credentials => CELL_CREDENTIALS_BYTES_MAX,
            Self::Suppressions => SUPPRESSION_LIST_BYTES_MAX,
        }
    }
}

/// A list in the store, and the version last read.
#[derive(Debug)]
pub(crate) struct RemoteList {
    kind: CellListKind,
    cell: RemoteCell,
    object: Path,
    e_tag: Option<String>,
}

impl RemoteList {
    /// The list of `kind` for `cell`. Sends nothing yet.
    pub(crate) fn of(cell: RemoteCell, kind: CellListKind) -> Self {
        Self { kind, object: cell.beside_manifest(kind.ending()), cell, e_tag: None }
    }

    /// Replaces the list with `bytes`.
    ///
    /// # Errors
    /// Returns an error if the store refuses it, or it exceeds what replicas read.
    pub(crate) async fn put(&self, bytes: Vec<u8>) -> Result<(), CellError> {
        if bytes.len() > self.kind.bytes_max() {
            return Err(CellError::TooLong {
                object: self.object.to_string(),
                bytes_max: self.kind.bytes_max(),
            });
        }
        let put = self.cell.store.put(&self.object, PutPayload::from(bytes)).await;
        put.map(drop).map_err(refused("take", &self.object))
    }

    /// The list and its ETag, unless it is the one last [taken](Self::taken).
    ///
    /// # Errors
    /// Returns an error if it does not exist, or the store does not deliver it.
    pub(crate) async fn get(&self) -> Result<Option<(Bytes, Option<String>)>, CellError> {
        let refusal = refused("read", &self.object);
        let asked = GetOptions { if_none_match: self.e_tag.clone(), ..GetOptions::default() };
        let answer = match self.cell.store.get_opts(&self.object, asked).await {
            Err(Error::NotModified { .. }) => return Ok(None),
            answer => answer.map_err(&refusal)?,
        };
        if answer.meta.size > self.kind.bytes_max() as u64 {
            return Err(CellError::TooLong {
                object: self.object.to_string(),
                bytes_max: self.kind.bytes_max(),
            });
        }
        let e_tag = answer.meta.e_tag.clone();
        Ok(Some((answer.bytes().await.map_err(refusal)?, e_tag)))
    }

    /// Records that the version with this ETag is in force: it is not read again.
    pub(crate) fn taken(&mut self, e_tag: Option<String>) {
        self.e_tag = e_tag;
    }
}
