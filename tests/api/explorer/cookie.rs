//! The cookie works as the credential it was made from, for requests of the page itself and no others.
//!
//! Promise: The page's cookie beside its half is its credential for requests of the page itself, byte for byte, and for
//!   no others; alone it is nothing; it ends with its credential and by a log-out, and a header wins over it.
//! Control: another credential's cookie is answered otherwise; the same requests from the page's own origin are let in,
//!   and before the log-out.
//! Also in: `src/answers/api/cookie.rs`, `tests/api/explorer/login.rs`.

use std::time::SystemTime;

use axum::http::Method;

use crate::explorer::{OWN, Session, log_in, send, session_of, tiny};
use crate::support::{Answer, Credentials, Served};

/// Requests of all kinds: answers, refusals of each status, and none that is the same for everybody.
const REQUESTS: [(&str, &str); 12] = [
    ("/api/v1/search/warm-paths?prospectLinkedinId=pia&include=match,reasons,evidence", ""),
    ("/api/v1/search/warm-paths?prospectLinkedinId=pia&scope=me", ""),
    ("/api/v1/search/people?q=a", ""),
    ("/api/v1/search/companies?q=a", ""),
    ("/api/v1/people/person_pia", ""),
    ("/api/v1/people/person_nobody", ""),
    ("/api/v1/connections", ""),
    ("/api/v1/connections/second-degree", ""),
    ("/api/v1/ghost/opportunities?limit=x", ""),
    ("/api/v1/people/network?personId=person_nobody", ""),
    ("/api/v1/search/network", r#"{"query":"engineers"}"#),
    ("/api/v1/search/warm-paths/batch", r#"{"targets":[{"name":"Pia"}]}"#),
];

/// Sends the request at `place` with `headers`.
async fn ask(served: &Served, place: usize, headers: &[(&str, &str)]) -> Answer {
    let (path, body) = REQUESTS[place];
    let (method, kind) = if body.is_empty() {
        (Method::GET, ("accept", "*/*"))
    } else {
        (Method::POST, ("content-type", "application/json"))
    };
    send(served, method, path, &[headers, &[kind]].concat(), body).await
}

/// The places in [`REQUESTS`] at which the session with `headers` is answered otherwise than `expected` is.
async fn differing(
    served: &Served,
    session: &Session,
    headers: &[(&str, &str)],
    expected: &[(&str, &str)],
) -> Vec<usize> {
    let mut differing = Vec::new();
    for place in 0..REQUESTS.len() {
        let by_cookie = ask(served, place, &[headers, &session.headers()].concat()).await;
        if by_cookie.visible() != ask(served, place, expected).await.visible() {
            differing.push(place);
        }
    }
    differing
}

#[tokio::test]
async fn a_cookie_is_answered_as_its_credential_byte_for_byte() {
    let (credentials, served) = tiny();
    let all = [
        credentials.key("org_tiny"),
        credentials.token("org_tiny", "user_ana"),
        credentials.token("org_tiny", "user_ben"),
    ];
    let mut sessions = Vec::new();
    for credential in &all {
        sessions.push(session_of(&served, credential).await);
    }
    for (at, credential) in all.iter().enumerate() {
        let header = format!("Bearer {credential}");
        let header = [("authorization", header.as_str())];
        assert_eq!(differing(&served, &sessions[at], &[OWN], &header).await, [0; 0]);
        // The control: another credential is answered otherwise.
        assert_ne!(differing(&served, &sessions[(at + 1) % all.len()], &[OWN], &header).await, [0; 0]);
    }
}

#[tokio::test]
async fn a_cookie_counts_for_no_request_but_those_of_the_page_itself() {
    let (credentials, served) = tiny();
    let served = served.sharing_with(&["https://app.example"]);
    let session = session_of(&served, &credentials.token("org_tiny", "user_ana")).await;
    let everywhere: Vec<usize> = (0..REQUESTS.len()).collect();
    for headers in [
        &[][..],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "")],
        &[("sec-fetch-site", "SAME-ORIGIN")],
        &[("sec-fetch-site", "same-origin, cross-site")],
        &[OWN, ("sec-fetch-site", "cross-site")],
        &[OWN, OWN],
        &[("sec-fetch-site", "cross-site"), ("origin", "https://app.example")],
        &[("origin", "http://127.0.0.1:8080"), ("referer", "http://127.0.0.1:8080/")],
        &[("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty")],
    ] {
        assert_eq!(differing(&served, &session, headers, headers).await, [0; 0], "{headers:?}");
        for place in 0..REQUESTS.len() {
            let answer = ask(&served, place, &[headers, &session.headers()].concat()).await;
            assert_eq!(answer.status, 401, "{headers:?}");
            assert_eq!(answer.header("service-generation"), None);
        }
    }
    // The control: of the page itself, each is let in.
    assert_eq!(differing(&served, &session, &[OWN], &[OWN]).await, everywhere);
}

#[tokio::test]
async fn a_header_wins_over_a_cookie_whatever_it_holds() {
    let (credentials, served) = tiny();
    let session = session_of(&served, &credentials.token("org_tiny", "user_ana")).await;
    let key = format!("Bearer {}", credentials.key("org_tiny"));
    for header in [&*key, "Bearer nonsense", "Bearer", "Basic abc", "", "nonsense"] {
        let header = ("authorization", header);
        assert_eq!(differing(&served, &session, &[OWN, header], &[OWN, header]).await, [0; 0], "{header:?}");
    }
}

#[tokio::test]
async fn a_cookie_ends_with_its_credential_from_the_next_request_on() {
    let credentials = Credentials::new();
    let served = crate::openapi::document::tiny(&credentials);
    let people = 2;
    let now = SystemTime::now();
    let issued = credentials.store.create_key("org_tiny", "short", now).unwrap();
    let session = session_of(&served, issued.secret.reveal()).await;
    let own = session.own();
    assert_eq!(ask(&served, people, &own).await.status, 200, "the control");
    credentials.store.revoke_key(&issued.id, now).unwrap();
    let refused = ask(&served, people, &own).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (401, Some("unauthorized")));
    assert_eq!(refused.header("www-authenticate"), Some("Bearer error=\"invalid_token\""));
    assert_eq!(log_in(&served, issued.secret.reveal()).await.status, 401);
    let who = send(&served, Method::GET, "/explore/login", &own, "").await;
    assert_eq!((who.status.as_u16(), who.json()["data"].is_null()), (200, true));
    // One of a server of another store, or changed on the way.
    let (_elsewhere, other) = tiny();
    let good = session_of(&served, &credentials.key("org_tiny")).await;
    let altered = |text: &str| {
        let last = if text.ends_with('A') { 'B' } else { 'A' };
        format!("{}{last}", &text[..text.len() - 1])
    };
    let [own_cookie, own_half] = [&good.cookie, &good.half].map(String::clone);
    for (served, cookie, half) in [
        (&other, own_cookie.clone(), own_half.clone()),
        (&served, altered(&own_cookie), own_half.clone()),
        (&served, own_cookie.clone(), altered(&own_half)),
        // The cookie alone, as other ports of the host receive it.
        (&served, own_cookie, String::new()),
    ] {
        assert_eq!(ask(served, people, &Session { cookie, half }.own()).await.status, 401);
    }
    assert_eq!(ask(&served, people, &good.own()[..2]).await.status, 401, "the cookie alone");
    assert_eq!(ask(&served, people, &good.own()).await.status, 200, "the control");
}

#[tokio::test]
async fn a_cookie_of_one_organization_shows_nothing_of_another() {
    let (credentials, served) = tiny();
    let session = session_of(&served, &credentials.key("org_tiny")).await;
    let mine = ask(&served, 2, &session.own()).await;
    assert_eq!(mine.status, 200);
    // A key of an organization that is not served opens nothing, by cookie as by header.
    assert_eq!(log_in(&served, &credentials.key("org_elsewhere")).await.status, 503);
    assert_eq!(log_in(&served, &credentials.token("org_tiny", "user_nobody")).await.status, 401);
}

#[tokio::test]
async fn without_the_page_no_cookie_counts_and_with_it_no_other_answer_changes() {
    let credentials = Credentials::new();
    let with = crate::openapi::document::tiny(&credentials);
    let session = session_of(&with, &credentials.key("org_tiny")).await;
    let without = crate::openapi::document::tiny(&credentials).without_page();
    let key = format!("Bearer {}", credentials.key("org_tiny"));
    for place in 0..REQUESTS.len() {
        let by_cookie = ask(&without, place, &session.own()).await;
        assert_eq!(by_cookie.visible(), ask(&without, place, &[]).await.visible());
        assert_eq!(by_cookie.status, 401);
        for headers in [&[][..], &[("authorization", key.as_str())], &[("authorization", "Bearer x")]] {
            let (with, without) = (ask(&with, place, headers).await, ask(&without, place, headers).await);
            assert_eq!(with.visible(), without.visible(), "{headers:?}");
        }
    }
}
