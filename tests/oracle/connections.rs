//! A person's contacts: the user's own connections, their second-degree connections, and any known person's.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::extras::shown_match;
use super::find::Alike;
use super::network::{Edge, Network, Person};
use super::request::{Caps, Params, list, one, page};
use super::rules::Mistake;
use super::show::Fields;

impl Network {
    /// The `data` of the user's own connections.
    pub(crate) fn connections(&self, user: &str, params: &Params) -> Value {
        let contacts = self.outgoing(&self.members[user].person_id);
        let mut people: Vec<&Person> = contacts.iter().map(|(id, _)| &self.people[*id]).collect();
        people.sort_by_cached_key(|person| (self.name_order(&person.name), person.id.clone()));
        let all = people.into_iter().map(|person| self.person_in_list(person).done()).collect();
        let (shown, envelope) = page(params, all);
        Fields::new().put("connections", shown).and(envelope).done()
    }

    /// The `data` of second-degree connections; none when `viaConnectorId` is not a contact of the user.
    pub(crate) fn second_degree_connections(
        &self,
        user: &str,
        params: &Params,
        caps: &Caps,
    ) -> Option<Value> {
        let own = self.members[user].person_id.as_str();
        let contacts = self.outgoing(own);
        let known: BTreeSet<&str> = contacts.iter().map(|(id, _)| *id).chain([own]).collect();
        let via = match one(params, "viaConnectorId") {
            Some(via) => Some(*contacts.iter().find(|(id, _)| *id == via)?),
            None => None,
        };
        let candidates = via.map_or(contacts.clone(), |via| vec![via]);
        // Few contacts list more people each.
        let mut most = caps.edges_per_bridge;
        let counts_via = via.is_none() || !self.rules.make(Mistake::ViaListsFewer);
        if counts_via && !contacts.is_empty() && !self.rules.make(Mistake::FewContactsListNoMore) {
            most = most.max(caps.bridges * caps.edges_per_bridge / contacts.len());
        }

        let (mut scanned, mut listing, mut edges_left) = (0, 0, caps.bridges * caps.edges_read_per_bridge);
        if via.is_some() || self.rules.make(Mistake::EdgesOfAllBridgesUnbounded) {
            edges_left = usize::MAX;
        }
        let mut capped =
            via.is_some() && self.rules.make(Mistake::BridgesCappedWithVia) && contacts.len() > caps.bridges;
        let mut warmest: BTreeMap<&str, (&str, &Edge)> = BTreeMap::new();
        for (bridge, _) in &candidates {
            if (via.is_none() && listing == caps.bridges) || edges_left == 0 {
                capped = true;
                break;
            }
            scanned += 1;
            let mut edges = self.outgoing(bridge);
            let read = match self.rules.make(Mistake::BridgesReadWithoutBound) {
                true => edges.len(),
                false => caps.edges_read_per_bridge.min(edges_left).min(edges.len()),
            };
            edges_left = edges_left.saturating_sub(read);
            capped |= edges.len() > read && !self.rules.make(Mistake::UnreadEdgesNotCapped);
            edges.truncate(read);
            if !self.rules.make(Mistake::BridgeEdgesCountedBeforeLeavingOut) {
                edges.retain(|(person, _)| !known.contains(person));
            }
            capped |= edges.len() > most;
            edges.truncate(most);
            let listed: Vec<_> = edges.into_iter().filter(|(person, _)| !known.contains(person)).collect();
            if !listed.is_empty() || self.rules.make(Mistake::BridgesThatListNobodyCount) {
                listing += 1;
            }
            for (person, edge) in listed {
                let colder =
                    |held: &Edge| edge.warmness > held.warmness && !self.rules.make(Mistake::FirstBridgeWins);
                if warmest.get(person).is_none_or(|(_, held)| colder(held)) {
                    warmest.insert(person, (bridge, edge));
                }
            }
        }

        let reached = warmest.iter().map(|(person, (_, edge))| (*person, *edge)).collect();
        let show = |(person, edge): (&str, &Edge)| {
            let bridge = &self.people[warmest[person].0];
            let via = Fields::new().put("id", bridge.id.clone()).put("name", bridge.name.clone());
            let entry = self.person_in_list(&self.people[person]).maybe("warmness", edge.warmness);
            entry.put("viaConnector", via.done()).done()
        };
        let all = self.warmest_first(reached).into_iter().map(show).collect();
        let (shown, envelope) = page(params, all);
        let fields = Fields::new().put("connections", shown).put("scannedBridges", scanned);
        Some(fields.put("capped", capped).and(envelope).done())
    }

    /// The `data` of people/network. Returns `None` for a person outside the network, or an unknown one.
    pub(crate) fn people_network(&self, params: &Params) -> Option<Value> {
        let inside = self.first_degree();
        let found = match (one(params, "personId"), one(params, "linkedinId"), one(params, "name")) {
            (Some(id), ..) => self.people.get(id),
            (_, Some(handle), _) => self.find_by_handle(handle),
            (.., name) => {
                let anybody = self.rules.make(Mistake::NamesFindOutsiders);
                let among = self.people.values().filter(|person| anybody || inside.contains(&person.id));
                self.find_by_name(name.unwrap(), among)
            }
        };
        let person = found.filter(|person| inside.contains(&person.id))?;

        let include = one(params, "includeIntroRequested") == Some("true");
        let edges = self.outgoing(&person.id);
        let withheld = |id: &str| !include && self.intro_request(id).is_some();
        let shown = edges.iter().filter(|(id, _)| !withheld(id));
        let all = shown.map(|(id, edge)| self.network_entry(id, edge, include)).collect();
        let (shown, envelope) = page(params, all);
        let matched = list(params, "include").map(|_| {
            let near = self.people.values().filter(|person| inside.contains(&person.id));
            let alike = match (one(params, "personId"), one(params, "linkedinId"), one(params, "name")) {
                (Some(_), ..) => Alike { by: Some("id"), people: vec![person] },
                (_, Some(handle), _) => self.alike_by_handle(handle),
                (.., name) => self.alike_by_name(name.unwrap(), near),
            };
            let near = alike.people.into_iter().filter(|person| inside.contains(&person.id));
            shown_match(alike.by, near.map(|it| self.person_with_handle(it).done()).collect())
        });
        let fields = Fields::new()
            .maybe("match", matched)
            .put("person", self.person_in_list(person).done())
            .put("connections", shown)
            .put("excludedIntroRequested", edges.iter().filter(|(id, _)| withheld(id)).count())
            .put("coverage", self.network_coverage(&person.id))
            .and(envelope);
        Some(fields.done())
    }

    fn network_entry(&self, id: &str, edge: &Edge, with_intro: bool) -> Value {
        let person = &self.people[id];
        let request = self.intro_request(id).filter(|_| with_intro);
        Fields::new()
            .put("id", person.id.clone())
            .put("name", person.name.clone())
            .maybe("position", person.position.clone())
            .maybe("currentCompany", self.company_name(person))
            .maybe("city", person.city.clone())
            .maybe("country", person.country.clone())
            .maybe("warmness", edge.warmness)
            .maybe("warmnessSignals", edge.signals())
            .maybe("introRequested", request.map(|_| true))
            .maybe("introStatus", request.map(|request| request.status.clone()))
            .done()
    }

    /// Synced by the member or accepted advocate record; else derived from what edges there are; else none.
    fn network_coverage(&self, person: &str) -> &'static str {
        let as_member = self.member_of_person(person).is_some_and(|member| member.synced);
        let accepted = |status: &str| status == "accepted" || self.rules.make(Mistake::AnyAdvocateSynced);
        let as_advocate =
            self.advocates.iter().any(|it| it.person_id == person && accepted(&it.status) && it.synced);
        match as_member || as_advocate {
            true => "synced",
            false if self.outgoing(person).is_empty() => "none",
            false => "derived",
        }
    }
}
