//! Network search for people without recent contact and for people whom others know; and the language of a query.
//!
//! Promise: A span without contact is a condition of its own, measured in the evidence to its newest day; whom the
//!   query says knows them is a term; the language of the query is said, and one that is not read is searched by its
//!   words alone.
//! Control: a contact of one day later; the same query without `understood`; a query of names alone has no language.

use std::fs;
use std::path::Path;

use kith_server::limits::Limits;
use serde_json::{Value, json};

use crate::rest_of_a_list::with_evidence;
use crate::support::{Credentials, Served};

const SEARCH: &str = "/api/v1/search/network";

struct Asked {
    served: Served,
    token: String,
    _kept: (tempfile::TempDir, Credentials),
}

/// The tiny network: the newest contact is of 1 February 2026, that with fay of a year before and that with rui a day later.
pub(crate) fn with_silence(folder: &Path) {
    let row = |from: &str, to: &str, at: &str| {
        json!({ "from": from, "to": to, "kind": "meeting", "at": at }).to_string()
    };
    with_evidence(folder);
    let file = folder.join("evidence.ndjson");
    let more = [
        row("person_ana", "person_fay", "2025-02-01T01:30:00Z"),
        row("person_cai", "person_rui", "2025-02-02T01:30:00Z"),
    ];
    let text = format!("{}\n{}\n", fs::read_to_string(&file).unwrap(), more.join("\n"));
    fs::write(file, text).unwrap();
}

/// That network, asked by Ana.
fn asked() -> Asked {
    let folder = tempfile::tempdir().unwrap();
    with_silence(folder.path());
    let credentials = Credentials::new();
    let token = credentials.token("org_tiny", "user_ana");
    let served = Served::folders(&[folder.path()], &credentials, Limits::DEFAULT);
    Asked { served, token, _kept: (folder, credentials) }
}

impl Asked {
    async fn search(&self, body: &Value) -> Value {
        self.served.post(SEARCH, &self.token, body).await.json()
    }

    /// The people found if every condition must hold, and the understood terms.
    async fn found(&self, query: &str) -> (Vec<String>, Value) {
        let body = json!({ "query": query, "strictness": 3, "limit": 50, "include": ["understood"] });
        let answer = self.search(&body).await;
        let hits = answer["data"].as_array().unwrap_or_else(|| panic!("{query}: {answer}")).iter();
        let id = |hit: &Value| hit["person"]["id"].as_str().unwrap().to_owned();
        let mut people: Vec<String> = hits.map(id).collect();
        people.sort_unstable();
        (people, answer)
    }
}

#[tokio::test]
async fn who_was_silent_is_found_by_the_days_of_the_evidence() {
    let asked = asked();
    for (query, expected) in [
        // To the day a year; rui was met a day later.
        ("people we have not spoken to for a year", &["person_fay"][..]),
        ("people we have not spoken to for 364 days", &["person_fay", "person_rui"]),
        ("people we have not spoken to for 366 days", &[]),
        ("people not seen since 2024", &[]),
        ("people not seen since 2025", &["person_fay", "person_rui"]),
        ("my contacts I have not spoken to for 364 days", &["person_fay"]),
        ("Leute, mit denen wir seit einem Jahr nicht gesprochen haben", &["person_fay"]),
        ("designers gone quiet", &["person_fay"]),
        ("partners gone quiet", &[]),
    ] {
        let (people, answer) = asked.found(query).await;
        assert_eq!(people, expected, "{query}: {}", answer["meta"]);
        let terms = answer["meta"]["understood"].as_array().unwrap();
        let silence = terms.iter().position(|term| term["kind"] == "silence");
        let silence = silence.unwrap_or_else(|| panic!("{query}: {terms:?}"));
        for hit in answer["data"].as_array().unwrap() {
            let matched = hit["matched"].as_array().unwrap();
            let by = matched.iter().find(|it| it["term"] == silence).unwrap();
            assert_eq!((&by["field"], &by["how"]), (&json!("lastContact"), &json!("number")), "{query}");
            assert!(["2025-02-01", "2025-02-02"].contains(&by["text"].as_str().unwrap()), "{query}: {by}");
        }
    }
}

#[tokio::test]
async fn who_is_said_to_know_them_is_a_term() {
    let asked = asked();
    for (query, name, kind) in [
        ("partners that Cai knows", "cai", "relation"),
        ("friends of Hal Itō", "hal ito", "relation"),
        ("who have we already asked for an intro", "already asked for an intro", "connections"),
    ] {
        let (_, answer) = asked.found(query).await;
        let terms = answer["meta"]["understood"].as_array().unwrap();
        let term = terms.iter().find(|term| term["kind"] == kind);
        let term = term.unwrap_or_else(|| panic!("{query}: {terms:?}"));
        if kind == "relation" {
            assert_eq!(term["term"], name, "{query}");
            assert!(term["people"].as_u64().unwrap() > 0, "{query}: {term}");
        }
    }
}

#[tokio::test]
async fn the_language_of_a_query_is_said_if_it_is_recognized() {
    let asked = asked();
    for (query, language) in [
        ("heads of finance in Porto", Some("en")),
        ("Finanzchefs in Porto", Some("de")),
        ("directeurs financiers à Porto", Some("fr")),
        ("directores financieros en Porto", Some("es")),
        ("financieel directeuren in Porto", Some("nl")),
        ("pessoas que trabalham em bancos em Porto", Some("pt")),
        ("Pia Weiß", None),
    ] {
        let (_, answer) = asked.found(query).await;
        assert_eq!(answer["meta"].get("language").and_then(Value::as_str), language, "{query}");
    }
    // By its words alone: those that the network has are searched for, and the others said.
    let (people, answer) = asked.found("pessoas que trabalham em bancos em Porto").await;
    assert_eq!(answer["meta"]["searchTerms"], json!(["porto"]), "{}", answer["meta"]);
    assert!(answer["meta"]["ignored"].as_array().unwrap().contains(&json!("bancos")), "{}", answer["meta"]);
    assert!(!people.is_empty());
    // The control: unasked it is not said.
    let plain = asked.search(&json!({ "query": "heads of finance in Porto" })).await;
    assert_eq!(plain["meta"].get("language"), None);
}
