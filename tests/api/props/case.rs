//! A random network, served by the engine and loaded into the oracle.

use axum::http::{Method, StatusCode};
use kith::limits::Limits;
use serde_json::Value;

use crate::oracle::random::{random_caps, random_network};
use crate::oracle::{Caller, Caps, Network, Request, Search, Tables, same_answer};
use crate::support::encoding::{encoded, query_string};
use crate::support::{Answer, Credentials, Served};

/// A batch of targets, and whose credential it carries.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) caller: Caller,
    pub(crate) body: Value,
}

pub(crate) struct Case {
    pub(crate) seed: u64,
    pub(crate) tables: Tables,
    pub(crate) network: Network,
    pub(crate) caps: Caps,
    organization: String,
    served: Served,
}

impl Case {
    pub(crate) fn draw(seed: u64, credentials: &Credentials) -> Self {
        let (tables, caps) = (random_network(seed), random_caps(seed));
        let folder = tempfile::tempdir().unwrap();
        tables.write(folder.path());
        let served = Served::folders(&[folder.path()], credentials, limits(&caps));
        let organization: Value = serde_json::from_str(tables.organization()).unwrap();
        let organization = organization["id"].as_str().unwrap().to_owned();
        Self { seed, network: Network::from_tables(&tables), tables, caps, organization, served }
    }

    /// The engine's answer to `request`.
    pub(crate) async fn ask(&self, credentials: &Credentials, request: &Request) -> Answer {
        let credential = self.credential(credentials, &request.caller);
        self.served.get(&address(request), &credential).await
    }

    /// The bytes of the answers that are kept of its network.
    pub(crate) async fn kept_bytes(&self) -> usize {
        let networks = self.served.state.gate.pin_for(&self.organization).await.unwrap();
        networks.network_of(&self.organization).unwrap().answers.size_bytes()
    }

    /// Like [`Self::ask`], with unknown names refused.
    pub(crate) async fn ask_strictly(&self, credentials: &Credentials, request: &Request) -> Answer {
        let authorization = format!("Bearer {}", self.credential(credentials, &request.caller));
        let headers = [("authorization", &*authorization), ("prefer", "handling=strict")];
        self.served.ask(Method::GET, &address(request), &headers).await
    }

    /// The engine's answer to `search`.
    pub(crate) async fn search(&self, credentials: &Credentials, search: &Search) -> Answer {
        let credential = self.credential(credentials, &search.caller);
        self.served.post("/api/v1/search/network", &credential, &search.body).await
    }

    /// The engine's answer to `batch`.
    pub(crate) async fn batch(&self, credentials: &Credentials, batch: &Batch) -> Answer {
        let credential = self.credential(credentials, &batch.caller);
        self.served.post("/api/v1/search/warm-paths/batch", &credential, &batch.body).await
    }

    fn credential(&self, credentials: &Credentials, caller: &Caller) -> String {
        match caller {
            Caller::Organization => credentials.key(&self.organization),
            Caller::User(user) => credentials.token(&self.organization, user),
        }
    }

    /// Asks both, and stops the test if they differ. Returns what they said.
    pub(crate) async fn compare(&self, credentials: &Credentials, request: &Request) -> Option<Value> {
        let expected = self.network.answer(request, &self.caps);
        let got = self.ask(credentials, request).await;
        let said = || format!("seed {}, {request:?}, {:?}", self.seed, self.caps);
        let Some(expected) = expected else {
            let outside = [StatusCode::NOT_FOUND, StatusCode::FORBIDDEN];
            assert!(outside.contains(&got.status), "{}: {} for nobody", said(), got.status);
            return None;
        };
        assert_eq!(got.status, 200, "{}: {}", said(), String::from_utf8_lossy(&got.bytes));
        if let Err(difference) = same_answer(&got.json(), &expected) {
            panic!("{}: {difference}", said());
        }
        Some(expected)
    }
}

/// The path and query of `request`, encoded.
fn address(request: &Request) -> String {
    let path: Vec<String> = request.path.split('/').map(encoded).collect();
    format!("{}?{}", path.join("/"), query_string(&request.params))
}

pub(super) fn limits(caps: &Caps) -> Limits {
    let bound = |bound: usize| u32::try_from(bound).unwrap_or(Limits::MAX);
    Limits {
        company_candidates: bound(caps.company_candidates),
        edges_per_target: bound(caps.edges_per_target),
        edges_per_connector: bound(caps.edges_per_connector),
        bridges: bound(caps.bridges),
        edges_per_bridge: bound(caps.edges_per_bridge),
        edges_read_per_bridge: bound(caps.edges_read_per_bridge),
    }
}
