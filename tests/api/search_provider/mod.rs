//! Network search with a language-model provider that fails, lies or obeys the wrong party: the answer has the status
//! it would have without a provider, and contains only the caller's own people and no word of the provider.

mod asking;
mod checks;
mod faults;

use std::net::SocketAddr;

use asking::{ASKS, Ask, Bench, EVERY_NETWORK, MODES, QUERY, TINY, ask_all};
use checks::{leaks, reach, stranger};
use faults::{Fault, Outcome, faults, legal_but_hostile};
use kith_server::language_model::LanguageModel;
use serde_json::{Value, json};
use tokio::net::TcpSocket;

use crate::support::Answer;
use crate::support::stub::{self, CANARY, LONG_MS, Reply, Stub, http, model, says};

const FERNHOLLOW: &str = "fixtures/demo/fernhollow";

fn off() -> LanguageModel {
    LanguageModel::new(None).unwrap()
}

fn said(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.bytes).into_owned()
}

/// The rows of `answer`.
fn rows(answer: &Answer) -> usize {
    answer.json()["data"].as_array().map_or(0, Vec::len)
}

/// Checks that the status is the contract's for `mode`, for any behaviour of the provider.
fn check_status(answer: &Answer, mode: &str, has_store: bool, case: &str) {
    if mode == "relational" && !has_store {
        assert_eq!(answer.status, 400, "{case}: {}", said(answer));
        let error = answer.json();
        assert_eq!(error["code"], "validation_error", "{case}: {error}");
        assert!(error["error"].as_str().unwrap().contains("mode"), "{case}: {error}");
        return;
    }
    assert_eq!(answer.status, 200, "{case}: {}", said(answer));
}

/// Asks everything in `mode` while the provider at `address` does as `fault` says; gives how many people
/// came back.
async fn check(bench: &Bench, address: SocketAddr, fault: &Fault, mode: &str) -> usize {
    let plain = ask_all(&bench.served(off()), bench, mode).await;
    let answers = ask_all(&bench.served(model(address, fault.timeout_ms)), bench, mode).await;
    let mut people = 0;
    for ((ask, answer), plain) in ASKS.iter().zip(&answers).zip(&plain) {
        let case = format!("{}, {mode}, store {}, {ask:?}", fault.name, bench.has_store);
        check_status(answer, mode, bench.has_store, &case);
        assert!(!leaks(answer), "{case}: {}", said(answer));
        if answer.status != 200 || fault.outcome == Outcome::Fails {
            assert!(answer.visible() == plain.visible(), "{case}: {} {}", said(answer), said(plain));
        }
        if answer.status != 200 {
            continue;
        }
        let json = answer.json();
        let mut named = &EVERY_NETWORK[..];
        if let Outcome::IsUsed { terms, networks } = &fault.outcome {
            assert_eq!(json["meta"]["searchTerms"], json!(terms), "{case}");
            named = networks;
        }
        let reach = reach(&bench.oracle, ask.acting(), ask.networks.unwrap_or(named));
        assert_eq!(stranger(&json, &reach), None, "{case}");
        people += rows(answer);
    }
    people
}

/// Checks `fault` in every mode, with and without a relational store; gives how many people came back.
async fn check_everywhere(benches: &[Bench], fault: &Fault) -> usize {
    let mut people = 0;
    let stub = match &fault.reply {
        Some(reply) => Some(Stub::start(std::slice::from_ref(reply)).await),
        None => None,
    };
    // Bound and not listening: nobody else can get the port, and connections are refused.
    let deaf = TcpSocket::new_v4().unwrap();
    deaf.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = stub.as_ref().map_or_else(|| deaf.local_addr().unwrap(), |stub| stub.address);
    for bench in benches {
        for mode in MODES {
            people += check(bench, address, fault, mode).await;
        }
    }
    assert!(stub.is_none_or(|stub| stub.contacts() > 0), "{}: the provider was not asked", fault.name);
    people
}

fn with_and_without_store() -> [Bench; 2] {
    [Bench::new(&[TINY, FERNHOLLOW], false), Bench::new(&[TINY, FERNHOLLOW], true)]
}

#[tokio::test]
async fn whatever_the_provider_does_wrong_the_answer_is_the_one_without_it() {
    let (benches, elsewhere) = (with_and_without_store(), Stub::start(&[says(stub::LEGAL)]).await);
    for fault in faults(elsewhere.address) {
        let people = check_everywhere(&benches, &fault).await;
        assert!(people > 20, "{}: only {people} people", fault.name);
    }
    assert_eq!(elsewhere.seen().connections, 0, "a redirect was followed");
}

#[tokio::test]
async fn whatever_a_model_says_within_the_shape_finds_the_callers_own_people_alone() {
    let (benches, mut people) = (with_and_without_store(), 0);
    // One of them alone may well find nobody.
    for fault in legal_but_hostile() {
        people += check_everywhere(&benches, &fault).await;
    }
    assert!(people > 500, "only {people} people");
}

#[tokio::test]
async fn a_provider_that_fails_again_and_again_is_left_alone_and_nobody_notices() {
    let bench = Bench::new(&[TINY], false);
    let plain = bench.ask(&bench.served(off()), &ASKS[0], "auto", QUERY).await;
    let stub = Stub::start(&[Reply::Bytes(http(500, "", CANARY))]).await;
    let served = bench.served(model(stub.address, LONG_MS));
    for _ in 0..20 {
        let answer = bench.ask(&served, &ASKS[0], "auto", QUERY).await;
        assert!(answer.visible() == plain.visible(), "{}", said(&answer));
    }
    assert_eq!(stub.contacts(), 5);
}

#[tokio::test]
async fn an_equal_query_of_the_same_organization_does_not_reach_the_provider_again() {
    let bench = Bench::new(&[TINY, FERNHOLLOW], false);
    let stub = Stub::start(&[says(stub::LEGAL)]).await;
    let served = bench.served(model(stub.address, LONG_MS));
    for (organization, query, contacts) in [
        ("org_tiny", "who feeds the cats", 1),
        ("org_tiny", " Who  feeds the CATS", 1),
        ("org_fernhollow", "who feeds the cats", 2),
        ("org_fernhollow", "who feeds the cats", 2),
        ("org_tiny", "who feeds the cats", 2),
        ("org_tiny", "who feeds the dogs", 3),
    ] {
        let answer =
            bench.post(&served, &bench.credentials.key(organization), json!({ "query": query })).await;
        assert_eq!(answer.status, 200, "{organization} {query}: {}", said(&answer));
        assert_eq!(
            answer.json()["meta"]["searchTerms"],
            json!(["head of finance"]),
            "{organization} {query}"
        );
        assert_eq!(stub.contacts(), contacts, "{organization} {query}");
    }
    // The control: the built-in parser does not come by these terms itself.
    let plain = bench.ask(&bench.served(off()), &ASKS[0], "auto", "who feeds the cats").await;
    assert_ne!(plain.json()["meta"]["searchTerms"], json!(["head of finance"]));
}

/// The maximum deadline an operator may set, against a provider that hangs.
#[tokio::test]
async fn no_deadline_that_can_be_set_costs_the_caller_the_answer() {
    let bench = Bench::new(&[TINY], false);
    let plain = bench.ask(&bench.served(off()), &ASKS[0], "auto", QUERY).await;
    let stub = Stub::start(&[Reply::Hang]).await;
    let served = bench.served(model(stub.address, LONG_MS));
    let answer = bench.ask(&served, &ASKS[0], "auto", QUERY).await;
    assert!(answer.visible() == plain.visible(), "{}", said(&answer));
    assert_eq!(stub.contacts(), 1);
}

/// The control of the table: an answer with one thing that should not be there is caught.
#[tokio::test]
async fn a_stranger_or_a_word_of_the_provider_is_caught() {
    let bench = Bench::new(&[TINY], false);
    let everyone = Ask { user: None, as_user: None, networks: None };
    let answer = bench.ask(&bench.served(off()), &everyone, "auto", QUERY).await;
    let json = answer.json();
    let reach_of = |acting, networks: &[&str]| reach(&bench.oracle, acting, networks);
    let own = reach_of("user_ana", &EVERY_NETWORK);
    assert_eq!(stranger(&json, &own), None);
    // The answer of a wider network, or of another member.
    assert!(stranger(&json, &reach_of("user_ana", &["user"])).is_some());
    assert!(stranger(&json, &reach_of("user_ana", &["user", "organization"])).is_some());
    assert!(stranger(&json, &reach_of("user_cai", &EVERY_NETWORK)).is_some());
    let edited = |pointer: &str, value: Value| {
        let mut json = json.clone();
        *json.pointer_mut(pointer).unwrap() = value;
        stranger(&json, &own)
    };
    for id in ["person_sol", "person_tom", "person_ana", "person_of_another"] {
        assert!(edited("/data/0/person/id", id.into()).is_some(), "{id}");
    }
    assert!(edited("/data/0/connectionSources/0/type", "everyone".into()).is_some());
    assert!(edited("/data/0/connectionSources/0/name", "Somebody".into()).is_some());
    assert!(edited("/data/0/connectionSources", json!([])).is_some());
    // A word in the body, in whatever case, or in a header's value or name.
    assert!(!leaks(&answer));
    let with = |name: &str, value: &str, text: &str| {
        let mut headers = answer.headers.clone();
        headers.insert(name.parse::<axum::http::HeaderName>().unwrap(), value.parse().unwrap());
        let bytes = [&answer.bytes[..], text.as_bytes()].concat();
        leaks(&Answer { status: answer.status, headers, bytes })
    };
    assert!(!with("x-a", "b", "c"));
    assert!(with("x-a", "b", CANARY) && with("x-a", "b", &CANARY.to_lowercase()));
    assert!(with("x-a", CANARY, "c") && with(CANARY, "b", "c"));
}
