//! No answer is longer than 16 MiB: tables whose values all have the maximum length give shorter answers, and a
//! snapshot built from longer values gives an answer with an error.
//!
//! Promise: No answer is longer than 16 MiB: tables at their bounds make none, and of a snapshot with longer values the
//!   answer says so.
//! Control: texts that are as long without their escapes are refused; a tenth of the page is a tenth of too much.
//! Also in: `src/answers/api/json.rs`.
//!
//! Promise: A batch whose answer would be longer than 16 MiB says so, and what to ask for.
//! Control: ten of its targets at a time are answered.
#![allow(clippy::print_stdout, reason = "the longest answer of each endpoint is printed")]

use std::fmt::Write as _;
use std::fs;

use kith::limits::{ID_BYTES_MAX, Limits, PAGE_LIMIT_MAX};
use kith_server::limits::ANSWER_BYTES_MAX;
use kith_server::live::network::LiveNetwork;
use kith_server::model::column::TextColumn;
use kith_server::model::dataset::Dataset;
use kith_server::snapshot::read::decode;
use kith_tables::limits::{BREAKDOWN_BYTES_MAX, TABLE_OBJECT_BYTES_MAX, TABLE_TEXT_BYTES_MAX};
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use kith_tables::source::error::SourceError;
use serde_json::json;

use crate::support::encoding::encoded;
use crate::support::{Answer, Credentials, Served};

const ORGANIZATION: &str = "org_full";
/// More than a page of people to find.
const TARGETS: usize = PAGE_LIMIT_MAX as usize + 2;
const CONNECTORS: usize = 8;
const MEMBERS: usize = 40;

/// An id of `kind` as long as one may be.
fn id(kind: &str, number: usize) -> String {
    format!("{:x<width$}", format!("{kind}_{number:03}"), width = ID_BYTES_MAX)
}

/// A text with `start` that JSON writes in as many bytes as one may have; most of them are in escapes.
fn text(start: &str) -> String {
    let room = TABLE_TEXT_BYTES_MAX - start.len() - 1;
    format!("{start} {}{}", "\u{1}".repeat(room / 6), "x".repeat(room % 6))
}

/// The breakdown of as many factors as there may be: each is a sentence of its own.
fn breakdown() -> String {
    let names = (b'a'..=b'z').flat_map(|one| (b'a'..=b'z').map(move |other| [one as char, other as char]));
    let mut factors = String::from("{");
    for [one, other] in names.take((BREAKDOWN_BYTES_MAX - 1) / 7) {
        write!(factors, "\"{one}{other}\":1,").unwrap();
    }
    factors.pop();
    factors + "}"
}

fn object() -> String {
    format!("{{\"a\":\"{}\"}}", "x".repeat(TABLE_OBJECT_BYTES_MAX - 8))
}

fn number() -> String {
    format!("0.{}", "1".repeat(TABLE_TEXT_BYTES_MAX - 2))
}

fn person(kind: &str, number: usize, with: impl Fn(&str) -> String) -> String {
    json!({
        "id": id("person", number), "name": with(&format!("{kind} {number:03}")), "linkedinId": with(&format!("h{number:03}")),
        "position": with("p"), "currentCompanyId": id("company", 0), "city": with("c"), "country": with("l"),
    })
    .to_string()
}

/// Every value that JSON does not keep as it is comes from `with`, which is given how a text begins.
fn tables(with: impl Fn(&str) -> String) -> Vec<(&'static str, String)> {
    let members = TARGETS..TARGETS + MEMBERS;
    let connectors = members.end..members.end + CONNECTORS;
    let advocate = connectors.end;
    let kinds = [
        ("target", 0..TARGETS),
        ("member", members.clone()),
        ("bridge", connectors.clone()),
        ("advocate", advocate..advocate + 1),
    ];
    let people = kinds.into_iter().flat_map(|(kind, range)| range.map(move |number| (kind, number)));
    let people: Vec<String> = people.map(|(kind, number)| person(kind, number, &with)).collect();
    let company = |number: usize| {
        json!({
            "id": id("company", number), "name": with(&format!("company {number:03}")), "companyId": with(&format!("k{number:03}")),
            "industry": with("i"), "headquartersLocation": with("h"), "logoUrl": with("u"),
        })
        .to_string()
    };
    let user = |number: usize| id("user", number);
    let time = "2026-01-01T00:00:00Z";
    let of_members: Vec<String> = members
        .clone()
        .map(|number| {
            json!({"userId": user(number), "personId": id("person", number), "role": "member", "joinedAt": time}).to_string()
        })
        .collect();
    let breakdown = breakdown();
    let edge = |from: usize, to: usize| {
        format!(
            r#"{{"from":"{}","to":"{}","warmness":50,"breakdown":{breakdown}}}"#,
            id("person", from),
            id("person", to)
        )
    };
    let mut edges: Vec<String> = Vec::new();
    for target in 0..TARGETS {
        edges.extend(members.clone().chain(connectors.clone()).map(|from| edge(from, target)));
    }
    for connector in connectors {
        edges.extend([members.start, advocate].map(|from| edge(from, connector)));
    }
    edges.push(edge(members.start + 1, advocate));
    let helps =
        json!({"personId": id("person", advocate), "userId": user(members.start + 1), "status": "accepted"});
    let (object, number) = (object(), number());
    let ghosts: Vec<String> = (0..TARGETS)
        .map(|row| {
            let texts = json!({
                "id": id("ghost", row), "prospectId": id("person", row), "priority": with("p"), "status": "intro_requested",
                "discoveredAt": time, "searchSource": with("s"), "discoveredBy": user(members.start),
            });
            let path = format!(
                r#"{{"connectionId":"{}","connectionType":{},"strengthScore":{number},"userToHomieWarmness":{number}}}"#,
                id("person", advocate), json!(with("t")),
            );
            let texts = texts.to_string();
            format!(
                r#"{},"overallScore":{number},"confidenceLevel":{number},"icpEvaluation":{object},"buyingIntent":{object},"keyInsights":{object},"paths":[{path}]}}"#,
                &texts[..texts.len() - 1],
            )
        })
        .collect();
    let companies: Vec<String> = (0..TARGETS).map(company).collect();
    let lines = |rows: Vec<String>| rows.into_iter().map(|row| row + "\n").collect::<String>();
    vec![
        ("organization.json", json!({"id": ORGANIZATION, "name": with("o")}).to_string()),
        ("people.ndjson", lines(people)),
        ("companies.ndjson", lines(companies)),
        ("members.ndjson", lines(of_members)),
        ("advocates.ndjson", format!("{helps}\n")),
        ("connections.ndjson", lines(edges)),
        ("intro_requests.ndjson", String::new()),
        ("ghost_opportunities.ndjson", lines(ghosts)),
    ]
}

fn read(tables: &[(&'static str, String)]) -> Result<Dataset, SourceError> {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in tables {
        fs::write(folder.path().join(file), text).unwrap();
    }
    read_folder(folder.path(), &Silent).map(|built| built.dataset)
}

fn serve(dataset: &Dataset, credentials: &Credentials) -> Served {
    let bytes = kith_server::snapshot::encode::encode(dataset).unwrap();
    Served::networks([LiveNetwork::new(decode(&bytes).unwrap(), "full.kith")], credentials, Limits::DEFAULT)
}

/// The longest answers of each endpoint, by a caller who may ask all of them.
async fn answers(served: &Served, credentials: &Credentials) -> Vec<(String, Answer)> {
    let token = credentials.token(ORGANIZATION, &id("user", TARGETS));
    let target = id("person", 0);
    let paths = [
        "/api/v1/ghost/opportunities?limit=50".to_owned(),
        format!("/api/v1/search/warm-paths?limit=50&prospectCompany={}", encoded("company 000")),
        "/api/v1/search/warm-paths?limit=50&prospectName=target%20000".to_owned(),
        "/api/v1/search/people?limit=50&q=target".to_owned(),
        "/api/v1/search/companies?limit=50&q=company".to_owned(),
        format!("/api/v1/people/{target}"),
        format!("/api/v1/people/network?limit=50&personId={}", id("person", TARGETS)),
        "/api/v1/connections?limit=50".to_owned(),
        "/api/v1/connections/second-degree?limit=50".to_owned(),
    ];
    let mut all = Vec::new();
    for path in paths {
        // Of opportunities at their own company members see none.
        let is_ghosts = path.contains("/ghost/");
        let key = credentials.key(ORGANIZATION);
        let answer = served.get(&path, if is_ghosts { &key } else { &token }).await;
        all.push((path, answer));
    }
    let search =
        served.post("/api/v1/search/network", &token, &json!({"query": "target", "strictness": 3})).await;
    all.push(("/api/v1/search/network".to_owned(), search));
    all
}

#[tokio::test]
async fn no_answer_of_tables_within_their_bounds_is_too_long() {
    let credentials = Credentials::new();
    let served = serve(&read(&tables(text)).unwrap(), &credentials);
    let mut longest = 0;
    for (path, answer) in answers(&served, &credentials).await {
        println!("{:>10} bytes, {}: {}", answer.bytes.len(), answer.status, &path[..path.len().min(60)]);
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.bytes));
        assert!(answer.bytes.len() <= ANSWER_BYTES_MAX, "{path}");
        let is_page = path.contains("limit=50") && !path.contains("second-degree");
        assert!(!is_page || answer.bytes.len() > 50 * 2 * TABLE_TEXT_BYTES_MAX, "{path} is a whole page");
        longest = longest.max(answer.bytes.len());
    }
    assert!(longest > 12 << 20, "a page of opportunities is nearly as long as an answer may be: {longest}");

    // The control: texts as long, not counting escapes, are refused where they stand.
    let refused =
        read(&tables(|start| format!("{start}{}", "\u{1}".repeat(TABLE_TEXT_BYTES_MAX - start.len()))));
    let said = refused.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(said.contains("bytes, and a value here has at most 4096"), "{said}");
}

#[tokio::test]
async fn a_batch_whose_answer_would_be_too_long_names_what_makes_it_shorter() {
    let credentials = Credentials::new();
    let served = serve(&read(&tables(text)).unwrap(), &credentials);
    let key = credentials.key(ORGANIZATION);
    let targets: Vec<_> =
        (0..TARGETS).cycle().take(500).map(|row| json!({"id": id("person", row)})).collect();
    let ask = async |count: usize, per_target: usize| {
        let body = json!({"targets": targets[..count], "perTarget": per_target});
        served.post("/api/v1/search/warm-paths/batch", &key, &body).await
    };
    let sentence =
        "The answer would have more than 16 MiB; ask for fewer paths with perTarget, or for fewer targets.";
    let refused = ask(500, 10).await;
    assert_eq!(
        (refused.status.as_u16(), refused.json()),
        (400, json!({"error": sentence, "code": "validation_error"}))
    );
    // The control: the same targets, fewer at a time, are answered, each with as much as in the whole.
    let few = ask(10, 10).await;
    assert_eq!((few.status.as_u16(), few.json()["data"]["results"].as_array().unwrap().len()), (200, 10));
    assert!(50 * few.bytes.len() > ANSWER_BYTES_MAX, "{}", few.bytes.len());
}

#[tokio::test]
async fn the_answer_of_an_older_snapshot_with_longer_values_says_that_it_is_too_long() {
    let credentials = Credentials::new();
    let mut dataset = read(&tables(str::to_owned)).unwrap();
    let longer = format!("{{\"a\":\"{}\"}}", "x".repeat(512 << 10));
    dataset.opportunities.key_insights =
        TextColumn::from_texts(std::iter::repeat_n(&*longer, dataset.opportunities.ids.len())).unwrap();
    let served = serve(&dataset, &credentials);
    let token = credentials.key(ORGANIZATION);
    let of =
        async |limit: usize| served.get(&format!("/api/v1/ghost/opportunities?limit={limit}"), &token).await;
    let (few, whole) = (of(5).await, of(50).await);
    assert_eq!(few.status, 200);
    // The control: ten times as much would be more than an answer may have.
    assert!(10 * few.bytes.len() > ANSWER_BYTES_MAX, "{}", few.bytes.len());
    let sentence = "The answer would have more than 16 MiB; ask for fewer entries with limit.";
    assert_eq!(
        (whole.status.as_u16(), whole.json()),
        (400, json!({"error": sentence, "code": "validation_error"}))
    );
}
