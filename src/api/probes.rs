//! The two probes, on both listeners: whether the process answers, and whether it can answer callers. One word
//! each, for anybody, and nothing of whom it serves.

use std::fmt;
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
use crate::auth::jwt::KeysStatus;
use crate::auth::verify::Verifier;
use crate::cells::folder::CellList;
use crate::limits::READINESS_CHECK_MAX;
use crate::live::gate::Gate;

/// Whether the process answers at all.
pub const HEALTH: &str = "/healthz";
/// Whether callers can be sent here.
pub const READY: &str = "/readyz";

/// Returns whether `path` is that of a probe.
#[must_use]
pub fn is_probe(path: &str) -> bool {
    path == HEALTH || path == READY
}

/// Whether the service can answer callers: both listeners share one.
#[derive(Debug)]
pub struct Readiness {
    gate: Gate,
    credentials: Verifier,
    is_draining: AtomicBool,
    /// The note with the organizations of this replica's cell; `None` if any network will do.
    cell: Option<CellList>,
    /// Held while the credentials are checked, so that a disk that hangs holds one thread and no more.
    check: Arc<Mutex<()>>,
}

/// Why callers should not be sent here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unready {
    /// The service is about to stop.
    Draining,
    /// No network is in service.
    NoNetwork,
    /// Not every organization of the cell is in service; says which one is not, or why that is not known.
    CellIncomplete(String),
    /// No credential can be looked up; says why.
    NoCredentials(String),
}

impl Readiness {
    /// The readiness of a service whose requests get networks at `gate` and are let in by `credentials`.
    #[must_use]
    pub fn new(gate: Gate, credentials: Verifier) -> Self {
        Self { gate, credentials, is_draining: AtomicBool::new(false), cell: None, check: Arc::default() }
    }

    /// The same, ready only if every organization is in service that the note of `kith pull` at `path` names.
    #[must_use]
    pub fn with_all_of(self, path: PathBuf) -> Self {
        Self { cell: Some(CellList::at(path)), ..self }
    }

    /// Makes the service unready for the rest of its life.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Checks that callers can be answered now; takes [`READINESS_CHECK_MAX`] at most, and blocks no thread of
    /// the caller's.
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
            cell.check(|organization| self.gate.serves(organization)).map_err(Unready::CellIncomplete)?;
        }
        self.credentials().await
    }

    /// Like [`Self::check`], of the credential store alone.
    ///
    /// # Errors
    /// Returns an error if no credential can be looked up.
    pub async fn credentials(&self) -> Result<(), Unready> {
        let no_credentials = |why: &dyn fmt::Display| Unready::NoCredentials(why.to_string());
        match tokio::time::timeout(READINESS_CHECK_MAX, self.check_credentials()).await {
            Ok(checked) => checked.map_err(|why| no_credentials(&why)),
            Err(_) => Err(no_credentials(&"the credential store does not answer in time")),
        }
    }

    /// What is known of the keys that JWTs are checked with; `None` if none is accepted.
    #[must_use]
    pub fn issuer_keys(&self) -> Option<KeysStatus> {
        self.credentials.issuer_keys()
    }

    async fn check_credentials(&self) -> Result<(), String> {
        let turn = Arc::clone(&self.check).lock_owned().await;
        let credentials = self.credentials.clone();
        let check = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            credentials.check()
        });
        let checked = check.await.map_err(|error| error.to_string())?;
        checked.map_err(|error| error.to_string())
    }
}

impl IntoResponse for Unready {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::SERVICE_UNAVAILABLE, "unready").into_response();
        if let Self::NoCredentials(why) | Self::CellIncomplete(why) = self {
            response.extensions_mut().insert(Cause(why));
        }
        response
    }
}

/// Answers that the process answers.
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
