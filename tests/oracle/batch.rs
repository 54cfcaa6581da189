//! Many targets in one request: each answered like a single request, and the most frequent connectors.

use std::cmp::Reverse;

use serde_json::{Map, Value, json};

use super::find::handle_sent;
use super::network::Network;
use super::request::{Caller, Caps};
use super::rules::Mistake;
use super::show::Fields;
use super::text::fold;

/// The names of the parts of a target in a batch, and as parameters of a single request.
pub(crate) const PARTS: [(&str, &str); 7] = [
    ("id", "prospectId"),
    ("linkedinId", "prospectLinkedinId"),
    ("email", "prospectEmail"),
    ("name", "prospectName"),
    ("company", "prospectCompany"),
    ("at", "prospectNameAt"),
    ("position", "position"),
];
/// The fields of a result.
pub(crate) const RESULT: [&str; 8] =
    ["prospect", "company", "match", "paths", "totalCount", "excludedIntroRequested", "coverage", "reasons"];
/// Maximum number of connectors listed.
const CONNECTORS: usize = 50;
/// The paths to each target if the body does not say.
const PER_TARGET: u64 = 3;

impl Network {
    /// The body that a batch is answered with of which nothing outside its targets is malformed.
    pub(crate) fn warm_paths_batch(&self, caller: &Caller, body: &Value, caps: &Caps) -> Value {
        let targets = body["targets"].as_array().unwrap().iter().enumerate();
        let answer = |(index, target): (usize, &Value)| {
            let Some(params) = single_request(body, target) else {
                return json!({ "index": index, "error": "", "code": "validation_error" });
            };
            let data = self.warm_paths(caller, &params, caps);
            let of_result = |fields: Fields, name: &&str| fields.put(name, data[*name].clone());
            RESULT.iter().fold(Fields::new().put("index", index), of_result).done()
        };
        let results: Vec<Value> = targets.map(answer).collect();
        let capped = results.iter().any(|result| result["coverage"]["capped"] == true);
        let connectors = self.asked_most(&results);
        json!({ "data": { "results": results, "connectors": connectors }, "meta": { "capped": capped } })
    }

    /// `data.connectors`.
    fn asked_most(&self, results: &[Value]) -> Value {
        let any_member = self.rules.make(Mistake::ConnectorsOfAnyMember);
        let pair = |path: &Value| {
            let connector = Fields::new()
                .put("id", path["connector"]["id"].clone())
                .put("name", path["connector"]["name"].clone())
                .maybe("company", path["connector"].get("company").cloned());
            (connector.done(), path["fromUserId"].clone())
        };
        let is_same = |one: &(Value, Value), other: &(Value, Value)| {
            one.0["id"] == other.0["id"] && (any_member || one.1 == other.1)
        };
        let pairs_of = |result: &Value| -> Vec<(Value, Value)> {
            result["paths"].as_array().into_iter().flatten().map(pair).collect()
        };
        let mut counted: Vec<((Value, Value), usize)> = Vec::new();
        for pair in results.iter().flat_map(pairs_of) {
            if counted.iter().any(|(other, _)| is_same(other, &pair)) {
                continue;
            }
            let count = |(place, result): (usize, &Value)| {
                let times = pairs_of(result).iter().filter(|other| is_same(other, &pair)).count();
                let again =
                    results[..place].iter().any(|earlier| without_index(earlier) == without_index(result));
                match times {
                    _ if again && self.rules.make(Mistake::RepeatedTargetsCountOnce) => 0,
                    _ if self.rules.make(Mistake::ConnectorsCountPaths) => times,
                    _ => times.min(1),
                }
            };
            let targets = results.iter().enumerate().map(count).sum();
            counted.push((pair, targets));
        }
        counted.sort_by_key(|((connector, user), targets)| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (Reverse(*targets), text(&connector["id"]), text(user))
        });
        let row = |((connector, user), targets): ((Value, Value), usize)| json!({ "connector": connector, "fromUserId": user, "targets": targets });
        counted.into_iter().take(CONNECTORS).map(row).collect()
    }
}

fn without_index(result: &Value) -> Map<String, Value> {
    let mut fields = result.as_object().unwrap().clone();
    fields.remove("index");
    fields
}

/// The parameters of the single request that one target of a batch is like; none if the target is malformed.
pub(crate) fn single_request(body: &Value, target: &Value) -> Option<Vec<(String, String)>> {
    let sent = target.as_object()?;
    let mut params = Vec::new();
    for (name, parameter) in PARTS {
        match sent.get(name) {
            None | Some(Value::Null) => {}
            Some(value) => params.push((parameter.to_owned(), value.as_str()?.to_owned())),
        }
    }
    if !is_target(&params) {
        return None;
    }
    let per_target = body["perTarget"].as_u64().unwrap_or(PER_TARGET);
    let mut put = |name: &str, value: &str| params.push((name.to_owned(), value.to_owned()));
    put("limit", &per_target.to_string());
    put("include", "match,reasons");
    body["include"]
        .as_array()
        .into_iter()
        .flatten()
        .for_each(|value| put("include", value.as_str().unwrap()));
    for name in ["scope", "sort", "groupBy"] {
        body[name].as_str().into_iter().for_each(|value| put(name, value));
    }
    for name in ["fromUserIds", "connectionTypes"] {
        body[name].as_array().into_iter().flatten().for_each(|value| put(name, value.as_str().unwrap()));
    }
    if let Some(include) = body["includeIntroRequested"].as_bool() {
        put("includeIntroRequested", &include.to_string());
    }
    Some(params)
}

/// Whether these are parameters of a target that a single request would take.
fn is_target(params: &[(String, String)]) -> bool {
    let value = |name: &str| params.iter().find(|(sent, _)| sent == name).map(|(_, value)| value.as_str());
    let ways = PARTS[..5].iter().filter(|(_, parameter)| value(parameter).is_some()).count();
    let id = value("prospectId");
    let is_company = value("prospectCompany").is_some() || id.is_some_and(|id| id.starts_with("company_"));
    let is_right = |(name, value): &(String, String)| {
        let is_text = !value.trim().is_empty() && value.chars().count() <= 200;
        match name.as_str() {
            "prospectId" => {
                value.len() <= 200 && (value.starts_with("person_") || value.starts_with("company_"))
            }
            "prospectLinkedinId" => !value.trim().is_empty() && handle_sent(value).len() <= 200,
            "prospectEmail" => value.contains('@') && value.trim().chars().count() <= 254,
            "prospectNameAt" => is_text && params.iter().any(|(other, _)| other == "prospectName"),
            "position" => is_company && (1..=200).contains(&fold(value).chars().count()),
            _ => is_text,
        }
    };
    ways == 1 && params.iter().all(is_right)
}
