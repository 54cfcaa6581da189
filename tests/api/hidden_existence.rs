//! A person outside a network gets the same answer as a nonexistent one: the same status, the same headers in the same
//! order, the same bytes, for every kind of identifier.
//!
//! Promise: The answer for a person outside the network is exactly that for a person who does not exist, byte by byte.
//! Control: a layer that adds a header for people who exist.

mod understood;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use kith::limits::Limits;
use kith_server::api::layers::REQUEST_ID;
use kith_server::mcp::settings::McpSettings;
use kith_server::prepare::without::{Remaining, without};

use serde_json::json;

use crate::drawn::{at_least, share};
use crate::mcp::{Agent, call};
use crate::oracle::Network;
use crate::oracle::random::random_network;
use crate::support::encoding::encoded;
use crate::support::{Answer, Credentials, Served, network_of, project};

const RANDOM_NETWORKS: u64 = 170;

/// A network in service, and who is where in it by the oracle.
struct Case {
    name: String,
    network: Network,
    first_degree: BTreeSet<String>,
    second_degree: BTreeSet<String>,
    organization: String,
    served: Served,
    /// Pairs of questions whose answers differ.
    differences: RefCell<Vec<String>>,
}

impl Case {
    fn open(name: &str, folder: &Path, credentials: &Credentials) -> Self {
        let (network, indexed) = (Network::read(folder), network_of(folder));
        Self {
            name: name.to_owned(),
            first_degree: network.first_degree().clone(),
            second_degree: network.second_degree().clone(),
            organization: indexed.index.data.organization.id.clone(),
            served: Served::networks([indexed], credentials, Limits::DEFAULT)
                .serving_agents(&McpSettings::default()),
            network,
            differences: RefCell::default(),
        }
    }

    /// The same behind a layer that leaks: an answer about a person who exists has one header more.
    fn leaking(mut self) -> Self {
        let known = self.network.people.iter().flat_map(|(id, person)| {
            [Some(id), Some(&person.name), person.linkedin_id.as_ref()].into_iter().flatten()
        });
        let known: Arc<BTreeSet<String>> = Arc::new(known.map(|text| encoded(text)).collect());
        let layer = from_fn(move |request: Request, next: Next| {
            let uri = request.uri().to_string();
            let exists = uri.rsplit(['/', '=']).next().is_some_and(|asked| known.contains(asked));
            let known = Arc::clone(&known);
            async move {
                let (parts, body) = request.into_parts();
                let body = to_bytes(body, usize::MAX).await.unwrap();
                let called: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
                let arguments = called["params"]["arguments"].as_object();
                let mut texts = arguments.into_iter().flatten().filter_map(|(_, value)| value.as_str());
                let exists = exists || texts.any(|text| known.contains(&encoded(text)));
                let mut answer = next.run(Request::from_parts(parts, Body::from(body))).await;
                if exists {
                    answer.headers_mut().insert("x-exists", HeaderValue::from_static("1"));
                }
                answer
            }
        });
        self.served.router = self.served.router.layer(layer);
        self
    }

    fn demo(name: &str, credentials: &Credentials) -> Self {
        Self::open(name, &project("fixtures/demo").join(name), credentials)
    }

    fn random(seed: u64, credentials: &Credentials) -> Self {
        let folder = tempfile::tempdir().unwrap();
        random_network(seed).write(folder.path());
        Self::open(&format!("seed {seed}"), folder.path(), credentials)
    }

    /// The ids of those who are in the tables, but neither members nor known by one.
    fn unknown(&self) -> Vec<&String> {
        self.network.people.keys().filter(|id| !self.first_degree.contains(*id)).collect()
    }

    /// The ids of those who are not second degree either.
    fn outside(&self) -> Vec<&String> {
        self.unknown().into_iter().filter(|id| !self.second_degree.contains(*id)).collect()
    }

    /// A key of the organization, and a token of its first user.
    fn callers(&self, credentials: &Credentials) -> [String; 2] {
        let user = self.network.members.keys().next().unwrap();
        [credentials.key(&self.organization), credentials.token(&self.organization, user)]
    }

    /// An id of nobody, as long as this one.
    fn nobody_like(&self, id: &str) -> String {
        let letters = id.len() - "person_".len();
        let ids = ["q", "w", "x"].map(|letter| format!("person_{}", letter.repeat(letters)));
        ids.into_iter().find(|id| !self.network.people.contains_key(id)).unwrap()
    }

    /// Asks for a person and for nobody, and notes it unless both are refused with `status` and look the same.
    async fn compare(&self, credential: &str, status: u16, somebody: &str, nobody: &str) {
        let hidden = self.served.get(somebody, credential).await;
        let absent = self.served.get(nobody, credential).await;
        assert_eq!(absent.status, status, "{}: {nobody}", self.name);
        if hidden.visible() != absent.visible() {
            self.differences.borrow_mut().push(format!("{}: {somebody} and {nobody}", self.name));
        }
        let length = absent.bytes.len().to_string();
        assert_eq!(absent.header(CONTENT_LENGTH.as_str()), Some(length.as_str()), "{nobody}");
        assert!(absent.header(REQUEST_ID.as_str()) != hidden.header(REQUEST_ID.as_str()));
    }

    /// Get a person, for everybody outside. Gives how many those are.
    async fn check_people(&self, credentials: &Credentials) -> usize {
        let outside = self.outside();
        for caller in self.callers(credentials) {
            for id in &outside {
                let [somebody, nobody] = [(*id).clone(), self.nobody_like(id)]
                    .map(|id| format!("/api/v1/people/{}", encoded(&id)));
                self.compare(&caller, 404, &somebody, &nobody).await;
            }
        }
        outside.len()
    }

    /// People network, for everybody whom no member knows, by id, handle and name. Gives how many of each
    /// were refused.
    async fn check_networks(&self, credentials: &Credentials) -> [usize; 3] {
        let caller = self.callers(credentials)[0].clone();
        let path = |key: &str, value: &str| format!("/api/v1/people/network?{key}={}", encoded(value));
        let mut refused = [0; 3];
        for id in self.unknown() {
            let person = &self.network.people[id];
            self.compare(&caller, 403, &path("personId", id), &path("personId", &self.nobody_like(id))).await;
            refused[0] += 1;
            let handle = person.linkedin_id.as_deref().map(|handle| (1, "linkedinId", handle));
            for (place, key, value) in handle.into_iter().chain([(2, "name", person.name.as_str())]) {
                let asked = path(key, value);
                let answer = self.served.get(&asked, &caller).await;
                if answer.status == 200 {
                    // A person inside goes by the same handle, or by a name like it.
                    let found = answer.json()["data"]["person"]["id"].as_str().unwrap().to_owned();
                    assert!(self.first_degree.contains(&found), "{}: {asked} showed {found}", self.name);
                } else {
                    self.compare(&caller, 403, &asked, &path(key, "qqqq-wwww")).await;
                    refused[place] += 1;
                }
            }
        }
        refused
    }

    /// The tools of agents that take an id, for everybody outside. Gives how many calls were refused.
    async fn check_agents(&self, credentials: &Credentials) -> usize {
        let mut refused = 0;
        for caller in self.callers(credentials) {
            let agent = Agent { served: &self.served, credential: caller };
            for id in self.outside() {
                let nobody = self.nobody_like(id);
                for (tool, key) in [("get_person", "id"), ("list_my_network", "via_person")] {
                    let arguments = |id: &str| match key {
                        "id" => json!({ key: id, "with_connections": true }),
                        _ => json!({ key: id, "degree": "second" }),
                    };
                    let hidden = agent.send(&call(tool, &arguments(id))).await;
                    let absent = agent.send(&call(tool, &arguments(&nobody))).await;
                    assert_eq!(absent.json()["result"]["isError"], true, "{}: {tool} {nobody}", self.name);
                    if hidden.visible() != absent.visible() {
                        self.differences.borrow_mut().push(format!("{}: {tool} {id}", self.name));
                    }
                    refused += 1;
                }
            }
        }
        refused
    }

    /// `viaConnectorId`, for everybody who is no contact of the user: of the first user everybody, of the
    /// others those outside. Gives how many requests were refused.
    async fn check_connectors(&self, credentials: &Credentials) -> usize {
        let path = |id: &str| format!("/api/v1/connections/second-degree?viaConnectorId={}", encoded(id));
        let (everybody, outside) = (self.network.people.keys().collect::<Vec<_>>(), self.outside());
        let mut refused = 0;
        for (place, (user, member)) in self.network.members.iter().enumerate() {
            let caller = credentials.token(&self.organization, user);
            let contacts = self.network.outgoing(&member.person_id);
            let contacts: BTreeSet<&str> = contacts.into_iter().map(|(id, _)| id).collect();
            let asked = if place == 0 { &everybody } else { &outside };
            for id in asked.iter().filter(|id| !contacts.contains(id.as_str())) {
                self.compare(&caller, 404, &path(id), &path(&self.nobody_like(id))).await;
                refused += 1;
            }
        }
        refused
    }
}

#[tokio::test]
async fn everybody_outside_the_demo_networks_is_as_good_as_nobody() {
    let credentials = Credentials::new();
    for (name, outside) in [("harbourlight", 84), ("fernhollow", 68)] {
        let case = Case::demo(name, &credentials);
        assert_eq!(case.check_people(&credentials).await, outside, "{name}");
        let [ids, handles, names] = case.check_networks(&credentials).await;
        assert!(ids > 400 && handles > 300 && names > 300, "{name}: {ids}, {handles}, {names}");
        assert_eq!(case.check_agents(&credentials).await, 4 * outside, "{name}");
        let connectors = case.check_connectors(&credentials).await;
        assert!(connectors > 2_000 + outside * 80, "{name}: {connectors}");
        assert_eq!(case.differences.into_inner(), [""; 0]);
    }
}

#[tokio::test]
async fn everybody_outside_a_random_network_is_as_good_as_nobody() {
    let credentials = Credentials::new();
    let (mut outside, mut connectors, mut refused) = (0, 0, [0; 3]);
    for seed in 0..share(RANDOM_NETWORKS) {
        let case = Case::random(seed, &credentials);
        outside += case.check_people(&credentials).await;
        connectors += case.check_connectors(&credentials).await;
        for (all, some) in refused.iter_mut().zip(case.check_networks(&credentials).await) {
            *all += some;
        }
        assert_eq!(case.differences.into_inner(), [""; 0]);
    }
    assert!(outside > at_least(200) && connectors > at_least(1_000), "{outside}, {connectors}");
    assert!(refused.iter().all(|&count| count > at_least(100)), "{refused:?}");
}

/// Timing needs no clock here: names are looked up in the same place, for everybody outside.
#[test]
fn names_are_looked_up_in_what_a_network_without_anybody_outside_holds() {
    let mut outside = 0;
    for seed in 0..share(RANDOM_NETWORKS) {
        let folder = tempfile::tempdir().unwrap();
        random_network(seed).write(folder.path());
        let (network, indexed) = (Network::read(folder.path()), network_of(folder.path()));
        let (first, second) = (network.first_degree(), network.second_degree());
        let people = &indexed.index.data.people;
        let is_inside = |&row: &u32| [first, second].iter().any(|ids| ids.contains(people.ids.get(row)));
        let gone: Vec<u32> = (0..people.len() as u32).filter(|row| !is_inside(row)).collect();
        let Remaining { dataset, people: left } = without(&indexed.index.data, &gone);
        let alone = indexed.index.without(dataset, &left);
        assert!(indexed.index.inside.names().table == alone.inside.names().table, "seed {seed}");
        assert_eq!(alone.data.people.len() + gone.len(), people.len());
        let differ = *alone.person_names().table != *indexed.index.person_names().table;
        assert_eq!(differ, !gone.is_empty(), "everybody's names would show it");
        outside += gone.len();
    }
    assert!(outside > at_least(200), "{outside}");
}

/// The control: a service that answers about those who exist with one header more is caught by each of the three.
#[tokio::test]
async fn a_service_that_says_who_exists_is_caught() {
    let credentials = Credentials::new();
    let caught = |case: &Case| std::mem::take(&mut *case.differences.borrow_mut()).len();
    let (mut people, mut networks, mut connectors) = (0, 0, 0);
    for seed in 0..5 {
        let case = Case::random(seed, &credentials).leaking();
        // A key and a token ask for each.
        let outside = 2 * case.check_people(&credentials).await;
        assert_eq!(caught(&case), outside, "seed {seed}");
        let refused: usize = case.check_networks(&credentials).await.iter().sum();
        assert_eq!(caught(&case), refused, "seed {seed}");
        let agents = case.check_agents(&credentials).await;
        assert_eq!(caught(&case), agents, "seed {seed}");
        let contacts = case.check_connectors(&credentials).await;
        assert_eq!(caught(&case), contacts, "seed {seed}");
        (people, networks, connectors) = (people + outside, networks + refused, connectors + contacts);
    }
    assert!(people > 0 && networks > 0 && connectors > 0, "{people}, {networks}, {connectors}");
}

/// The control: people inside do look different, and so does an answer with anything changed in it.
#[tokio::test]
async fn a_difference_would_be_seen() {
    let credentials = Credentials::new();
    let case = Case::demo("fernhollow", &credentials);
    let caller = &case.callers(&credentials)[0];
    let path = |id: &str| format!("/api/v1/people/{}", encoded(id));
    let absent = case.served.get(&path("person_nobody"), caller).await;
    for id in case.first_degree.iter().take(50).chain(case.second_degree.iter().take(50)) {
        assert!(case.served.get(&path(id), caller).await.visible() != absent.visible(), "{id}");
    }
    let with_header = |name: HeaderName, value: &'static str| {
        let mut headers = absent.headers.clone();
        headers.insert(name, HeaderValue::from_static(value));
        Answer { status: absent.status, headers, bytes: absent.bytes.clone() }
    };
    let turned: HeaderMap = {
        let mut headers: Vec<_> = absent.headers.clone().into_iter().collect();
        headers.reverse();
        headers.into_iter().filter_map(|(name, value)| Some((name?, value))).collect()
    };
    let (status, headers) = (absent.status, absent.headers.clone());
    for changed in [
        Answer { status: StatusCode::FORBIDDEN, headers: headers.clone(), bytes: absent.bytes.clone() },
        Answer { status, headers: headers.clone(), bytes: [absent.bytes.as_slice(), b" "].concat() },
        Answer { status, headers: turned, bytes: absent.bytes.clone() },
        with_header(CONTENT_LENGTH, "1"),
        with_header(HeaderName::from_static("x-exists"), "1"),
    ] {
        assert!(changed.visible() != absent.visible(), "{:?}", changed.headers);
    }
    assert!(with_header(REQUEST_ID, "another").visible() == absent.visible());
}
