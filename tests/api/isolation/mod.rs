//! Isolation: no answer to one organization reveals anything about another on the same server.
//!
//! One service has two networks. Every string of the second contains a canary, and requests of all kinds use the first
//! one's credentials. No answer may contain the canary, and every answer must equal, byte for byte, that of a service
//! without the second network.
//!
//! Promise: An organization's answers do not depend on others.
//! Control: broken networks.

mod agents;
mod canary;
mod changes;
mod requests;
mod unrest;

use std::collections::BTreeMap;
use std::sync::Arc;

use kith::limits::Limits;
use kith_server::live::network::LiveNetwork as Indexed;

use crate::drawn::{at_least, share};
use crate::isolation::canary::{CANARY, holds_canary, leaks, marked, only_echoes, only_terms, strings};
use crate::isolation::requests::{CHANGES, ENDPOINTS, Sent, Source};
use crate::oracle::random::{Dice, random_edits, random_network};
use crate::oracle::{Network, Tables};
use crate::support::{Answer, Credentials, Served, network_of};

const PAIRS: u64 = 40;
const REQUESTS_PER_PAIR: usize = 5_000;
/// Of every organization these ask: its key, and so many of its users.
const USERS_MAX: usize = 3;

/// Two networks, and what answers for them.
struct Pair {
    own: Network,
    foreign: Network,
    foreign_strings: Vec<String>,
    /// The credentials of the first organization.
    credentials: Vec<String>,
    /// Serves the first network alone.
    alone: Served,
    /// Serves both, or whatever a control makes of them.
    beside: Served,
}

/// How the second network is put beside the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// As an organization of its own.
    Apart,
    /// Broken: the first organization's credentials lead to the second network.
    Instead,
    /// Broken: the rows of the second stand in the tables of the first.
    Merged,
    /// Broken as before, and without a canary.
    MergedInSilence,
}

fn indexed(tables: &Tables) -> Indexed {
    let folder = tempfile::tempdir().unwrap();
    tables.write(folder.path());
    network_of(folder.path())
}

/// The network of `tables`, and before it one from which it came by some edits.
fn indexed_since(tables: &Tables, seed: u64) -> [Indexed; 2] {
    let before = random_edits(tables, 10, &mut Dice::new(seed));
    [indexed(&before), indexed(tables)]
}

/// The rows of both; the organization is the first one's.
fn merged(first: &Tables, second: &Tables) -> Tables {
    let mut files: BTreeMap<String, String> = first.files.iter().cloned().collect();
    for (name, text) in second.files.iter().filter(|(name, _)| name != "organization.json") {
        files.entry(name.clone()).or_default().push_str(text);
    }
    Tables { files: files.into_iter().collect() }
}

impl Pair {
    fn draw(seed: u64, beside: Beside, credentials: &Credentials) -> Self {
        let mark = if beside == Beside::MergedInSilence { "stranger" } else { CANARY };
        let (first, second) = (random_network(seed), marked(&random_network(seed + 100_000), mark));
        let own = indexed_since(&first, seed);
        let organization = own[1].index.data.organization.id.clone();
        let served: Vec<[Indexed; 2]> = match beside {
            Beside::Apart => vec![indexed_since(&first, seed), indexed_since(&second, seed)],
            Beside::Instead => {
                let mut networks = indexed_since(&second, seed);
                for network in &mut networks {
                    let index = Arc::get_mut(&mut network.index).unwrap();
                    index.snapshot_mut().data.organization.id.clone_from(&organization);
                }
                vec![networks]
            }
            Beside::Merged | Beside::MergedInSilence => vec![indexed_since(&merged(&first, &second), seed)],
        };
        let users = own[1].index.data.members.user_ids.iter().take(USERS_MAX);
        let tokens = users.map(|user| credentials.token(&organization, user));
        let keys = [credentials.key(&organization)];
        Self {
            credentials: keys.into_iter().chain(tokens).collect(),
            own: Network::from_tables(&first),
            foreign: Network::from_tables(&second),
            foreign_strings: strings(&second),
            alone: Served::all_since([own], credentials, Limits::DEFAULT),
            beside: Served::all_since(served, credentials, Limits::DEFAULT),
        }
    }
}

/// The outcome of many requests.
#[derive(Debug, Default)]
struct Tally {
    requests: usize,
    leaks: usize,
    interferences: usize,
    /// Requests that named something of the other network.
    prying: usize,
    /// Errors that repeated a canary to who sent it.
    echoes: usize,
    /// Searches that repeated a canary to who searched for it.
    terms: usize,
    /// By endpoint and status.
    answers: BTreeMap<(String, u16), usize>,
    /// The first answer that should not have been.
    first: Option<String>,
}

impl Tally {
    fn note(&mut self, sent: &Sent, alone: &Answer, beside: &Answer) {
        self.note_if(sent, alone, beside, alone.visible() != beside.visible());
    }

    /// Like [`Self::note`]; `interferes` says whether the two answers differ.
    fn note_if(&mut self, sent: &Sent, alone: &Answer, beside: &Answer, interferes: bool) {
        let leaks = leaks(sent, beside);
        self.requests += 1;
        self.leaks += usize::from(leaks);
        self.interferences += usize::from(interferes);
        self.prying += usize::from(holds_canary(format!("{sent:?}").as_bytes()));
        self.echoes += usize::from(holds_canary(&beside.bytes) && only_echoes(sent, beside));
        self.terms += usize::from(holds_canary(&beside.bytes) && only_terms(sent, beside));
        *self.answers.entry((sent.endpoint().to_owned(), beside.status.as_u16())).or_default() += 1;
        if self.first.is_none() && (leaks || interferes) {
            let body = |answer: &Answer| String::from_utf8_lossy(&answer.bytes).into_owned();
            self.first = Some(format!("{sent:?}\nalone:  {}\nbeside: {}", body(alone), body(beside)));
        }
    }

    fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.leaks += other.leaks;
        self.interferences += other.interferences;
        self.prying += other.prying;
        self.echoes += other.echoes;
        self.terms += other.terms;
        other.answers.into_iter().for_each(|(key, count)| *self.answers.entry(key).or_default() += count);
        self.first = self.first.take().or(other.first);
    }
}

/// Asks about one pair of networks.
async fn pry(seed: u64, beside: Beside, requests: usize, credentials: &Credentials) -> Tally {
    let pair = Pair::draw(seed, beside, credentials);
    let source = Source { own: &pair.own, foreign: &pair.foreign, foreign_strings: &pair.foreign_strings };
    let (mut dice, mut tally) = (Dice::new(seed), Tally::default());
    for _ in 0..requests {
        let sent = source.draw(&mut dice);
        let credential = dice.pick(&pair.credentials);
        let alone = pair.alone.send(sent.request(&credential)).await;
        let beside = pair.beside.send(sent.request(&credential)).await;
        tally.note(&sent, &alone, &beside);
    }
    tally
}

/// Asks about many pairs, on all cores.
fn pry_all(pairs: u64, beside: Beside, requests: usize) -> Tally {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let work = |thread: u64| {
        let credentials = Credentials::new();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut tally = Tally::default();
        for seed in (thread..pairs).step_by(threads as usize) {
            tally.add(runtime.block_on(pry(seed, beside, requests, &credentials)));
        }
        tally
    };
    let mut whole = Tally::default();
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        running.into_iter().for_each(|thread| whole.add(thread.join().unwrap()));
    });
    whole
}

#[test]
fn nothing_of_another_organization_is_shown_and_nothing_changes_if_it_is_served_too() {
    let tally = pry_all(share(PAIRS), Beside::Apart, REQUESTS_PER_PAIR);
    let first = tally.first.as_deref().unwrap_or("");
    assert_eq!(
        (tally.leaks, tally.interferences),
        (0, 0),
        "of {} requests; the first: {first}",
        tally.requests
    );
    assert!(tally.requests >= at_least(195_000), "only {} requests", tally.requests);
    assert!(tally.prying > at_least(100_000), "only {} requests named the other's data", tally.prying);
    assert!(tally.echoes > at_least(5_000), "only {} errors repeated it", tally.echoes);
    let answered =
        |endpoint: &str, status: u16| tally.answers.get(&(endpoint.to_owned(), status)).copied().unwrap_or(0);
    let said = &tally.answers;
    for endpoint in ENDPOINTS {
        let asked: usize = said.iter().filter(|((to, _), _)| to == endpoint).map(|(_, count)| count).sum();
        assert!(asked > at_least(300), "{endpoint}: {said:?}");
    }
    for endpoint in
        ["search/warm-paths", "search/people", "connections", "people/network", "ghost/opportunities"]
    {
        assert!(answered(&format!("/api/v1/{endpoint}"), 200) > at_least(2_000), "{endpoint}: {said:?}");
    }
    for (status, least) in [(200, 1_000), (400, 300), (410, 300)] {
        assert!(answered(CHANGES, status) > at_least(least), "{status}: {said:?}");
    }
    assert!(answered("/api/v1/search/warm-paths/batch", 200) > at_least(1_000), "{said:?}");
    assert!(answered("/api/v1/search/warm-paths/batch", 400) > at_least(300), "{said:?}");
    assert!(tally.terms > at_least(500), "only {} searches said what they looked for", tally.terms);
    assert!(answered("/api/v1/search/network", 200) > at_least(3_000), "{said:?}");
    assert!(answered("/api/v1/search/network", 400) > at_least(1_000), "{said:?}");
    for (endpoint, status) in [("people/{id}", 200), ("people/{id}", 404), ("/api/v1/people/network", 403)] {
        assert!(answered(endpoint, status) > at_least(1_000), "{endpoint} {status}: {said:?}");
    }
}

/// The control: services that do leak are caught, by each of the two checks where it can see it.
#[test]
fn services_that_leak_are_caught() {
    for (beside, is_marked) in
        [(Beside::Instead, true), (Beside::Merged, true), (Beside::MergedInSilence, false)]
    {
        let tally = pry_all(6, beside, 200);
        assert_eq!(tally.leaks > 100, is_marked, "{beside:?}: {} leaks", tally.leaks);
        assert!(tally.interferences > 100, "{beside:?}: {} interferences", tally.interferences);
    }
}

/// The control: an error that says more than what was sent is no echo, and neither is any other answer.
#[test]
fn only_what_was_sent_may_be_repeated_and_only_in_a_validation_error() {
    let sent = |value: &str| Sent::with_values(vec![value.to_owned()]);
    let answer = |status: u16, body: &str| Answer {
        status: axum::http::StatusCode::from_u16(status).unwrap(),
        headers: Default::default(),
        bytes: body.as_bytes().to_vec(),
    };
    let error = |sentence: &str| format!(r#"{{"error":"{sentence}","code":"validation_error"}}"#);
    let echo =
        error("limit was \"qzxcanary1\"; expected a number.").replace("\"qzxcanary1\"", "\\\"qzxcanary1\\\"");
    assert!(!leaks(&sent("qzxcanary1"), &answer(400, &echo)));
    for (value, status, body) in [
        ("qzxcanary", 400, echo.as_str()),
        ("qzxcanary12", 400, &echo),
        ("qzxcanary1", 404, &echo),
        ("qzxcanary1", 400, &echo.replace("a number", "QzxCanary1")),
        ("qzxcanary1", 400, &echo.replace("}", ",\"hint\":\"x\"}")),
        ("qzxcanary1", 400, &echo.replace("validation_error", "other")),
        ("qzxcanary1", 200, r#"{"data":"qzxcanary1"}"#),
    ] {
        assert!(leaks(&sent(value), &answer(status, body)), "{value}: {body}");
    }
}

/// The control: an answer may repeat what a search looked for, if it was sent, and nothing else with it.
#[test]
fn only_what_was_searched_for_may_be_shown_and_only_as_such() {
    let sent = Sent::search("engineers at Qzxcanary Acme");
    let answer = |status: u16, term: &str, name: &str| Answer {
        status: axum::http::StatusCode::from_u16(status).unwrap(),
        headers: Default::default(),
        bytes: format!(r#"{{"data":[{{"name":"{name}"}}],"meta":{{"searchTerms":["engineer","{term}"]}}}}"#)
            .into_bytes(),
    };
    assert!(!leaks(&sent, &answer(200, "qzxcanary acme", "Kim")));
    for (status, term, name) in
        [(200, "qzxcanary2", "Kim"), (200, "acme", "Qzxcanary"), (400, "qzxcanary acme", "Kim")]
    {
        assert!(leaks(&sent, &answer(status, term, name)), "{status} {term} {name}");
    }
    assert!(leaks(&Sent::with_values(vec!["qzxcanary".to_owned()]), &answer(200, "qzxcanary", "Kim")));
}
