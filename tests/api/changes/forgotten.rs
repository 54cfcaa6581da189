//! Both generations are compared without the people on today's suppression list.
//!
//! Promise: A person to forget is in no change from the next request on, also if the list matches them only in the
//!   generation before.
//! Control: the same two without the list differ.

use std::collections::BTreeSet;

use kith::limits::Limits;
use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;
use kith_server::live::report::Outcome;
use kith_server::suppress::entry::EntryKind;
use serde_json::Value;

use super::{Asking, EDITED, PATH, TINY, tables, tiny};
use crate::drawn::{at_least, share};
use crate::oracle::random::{Dice, random_edits, random_network};
use crate::oracle::{Caps, Network, Tables};
use crate::support::{Credentials, Served};
use crate::suppression::site::{Site, built};
use crate::suppression::tables::{Wish, named, wishes, without};

const PAIRS: u64 = 150;

fn handle(handle: &str) -> [Wish; 1] {
    [(EntryKind::LinkedinId, handle.to_owned())]
}

fn keeping(tables: &Tables) -> Site {
    Site::open_keeping(Site::folder(&[&built(tables)]), Networks::default(), Keep::OneBefore)
}

/// The tiny tables with this text instead of that one.
fn with(edits: usize, old: &str, new: &str) -> Tables {
    let mut tables = tables(edits);
    tables.files.iter_mut().for_each(|(_, text)| *text = text.replace(old, new));
    tables
}

/// All changes since `since`, page by page; `None` if it is gone.
async fn changes(served: &Served, key: &str, since: u64) -> Option<Vec<Value>> {
    let mut listed = Vec::new();
    loop {
        let path = format!("{PATH}?since={since}&limit=50&offset={}", listed.len());
        let answer = served.get(&path, key).await;
        if answer.status == 410 {
            return None;
        }
        let data = answer.json()["data"].take();
        listed.extend(data["changes"].as_array().unwrap().iter().cloned());
        if data["hasMore"] == false {
            return Some(listed);
        }
    }
}

/// A list that grows before the next snapshot comes, or after it: what is answered is what the oracle says of the tables
/// without those whom it names in either. Gives how many changes there were, and how many the list took away or made.
async fn compare(seed: u64, credentials: &Credentials) -> (usize, usize) {
    let dice = &mut Dice::new(seed);
    let old = random_network(seed);
    let new = random_edits(&old, dice.pick(&[4, 10, 40]), dice);
    let both = Tables { files: [old.files.clone(), new.files.clone()].concat() };
    let listed = wishes(&both, dice, 15);
    let is_before = dice.chance(40);
    let organization: Value = serde_json::from_str(old.organization()).unwrap();
    let organization = organization["id"].as_str().unwrap();
    let key = credentials.key(organization);

    let site = keeping(&old);
    let served = site.served(credentials);
    if is_before && !listed.is_empty() {
        site.add(organization, &listed);
    }
    let first = generation_of(&served, &key).await;
    site.put(&built(&new));
    site.reload();
    let second = generation_of(&served, &key).await;
    if first == second {
        // The edits came to nothing.
        return (0, 0);
    }
    if !is_before && !listed.is_empty() {
        // Nobody waits for what is noted of the two with them.
        let asked = changes(&served, &key, first).await;
        assert!(asked.is_some());
        site.add(organization, &listed);
    }
    let gone: BTreeSet<String> = &named(&old, &listed) | &named(&new, &listed);
    let [before, after] = [&old, &new].map(|tables| Network::from_tables(&without(tables, &gone)));
    let expected = before.changes_to(&after, &Caps::default());
    let now = generation_of(&served, &key).await;
    let got = changes(&served, &key, if now == second { first } else { second }).await;
    if now == second {
        assert_eq!(got, Some(expected.clone()), "seed {seed}");
    } else {
        // To forget a person was a generation of its own: between the two nothing else changed.
        assert_eq!((got, changes(&served, &key, first).await), (Some(vec![]), None), "seed {seed}");
    }
    let [before, after] = [&old, &new].map(Network::from_tables);
    let with_them = before.changes_to(&after, &Caps::default());
    (expected.len(), usize::from(with_them != expected))
}

async fn generation_of(served: &Served, key: &str) -> u64 {
    super::generation(&served.get("/api/v1/people/person_nobody", key).await)
}

#[tokio::test]
async fn changes_are_those_of_the_tables_without_them() {
    let credentials = Credentials::new();
    let (mut listed, mut differing) = (0, 0);
    for seed in 0..share(PAIRS) {
        let (changes, differs) = compare(seed, &credentials).await;
        listed += changes;
        differing += differs;
    }
    // The control: with them they would be others.
    assert!(listed > at_least(200) && differing > at_least(30), "{listed}, {differing}");
}

#[tokio::test]
async fn who_is_forgotten_once_the_one_before_is_kept_is_in_no_change() {
    let credentials = Credentials::new();
    for (wish, is_reload, left) in [
        // In the network in service too: to forget them makes a generation, and nothing else changed in it.
        ("pia-weiss", true, &[][..]),
        // Nobody in either.
        ("nobody-at-all", false, &EDITED[..]),
    ] {
        let site = keeping(&tables(0));
        let asking = Asking::new(site.served(&credentials), &credentials);
        let first = asking.now().await;
        site.put(&tiny(3));
        site.reload();
        let second = asking.now().await;
        assert_eq!(asking.changes(first).await.unwrap(), EDITED, "the control");
        site.add(TINY, &handle(wish));
        let now = asking.now().await;
        assert_eq!(now != second, is_reload, "{wish}");
        let before = if is_reload { second } else { first };
        assert_eq!(asking.changes(before).await.unwrap(), left, "{wish}");
        assert_eq!(asking.changes(now).await, Some(vec![]));
        assert_eq!(asking.changes(first).await.is_none(), is_reload);
    }
}

#[tokio::test]
async fn who_is_in_the_one_before_alone_leaves_it_at_once_and_no_generation_is_made() {
    let credentials = Credentials::new();
    let all = tables(0);
    let gone = named(&all, &handle("pia-weiss"));
    let site = keeping(&all);
    let asking = Asking::new(site.served(&credentials), &credentials);
    let first = asking.now().await;
    site.put(&built(&without(&all, &gone)));
    site.reload();
    let second = asking.now().await;
    let before = asking.changes(first).await.unwrap();
    assert!(before.contains(&"unreachable pia".to_owned()), "the control: {before:?}");
    site.add(TINY, &handle("pia-weiss"));
    assert_eq!(asking.changes(first).await, Some(vec![]), "the tables without her are the same");
    assert_eq!(asking.now().await, second);
    let networks = site.live.pin();
    let compared = networks.predecessors[TINY].comparison(&Limits::DEFAULT).everybody().count();
    assert_eq!(compared, networks.network_of(TINY).unwrap().index.inside.people().len());
}

#[tokio::test]
async fn whom_the_list_names_in_one_of_the_two_is_in_neither() {
    let credentials = Credentials::new();
    let renamed = with(3, "\"linkedinId\":\"pia-weiss\"", "\"linkedinId\":\"pia-w\"");
    let without_pia: Vec<&str> = EDITED.into_iter().filter(|change| !change.ends_with("pia")).collect();
    for (old, new) in [(&tables(0), &renamed), (&renamed, &tables(0))] {
        for is_before in [true, false] {
            let site = keeping(old);
            let asking = Asking::new(site.served(&credentials), &credentials);
            // By the handle that she has in the later tables, or in the earlier ones.
            for wish in ["pia-w", "pia-weiss"] {
                let in_new = new.files.iter().any(|(_, text)| text.contains(&format!("\"{wish}\"")));
                if is_before && in_new {
                    site.add(TINY, &handle(wish));
                }
            }
            let first = asking.now().await;
            site.put(&built(new));
            assert_eq!(site.reload(), [Outcome::Loaded]);
            if !is_before {
                let in_old = if old.files == renamed.files { "pia-w" } else { "pia-weiss" };
                site.add(TINY, &handle(in_old));
            }
            let said = asking.changes(first).await.unwrap();
            assert!(!said.iter().any(|change| change.ends_with("pia")), "{said:?}");
            assert_eq!(said.len(), without_pia.len(), "{said:?}");
            // The one in service is not changed by what the list names in the other.
            let served = asking.served.get("/api/v1/people/person_pia", &asking.key).await;
            assert_eq!(served.status, if is_before { 404 } else { 200 });
        }
    }
}

#[tokio::test]
async fn who_is_taken_off_the_list_is_new() {
    let credentials = Credentials::new();
    let site = keeping(&tables(0));
    site.add(TINY, &handle("pia-weiss"));
    let asking = Asking::new(site.served(&credentials), &credentials);
    let first = asking.now().await;
    site.remove(TINY, &handle("pia-weiss"));
    assert_ne!(asking.now().await, first);
    let changes = asking.changes(first).await.unwrap();
    assert!(changes.contains(&"reachable pia".to_owned()), "{changes:?}");
}
