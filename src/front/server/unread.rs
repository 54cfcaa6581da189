//! Bodies of requests: each part is charged to the sender's share of the budget as it arrives, and so is the request
//! from the first read of its body on. The unread rest of a small body is read and discarded after the answer, so that
//! the connection can go on.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::sync::watch;

use crate::api::marks::AnsweredFrom;
use crate::limits::{REQUEST_BYTES, STOP_REQUEST_DEADLINE, UNREAD_BYTES_MAX, UNREAD_DEADLINE};
use crate::server::budget::{ByteBudget, Charge, Sender};

/// The error of a body that breaks off.
const NO_ROOM: &str = "no memory for the body";
const STOPS: &str = "the server stops";

/// The place of a body that is dropped before its end, and its charges.
#[derive(Clone, Debug)]
pub(crate) struct Unread(Arc<Place>);

#[derive(Debug)]
struct Place {
    left: Mutex<Option<Incoming>>,
    budget: Arc<ByteBudget>,
    /// The peer that sends the body.
    peer: String,
    /// The organization of the request, once known.
    from: AnsweredFrom,
    /// The sender in the budget, from the first read of the body on.
    sender: OnceLock<Sender>,
    charges: Mutex<Vec<Charge>>,
    /// Signals that the server stops; `None` if it already does.
    stopped: Option<watch::Receiver<()>>,
    /// Whether the budget had no room for a part.
    is_shed: AtomicBool,
}

/// A body that is kept if it is dropped before its end.
struct Kept {
    body: Option<Incoming>,
    place: Unread,
    /// Resolves when it is too late for a body that has not arrived, since the server stops.
    late: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Unread {
    /// A place for a body from `peer`; its parts are charged to `budget` until this is dropped. `from` will name the
    /// organization; `stopped` signals that the server stops, `None` if it already does.
    pub(crate) fn new(
        budget: &Arc<ByteBudget>,
        peer: String,
        from: AnsweredFrom,
        stopped: Option<watch::Receiver<()>>,
    ) -> Self {
        Self(Arc::new(Place {
            left: Mutex::default(),
            budget: Arc::clone(budget),
            peer,
            from,
            sender: OnceLock::new(),
            charges: Mutex::default(),
            stopped,
            is_shed: AtomicBool::new(false),
        }))
    }

    /// Whether the body broke off because the budget had no room for it.
    pub(crate) fn is_shed(&self) -> bool {
        self.0.is_shed.load(Ordering::Relaxed)
    }

    /// Wraps `body`, which comes back here if it is dropped before its end.
    pub(crate) fn keep(&self, body: Incoming) -> Body {
        Body::new(Kept { body: Some(body), place: self.clone(), late: None })
    }

    /// Reads the rest of a body, if it is at most [`UNREAD_BYTES_MAX`], arrives within [`UNREAD_DEADLINE`], and the
    /// connection does not end anyway (`ends`). Returns whether the body is at its end.
    pub(crate) async fn is_drained(&self, ends: bool) -> bool {
        let left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(body) = left else { return true };
        if ends || body.size_hint().lower() > UNREAD_BYTES_MAX as u64 {
            return false;
        }
        tokio::time::timeout(UNREAD_DEADLINE, drain(body)).await.unwrap_or(false)
    }
}

impl Place {
    /// The sender of the body: the organization if its credential was accepted, else the peer.
    fn sender(&self) -> &Sender {
        self.sender.get_or_init(|| match self.from.reported() {
            Some((network, _)) => Sender::Organization(network.index.data.organization.id.clone()),
            None => Sender::Peer(self.peer.clone()),
        })
    }

    /// Charges the request to its sender's share at the first read of its body. Returns `false` without room.
    fn waits(&self) -> bool {
        self.sender.get().is_some() || self.keep(self.budget.take_for_sender(self.sender(), REQUEST_BYTES))
    }

    /// Keeps `charge` until this is dropped. If it is `None`, records that and returns `false`.
    fn keep(&self, charge: Option<Charge>) -> bool {
        self.is_shed.fetch_or(charge.is_none(), Ordering::Relaxed);
        let has_room = charge.is_some();
        self.charges.lock().unwrap_or_else(PoisonError::into_inner).extend(charge);
        has_room
    }
}

/// Resolves some time after `stopped` signals that the server stops.
async fn stop_deadline(stopped: Option<watch::Receiver<()>>) {
    if let Some(mut stopped) = stopped {
        let _ = stopped.changed().await;
    }
    tokio::time::sleep(STOP_REQUEST_DEADLINE).await;
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
        if !self.place.0.waits() {
            return Poll::Ready(Some(Err(NO_ROOM.into())));
        }
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let Poll::Ready(frame) = Pin::new(body).poll_frame(context) else {
            let stopped = self.place.0.stopped.clone();
            let late = self.late.get_or_insert_with(|| Box::pin(stop_deadline(stopped)));
            return late.as_mut().poll(context).map(|()| Some(Err(STOPS.into())));
        };
        let Some(frame) = frame else {
            self.body = None;
            return Poll::Ready(None);
        };
        let frame = frame?;
        let length = frame.data_ref().map_or(0, Bytes::len);
        let place = &self.place.0;
        if !place.keep(place.budget.take_for_body(place.sender(), length)) {
            return Poll::Ready(Some(Err(NO_ROOM.into())));
        }
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
