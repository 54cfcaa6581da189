//! Valid requests with a few bytes changed: every answer is well-formed and the connection ends.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use kith_server::server::guard::Deadlines;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::http_front::raw::{Front, answers, closing_silently, exchange};
use crate::support::scale;

const SEED: u64 = 0x6b69_7468;

fn mutate(random: &mut ChaCha8Rng, bytes: &mut Vec<u8>) {
    for _ in 0..=random.next_u32() % 4 {
        let at = random.next_u32() as usize % bytes.len();
        let other = b"\r\n :\0\t0\xff,/"[random.next_u32() as usize % 10];
        match random.next_u32() % 5 {
            0 => bytes[at] = random.next_u32() as u8,
            1 => bytes[at] = other,
            2 => bytes.insert(at, other),
            3 if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => bytes.truncate(at.max(1)),
        }
    }
}

/// How many whole heads are in `sent`: as many answers are owed, or fewer of which the last is an error. Blank lines
/// before a head are passed over, and a line may end without a carriage return.
fn heads(mut sent: &[u8]) -> usize {
    let mut heads = 0;
    loop {
        let blank = sent.iter().take_while(|byte| b"\r\n".contains(byte)).count();
        sent = &sent[blank..];
        let ends = (0..sent.len()).find_map(|at| {
            let end = [&b"\n\r\n"[..], b"\n\n"].into_iter().find(|end| sent[at..].starts_with(end))?;
            Some(at + end.len())
        });
        let Some(end) = ends else { return heads };
        heads += 1;
        sent = &sent[end..];
    }
}

#[derive(Debug, Default)]
struct Outcome {
    /// Mutants by the statuses of their answers.
    tally: BTreeMap<Vec<u16>, u64>,
    /// Mutants to which an answer was owed that did not come, or not the one that a sound request gets.
    silent: Vec<String>,
    /// Mutants that got more answers than there were requests in them.
    answered_twice: Vec<String>,
}

/// Sends this many mutants of valid requests to `address`, where `front` or a control answers.
fn send_mutants(front: &Front, address: SocketAddr, count: u64) -> Outcome {
    let body = r#"{"query":"engineers in Oslo","limit":3}"#;
    let post = format!(
        "POST /api/v1/search/network HTTP/1.1\r\nHost: kith\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        front.key,
        body.len()
    );
    let sound = [front.request(""), front.request("X: y\r\nConnection: close\r\n"), post];
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut outcome = Outcome::default();
    for number in 0..count {
        let original = sound[number as usize % sound.len()].as_bytes();
        let mut bytes = original.to_vec();
        mutate(&mut random, &mut bytes);
        let got = answers(&exchange(address, &bytes));
        let statuses: Vec<u16> = got.iter().map(|answer| answer.status).collect();
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        let heads = heads(&bytes);
        // Bytes after the last head get at most one more answer: they are not a request.
        if statuses.len() > heads + 1 {
            outcome.answered_twice.push(text());
        }
        let is_cut_short = statuses.last().is_some_and(|&status| status >= 400);
        let is_sound = bytes == original;
        if (is_sound && statuses != [200]) || (statuses.len() < heads && !is_cut_short) {
            outcome.silent.push(text());
        }
        *outcome.tally.entry(statuses).or_default() += 1;
    }
    outcome
}

#[test]
fn requests_with_changed_bytes_are_answered_in_shape() {
    let front = Front::start(Deadlines::DEFAULT, 100);
    let count = scale::of(1_500, 200_000);
    let Outcome { tally, silent, answered_twice } = send_mutants(&front, front.address, count);
    println!("{count} mutants, seed {SEED:#x}, answered: {tally:?}");
    let known = [200, 400, 401, 404, 405, 408, 413, 415, 431];
    assert!(tally.keys().flatten().all(|status| known.contains(status)), "{tally:?}");
    assert!(tally.contains_key(&vec![200]) && tally.contains_key(&vec![400]), "{tally:?}");
    assert_eq!((silent, answered_twice), (vec![], vec![]));
}

/// The control: a server that closes one connection in ten without an answer.
#[test]
fn a_server_that_closes_silently_is_caught() {
    let front = Front::start(Deadlines::DEFAULT, 100);
    let outcome = send_mutants(&front, closing_silently(front.address, 10), 300);
    println!("control: {} of 300 mutants without the answer that is owed", outcome.silent.len());
    assert!((15..=30).contains(&outcome.silent.len()), "{outcome:?}");
}
