//! Requests of a curious caller: valid and broken ones, about their own network and about another.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};

use crate::oracle::Network;
use crate::oracle::random::{Dice, random_batch, random_network_search, random_request};
use crate::support::encoding::{encoded, query_string};

/// Every parameter of any endpoint.
const PARAMETERS: [&str; 22] = [
    "prospectLinkedinId",
    "prospectName",
    "prospectCompany",
    "limit",
    "offset",
    "page",
    "includeIntroRequested",
    "scope",
    "fromUserIds",
    "connectionTypes",
    "q",
    "includeSecondDegree",
    "viaConnectorId",
    "name",
    "linkedinId",
    "personId",
    "status",
    "sort",
    "search",
    "asUserId",
    "since",
    "unknown",
];
/// Every field of a network search, and another.
const FIELDS: [&str; 7] = ["query", "networks", "strictness", "asUserId", "limit", "mode", "unknown"];
/// The kinds of change.
pub(crate) const CHANGES: &str = "/api/v1/changes";
/// The batch of targets.
pub(crate) const BATCH: &str = "/api/v1/search/warm-paths/batch";
/// Every endpoint but the one whose path holds an id.
pub(crate) const ENDPOINTS: [&str; 11] = [
    "/api/v1/search/warm-paths",
    BATCH,
    "/api/v1/search/people",
    "/api/v1/search/companies",
    "/api/v1/search/network",
    "/api/v1/connections",
    "/api/v1/connections/second-degree",
    "/api/v1/people/network",
    "/api/v1/ghost/opportunities",
    CHANGES,
    "/api/v1/openapi.json",
];

/// A request, and the texts in it that an error may repeat.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    method: Method,
    /// From `/api/v1` on, encoded, with the query string.
    pub(crate) path: String,
    pub(crate) body: Option<String>,
    pub(crate) values: Vec<String>,
}

/// The network that requests are drawn from.
pub(crate) struct Source<'a> {
    pub(crate) own: &'a Network,
    pub(crate) foreign: &'a Network,
    /// Every string of the other network's tables.
    pub(crate) foreign_strings: &'a [String],
}

impl Source<'_> {
    /// Draws a request to any endpoint.
    pub(crate) fn draw(&self, dice: &mut Dice) -> Sent {
        if dice.chance(4) {
            return self.draw_network_search(dice);
        }
        if dice.chance(2) {
            return self.draw_batch(dice);
        }
        if dice.chance(2) {
            return self.draw_changes(dice);
        }
        let network = if dice.chance(50) { self.own } else { self.foreign };
        let drawn = random_request(network, dice);
        let (mut path, mut params) = (drawn.path, drawn.params);
        if dice.chance(10) {
            path = self.other_path(dice);
        }
        if dice.chance(40) {
            let secret = dice.pick(self.foreign_strings);
            if !params.is_empty() && dice.chance(60) {
                let place = dice.below(params.len());
                params[place].1 = secret;
            } else {
                params.push((dice.pick(&PARAMETERS).to_owned(), secret));
            }
        }
        let broken = dice.chance(3).then(|| format!("%zz{}", encoded(&dice.pick(self.foreign_strings))));
        let path: Vec<String> = path.split('/').map(encoded).collect();
        let path = path.join("/").replace("%2E", ".");
        let mut path = format!("{path}?{}", query_string(&params));
        let mut values: Vec<String> = params.into_iter().map(|(_, value)| value).collect();
        values.extend(values.clone().iter().flat_map(|value| value.split(',')).map(str::to_owned));
        if let Some(broken) = broken {
            path = format!("{path}&q={broken}");
            values.push(broken);
        }
        let others = [Method::HEAD, Method::HEAD, Method::POST, Method::DELETE, Method::OPTIONS];
        let method = if dice.chance(4) { dice.pick(&others) } else { Method::GET };
        Sent { method, path, body: None, values }
    }

    /// Another endpoint, or a path made of what is not the caller's.
    fn other_path(&self, dice: &mut Dice) -> String {
        let secret = dice.pick(self.foreign_strings);
        match dice.below(4) {
            0 => format!("/api/v1/people/{secret}"),
            1 => format!("/api/v1/{secret}"),
            _ => dice.pick(&ENDPOINTS).to_owned(),
        }
    }

    /// Changes since various generations, and sometimes since values of the other network.
    fn draw_changes(&self, dice: &mut Dice) -> Sent {
        let since = dice.pick(&["1", "1", "1", "1", "2", "0", "3", ""]).to_owned();
        let since = if dice.chance(10) { dice.pick(self.foreign_strings) } else { since };
        let limit = dice.pick(&["1", "20", "50", "51"]).to_owned();
        let values = vec![since, limit, dice.below(9).to_string()];
        let names = ["since", "limit", "offset"].map(str::to_owned);
        let params: Vec<_> = names.into_iter().zip(values.clone()).collect();
        let path = format!("{CHANGES}?{}", query_string(&params));
        Sent { method: Method::GET, path, body: None, values }
    }

    /// A batch of targets of either network; often with something of the other one in a field.
    fn draw_batch(&self, dice: &mut Dice) -> Sent {
        let network = if dice.chance(50) { self.own } else { self.foreign };
        let (_, mut body) = random_batch(network, dice);
        let secret = dice.pick(self.foreign_strings);
        let place = dice.below(body["targets"].as_array().unwrap().len());
        let parts = ["id", "linkedinId", "email", "name", "company", "at", "position", "unknown"];
        match dice.below(8) {
            0 => body["fromUserIds"] = json!([secret]),
            1 => body[dice.pick(&["scope", "sort", "groupBy", "include", "perTarget"])] = secret.into(),
            2 => body["targets"][place] = secret.into(),
            3..=5 => body["targets"][place] = json!({ dice.pick(&parts): secret }),
            _ => {}
        }
        let mut values = Vec::new();
        collect_values(&body, &mut values);
        Sent { method: Method::POST, path: BATCH.to_owned(), values, body: Some(body.to_string()) }
    }

    /// A search in words of either network; often with something of the other one in a field.
    fn draw_network_search(&self, dice: &mut Dice) -> Sent {
        let network = if dice.chance(70) { self.own } else { self.foreign };
        let mut body = random_network_search(network, dice).body;
        let secret = dice.pick(self.foreign_strings);
        match dice.below(8) {
            0 => body["query"] = secret.into(),
            1 => {
                body["query"] =
                    format!("engineers at {secret}, not {}", dice.pick(self.foreign_strings)).into()
            }
            2 => body["asUserId"] = secret.into(),
            3 => body["networks"] = json!(["user", secret]),
            4 => body[dice.pick(&FIELDS)] = secret.into(),
            5 => body[dice.pick(&FIELDS)] = json!({ secret: 1 }),
            _ => {}
        }
        if dice.chance(20) {
            let members: Vec<String> = self.foreign.members.keys().cloned().collect();
            body["asUserId"] = dice.pick(&members).into();
        }
        let fields = body.as_object().unwrap().values();
        let items = fields.clone().filter_map(Value::as_array).flatten();
        let said = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // A value of the wrong type is repeated as in the body.
        let values = fields.clone().map(said).chain(items.map(said)).chain(fields.map(Value::to_string));
        let path = "/api/v1/search/network".to_owned();
        Sent { method: Method::POST, path, values: values.collect(), body: Some(body.to_string()) }
    }
}

/// Every text in `value`, and everything in it as it stands in the body.
pub(crate) fn collect_values(value: &Value, values: &mut Vec<String>) {
    values.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    values.push(value.to_string());
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_values(item, values)),
        Value::Object(fields) => fields.values().for_each(|field| collect_values(field, values)),
        _ => {}
    }
}

impl Sent {
    /// A request that sent these values.
    pub(crate) fn with_values(values: Vec<String>) -> Self {
        Self { method: Method::GET, path: String::new(), body: None, values }
    }

    /// A network search for this.
    pub(crate) fn search(query: &str) -> Self {
        let body = json!({ "query": query }).to_string();
        Self { method: Method::POST, body: Some(body), ..Self::with_values(vec![query.to_owned()]) }
    }

    /// The request with a credential.
    pub(crate) fn request(&self, credential: &str) -> Request<Body> {
        let request = Request::builder().method(&self.method).uri(&self.path);
        let request = request.header("authorization", format!("Bearer {credential}"));
        match &self.body {
            None => request.body(Body::empty()).unwrap(),
            Some(body) => {
                request.header("content-type", "application/json").body(Body::from(body.clone())).unwrap()
            }
        }
    }

    /// The endpoint it goes to.
    pub(crate) fn endpoint(&self) -> &str {
        let path = self.path.split('?').next().unwrap_or("");
        let known = ENDPOINTS.iter().find(|endpoint| **endpoint == path);
        known.copied().unwrap_or(if path.starts_with("/api/v1/people/") { "people/{id}" } else { "unknown" })
    }
}
