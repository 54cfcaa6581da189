//! Returns the memory of ended connections and loads to the system.
//!
//! The allocator does so by itself when threads allocate, each for its own memory; but quiet threads keep what others
//! freed for them. So after many connections have ended, each of the runtime's threads is made to allocate; after a
//! load, each of the shared threads.
//!
//! This relies on mimalloc's internals; a test of the program's memory fails if they change. Simpler ways were
//! considered: `mi_collect` also covers only the calling thread, and needs `unsafe`; the options that make threads look
//! more often are read only from the environment. jemalloc has a thread that returns pages, but the caches of quiet
//! threads stay there too, and large columns would fault in more slowly (`Cargo.toml`).

use std::hint::black_box;
use std::time::Duration;

use tokio::sync::watch;

/// The time between two counts of ended connections, and between two rounds.
pub(crate) const PERIOD: Duration = Duration::from_secs(1);
/// Minimum number of ended connections that makes the work worthwhile.
const ENDED_MIN: u64 = 64;
/// The allocator returns pages a second after they were freed: this many rounds find all of them.
const ROUNDS: u32 = 4;
/// mimalloc inspects a thread's pages at every 10,000th of its allocations that are not small; small means up to 1 KiB.
const ALLOCATIONS: usize = 10_000;
const ALLOCATION_BYTES: usize = 2 << 10;

/// Tracks the work left by ended connections.
#[derive(Debug, Default)]
pub(crate) struct Returning {
    ended: u64,
    rounds: u32,
}

impl Returning {
    /// Call it once in each [`PERIOD`], within a runtime, with the number of connections that `ended` in it: returns
    /// freed memory. Costs less than a millisecond per thread, and nothing if few ended.
    pub(crate) fn tick(&mut self, ended: u64) {
        self.ended += ended;
        if self.ended >= ENDED_MIN {
            (self.ended, self.rounds) = (0, ROUNDS);
        }
        if self.rounds == 0 {
            return;
        }
        self.rounds -= 1;
        // While one thread is busy, the next takes the next.
        for _ in 0..tokio::runtime::Handle::current().metrics().num_workers() {
            drop(tokio::spawn(async { allocate() }));
        }
    }
}

/// Returns the memory of loads: at once, and whenever other networks are in service, counted by `swaps`. Ends when
/// nothing more can be put in service. Costs less than a millisecond per thread and round.
pub(crate) async fn return_after_loads(mut swaps: watch::Receiver<u64>) {
    loop {
        for _ in 0..ROUNDS {
            tokio::time::sleep(PERIOD).await;
            rayon::spawn_broadcast(|_| allocate());
        }
        if swaps.changed().await.is_err() {
            return;
        }
    }
}

fn allocate() {
    for _ in 0..ALLOCATIONS {
        drop(black_box(Vec::<u8>::with_capacity(black_box(ALLOCATION_BYTES))));
    }
}
