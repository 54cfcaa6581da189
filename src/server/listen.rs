//! The accept loop: one listener until told to stop.
//!
//! Not `axum::serve`: that has no deadline for a request's head, so that slow connections would
//! stay open for ever, and no bound on their number.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::api::error::ApiError;
use crate::limits::STOP_DEADLINE;
use crate::server::connection::{self, Answering, ConnectionHold};
use crate::server::peers::PeerBound;
use crate::server::places::{ConnectionPlace, ConnectionPlaces};
use crate::server::refusal;
use crate::server::returning::{PERIOD, Returning};

/// How long to wait before accepting again where the process has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// How long telling a connection that there are too many may take.
const REFUSE_DEADLINE: Duration = Duration::from_secs(1);

/// How many connections a listener takes.
#[derive(Clone, Debug)]
pub struct ConnectionBounds {
    /// At once.
    pub connections: usize,
    /// Of these, of one peer.
    pub peers: PeerBound,
}

/// Answers connections to `listener` by `answering`, within `bounds`, until `stop`
/// resolves; then accepts no more, lets running requests finish, and returns.
pub async fn serve(
    listener: TcpListener,
    answering: Answering,
    bounds: ConnectionBounds,
    stop: impl Future<Output = ()>,
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
    drop(listener);
    drop(stopped);
    let _ = stopping.send(());
    // A connection drops its receiver when it ends.
    if tokio::time::timeout(STOP_DEADLINE, stopping.closed()).await.is_err() {
        tracing::warn!("connections were still open at the stop deadline");
    }
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

/// Begins to answer a connection that has its `place`.
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
        // Who is cut off while still sending may never read the answer.
        let mut unread = [0; 512];
        while stream.read(&mut unread).await? > 0 {}
        Ok::<_, std::io::Error>(())
    })
    .await;
}
