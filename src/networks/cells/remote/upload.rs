//! Uploads one file under a name that is never overwritten.

use std::fs::File;
use std::io::Read;
use std::path::Path as FilePath;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};

use crate::cells::error::CellError;
use crate::cells::remote::refused::refused;
use crate::limits::CELL_PART_BYTES;

/// Uploads the whole `file`, which is at `path`, as `object`, unless that exists. Returns whether it was uploaded. A
/// file of at most one part takes one conditional request; for a longer one, a request first looks whether the object
/// exists.
///
/// # Errors
/// Returns an error if the file cannot be read, or the store refuses it: then the object does not exist.
pub(super) async fn put_once(
    store: &dyn ObjectStore,
    object: &Path,
    mut file: File,
    path: &FilePath,
) -> Result<bool, CellError> {
    match store.head(object).await {
        Ok(_) => return Ok(false),
        Err(Error::NotFound { .. }) => {}
        Err(error) => return Err(refused("look up", object)(error)),
    }
    let first = read_part(&mut file, path)?;
    let refusal = refused("take", object);
    if first.len() < CELL_PART_BYTES {
        let create = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        return match store.put_opts(object, PutPayload::from(first), create).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(refusal(error)),
        };
    }
    let mut upload = store.put_multipart(object).await.map_err(&refusal)?;
    let mut part = first;
    let sent = loop {
        if part.is_empty() {
            break upload.complete().await.map(drop).map_err(&refusal);
        }
        if let Err(error) = upload.put_part(PutPayload::from(part)).await {
            break Err(refusal(error));
        }
        part = match read_part(&mut file, path) {
            Ok(part) => part,
            Err(error) => break Err(error),
        };
    };
    if sent.is_err() {
        // An unfinished upload is not an object; stores remove it after a time set by their owner.
        let _ = upload.abort().await;
    }
    sent.map(|()| true)
}

/// The next part of `file`, or the rest of it.
fn read_part(file: &mut File, path: &FilePath) -> Result<Bytes, CellError> {
    let mut part = Vec::new();
    let read = Read::by_ref(file).take(CELL_PART_BYTES as u64).read_to_end(&mut part);
    read.map_err(CellError::file("read", path))?;
    Ok(part.into())
}
