//! The accept loop: HTTP/1.1 on one listener until told to stop.
//!
//! Not `axum::serve`: that has no deadline for a request's head, so that slow connections would
//! stay open for ever.

use std::future::Future;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

/// A request's head, and the next request on a kept connection, must arrive within this.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// After being told to stop, running requests have this long.
const STOP_DEADLINE: Duration = Duration::from_secs(20);
/// The most bytes of a request's head.
const HEAD_BYTES_MAX: usize = 32 << 10;
/// How long to wait before accepting again where the process has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Answers connections to `listener` by `router` until `stop` resolves; then accepts no more, lets
/// running requests finish, and returns.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => answer(stream, router.clone(), &graceful),
                Err(error) => {
                    tracing::warn!(%error, "accept failed");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    if tokio::time::timeout(STOP_DEADLINE, graceful.shutdown()).await.is_err() {
        tracing::warn!("connections were still open at the stop deadline");
    }
}

fn answer(stream: TcpStream, router: Router, graceful: &GracefulShutdown) {
    // Answers are written whole, so waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_DEADLINE)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let watched = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = watched.await {
            tracing::debug!(%error, "connection ended early");
        }
    });
}
