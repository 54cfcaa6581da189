//! `GET /api/v1/changes`: its answers and errors across reloads, restarts and changes of the suppression list, and
//! during other work. `props::changes` compares the changes themselves with the oracle.

mod ahead;
mod beside;
pub(crate) mod documented;
mod forgotten;
mod generations;

use kith_server::model::dataset::Dataset;
use serde_json::Value;

use crate::oracle::Tables;
use crate::support::{Answer, Credentials, Served};
use crate::suppression::site::{built, fixture};

pub(crate) const PATH: &str = "/api/v1/changes";
pub(crate) const TINY: &str = "org_tiny";

/// The edits of the tiny network, and the resulting changes.
const EDITS: [(&str, &str); 3] = [
    // dee knows pia better,
    ("\"to\":\"person_pia\",\"warmness\":70", "\"to\":\"person_pia\",\"warmness\":90"),
    // que has another position,
    ("VP Sales", "CRO"),
    // and kim knows sol instead of tom.
    ("{\"from\":\"person_kim\",\"to\":\"person_tom\"", "{\"from\":\"person_kim\",\"to\":\"person_sol\""),
];
/// Those edits as changes.
const EDITED: [&str; 4] = ["warmer pia", "position que", "reachable sol", "unreachable tom"];

/// The tiny tables after this many of the edits.
pub(crate) fn tables(edits: usize) -> Tables {
    let mut tables = fixture("fixtures/tiny");
    for (old, new) in &EDITS[..edits] {
        assert!(tables.files.iter().any(|(_, text)| text.contains(old)), "{old}");
        tables.files.iter_mut().for_each(|(_, text)| *text = text.replace(old, new));
    }
    tables
}

fn tiny(edits: usize) -> Dataset {
    built(&tables(edits))
}

fn generation(answer: &Answer) -> u64 {
    answer.header("service-generation").unwrap().parse().unwrap()
}

/// A caller, and what answers.
struct Asking {
    served: Served,
    key: String,
}

impl Asking {
    fn new(served: Served, credentials: &Credentials) -> Self {
        Self { served, key: credentials.key(TINY) }
    }

    async fn since(&self, since: u64) -> Answer {
        self.served.get(&format!("{PATH}?since={since}&limit=50"), &self.key).await
    }

    /// The generation in service.
    async fn now(&self) -> u64 {
        generation(&self.served.get("/api/v1/people/person_nobody", &self.key).await)
    }

    /// `kind person` of each change since a generation; of none that is gone.
    async fn changes(&self, since: u64) -> Option<Vec<String>> {
        let answer = self.since(since).await;
        let body = answer.json();
        if answer.status == 410 {
            assert_eq!(body["code"], "generation_gone");
            return None;
        }
        assert_eq!(answer.status, 200, "{body}");
        assert_eq!(body["data"]["generation"], generation(&answer), "of the network that is in service");
        let line = |change: &Value| {
            let text = |value: &Value| value.as_str().unwrap().trim_start_matches("person_").to_owned();
            format!("{} {}", text(&change["kind"]), text(&change["person"]["id"]))
        };
        Some(body["data"]["changes"].as_array().unwrap().iter().map(line).collect())
    }
}
