//! Network search but for the engines: whom a search may find, and what is said of each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::network::{Edge, Member, Network};
use super::request::Caller;
use super::rules::Mistake;
use super::show::Fields;

/// A valid network search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) caller: Caller,
    pub(crate) body: Value,
}

/// The networks, in the order in which sources are listed.
pub(crate) const NETWORKS: [&str; 3] = ["user", "advocate", "organization"];

/// A person whose edges put people in a pool: the network they stand for, and its name.
struct Knower<'a> {
    network: &'static str,
    name: &'a str,
    person: &'a str,
}

impl Network {
    /// The people whom a search over the body's networks may find, by id, each as the answer shows them. The networks
    /// that its query may name are not looked at.
    pub(crate) fn search_pool(&self, search: &Search) -> BTreeMap<String, Value> {
        let acting = self.acting_member(&search.caller, search.body["asUserId"].as_str());
        let chosen: Vec<&str> = match search.body["networks"].as_array() {
            Some(chosen) => chosen.iter().map(|network| network.as_str().unwrap()).collect(),
            None => NETWORKS.to_vec(),
        };
        let knowers = self.knowers(acting);
        let mut known: BTreeMap<&str, Vec<(&Knower<'_>, &Edge)>> = BTreeMap::new();
        for knower in &knowers {
            for (person, edge) in self.known_by_person(knower.person) {
                known.entry(person).or_default().push((knower, edge));
            }
        }
        if !self.rules.make(Mistake::ActingMemberFound) {
            known.remove(acting.person_id.as_str());
        }
        let is_chosen = |knower: &Knower<'_>| chosen.contains(&knower.network);
        known.retain(|_, ways| ways.iter().any(|(knower, _)| is_chosen(knower)));
        let all = self.rules.make(Mistake::OtherNetworksTold);
        let ids = search.body["include"].as_array().is_some_and(|words| words.contains(&"ids".into()));
        let show = |(person, ways): (&str, Vec<(&Knower<'_>, &Edge)>)| {
            let edges = ways.iter().filter(|(knower, _)| is_chosen(knower)).map(|(_, edge)| *edge);
            let said = ways.iter().filter(|(knower, _)| all || is_chosen(knower));
            let sources = self.connection_sources(said.map(|(knower, _)| *knower));
            (person.to_owned(), self.found(person, edges, sources, ids))
        };
        known.into_iter().map(show).collect()
    }

    /// The member named, by either id; else the token's own; else the oldest admin, or without one the oldest
    /// member: by when they joined, then user id.
    fn acting_member(&self, caller: &Caller, named: Option<&str>) -> &Member {
        let own = match caller {
            Caller::User(user) if !self.rules.make(Mistake::TokensUserDoesNotAct) => Some(user.as_str()),
            _ => None,
        };
        if let Some(id) = named.or(own) {
            let has_it = |member: &&Member| member.user_id == id || member.person_id == id;
            return self.members.values().find(has_it).unwrap();
        }
        let any = self.rules.make(Mistake::OldestMemberActs);
        let order = |member: &&Member| {
            (Reverse(!any && member.role == "admin"), member.joined_at, member.user_id.clone())
        };
        self.members.values().min_by_key(order).unwrap()
    }

    /// Everybody whose edges count, in the order in which they are listed: the acting member, their accepted
    /// advocates by person id, every member.
    fn knowers<'a>(&'a self, acting: &'a Member) -> Vec<Knower<'a>> {
        let mut advocates: BTreeSet<&str> =
            self.accepted_advocates(&acting.user_id).iter().map(String::as_str).collect();
        if self.rules.make(Mistake::AdvocatesOfAnyMember) {
            let users = self.members.keys().flat_map(|user| self.accepted_advocates(user));
            advocates.extend(users.map(String::as_str));
        }
        let knower = |network, person: &'a str| Knower { network, name: &self.people[person].name, person };
        let organization = self.members.values().map(|member| Knower {
            network: "organization",
            name: &self.organization_name,
            person: &member.person_id,
        });
        let own = [knower("user", &acting.person_id)];
        let advocates = advocates.into_iter().map(|person| knower("advocate", person));
        own.into_iter().chain(advocates).chain(organization).collect()
    }

    /// One entry for the acting member, for each advocate, and for the organization.
    fn connection_sources<'a>(&self, knowers: impl Iterator<Item = &'a Knower<'a>>) -> Vec<Value> {
        let (mut said, mut sources) = (BTreeSet::new(), Vec::new());
        for knower in knowers {
            let many = knower.network == "advocate" && !self.rules.make(Mistake::AdvocatesToldTogether);
            if said.insert((knower.network, many.then_some(knower.person))) {
                sources.push(Fields::new().put("type", knower.network).put("name", knower.name).done());
            }
        }
        sources
    }

    fn found<'a>(
        &self,
        id: &str,
        edges: impl Iterator<Item = &'a Edge>,
        sources: Vec<Value>,
        ids: bool,
    ) -> Value {
        let person = &self.people[id];
        let mut identity = Fields::new().put("id", id).put("name", person.name.clone());
        if ids {
            identity = identity
                .maybe("linkedinId", person.linkedin_id.clone())
                .maybe("city", person.city.clone())
                .maybe("country", person.country.clone());
        }
        let company = person.company_id.as_ref().map(|company| {
            let employer = &self.companies[company];
            let industry = employer.industry.clone().filter(|_| ids);
            let fields = Fields::new().put("id", company.clone()).put("name", employer.name.clone());
            fields.maybe("industry", industry).done()
        });
        let scores = edges.map(|edge| edge.warmness);
        let coldest = self.rules.make(Mistake::ColdestEdgeTold);
        let warmness = if coldest { scores.min() } else { scores.max() };
        Fields::new()
            .put("person", identity.maybe("position", person.position.clone()).done())
            .maybe("currentCompany", company)
            .maybe("warmness", warmness.flatten())
            .put("connectionSources", sources)
            .done()
    }
}
