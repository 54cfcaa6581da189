//! Failures of one organization's queries do not affect another: each has its own breaker and places.
//!
//! Promise: Slow or failing answers of a language-model provider to one organization do not take it from another.
//! Control: all organizations asking by one name: one breaker and one set of places for all, in the same trials.
//! Also in: `tests/operation/language_model/mod.rs`.

use kith_server::language_model::LanguageModel;
use kith_server::limits::PROVIDER_REQUESTS_MAX;
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use crate::language_model::{LONG_MS, model};
use crate::support::stub::{LEGAL, Reply, Stub, says};

/// A deadline that slow queries pass, and that the one after them meets on a busy machine too.
const DEADLINE_MS: u64 = 1_500;
/// Six slow queries open a breaker, which takes five failures.
const SLOW: usize = 6;
/// Maximum places of one organization.
const SHARE: usize = PROVIDER_REQUESTS_MAX / 2;

/// By which name an organization asks.
type KnownAs = fn(&'static str) -> &'static str;

/// Each by its own.
const ITS_OWN: KnownAs = |organization| organization;
/// All by one name: so one breaker and one set of places served all organizations, until each had its own.
const ONE_FOR_ALL: KnownAs = |_| "all";

/// Sends this many queries of `org_f` at once.
fn ask(model: &LanguageModel, known_as: KnownAs, count: usize) -> JoinSet<()> {
    let mut asking = JoinSet::new();
    for number in 0..count {
        let model = model.clone();
        asking.spawn(async move {
            let slow = model.parse(known_as("org_f"), &format!("slow {number}")).await;
            assert!(slow.is_err(), "the provider hangs");
        });
    }
    asking
}

/// A provider that hangs this many times, and then answers normally.
async fn slow_at_first(times: usize) -> Stub {
    let mut replies = vec![Reply::Hang; times];
    replies.push(says(LEGAL));
    Stub::start(&replies).await
}

/// Whether a query of `org_h` reaches the provider after six of `org_f` that it answered too late.
async fn is_reached_after_slow_queries(known_as: KnownAs) -> bool {
    let stub = slow_at_first(SLOW).await;
    let model = model(stub.address, DEADLINE_MS);
    ask(&model, known_as, SLOW).join_all().await;
    assert_eq!(stub.contacts(), SLOW);
    let _ = model.parse(known_as("org_h"), "the next one").await;
    stub.contacts() == SLOW + 1
}

/// Whether a query of `org_h` reaches the provider while as many of `org_f` as may wait for it, out of more that
/// would.
async fn is_reached_beside_slow_queries(known_as: KnownAs) -> bool {
    let stub = slow_at_first(SHARE).await;
    let model = model(stub.address, LONG_MS);
    let mut asking = ask(&model, known_as, 2 * PROVIDER_REQUESTS_MAX);
    for _ in 0..2 * PROVIDER_REQUESTS_MAX - SHARE {
        // Those without a place are sent away at once.
        let sent_away = timeout(Duration::from_secs(60), asking.join_next()).await;
        assert!(matches!(sent_away, Ok(Some(Ok(())))));
    }
    stub.until(|seen| seen.requests.len() >= SHARE).await;
    let _ = model.parse(known_as("org_h"), "the next one").await;
    stub.contacts() == SHARE + 1
}

#[tokio::test]
async fn slow_queries_of_one_organization_do_not_take_the_provider_from_another() {
    assert!(is_reached_after_slow_queries(ITS_OWN).await);
}

#[tokio::test]
async fn one_breaker_for_all_is_caught() {
    assert!(!is_reached_after_slow_queries(ONE_FOR_ALL).await);
}

#[tokio::test]
async fn one_organization_cannot_take_every_place() {
    assert!(is_reached_beside_slow_queries(ITS_OWN).await);
}

#[tokio::test]
async fn one_set_of_places_for_all_is_caught() {
    assert!(!is_reached_beside_slow_queries(ONE_FOR_ALL).await);
}

/// A provider that is down costs each organization its five failures, and all of them no more than that: each has
/// its own to find out.
#[tokio::test]
async fn a_provider_that_is_down_costs_each_organization_five_failures_and_no_more() {
    let stub = Stub::start(&[Reply::Bytes(crate::support::stub::http(500, "", ""))]).await;
    let model = model(stub.address, LONG_MS);
    for (place, organization) in ["org_a", "org_b", "org_c"].into_iter().enumerate() {
        for number in 0..20 {
            assert!(model.parse(organization, &format!("query {number}")).await.is_err());
        }
        assert_eq!(stub.contacts(), 5 * (place + 1), "{organization}");
        assert!(model.is_left_alone_by(organization));
    }
    assert!(!model.is_left_alone_by("org_d"));
    assert_eq!(model.requests_in_flight(), Some(0));
}
