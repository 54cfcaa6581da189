//! The accept loop: one listener until told to stop.
//!
//! Not `axum::serve`: that has no deadline for a request's head, so that slow connections would
//! stay open for ever, and no bound on their number.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::api::error::ApiError;
use crate::limits::STOP_DEADLINE;
use crate::server::connection::{self, Answering};
use crate::server::refusal;

/// How long to wait before accepting again where the process has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// How long telling a connection that there are too many may take.
const REFUSE_DEADLINE: Duration = Duration::from_secs(1);

/// Answers connections to `listener` by `answering`, at most `connections` at once, until `stop`
/// resolves; then accepts no more, lets running requests finish, and returns.
pub async fn serve(
    listener: TcpListener,
    answering: Answering,
    connections: usize,
    stop: impl Future<Output = ()>,
) {
    let connections = u32::try_from(connections).unwrap_or(u32::MAX);
    let places = Arc::new(Semaphore::new(connections as usize));
    let (stopping, stopped) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => take(stream, &answering, &places, &stopped),
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
    // A connection gives its place back when it ends.
    if tokio::time::timeout(STOP_DEADLINE, places.acquire_many(connections)).await.is_err() {
        tracing::warn!("connections were still open at the stop deadline");
    }
}

fn take(stream: TcpStream, answering: &Answering, places: &Arc<Semaphore>, stopped: &watch::Receiver<()>) {
    match Arc::clone(places).try_acquire_owned() {
        Ok(place) => drop(tokio::spawn(run(stream, answering.clone(), place, stopped.clone()))),
        Err(_) => {
            answering.metrics.connection_refused();
            let answer = refusal::write(&ApiError::Unavailable, &answering.metrics);
            tokio::spawn(refuse(stream, answer));
        }
    }
}

async fn run(
    stream: TcpStream,
    answering: Answering,
    _place: OwnedSemaphorePermit,
    stopped: watch::Receiver<()>,
) {
    let _open = answering.metrics.connected();
    // Answers are written whole, so waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let peer = stream.peer_addr().ok();
    let Some(tls) = &answering.tls else { return connection::run(stream, peer, answering, stopped).await };
    match tokio::time::timeout(answering.deadlines.head, tls.acceptor().accept(stream)).await {
        Ok(Ok(stream)) => connection::run(stream, peer, answering, stopped).await,
        Ok(Err(error)) => tracing::debug!(%error, "no TLS came about"),
        Err(_) => tracing::debug!("the TLS handshake took too long"),
    }
}

async fn refuse(mut stream: TcpStream, answer: Vec<u8>) {
    let _ = tokio::time::timeout(REFUSE_DEADLINE, async {
        stream.write_all(&answer).await?;
        stream.shutdown().await?;
        // Who is cut off while still sending may never read the answer.
        let mut unread = [0; 4096];
        while stream.read(&mut unread).await? > 0 {}
        Ok::<_, std::io::Error>(())
    })
    .await;
}
