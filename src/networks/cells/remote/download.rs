//! Downloads one object to a file, resuming broken streams.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path as FilePath;

use bytes::Bytes;
use futures_util::StreamExt;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStore};

use crate::cells::error::CellError;
use crate::cells::remote::refused::refused;
use crate::limits::{CELL_RETRIES, CELL_STALL_MAX};

/// Streams `object` into a new file at `path`, and syncs it. Resumes a broken stream with the same version of the
/// object; if that is gone, starts again.
///
/// # Errors
/// Returns an error if the object does not exist, the store does not deliver it whole after several attempts, or the
/// file cannot be written.
pub(super) async fn fetch(store: &dyn ObjectStore, object: &Path, path: &FilePath) -> Result<(), CellError> {
    let unwritten = CellError::file("write", path);
    let mut file = File::create(path).map_err(&unwritten)?;
    let (mut written, mut version, mut torn) = (0, None, 0);
    loop {
        let fault = match pour(store, object, &mut file, &mut written, &mut version).await {
            Ok(()) => break,
            Err(Poured::Unwritten(cause)) => return Err(unwritten(cause)),
            Err(Poured::Refused(error @ Error::NotFound { .. })) => {
                return Err(refused("read", object)(error));
            }
            Err(Poured::Refused(error)) => {
                if matches!(error, Error::Precondition { .. }) {
                    (written, version) = (0, None);
                }
                error.to_string()
            }
            Err(Poured::Torn(why)) => why,
        };
        torn += 1;
        if torn > CELL_RETRIES {
            return Err(CellError::Store { action: "give all of", object: object.to_string(), cause: fault });
        }
    }
    file.set_len(written).and_then(|()| file.sync_all()).map_err(unwritten)
}

/// Why a stream ended before the object did.
enum Poured {
    /// The store refused it.
    Refused(Error),
    /// It broke off, or stalled for too long.
    Torn(String),
    /// The file could not be written.
    Unwritten(io::Error),
}

/// Streams the rest of `object` after the `written` bytes of `file`; of `version`, if one was begun.
async fn pour(
    store: &dyn ObjectStore,
    object: &Path,
    file: &mut File,
    written: &mut u64,
    version: &mut Option<ObjectMeta>,
) -> Result<(), Poured> {
    let begun = version.as_ref().filter(|_| *written > 0);
    if begun.is_some_and(|begun| begun.size == *written) {
        return Ok(());
    }
    let asked = GetOptions {
        if_match: begun.and_then(|begun| begun.e_tag.clone()),
        range: begun.map(|_| GetRange::Offset(*written)),
        ..GetOptions::default()
    };
    let answer = store.get_opts(object, asked).await.map_err(Poured::Refused)?;
    let is_same =
        begun.is_none_or(|begun| begun.size == answer.meta.size && begun.e_tag == answer.meta.e_tag);
    if !is_same || answer.range.start != *written {
        (*written, *version) = (0, None);
        return Err(Poured::Torn("another version of it came".to_owned()));
    }
    let size = answer.meta.size;
    *version = Some(answer.meta.clone());
    file.seek(SeekFrom::Start(*written)).map_err(Poured::Unwritten)?;
    let mut stream = answer.into_stream();
    loop {
        let next: Option<Result<Bytes, Error>> = tokio::time::timeout(CELL_STALL_MAX, stream.next())
            .await
            .map_err(|_| Poured::Torn(format!("nothing came for {} s", CELL_STALL_MAX.as_secs())))?;
        let Some(chunk) = next else { break };
        let chunk = chunk.map_err(|error| Poured::Torn(error.to_string()))?;
        file.write_all(&chunk).map_err(Poured::Unwritten)?;
        *written += chunk.len() as u64;
    }
    if *written == size { Ok(()) } else { Err(Poured::Torn(format!("{written} of its {size} bytes came"))) }
}
