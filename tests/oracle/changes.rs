//! Changes from one network to a later one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::network::Network;
use super::request::{Caller, Caps};
use super::show::Fields;

impl Network {
    /// The changes of all who are first or second degree in this network or in `later`.
    pub(crate) fn changes_to(&self, later: &Network, caps: &Caps) -> Vec<Value> {
        let mut people = BTreeSet::new();
        for network in [self, later] {
            people.extend(network.first_degree().iter().cloned());
            people.extend(network.second_degree().iter().cloned());
        }
        self.changes_of_all(later, &people, caps)
    }

    /// The changes of `people`, wherever they are; of those who are in neither network there are none.
    pub(crate) fn changes_of_all(
        &self,
        later: &Network,
        people: &BTreeSet<String>,
        caps: &Caps,
    ) -> Vec<Value> {
        let known = people.iter().filter(|id| [self, later].iter().any(|it| it.people.contains_key(*id)));
        known.flat_map(|id| self.changes_of(later, id, caps)).collect()
    }

    fn changes_of(&self, later: &Network, id: &str, caps: &Caps) -> Vec<Value> {
        let paths = [self.warmest_path(id, caps), later.warmest_path(id, caps)];
        let warmness = |path: &Value| path["warmness"].as_u64();
        let [before, after] = [warmness(&paths[0]), warmness(&paths[1])];
        let both = before.is_some() && after.is_some();
        let known = [self, later].map(|network| network.people.get(id));
        let of_paths = [
            ("reachable", before.is_none() && after.is_some()),
            ("unreachable", before.is_some() && after.is_none()),
            ("warmer", both && after > before),
            ("colder", both && after < before),
            ("connector", both && paths[0]["connector"]["id"] != paths[1]["connector"]["id"]),
        ];
        let mut kinds: Vec<(&str, [Value; 2])> = Vec::new();
        kinds.extend(of_paths.into_iter().filter(|(_, holds)| *holds).map(|(kind, _)| (kind, paths.clone())));
        if let [Some(old), Some(new)] = known {
            if old.position != new.position {
                kinds.push(("position", [old, new].map(|person| json!(person.position))));
            }
            if old.company_id != new.company_id {
                kinds.push(("company", [self.employer(id), later.employer(id)]));
            }
        }
        let shown = if known[1].is_some() { later } else { self };
        let show = |(kind, [before, after]): (&str, [Value; 2])| {
            let person = shown.person_with_handle(&shown.people[id]).done();
            json!({ "kind": kind, "person": person, "before": before, "after": after })
        };
        kinds.into_iter().map(show).collect()
    }

    /// The first path of `sort=warmness`, of all members and types; null if there is none.
    fn warmest_path(&self, id: &str, caps: &Caps) -> Value {
        if !self.people.contains_key(id) {
            return Value::Null;
        }
        let params = [("prospectId", id), ("sort", "warmness"), ("limit", "1")];
        let params = params.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let data = self.warm_paths(&Caller::Organization, &params, caps);
        let path = &data["paths"][0];
        if path.is_null() {
            return Value::Null;
        }
        json!({
            "warmness": path["warmness"],
            "connectionType": path["connectionType"],
            "fromUserId": path["fromUserId"],
            "connector": { "id": path["connector"]["id"], "name": path["connector"]["name"] },
        })
    }

    fn employer(&self, id: &str) -> Value {
        self.people[id].company_id.as_ref().map_or(Value::Null, |company| {
            let company = &self.companies[company];
            Fields::new().put("id", company.id.clone()).put("name", company.name.clone()).done()
        })
    }
}
