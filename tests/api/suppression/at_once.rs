//! Effect from the next request: only the organization whose list changed waits.
//!
//! Promise: From the next request after the list changed nothing of them is left.
//! Control: a variant that leaves them among connectors.
//! Also in: `tests/api/suppression/changes.rs`, `tests/process/suppressing.rs`.

use std::sync::Arc;

use futures_util::FutureExt;
use kith_server::model::dataset::Dataset;
use kith_server::suppress::entry::EntryKind;

use crate::support::{Answer, Credentials};
use crate::suppression::site::{Site, built, fixture};
use crate::suppression::tables::Wish;

const TINY: &str = "org_tiny";
const OTHER: &str = "org_other";
const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";

fn tiny_as(organization: &str, name: &str) -> Dataset {
    let mut dataset = built(&fixture("fixtures/tiny"));
    organization.clone_into(&mut dataset.organization.id);
    name.clone_into(&mut dataset.organization.name);
    dataset
}

fn pia() -> [Wish; 1] {
    [(EntryKind::LinkedinId, "https://linkedin.com/in/PIA-WEISS".to_owned())]
}

fn is_found(answer: &Answer) -> bool {
    assert_eq!(answer.status, 200);
    !answer.json()["data"]["prospect"].is_null()
}

#[tokio::test]
async fn requests_wait_for_the_list_of_their_own_organization_alone() {
    let credentials = Credentials::new();
    let [tiny, other] = [TINY, OTHER].map(|organization| credentials.key(organization));
    let site = Site::of(&[&tiny_as(TINY, "one"), &tiny_as(OTHER, "one")]);
    let served = site.served(&credentials);
    // A reload that cannot go on: what the one before it replaced is still read.
    let pin = site.live.pin();
    site.put(&tiny_as(OTHER, "two"));
    site.reload();
    let held_up = site.reloader.reload();

    site.add(TINY, &pia());
    let mut waiting = Box::pin(served.get(PIA, &tiny));
    assert!(waiting.as_mut().now_or_never().is_none());
    for _ in 0..10 {
        assert!(is_found(&served.get(PIA, &other).await), "the other organization has not forgotten them");
        assert!(waiting.as_mut().now_or_never().is_none(), "an answer would show them");
    }
    drop(pin);
    assert!(!is_found(&waiting.await));
    assert!(!is_found(&served.get(PIA, &tiny).await) && is_found(&served.get(PIA, &other).await));
    held_up.ended().await.unwrap();
}

#[tokio::test]
async fn an_answer_that_was_begun_before_ends_as_it_began() {
    let credentials = Credentials::new();
    let site = Site::of(&[&tiny_as(TINY, "one")]);
    let before = site.network(TINY).await;
    site.add(TINY, &pia());
    let after = site.network(TINY).await;
    assert!(!Arc::ptr_eq(&before, &after));
    assert_eq!(before.index.data.people.len(), after.index.data.people.len() + 1);
    assert!(!is_found(&site.served(&credentials).get(PIA, &credentials.key(TINY)).await));
}
