//! A failing provider is not called for a while, and a slow one holds a limited number of requests.

use std::sync::Arc;
use std::time::Duration;

use kith_server::language_model::LanguageModel;
use kith_server::language_model::failure::{AnswerFault, DraftFailure};
use kith_server::limits::PROVIDER_REQUESTS_MAX;
use tokio::time::timeout;

use crate::language_model::{LONG_MS, ORGANIZATION, SetClock, legal_draft, model, model_with_clock};
use crate::support::stub::{LEGAL, Reply, Stub, http, says};

/// Maximum requests of one organization that wait for the provider.
const SHARE: usize = PROVIDER_REQUESTS_MAX / 2;

/// Sends this many different queries; returns the failures.
async fn ask(model: &LanguageModel, count: usize, about: &str) -> Vec<Option<DraftFailure>> {
    let mut failures = Vec::new();
    for number in 0..count {
        failures.push(model.parse(ORGANIZATION, &format!("{about} {number}")).await.err());
    }
    failures
}

fn failing() -> Reply {
    Reply::Bytes(http(500, "", ""))
}

#[tokio::test]
async fn after_five_failures_the_provider_is_left_alone_until_a_probe_succeeds() {
    let mut replies = vec![failing(); 6];
    replies.push(says(LEGAL));
    let (stub, clock) = (Stub::start(&replies).await, SetClock::new());
    let model = model_with_clock(stub.address, &clock);
    let refused = Some(DraftFailure::Refused { status: 500 });
    assert_eq!(ask(&model, 5, "a").await, [refused; 5]);
    assert_eq!(ask(&model, 20, "b").await, [Some(DraftFailure::Open); 20]);
    clock.forward(Duration::from_millis(29_999));
    assert_eq!(ask(&model, 1, "c").await, [Some(DraftFailure::Open)]);
    assert_eq!(stub.contacts(), 5);
    // The first probe fails, so the next one is a minute away.
    clock.forward(Duration::from_millis(1));
    assert_eq!(ask(&model, 2, "d").await, [refused, Some(DraftFailure::Open)]);
    clock.forward(Duration::from_secs(59));
    assert_eq!(ask(&model, 1, "e").await, [Some(DraftFailure::Open)]);
    assert_eq!(stub.contacts(), 6);
    clock.forward(Duration::from_secs(1));
    assert_eq!(ask(&model, 3, "f").await, [None; 3]);
    assert_eq!(stub.contacts(), 9);
}

#[tokio::test]
async fn every_fault_of_the_provider_opens_it() {
    for (reply, failure) in [
        (Reply::Bytes(http(302, "", "")), DraftFailure::Refused { status: 302 }),
        (Reply::Bytes(http(401, "", "")), DraftFailure::Refused { status: 401 }),
        (Reply::Bytes(http(200, "", "<html>")), DraftFailure::Malformed(AnswerFault::NotJson)),
        (Reply::Bytes(http(200, "", &" ".repeat(70_000))), DraftFailure::TooLarge),
        (Reply::BytesThenClose(Vec::new()), DraftFailure::Unreachable),
    ] {
        let stub = Stub::start(&[reply]).await;
        let model = model(stub.address, LONG_MS);
        assert_eq!(ask(&model, 5, "a").await, [Some(failure); 5]);
        assert_eq!(ask(&model, 1, "b").await, [Some(DraftFailure::Open)]);
    }
}

/// One caller's queries must not take the provider from all others. The control is the test above.
#[tokio::test]
async fn what_a_query_can_bring_about_does_not_open_it() {
    for (reply, failure) in [
        (Reply::Bytes(http(400, "", "")), DraftFailure::Refused { status: 400 }),
        (says("I may not answer that."), DraftFailure::Malformed(AnswerFault::ContentNotJson)),
        (says(r#"{"people":"all"}"#), DraftFailure::Malformed(AnswerFault::WrongShape)),
    ] {
        let mut replies = vec![reply; 20];
        replies.push(says(LEGAL));
        let stub = Stub::start(&replies).await;
        let model = model(stub.address, LONG_MS);
        assert_eq!(ask(&model, 20, "a").await, [Some(failure); 20]);
        assert_eq!(ask(&model, 1, "b").await, [None]);
    }
}

#[tokio::test]
async fn a_probe_whose_caller_goes_away_does_not_keep_it_open() {
    let mut replies = vec![failing(); 5];
    replies.extend([Reply::Hang, says(LEGAL)]);
    let (stub, clock) = (Stub::start(&replies).await, SetClock::new());
    let model = Arc::new(model_with_clock(stub.address, &clock));
    ask(&model, 5, "a").await;
    clock.forward(Duration::from_secs(30));
    let probing = Arc::clone(&model);
    let probe = tokio::spawn(async move { probing.parse(ORGANIZATION, "probe").await });
    stub.until(|seen| seen.requests.len() == 6).await;
    assert_eq!(ask(&model, 1, "b").await, [Some(DraftFailure::Open)]);
    probe.abort();
    assert!(probe.await.is_err());
    assert_eq!(ask(&model, 1, "c").await, [None]);
}

#[tokio::test]
async fn no_more_than_so_many_requests_wait_and_each_leaves_its_place() {
    let mut replies = vec![Reply::Hang; SHARE];
    replies.push(says(LEGAL));
    let stub = Stub::start(&replies).await;
    let model = Arc::new(model(stub.address, LONG_MS));
    let waiting: Vec<_> = (0..SHARE)
        .map(|number| {
            let model = Arc::clone(&model);
            tokio::spawn(async move { model.parse(ORGANIZATION, &format!("slow {number}")).await })
        })
        .collect();
    // If the machine is so slow that the first give up before the last is sent, this fails, and says so.
    let all = timeout(Duration::from_secs(60), stub.until(|seen| seen.requests.len() == SHARE)).await;
    assert!(all.is_ok());
    assert_eq!(ask(&model, 3, "one more").await, [Some(DraftFailure::Busy); 3]);
    assert_eq!(stub.contacts(), SHARE);
    for one in waiting {
        one.abort();
        assert!(one.await.is_err(), "it waited");
    }
    assert_eq!(model.parse(ORGANIZATION, "again").await, Ok(legal_draft()));
}
