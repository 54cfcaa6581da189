//! The caller's identity, and further pages.

use std::fs;

use serde_json::json;

use super::{Corpus, SEARCH};
use crate::openapi::document::Document;
use crate::support::{Credentials, Served, network_of};
use kith::limits::Limits;

/// Asks a network of one person without any time who asks.
pub(super) async fn ask_the_least(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    let folder = tempfile::tempdir().unwrap();
    for (table, text) in [
        ("organization.json", r#"{"id":"org_least","name":"Least"}"#),
        ("people.ndjson", r#"{"id":"person_ana","name":"Ana"}"#),
        (
            "members.ndjson",
            r#"{"userId":"user_ana","personId":"person_ana","role":"admin","joinedAt":"2024-01-10T09:00:00Z"}"#,
        ),
        ("companies.ndjson", ""),
        ("connections.ndjson", ""),
        ("advocates.ndjson", ""),
        ("intro_requests.ndjson", ""),
        ("ghost_opportunities.ndjson", ""),
    ] {
        fs::write(folder.path().join(table), text).unwrap();
    }
    let served = Served::networks([network_of(folder.path())], credentials, Limits::DEFAULT);
    corpus.take(document, "/api/v1/me", served.get("/api/v1/me", &credentials.key("org_least")).await);
}

/// Asks all that concerns it, of the organization of `key` and of the member of `token`.
pub(super) async fn ask(
    document: &Document,
    served: &Served,
    (key, token): (&str, &str),
    corpus: &mut Corpus,
) {
    const PEOPLE: &str = "/api/v1/search/people";
    for (path, query) in [
        ("/api/v1/me", ""),
        ("/api/v1/members", "?limit=1"),
        ("/api/v1/members", ""),
        (PEOPLE, "?q=a&limit=1&include=ties,page"),
        (PEOPLE, "?q=a&offset=1&include=ties"),
    ] {
        for credential in [key, token] {
            corpus.take(document, path, served.get(&format!("{path}{query}"), credential).await);
        }
    }
    const CONTACTS: &str = "/api/v1/connections";
    corpus.take(document, CONTACTS, served.get(&format!("{CONTACTS}?include=ties"), token).await);
    let found = served.get(&format!("{PEOPLE}?q=a"), key).await.json();
    for person in found["data"].as_array().unwrap() {
        let path = format!("/api/v1/people/{}", person["id"].as_str().unwrap());
        corpus.take(document, &path, served.get(&format!("{path}?include=ties"), key).await);
    }
    for offset in [0, 1] {
        let body = json!({ "query": "people", "limit": 1, "offset": offset, "include": ["ties"] });
        corpus.take(document, SEARCH, served.post(SEARCH, key, &body).await);
    }
}
