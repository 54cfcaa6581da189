//! The order of people whom a search cannot distinguish: always by id.

use kith::limits::Limits;
use serde_json::{Value, json};

use super::{LIMIT_MAX, PATH, choices, id};
use crate::oracle::random::Dice;
use crate::oracle::{Network, Tables};
use crate::support::{Credentials, Served};

/// Everything about a person that a search may look at, but for the id.
fn likeness(oracle: &Network, entry: &Value) -> Value {
    let person = &oracle.people[id(entry)];
    json!([person.name, person.position, person.company_id, person.city, person.country, entry["warmness"]])
}

/// The ends of neighbours in `answer` who are alike but for their ids; the first id is the smaller one.
fn ties(oracle: &Network, answer: &Value) -> Vec<bool> {
    let data = answer["data"].as_array().unwrap();
    let alike = data.windows(2).filter(|two| likeness(oracle, &two[0]) == likeness(oracle, &two[1]));
    alike.map(|two| id(&two[0]) < id(&two[1])).collect()
}

#[tokio::test]
async fn people_who_are_alike_come_by_id() {
    let credentials = Credentials::new();
    let mut compared = 0;
    for seed in 0..40 {
        let twins = Twins::draw(seed);
        let served = twins.serve(&credentials);
        let key = credentials.key("org_1");
        for query in ["who do we know", "engineers", "CEO in Berlin", "in Zürich", "finance people"] {
            for networks in choices() {
                let body = json!({ "query": query, "networks": networks, "limit": LIMIT_MAX });
                let answer = served.post(PATH, &key, &body).await.json();
                let ties = ties(&twins.oracle, &answer);
                assert!(ties.iter().all(|&ascends| ascends), "seed {seed}, {body}: {answer}");
                compared += ties.len();
            }
        }
    }
    assert!(compared > 2_000, "only {compared} ties");
}

/// A network in which everybody has one name, and few differ in what they do.
struct Twins {
    tables: Tables,
    oracle: Network,
}

impl Twins {
    fn draw(seed: u64) -> Self {
        let dice = &mut Dice::new(seed);
        let people: Vec<String> = (0..40)
            .map(|number| {
                let position = dice.pick(&["CEO", "Engineer", "Head of Finance"]);
                let city = dice.pick(&["Berlin", "Zürich"]);
                let id = format!("person_{}{number}", dice.pick(&["a", "Z", "é"]));
                json!({ "id": id, "name": "Kim", "position": position, "city": city }).to_string()
            })
            .collect();
        let ids: Vec<Value> =
            people.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
        let member = json!({ "userId": "user_1", "personId": ids[0], "role": "admin",
            "joinedAt": "2024-01-01T00:00:00Z" });
        let advocate = json!({ "personId": ids[1], "userId": "user_1", "status": "accepted" });
        let edges: Vec<String> = (0..120)
            .map(|_| {
                let (from, to) = (dice.pick(&ids[..2]), dice.pick(&ids));
                json!({ "from": from, "to": to, "warmness": dice.pick(&[0, 50, 50]) }).to_string()
            })
            .collect();
        let file = |name: &str, lines: Vec<String>| (name.to_owned(), lines.join("\n"));
        let files = vec![
            file("organization.json", vec![json!({ "id": "org_1", "name": "One" }).to_string()]),
            file("people.ndjson", people),
            file("members.ndjson", vec![member.to_string()]),
            file("advocates.ndjson", vec![advocate.to_string()]),
            file("connections.ndjson", edges),
        ];
        let tables = Tables { files };
        Self { oracle: Network::from_tables(&tables), tables }
    }

    fn serve(&self, credentials: &Credentials) -> Served {
        let folder = tempfile::tempdir().unwrap();
        self.tables.write(folder.path());
        Served::folders(&[folder.path()], credentials, Limits::DEFAULT)
    }
}

/// The control: two of a kind in the wrong order are noticed.
#[tokio::test]
async fn people_who_are_alike_and_do_not_come_by_id_are_noticed() {
    let credentials = Credentials::new();
    let twins = Twins::draw(0);
    let body = json!({ "query": "who do we know", "limit": LIMIT_MAX });
    let mut answer = twins.serve(&credentials).post(PATH, &credentials.key("org_1"), &body).await.json();
    answer["data"].as_array_mut().unwrap().reverse();
    assert!(ties(&twins.oracle, &answer).contains(&false));
}
