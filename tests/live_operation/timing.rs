//! What timing tells of who exists: pairs of requests, one for somebody outside the network and one for
//! nobody, in an order of chance, and the differences of how long they took.

use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::http::Connection;
use crate::program::{Site, project, run_well};
use crate::sample::Sample;
use crate::support::scale;

const SEED: u64 = 0x7469_6d65;

/// Asks for pairs, `of(true)` and `of(false)`; how much longer the first took than the second, in nanoseconds.
fn differences(pairs: u64, mut of: impl FnMut(bool, u64) -> u64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let one = |pair: u64| {
        let is_first = random.next_u32() % 2 == 0;
        let [a, b] = [is_first, !is_first].map(|is_first| of(is_first, pair) as i64);
        if is_first { a - b } else { b - a }
    };
    Sample::new((0..pairs).map(one).collect())
}

fn report(what: &str, pairs: u64, sample: &Sample) {
    let (low, high) = sample.median_interval();
    println!(
        "{what}: {pairs} pairs, seed {SEED:#x}: median {} ns, 99 % [{low}, {high}], z {:.2}",
        sample.quantile(0.5),
        sample.sign_z()
    );
}

/// A served demo network, who is outside it, and a key.
struct Place {
    _site: Site,
    _server: crate::program::Server,
    connection: Connection,
    key: String,
    outside: Vec<String>,
}

impl Place {
    fn new() -> Self {
        let site = Site::new();
        let tables = project("fixtures/demo/harbourlight");
        let file = site.snapshot("harbourlight.kith");
        run_well(&["build", tables.to_str().unwrap(), "--out", file.to_str().unwrap()]);
        let organization = kith::snapshot::read::load(&file).unwrap().dataset.organization.id;
        let key = site.create_key(&organization, "timing");
        // Those who were asked for are never the last who were, so that no cache tells them apart.
        let people = kith::snapshot::read::load(&file).unwrap().dataset.people;
        let server = site.serve("error");
        let mut connection = Connection::open(server.api);
        let outside = people
            .ids
            .iter()
            .filter(|id| connection.get(&format!("/api/v1/people/{id}"), &key).status == 404);
        let outside: Vec<String> = outside.map(str::to_owned).collect();
        assert!(outside.len() > 20, "{} people outside", outside.len());
        Self { _site: site, _server: server, connection, key, outside }
    }

    /// Somebody outside, or the id of nobody that is as long and sorts beside theirs.
    fn id(&self, exists: bool, pair: u64) -> String {
        let mut id = self.outside[pair as usize % self.outside.len()].clone();
        if !exists {
            let last = id.pop().unwrap();
            id.push(if last == '~' { '!' } else { '~' });
        }
        id
    }

    fn time(&mut self, path: &str, status: u16) -> u64 {
        let began = Instant::now();
        let reply = self.connection.get(path, &self.key);
        let took = began.elapsed();
        assert_eq!(reply.status, status, "{path}");
        took.as_nanos() as u64
    }
}

#[test]
#[ignore = "times 200,000 pairs for each question: run it in a release build on a machine that does nothing else"]
fn timing_does_not_tell_who_exists() {
    let mut place = Place::new();
    let pairs = scale::of(20_000, 200_000);
    let mut far = Vec::new();
    for (what, path, status) in [
        ("people/{id}", "/api/v1/people/", 404),
        ("people/network?personId", "/api/v1/people/network?personId=", 403),
    ] {
        let sample = differences(pairs, |exists, pair| {
            let id = place.id(exists, pair).replace('~', "%7E");
            let path = format!("{path}{id}");
            place.time(&path, status)
        });
        report(what, pairs, &sample);
        let (low, high) = sample.median_interval();
        if low < -200 || high > 200 {
            far.push(what);
        }
    }
    assert_eq!(far, [""; 0]);
}

#[test]
fn a_look_up_that_takes_longer_for_who_exists_is_caught() {
    // A reply takes about 40 microseconds here; the leak is of one.
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let sample = differences(scale::of(2_000, 20_000), |exists, _| {
        let until = Duration::from_nanos(
            20_000 + u64::from(random.next_u32() % 20_000) + if exists { 3_000 } else { 0 },
        );
        let began = Instant::now();
        while began.elapsed() < until {
            std::hint::spin_loop();
        }
        began.elapsed().as_nanos() as u64
    });
    report("control", scale::of(2_000, 20_000), &sample);
    assert!(sample.median_interval().0 > 0 && sample.sign_z() > 5.0, "the pairs would not see a leak");
}
