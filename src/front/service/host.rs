//! The host of a service: its threads, and the signals it handles.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use crate::admission::Admission;
use crate::audit::ReloadRequester;
use crate::auth::operator_token::OperatorToken;
use crate::search::threads;
use crate::server::tls::Tls;
use crate::service::assemble::Assembled;
use crate::service::reloading::reload_unasked;
use crate::system::{Coming, hangup, stop};

/// The threads and signals of a service. Once this exists, no signal ends the process by itself: one that comes before
/// the service serves ends it as soon as it does.
#[derive(Debug)]
pub struct Host {
    pub(crate) runtime: Runtime,
    pub(crate) signals: Signals,
    pub(crate) admission: Arc<Admission>,
}

impl Host {
    /// Starts the threads for requests, and listens for signals.
    ///
    /// # Errors
    /// Returns an error if the system gives no threads or no signals.
    pub fn new() -> io::Result<Self> {
        threads::start_shared();
        let admission = Admission::for_this_machine();
        let runtime = Builder::new_multi_thread().worker_threads(admission.threads()).enable_all().build()?;
        let signals = runtime.block_on(async { Signals::new() })?;
        Ok(Self { runtime, signals, admission })
    }
}

/// The signals that a service handles.
#[derive(Debug)]
pub(crate) struct Signals {
    hangup: Coming,
    stop: Coming,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { hangup: hangup()?, stop: stop()? })
    }

    /// Reloads snapshots, certificate and the operator's token at each SIGHUP; returns when the service is to stop,
    /// and also at SIGHUP if that ends the service.
    pub(crate) async fn reload_until_stop(&mut self, assembled: &Assembled) {
        let Assembled { tls, admin_token, operations, .. } = assembled;
        loop {
            tokio::select! {
                () = self.hangup.comes() => {
                    if assembled.ends_at_hangup {
                        return;
                    }
                    if let Some(Err(error)) = tls.as_deref().map(Tls::reload) {
                        tracing::error!(%error, "the old certificate stays in use");
                    }
                    operations.metrics.set_certificate_end(tls.as_deref().map(Tls::ends));
                    if let Some(Err(error)) = admin_token.as_deref().map(OperatorToken::reload) {
                        tracing::error!(%error, "the old token stays in force");
                    }
                    let reloader = Arc::clone(&operations.reloader);
                    tokio::spawn(async move { reload_unasked(&reloader, ReloadRequester::Hangup).await });
                }
                () = self.stop.comes() => return,
            }
        }
    }
}
