//! Endless, long and slow bodies.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::Bytes;
use axum::http::HeaderValue;
use http_body_util::BodyExt;
use hyper::body::Frame;

use super::*;

/// A body that begins and never ends.
struct Endless(Option<Bytes>);

impl HttpBody for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.take().map_or(Poll::Pending, |bytes| Poll::Ready(Some(Ok(Frame::data(bytes)))))
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_to_its_end_is_given_up_in_time() {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for begun in ["{\"query\":", &"x".repeat(BODY_BYTES_MAX + 1)] {
        let began = tokio::time::Instant::now();
        let body = Body::new(Endless(Some(Bytes::copy_from_slice(begun.as_bytes()))).boxed());
        assert_eq!(read(&headers, body).await, Err(ApiError::RequestTimeout));
        assert_eq!(began.elapsed(), BODY_DEADLINE);
    }
}

/// A body of `bytes` that has already arrived, in frames of 16 KiB.
fn there(bytes: usize) -> Body {
    const FRAME: usize = 16 << 10;
    let frame = move |from: usize| Ok::<_, Infallible>(Bytes::from(vec![b' '; FRAME.min(bytes - from)]));
    Body::from_stream(futures_util::stream::iter((0..bytes).step_by(FRAME).map(frame)))
}

/// The control: a short body gives no turn.
#[tokio::test]
async fn a_long_body_that_is_there_gives_others_a_turn_after_each_64_kib() {
    for (bytes, least) in [(BODY_BYTES_MAX - 1, 0), (1 << 20, 16)] {
        let turns = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&turns);
        let other = tokio::spawn(async move {
            loop {
                counted.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        });
        let read = collect(BATCH_BODY_BYTES_MAX, there(bytes), None).await;
        assert_eq!(read.map(|read| read.len()), Ok(bytes));
        assert_eq!(turns.load(Ordering::Relaxed), least);
        other.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn of_long_bodies_so_many_are_read_on_as_there_are_permits_and_short_ones_wait_for_none() {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let long = Semaphore::new(1);
    let read = |bytes| read_up_to(BATCH_BODY_BYTES_MAX, &headers, there(bytes), Some(&long));
    assert_eq!(read(BATCH_BODY_BYTES_MAX).await.map(|read| read.len()), Ok(BATCH_BODY_BYTES_MAX));
    let taken = long.acquire().await.unwrap();
    assert_eq!(read(BODY_BYTES_MAX - 1).await.map(|read| read.len()), Ok(BODY_BYTES_MAX - 1));
    assert_eq!(read(BODY_BYTES_MAX + 1).await, Err(ApiError::RequestTimeout));
    drop(taken);
    assert_eq!(read(BODY_BYTES_MAX + 1).await.map(|read| read.len()), Ok(BODY_BYTES_MAX + 1));
}
