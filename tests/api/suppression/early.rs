//! While a network is rebuilt without people, only requests about affected people wait.
//!
//! Promise: While a network is made again without people, profiles, paths and searches in which they have no part are
//!   answered at once, as by the network without them; all other requests wait.
//! Control: of the answers that wait some are others than before.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::FutureExt;
use kith::limits::Limits;
use kith_server::suppress::entry::EntryKind;

use crate::oracle::Network;
use crate::oracle::random::{Dice, random_network, random_request};
use crate::support::encoding::{encoded, query_string};
use crate::support::{Answer, Credentials, Served, scale};
use crate::suppression::site::{Site, alone, built, fixture};
use crate::suppression::tables::{Wish, marked, named, without};

/// How many requests were answered at once, how many waited, and to how many of these the answer changed.
#[derive(Debug, Default)]
struct Counts {
    at_once: usize,
    waited: usize,
    changed: usize,
}

/// Some people who are no members, no advocates and in no preference, by their handles.
fn plain_people(network: &Network, dice: &mut Dice) -> Vec<Wish> {
    let mut others: BTreeSet<&str> =
        network.members.values().map(|member| member.person_id.as_str()).collect();
    others.extend(network.advocates.iter().map(|advocate| advocate.person_id.as_str()));
    let plain: Vec<&String> = network
        .people
        .values()
        .filter(|person| !others.contains(person.id.as_str()))
        .filter_map(|person| person.linkedin_id.as_ref())
        .collect();
    let some = if plain.is_empty() { 0 } else { 1 + dice.below(2) };
    (0..some).map(|_| (EntryKind::LinkedinId, (*dice.pick(&plain)).clone())).collect()
}

/// Addresses of all kinds: each person's and company's, searches, and other requests.
fn questions(network: &Network, dice: &mut Dice) -> Vec<String> {
    let mut all = Vec::new();
    for id in network.people.keys() {
        all.push(format!("/api/v1/people/{}?include=ties,evidence", encoded(id)));
        let extras = dice.pick(&["", "&include=match,evidence", "&include=reasons,near", "&limit=2"]);
        all.push(format!("/api/v1/search/warm-paths?prospectId={}{extras}", encoded(id)));
    }
    for id in network.companies.keys() {
        let extras = dice.pick(&["", "&includeIntroRequested=true", "&groupBy=target", "&include=reasons"]);
        all.push(format!("/api/v1/search/warm-paths?prospectId={}{extras}", encoded(id)));
    }
    for text in ["a", "e", "en", "in-", "x"] {
        for extras in ["", "&limit=1", "&limit=3&include=ties", "&includeSecondDegree=false", "&include=page"]
        {
            all.push(format!("/api/v1/search/people?q={text}{extras}"));
        }
    }
    for _ in 0..30 {
        let request = random_request(network, dice);
        let path: Vec<String> = request.path.split('/').map(encoded).collect();
        all.push(format!("{}?{}", path.join("/"), query_string(&request.params)));
    }
    all
}

/// Sends every request while the network is rebuilt, and again afterwards.
async fn trial(seed: u64, counts: &mut Counts) {
    let mut dice = Dice::new(seed);
    let tables = marked(&random_network(seed));
    let (network, full) = (Network::from_tables(&tables), built(&tables));
    let wishes = plain_people(&network, &mut dice);
    if wishes.is_empty() {
        return;
    }
    let credentials = Credentials::new();
    let organization = full.organization.id.clone();
    let user = network.members.keys().next().map(|user| credentials.token(&organization, user));
    let credential =
        user.filter(|_| seed.is_multiple_of(2)).unwrap_or_else(|| credentials.key(&organization));
    let mut other = built(&fixture("fixtures/tiny"));
    let site = Site::of(&[&full, &other]);
    let served = site.served(&credentials);
    let all = questions(&network, &mut dice);
    let mut before = Vec::new();
    for question in &all {
        before.push(served.get(question, &credential).await);
    }

    // A reload that cannot go on, since what the one before it replaced is still read: the next one waits behind it.
    let pin = site.live.pin();
    other.organization.name = "another".to_owned();
    site.put(&other);
    site.reload();
    let held_up = site.reloader.reload();
    site.add(&organization, &wishes);
    // Until the affected people are known.
    let _ = tokio::time::timeout(Duration::from_millis(300), served.get(&all[0], &credential)).await;
    let at_once: Vec<Option<Answer>> = all
        .iter()
        .map(|question| Box::pin(served.get(question, &credential)).as_mut().now_or_never())
        .collect();
    drop(pin);
    held_up.ended().await.unwrap();

    let place = tempfile::tempdir().unwrap();
    let expected = built(&without(&tables, &named(&tables, &wishes)));
    let expected = Served::networks([alone(&expected, place.path())], &credentials, Limits::DEFAULT);
    for ((question, at_once), before) in all.iter().zip(&at_once).zip(&before) {
        let expected = expected.get(question, &credential).await;
        let Some(answer) = at_once else {
            counts.waited += 1;
            counts.changed += usize::from(expected.visible() != before.visible());
            continue;
        };
        counts.at_once += 1;
        let texts = [answer, &expected].map(|answer| String::from_utf8_lossy(&answer.bytes));
        assert!(answer.visible() == expected.visible(), "seed {seed}: {question} {wishes:?}\n{texts:#?}");
    }
}

#[tokio::test]
async fn who_has_no_part_in_it_is_answered_at_once_and_as_without_those_who_leave() {
    let mut counts = Counts::default();
    let seeds = scale::of(24, 2_000);
    for seed in 0..seeds {
        trial(seed, &mut counts).await;
    }
    let few = 10 * seeds as usize;
    assert!(counts.at_once > few && counts.waited > few && counts.changed > few, "{counts:?}");
}
