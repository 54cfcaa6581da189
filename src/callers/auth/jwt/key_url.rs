//! Keys at an address: fetched periodically, and when a token names an unknown key.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ACCEPT, HeaderValue};
use hyper::{Request, StatusCode, Uri};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::auth::jwt::error::{IssuerError, KeysFault};
use crate::auth::jwt::held::{HeldKeys, KeyOrigin, KeysStatus};
use crate::auth::jwt::key_set::KeySet;
use crate::auth::jwt::refusal::Refusal;
use crate::clock::Clock;
use crate::limits::{JWKS_BYTES_MAX, JWKS_FETCH_MAX, JWKS_REFRESH_PAUSE, JWKS_WAIT_MAX};
use crate::outbound::client::{self, Client, HttpFault};

/// The pause between fetches while none has succeeded; see `JWKS_REFRESH_PAUSE`.
const RETRY_PAUSE: Duration = Duration::from_secs(10);
/// Minimum time between two fetches caused by tokens.
const DEMAND_PAUSE: Duration = Duration::from_secs(10);

/// The keys of an address.
pub(crate) struct KeyUrl {
    client: Client,
    address: Uri,
    clock: Clock,
    held: Mutex<HeldKeys>,
    fetches: Mutex<Fetches>,
}

#[derive(Default)]
struct Fetches {
    /// The fetch begun last; its sender is dropped when it ends.
    last: Option<watch::Receiver<()>>,
    /// When a token last caused a fetch.
    demanded: Option<Instant>,
}

impl KeyUrl {
    /// The keys of `address`, none so far; sends nothing yet. Keys are in force for `age_max` after they were fetched.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub(crate) fn new(address: Uri, age_max: Duration, clock: Clock) -> Result<Self, IssuerError> {
        let client = Client::new().map_err(|_| IssuerError::Tls)?;
        let held = Mutex::new(HeldKeys::new(KeyOrigin::Url, age_max));
        Ok(Self { client, address, clock, held, fetches: Mutex::default() })
    }

    /// The keys of the last sound fetch.
    ///
    /// # Errors
    /// Returns an error if they are too old.
    pub(crate) fn current(&self) -> Result<Arc<KeySet>, Refusal> {
        lock(&self.held).keys((self.clock)())
    }

    /// Returns their state.
    pub(crate) fn status(&self) -> KeysStatus {
        lock(&self.held).status((self.clock)())
    }

    /// Fetches them for a token, unless a token caused a fetch within [`DEMAND_PAUSE`]; joins a fetch under way. Waits
    /// at most [`JWKS_WAIT_MAX`]; the fetch goes on without the caller.
    pub(crate) async fn renew(self: &Arc<Self>) {
        if let Some(fetch) = self.demand() {
            let _ = timeout(JWKS_WAIT_MAX, ended(fetch)).await;
        }
    }

    /// Fetches them now, and then periodically, for ever.
    pub(crate) async fn keep_fresh(self: Arc<Self>) {
        loop {
            let fetch = {
                let mut fetches = lock(&self.fetches);
                fetches.running().unwrap_or_else(|| self.begin(&mut fetches))
            };
            ended(fetch).await;
            let is_current = lock(&self.held).is_current();
            sleep(if is_current { JWKS_REFRESH_PAUSE } else { RETRY_PAUSE }).await;
        }
    }

    fn demand(self: &Arc<Self>) -> Option<watch::Receiver<()>> {
        let now = (self.clock)();
        let mut fetches = lock(&self.fetches);
        if let Some(running) = fetches.running() {
            return Some(running);
        }
        if fetches.demanded.is_some_and(|last| now.saturating_duration_since(last) < DEMAND_PAUSE) {
            return None;
        }
        fetches.demanded = Some(now);
        Some(self.begin(&mut fetches))
    }

    /// Begins a fetch in the background.
    fn begin(self: &Arc<Self>, fetches: &mut Fetches) -> watch::Receiver<()> {
        let (end, fetch) = watch::channel(());
        fetches.last = Some(fetch.clone());
        let keys = Arc::clone(self);
        tokio::spawn(async move {
            let fetched = timeout(JWKS_FETCH_MAX, keys.fetch()).await.unwrap_or(Err(KeysFault::Late));
            lock(&keys.held).take(fetched, (keys.clock)());
            drop(end);
        });
        fetch
    }

    async fn fetch(&self) -> Result<KeySet, KeysFault> {
        let mut request = Request::new(Full::<Bytes>::default());
        *request.uri_mut() = self.address.clone();
        let accepted = HeaderValue::from_static("application/jwk-set+json, application/json");
        request.headers_mut().insert(ACCEPT, accepted);
        let answer = self.client.send(request).await.map_err(fault_of)?;
        if answer.status() != StatusCode::OK {
            return Err(KeysFault::Status(answer.status().as_u16()));
        }
        KeySet::parse(&client::read(answer.into_body(), JWKS_BYTES_MAX).await.map_err(fault_of)?)
    }
}

impl Fetches {
    /// The fetch under way, if any.
    fn running(&self) -> Option<watch::Receiver<()>> {
        self.last.clone().filter(|fetch| fetch.has_changed().is_ok())
    }
}

impl fmt::Debug for KeyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyUrl").field("held", &self.held).finish_non_exhaustive()
    }
}

/// Waits until `fetch` has ended, when its sender is dropped.
async fn ended(mut fetch: watch::Receiver<()>) {
    while fetch.changed().await.is_ok() {}
}

/// The locked value is whole before anything could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fault_of(fault: HttpFault) -> KeysFault {
    match fault {
        HttpFault::TooLong => KeysFault::TooLong,
        HttpFault::Unconnected | HttpFault::Untrusted | HttpFault::Broken | HttpFault::NotHttp => {
            KeysFault::Unreachable
        }
    }
}
