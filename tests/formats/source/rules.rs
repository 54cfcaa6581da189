//! The meaning of tables: order, references, merged and implied edges, values to the letter, warnings.

use kith_server::model::aliases::AliasColumn;
use kith_server::model::count::OptionalCount;
use kith_server::model::dataset::{AdvocateStatus, Dataset, OpportunityStatus, Role};
use kith_server::model::ix::{CompanyIx, MemberIx, OptionalIx, PersonIx};
use kith_server::prepare::edges::EdgeReport;
use kith_tables::progress::Silent;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::{Built, read_tables};
use kith_tables::source::ignored::UnknownField;

use crate::source::network::{File, Network, read};

/// Every edge as `from -score-> to breakdown`.
fn edges(dataset: &Dataset) -> Vec<String> {
    let people = (0..dataset.people.len() as u32).map(PersonIx);
    people
        .flat_map(|from| {
            let row = dataset.edges.out.row(from);
            row.iter().enumerate().map(move |(place, (to, score))| {
                let id = |person: PersonIx| dataset.people.ids.get(person.0).trim_start_matches("person_");
                let score = score.score().map_or("?".to_owned(), |score| score.to_string());
                let breakdown = dataset.breakdowns.get(dataset.edges.breakdowns.get(row.start + place));
                format!("{} -{score}-> {} {breakdown}", id(from), id(to)).trim_end().to_owned()
            })
        })
        .collect()
}

fn small() -> Dataset {
    read(&Network::small().ndjson()).unwrap().dataset
}

#[test]
fn tables_stand_in_the_order_of_their_ids_and_refer_by_number() {
    let dataset = small();
    assert_eq!(
        (dataset.organization.id.as_str(), dataset.organization.company),
        ("org_acme", Some(CompanyIx(0)))
    );
    assert_eq!(dataset.companies.ids.iter().collect::<Vec<_>>(), ["company_a", "company_b"]);
    assert_eq!(dataset.companies.names.iter().collect::<Vec<_>>(), ["Acme, Inc.", "Bolt"]);
    assert_eq!(dataset.companies.min_sizes, [Some(10), None].map(OptionalCount::from));
    assert_eq!(dataset.companies.max_sizes, [Some(9_007_199_254_740_991), None].map(OptionalCount::from));
    let people = ["person_ann", "person_bob", "person_cy", "person_dee", "person_eve"];
    assert_eq!(dataset.people.ids.iter().collect::<Vec<_>>(), people);
    assert_eq!(dataset.people.names.get(0), "Ann \"A.\" Ås");
    let companies = [Some(0), Some(0), None, Some(1), None].map(|company| company.map(CompanyIx));
    assert_eq!(dataset.people.companies, companies.map(OptionalIx::from));
    assert_eq!(dataset.people.positions.get(3), "line one\nline two");
    assert_eq!(dataset.people.cities.value(2), None);
    assert_eq!(
        dataset.people.connections_counts,
        [Some(500), None, None, None, None].map(OptionalCount::from)
    );
    assert_eq!(dataset.members.user_ids.iter().collect::<Vec<_>>(), ["user_1", "user_2"]);
    assert_eq!(dataset.members.people, [1, 0].map(PersonIx));
    assert_eq!(dataset.members.roles, [Role::Member, Role::Admin]);
    assert_eq!(dataset.members.joined_at[1].to_rfc3339_ms(), "2020-01-02T01:04:05.000Z");
    assert_eq!(dataset.members.synced_at.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    assert_eq!(dataset.person_names.order.len(), 5);
    assert_eq!(dataset.company_names.order.len(), 2);
}

#[test]
fn advocates_stand_by_person_then_member_and_requests_with_the_one_to_show_first() {
    let dataset = small();
    let advocates: Vec<_> =
        dataset.advocates.iter().map(|row| (row.person.0, row.member.0, row.status)).collect();
    let expected = [
        (0, 0, AdvocateStatus::Declined),
        (2, 0, AdvocateStatus::Pending),
        (2, 1, AdvocateStatus::Accepted),
        (3, 0, AdvocateStatus::Accepted),
    ];
    assert_eq!(advocates, expected);
    let requests = &dataset.intro_requests;
    assert_eq!(requests.people, [3, 3, 4, 4, 4].map(PersonIx));
    assert_eq!(requests.requested_by, [0, 1, 1, 1, 0].map(MemberIx));
    let statuses: Vec<&str> = (0..5).map(|row| requests.statuses.get(row)).collect();
    assert_eq!(statuses, ["ACTIVE", "ACTIVE", "DONE", "ACTIVE", "ACTIVE"]);
}

#[test]
fn opportunities_keep_numbers_objects_and_paths_as_they_were_given() {
    let ghosts = small().opportunities;
    assert_eq!(ghosts.ids.iter().collect::<Vec<_>>(), ["ghost_1", "ghost_2"]);
    assert_eq!(ghosts.overall_scores.iter().collect::<Vec<_>>(), ["-0", "1.50"]);
    assert_eq!(ghosts.confidence_levels.iter().collect::<Vec<_>>(), ["5e-1", ""]);
    assert_eq!(ghosts.statuses, [OpportunityStatus::IntroRequested, OpportunityStatus::Visible]);
    assert_eq!(ghosts.icp_evaluations.get(0), r#"{"b":12345678901234567890123,"a":[{}]}"#);
    assert_eq!(ghosts.buying_intents.iter().collect::<Vec<_>>(), ["{}", ""]);
    assert_eq!(ghosts.key_insights.get(0), r#"{"summary":"A & B"}"#);
    assert_eq!(ghosts.path_offsets.0, [0, 2, 2]);
    assert_eq!(ghosts.path_connections, [2, 0].map(PersonIx));
    assert_eq!([0, 1].map(|path| ghosts.path_types.get(path)), ["direct", "second"]);
    assert_eq!(ghosts.path_strengths.iter().collect::<Vec<_>>(), ["80", "1e1"]);
    assert_eq!(ghosts.path_warmness.iter().collect::<Vec<_>>(), ["7.0", ""]);
}

#[test]
fn evidence_stands_by_its_edge_newest_first_and_without_an_edge_it_is_dropped_and_counted() {
    let built = read(&Network::small().ndjson()).unwrap();
    let said = |built: &Built| -> Vec<String> {
        let (people, table) = (&built.dataset.people.ids, &built.dataset.evidence);
        let row = |row: u32| {
            let place = row as usize;
            let id = |person: PersonIx| people.get(person.0).trim_start_matches("person_").to_owned();
            let texts = [table.kinds.get(row), table.sources.get(row), table.notes.get(row)].join("|");
            format!(
                "{} {} {} {texts}",
                id(table.from[place]),
                id(table.to[place]),
                table.at[place].to_rfc3339_ms()
            )
        };
        (0..table.len() as u32).map(row).collect()
    };
    let expected = [
        "bob dee 2024-05-01T00:00:00.000Z invitation||",
        "cy dee 2024-05-02T00:00:00.000Z meeting||",
        "cy dee 2024-05-01T08:00:00.000Z meeting||",
        "cy dee 2024-05-01T08:00:00.000Z meeting|calendar|lunch, \"both\"",
        "cy dee 2024-05-01T08:00:00.000Z message|mail|",
    ];
    assert_eq!((said(&built), built.evidence_dropped), (expected.map(str::to_owned).to_vec(), 1));
    // What only a row had that was dropped is gone: so are its kind and its note.
    let kinds: Vec<&str> = built.dataset.evidence.kinds.values.iter().collect();
    assert_eq!(kinds, ["", "invitation", "meeting", "message"]);
    // A self-edge is none either, and alike rows stay.
    let own = r#"{"from":"person_cy","to":"person_cy","kind":"meeting","at":"2024-05-02T00:00:00Z"}"#;
    let again = r#"{"from":"person_cy","to":"person_dee","kind":"meeting","at":"2024-05-02T00:00:00Z"}"#;
    let network = Network::small().with_row("evidence", own).with_row("evidence", again);
    let built = read(&network.ndjson()).unwrap();
    assert_eq!((said(&built).len(), built.evidence_dropped), (6, 2));
    // The control: with the edge the row stays.
    let edge = r#"{"from":"person_ann","to":"person_eve"}"#;
    let built = read(&Network::small().with_row("connections", edge).ndjson()).unwrap();
    assert_eq!((said(&built).len(), built.evidence_dropped), (6, 0));
}

#[test]
fn aliases_are_kept_as_they_were_sent_and_each_once() {
    let people = small().people;
    let said = |column: &AliasColumn| -> Vec<String> {
        let rows = column.people.iter().zip(column.texts.iter());
        rows.map(|(person, text)| format!("{} {text}", people.ids.get(person.0))).collect()
    };
    assert_eq!(said(&people.aliases.handles), ["person_eve eve, \"2\"", "person_eve eve-old"]);
    assert_eq!(said(&people.aliases.emails), ["person_ann Ann@Home.example", "person_eve eve@old.example"]);
    // The control: one of a person who is not in the tables is refused.
    let stranger =
        Network::small().with_row("person_aliases", r#"{"personId":"person_zoe","email":"z@z.example"}"#);
    assert!(
        read(&stranger.ndjson()).unwrap_err().to_string().contains("person_zoe is not in the table people")
    );
}

#[test]
fn who_had_a_job_that_ended_and_is_not_there_now_is_a_former_employee() {
    let dataset = small();
    let id = |(company, person): &(CompanyIx, PersonIx)| {
        format!("{} {}", dataset.companies.ids.get(company.0), dataset.people.ids.get(person.0))
    };
    let found: Vec<String> = dataset.former.iter().map(id).collect();
    // Dee's job there has an end too, and she works there now; Cy's place on the board is no job.
    assert_eq!(found, ["company_b person_bob"]);
}

#[test]
fn people_who_were_together_get_edges_if_they_are_asked_for_and_no_others() {
    let derived = |network: &Network| {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in network.ndjson() {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let built = read_tables(folder.path(), &Silent, BlockSize::DEFAULT, true).unwrap();
        let is_new = |edge: &String| edge.contains("sharedInstitution");
        let made: Vec<String> = edges(&built.dataset).into_iter().filter(is_new).collect();
        assert_eq!(built.derived, made.len() as u64);
        (made, built.dataset)
    };
    // Cy is known to Ann, Dee is an advocate who accepted; from Cy an edge to Dee is there already, and Bob is a member.
    let (made, dataset) = derived(&Network::small());
    assert_eq!(made, [r#"dee -5-> cy {"sharedInstitution":5}"#]);
    let evidence = &dataset.evidence;
    let row = (0..evidence.len() as u32).find(|row| evidence.kinds.get(*row) == "same_place").unwrap();
    assert_eq!(evidence.notes.get(row), "at Bolt together for 30 months");
    assert_eq!(evidence.at[row as usize].to_rfc3339_ms(), "2018-06-01T00:00:00.000Z");
    assert_eq!(evidence.sources.get(row), "affiliations");
    // The controls: not asked for; a month too few.
    assert!(!edges(&small()).iter().any(|edge| edge.contains("sharedInstitution")));
    let dee =
        r#"{"personId":"person_dee","companyId":"company_b","kind":"job","from":"2017-01","to":"2017-11"}"#;
    let cy = r#"{"personId":"person_cy","companyId":"company_b","kind":"job","from":"2016"}"#;
    let eve = r#"{"personId":"person_eve","institution":"Bolt","kind":"school","from":"2016"}"#;
    assert_eq!(derived(&Network::small().with_table("affiliations", &[dee, cy])).0, [] as [&str; 0]);
    let twelve = dee.replace("-11", "-12");
    assert_eq!(derived(&Network::small().with_table("affiliations", &[&twelve, cy])).0.len(), 1);
    // From Cy there is an edge to Eve already; Cy is an advocate, and so knows of Eve.
    let made = derived(&Network::small().with_table("affiliations", &[cy, eve])).0;
    assert_eq!(made, [r#"eve -7-> cy {"sharedInstitution":7}"#]);
}

#[test]
fn a_domain_is_kept_as_it_was_sent() {
    assert_eq!(small().companies.domains.iter().collect::<Vec<_>>(), ["WWW.Acme.example/", ""]);
}

#[test]
fn an_accepted_advocate_is_known_to_their_member() {
    let built = read(&Network::small().ndjson()).unwrap();
    let expected = [
        r#"ann -70-> cy {"sameCity":5,"pastCompanyName":"B, \"C\"","sharedAccelerator":0.50}"#,
        "bob -0-> ann",
        "bob -?-> dee",
        r#"cy -100-> dee {"sameCity":5}"#,
        "cy -?-> eve",
        r#"eve -?-> dee {"new":1e400}"#,
    ];
    assert_eq!(edges(&built.dataset), expected);
    assert_eq!(built.report, EdgeReport { self_edges: 0, merged: 0, implied: 1 });
}

#[test]
fn parallel_edges_merge_into_the_warmest_and_self_edges_are_dropped() {
    let rows = [
        r#"{"from":"person_cy","to":"person_cy","breakdown":{"dropped":1}}"#,
        r#"{"from":"person_ann","to":"person_eve","breakdown":{"unscored":1}}"#,
        r#"{"from":"person_ann","to":"person_eve","warmness":0}"#,
        r#"{"from":"person_ann","to":"person_eve","warmness":0,"breakdown":{"b":1}}"#,
        r#"{"from":"person_ann","to":"person_eve","warmness":0,"breakdown":{"a":2}}"#,
        r#"{"from":"person_ann","to":"person_eve","warmness":0,"breakdown":{ "a" : 2 }}"#,
        r#"{"from":"person_eve","to":"person_ann","warmness":1}"#,
        r#"{"from":"person_bob","to":"person_dee","breakdown":{}}"#,
        r#"{"from":"person_bob","to":"person_dee","breakdown":null}"#,
    ];
    let built = read(&Network::small().with_table("connections", &rows).ndjson()).unwrap();
    let expected = ["ann -0-> eve {\"a\":2}", "ann -?-> cy", "bob -?-> dee", "eve -1-> ann"];
    assert_eq!(edges(&built.dataset), expected);
    assert_eq!(built.report, EdgeReport { self_edges: 1, merged: 5, implied: 1 });
    assert_eq!(built.dataset.breakdowns.iter().collect::<Vec<_>>(), ["", r#"{"a":2}"#]);
}

#[test]
fn neither_the_order_of_lines_nor_the_format_changes_the_dataset() {
    let rows = [
        r#"{"from":"person_cy","to":"person_eve","warmness":4,"breakdown":{"z":1}}"#,
        r#"{"from":"person_cy","to":"person_eve","warmness":4,"breakdown":{"y":1}}"#,
        r#"{"from":"person_dee","to":"person_dee"}"#,
    ];
    let mut network = rows.iter().fold(Network::small(), |network, row| network.with_row("connections", row));
    let built = read(&network.ndjson()).unwrap();
    for turn in 1..12 {
        for rows in network.tables.values_mut() {
            let by = turn % rows.len();
            rows.rotate_left(by);
            if turn % 3 == 0 {
                rows.reverse();
            }
        }
        assert_eq!(read(&network.ndjson()).unwrap(), built, "turn {turn}");
        assert_eq!(read(&network.csv()).unwrap(), built, "turn {turn} as CSV");
    }
}

#[test]
fn the_order_of_keys_and_their_escapes_change_nothing_but_in_free_form_objects() {
    let row = |row: &str| {
        edges(&read(&Network::small().with_table("connections", &[row]).ndjson()).unwrap().dataset)
    };
    let expected = row(r#"{"from":"person_ann","to":"person_cy","warmness":5,"breakdown":{"a":1,"b":2}}"#);
    let same = r#" { "breakdown" : {"\u0061":1 ,"b":2},"warmness" :5,"t\u006f":"person\u005fcy","from":"person_ann" } "#;
    assert_eq!(row(same), expected);
    let other = r#"{"from":"person_ann","to":"person_cy","warmness":5,"breakdown":{"b":2,"a":1}}"#;
    assert_ne!(row(other), expected);
}

#[test]
fn nothing_is_no_value_however_it_is_written() {
    let bare = r#"{"id":"person_x","name":"X"}"#;
    let null =
        r#"{"id":"person_x","name":"X","linkedinId":null,"currentCompanyId":null,"connectionsCount":null}"#;
    let empty = r#"{"id":"person_x","name":"X","linkedinId":"","email":"","position":"","currentCompanyId":"","city":"","country":""}"#;
    let expected = read(&Network::small().with_row("people", bare).ndjson()).unwrap();
    for row in [bare, null, empty] {
        assert_eq!(read(&Network::small().with_row("people", row).ndjson()).unwrap(), expected, "{row}");
        assert_eq!(read(&Network::small().with_row("people", row).csv()).unwrap(), expected, "{row}");
    }
    let ghost = |rest: &str| {
        let row = format!(
            r#"{{"id":"ghost_x","prospectId":"person_eve","overallScore":1,"status":"saved","discoveredAt":"2020-01-01T00:00:00Z","discoveredBy":"user_1"{rest}}}"#
        );
        let network = Network::small().with_row("ghost_opportunities", &row);
        (read(&network.ndjson()).unwrap(), read(&network.csv()).unwrap())
    };
    let without = ghost("");
    assert_eq!(without.0, without.1);
    for rest in [
        r#","paths":null"#,
        r#","paths":[]"#,
        r#","priority":"","confidenceLevel":null,"searchSource":null,"icpEvaluation":null"#,
        r#","paths":[ ]"#,
    ] {
        assert_eq!(ghost(rest), without, "{rest}");
    }
}

#[test]
fn a_member_may_be_the_advocate_of_another_member() {
    let row = r#"{"personId":"person_bob","userId":"user_2","status":"accepted"}"#;
    let built = read(&Network::small().with_row("advocates", row).ndjson()).unwrap();
    assert_eq!(built.report.implied, 2);
    assert!(edges(&built.dataset).contains(&"ann -?-> bob".to_owned()));
}

#[test]
fn ids_may_be_as_long_as_their_bound() {
    let person =
        |bytes: usize| format!("person_{}", "é".repeat((bytes - 7) / 2) + &"x".repeat((bytes - 7) % 2));
    for (bytes, accepted) in [(200, true), (201, false)] {
        let row = format!(r#"{{"id":"{}","name":"X"}}"#, person(bytes));
        assert_eq!(person(bytes).len(), bytes);
        assert_eq!(read(&Network::small().with_row("people", &row).ndjson()).is_ok(), accepted, "{bytes}");
    }
}

#[test]
fn unknown_fields_are_reported_once_for_each_table_and_name() {
    let network = |network: Network| {
        network
            .with_row("people", r#"{"id":"person_x","name":"X","zeta":1,"Name":"Y"}"#)
            .with_row("people", r#"{"id":"person_y","name":"Y","zeta":{"a":"b"},"alpha":null}"#)
            .with_row("connections", r#"{"from":"person_ann","to":"person_x","zeta":[1]}"#)
            .with_row(
                "ghost_opportunities",
                r#"{"id":"ghost_x","prospectId":"person_eve","overallScore":1,"status":"saved","discoveredAt":"2020-01-01T00:00:00Z","discoveredBy":"user_1","paths":[{"connectionId":"person_cy","connectionType":"d","strengthScore":1,"note":1}],"zeta":1,"note":1}"#,
            )
    };
    let said = |built: Built| {
        let said =
            |UnknownField { table, field, .. }| format!("{} {field}", table.split('.').next().unwrap_or(""));
        built.warnings.into_iter().map(said).collect::<Vec<_>>()
    };
    let mut network = network(Network::small());
    network.organization = r#"{"id":"org_a","name":"A","motto":"m"}"#.to_owned();
    let expected = [
        "organization motto",
        "people Name",
        "people alpha",
        "people zeta",
        "connections zeta",
        "ghost_opportunities note",
        "ghost_opportunities paths.note",
        "ghost_opportunities zeta",
    ];
    let built = read(&network.ndjson()).unwrap();
    assert_eq!(built.warnings[0].table, "organization.json");
    assert_eq!(built.warnings[1].table, "people.ndjson");
    assert_eq!(said(built), expected);
    assert_eq!(said(read(&network.csv()).unwrap()), expected);
}

#[test]
fn a_byte_order_mark_inside_a_csv_table_is_part_of_its_cell() {
    let text = "name,id\nA,person_a\n\u{feff}B,person_b\n";
    let files: Vec<File> = vec![
        ("organization.json".to_owned(), br#"{"id":"org_a","name":"A"}"#.to_vec()),
        ("people.csv".to_owned(), text.into()),
        ("members.csv".to_owned(), Vec::new()),
    ];
    for block_bytes in [3, 10, 20, 1 << 20] {
        let built = crate::source::network::read_in_blocks(&files, block_bytes).unwrap();
        assert_eq!(built.dataset.people.names.get(1), "\u{feff}B", "{block_bytes}");
    }
}
