//! How often each branch of the contract occurred, so that a test can fail if one is rare.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::network::{Network, Person};
use super::super::path::TYPES;
use super::super::request::{Caps, Params, list, one};
use super::super::text::plain;

/// Counts of what a run of random requests came upon.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distribution {
    counts: BTreeMap<String, usize>,
}

impl Distribution {
    /// The branches that a run over warm paths should reach.
    pub(crate) const WARM_PATHS: [&str; 70] = [
        "capped: no",
        "capped: yes",
        "company candidates: left out",
        "company candidates: none",
        "company candidates: several",
        "fromUserIds: given",
        "found: company by name",
        "found: company by handle",
        "found: company, class 2",
        "found: company, class 3",
        "found: company, class 4",
        "found: nobody by handle",
        "found: no company",
        "found: nobody by name",
        "found: person by handle",
        "found: person by profile URL",
        "found: person, class 1",
        "found: person, class 2",
        "found: person, class 3",
        "found: person, class 4",
        "found: company by id",
        "found: nobody by email",
        "found: nobody by id",
        "found: nobody at that company",
        "found: person at that company, not the best of all",
        "found: person at that company",
        "found: person by email",
        "found: person by id",
        "position: everybody fits",
        "position: some fit",
        "intro: prospect asked for",
        "intro: withheld",
        "page: more to come",
        "page: past the end",
        "path: advocate",
        "path: advocate_second_degree",
        "path: direct",
        "path: second_degree",
        "paths: none for a person found",
        "scope: me",
        "scope: me, nobody left",
        "second-degree edges: capped",
        "signals: shown",
        "ties: same tier, warmness and last leg",
        "types: some",
        "match: id",
        "match: handle",
        "match: email",
        "match: equal",
        "match: reordered",
        "match: prefix",
        "match: fuzzy",
        "match: nobody",
        "match: others",
        "reason: target_unknown",
        "reason: target_is_member",
        "reason: from_set_empty",
        "reason: no_candidates",
        "reason: all_withheld",
        "reason: only_excluded_types",
        "reason: no_edge_near",
        "reason: bounds_hit",
        "groupBy: several behind one",
        "sort: warmness, another order",
        "reasons: several",
        "unscored advocate",
        "breakdown: shown",
        "found: company by domain",
        "evidence: of the first leg",
        "evidence: of the last leg",
    ];

    /// Counts one thing.
    pub(crate) fn note(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    pub(super) fn note_if(&mut self, it_is_so: bool, what: &str) {
        if it_is_so {
            self.note(what);
        }
    }

    /// The number of times that `what` came up.
    pub(crate) fn count(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// Those of the expected branches that came up fewer than `least` times, with how often they did.
    pub(crate) fn rarer_than<'a>(&self, least: usize, expected: &[&'a str]) -> Vec<(&'a str, usize)> {
        let counted = expected.iter().map(|what| (*what, self.count(what)));
        counted.filter(|(_, count)| *count < least).collect()
    }

    /// Counts what a warm-paths request and its answer touch.
    pub(crate) fn note_warm_paths(
        &mut self,
        network: &Network,
        params: &Params,
        caps: &Caps,
        answer: &Value,
    ) {
        self.note_target(network, params, answer);
        let coverage = &answer["coverage"];
        let capped = coverage["capped"] == true;
        let edges_capped = coverage["secondDegreeEdgesCapped"] == true;
        self.note(if capped { "capped: yes" } else { "capped: no" });
        self.note_if(edges_capped, "second-degree edges: capped");
        if !answer["company"].is_null() {
            let candidates = coverage["candidatePeople"].as_u64().unwrap();
            self.note_if(candidates == 0, "company candidates: none");
            self.note_if(candidates > 1, "company candidates: several");
            let employees = network.employees(answer["company"]["id"].as_str().unwrap());
            let position = one(params, "position").map(plain);
            let fits = |person: &&&Person| {
                let held = person.position.as_ref().map(|held| plain(held)).unwrap_or_default();
                position.as_ref().is_none_or(|wanted| held.contains(wanted))
            };
            let all = employees.iter().filter(fits).count() as u64;
            if position.is_some() {
                self.note_if(all > 0 && all < employees.len() as u64, "position: some fit");
                self.note_if(all > 0 && all == employees.len() as u64, "position: everybody fits");
            }
            let withheld = answer["excludedIntroRequested"].as_u64().unwrap();
            let bound = caps.company_candidates as u64;
            self.note_if(all - withheld > bound, "company candidates: left out");
            self.note_if(withheld > 0, "intro: withheld");
        }
        self.note_if(answer["prospect"]["introRequested"] == true, "intro: prospect asked for");
        self.note_if(answer["hasMore"] == true, "page: more to come");
        let shown = answer["paths"].as_array().unwrap();
        self.note_if(shown.is_empty() && answer["totalCount"] != 0, "page: past the end");
        let found = !answer["prospect"].is_null() || !answer["company"].is_null();
        self.note_if(found && answer["totalCount"] == 0, "paths: none for a person found");
        self.note_if(list(params, "fromUserIds").is_some(), "fromUserIds: given");
        self.note_if(list(params, "connectionTypes").is_some(), "types: some");
        let me = one(params, "scope") == Some("me");
        self.note_if(me, "scope: me");
        let nobody = me && list(params, "fromUserIds").is_some() && answer["totalCount"] == 0;
        self.note_if(nobody && found, "scope: me, nobody left");
        self.note_paths(shown);
        self.note_extras(shown, answer);
    }

    fn note_extras(&mut self, shown: &[Value], answer: &Value) {
        if let Some(matched) = answer.get("match") {
            let by = matched.get("by").map_or("nobody", |by| by.as_str().unwrap());
            self.note(&format!("match: {by}"));
            self.note_if(matched["others"].as_u64() > Some(0), "match: others");
        }
        if let Some(reasons) = answer.get("reasons").and_then(Value::as_array) {
            reasons.iter().for_each(|it| self.note(&format!("reason: {}", it["code"].as_str().unwrap())));
            self.note_if(reasons.len() > 1, "reasons: several");
        }
        let behind = |path: &Value| path.get("alternatives").is_some_and(|count| count.as_u64() > Some(1));
        self.note_if(shown.iter().any(behind), "groupBy: several behind one");
        let tiers = shown.iter().map(|path| TYPES.iter().position(|kind| path["connectionType"] == **kind));
        self.note_if(!tiers.is_sorted(), "sort: warmness, another order");
    }

    fn note_paths(&mut self, shown: &[Value]) {
        for path in shown {
            let kind = TYPES.iter().find(|kind| path["connectionType"] == **kind).unwrap();
            self.note(&format!("path: {kind}"));
            let breakdown = path["connectorToProspectBreakdown"].as_object().unwrap();
            self.note_if(!breakdown.is_empty(), "breakdown: shown");
            self.note_if(path.get("connectorToProspectSignals").is_some(), "signals: shown");
            self.note_if(path.get("userToConnectorEvidence").is_some(), "evidence: of the first leg");
            self.note_if(path.get("connectorToProspectEvidence").is_some(), "evidence: of the last leg");
            let via = &path["viaAdvocate"];
            self.note_if(via.is_object() && via.get("warmness").is_none(), "unscored advocate");
        }
        let rank = |path: &Value| {
            ["connectionType", "warmness", "connectorToProspectWarmness"].map(|name| path[name].clone())
        };
        let ties = shown.windows(2).any(|pair| rank(&pair[0]) == rank(&pair[1]));
        self.note_if(ties, "ties: same tier, warmness and last leg");
    }

    fn note_target(&mut self, network: &Network, params: &Params, answer: &Value) {
        let (prospect, company) = (&answer["prospect"]["name"], &answer["company"]["name"]);
        let class = |query: &str, name: &Value| network.class_of(query, name.as_str().unwrap());
        let what = if let Some(id) = one(params, "prospectId") {
            match (prospect.is_null() && company.is_null(), id.starts_with("person_")) {
                (true, _) => "found: nobody by id".to_owned(),
                (_, true) => "found: person by id".to_owned(),
                _ => "found: company by id".to_owned(),
            }
        } else if one(params, "prospectEmail").is_some() {
            let found = if prospect.is_null() { "nobody" } else { "person" };
            format!("found: {found} by email")
        } else if one(params, "prospectNameAt").is_some() {
            let anywhere =
                network.find_by_name(one(params, "prospectName").unwrap(), network.people.values());
            let other = anywhere.is_some_and(|it| answer["prospect"]["id"] != *it.id);
            self.note_if(other && prospect.is_string(), "found: person at that company, not the best of all");
            let found = if prospect.is_null() { "nobody" } else { "person" };
            format!("found: {found} at that company")
        } else if let Some(query) = one(params, "prospectCompany") {
            match (company.is_null(), company.is_string().then(|| class(query, company)).flatten()) {
                (true, _) => "found: no company".to_owned(),
                (_, Some(1)) => "found: company by name".to_owned(),
                _ if handle_is(network, query, answer) => "found: company by handle".to_owned(),
                _ if network.companies_meant(params).by == Some("domain") => {
                    "found: company by domain".to_owned()
                }
                (_, class) => format!("found: company, class {}", class.unwrap()),
            }
        } else if let Some(query) = one(params, "prospectName") {
            match prospect.is_null() {
                true => "found: nobody by name".to_owned(),
                false => format!("found: person, class {}", class(query, prospect).unwrap()),
            }
        } else {
            let url = one(params, "prospectLinkedinId").unwrap().contains("://");
            match (prospect.is_null(), url) {
                (true, _) => "found: nobody by handle".to_owned(),
                (false, true) => "found: person by profile URL".to_owned(),
                (false, false) => "found: person by handle".to_owned(),
            }
        };
        self.note(&what);
    }
}

fn handle_is(network: &Network, query: &str, answer: &Value) -> bool {
    let company = &network.companies[answer["company"]["id"].as_str().unwrap()];
    company.handle.as_ref().is_some_and(|handle| plain(handle) == plain(query))
}
