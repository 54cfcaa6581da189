//! The build: parallel edges, self-edges, implied edges, degrees, missing values, folders.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::drawn::drawn;
use crate::oracle::{Network, Tables};

/// The edge that stays of two with the same ends: its score and its breakdown.
fn merged(first: &str, second: &str) -> (Option<u64>, Value) {
    let line = |rest: &str| format!("{{\"from\":\"person_1\",\"to\":\"person_2\"{rest}}}\n");
    let people = "{\"id\":\"person_1\",\"name\":\"A\"}\n{\"id\":\"person_2\",\"name\":\"B\"}\n";
    let organization = "{\"id\":\"org_1\",\"name\":\"O\"}";
    let files = [
        ("organization.json", organization.to_owned()),
        ("people.ndjson", people.to_owned()),
        ("connections.ndjson", line(first) + &line(second)),
    ];
    let network =
        Network::from_tables(&Tables { files: files.map(|(name, text)| (name.to_owned(), text)).into() });
    let edge = network.edge("person_1", "person_2").unwrap();
    (edge.warmness, Value::Object(edge.breakdown.clone()))
}

#[test]
fn of_two_parallel_edges_the_warmer_then_the_smaller_breakdown_stays() {
    let cases = [
        (r#","warmness":10"#, r#","warmness":20"#, Some(20), json!({})),
        (r#","warmness":0"#, r#","breakdown":{"a":9}"#, Some(0), json!({})),
        (r#","warmness":5"#, r#","warmness":5,"breakdown":{"a":9}"#, Some(5), json!({"a": 9})),
        (r#","warmness":5,"breakdown":{}"#, r#","warmness":5,"breakdown":{"a":9}"#, Some(5), json!({"a": 9})),
        (r#","breakdown":{"a":10}"#, r#","breakdown":{"a":9}"#, None, json!({"a": 10})),
        (r#","breakdown":{"b":1}"#, r#","breakdown":{"a":1,"c":1}"#, None, json!({"a": 1, "c": 1})),
        // White space between tokens counts nothing, inside a string it does.
        (r#","breakdown":{ "a" : 2 }"#, r#","breakdown":{"a":1}"#, None, json!({"a": 1})),
        (
            r#","breakdown":{"pastCompanyName":"a b"}"#,
            r#","breakdown":{"pastCompanyName":"aa"}"#,
            None,
            json!({"pastCompanyName": "a b"}),
        ),
    ];
    for (first, second, warmness, breakdown) in cases {
        let expected = (warmness, breakdown);
        assert_eq!(merged(first, second), expected, "{first} then {second}");
        assert_eq!(merged(second, first), expected, "{second} then {first}");
    }
}

#[test]
fn self_edges_go_and_accepted_advocates_are_known_to_their_member() {
    let network = drawn("m1 -50-> m1, a1 -10-> p, q1 -10-> p, m1 -70-> a2");
    let ends: Vec<(&str, &str, Option<u64>)> =
        network.edges().map(|(from, to, edge)| (from, to, edge.warmness)).collect();
    let expected = [
        ("person_a1", "person_p", Some(10)),
        ("person_m1", "person_a1", None),
        ("person_m1", "person_a2", Some(70)),
        ("person_q1", "person_p", Some(10)),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn degrees_count_members_then_their_contacts_then_the_contacts_of_those() {
    let network = drawn("m1 -50-> c, c -50-> d, d -50-> e, m2 -50-> m1, c -50-> m3, a1 -5-> f");
    let first = ["a1", "c", "m1", "m2", "m3"].map(|name| format!("person_{name}"));
    assert_eq!(*network.first_degree(), first.into());
    assert_eq!(*network.second_degree(), ["person_d", "person_f"].map(str::to_owned).into());
}

#[test]
fn warmest_first_is_score_then_unscored_then_id() {
    let network = drawn("m1 -5-> b, m1 ---> a, m1 -90-> d, m1 -5-> c, m1 -0-> e");
    let order: Vec<&str> = network.outgoing("person_m1").into_iter().map(|(id, _)| id).collect();
    assert_eq!(order, ["person_d", "person_b", "person_c", "person_e", "person_a"]);
}

#[test]
fn signals_are_the_positive_factors_warmest_first_then_by_name() {
    let breakdown = r#","breakdown":{"b":5,"a":5.0,"z":7.5,"none":0,"less":-3,"pastCompanyName":"Old"}"#;
    let line = format!("{{\"from\":\"person_1\",\"to\":\"person_2\"{breakdown}}}");
    let people = "{\"id\":\"person_1\",\"name\":\"A\"}\n{\"id\":\"person_2\",\"name\":\"B\"}\n";
    let files = [("organization.json", "{\"id\":\"org_1\",\"name\":\"O\"}"), ("people.ndjson", people)];
    let files = files.into_iter().chain([("connections.ndjson", line.as_str())]);
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    let network = Network::from_tables(&Tables { files });
    let signals = network.edge("person_1", "person_2").unwrap().signals();
    assert_eq!(signals.unwrap(), ["z", "a", "b"]);
}

#[test]
fn a_folder_is_read_plain_or_gzip_and_written_plain() {
    let folder = tempfile::tempdir().unwrap();
    let people = "{\"id\":\"person_1\",\"name\":\"A\",\"position\":\"\",\"city\":null}\n\n";
    let organization = "{\"id\":\"org_1\",\"name\":\"O\",\"companyId\":null}";
    let tables = Tables { files: vec![("organization.json".to_owned(), organization.to_owned())] };
    tables.write(folder.path());
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(people.as_bytes()).unwrap();
    fs::write(folder.path().join("people.ndjson.gz"), packed.finish().unwrap()).unwrap();

    let network = Network::read(folder.path());
    let person = &network.people["person_1"];
    assert_eq!((person.position.as_ref(), person.city.as_ref()), (None, None));
    assert_eq!(network.organization_company, None);
    assert_eq!(network.edges().count(), 0);
}
