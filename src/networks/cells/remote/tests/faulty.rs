//! A store in memory that fails, breaks streams and replaces objects on demand.

use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

/// The store, and its faults.
#[derive(Debug)]
pub(super) struct Faulty {
    pub(super) inner: InMemory,
    /// Remaining operations that succeed; then all fail.
    pub(super) lives: AtomicUsize,
    /// Operations tried.
    pub(super) operations: AtomicUsize,
    /// Upcoming streams that break off in the middle.
    pub(super) tears: AtomicUsize,
    /// Replaces an object right before the next put of it.
    pub(super) meanwhile: Mutex<Option<(Path, Vec<u8>)>>,
    /// Replaces an object right after its stream broke off.
    pub(super) after_tear: Mutex<Option<(Path, Vec<u8>)>>,
}

impl Default for Faulty {
    fn default() -> Self {
        Self {
            inner: InMemory::new(),
            lives: AtomicUsize::new(usize::MAX),
            operations: AtomicUsize::new(0),
            tears: AtomicUsize::new(0),
            meanwhile: Mutex::default(),
            after_tear: Mutex::default(),
        }
    }
}

impl Faulty {
    /// Uses up one operation. Returns whether there was one.
    pub(super) fn lives_on(&self) -> bool {
        self.operations.fetch_add(1, Ordering::Relaxed);
        let taken = self.lives.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| match left {
            0 => None,
            usize::MAX => Some(usize::MAX),
            left => Some(left - 1),
        });
        taken.is_ok()
    }

    fn ask(&self) -> Result<()> {
        if self.lives_on() {
            return Ok(());
        }
        Err(Error::Generic { store: "faulty", source: "the store is gone".into() })
    }
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("faulty")
    }
}

/// A stream of `bytes` in small chunks that breaks off in the middle: silently, or with an error.
fn torn(bytes: &Bytes, is_silent: bool) -> BoxStream<'static, Result<Bytes>> {
    let half = bytes.slice(..bytes.len() / 2);
    let mut chunks: Vec<Result<Bytes>> =
        half.chunks(1_000).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    if !is_silent {
        chunks.push(Err(Error::Generic { store: "faulty", source: "the connection broke".into() }));
    }
    stream::iter(chunks).boxed()
}

#[async_trait]
impl ObjectStore for Faulty {
    async fn put_opts(&self, location: &Path, payload: PutPayload, opts: PutOptions) -> Result<PutResult> {
        self.ask()?;
        let planted = {
            let mut meanwhile = self.meanwhile.lock().unwrap();
            if meanwhile.as_ref().is_some_and(|(path, _)| path == location) { meanwhile.take() } else { None }
        };
        if let Some((path, bytes)) = planted {
            self.inner.put_opts(&path, bytes.into(), PutOptions::default()).await?;
        }
        self.inner.put_opts(location, payload, opts).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        opts: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.ask()?;
        self.inner.put_multipart_opts(location, opts).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.ask()?;
        let is_whole = options.head;
        let mut got = self.inner.get_opts(location, options).await?;
        let tears = self.tears.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        let (Ok(tears), false) = (tears, is_whole) else { return Ok(got) };
        let (range, meta, attributes, extensions) =
            (got.range.clone(), got.meta.clone(), got.attributes.clone(), got.extensions.clone());
        let bytes = got.bytes().await?;
        let planted = self.after_tear.lock().unwrap().take();
        if let Some((path, bytes)) = planted {
            self.inner.put_opts(&path, bytes.into(), PutOptions::default()).await?;
        }
        let payload = GetResultPayload::Stream(torn(&bytes, tears % 2 == 0));
        got = GetResult { payload, meta, range, attributes, extensions };
        Ok(got)
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.ask()?;
        self.inner.get_ranges(location, ranges).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.ask()?;
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.ask()?;
        self.inner.copy_opts(from, to, options).await
    }
}
