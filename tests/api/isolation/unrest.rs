//! Isolation during changes: one organization makes requests of all kinds while another's network is reloaded, its
//! people are suppressed and restored, and it makes many requests itself.
//!
//! Every answer must equal, with all its headers, that of a service with only the first network and no changes.
//!
//! Promise: An organization is answered the same while others change: another one is reloaded, forgets people and asks
//!   too, and no byte and no header differs.
//! Control: the same, and it happens to the one that asks.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use kith_server::live::networks::Networks;
use kith_server::live::predecessor::Keep;
use kith_server::live::report::Outcome;
use kith_server::model::dataset::Dataset;
use kith_server::suppress::entry::EntryKind;
use tokio::runtime::Builder;

use crate::isolation::canary::{CANARY, marked, strings};
use crate::isolation::requests::Source;
use crate::isolation::{Tally, USERS_MAX};
use crate::oracle::Network;
use crate::oracle::random::{Dice, random_network};
use crate::support::{Answer, Credentials, Served, Visible, scale};
use crate::suppression::site::{Site, built};

/// Each turn is a reload, a suppression, and the suppression taken back.
const TURNS: usize = 6;

/// To which organization it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// To the one that does not ask.
    Foreign,
    /// To the one that asks: the control.
    Own,
}

/// An answer with every header but the request's id and the time.
fn seen(answer: &Answer) -> Visible<'_> {
    let headers = answer.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    let headers = headers.filter(|(name, _)| !["service-request-id", "date"].contains(name));
    (answer.status, headers.collect(), &answer.bytes)
}

/// Reloads the network of `dataset`, forgets one of its people and takes that back, until it is `over`.
fn trouble(site: &Site, dataset: &Dataset, turns: &AtomicUsize, over: &AtomicBool) {
    let (organization, people) = (&dataset.organization.id, &dataset.people);
    let handle = people.handles.iter().find(|handle| !handle.is_empty()).unwrap_or("nobody-at-all");
    let wish = [(EntryKind::LinkedinId, handle.to_owned())];
    let mut next = dataset.clone();
    while !over.load(Ordering::Relaxed) {
        let turn = turns.load(Ordering::Relaxed) + 1;
        next.organization.name = format!("turn {turn}");
        site.put(&next);
        let outcomes = site.reload();
        // One who was taken off the list may have come back by the file that was just put there: then it is loaded.
        let is_refused = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_));
        assert!(!outcomes.iter().any(is_refused), "{outcomes:?}");
        site.add(organization, &wish);
        thread::yield_now();
        site.remove(organization, &wish);
        turns.store(turn, Ordering::Relaxed);
    }
}

/// Two organizations on one service, and the first alone on another.
struct Two {
    datasets: [Dataset; 2],
    networks: [Network; 2],
    /// Every string of the tables of each.
    strings: [Vec<String>; 2],
    /// The credentials of each.
    credentials: [Vec<String>; 2],
    site: Site,
    alone: Served,
    beside: Served,
    _alone_site: Site,
}

impl Two {
    fn draw(seed: u64, credentials: &Credentials) -> Self {
        let tables = [random_network(seed), marked(&random_network(seed + 100_000), CANARY)];
        let datasets = tables.each_ref().map(built);
        let of = |dataset: &Dataset| {
            let organization = &dataset.organization.id;
            let users = dataset.members.user_ids.iter().take(USERS_MAX);
            let tokens = users.map(|user| credentials.token(organization, user));
            [credentials.key(organization)].into_iter().chain(tokens).collect()
        };
        let keeping = |datasets: &[&Dataset]| {
            Site::open_keeping(Site::folder(datasets), Networks::default(), Keep::OneBefore)
        };
        let (alone_site, site) = (keeping(&[&datasets[0]]), keeping(&[&datasets[0], &datasets[1]]));
        Self {
            networks: tables.each_ref().map(Network::from_tables),
            strings: tables.each_ref().map(strings),
            credentials: datasets.each_ref().map(of),
            alone: alone_site.served(credentials),
            beside: site.served(credentials),
            datasets,
            site,
            _alone_site: alone_site,
        }
    }

    /// Asks as the second organization, one request after the other, until it is `over`.
    async fn load(&self, seed: u64, over: &AtomicBool) -> usize {
        let [own, foreign] = &self.networks;
        let source = Source { own: foreign, foreign: own, foreign_strings: &self.strings[0] };
        let (mut dice, mut asked) = (Dice::new(seed), 0);
        while !over.load(Ordering::Relaxed) {
            let request = source.draw(&mut dice).request(&dice.pick(&self.credentials[1]));
            self.beside.send(request).await;
            asked += 1;
        }
        asked
    }

    /// Asks as the first organization until there were so many requests and turns.
    async fn pry(&self, seed: u64, requests: usize, turns: &AtomicUsize) -> Tally {
        let [own, foreign] = &self.networks;
        let source = Source { own, foreign, foreign_strings: &self.strings[1] };
        let (mut dice, mut tally) = (Dice::new(seed), Tally::default());
        while tally.requests < requests || turns.load(Ordering::Relaxed) < TURNS {
            let sent = source.draw(&mut dice);
            let credential = dice.pick(&self.credentials[0]);
            let alone = self.alone.send(sent.request(&credential)).await;
            let beside = self.beside.send(sent.request(&credential)).await;
            tally.note_if(&sent, &alone, &beside, seen(&alone) != seen(&beside));
        }
        tally
    }

    /// Asks while it happens to `whose` network, and while the second organization asks too.
    fn run(&self, whose: Whose, seed: u64, requests: usize) -> Tally {
        let (turns, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let troubled = &self.datasets[usize::from(whose == Whose::Foreign)];
        let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
        thread::scope(|scope| {
            let troubling = scope.spawn(|| {
                let outcome = catch_unwind(AssertUnwindSafe(|| trouble(&self.site, troubled, &turns, &over)));
                // Who asks waits for turns, and after a panic there are none.
                turns.fetch_max(TURNS, Ordering::Relaxed);
                outcome
            });
            let loading = scope.spawn(|| runtime().block_on(self.load(seed, &over)));
            let prying = scope.spawn(|| runtime().block_on(self.pry(seed, requests, &turns)));
            let tally = prying.join();
            over.store(true, Ordering::Relaxed);
            troubling.join().unwrap().unwrap_or_else(|panic| resume_unwind(panic));
            assert!(loading.join().unwrap() > 0, "the other asks too");
            tally.unwrap()
        })
    }
}

#[test]
fn nothing_that_happens_to_another_organization_while_one_asks_is_seen() {
    let (mut tally, pairs, credentials) = (Tally::default(), scale::of(3, 200), Credentials::new());
    for seed in 0..pairs {
        tally.add(Two::draw(seed, &credentials).run(Whose::Foreign, seed, 500));
    }
    println!("{pairs} pairs, {} requests during {TURNS} turns or more each", tally.requests);
    let first = tally.first.as_deref().unwrap_or("");
    assert_eq!((tally.leaks, tally.interferences), (0, 0), "of {}; the first: {first}", tally.requests);
    assert!(tally.prying > 100 * pairs as usize, "only {} requests named the other's data", tally.prying);
}

/// The control: the same, and it happens to the network of the organization that asks.
#[test]
fn what_happens_to_the_organization_that_asks_is_seen() {
    let tally = Two::draw(1, &Credentials::new()).run(Whose::Own, 1, 500);
    assert!(tally.interferences > 100, "{} of {}", tally.interferences, tally.requests);
}
