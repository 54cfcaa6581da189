//! Bodies of requests: each part is charged to the budget as it comes, to the share of its peer. What is left of a small
//! body when the answer was made is read and thrown away, so that the connection can go on.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};

use crate::limits::{UNREAD_BYTES_MAX, UNREAD_DEADLINE};
use crate::server::budget::{ByteBudget, Charge};

/// The place of a body that is dropped before its end, and what was charged for it.
#[derive(Clone, Debug)]
pub(crate) struct Unread(Arc<Place>);

#[derive(Debug)]
struct Place {
    left: Mutex<Option<Incoming>>,
    budget: Arc<ByteBudget>,
    /// The peer that sends the body, as the budget knows it.
    peer: String,
    charges: Mutex<Vec<Charge>>,
    /// Whether the budget had no room for a part.
    is_shed: AtomicBool,
}

/// A body that is kept if it is dropped before its end.
struct Kept {
    body: Option<Incoming>,
    place: Unread,
}

impl Unread {
    /// A place for a body that `peer` sends, whose parts are charged to `budget` until this is dropped.
    pub(crate) fn new(budget: &Arc<ByteBudget>, peer: String) -> Self {
        Self(Arc::new(Place {
            left: Mutex::default(),
            budget: Arc::clone(budget),
            peer,
            charges: Mutex::default(),
            is_shed: AtomicBool::new(false),
        }))
    }

    /// Whether the body broke off because the budget had no room for it.
    pub(crate) fn is_shed(&self) -> bool {
        self.0.is_shed.load(Ordering::Relaxed)
    }

    /// `body`, which comes here if it is dropped before its end.
    pub(crate) fn keep(&self, body: Incoming) -> Body {
        Body::new(Kept { body: Some(body), place: self.clone() })
    }

    /// Reads what is left of a body, if it is at most [`UNREAD_BYTES_MAX`] and comes within [`UNREAD_DEADLINE`], and
    /// the connection does not end anyway (`ends`). Returns whether the body is at its end.
    pub(crate) async fn is_drained(&self, ends: bool) -> bool {
        let left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(body) = left else { return true };
        if ends || body.size_hint().lower() > UNREAD_BYTES_MAX as u64 {
            return false;
        }
        tokio::time::timeout(UNREAD_DEADLINE, drain(body)).await.unwrap_or(false)
    }
}

async fn drain(mut body: Incoming) -> bool {
    let mut left = UNREAD_BYTES_MAX;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { return false };
        left = rest;
    }
    true
}

impl HttpBody for Kept {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = std::task::ready!(Pin::new(body).poll_frame(context));
        let Some(frame) = frame else {
            self.body = None;
            return Poll::Ready(None);
        };
        let frame = frame?;
        let length = frame.data_ref().map_or(0, Bytes::len);
        let place = &self.place.0;
        let Some(charge) = place.budget.take_for_body(&place.peer, length) else {
            place.is_shed.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err("no memory for the body".into())));
        };
        place.charges.lock().unwrap_or_else(PoisonError::into_inner).push(charge);
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) {
            *self.place.0.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}
