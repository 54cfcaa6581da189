//! Turns at the processors: how many requests are worked on at once, whose is next, and who is told to
//! come back later.
//!
//! As many turns are out at once as there are processors. While one is free, whoever asks gets it at
//! once. When none is, those who ask wait in a line for each organization, and the lines are served in
//! rotation, so that the many requests of one organization cannot keep those of another waiting. A line
//! that would take longer than [`WAIT_MAX`] takes no more: the request is shed at once, not after a
//! wait in vain.
//!
//! Lines form because more threads read requests than there are turns
//! ([`threads`](Turns::threads)): while every turn is out, somebody still reads, checks the
//! credential and stands in line.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::clock;

/// The longest that a request may be expected to wait, and the longest that it waits.
pub const WAIT_MAX: Duration = Duration::from_secs(1);

/// Hands out turns.
#[derive(Debug)]
pub struct Turns {
    state: Mutex<State>,
    count: usize,
    wait_max: Duration,
}

/// The right to work until it is dropped.
#[derive(Debug)]
pub struct Turn {
    /// Where it goes back to; nowhere, once it was taken back.
    turns: Option<Arc<Turns>>,
    began: Instant,
}

/// There is too much to do already: come back later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shed;

#[derive(Debug)]
struct State {
    free: usize,
    /// The organizations that wait, the next one first.
    lines: VecDeque<Line>,
    /// What a turn takes, in nanoseconds: a moving mean.
    mean_ns: u64,
}

#[derive(Debug)]
struct Line {
    organization: String,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

impl Turns {
    /// `count` turns at once.
    #[must_use]
    pub fn new(count: NonZeroUsize, wait_max: Duration) -> Arc<Self> {
        let count = count.get();
        let state = Mutex::new(State { free: count, lines: VecDeque::new(), mean_ns: 0 });
        Arc::new(Self { state, count, wait_max })
    }

    /// As many turns as there are processors, with waits of at most [`WAIT_MAX`].
    #[must_use]
    pub fn for_this_machine() -> Arc<Self> {
        Self::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN), WAIT_MAX)
    }

    /// How many threads to read requests on: those that work, and as many to let others stand in line.
    #[must_use]
    pub fn threads(&self) -> usize {
        2 * self.count
    }

    /// A turn for a request of `organization`, once it is its own.
    ///
    /// # Errors
    /// Where the wait would be, or was, too long.
    pub async fn take(self: &Arc<Self>, organization: &str) -> Result<Turn, Shed> {
        let turn = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return Ok(self.begin());
            }
            if state.expected_wait(organization, self.count) > self.wait_max {
                return Err(Shed);
            }
            state.stand_in_line(organization)
        };
        match tokio::time::timeout(self.wait_max, turn).await {
            Ok(Ok(mut turn)) => {
                turn.began = clock::now();
                Ok(turn)
            }
            _ => Err(Shed),
        }
    }

    fn begin(self: &Arc<Self>) -> Turn {
        Turn { turns: Some(Arc::clone(self)), began: clock::now() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes back a turn that lasted `took` and gives it to whoever is next.
    fn pass_on(self: &Arc<Self>, took: Duration) {
        let mut state = self.lock();
        state.learn(took);
        while let Some(next) = state.next() {
            match next.send(self.begin()) {
                Ok(()) => return,
                // They gave up waiting. Their turn does not come back by itself: the lock is held.
                Err(mut unused) => unused.turns = None,
            }
        }
        state.free += 1;
    }
}

impl State {
    fn line(&self, organization: &str) -> Option<usize> {
        self.lines.iter().position(|line| line.organization == organization)
    }

    /// How long a newcomer of `organization` would wait: those of its own line, and in each round one of
    /// every other line, go first.
    fn expected_wait(&self, organization: &str, turns: usize) -> Duration {
        let own = self.line(organization).map_or(0, |at| self.lines[at].waiting.len());
        let before = own * self.lines.len().max(1);
        Duration::from_nanos(self.mean_ns.saturating_mul(before as u64) / turns as u64)
    }

    fn stand_in_line(&mut self, organization: &str) -> oneshot::Receiver<Turn> {
        let (sender, turn) = oneshot::channel();
        match self.line(organization) {
            Some(at) => self.lines[at].waiting.push_back(sender),
            None => self
                .lines
                .push_back(Line { organization: organization.to_owned(), waiting: VecDeque::from([sender]) }),
        }
        turn
    }

    /// The first of the next line, which goes behind the others if anybody is left in it.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        let mut line = self.lines.pop_front()?;
        let first = line.waiting.pop_front();
        if !line.waiting.is_empty() {
            self.lines.push_back(line);
        }
        first
    }

    /// The last eight or so turns count most.
    fn learn(&mut self, took: Duration) {
        let took_ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.mean_ns =
            if self.mean_ns == 0 { took_ns } else { self.mean_ns - self.mean_ns / 8 + took_ns / 8 };
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.turns.take() {
            turns.pass_on(self.began.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn one_turn(wait_max: Duration) -> Arc<Turns> {
        Turns::new(NonZeroUsize::MIN, wait_max)
    }

    /// Lets `waiting` requests stand in line, each writing its name when it has its turn.
    async fn served(lines: &[&'static str]) -> Vec<&'static str> {
        let turns = one_turn(LONG);
        let first = turns.take("first").await;
        let (told, mut served) = tokio::sync::mpsc::unbounded_channel();
        for &organization in lines {
            let (turns, told) = (Arc::clone(&turns), told.clone());
            tokio::spawn(async move {
                let turn = turns.take(organization).await;
                let _ = told.send(organization);
                drop(turn);
            });
            tokio::task::yield_now().await;
        }
        drop((first, told));
        let mut order = Vec::new();
        while let Some(organization) = served.recv().await {
            order.push(organization);
        }
        order
    }

    #[tokio::test]
    async fn lines_are_served_in_rotation() {
        assert_eq!(served(&["a", "a", "a", "b", "a", "b", "c"]).await, ["a", "b", "c", "a", "b", "a", "a"]);
        assert_eq!(served(&["a", "a", "a"]).await, ["a", "a", "a"]);
    }

    #[tokio::test]
    async fn a_turn_that_ends_is_free_again_also_when_nobody_waits_any_more() {
        let turns = one_turn(LONG);
        let held = turns.take("a").await;
        for waiting in [1, 3] {
            let gone: Vec<_> = (0..waiting).map(|_| turns.lock().stand_in_line("b")).collect();
            drop(gone);
        }
        // One gives up when its turn is on its way.
        let late = turns.lock().stand_in_line("b");
        drop(held);
        drop(late);
        assert!(turns.take("c").await.is_ok());
        assert_eq!(turns.lock().free, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_in_vain_is_not_begun_and_none_lasts_too_long() {
        let turns = one_turn(WAIT_MAX);
        let held = turns.take("a").await;
        let began = tokio::time::Instant::now();
        assert_eq!(turns.take("a").await.err(), Some(Shed), "the turn never ends");
        assert_eq!(began.elapsed(), WAIT_MAX);
        turns.lock().mean_ns = 300_000_000;
        let lines: Vec<_> =
            ["a", "a", "a", "b"].map(|organization| turns.lock().stand_in_line(organization)).into();
        let began = tokio::time::Instant::now();
        assert_eq!(
            turns.take("a").await.err(),
            Some(Shed),
            "three of its own, and each time one of b, go first"
        );
        assert_eq!(began.elapsed(), Duration::ZERO);
        let state = turns.lock();
        assert_eq!(state.expected_wait("b", 1), Duration::from_millis(600));
        assert_eq!(state.expected_wait("c", 1), Duration::ZERO);
        drop((state, held, lines));
    }
}
