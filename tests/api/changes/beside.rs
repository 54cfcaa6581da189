//! Changes are computed once for all callers, and delay nobody.
//!
//! Promise: Two generations are compared once for all callers, and delay no other work.
//! Control: compared in one turn: no search is answered meanwhile.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kith::limits::Limits;
use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::admission::Admission;
use kith_server::admission::class::Class;
use kith_server::live::network::LiveNetwork;
use kith_server::live::predecessor::Predecessor;
use serde_json::json;

use super::PATH;
use crate::support::{Credentials, Served, network_of};

const ORGANIZATION: &str = "org_generated";
const PEOPLE: u32 = 3_000;

/// A made-up network, and the same a year of edges later.
fn pair() -> [LiveNetwork; 2] {
    [10, 12].map(|edges| {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = Plan::sized(PEOPLE, u64::from(PEOPLE * edges));
        ORGANIZATION.clone_into(&mut plan.organization_id);
        write_tables(&plan, folder.path()).unwrap();
        network_of(folder.path())
    })
}

/// The way in which changes are noted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Noting {
    /// The service's own way.
    InTurns,
    /// Broken: all at once, in one turn.
    AtOnce,
}

/// Searches that wait for the permit for long work when the changes get it.
const SEARCHES: usize = 8;
/// Long enough for requests to stand in line.
const IN_LINE: Duration = Duration::from_millis(100);

/// Of the searches that wait for the only permit for long work while the changes have it, so many are answered before
/// the changes are noted.
async fn answered_meanwhile(noting: Noting) -> usize {
    let [old, new] = pair();
    let (old_index, new_index) = (Arc::clone(&old.index), Arc::clone(&new.index));
    let credentials = Credentials::new();
    let key = credentials.key(ORGANIZATION);
    let admission = Admission::new(NonZeroUsize::new(2).unwrap(), Duration::from_secs(60));
    let served = Served::since(old, new, &credentials, Limits::DEFAULT).admitted_by(Arc::clone(&admission));
    let served = Arc::new(served);
    let is_noted = Arc::new(AtomicBool::new(false));
    let permit = admission.acquire(ORGANIZATION, Class::Long).await.unwrap();
    let searches = (0..SEARCHES).map(|_| {
        let (served, key, is_noted) = (Arc::clone(&served), key.clone(), Arc::clone(&is_noted));
        tokio::spawn(async move {
            let search = json!({ "query": "engineers", "mode": "graph", "limit": 1 });
            assert_eq!(served.post("/api/v1/search/network", &key, &search).await.status, 200);
            !is_noted.load(Ordering::SeqCst)
        })
    });
    let searches: Vec<_> = searches.collect();
    tokio::time::sleep(IN_LINE).await;
    match noting {
        Noting::InTurns => {
            let (asking, path, credential) = (Arc::clone(&served), format!("{PATH}?since=1"), key.clone());
            let changes =
                tokio::spawn(async move { while asking.get(&path, &credential).await.status != 200 {} });
            tokio::time::sleep(IN_LINE).await;
            drop(permit);
            changes.await.unwrap();
            is_noted.store(true, Ordering::SeqCst);
        }
        Noting::AtOnce => {
            let predecessor = Predecessor::new(1, old_index, new_index);
            let comparison = predecessor.comparison(&Limits::DEFAULT);
            let mut noted = Vec::new();
            comparison.everybody().for_each(|person| comparison.note(person, &mut noted));
            assert!(!noted.is_empty());
            is_noted.store(true, Ordering::SeqCst);
            drop(permit);
        }
    }
    let mut answered = 0;
    for search in searches {
        answered += usize::from(search.await.unwrap());
    }
    answered
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn other_long_work_of_the_same_organization_goes_on_while_changes_are_noted() {
    let answered = answered_meanwhile(Noting::InTurns).await;
    assert!(answered >= SEARCHES / 2, "{answered} of {SEARCHES} searches were answered meanwhile");
}

/// The control: noted in one turn, they hold the only permit for long work to the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_that_are_noted_in_one_turn_are_caught() {
    assert_eq!(answered_meanwhile(Noting::AtOnce).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn all_who_ask_at_once_share_one_noting_and_get_the_same() {
    let [old, new] = pair();
    let predecessor = Arc::new(Predecessor::new(1, Arc::clone(&old.index), Arc::clone(&new.index)));
    let first = predecessor.start_noting().unwrap();
    assert!(predecessor.start_noting().is_none(), "one at a time");
    // Given up, as by a panic: the next one who asks has it.
    drop(first);
    assert!(predecessor.noted().await.is_none());
    let second = predecessor.start_noting().unwrap();
    let waiting = {
        let predecessor = Arc::clone(&predecessor);
        tokio::spawn(async move { predecessor.noted().await })
    };
    second.done(Vec::new());
    assert!(waiting.await.unwrap().is_some_and(|noted| noted.is_empty()));
    assert!(predecessor.start_noting().is_none(), "and never again");

    let credentials = Credentials::new();
    let key = credentials.key(ORGANIZATION);
    let served = Arc::new(Served::since(old, new, &credentials, Limits::DEFAULT));
    let asking = (0..8).map(|_| {
        let (served, key) = (Arc::clone(&served), key.clone());
        tokio::spawn(async move {
            loop {
                let answer = served.get(&format!("{PATH}?since=1&limit=3"), &key).await;
                if answer.status == 200 {
                    return answer.bytes;
                }
            }
        })
    });
    let mut answers = Vec::new();
    for task in asking.collect::<Vec<_>>() {
        answers.push(task.await.unwrap());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.len() > 500));
}
