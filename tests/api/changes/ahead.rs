//! Changes are computed as soon as a generation replaces another, before anybody requests them.
//!
//! Promise: Two generations are compared before anybody asks: the first caller after a reload waits for nothing.
//! Control: noted once asked for: 503.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use kith_server::admission::Admission;
use kith_server::admission::class::Class;
use kith_server::api::comparing::note_ahead;
use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;

use super::{Asking, TINY, tiny};
use crate::support::Credentials;
use crate::suppression::site::Site;

/// When changes are noted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Noted {
    /// The service's own way.
    Ahead,
    /// Broken: once they are asked for.
    OnceAsked,
}

/// The answers to callers who ask after each of `reloads`, while no more changes can be noted: the one permit for
/// work that takes long is held.
async fn first_answers(noted: Noted, reloads: &[usize]) -> Vec<u16> {
    let credentials = Credentials::new();
    let site = Site::open_keeping(Site::folder(&[&tiny(0)]), Networks::default(), Keep::OneBefore);
    let admission = Admission::new(NonZeroUsize::new(2).unwrap(), Duration::from_secs(60));
    let served = site.served(&credentials).admitted_by(Arc::clone(&admission));
    if noted == Noted::Ahead {
        tokio::spawn(note_ahead(Arc::clone(&served.state)));
    }
    let asking = Asking::new(served, &credentials);
    let mut answers = Vec::new();
    for &edits in reloads {
        let before = asking.now().await;
        site.put(&tiny(edits));
        site.reload();
        let kept = Arc::clone(&site.live.pin().predecessors[TINY]);
        // Time enough to note a dozen people.
        for _ in 0..500 {
            if kept.noted().await.is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let _held = admission.acquire(TINY, Class::Long).await.unwrap();
        answers.push(asking.since(before).await.status.as_u16());
    }
    answers
}

#[tokio::test]
async fn the_first_who_asks_after_a_reload_waits_for_nothing() {
    assert_eq!(first_answers(Noted::Ahead, &[3, 1, 2]).await, [200; 3]);
}

/// The control: noted for the first who asks, they come too late for that one.
#[tokio::test]
async fn changes_that_are_noted_once_asked_for_are_caught() {
    assert_eq!(first_answers(Noted::OnceAsked, &[3]).await, [503]);
}
