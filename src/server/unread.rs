//! Bodies of requests: each part is charged to the budget as it comes, to the share of who sends it, and so is the request
//! from the first look at its body on. What is left of a small body when the answer was made is read and thrown away, so
//! that the connection can go on.

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

/// Why a body breaks off.
const NO_ROOM: &str = "no memory for the body";
const STOPS: &str = "the server stops";

/// The place of a body that is dropped before its end, and what was charged for it.
#[derive(Clone, Debug)]
pub(crate) struct Unread(Arc<Place>);

#[derive(Debug)]
struct Place {
    left: Mutex<Option<Incoming>>,
    budget: Arc<ByteBudget>,
    /// The peer that sends the body.
    peer: String,
    /// The organization whose request it is, once that is known.
    from: AnsweredFrom,
    /// Who sends the body, as the budget knows it, from the first look at it on.
    sender: OnceLock<Sender>,
    charges: Mutex<Vec<Charge>>,
    /// Says that the server stops; `None` if it does already.
    stopped: Option<watch::Receiver<()>>,
    /// Whether the budget had no room for a part.
    is_shed: AtomicBool,
}

/// A body that is kept if it is dropped before its end.
struct Kept {
    body: Option<Incoming>,
    place: Unread,
    /// Comes when a body that is not there yet is too late, since the server stops.
    late: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Unread {
    /// A place for a body that `peer` sends, whose parts are charged to `budget` until this is dropped. `from` comes to say
    /// for which organization, `stopped` that the server stops; `None` if it does already.
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

    /// `body`, which comes here if it is dropped before its end.
    pub(crate) fn keep(&self, body: Incoming) -> Body {
        Body::new(Kept { body: Some(body), place: self.clone(), late: None })
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

impl Place {
    /// Who sends the body: the organization if a credential of it was accepted, else the peer.
    fn sender(&self) -> &Sender {
        self.sender.get_or_init(|| match self.from.reported() {
            Some((network, _)) => Sender::Organization(network.index.data.organization.id.clone()),
            None => Sender::Peer(self.peer.clone()),
        })
    }

    /// Takes the request into the share of its sender at the first look at its body. Returns `false` if there is no room.
    fn waits(&self) -> bool {
        self.sender.get().is_some() || self.keep(self.budget.take_for_sender(self.sender(), REQUEST_BYTES))
    }

    /// Keeps `charge` until this is dropped. Returns `false`, and notes it, if there is none.
    fn keep(&self, charge: Option<Charge>) -> bool {
        self.is_shed.fetch_or(charge.is_none(), Ordering::Relaxed);
        let has_room = charge.is_some();
        self.charges.lock().unwrap_or_else(PoisonError::into_inner).extend(charge);
        has_room
    }
}

/// Ends a while after `stopped` says that the server stops.
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
