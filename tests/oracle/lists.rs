//! One person, search among people, and search among companies.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::Value;

use super::network::{Company, Edge, Network, Person};
use super::request::{Params, list, number, one};
use super::rules::Mistake;
use super::show::{Fields, company, known_breakdown};
use super::text::{fold, plain};

impl Network {
    /// The `data` of people/{id}; none for a person who is not in the network.
    pub(crate) fn person(&self, id: &str, params: &Params) -> Option<Value> {
        let degree = self.degree(id)?;
        let person = &self.people[id];
        let warmest = if degree == "first" { self.warmest_edge(id, &self.member_people()) } else { None };
        let company = person.company_id.as_ref().map(|id| {
            let company = &self.companies[id];
            let fields = Fields::new().put("id", company.id.clone()).put("name", company.name.clone());
            fields.maybe("industry", company.industry.clone()).done()
        });
        let fields = Fields::new()
            .put("id", person.id.clone())
            .put("name", person.name.clone())
            .maybe("linkedinId", person.linkedin_id.clone())
            .maybe("position", person.position.clone())
            .maybe("city", person.city.clone())
            .maybe("currentCompany", company)
            .maybe("connectionsCount", person.connections_count.clone().map(Value::Number))
            .put("degree", degree)
            .maybe("warmness", warmest.and_then(|edge| edge.warmness))
            .maybe("warmnessBreakdown", warmest.and_then(known_breakdown))
            .maybe("warmnessSignals", warmest.and_then(Edge::signals))
            .maybe("evidence", self.evidence_asked_for(id, degree, params))
            .and(self.intro_annotation(id));
        Some(fields.done())
    }

    /// The evidence of the edge whose warmness is shown, if requested.
    fn evidence_asked_for(&self, id: &str, degree: &str, params: &Params) -> Option<Value> {
        if degree != "first" || !list(params, "include").is_some_and(|words| words.contains(&"evidence")) {
            return None;
        }
        let (members, incoming) = (self.member_people(), self.incoming(id));
        let (member, edge) = incoming.into_iter().find(|(source, _)| members.contains(*source))?;
        let shown = edge.warmness.is_some() || self.rules.make(Mistake::UnscoredShowsEvidence);
        if shown { self.shown_evidence(member, id) } else { None }
    }

    /// The `data` of search people: an array.
    pub(crate) fn search_people(&self, params: &Params) -> Value {
        let wanted = self.matched(one(params, "q").unwrap());
        let (first, second) = (self.first_degree(), self.second_degree());
        let mut groups = vec![("first", first, self.member_people())];
        if one(params, "includeSecondDegree") != Some("false") {
            groups.push(("second", second, first.clone()));
        }
        let mut found = Vec::new();
        for (degree, people, sources) in groups {
            let mut entries: Vec<(&Person, Option<&Edge>)> = people
                .iter()
                .map(|id| &self.people[id])
                .filter(|person| self.person_has(person, &wanted))
                .map(|person| (person, self.warmest_edge(&person.id, &sources)))
                .collect();
            entries.sort_by_cached_key(|(person, warmest)| {
                let warmness = warmest.and_then(|edge| edge.warmness);
                (Reverse(warmness), self.name_order(&person.name), person.id.clone())
            });
            found.extend(entries.iter().map(|(person, warmest)| self.found_person(person, degree, *warmest)));
        }
        found.truncate(number(params, "limit", 20));
        Value::Array(found)
    }

    fn found_person(&self, person: &Person, degree: &str, warmest: Option<&Edge>) -> Value {
        self.person_with_handle(person)
            .maybe("city", person.city.clone())
            .maybe("warmness", warmest.and_then(|edge| edge.warmness))
            .maybe("warmnessBreakdown", warmest.and_then(known_breakdown))
            .put("degree", degree)
            .put("knownByUserIds", self.known_by(&person.id))
            .and(self.intro_annotation(&person.id))
            .done()
    }

    /// Whether plain text is in a person's name, email, position or company name.
    fn person_has(&self, person: &Person, wanted: &str) -> bool {
        let name = Some(person.name.clone());
        let emails = person.emails().filter(|_| !self.rules.make(Mistake::EmailsNotMatched));
        let texts = [name, person.position.clone(), self.company_name(person)];
        texts.into_iter().flatten().chain(emails.cloned()).any(|text| self.matched(&text).contains(wanted))
    }

    /// The whole body of search companies: `data`, and the counts beside it.
    pub(crate) fn search_companies(&self, params: &Params) -> Value {
        let wanted = self.matched(one(params, "q").unwrap());
        let (limit, at) = (number(params, "limit", 20), number(params, "page", 1));
        let has =
            |text: &Option<String>| text.as_ref().is_some_and(|text| self.matched(text).contains(&wanted));
        let rank = |company: &Company| match self.matched(&company.name) {
            name if name == wanted => Some(0),
            name if name.starts_with(&wanted) && !self.rules.make(Mistake::BeginningsNotFirst) => Some(1),
            name if name.contains(&wanted) => Some(2),
            _ if has(&company.industry) || has(&company.headquarters_location) => Some(3),
            _ => None,
        };
        let ranked = self.companies.values().filter_map(|company| Some((rank(company)?, company)));
        let mut found: Vec<(i32, &Company)> = ranked.collect();
        found.sort_by_cached_key(|(rank, company)| {
            let employees = self.employees(&company.id).len();
            (*rank, Reverse(employees), self.name_order(&company.name), company.id.clone())
        });
        let shown = found.iter().skip((at - 1).saturating_mul(limit)).take(limit);
        let shown: Vec<Value> = shown.map(|(_, company)| found_company(company)).collect();
        Fields::new()
            .put("data", shown)
            .put("totalCount", found.len())
            .put("totalPages", found.len().div_ceil(limit))
            .put("currentPage", at)
            .done()
    }

    /// The form in which texts are compared: plain text.
    fn matched(&self, text: &str) -> String {
        if self.rules.make(Mistake::MatchedFolded) { fold(text) } else { plain(text) }
    }

    /// The order by name: folded text, in code point order.
    pub(crate) fn name_order(&self, name: &str) -> String {
        if self.rules.make(Mistake::NamesOrderedUnfolded) { name.to_owned() } else { fold(name) }
    }

    /// `first`, `second`, or none for a person outside the network.
    fn degree(&self, person: &str) -> Option<&'static str> {
        let reached = |people: &BTreeSet<String>, degree| people.contains(person).then_some(degree);
        reached(self.first_degree(), "first").or_else(|| reached(self.second_degree(), "second"))
    }

    /// The warmest edge to a person from some people, ties by their id; none when it is unscored.
    fn warmest_edge(&self, person: &str, from: &BTreeSet<String>) -> Option<&Edge> {
        let incoming = self.incoming(person);
        let (_, edge) = incoming.into_iter().find(|(source, _)| from.contains(*source))?;
        let shown = edge.warmness.is_some() || self.rules.make(Mistake::UnscoredShowsBreakdown);
        shown.then_some(edge)
    }

    fn member_people(&self) -> BTreeSet<String> {
        self.members.values().map(|member| member.person_id.clone()).collect()
    }

    /// The members with an edge to a person, by user id.
    fn known_by(&self, person: &str) -> Vec<String> {
        let members = self.members.values().filter(|member| self.edge(&member.person_id, person).is_some());
        members.map(|member| member.user_id.clone()).collect()
    }
}

fn found_company(it: &Company) -> Value {
    company(it)
        .maybe("minSize", it.min_size.clone().map(Value::Number))
        .maybe("maxSize", it.max_size.clone().map(Value::Number))
        .maybe("logoUrl", it.logo_url.clone())
        .done()
}
