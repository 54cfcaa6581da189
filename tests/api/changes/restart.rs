//! A generation of before a restart is never taken for another one of after it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;

use super::{Asking, tiny};
use crate::support::Credentials;
use crate::suppression::site::Site;

/// Serves three snapshots, ends, serves two others, and asks then for what changed since each generation of before the
/// restart: of how many of them there was an answer.
async fn answered(start: impl Fn(u32) -> Networks) -> usize {
    let credentials = Credentials::new();
    let mut seen = Vec::new();
    let mut folder = Site::folder(&[&tiny(0)]);
    for (run, snapshots) in [(0, &[1, 2][..]), (1, &[3])] {
        let site = Site::open_keeping(folder, start(run), Keep::OneBefore);
        let asking = Asking::new(site.served(&credentials), &credentials);
        let mut own = vec![asking.now().await];
        for &edits in snapshots {
            site.put(&tiny(edits));
            site.reload();
            own.push(asking.now().await);
            let before = own[own.len() - 2];
            assert!(asking.changes(before).await.is_some_and(|changes| !changes.is_empty()));
        }
        if run == 1 {
            let mut answered = 0;
            for since in seen {
                answered += usize::from(asking.changes(since).await.is_some());
            }
            return answered;
        }
        seen.extend(own);
        folder = site.folder;
    }
    unreachable!("the second run returns")
}

#[tokio::test]
async fn since_a_generation_of_before_a_restart_is_gone() {
    assert_eq!(answered(|_| Networks::starting_now()).await, 0);
    // Also if the clock was set back in between, even to before 1970, or stands nearly still.
    let time = SystemTime::now();
    let times = [time, time - Duration::from_secs(3_600), UNIX_EPOCH - Duration::from_secs(7), time];
    for pair in times.windows(2) {
        assert_eq!(answered(|run| Networks::starting_at(pair[run as usize])).await, 0);
    }
    assert_eq!(answered(|run| Networks::starting_at(time + Duration::from_millis(run.into()))).await, 0);
    // Every number is one that JSON readers keep to the digit.
    assert!(Networks::starting_at(time).generation_of("any") < 1 << 53);
}

/// The control: numbered from 1 at each start, two of the three mean other networks.
#[tokio::test]
async fn generations_that_are_numbered_from_one_at_each_start_are_caught() {
    assert_eq!(answered(|_| Networks::default()).await, 2);
}
