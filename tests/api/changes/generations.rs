//! The generation that is kept across reloads, and the answer for any other one.
//!
//! Promise: The generation before is kept, any other is gone, and no number means two networks, on any server.
//! Control: nothing is kept.
//! Also in: `tests/process/keeping.rs`, `src/networks/live/generation.rs`.

use std::fs;

use axum::http::Method;
use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;
use kith_server::live::report::Outcome;

use super::{Asking, EDITED, PATH, TINY, tiny};
use crate::support::Credentials;
use crate::suppression::site::Site;

fn site(keep: Keep) -> Site {
    Site::open_keeping(Site::folder(&[&tiny(0)]), Networks::default(), keep)
}

#[tokio::test]
async fn the_one_before_is_kept_and_any_other_is_gone() {
    let credentials = Credentials::new();
    let site = site(Keep::OneBefore);
    let asking = Asking::new(site.served(&credentials), &credentials);
    let none = Some(vec![]);
    let first = asking.now().await;
    assert_eq!((asking.changes(first).await, asking.changes(first - 1).await), (none.clone(), None));

    site.put(&tiny(3));
    assert_eq!(site.reload(), [Outcome::Loaded]);
    let second = asking.now().await;
    assert_eq!(asking.changes(first).await.unwrap(), EDITED);
    assert_eq!((asking.changes(second).await, asking.changes(second + 1).await), (none.clone(), None));
    // Computed changes are answered again, also after a reload that changes nothing.
    assert_eq!(site.reload(), [Outcome::Unchanged]);
    assert_eq!(asking.changes(first).await.unwrap(), EDITED);
    assert_eq!(asking.now().await, second);

    site.put(&tiny(1));
    assert_eq!(site.reload(), [Outcome::Loaded]);
    assert_eq!(asking.changes(first).await, None);
    assert_eq!(asking.changes(second).await.unwrap(), ["position que", "unreachable sol", "reachable tom"]);
    assert_eq!(asking.changes(asking.now().await).await, none);
    // A file that is refused changes nothing.
    fs::write(site.folder.path().join("org_tiny.kith"), "damaged").unwrap();
    assert!(matches!(site.reload()[..], [Outcome::Refused(_)]));
    assert_eq!(asking.changes(second).await.unwrap().len(), 3);
    // The first network again has its name again.
    site.put(&tiny(0));
    assert_eq!(site.reload(), [Outcome::Loaded]);
    assert_eq!(
        (asking.now().await, asking.changes(first).await, asking.changes(second).await),
        (first, none, None)
    );
}

#[tokio::test]
async fn what_happens_to_others_leaves_it_and_what_is_unloaded_is_gone() {
    let credentials = Credentials::new();
    let mut other = tiny(0);
    other.organization.id = "org_other".to_owned();
    let folder = Site::folder(&[&tiny(0), &other]);
    let site = Site::open_keeping(folder, Networks::default(), Keep::OneBefore);
    let asking = Asking::new(site.served(&credentials), &credentials);
    let first = asking.now().await;
    site.put(&tiny(3));
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Loaded]);
    let second = asking.now().await;
    let key = credentials.key("org_other");
    let mut numbers = Vec::new();
    for name in ["one", "two"] {
        name.clone_into(&mut other.organization.name);
        site.put(&other);
        assert_eq!(site.reload(), [Outcome::Loaded, Outcome::Unchanged]);
        assert_eq!(asking.changes(first).await.unwrap(), EDITED);
        numbers.push(super::generation(&asking.served.get("/api/v1/people/person_nobody", &key).await));
    }
    let others =
        async |since: u64| asking.served.get(&format!("{PATH}?since={since}"), &key).await.status.as_u16();
    assert_eq!((others(numbers[1]).await, others(numbers[0]).await, others(first).await), (200, 200, 410));

    let file = site.folder.path().join("org_tiny.kith");
    let bytes = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Unloaded]);
    assert_eq!(asking.since(first).await.status, 503);
    fs::write(&file, bytes).unwrap();
    assert_eq!(site.reload(), [Outcome::Unchanged, Outcome::Loaded]);
    // An unloaded network is gone from memory, whatever was loaded since.
    assert_eq!((asking.now().await, asking.changes(first).await), (second, None));
}

/// The generations that the page's log-in names: the one in service, and the one before it.
async fn named(asking: &Asking) -> (u64, Option<u64>) {
    let bearer = format!("Bearer {}", asking.key);
    let answer = asking.served.ask(Method::GET, "/explore/login", &[("authorization", &bearer)]).await;
    let data = &answer.json()["data"];
    (data["generation"].as_u64().unwrap(), data["before"].as_u64())
}

#[tokio::test]
async fn the_log_in_of_the_page_names_the_generation_since_which_changes_can_be_asked_for() {
    let credentials = Credentials::new();
    for (keep, is_kept) in [(Keep::OneBefore, true), (Keep::InService, false)] {
        let site = site(keep);
        let asking = Asking::new(site.served(&credentials), &credentials);
        let first = asking.now().await;
        assert_eq!(named(&asking).await, (first, None), "{keep:?}");
        site.put(&tiny(3));
        site.reload();
        assert_eq!(named(&asking).await, (asking.now().await, is_kept.then_some(first)), "{keep:?}");
        assert_eq!(asking.changes(first).await.is_some(), is_kept, "{keep:?}");
    }
}

/// The control: the same reload if nothing is kept.
#[tokio::test]
async fn by_default_nothing_is_kept() {
    let credentials = Credentials::new();
    let site = site(Keep::InService);
    let asking = Asking::new(site.served(&credentials), &credentials);
    let first = asking.now().await;
    site.put(&tiny(3));
    site.reload();
    assert_eq!((asking.changes(first).await, asking.changes(asking.now().await).await), (None, Some(vec![])));
}

#[tokio::test]
async fn memory_of_what_is_kept_is_freed_once_it_is_not_and_counted_until_then() {
    let credentials = Credentials::new();
    let site = site(Keep::OneBefore);
    let asking = Asking::new(site.served(&credentials), &credentials);
    let first = std::sync::Arc::downgrade(&site.network(TINY).await.index);
    let since = asking.now().await;
    site.put(&tiny(3));
    site.reload();
    site.live.wait_until_retired();
    assert_eq!(asking.changes(since).await.unwrap(), EDITED);
    let networks = site.live.pin();
    let network = networks.network_of(TINY).unwrap();
    let (kept, index) = (&networks.predecessors[TINY], &network.index);
    assert!(first.strong_count() > 0 && kept.size_bytes(index) > first.upgrade().unwrap().size_bytes());
    drop(networks);
    site.put(&tiny(1));
    site.reload();
    site.live.wait_until_retired();
    assert_eq!(first.strong_count(), 0);
}

#[tokio::test]
async fn parameters_come_before_the_generation_and_credentials_before_both() {
    let credentials = Credentials::new();
    let site = site(Keep::OneBefore);
    let asking = Asking::new(site.served(&credentials), &credentials);
    let first = format!("since={}", asking.now().await);
    site.put(&tiny(3));
    site.reload();
    let powerless = credentials.token_with(TINY, "user_ana", "mcp:write");
    let elsewhere = credentials.key("org_elsewhere");
    for (query, credential, status) in [
        (&*format!("{first}&limit=0"), &*asking.key, 400),
        ("since=7&limit=0", &asking.key, 400),
        ("since=7&offset=x", &asking.key, 400),
        ("since=1&since=1", &asking.key, 400),
        ("since=", &asking.key, 400),
        ("", &asking.key, 400),
        ("since=-1", &asking.key, 400),
        ("since=1.0", &asking.key, 400),
        ("since=%2B1", &asking.key, 400),
        ("since=one", &asking.key, 400),
        ("since=18446744073709551616", &asking.key, 400),
        ("since=18446744073709551615", &asking.key, 410),
        ("since=0", &asking.key, 410),
        (&format!("{first}&colour=blue"), &asking.key, 200),
        (&format!("{first}&offset=99"), &asking.key, 200),
        ("since=7&limit=0", "nonsense", 401),
        ("since=7&limit=0", &powerless, 403),
        ("since=7&limit=0", &elsewhere, 503),
    ] {
        let answer = asking.served.get(&format!("{PATH}?{query}"), credential).await;
        assert_eq!(answer.status, status, "{query}: {}", answer.json());
        if status == 400 {
            let sentence = answer.json()["error"].as_str().unwrap().to_owned();
            assert!(["since", "limit", "offset"].iter().any(|name| sentence.starts_with(name)), "{sentence}");
        }
    }
}
