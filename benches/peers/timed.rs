//! Runs the questions of a peer that is a program: answers each once, for the comparison with the reference, then as
//! many as fit into the time. Prints both to stdout as JSON, one per line.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The total, if the question asks for it, and the first rows.
pub(crate) type Answer = (Option<u64>, Vec<Vec<i64>>);

/// Entries per page.
pub(crate) const PAGE: usize = 20;

/// A question, with its form in `run.py`.
pub(crate) type Question<Q> = (Value, Q);

/// CPU time of this process, in microseconds; the kernel's resolution is a hundredth of a second.
fn cpu() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    Ok(fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 1e4)
}

/// Answers and times the questions of one kind, at least one.
pub(crate) fn run<Q>(
    kind: &str,
    questions: &[Question<Q>],
    time: Duration,
    ask: impl Fn(&Q) -> Answer,
) -> Result<(), Box<dyn Error>> {
    for (question, asked) in questions {
        let (total, rows) = ask(asked);
        println!("{}", json!({ "kind": kind, "question": question, "total": total, "rows": rows }));
    }
    let (start, before_all) = (Instant::now(), cpu()?);
    let mut times = Vec::new();
    while times.len() < questions.len() || start.elapsed() < time {
        let before = Instant::now();
        black_box(ask(&questions[times.len() % questions.len()].1));
        times.push(before.elapsed().as_secs_f64() * 1e6);
    }
    let mean = (cpu()? - before_all) / times.len() as f64;
    times.sort_unstable_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!("{}", json!({ "kind": kind, "answers": times.len(), "p50": median, "cpu": mean }));
    Ok(())
}
