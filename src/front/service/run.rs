//! Runs a service from start to end: assemble, bind, load, serve, stop.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::admission::Admission;
use crate::api::comparing::note_ahead;
use crate::clock;
use crate::server::refusal::has_http_date;
use crate::server::returning::return_after_loads;
use crate::service::assemble::assemble;
use crate::service::host::{Host, Signals};
use crate::service::listening::{Listeners, Serving};
use crate::service::reloading::{keep_before, load, watch_folder};
use crate::service::setup::Setup;

/// The error if no answer could express the clock's time: hyper would panic at each connection.
const CLOCK: &str = "the clock of this machine is set before 1970 or after 9999; set it and start again";

/// Serves `setup` on `host` until SIGTERM or SIGINT; calls `ready` with the API's address once it listens.
///
/// # Errors
/// Returns an error if the service cannot start, or `ready` fails.
pub fn run(
    setup: Setup<'_>,
    host: Host,
    ready: impl FnOnce(SocketAddr) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let Host { runtime, signals, admission } = host;
    if !has_http_date(clock::wall_time()) {
        return Err(CLOCK.into());
    }
    let ended = runtime.block_on(run_until_stopped(setup, signals, admission, ready));
    // Does not wait for a reload under way: it has put nothing in service.
    runtime.shutdown_background();
    if ended.is_ok() {
        tracing::info!("stopped");
    }
    ended
}

async fn run_until_stopped(
    setup: Setup<'_>,
    mut signals: Signals,
    admission: Arc<Admission>,
    ready: impl FnOnce(SocketAddr) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let earlier = setup.earlier.clone();
    let Setup { snapshots, listen, listen_else, admin_listen, watch, drain, .. } = setup;
    let assembled = assemble(setup, admission)?;
    let reloader = &assembled.operations.reloader;
    let listeners = Listeners::bind(listen, listen_else, admin_listen)?;
    load(reloader, snapshots).await?;
    if let Some(earlier) = earlier {
        keep_before(reloader, earlier).await;
    }

    let serving = Serving::start(&assembled, listeners)?;
    serving.announce();
    tokio::spawn(note_ahead(Arc::clone(&assembled.state)));
    tokio::spawn(return_after_loads(assembled.operations.networks.swaps()));
    assembled.recorder.audit();
    ready(serving.address)?;
    if let Some(every) = watch {
        tokio::spawn(watch_folder(Arc::clone(reloader), every));
    }
    signals.reload_until_stop(&assembled).await;

    assembled.operations.readiness.drain();
    if !drain.is_zero() {
        tracing::info!(seconds = drain.as_secs(), "unready; the listeners close later, or at another signal");
        // Another signal ends the wait.
        let _ = tokio::time::timeout(drain, signals.reload_until_stop(&assembled)).await;
    }

    serving.stop().await?;
    if let Some(exporter) = assembled.exporter {
        exporter.stop().await;
    }
    Ok(())
}
