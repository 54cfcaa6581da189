//! A whole request to any endpoint, and the body of its answer.

use serde_json::{Value, json};

use super::network::Network;
use super::request::{Caller, Caps};

/// A valid GET request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) caller: Caller,
    /// From `/api/v1` on; a person id in it is not percent-encoded.
    pub(crate) path: String,
    /// Decoded.
    pub(crate) params: Vec<(String, String)>,
}

impl Network {
    /// The body of a valid request. Returns `None` if the answer is that a person is outside or not found.
    pub(crate) fn answer(&self, request: &Request, caps: &Caps) -> Option<Value> {
        let (caller, params) = (&request.caller, request.params.as_slice());
        let user = || match caller {
            Caller::User(user) => user.as_str(),
            Caller::Organization => panic!("{} needs a user token", request.path),
        };
        let data = match request.path.strip_prefix("/api/v1/").unwrap() {
            "search/warm-paths" => self.warm_paths(caller, params, caps),
            "search/people" => self.search_people(params),
            "search/companies" => return Some(self.search_companies(params)),
            "connections" => self.connections(user(), params),
            "connections/second-degree" => self.second_degree_connections(user(), params, caps)?,
            "people/network" => self.people_network(params)?,
            "ghost/opportunities" => self.ghost_opportunities(caller, params),
            other => self.person(other.strip_prefix("people/").unwrap(), params)?,
        };
        Some(json!({ "data": data }))
    }
}
