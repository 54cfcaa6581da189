//! Network search without the engines: the people a search may find, and their descriptions.

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

/// The people whom a search may find.
pub(crate) struct Pool<'a> {
    network: &'a Network,
    knowers: Vec<Knower<'a>>,
    /// By the id of a person, who knows them: places among the knowers, in their order, and the edges.
    known: BTreeMap<&'a str, Vec<(usize, &'a Edge)>>,
    chosen: Vec<&'static str>,
    with_ids: bool,
}

impl Pool<'_> {
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    fn is_chosen(&self, knower: usize) -> bool {
        self.chosen.contains(&self.knowers[knower].network)
    }

    fn warmness(&self, ways: &[(usize, &Edge)]) -> Option<u64> {
        let scores = ways.iter().filter(|(knower, _)| self.is_chosen(*knower)).map(|(_, edge)| edge.warmness);
        let coldest = self.network.rules.make(Mistake::ColdestEdgeTold);
        (if coldest { scores.min() } else { scores.max() }).flatten()
    }

    /// Each person's id, by id, with the score that the answer shows.
    pub(crate) fn scores(&self) -> impl Iterator<Item = (&str, Option<u64>)> {
        self.known.iter().map(|(person, ways)| (*person, self.warmness(ways)))
    }

    /// A person as the answer shows them; `None` if they are not in the pool.
    pub(crate) fn get(&self, person: &str) -> Option<Value> {
        let ways = self.known.get(person)?;
        let all = self.network.rules.make(Mistake::OtherNetworksTold);
        let said = ways.iter().map(|(knower, _)| *knower).filter(|knower| all || self.is_chosen(*knower));
        let sources = self.network.connection_sources(said.map(|knower| &self.knowers[knower]));
        Some(self.network.found(person, self.warmness(ways), sources, self.with_ids))
    }
}

impl Network {
    /// The people whom a search over the body's networks may find. The networks that its query may name are not looked
    /// at.
    pub(crate) fn search_pool(&self, search: &Search) -> Pool<'_> {
        let acting = self.acting_member(&search.caller, search.body["asUserId"].as_str());
        let is_named = |network: &&str| {
            search.body["networks"].as_array().is_none_or(|named| named.iter().any(|it| it == network))
        };
        let chosen: Vec<&'static str> = NETWORKS.into_iter().filter(is_named).collect();
        let all = self.rules.make(Mistake::OtherNetworksTold);
        let knowers: Vec<Knower<'_>> = self.knowers(acting);
        let mut known: BTreeMap<&str, Vec<(usize, &Edge)>> = BTreeMap::new();
        for (place, knower) in knowers.iter().enumerate() {
            if all || chosen.contains(&knower.network) {
                for (person, edge) in self.known_by_person(knower.person) {
                    known.entry(person).or_default().push((place, edge));
                }
            }
        }
        if !self.rules.make(Mistake::ActingMemberFound) {
            known.remove(acting.person_id.as_str());
        }
        let ids = search.body["include"].as_array().is_some_and(|words| words.contains(&"ids".into()));
        known.retain(|_, ways| ways.iter().any(|(knower, _)| chosen.contains(&knowers[*knower].network)));
        Pool { network: self, knowers, known, chosen, with_ids: ids }
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

    fn found(&self, id: &str, warmness: Option<u64>, sources: Vec<Value>, ids: bool) -> Value {
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
        Fields::new()
            .put("person", identity.maybe("position", person.position.clone()).done())
            .maybe("currentCompany", company)
            .maybe("warmness", warmness)
            .put("connectionSources", sources)
            .done()
    }
}
