//! Sound requests with a few bytes changed: whatever becomes of them, every answer is in shape and the
//! connection ends.

use std::collections::BTreeMap;

use kith::server::guard::Deadlines;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::http_front::raw::{Front, answers};
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

#[test]
fn requests_with_changed_bytes_are_answered_in_shape() {
    let front = Front::start(Deadlines::DEFAULT, 100);
    let body = r#"{"query":"engineers in Oslo","limit":3}"#;
    let post = format!(
        "POST /api/v1/search/network HTTP/1.1\r\nHost: kith\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        front.key,
        body.len()
    );
    let sound = [front.request(""), front.request("X: y\r\nConnection: close\r\n"), post];
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut tally: BTreeMap<Vec<u16>, u64> = BTreeMap::new();
    let count = scale::of(1_500, 200_000);
    for number in 0..count {
        let mut bytes = sound[number as usize % sound.len()].clone().into_bytes();
        mutate(&mut random, &mut bytes);
        let statuses = answers(&front.exchange(&bytes)).iter().map(|answer| answer.status).collect();
        *tally.entry(statuses).or_default() += 1;
    }
    println!("{count} mutants, seed {SEED:#x}, answered: {tally:?}");
    let known = [200, 400, 401, 404, 405, 408, 413, 415, 431];
    assert!(tally.keys().flatten().all(|status| known.contains(status)), "{tally:?}");
    assert!(tally.contains_key(&vec![200]) && tally.contains_key(&vec![400]), "{tally:?}");
}
