//! Web pages of other origins: which ones may read answers, and the answer to a browser's preflight request.
//!
//! Promise: Pages of listed origins may read every answer, and no other page any.
//! Control: the same service without a listed origin.
//! Also in: `src/callers/auth/web_origin.rs`.

use std::collections::BTreeSet;

use axum::http::Method;
use kith_server::limits::PREFLIGHT_SECONDS;
use kith_server::rates::{RateSettings, Rates};

use crate::openapi::document::tiny;
use crate::support::{Answer, Credentials, Served};

const APP: &str = "https://app.example";
const DEV: &str = "http://localhost:3000";
const ORIGINS: &[&str] = &[APP, DEV];
const PATH: &str = "/api/v1/people/person_pia";

/// The headers of an answer that browsers act on.
fn said(answer: &Answer) -> BTreeSet<String> {
    let names = answer.headers.keys().map(|name| name.as_str());
    names.filter(|name| name.starts_with("access-control-")).map(str::to_owned).collect()
}

fn varies_by_origin(answer: &Answer) -> bool {
    let vary = answer.headers.get_all("vary").iter().flat_map(|value| value.to_str().unwrap().split(','));
    vary.filter(|name| name.trim().eq_ignore_ascii_case("origin")).count() == 1
}

/// The faults of the answer to a page of `origin`; empty if the page may read all of it.
fn faults(answer: &Answer, origin: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if answer.header("access-control-allow-origin") != Some(origin) {
        faults.push(format!("allowed: {:?}", answer.header("access-control-allow-origin")));
    }
    let exposed = answer.header("access-control-expose-headers").unwrap_or("");
    let exposed: BTreeSet<String> = exposed.split(", ").map(str::to_lowercase).collect();
    for name in answer.headers.keys().map(|name| name.as_str()) {
        let is_ours = name.starts_with("service-") || name.starts_with("ratelimit");
        if (is_ours || name == "retry-after" || name == "preference-applied") && !exposed.contains(name) {
            faults.push(format!("{name} is not exposed"));
        }
    }
    if !varies_by_origin(answer) {
        faults.push("it does not vary by origin".to_owned());
    }
    if answer.headers.contains_key("access-control-allow-credentials") {
        faults.push("cookies are allowed".to_owned());
    }
    if answer.headers.get_all("service-request-id").iter().count() != 1 {
        faults.push("no request id".to_owned());
    }
    faults
}

fn shared(credentials: &Credentials) -> Served {
    tiny(credentials).sharing_with(ORIGINS)
}

const ASKS: (&str, &str) = ("access-control-request-method", "GET");

#[tokio::test]
async fn a_page_of_a_listed_origin_may_ask_without_a_credential_and_read_every_answer() {
    let credentials = Credentials::new();
    let settings = RateSettings::new(Some(0.001), Some(1.0)).unwrap().unwrap();
    let (served, limited) = (shared(&credentials), shared(&credentials).at_rates(Rates::new(settings)));
    let key = format!("Bearer {}", credentials.key("org_tiny"));
    let elsewhere = format!("Bearer {}", credentials.key("org_elsewhere"));
    for (origin, path) in [
        (APP, PATH),
        (DEV, "/api/v1/search/network"),
        (DEV, "/api/v1/search/warm-paths?limit=x"),
        (APP, "/api/v1/openapi.json"),
    ] {
        let asks = [
            ("origin", origin),
            ASKS,
            ("access-control-request-headers", "authorization,content-type,prefer"),
        ];
        let answer = served.ask(Method::OPTIONS, path, &asks).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (204, 0), "{path}");
        assert_eq!(faults(&answer, origin), [""; 0], "{path}");
        for (name, value) in [
            ("methods", "GET, HEAD, POST"),
            ("headers", "Authorization, Content-Type, Prefer, Traceparent, Tracestate"),
        ] {
            assert_eq!(answer.header(&format!("access-control-allow-{name}")), Some(value), "{path}");
        }
        assert_eq!(answer.header("access-control-max-age"), Some(&*PREFLIGHT_SECONDS.to_string()), "{path}");
    }
    for (method, path, credential, status) in [
        (Method::GET, PATH, &*key, 200),
        (Method::HEAD, PATH, &key, 200),
        (Method::GET, PATH, "Bearer nonsense", 401),
        (Method::GET, PATH, &elsewhere, 503),
        (Method::GET, "/api/v1/connections", &key, 403),
        (Method::GET, "/api/v1/people/person_nobody", &key, 404),
        (Method::GET, "/api/v1/nowhere", &key, 404),
        (Method::POST, PATH, &key, 405),
        (Method::POST, "/api/v1/search/network", &key, 415),
        (Method::GET, "/api/v1/search/people", &key, 400),
        (Method::GET, "/api/v1/openapi.json", "", 200),
    ] {
        let headers = [("origin", APP), ("authorization", credential), ("prefer", "handling=strict")];
        let answer = served.ask(method.clone(), path, &headers).await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert_eq!(faults(&answer, APP), [""; 0], "{method} {path}");
        // Everybody gets the same body.
        let alone = served.ask(method, path, &headers[1..]).await;
        assert_eq!((alone.status, &alone.bytes), (answer.status, &answer.bytes), "{path}");
    }
    for status in [200, 429] {
        let answer = limited.ask(Method::GET, PATH, &[("origin", APP), ("authorization", &key)]).await;
        assert_eq!((answer.status.as_u16(), faults(&answer, APP)), (status, vec![]));
        assert!(answer.headers.contains_key("ratelimit"));
    }
    // A preflight takes nothing from the bucket.
    assert_eq!(limited.ask(Method::OPTIONS, PATH, &[("origin", APP), ASKS]).await.status, 204);
}

#[tokio::test]
async fn no_other_page_may_read_anything() {
    let credentials = Credentials::new();
    let served = shared(&credentials);
    let key = format!("Bearer {}", credentials.key("org_tiny"));
    for origins in [
        &[][..],
        &["https://app.example.evil"],
        &["https://evil.app.example"],
        &["https://evilapp.example"],
        &["http://app.example"],
        &["https://app.example:8443"],
        &["https://app.example:443"],
        &["https://app.example/"],
        &["https://APP.example"],
        &["https://app.exampl"],
        &["http://localhost"],
        &["null"],
        &["*"],
        &[""],
        &[APP, APP],
        &[APP, "https://evil.example"],
        &["https://app.example, https://evil.example"],
    ] {
        let sent: Vec<(&str, &str)> = origins.iter().map(|origin| ("origin", *origin)).collect();
        let answer = served.ask(Method::GET, PATH, &[&sent[..], &[("authorization", &key)]].concat()).await;
        assert_eq!((answer.status.as_u16(), said(&answer)), (200, BTreeSet::new()), "{origins:?}");
        assert!(varies_by_origin(&answer), "{origins:?}");
        let asked = served.ask(Method::OPTIONS, PATH, &[&sent[..], &[ASKS]].concat()).await;
        assert_eq!((asked.status.as_u16(), said(&asked)), (405, BTreeSet::new()), "{origins:?}");
        assert_eq!(asked.header("allow"), Some("GET,HEAD"), "{origins:?}");
    }
    // Requests that are not preflights, or not to a path of the API, are answered as usual.
    for (path, headers, status) in [
        (PATH, &[("origin", APP)][..], 405),
        (PATH, &[("origin", APP), ("access-control-request-headers", "x")], 405),
        ("/api/v1/nowhere", &[("origin", APP), ASKS], 404),
        ("/api/v1/people/person_pia/", &[("origin", APP), ASKS], 404),
        ("/healthz", &[("origin", APP), ASKS], 405),
        ("/docs", &[("origin", APP), ASKS], 405),
    ] {
        assert_eq!(served.ask(Method::OPTIONS, path, headers).await.status, status, "{path}");
    }
    for path in ["/healthz", "/readyz", "/docs", "/"] {
        let answer = served.ask(Method::GET, path, &[("origin", APP)]).await;
        assert_eq!((said(&answer), varies_by_origin(&answer)), (BTreeSet::new(), false), "{path}");
    }
}

/// The control of both: no origin is listed.
#[tokio::test]
async fn without_a_listed_origin_nothing_is_said_to_browsers() {
    let credentials = Credentials::new();
    let key = &*format!("Bearer {}", credentials.key("org_tiny"));
    for served in [tiny(&credentials), tiny(&credentials).sharing_with(&[])] {
        for origin in ORIGINS.iter().copied() {
            let answer = served.ask(Method::GET, PATH, &[("origin", origin), ("authorization", key)]).await;
            assert_eq!((answer.status.as_u16(), said(&answer)), (200, BTreeSet::new()));
            assert!(!varies_by_origin(&answer));
            assert_ne!(faults(&answer, origin), [""; 0]);
            let asked = served.ask(Method::OPTIONS, PATH, &[("origin", origin), ASKS]).await;
            assert_eq!((asked.status.as_u16(), said(&asked)), (405, BTreeSet::new()));
        }
    }
}
