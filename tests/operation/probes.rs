//! The probes on both listeners, in process: each of their answers, and the paths that do not exist.
//!
//! Promise: A server that cannot answer callers is not ready, on either listener: without a network, without
//!   credentials, at a stop.
//! Control: a readiness that looks at another credential store.
//! Also in: `tests/process/probes.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use kith::limits::Limits;
use kith_server::api::metrics::Metrics;
use kith_server::api::probes::{self, Readiness, Unready};
use kith_server::api::router::{in_shape, stamp};
use kith_server::auth::jwt::Issuer;
use kith_server::auth::store::CredentialStore;
use kith_server::auth::verify::Verifier;
use kith_server::limits::{JWKS_AGE_SECONDS_DEFAULT, REQUEST_DEADLINE};
use kith_server::live::gate::Gate;
use kith_server::live::networks::{LiveNetworks, Networks};
use serde_json::Value;
use tower::ServiceExt;

use crate::reload::site::{Site, tiny_called};
use crate::support::issuer::{Signer, file_settings, jwks};
use crate::support::{Credentials, Served, operator_over, project};

struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

async fn ask(router: &Router, method: &str, path: &str) -> Reply {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
    Reply { status: parts.status, headers: parts.headers, body }
}

/// Both listeners, each with networks in service or none.
async fn listeners(with_networks: bool, credentials: &Credentials) -> (Site, [Router; 2]) {
    let site = Site::new();
    let tiny = project("fixtures/tiny");
    let folders: &[&Path] = if with_networks { &[&tiny] } else { &[] };
    if with_networks {
        kith_server::relational::pair::write(&site.path("tiny.kith"), &tiny_called("Tiny")).unwrap();
    }
    let site = tokio::task::spawn_blocking(move || (site.reload(), site).1).await.unwrap();
    let api = Served::folders(folders, credentials, Limits::DEFAULT).router;
    let operator = site.operator();
    (site, [api, operator])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_is_one_word_by_get_and_head_on_both_listeners_and_nothing_else() {
    let credentials = Credentials::new();
    for (with_networks, ready) in [(true, (200, "ready")), (false, (503, "unready"))] {
        let (_site, listeners) = listeners(with_networks, &credentials).await;
        for (listener, (path, (status, word))) in listeners
            .iter()
            .flat_map(|listener| [("/healthz", (200, "ok")), ("/readyz", ready)].map(|row| (listener, row)))
        {
            let get = ask(listener, "GET", path).await;
            assert_eq!((get.status.as_u16(), get.body.as_str()), (status, word), "{path}");
            assert_eq!(get.header("content-type"), Some("text/plain; charset=utf-8"), "{path}");
            assert!(get.headers.contains_key("service-request-id"), "{path}");
            assert!(!get.headers.contains_key("service-generation"), "{path}");
            let head = ask(listener, "HEAD", path).await;
            assert_eq!((head.status.as_u16(), head.body.as_str()), (status, ""), "{path}");
            let said = |reply: &Reply| {
                let mut headers = reply.headers.clone();
                headers.remove("service-request-id");
                headers
            };
            assert_eq!(said(&head), said(&get), "{path}");
            for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
                let refused = ask(listener, method, path).await;
                assert_eq!((refused.status.as_u16(), refused.header("allow")), (405, Some("GET,HEAD")));
                let said: Value = serde_json::from_str(&refused.body).unwrap();
                assert_eq!(said["code"], "method_not_allowed", "{method} {path}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operators_paths_are_not_on_the_apis_listener() {
    let credentials = Credentials::new();
    let (_site, [api, operator]) = listeners(true, &credentials).await;
    for (method, path) in
        [("GET", "/metrics"), ("POST", "/admin/reload"), ("GET", "/admin/"), ("GET", "/admin/x")]
    {
        let missing = ask(&api, method, path).await;
        let said: Value = serde_json::from_str(&missing.body).unwrap();
        assert_eq!((missing.status.as_u16(), &said["code"]), (404, &"not_found".into()), "{path}");
    }
    assert_eq!(ask(&operator, "GET", "/metrics").await.status, 200);
    for path in ["/healthz/", "/readyz/", "/HEALTHZ", "/api/v1/healthz"] {
        for listener in [&api, &operator] {
            assert_eq!(ask(listener, "GET", path).await.status, 404, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_are_counted_by_route() {
    let credentials = Credentials::new();
    let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
    for path in ["/healthz", "/readyz", "/readyz"] {
        assert_eq!(ask(&served.router, "GET", path).await.status, 200);
    }
    let text = served.state.metrics.write(&Networks::default(), &Default::default()).unwrap();
    let text = String::from_utf8(text).unwrap();
    for line in [
        "kith_requests_total{route=\"/healthz\",status=\"200\"} 1",
        "kith_requests_total{route=\"/readyz\",status=\"200\"} 2",
    ] {
        assert!(text.lines().any(|said| said == line), "{line} in {text}");
    }
}

/// A store of its own, in service over the tiny network.
fn over_a_store() -> (tempfile::TempDir, PathBuf, Served) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("credentials.db");
    let store = CredentialStore::open(&file).unwrap();
    let network = crate::support::network_of(&project("fixtures/tiny"));
    let served = Served::verifying(&[Arc::new(network)], store.verifier().unwrap());
    (folder, file, served)
}

/// The answer of `/readyz` while `file` is away; `/healthz` does not change.
async fn answer_without(file: &Path, router: &Router) -> (u16, String) {
    let away = file.with_extension("away");
    assert_eq!(ask(router, "GET", "/readyz").await.body, "ready", "{file:?}");
    fs::rename(file, &away).unwrap();
    let ready = ask(router, "GET", "/readyz").await;
    assert_eq!(ask(router, "GET", "/healthz").await.body, "ok", "{file:?}");
    fs::rename(&away, file).unwrap();
    (ready.status.as_u16(), ready.body)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_read_the_credentials_is_not_ready_and_is_again_once_they_are_back() {
    for name in ["credentials.db", "credentials.db-wal", "credentials.db-shm"] {
        let (folder, _, served) = over_a_store();
        let file = folder.path().join(name);
        assert_eq!(answer_without(&file, &served.router).await, (503, "unready".to_owned()), "{name}");
        assert_eq!(ask(&served.router, "GET", "/readyz").await.body, "ready", "{name}");
    }
    // The control: one that looks at another store says that all is well.
    let (_folder, file, served) = over_a_store();
    let (_other_folder, _, other) = over_a_store();
    let careless = probes::routes(Arc::clone(&other.state.readiness));
    let metrics = Arc::new(Metrics::new().unwrap());
    let careless = stamp(in_shape(careless), REQUEST_DEADLINE, metrics, None);
    assert_eq!(answer_without(&file, &careless).await, (200, "ready".to_owned()));
    drop(served);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_store_or_a_drain_makes_unready() {
    let (_folder, file, served) = over_a_store();
    fs::write(&file, vec![b'x'; 64 << 10]).unwrap();
    assert!(matches!(served.state.readiness.check().await, Err(Unready::NoCredentials(_))));

    let (_folder, _, served) = over_a_store();
    assert_eq!(served.state.readiness.check().await, Ok(()));
    served.state.readiness.drain();
    assert_eq!(served.state.readiness.check().await, Err(Unready::Draining));
    assert_eq!(ask(&served.router, "GET", "/readyz").await.body, "unready");
    assert_eq!(ask(&served.router, "GET", "/healthz").await.body, "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_probes_at_once_are_all_answered() {
    let credentials = Credentials::new();
    let live = Arc::new(LiveNetworks::new(Networks::default()));
    let readiness = Readiness::new(Gate::without_list(live), credentials.store.verifier().unwrap());
    assert_eq!(readiness.check().await, Err(Unready::NoNetwork));
    let (_folder, _, served) = over_a_store();
    let asked: Vec<_> = (0..200)
        .map(|_| {
            let router = served.router.clone();
            tokio::spawn(async move { ask(&router, "GET", "/readyz").await.status })
        })
        .collect();
    for status in asked {
        assert_eq!(status.await.unwrap(), StatusCode::OK);
    }
}

/// Both listeners where `credentials` let callers in.
async fn let_in_by(credentials: Verifier) -> (Site, [Router; 2]) {
    let site = Site::new();
    kith_server::relational::pair::write(&site.path("tiny.kith"), &tiny_called("Tiny")).unwrap();
    let site = tokio::task::spawn_blocking(move || (site.reload(), site).1).await.unwrap();
    let network = crate::support::network_of(&project("fixtures/tiny"));
    let api = Served::verifying(&[Arc::new(network)], credentials.clone()).router;
    let operator = operator_over(&site.live, &site.reloader, credentials);
    (site, [api, operator])
}

/// The value of `series` in a scrape.
async fn scraped(operator: &Router, series: &str) -> Option<String> {
    let text = ask(operator, "GET", "/metrics").await.body;
    let mut values =
        text.lines().filter_map(|line| line.strip_prefix(series)?.strip_prefix(' ').map(str::to_owned));
    values.next_back()
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_are_too_old_are_shown_to_the_operator_and_to_no_caller() {
    let signer = Signer::ed25519("a");
    let (folder, now) = (tempfile::tempdir().unwrap(), Arc::new(Mutex::new(Instant::now())));
    let file = folder.path().join("jwks.json");
    fs::write(&file, jwks(&[signer.jwk()])).unwrap();
    let clock = {
        let now = Arc::clone(&now);
        Arc::new(move || *now.lock().unwrap())
    };
    let issuer = Issuer::with_clock(&file_settings(&file), clock).unwrap();
    let store = CredentialStore::open(&folder.path().join("credentials.db")).unwrap();
    let (_site, [api, operator]) = let_in_by(store.verifier().unwrap().trusting(issuer)).await;
    let keys = "kith_jwks_keys{source=\"file\"}";
    // The control: the same keys while they can be read.
    assert_eq!(ask(&operator, "GET", "/readyz").await.body, "ready");
    assert_eq!(scraped(&operator, keys).await.as_deref(), Some("1"));
    assert_eq!(scraped(&operator, "kith_jwks_age_seconds{source=\"file\"}").await.as_deref(), Some("0"));
    fs::remove_file(&file).unwrap();
    *now.lock().unwrap() += Duration::from_secs(JWKS_AGE_SECONDS_DEFAULT);
    let said = ask(&operator, "GET", "/readyz").await;
    assert_eq!(said.status, 503);
    assert!(
        said.body.starts_with("unready: the JWKS (oauth.jwks_file) was last read 86400 s ago"),
        "{}",
        said.body
    );
    assert_eq!(scraped(&operator, keys).await.as_deref(), Some("0"));
    assert_eq!(scraped(&operator, "kith_jwks_age_seconds{source=\"file\"}").await.as_deref(), Some("86400"));
    assert_eq!(ask(&api, "GET", "/readyz").await.body, "ready", "keys and tokens of the store are let in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_says_whether_the_credential_store_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let (file, away) = (folder.path().join("credentials.db"), folder.path().join("away.db"));
    let store = CredentialStore::open(&file).unwrap();
    let (_site, [_, operator]) = let_in_by(store.verifier().unwrap()).await;
    let usable = "kith_credential_store_usable";
    assert_eq!(scraped(&operator, usable).await.as_deref(), Some("1"));
    fs::rename(&file, &away).unwrap();
    assert_eq!(scraped(&operator, usable).await.as_deref(), Some("0"));
    fs::rename(&away, &file).unwrap();
    assert_eq!(scraped(&operator, usable).await.as_deref(), Some("1"));
}
