//! A test's own folder of snapshots, and the service that reloads it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use kith_server::live::network::LiveNetwork;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::reload::Reloader;
use kith_server::live::report::Report;
use kith_server::model::dataset::Dataset;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::support::{self, Credentials};

/// A folder with snapshots in service.
pub(crate) struct Site {
    pub(crate) folder: TempDir,
    pub(crate) live: Arc<LiveNetworks>,
    pub(crate) reloader: Arc<Reloader>,
    credentials: Credentials,
}

impl Site {
    /// An empty folder; nothing is in service.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let live = Arc::new(LiveNetworks::new(Networks::default()));
        let reloader = Reloader::new(folder.path().to_owned(), Arc::clone(&live)).unwrap();
        Self { folder, live, reloader, credentials: Credentials::new() }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Reloads, and waits for it.
    pub(crate) fn reload(&self) -> Arc<Report> {
        self.reloader.reload().wait().unwrap()
    }

    pub(crate) fn generation(&self) -> u64 {
        self.live.pin().generation
    }

    /// The network in service.
    pub(crate) fn network(&self, organization: &str) -> Arc<LiveNetwork> {
        self.live.pin().network_of(organization).unwrap()
    }

    /// The operator's listener.
    pub(crate) fn operator(&self) -> Router {
        support::operator(&self.live, &self.reloader, &self.credentials)
    }
}

/// `POST /admin/reload`: its status and its results.
pub(crate) async fn post_reload(operator: &Router) -> (StatusCode, Value) {
    let request = Request::post("/admin/reload").body(Body::empty()).unwrap();
    let response = operator.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice::<Value>(&bytes).unwrap()["results"].take())
}

/// A folder or file of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The network of the tiny tables, called `name`.
pub(crate) fn tiny_called(name: &str) -> Dataset {
    let mut dataset = read_folder(&project("fixtures/tiny"), &Silent).unwrap().dataset;
    name.clone_into(&mut dataset.organization.name);
    dataset
}

/// Puts `bytes` at `path` as a build does: whole, under another name first.
pub(crate) fn put_in_place(path: &Path, bytes: &[u8]) {
    let draft = path.with_extension("draft");
    fs::write(&draft, bytes).unwrap();
    fs::rename(draft, path).unwrap();
}
