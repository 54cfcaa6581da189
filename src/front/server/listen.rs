//! The accept loop of one listener, until it is stopped.
//!
//! `axum::serve` has no deadline for a request's head, so slow connections would stay open for ever, and no bound on
//! their number.
//!
//! Promise: Nor one that was sent on a connection not yet accepted.
//! Control: a listener that is closed at once.

use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::api::error::ApiError;
use crate::limits::{CONNECTION_BACKLOG_MAX, STOP_DEADLINE};
use crate::server::connection::{self, Answering, ConnectionHold};
use crate::server::peers::PeerBound;
use crate::server::places::{ConnectionPlace, ConnectionPlaces};
use crate::server::refusal;
use crate::server::returning::{PERIOD, Returning};

/// The pause before accepting again when the process is out of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// The deadline for refusing an excess connection.
const REFUSE_DEADLINE: Duration = Duration::from_secs(1);

/// The bounds on the connections of a listener.
#[derive(Clone, Debug)]
pub struct ConnectionBounds {
    /// At once.
    pub connections: usize,
    /// The bound on connections of one peer.
    pub peers: PeerBound,
}

/// Answers connections to `listener` with `answering`, within `bounds`, until `stop` resolves; then accepts only those
/// already waiting, lets running requests finish, and returns.
pub async fn serve(
    listener: TcpListener,
    answering: Answering,
    bounds: ConnectionBounds,
    stop: impl Future<Output = ()>,
) {
    serve_and_close(listener, answering, bounds, stop, close).await;
}

async fn serve_and_close(
    listener: TcpListener,
    answering: Answering,
    bounds: ConnectionBounds,
    stop: impl Future<Output = ()>,
    close: impl FnOnce(TcpListener) -> Vec<(TcpStream, SocketAddr)>,
) {
    let places = ConnectionPlaces::new(bounds.connections, bounds.peers);
    let (stopping, stopped) = watch::channel(());
    let mut returning = Returning::default();
    let answering = Arc::new(answering);
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            _ = ticks.tick() => returning.tick(places.take_ended()),
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => take(stream, peer, &answering, &places, &stopped),
                Err(error) => {
                    tracing::warn!(%error, "accept failed");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    for (stream, peer) in close(listener) {
        take(stream, peer, &answering, &places, &stopped);
    }
    drop(stopped);
    let _ = stopping.send(());
    // A connection drops its receiver when it ends.
    if tokio::time::timeout(STOP_DEADLINE, stopping.closed()).await.is_err() {
        tracing::warn!("connections were still open at the stop deadline");
    }
}

/// Closes `listener`, and returns the connections waiting to be accepted: their peers see them as open, and closing the
/// listener alone would reset them with their requests.
fn close(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let mut waiting = Vec::new();
    // At most this many wait; later ones must not keep this going for ever.
    for _ in 0..CONNECTION_BACKLOG_MAX {
        match listener.accept() {
            Ok((stream, peer)) => {
                let stream = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
                waiting.extend(stream.ok().map(|stream| (stream, peer)));
            }
            // Its peer left.
            Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
            Err(_) => break,
        }
    }
    waiting
}

fn take(
    stream: TcpStream,
    peer: SocketAddr,
    answering: &Arc<Answering>,
    places: &Arc<ConnectionPlaces>,
    stopped: &watch::Receiver<()>,
) {
    match places.enter(peer.ip()) {
        Ok((place, made_room)) => {
            if made_room {
                answering.metrics.connection_gave_way();
            }
            answer(stream, Arc::clone(answering), place, stopped.clone());
        }
        Err(_) => {
            answering.metrics.connection_refused();
            let answer = refusal::write(&ApiError::Unavailable, &answering.metrics);
            tokio::spawn(refuse(stream, answer));
        }
    }
}

/// Starts answering a connection that has its `place`.
fn answer(
    stream: TcpStream,
    answering: Arc<Answering>,
    place: ConnectionPlace,
    stopped: watch::Receiver<()>,
) {
    let open = answering.metrics.connected();
    // Answers are written whole, so waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let peer = stream.peer_addr().ok();
    match &answering.tls {
        None => drop(tokio::spawn(connection::run(stream, peer, answering, (place, open), stopped))),
        Some(tls) => {
            let shaking_hands = tls.acceptor().accept(stream);
            drop(tokio::spawn(run_encrypted(shaking_hands, peer, answering, (place, open), stopped)));
        }
    }
}

async fn run_encrypted(
    shaking_hands: tokio_rustls::Accept<TcpStream>,
    peer: Option<SocketAddr>,
    answering: Arc<Answering>,
    held: ConnectionHold,
    stopped: watch::Receiver<()>,
) {
    match tokio::time::timeout(answering.deadlines.head, shaking_hands).await {
        Ok(Ok(stream)) => connection::run(stream, peer, answering, held, stopped).await,
        Ok(Err(error)) => tracing::debug!(%error, "no TLS came about"),
        Err(_) => tracing::debug!("the TLS handshake took too long"),
    }
}

async fn refuse(mut stream: TcpStream, answer: Vec<u8>) {
    let _ = tokio::time::timeout(REFUSE_DEADLINE, async {
        stream.write_all(&answer).await?;
        stream.shutdown().await?;
        // A peer that is cut off while still sending may never read the answer.
        let mut unread = [0; 512];
        while stream.read(&mut unread).await? > 0 {}
        Ok::<_, std::io::Error>(())
    })
    .await;
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use axum::Router;

    use super::*;
    use crate::api::metrics::Metrics;
    use crate::server::budget::ByteBudget;
    use crate::server::guard::Deadlines;

    const WAITING: usize = 40;

    /// The number of connections answered, of those that had sent a request but were not yet accepted when the server
    /// stopped.
    async fn answered(close: impl FnOnce(TcpListener) -> Vec<(TcpStream, SocketAddr)>) -> usize {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connect = || {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: kith\r\n\r\n").unwrap();
            stream
        };
        let waiting: Vec<_> = (0..WAITING).map(|_| connect()).collect();
        let answering = Answering {
            router: Router::new().fallback(async || "ok"),
            metrics: Arc::new(Metrics::new().unwrap()),
            deadlines: Deadlines::DEFAULT,
            budget: ByteBudget::new(1 << 20),
            tls: None,
        };
        let bounds = ConnectionBounds { connections: WAITING, peers: PeerBound::none() };
        serve_and_close(listener, answering, bounds, std::future::ready(()), close).await;
        let is_answered = |mut stream: std::net::TcpStream| {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200 ")
        };
        waiting.into_iter().map(is_answered).filter(|&is_answered| is_answered).count()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_waits_to_be_accepted_at_a_stop_is_answered() {
        assert_eq!(answered(close).await, WAITING);
    }

    /// The control: a listener that is closed at once.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_listener_that_is_closed_at_once_is_caught() {
        let answered = answered(|listener| {
            drop(listener);
            Vec::new()
        });
        assert!(answered.await < WAITING);
    }
}
