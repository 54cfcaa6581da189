//! Drafts are cached per caller; failures are not cached.

use std::time::Duration;

use kith_server::language_model::failure::{AnswerFault, DraftFailure};

use crate::language_model::{LONG_MS, SetClock, legal_draft, model, model_with_clock};
use crate::support::stub::{LEGAL, Stub, says};

const OTHER: &str = r#"{"terms":[],"networks":[]}"#;

#[tokio::test]
async fn an_organization_gets_its_own_draft_again_and_never_that_of_another() {
    let stub = Stub::start(&[says(LEGAL), says(OTHER)]).await;
    let model = model(stub.address, LONG_MS);
    for (organization, query, draft, contacts) in [
        ("org_a", "CFOs in Zürich", legal_draft(), 1),
        ("org_a", " cfos  in zurich ", legal_draft(), 1),
        ("org_b", "CFOs in Zürich", Default::default(), 2),
        ("org_b", "cfos in zurich", Default::default(), 2),
        ("org_a", "CFOs in Zürich", legal_draft(), 2),
        ("ORG_A", "CFOs in Zürich", Default::default(), 3),
        ("org_a", "CFOs in Bern", Default::default(), 4),
    ] {
        assert_eq!(model.parse(organization, query).await, Ok(draft), "{organization} {query}");
        assert_eq!(stub.contacts(), contacts, "{organization} {query}");
    }
}

#[tokio::test]
async fn failures_are_not_kept_and_drafts_end_after_an_hour() {
    let (stub, clock) = (Stub::start(&[says("no"), says(LEGAL)]).await, SetClock::new());
    let model = model_with_clock(stub.address, &clock);
    let failed = Err(DraftFailure::Malformed(AnswerFault::ContentNotJson));
    assert_eq!(model.parse("org_a", "cfos").await, failed);
    for (minutes, contacts) in [(0, 2), (59, 2), (1, 3)] {
        clock.forward(Duration::from_secs(60 * minutes));
        assert_eq!(model.parse("org_a", "cfos").await, Ok(legal_draft()));
        assert_eq!(stub.contacts(), contacts);
    }
}
