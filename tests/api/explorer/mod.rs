//! The page for people: its cookie, its log-in, the one-time link, its files, the report of an import, and the feed of a
//! member.

mod below_a_path;
mod cookie;
mod feed;
mod files;
mod forget;
mod link;
mod login;
mod report;
mod tokens;

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;

use crate::support::{Answer, Credentials, Served};

/// The headers that a browser sends with a request of the page itself.
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

/// A session as a browser sends it back: the cookie by itself, and the half by the page.
struct Session {
    cookie: String,
    half: String,
}

impl Session {
    /// The session that a log-in answered.
    fn of(answer: &Answer) -> Self {
        assert_eq!(answer.status, 200);
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Self { cookie, half: answer.json()["half"].as_str().unwrap().to_owned() }
    }

    /// The headers of a request with it, wherever that comes from.
    fn headers(&self) -> [(&str, &str); 2] {
        [("cookie", &self.cookie), ("kith-page", &self.half)]
    }

    /// The headers of a request of the page with it.
    fn own(&self) -> [(&str, &str); 3] {
        [OWN, ("cookie", &self.cookie), ("kith-page", &self.half)]
    }
}

/// The session that the log-in with `credential` begins.
async fn session_of(served: &Served, credential: &str) -> Session {
    Session::of(&log_in(served, credential).await)
}

fn tiny() -> (Credentials, Served) {
    let credentials = Credentials::new();
    let served = crate::openapi::document::tiny(&credentials);
    (credentials, served)
}
