//! Measures the latencies of questions asked by several threads for a while.

use std::thread;
use std::time::Duration;

use crate::clock;

/// Maximum answers that a thread times in one run: 8 MB.
const TIMES_MAX: usize = 1_000_000;

/// Latencies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measured {
    /// The number of answers timed.
    pub(super) answers: u64,
    /// Median latency, in microseconds; `None` without answers.
    pub(super) p50: Option<f64>,
    /// 99th percentile of the latency, in microseconds.
    pub(super) p99: Option<f64>,
    /// Answers per second of all threads together.
    pub(super) per_second: Option<f64>,
}

/// Asks `questions` in turn with `threads` threads for `time`; each thread asks at least one.
pub(super) fn measure<Q: Sync>(
    threads: usize,
    time: Duration,
    questions: &[Q],
    ask: impl Fn(&Q) -> bool + Sync,
) -> Measured {
    if questions.is_empty() {
        return Measured::default();
    }
    let start = clock::now();
    let ask = &ask;
    let run = |thread: usize| {
        // The threads begin at different questions.
        let turn = questions.iter().cycle().skip(thread * questions.len() / threads);
        let mut times = Vec::new();
        let mut before = clock::now();
        for question in turn.take(TIMES_MAX) {
            ask(question);
            let after = clock::now();
            times.push((after - before).as_nanos() as u64);
            before = after;
            if after - start >= time {
                break;
            }
        }
        times
    };
    let times: Vec<Vec<u64>> = thread::scope(|scope| {
        let running: Vec<_> = (1..threads).map(|thread| scope.spawn(move || run(thread))).collect();
        // A thread that panicked has no times; its panic is on stderr.
        std::iter::once(run(0)).chain(running.into_iter().filter_map(|thread| thread.join().ok())).collect()
    });
    Measured::of(times.concat(), clock::now() - start)
}

impl Measured {
    /// The figures of `times`, in nanoseconds, from a run of `elapsed`.
    fn of(mut times: Vec<u64>, elapsed: Duration) -> Self {
        times.sort_unstable();
        let at = |hundredths: usize| {
            let place = (times.len() * hundredths).div_ceil(100).max(1) - 1;
            times.get(place).map(|&nanoseconds| nanoseconds as f64 / 1e3)
        };
        let per_second = times.len() as f64 / elapsed.as_secs_f64().max(1e-9);
        Self {
            answers: times.len() as u64,
            p50: at(50),
            p99: at(99),
            per_second: (!times.is_empty()).then_some(per_second),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn percentiles_are_the_least_time_that_so_many_did_not_pass() {
        let second = Duration::from_secs(1);
        for (times, p50, p99) in [
            ((1..=100).rev().collect::<Vec<u64>>(), 0.05, 0.099),
            ((1..=101).collect(), 0.051, 0.1),
            (vec![7_000], 7.0, 7.0),
            (vec![9_000, 1_000], 1.0, 9.0),
        ] {
            let (count, measured) = (times.len(), Measured::of(times, 2 * second));
            assert_eq!((measured.p50, measured.p99), (Some(p50), Some(p99)));
            assert_eq!(measured.per_second, Some(count as f64 / 2.0));
        }
        assert_eq!(Measured::of(Vec::new(), second), Measured::default());
    }

    #[test]
    fn every_thread_asks_at_least_one_question_and_every_answer_is_timed() {
        let asked = AtomicU64::new(0);
        let ask = |_: &u32| asked.fetch_add(1, Ordering::Relaxed) > 0;
        for threads in [1, 3] {
            asked.store(0, Ordering::Relaxed);
            let measured = measure(threads, Duration::ZERO, &[1, 2], ask);
            assert_eq!(measured.answers, asked.load(Ordering::Relaxed));
            assert!(measured.answers >= threads as u64, "{threads}");
        }
        assert_eq!(measure(2, Duration::ZERO, &[], ask), Measured::default());
    }
}
