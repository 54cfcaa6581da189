//! The two probes, on both listeners: whether the process answers, and whether it can answer callers. One word each,
//! for anybody, without a word on whom it serves.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Mutex;

use crate::api::marks::Cause;
use crate::ask_file::service::AskService;
use crate::auth::jwt::KeysStatus;
use crate::auth::jwt::refusal::Refusal;
use crate::auth::verify::Verifier;
use crate::cells::folder::CellList;
use crate::limits::READINESS_CHECK_MAX;
use crate::live::gate::Gate;

/// The path of the liveness probe.
pub const HEALTH: &str = "/healthz";
/// The path of the readiness probe.
pub const READY: &str = "/readyz";

/// Returns whether `path` is a probe's.
#[must_use]
pub fn is_probe(path: &str) -> bool {
    path == HEALTH || path == READY
}

/// The readiness of the service, shared by both listeners.
#[derive(Debug)]
pub struct Readiness {
    gate: Gate,
    credentials: Verifier,
    is_draining: AtomicBool,
    /// The list of this replica's cell; `None` if any network is enough.
    cell: Option<Arc<CellList>>,
    /// The asks, if requests need them.
    asks: Option<Arc<AskService>>,
    /// Held during each look at a disk, so that a disk that hangs blocks only one thread.
    look: Arc<Mutex<()>>,
}

/// Why the service is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unready {
    /// The service is stopping.
    Draining,
    /// No network is in service.
    NoNetwork,
    /// An organization of the cell is not in service: its id, or why that is unknown.
    CellIncomplete(String),
    /// No credential can be looked up, for this reason.
    NoCredentials(String),
    /// Asks cannot be read, for this reason.
    NoAsks(String),
}

impl Readiness {
    /// The readiness of a service with networks from `gate` and credentials from `credentials`.
    #[must_use]
    pub fn new(gate: Gate, credentials: Verifier) -> Self {
        Self {
            gate,
            credentials,
            is_draining: AtomicBool::new(false),
            cell: None,
            asks: None,
            look: Arc::default(),
        }
    }

    /// Also requires every organization in the list that `kith pull` wrote to `path`.
    #[must_use]
    pub fn with_all_of(self, path: PathBuf) -> Self {
        Self { cell: Some(Arc::new(CellList::at(path))), ..self }
    }

    /// Also requires that `asks` can be read.
    #[must_use]
    pub fn with_asks(self, asks: Arc<AskService>) -> Self {
        Self { asks: Some(asks), ..self }
    }

    /// Makes the service unready for the rest of its life.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Checks that callers can be answered now. Reads the list of the cell, if there is one, and the credential store:
    /// each takes [`READINESS_CHECK_MAX`] at most, and neither blocks a thread of the caller's.
    ///
    /// # Errors
    /// Returns an error if callers cannot be answered.
    pub async fn check(&self) -> Result<(), Unready> {
        if self.is_draining.load(Ordering::Relaxed) {
            return Err(Unready::Draining);
        }
        if !self.gate.has_networks() {
            return Err(Unready::NoNetwork);
        }
        if let Some(cell) = &self.cell {
            let (cell, gate) = (Arc::clone(cell), self.gate.clone());
            let look = move || cell.check(|organization| gate.serves(organization));
            self.in_time("the list of the cell", look).await.map_err(Unready::CellIncomplete)?;
        }
        self.can_read_asks().await?;
        self.credentials().await
    }

    /// The asks, if the service has any.
    #[must_use]
    pub fn asks(&self) -> Option<&AskService> {
        self.asks.as_deref()
    }

    /// Like [`Self::check`], for asks only.
    ///
    /// # Errors
    /// Returns an error if they are kept and cannot be read.
    pub async fn can_read_asks(&self) -> Result<(), Unready> {
        let Some(asks) = self.asks.clone() else { return Ok(()) };
        let look = move || asks.check().map_err(|error| error.to_string());
        self.in_time("the file of asks", look).await.map_err(Unready::NoAsks)
    }

    /// Like [`Self::check`], for the credential store only.
    ///
    /// # Errors
    /// Returns an error if no credential can be looked up.
    pub async fn credentials(&self) -> Result<(), Unready> {
        let credentials = self.credentials.clone();
        let look = move || credentials.check().map_err(|error| error.to_string());
        self.in_time("the credential store", look).await.map_err(Unready::NoCredentials)
    }

    /// The state of the keys for JWTs; `None` if JWTs are not accepted.
    #[must_use]
    pub fn issuer_keys(&self) -> Option<KeysStatus> {
        self.credentials.issuer_keys()
    }

    /// The number of JWTs refused since the start, by reason.
    #[must_use]
    pub fn refused_jwts(&self) -> [(Refusal, u64); Refusal::ALL.len()] {
        self.credentials.refused_jwts()
    }

    /// Returns `look` of `file`, on a thread that may block, after earlier looks.
    async fn in_time(
        &self,
        file: &str,
        look: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> Result<(), String> {
        let looking = async {
            let turn = Arc::clone(&self.look).lock_owned().await;
            let looked = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                look()
            });
            looked.await.map_err(|error| error.to_string())?
        };
        let late = |_| Err(format!("{file} does not answer in time"));
        tokio::time::timeout(READINESS_CHECK_MAX, looking).await.unwrap_or_else(late)
    }
}

impl IntoResponse for Unready {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::SERVICE_UNAVAILABLE, "unready").into_response();
        if let Self::NoCredentials(why) | Self::CellIncomplete(why) | Self::NoAsks(why) = self {
            response.extensions_mut().insert(Cause(why));
        }
        response
    }
}

/// Answers the liveness probe.
pub async fn healthz() -> &'static str {
    "ok"
}

/// The routes of both probes.
pub fn routes<S>(readiness: Arc<Readiness>) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    Router::new().route(HEALTH, get(healthz)).route(READY, get(readyz)).with_state(readiness)
}

async fn readyz(State(readiness): State<Arc<Readiness>>) -> Result<&'static str, Unready> {
    readiness.check().await.map(|()| "ready")
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;
    use crate::auth::store::CredentialStore;
    use crate::live::networks::{LiveNetworks, Networks};

    /// A look that succeeds only if another task of the same thread runs meanwhile.
    fn look(released: &Receiver<()>) -> Result<(), String> {
        released.recv_timeout(Duration::from_secs(1)).map_err(|error| error.to_string())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_look_at_a_disk_blocks_no_thread_of_the_caller() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let store = CredentialStore::open(&folder.path().join("credentials.db"))?;
        let gate = Gate::without_list(Arc::new(LiveNetworks::new(Networks::default())));
        let readiness = Readiness::new(gate, store.verifier()?);
        let (release, released) = channel();
        let (looked, sent) =
            tokio::join!(
                readiness.in_time("a file", move || look(&released)),
                async move { release.send(()) }
            );
        sent?;
        assert_eq!(looked, Ok(()));
        // The control: the same look on the thread of the caller.
        let (release, released) = channel();
        let (looked, _) = tokio::join!(async move { look(&released) }, async move { release.send(()) });
        assert!(looked.is_err());
        Ok(())
    }
}
