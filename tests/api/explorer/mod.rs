//! The page for people: its cookie, its log-in, the link that logs in once, its files, and the report of an import.

mod cookie;
mod files;
mod link;
mod login;
mod report;

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;

use crate::support::{Answer, Credentials, Served};

/// What a browser says of a request of the page itself.
const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");

/// Sends `credential` to the log-in, as the page does.
async fn log_in(served: &Served, credential: &str) -> Answer {
    let body = json!({ "credential": credential }).to_string();
    send(served, Method::POST, "/explore/login", &[OWN, ("content-type", "application/json")], &body).await
}

async fn send(served: &Served, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    served.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

/// The cookie that the log-in with `credential` sets, as a browser sends it back.
async fn cookie_of(served: &Served, credential: &str) -> String {
    let answer = log_in(served, credential).await;
    assert_eq!(answer.status, 200);
    answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

fn tiny() -> (Credentials, Served) {
    let credentials = Credentials::new();
    let served = crate::openapi::document::tiny(&credentials);
    (credentials, served)
}
