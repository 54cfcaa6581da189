//! Shows the measurements as tables and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::cli::bench::measure::Measured;
use crate::cli::bench::report::{BenchReport, BoundRow, KindRow};
use crate::cli::listing::grouped;
use crate::cli::table::{write_fitted, write_line, write_sentence};

/// Stands for a missing figure.
const NONE: &str = "-";

/// Prints the tables, at most 80 columns wide.
pub(super) fn print(out: &mut impl Write, report: &BenchReport<'_>) -> io::Result<()> {
    let data = &report.asked.index.data;
    let [people, edges] = [data.people.len(), data.edges.out.ends.len()].map(|count| grouped(count as u64));
    write_line(out, &format!("{}: {people} people, {edges} edges", data.organization.id))?;
    let said = format!("questions drawn by seed {}; times in microseconds", report.seed);
    write_line(out, &said)?;
    for (threads, measured) in
        [(1, (|row| row.one) as fn(&KindRow) -> Measured), (report.threads, |row| row.all)]
    {
        writeln!(out)?;
        let heading = if threads == 1 { "1 THREAD".to_owned() } else { format!("{threads} THREADS") };
        let cells = |row: &KindRow| {
            let [p50, p99, per_second] = numbers(measured(row));
            [row.kind.title().to_owned(), p50, p99, per_second, share(row.capped)]
        };
        let rows: Vec<[String; 5]> = report.kinds.iter().map(cells).collect();
        write_fitted(out, [&heading, "P50", "P99", "A SECOND", "CAPPED"], &rows)?;
    }
    writeln!(out)?;
    let cells = |row: &BoundRow| {
        let [p50, p99, _] = numbers(row.measured);
        let mark = if row.is_in_force { " *" } else { "" };
        let value = format!("{}{mark}", grouped(row.value.into()));
        [row.bound.key().to_owned(), value, row.kind.title().to_owned(), p50, p99, share(row.capped)]
    };
    let rows: Vec<[String; 6]> = report.bounds.iter().map(cells).collect();
    write_fitted(out, ["BOUND", "VALUE", "QUESTION", "P50", "P99", "CAPPED"], &rows)?;
    writeln!(out)?;
    write_sentence(
        out,
        "* in force. CAPPED: the share of questions in whose answer a bound left something out.",
    )
}

/// The result as one object.
pub(super) fn as_json(report: &BenchReport<'_>) -> Value {
    let data = &report.asked.index.data;
    let question = |row: &KindRow| {
        json!({
            "question": row.kind.key(),
            "capped": row.capped,
            "oneThread": measured(row.one),
            "allThreads": measured(row.all),
        })
    };
    let bound = |row: &BoundRow| {
        json!({
            "bound": row.bound.key(),
            "value": row.value,
            "inForce": row.is_in_force,
            "question": row.kind.key(),
            "capped": row.capped,
            "oneThread": measured(row.measured),
        })
    };
    json!({
        "organization": data.organization.id,
        "people": data.people.len(),
        "connections": data.edges.out.ends.len(),
        "seed": report.seed,
        "threads": report.threads,
        "questions": report.kinds.iter().map(question).collect::<Vec<Value>>(),
        "bounds": report.bounds.iter().map(bound).collect::<Vec<Value>>(),
    })
}

fn measured(measured: Measured) -> Value {
    let rounded = |number: Option<f64>| number.map(|number| (number * 1e3).round() / 1e3);
    json!({
        "answers": measured.answers,
        "p50Microseconds": rounded(measured.p50),
        "p99Microseconds": rounded(measured.p99),
        "perSecond": measured.per_second.map(f64::round),
    })
}

/// The median, the 99th percentile, and the number per second.
fn numbers(measured: Measured) -> [String; 3] {
    let per_second = measured.per_second.map_or_else(|| NONE.to_owned(), |rate| grouped(rate as u64));
    [time(measured.p50), time(measured.p99), per_second]
}

/// Three digits, or the whole part if it has more.
fn time(microseconds: Option<f64>) -> String {
    match microseconds {
        None => NONE.to_owned(),
        Some(time) if time < 9.995 => format!("{time:.2}"),
        Some(time) if time < 99.95 => format!("{time:.1}"),
        Some(time) => grouped(time.round() as u64),
    }
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| format!("{:.1} %", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (microseconds, text) in
            [(0.034, "0.03"), (9.994, "9.99"), (9.996, "10.0"), (99.96, "100"), (1_234.4, "1,234")]
        {
            assert_eq!(time(Some(microseconds)), text);
        }
        assert_eq!((time(None), share(None), share(Some(0.1234))), ("-".into(), "-".into(), "12.3 %".into()));
    }
}
