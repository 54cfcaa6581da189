//! The connector's link: its content, its effect, and when it stops working.
//!
//! Promise: A link answers once, in time, while the ask is open; every other code is a path that there is not, and
//!   after twenty of them an address waits.
//! Control: the newest link of the same ask, which holds.

use axum::body::Body;
use axum::http::Request;
use kith_server::api::marks::Peer;
use kith_server::ask_file::store::AskStore;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::asks::{ASKER, Asks, CONNECTOR, ORG, OTHER, TARGET, agent, asked, press};
use crate::support::{Answer, Credentials, Served};

async fn send(served: &Served, body: &Value, peer: &str) -> Answer {
    let mut request = Request::post("/answer")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    request.extensions_mut().insert(Peer(peer.parse().unwrap()));
    served.send(request).await
}

/// A new link of the ask at `path`: its code.
async fn link(served: &Served, path: &str, token: &str, body: &Value) -> String {
    let answer = press(served, &format!("{path}/link"), token, body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    let url = answer.json()["url"].as_str().unwrap().to_owned();
    url.strip_prefix("https://kith.example/answer#").unwrap().to_owned()
}

#[tokio::test]
async fn a_link_shows_what_is_asked_and_answers_once() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let asker = agent(&served, &credentials, ASKER);
    let written = asker.data("record_ask", asked("a")).await;
    let path = format!("/explore/asks/{}", written["ask"]["id"].as_str().unwrap());
    let token = &asker.credential;
    let stranger = credentials.token_with(ORG, OTHER, "mcp:read mcp:write");
    assert_eq!(press(&served, &format!("{path}/link"), &stranger, &json!({})).await.status, 403);
    let first = link(&served, &path, token, &json!({})).await;
    let code = link(&served, &path, token, &json!({ "text": "Dear Kavita" })).await;
    assert!(code.len() >= 22, "{code}");

    let here = "192.0.2.1:1000";
    assert_eq!(send(&served, &json!({ "code": first }), here).await.status, 404, "it was replaced");
    let shown = send(&served, &json!({ "code": code }), here).await.json();
    let data = &shown["data"];
    assert_eq!((&data["text"], &data["state"]), (&json!("Dear Kavita"), &json!("asked")));
    assert_eq!(data["askedBy"]["name"], written["ask"]["askedBy"]["name"]);
    assert_eq!(data["person"]["name"], written["ask"]["person"]["name"]);
    assert!(!shown.to_string().contains("warmness"), "{shown}");
    let elsewhere = served.post("/answer", "", &json!({ "code": code })).await;
    assert_eq!(elsewhere.status, 400, "not from the page");
    for (body, parameter) in [
        (json!({ "code": code, "answer": "maybe" }), "answer"),
        (json!({ "code": code, "answer": "not_now" }), "until"),
        (json!({ "code": code, "answer": "not_now", "until": "soon" }), "until"),
        (json!({}), "code"),
    ] {
        let answer = send(&served, &body, here).await;
        assert!(answer.status == 400 && answer.json()["error"].as_str().unwrap().contains(parameter));
    }
    let body = json!({ "code": code, "answer": "yes" });
    assert_eq!(send(&served, &body, here).await.status, 200);
    assert_eq!(send(&served, &body, here).await.status, 404, "it was answered");
    let one = served.get(&path.replace("/explore", "/api/v1"), token).await.json();
    assert_eq!(
        (&one["data"]["state"], &one["data"]["events"][1]["by"]),
        (&json!("agreed"), &json!({ "kind": "connector" }))
    );
    let file = std::fs::read(&asks.path).unwrap();
    assert!(!file.windows(code.len()).any(|bytes| bytes == code.as_bytes()), "the code is in the file");
    // A link is also void once its ask closes in another way.
    let code = link(&served, &path, token, &json!({ "ttl": "1h" })).await;
    let outcome = json!({ "ask": written["ask"]["id"], "outcome": "met", "key": "m" });
    asker.data("report_outcome", outcome).await;
    assert_eq!(send(&served, &json!({ "code": code }), here).await.status, 404);
    assert_eq!(press(&served, &format!("{path}/link"), token, &json!({})).await.status, 409);
}

#[tokio::test]
async fn an_answer_that_forbids_marks_paths_and_refuses_asks() {
    for (answer, is_for_all) in [
        (json!({ "answer": "never_about" }), false),
        (json!({ "answer": "never_me" }), true),
        (json!({ "answer": "not_now", "until": "2999-12-31" }), true),
    ] {
        let (asks, credentials) = (Asks::new(), Credentials::new());
        let served = asks.demo(&credentials);
        let asker = agent(&served, &credentials, ASKER);
        let written = asker.data("record_ask", asked("a")).await;
        let path = format!("/explore/asks/{}", written["ask"]["id"].as_str().unwrap());
        let code = link(&served, &path, &asker.credential, &json!({})).await;
        let mut body = answer.clone();
        body["code"] = code.into();
        assert_eq!(send(&served, &body, "192.0.2.1:1").await.status, 200, "{answer}");
        let found = format!("/api/v1/search/warm-paths?prospectId={TARGET}&include=asks&limit=50");
        let paths = served.get(&found, &asker.credential).await.json()["data"]["paths"].clone();
        for path in paths.as_array().unwrap() {
            let over = path["connector"]["id"] == CONNECTOR;
            let is_broken = path["preference"]["rule"] == "never";
            assert_eq!(is_broken, over, "{answer}: {path}");
            assert_eq!(path["preference"].get("until"), answer.get("until").filter(|_| over), "{path}");
        }
        let (code, said) = asker.refusal("record_ask", asked("b")).await;
        assert!(code == "do_not_ask" && said.contains("do not ask"), "{said}");
        let mut forced = asked("c");
        forced["override"] = true.into();
        let forced = asker.data("record_ask", forced).await;
        assert_eq!(
            (&forced["written"], &forced["ask"]["preference"]["rule"]),
            (&json!(true), &json!("never"))
        );
        let other = json!({ "target": "person_gk6t4e", "connector": CONNECTOR, "key": "d", "dry_run": true });
        let result = asker.called("record_ask", &other).await;
        assert_eq!(result["isError"], is_for_all, "{answer}: {result}");
    }
}

#[tokio::test]
async fn after_twenty_wrong_codes_an_address_waits_and_right_ones_hold() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let asker = agent(&served, &credentials, ASKER);
    let written = asker.data("record_ask", asked("a")).await;
    let path = format!("/explore/asks/{}", written["ask"]["id"].as_str().unwrap());
    let code = link(&served, &path, &asker.credential, &json!({})).await;
    for number in 0..20 {
        let guess = json!({ "code": format!("{number:022}") });
        assert_eq!(send(&served, &guess, "192.0.2.7:9").await.status, 404);
    }
    let late = send(&served, &json!({ "code": "x" }), "192.0.2.7:10").await;
    assert_eq!((late.status.as_u16(), late.header("retry-after").is_some()), (429, true));
    assert_eq!(send(&served, &json!({ "code": "x" }), "192.0.2.8:1").await.status, 404);
    assert_eq!(send(&served, &json!({ "code": code }), "192.0.2.7:11").await.status, 200);
}

/// A code that is nearly `code`, or none like it.
fn guess(dice: &mut ChaCha8Rng, code: &str) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut below = |most: usize| (dice.next_u64() % most as u64) as usize;
    let mut guess = code.as_bytes().to_vec();
    match below(4) {
        0 => guess.truncate(below(code.len())),
        1 => guess.extend([DIGITS[below(62)]]),
        2 => {
            let place = below(code.len());
            guess[place] = DIGITS[below(62)];
        }
        _ => guess.iter_mut().for_each(|digit| *digit = DIGITS[below(62)]),
    }
    String::from_utf8(guess).unwrap()
}

#[tokio::test]
async fn of_a_hundred_thousand_guesses_none_leads_anywhere_and_each_is_answered_alike() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let asker = agent(&served, &credentials, ASKER);
    let written = asker.data("record_ask", asked("a")).await;
    let id = written["ask"]["id"].as_str().unwrap();
    let store = AskStore::open(&asks.path).unwrap();
    let code = store.make_link(ORG, id, None, i64::MAX).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    let guesses: Vec<String> =
        (0..100_000).map(|_| guess(&mut dice, &code)).filter(|guess| *guess != code).collect();
    assert!(guesses.len() > 99_000);
    for guess in &guesses {
        assert_eq!(store.linked(guess, 0).unwrap(), None, "{guess} leads somewhere");
    }
    assert!(store.linked(&code, 0).unwrap().is_some(), "the control: the code itself leads there");

    // As the page has it, twenty from each address; an expired one is answered as one that never was.
    let expired = store.make_link(ORG, id, None, 1).unwrap();
    let unlike = |answer: &Answer| (answer.status, answer.bytes.clone());
    let never_was = unlike(&send(&served, &json!({ "code": "x" }), "198.51.100.1:1").await);
    assert_eq!(never_was.0, 404);
    for (number, guess) in [&expired, &code].into_iter().chain(&guesses[..500]).enumerate() {
        let peer = format!("192.0.2.{}:1", number / 20);
        let answer = send(&served, &json!({ "code": guess, "answer": "yes" }), &peer).await;
        assert_eq!(unlike(&answer), never_was, "{guess}");
    }
    let one = served.get(&format!("/api/v1/asks/{id}"), &asker.credential).await.json();
    assert_eq!(one["data"]["state"], "asked");
}

#[tokio::test]
async fn the_page_behind_a_link_has_its_own_policy_no_cookie_and_sends_no_referrer() {
    let (asks, credentials) = (Asks::new(), Credentials::new());
    let served = asks.demo(&credentials);
    let page = served.get("/answer", "").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("set-cookie"), None);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
}
