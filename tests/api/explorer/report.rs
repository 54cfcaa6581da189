//! The report of an import is only for the page of its organization, and is not part of the API.
//!
//! Promise: The report of an import is for the page of its organization alone, and no part of the API.
//! Control: the page's own request; a server with the report of another organization.

use std::sync::Arc;

use axum::http::Method;
use kith_server::api::state::{PageImport, PageReport};
use serde_json::Value;

use crate::explorer::{OWN, send, session_of, tiny};
use crate::support::Served;

const PATH: &str = "/explore/report";
const REPORT: &str = "{\"totals\":{\"read\":3},\"canary\":true}";

/// Serves the same with a report of an import for `organization`.
fn with_report(served: Served, organization: &str) -> Served {
    let shown = PageReport { report: REPORT.into(), doubles: "{}".into() };
    let import = PageImport::new(organization.to_owned(), shown, "".into(), "".into());
    served.changed(|state| state.import = Some(Arc::new(import)))
}

#[tokio::test]
async fn the_report_is_there_for_the_page_of_its_organization_and_for_nobody_else() {
    let (credentials, served) = tiny();
    let served = with_report(served, "org_tiny");
    let session = session_of(&served, &credentials.token("org_tiny", "user_ana")).await;
    let own = session.own();
    let answer = send(&served, Method::GET, PATH, &own, "").await;
    assert_eq!((answer.status.as_u16(), answer.bytes.as_slice()), (200, REPORT.as_bytes()));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let who = send(&served, Method::GET, "/explore/login", &own, "").await;
    assert_eq!(who.json()["data"]["report"], true);
    for headers in [
        &[][..],
        &[OWN],
        &[own[0], own[1]],
        &[own[1], own[2]],
        &[own[1], own[2], ("sec-fetch-site", "same-site")],
        &[own[1], own[2], ("sec-fetch-site", "none")],
        &[("authorization", "Bearer x")],
    ] {
        let refused = send(&served, Method::GET, PATH, headers, "").await;
        assert_eq!(refused.status, 401, "{headers:?}");
        assert!(!String::from_utf8_lossy(&refused.bytes).contains("canary"));
    }
    assert_eq!(send(&served, Method::POST, PATH, &own, "{}").await.status, 405);
}

#[tokio::test]
async fn a_server_without_a_report_or_with_one_of_another_organization_has_none() {
    let (credentials, without) = tiny();
    let (others_credentials, others) = tiny();
    let others = with_report(others, "org_elsewhere");
    for (served, credentials) in [(&without, &credentials), (&others, &others_credentials)] {
        let session = session_of(served, &credentials.key("org_tiny")).await;
        let own = session.own();
        let answer = send(served, Method::GET, PATH, &own, "").await;
        assert_eq!(answer.status, 404);
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("canary"));
        assert_eq!(
            send(served, Method::GET, "/explore/login", &own, "").await.json()["data"]["report"],
            Value::Null
        );
    }
    let (_, page) = tiny();
    let page = with_report(page, "org_tiny").without_page();
    assert_eq!(send(&page, Method::GET, PATH, &[OWN], "").await.status, 404);
}

#[tokio::test]
async fn the_api_says_nothing_of_it() {
    let (credentials, served) = tiny();
    let served = with_report(served, "org_tiny");
    for path in ["/api/v1/openapi.json", "/docs"] {
        let key = credentials.key("org_tiny");
        let bytes = served.get(path, &key).await.bytes;
        assert!(!bytes.is_empty());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("explore/report") && !text.contains("explore/login"), "{path}");
    }
}
