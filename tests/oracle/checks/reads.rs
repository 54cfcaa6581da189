//! The other read endpoints, on networks small enough to check by hand.

use serde_json::{Value, json};

use super::drawn::{drawn, params};
use crate::oracle::{Caller, Caps, Network, Tables};

/// The names in a list of an answer.
fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

/// A network of given tables beside a usual organization, one member `user_1` (`person_me`) and companies.
fn written(people: &[Value], more: &[(&str, Vec<Value>)]) -> Network {
    let table = |name: &str, rows: &[Value]| {
        (format!("{name}.ndjson"), rows.iter().map(|row| format!("{row}\n")).collect::<String>())
    };
    let own = json!({"id": "org_1", "name": "Org", "companyId": "company_own"});
    let me = json!({"id": "person_me", "name": "Me", "currentCompanyId": "company_mine"});
    let member = json!({"userId": "user_1", "personId": "person_me", "role": "admin", "joinedAt": "2020-01-01T00:00:00Z"});
    let companies =
        ["own", "mine", "acme"].map(|name| json!({"id": format!("company_{name}"), "name": name}));
    let mut files = vec![
        ("organization.json".to_owned(), own.to_string()),
        table("people", &[people, &[me]].concat()),
        table("members", &[member]),
    ];
    files.extend(more.iter().map(|(name, rows)| table(name, rows)));
    if !more.iter().any(|(name, _)| *name == "companies") {
        files.push(table("companies", &companies));
    }
    Network::from_tables(&Tables { files })
}

#[test]
fn a_person_shows_the_warmest_member_edge_by_degree() {
    let network = drawn("m1 -40-> c, m2 -50-> c, c -90-> d, d -90-> x, m1 ---> ei, x -99-> c");
    let cases = [
        ("c", Some(json!({"id": "person_c", "name": "c", "degree": "first", "warmness": 50}))),
        ("d", Some(json!({"id": "person_d", "name": "d", "degree": "second"}))),
        ("m3", Some(json!({"id": "person_m3", "name": "m3", "degree": "first"}))),
        (
            "ei",
            Some(json!({"id": "person_ei", "name": "ei", "degree": "first",
                "currentCompany": {"id": "company_acme", "name": "Acme"}, "introRequested": true,
                "introStatus": "ACTIVE", "introRequestedBy": "m1",
                "introRequestedAt": "2024-01-01T00:00:00.000Z"})),
        ),
        ("x", None),
        ("nobody", None),
    ];
    for (name, expected) in cases {
        assert_eq!(network.person(&format!("person_{name}"), &[]), expected, "{name}");
    }
}

#[test]
fn search_people_puts_first_degree_before_second_then_warmness_then_name() {
    let network = drawn("m1 -40-> ca, m2 -90-> cb, m1 ---> cd, m1 -40-> cc, cb -100-> ce, x -100-> cx");
    let cases = [
        ("q=c", vec!["cb", "ca", "cc", "cd", "ce"]),
        ("q=C&includeSecondDegree=false", vec!["cb", "ca", "cc", "cd"]),
        ("q=c&includeSecondDegree=true&limit=2", vec!["cb", "ca"]),
        ("q=m", vec!["m1", "m2", "m3"]),
        ("q=zz", vec![]),
    ];
    for (query, expected) in cases {
        assert_eq!(names(&network.search_people(&params(query))), expected, "{query}");
    }
    let found = network.search_people(&params("q=ce"));
    let expected =
        json!([{"id": "person_ce", "name": "ce", "degree": "second", "warmness": 100, "knownByUserIds": []}]);
    assert_eq!(found, expected);
}

#[test]
fn search_people_matches_email_position_and_company_but_never_shows_the_email() {
    let ada = json!({"id": "person_a", "name": "Åda", "email": "Ann@X.test", "position": "Head  of Data",
        "currentCompanyId": "company_acme"});
    let edges = vec![json!({"from": "person_me", "to": "person_a"})];
    let network = written(&[ada], &[("connections", edges)]);
    let expected = json!([{"id": "person_a", "name": "Åda", "position": "Head  of Data", "company": "acme",
        "degree": "first", "knownByUserIds": ["user_1"]}]);
    for query in ["ADA", "ann@x", "head OF  data", "acm"] {
        assert_eq!(network.search_people(&[("q".to_owned(), query.to_owned())]), expected, "{query}");
    }
}

#[test]
fn search_companies_prefers_names_then_employees() {
    let company = |id: &str, name: &str, industry: &str| json!({"id": format!("company_{id}"), "name": name, "industry": industry});
    let companies = vec![
        company("own", "Own", "data"),
        company("mine", "Big Data", ""),
        company("1", "Data Works", ""),
        company("2", "DATA", ""),
        company("3", "data labs", ""),
        company("4", "Other", ""),
    ];
    let worker = json!({"id": "person_w", "name": "W", "currentCompanyId": "company_1"});
    let network = written(&[worker], &[("companies", companies)]);
    let ids = |body: &Value| -> Vec<String> {
        body["data"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()[8..].to_owned()).collect()
    };
    let cases = [
        ("q=data", vec!["2", "1", "3", "mine", "own"], [5, 1, 1]),
        ("q=data&limit=2&page=2", vec!["3", "mine"], [5, 3, 2]),
        ("q=data&limit=2&page=9", vec![], [5, 3, 9]),
        ("q=zz", vec![], [0, 0, 1]),
    ];
    for (query, expected, [total, pages, current]) in cases {
        let body = network.search_companies(&params(query));
        assert_eq!(ids(&body), expected, "{query}");
        let counts = [&body["totalCount"], &body["totalPages"], &body["currentPage"]];
        assert_eq!(counts, [total, pages, current].map(Value::from).each_ref(), "{query}");
    }
}

#[test]
fn connections_are_ordered_by_folded_name() {
    let people = [("3", "Zoë"), ("2", "ángel"), ("1", "Ángel"), ("4", "Bo")];
    let people = people.map(|(id, name)| json!({"id": format!("person_{id}"), "name": name}));
    let edges = (1..=4).map(|n| json!({"from": "person_me", "to": format!("person_{n}")})).collect();
    let network = written(&people, &[("connections", edges)]);
    let answer = network.connections("user_1", &params("limit=3"));
    assert_eq!(names(&answer["connections"]), ["Ángel", "ángel", "Bo"]);
    assert_eq!(answer["nextOffset"], 3);
    let last = network.connections("user_1", &params("limit=3&offset=3"));
    assert_eq!((names(&last["connections"]), last.get("nextOffset")), (vec!["Zoë"], None));
}

#[test]
fn second_degree_connections_are_a_window_that_passes_over_people_known_already() {
    // The bridges of user_1, warmest first: b1, b2, b3.
    let network = drawn(
        "m1 -90-> b1, m1 -80-> b2, m1 ---> b3, b1 -70-> b2, b1 -60-> x, b1 ---> y,
         b2 -60-> x, b2 -65-> y, b2 -10-> m1, b3 -99-> z, x -50-> w",
    );
    let cases = [
        ("", 9, 9, 9, vec!["z b3", "y b2", "x b1"], 3, false),
        ("", 2, 9, 9, vec!["y b2", "x b1"], 2, true),
        // The edges b1 -> b2 and b2 -> m1 take no place of the two: nothing is left out.
        ("", 9, 2, 9, vec!["z b3", "y b2", "x b1"], 3, false),
        // As many bridges as contacts list one each, fewer contacts more.
        ("", 3, 1, 9, vec!["z b3", "y b2", "x b1"], 3, true),
        ("", 9, 1, 9, vec!["z b3", "y b2", "x b1"], 3, false),
        // They are read, though: of b1 only the edges to b2 and x, of b2 all but the one to m1.
        ("", 9, 9, 2, vec!["z b3", "y b2", "x b1"], 3, true),
        ("", 9, 9, 1, vec!["z b3", "y b2"], 3, true),
        ("viaConnectorId=person_b1", 1, 9, 9, vec!["x b1", "y b1"], 1, false),
        ("viaConnectorId=person_b1", 1, 1, 9, vec!["x b1"], 1, true),
        ("viaConnectorId=person_b1", 1, 9, 3, vec!["x b1", "y b1"], 1, false),
        ("viaConnectorId=person_b1", 1, 9, 2, vec!["x b1"], 1, true),
        ("viaConnectorId=person_b1", 1, 9, 1, vec![], 1, true),
        // Of b2 the edge that is left unread would be passed over: it was not looked at, and counts.
        ("viaConnectorId=person_b2", 1, 2, 2, vec!["y b2", "x b2"], 1, true),
        ("viaConnectorId=person_b2", 1, 2, 3, vec!["y b2", "x b2"], 1, false),
        ("viaConnectorId=person_b3", 1, 1, 1, vec!["z b3"], 1, false),
    ];
    for (query, bridges, edges_per_bridge, edges_read_per_bridge, expected, scanned, capped) in cases {
        let caps = Caps { bridges, edges_per_bridge, edges_read_per_bridge, ..Caps::default() };
        let answer = network.second_degree_connections("user_1", &params(query), &caps).unwrap();
        let entries = answer["connections"].as_array().unwrap().iter();
        let said = |entry: &Value| {
            format!("{} {}", entry["name"].as_str().unwrap(), entry["viaConnector"]["name"].as_str().unwrap())
        };
        assert_eq!(entries.map(said).collect::<Vec<_>>(), expected, "{query} {caps:?}");
        assert_eq!(
            (&answer["scannedBridges"], &answer["capped"]),
            (&json!(scanned), &json!(capped)),
            "{caps:?}"
        );
    }
    for stranger in ["person_x", "person_m1", "person_nobody"] {
        let query = [("viaConnectorId".to_owned(), stranger.to_owned())];
        assert_eq!(network.second_degree_connections("user_1", &query, &Caps::default()), None, "{stranger}");
    }
}

#[test]
fn people_network_shows_only_people_inside_and_withholds_those_asked_for() {
    let network = drawn("m1 -50-> c, c -10-> x, c -20-> ei, c ---> y, x -5-> w");
    let cases = [
        ("name=c", Some((vec!["x", "y"], 1, "derived"))),
        ("name=c&includeIntroRequested=true", Some((vec!["ei", "x", "y"], 0, "derived"))),
        ("name=c&includeIntroRequested=TRUE", Some((vec!["x", "y"], 1, "derived"))),
        ("personId=person_m3", Some((vec![], 0, "none"))),
        ("personId=person_x", None),
        ("personId=person_nobody", None),
        ("name=x", None),
        ("linkedinId=c", None),
    ];
    for (query, expected) in cases {
        let answer = network.people_network(&params(query));
        let said = answer.as_ref().map(|data| {
            let excluded = data["excludedIntroRequested"].as_u64().unwrap();
            (names(&data["connections"]), excluded, data["coverage"].as_str().unwrap())
        });
        assert_eq!(said, expected, "{query}");
    }
    let answer = network.people_network(&params("name=c&includeIntroRequested=true&limit=1")).unwrap();
    let entry = json!({"id": "person_ei", "name": "ei", "currentCompany": "Acme", "warmness": 20,
        "introRequested": true, "introStatus": "ACTIVE"});
    assert_eq!(answer["connections"], json!([entry]));
}

#[test]
fn coverage_is_synced_by_a_member_or_accepted_advocate_record() {
    let at = "2024-01-01T00:00:00Z";
    let cases =
        [("accepted", json!(at), "synced"), ("accepted", json!(""), "none"), ("pending", json!(at), "none")];
    for (status, synced_at, expected) in cases {
        let advocate = json!({"personId": "person_a", "userId": "user_1", "status": status,
            "connectionsSyncedAt": synced_at});
        let edges = vec![json!({"from": "person_me", "to": "person_a"})];
        let ann = json!({"id": "person_a", "name": "Ann"});
        let network = written(&[ann], &[("advocates", vec![advocate]), ("connections", edges)]);
        let answer = network.people_network(&params("name=ann")).unwrap();
        assert_eq!(answer["coverage"], expected, "{status} {synced_at}");
    }
}

/// An opportunity of a prospect, found at some time, with paths of a connector and a strength.
fn ghost(id: &str, prospect: &str, status: &str, at: &str, score: f64, paths: &[(&str, f64)]) -> Value {
    let path = |(person, strength): &(&str, f64)| json!({"connectionId": format!("person_{person}"), "connectionType": "direct", "strengthScore": strength});
    json!({"id": format!("ghost_{id}"), "prospectId": format!("person_{prospect}"), "status": status,
        "overallScore": score, "discoveredAt": at, "discoveredBy": "user_1",
        "paths": paths.iter().map(path).collect::<Vec<_>>()})
}

fn network_of_opportunities() -> Network {
    let person = |id: &str, company: &str| json!({"id": format!("person_{id}"), "name": id.to_uppercase(), "currentCompanyId": company});
    let people = [
        person("a", "company_acme"),
        person("o", "company_own"),
        person("w", "company_mine"),
        person("c", ""),
    ];
    let opportunities = vec![
        ghost(
            "1",
            "a",
            "visible",
            "2024-01-01T00:30:00+01:00",
            5.0,
            &[("me", 90.0), ("w", 50.0), ("c", 50.0)],
        ),
        ghost("2", "c", "intro_requested", "2023-12-31T23:30:00.9999Z", 7.5, &[("me", 90.0)]),
        ghost("3", "c", "dismissed", "2025-01-01T00:00:00Z", 9.0, &[]),
        ghost("4", "w", "saved", "2022-01-01T00:00:00Z", 5.0, &[]),
        ghost("5", "o", "accepted", "2022-01-01T00:00:00Z", 99.0, &[]),
    ];
    written(&people, &[("ghost_opportunities", opportunities)])
}

#[test]
fn opportunities_leave_out_own_companies_and_the_dismissed_and_are_sorted() {
    let network = network_of_opportunities();
    let (key, user) = (Caller::Organization, Caller::User("user_1".to_owned()));
    let cases = [
        (&key, "", vec!["2", "1", "4"]),
        (&key, "sort=newest", vec!["2", "1", "4"]),
        (&key, "sort=oldest", vec!["4", "1", "2"]),
        (&key, "sort=relevancy", vec!["2", "1", "4"]),
        (&user, "", vec!["2", "1"]),
        (&key, "status=dismissed", vec!["3"]),
        (&key, "status=accepted", vec![]),
        (&key, "search=ACM", vec!["1"]),
        (&key, "search=w", vec!["4"]),
    ];
    for (caller, query, expected) in cases {
        let answer = network.ghost_opportunities(caller, &params(query));
        let ids =
            answer["opportunities"].as_array().unwrap().iter().map(|it| &it["id"].as_str().unwrap()[6..]);
        assert_eq!(ids.collect::<Vec<_>>(), expected, "{caller:?} {query}");
    }
}

#[test]
fn an_opportunity_shows_the_strongest_path_through_a_person_outside() {
    let answer = network_of_opportunities().ghost_opportunities(&Caller::Organization, &[]);
    let expected = json!([
        {"id": "ghost_2", "prospect": {"id": "person_c", "name": "C"}, "overallScore": 7.5,
            "status": "intro_requested", "introRequested": true, "discoveredAt": "2023-12-31T23:30:00.999Z",
            "discoveredBy": {"id": "user_1", "name": "Me"}},
        {"id": "ghost_1", "prospect": {"id": "person_a", "name": "A", "company": "acme"}, "overallScore": 5.0,
            "status": "visible", "introRequested": false, "discoveredAt": "2023-12-31T23:30:00.000Z",
            "discoveredBy": {"id": "user_1", "name": "Me"},
            "bestPath": {"connectionId": "person_w", "connectionName": "W", "connectionType": "direct",
                "company": "mine", "strengthScore": 50.0}},
    ]);
    assert_eq!(answer["opportunities"].as_array().unwrap()[..2], expected.as_array().unwrap()[..]);
}
