//! Compares handing half of a scan to another thread with scanning both halves on this one: at which size it pays.
//!
//! As in a request, the calling thread is not one of the pool.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

mod network;

use std::error::Error;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use kith_server::model::column::TextColumn;
use kith_server::query::people_search::ROWS_FOR_TWO_THREADS;
use kith_server::query::substring::RowsHolding;
use memchr::memmem::Finder;

/// Occurs in no text, and is too short for the blocks to be skipped.
const NOWHERE: &str = "zq";

fn column(rows: usize, suffix: &str) -> Result<TextColumn, Box<dyn Error>> {
    let texts: Vec<String> =
        (0..rows).map(|row| format!("person {} of {row}{suffix}", row * 7919 % 1013)).collect();
    Ok(TextColumn::from_texts(texts.iter().map(String::as_str))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let largest = if network::is_test() { 1 << 12 } else { 1 << 20 };
    let (names, emails) = (column(largest, "")?, column(largest, "@example.org")?);
    let finder = Finder::new(NOWHERE);
    let mut group = criterion.benchmark_group("handing_over");
    let mut rows = 1 << 10;
    while rows <= largest {
        let scan = |column: &TextColumn| RowsHolding::new(column, &finder, 0..rows).count();
        let at = if rows < ROWS_FOR_TWO_THREADS { "below" } else { "from" };
        group.bench_function(BenchmarkId::new(format!("one_thread_{at}_the_constant"), rows), |bencher| {
            bencher.iter(|| black_box((scan(&names), scan(&emails))));
        });
        group.bench_function(BenchmarkId::new(format!("two_threads_{at}_the_constant"), rows), |bencher| {
            bencher.iter(|| black_box(rayon::join(|| scan(&names), || scan(&emails))));
        });
        rows *= 4;
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
