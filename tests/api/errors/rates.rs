//! Rates: the answers that report them, what comes before a 429 and what after it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request};
use kith::limits::Limits;
use kith_server::rates::{RateSettings, Rates};

use super::{Credentials, Kind, Served, check, project};

const RATE_LIMITED: Kind = Kind { status: 429, code: "rate_limited", headers: &[("retry-after", "3")] };

/// A question of each endpoint with a credential, and the body of one that takes a body.
const QUESTIONS: [(&str, Option<&str>); 9] = [
    ("/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss", None),
    ("/api/v1/people/person_pia", None),
    ("/api/v1/search/people?q=pia", None),
    ("/api/v1/search/companies?q=mill", None),
    ("/api/v1/people/network?personId=person_pia", None),
    ("/api/v1/ghost/opportunities", None),
    ("/api/v1/connections", None),
    ("/api/v1/connections/second-degree", None),
    ("/api/v1/search/network", Some("{\"query\":\"sales\"}")),
];

struct Limited {
    credentials: Credentials,
    served: Served,
    millis: Arc<Mutex<u64>>,
}

impl Limited {
    /// The tiny network; a bucket holds 2 requests and gains one each 3 s.
    fn serve() -> Self {
        let credentials = Credentials::new();
        let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
        let (began, millis) = (Instant::now(), Arc::new(Mutex::new(0)));
        let read = Arc::clone(&millis);
        let clock = move || began + Duration::from_millis(*read.lock().unwrap());
        let settings = RateSettings::new(Some(1.0 / 3.0), Some(2.0)).unwrap().unwrap();
        let served = served.at_rates(Rates::with_clock(settings, Arc::new(clock)));
        Self { credentials, served, millis }
    }

    fn pass(&self, seconds: u64) {
        *self.millis.lock().unwrap() += seconds * 1000;
    }
}

async fn send(
    served: &Served,
    method: Method,
    path: &str,
    credential: &str,
    body: Option<&str>,
) -> super::Answer {
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {credential}"));
    served.send(request.body(Body::from(body.unwrap_or("").to_owned())).unwrap()).await
}

fn said(answer: &super::Answer) -> Option<(&str, &str)> {
    answer.header("ratelimit-policy").zip(answer.header("ratelimit"))
}

const POLICY: &str = "\"credential\";q=2;w=6";

#[tokio::test]
async fn every_endpoint_keeps_to_the_rate_and_says_it() {
    let limited = Limited::serve();
    let token = limited.credentials.token("org_tiny", "user_ana");
    for (path, body) in QUESTIONS {
        limited.pass(6);
        let method = if body.is_some() { Method::POST } else { Method::GET };
        for (standing, status) in [
            ("\"credential\";r=1;t=3", 200),
            ("\"credential\";r=0;t=6", 200),
            ("\"credential\";r=0;t=6", 429),
            ("\"credential\";r=0;t=6", 429),
        ] {
            let answer = send(&limited.served, method.clone(), path, &token, body).await;
            assert_eq!(answer.status, status, "{path}");
            assert_eq!(said(&answer), Some((POLICY, standing)), "{path}");
            if status == 429 {
                check(&answer, &RATE_LIMITED, path);
            }
        }
        // What is wrong with the request is said only to a caller that may send it.
        let wrong = format!("{path}{}limit=0&colour=%ff", if path.contains('?') { '&' } else { '?' });
        check(&send(&limited.served, method.clone(), &wrong, &token, Some("x")).await, &RATE_LIMITED, &wrong);
        // Unknown paths, wrong methods and bad credentials come first, take nothing, and say nothing.
        let slash = format!("{}/", path.split('?').next().unwrap());
        for (method, path, credential, status) in [
            (method.clone(), slash.as_str(), token.as_str(), 404),
            (Method::DELETE, path, &token, 405),
            (method, path, "nonsense", 401),
        ] {
            let answer = send(&limited.served, method, path, credential, body).await;
            assert_eq!((answer.status.as_u16(), said(&answer)), (status, None), "{path}");
        }
    }
}

#[tokio::test]
async fn errors_say_the_rate_and_come_after_it() {
    let limited = Limited::serve();
    let credentials = &limited.credentials;
    let person = "/api/v1/people/person_pia";
    for (path, credential, status) in [
        (person, credentials.key("org_elsewhere"), 503),
        (person, credentials.token("org_elsewhere", "user_ana"), 503),
        (person, credentials.token_with("org_tiny", "user_ana", "nothing"), 403),
        ("/api/v1/connections", credentials.key("org_tiny"), 403),
        ("/api/v1/people/person_nobody", credentials.token("org_tiny", "user_ana"), 404),
        ("/api/v1/search/people?q=", credentials.token_with("org_tiny", "user_ana", "mcp:read"), 400),
    ] {
        for (status, left, full_in) in [(status, 1, 3), (status, 0, 6), (429, 0, 6)] {
            let answer = limited.served.get(path, &credential).await;
            let standing = format!("\"credential\";r={left};t={full_in}");
            assert_eq!(
                (answer.status.as_u16(), said(&answer)),
                (status, Some((POLICY, &*standing))),
                "{path}"
            );
        }
        limited.pass(3);
        assert_eq!(limited.served.get(path, &credential).await.status, status, "{path}");
    }
    // A token of a user who is not a member is not a valid credential, however often it is sent.
    let stranger = credentials.token("org_tiny", "user_stranger");
    for _ in 0..5 {
        let answer = limited.served.get(person, &stranger).await;
        assert_eq!((answer.status.as_u16(), said(&answer)), (401, None));
    }
}

/// The control of both: the same without rates.
#[tokio::test]
async fn without_rates_nothing_is_bounded_and_nothing_says_so() {
    let credentials = Credentials::new();
    let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
    let token = credentials.token("org_tiny", "user_ana");
    for (path, body) in QUESTIONS {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        for _ in 0..4 {
            let answer = send(&served, method.clone(), path, &token, body).await;
            assert_eq!(answer.status, 200, "{path}");
            assert!(!answer.headers.keys().any(|name| name.as_str().starts_with("ratelimit")), "{path}");
        }
    }
}
