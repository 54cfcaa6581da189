//! Asks over a served network: their writers, their effects and their readers.

mod links;
mod overlay;
mod plan;
mod shut;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::Method;
use kith_server::ask_file::file;
use kith_server::ask_file::service::{AskService, AskSettings};
use kith_server::limits::Limits;
use kith_server::mcp::settings::McpSettings;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp::Agent;
use crate::support::{Answer, Credentials, Served, network_of, project};

/// The demo's first organization.
const ORG: &str = "org_fernhollow";
/// An admin of it, and two other members.
const ADMIN: &str = "user_jx64q9";
const ASKER: &str = "user_8kbn97";
const OTHER: &str = "user_dvxr4t";
/// A person outside, and a contact of the asker who knows them.
const TARGET: &str = "person_9av0q2";
const CONNECTOR: &str = "person_cm5c7t";

/// A file of asks.
struct Asks {
    _folder: TempDir,
    path: PathBuf,
}

impl Asks {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("asks.db");
        file::create(&path).unwrap();
        Self { _folder: folder, path }
    }

    fn settings(&self) -> AskSettings {
        AskSettings { public_url: Some("https://kith.example".into()), ..AskSettings::of(&self.path) }
    }

    /// The network of `folder`, served with these asks, to agents too.
    fn over(&self, folder: &Path, credentials: &Credentials) -> Served {
        let asks = Arc::new(AskService::open(self.settings()).unwrap());
        let served = Served::networks([network_of(folder)], credentials, Limits::DEFAULT);
        served.changed(|state| state.asks = Some(asks)).serving_agents(&McpSettings::default())
    }

    fn demo(&self, credentials: &Credentials) -> Served {
        self.over(&project("fixtures/demo/fernhollow"), credentials)
    }
}

/// An assistant of the member `user`, who may write.
fn agent<'a>(served: &'a Served, credentials: &Credentials, user: &str) -> Agent<'a> {
    Agent { served, credential: credentials.token_with(ORG, user, "mcp:read mcp:write") }
}

/// Posts `body` as the page does, with `credential` in the header that a proxy adds.
async fn press(served: &Served, path: &str, credential: &str, body: &Value) -> Answer {
    let authorization = format!("Bearer {credential}");
    let headers = [
        ("sec-fetch-site", "same-origin"),
        ("authorization", &authorization),
        ("content-type", "application/json"),
    ];
    let mut request = axum::http::Request::builder().method(Method::POST).uri(path);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    served.send(request.body(axum::body::Body::from(body.to_string())).unwrap()).await
}

/// The arguments that record an ask.
fn asked(key: &str) -> Value {
    json!({ "target": TARGET, "connector": CONNECTOR, "key": key })
}
