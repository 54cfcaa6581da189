//! The allowed content of an answer: the caller's own people, by a plain look at the tables, and no word of the
//! provider.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::oracle::Network;
use crate::support::Answer;
use crate::support::stub::CANARY;

/// The people a search may find, by id, each with the type and the name of every connection to them.
pub(crate) type Reach = BTreeMap<String, BTreeSet<(String, String)>>;

/// The people whom `acting`, a user id, reaches through `networks`.
pub(crate) fn reach(network: &Network, acting: &str, networks: &[&str]) -> Reach {
    let (mut reach, me) = (Reach::new(), network.members[acting].person_id.as_str());
    let mut add = |kind: &str, through: &str, name: &str| {
        if networks.contains(&kind) {
            for (person, _) in network.outgoing(through) {
                let ways = reach.entry(person.to_owned()).or_default();
                ways.insert((kind.to_owned(), name.to_owned()));
            }
        }
    };
    add("user", me, &network.people[me].name);
    for advocate in network.accepted_advocates(acting) {
        add("advocate", advocate, &network.people[advocate].name);
    }
    for member in network.members.values() {
        add("organization", &member.person_id, &network.organization_name);
    }
    reach.remove(me);
    reach
}

/// The first row of `answer` with a person outside `reach`, or one listed as reached in other ways.
pub(crate) fn stranger(answer: &Value, reach: &Reach) -> Option<String> {
    let is_own = |row: &&Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let sources = row["connectionSources"].as_array().into_iter().flatten();
        let ways = sources.map(|source| (text(&source["type"]), text(&source["name"]))).collect();
        row["person"]["id"].as_str().and_then(|id| reach.get(id)) == Some(&ways)
    };
    answer["data"].as_array().unwrap().iter().find(|row| !is_own(row)).map(Value::to_string)
}

/// Whether a word of the provider is anywhere in `answer`.
pub(crate) fn leaks(answer: &Answer) -> bool {
    let canary = CANARY.to_lowercase();
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase().contains(&canary);
    let mut headers = answer.headers.iter();
    holds(&answer.bytes) || headers.any(|(name, value)| holds(name.as_ref()) || holds(value.as_bytes()))
}
