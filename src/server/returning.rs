//! Memory that ended connections and loads leave behind, given back to the system.
//!
//! The allocator does so by itself while threads allocate, each for what it allocated; threads that went quiet keep
//! what others freed for them. So after a crowd has left, each of the runtime's threads is made to allocate; after a load,
//! each of those that all share.
//!
//! That leans on how mimalloc works inside; a test of the program's memory fails if it changes. What is plainer was
//! weighed: `mi_collect` is for the calling thread too, and needs `unsafe`; the options that make threads look more
//! often are read from the environment alone. jemalloc has a thread that gives pages back, but what quiet threads
//! have cached stays theirs there too, and large columns would fault in more slowly (`Cargo.toml`).

use std::hint::black_box;
use std::time::Duration;

use tokio::sync::watch;

/// The time between two looks at how many connections ended, and between two rounds.
pub(crate) const PERIOD: Duration = Duration::from_secs(1);
/// The number of ended connections that makes the work worth it.
const ENDED_MIN: u64 = 64;
/// The allocator gives pages back a second after they came free: the rounds that find all of them so.
const ROUNDS: u32 = 4;
/// mimalloc looks over the pages of a thread at every 10,000th of its allocations that are not small, and small are
/// those of up to 1 KiB.
const ALLOCATIONS: usize = 10_000;
const ALLOCATION_BYTES: usize = 2 << 10;

/// The work that connections leave behind when they end.
#[derive(Debug, Default)]
pub(crate) struct Returning {
    ended: u64,
    rounds: u32,
}

impl Returning {
    /// To be called once in each [`PERIOD`], within a runtime, with how many connections `ended` in it: gives back
    /// what has come free. That is less than a millisecond of work for each thread, and none if few ended.
    pub(crate) fn tick(&mut self, ended: u64) {
        self.ended += ended;
        if self.ended >= ENDED_MIN {
            (self.ended, self.rounds) = (0, ROUNDS);
        }
        if self.rounds == 0 {
            return;
        }
        self.rounds -= 1;
        // While one thread is at it, the next takes the next.
        for _ in 0..tokio::runtime::Handle::current().metrics().num_workers() {
            drop(tokio::spawn(async { allocate() }));
        }
    }
}

/// Gives back what a load leaves behind: at once, and each time that other networks are in service, of which `swaps` has the
/// count. Ends when nothing can be put in service any more. Costs less than a millisecond for each thread in each round.
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
