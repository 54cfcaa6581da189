//! `kith score --derived`: how often a tie derived from other people's mail is right.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use kith::asks::report::wilson;
use serde::{Deserialize, Serialize};

use crate::cli::table::{write_fitted, write_sentence};
use kith_import::tables::earlier::each_line;
use kith_import::tables::folder::DERIVED;

/// Minimum number of pairs for a share.
const PAIRS_MIN: u32 = 20;
/// From this number of days on, pairs share a row.
const DAYS_MOST: u32 = 5;

/// A line of `derived.ndjson`, as far as it is used.
#[derive(Deserialize)]
struct Line {
    kinds: BTreeMap<String, u32>,
    known: Option<bool>,
}

/// Pairs of one kind that were seen together on this many days.
#[derive(Debug, PartialEq, Serialize)]
struct Share {
    kind: String,
    days: u32,
    pairs: u32,
    r#true: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
}

/// Prints, for each kind and number of days, how many pairs know each other by their own mail.
///
/// # Errors
/// Returns an error if `derived.ndjson` is not in the folder `tables`, or a line of it is broken.
pub(super) fn print(tables: &Path, is_json: bool) -> Result<(), Box<dyn Error>> {
    let mut counts: BTreeMap<(String, u32), (u32, u32)> = BTreeMap::new();
    each_line(&tables.join(DERIVED), |line: Line| {
        let Some(is_known) = line.known else { return };
        for (kind, days) in line.kinds {
            let (pairs, known) = counts.entry((kind, days.min(DAYS_MOST))).or_default();
            *pairs += 1;
            *known += u32::from(is_known);
        }
    })?;
    let shares: Vec<Share> =
        counts.into_iter().map(|((kind, days), (pairs, known))| share(kind, days, pairs, known)).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    if is_json {
        serde_json::to_writer(&mut out, &shares)?;
        writeln!(out)?;
    } else if shares.is_empty() {
        write_sentence(
            &mut out,
            "No pair can be looked up: nobody who is seen in others' mail gave mail of their own.",
        )?;
    } else {
        write_fitted(
            &mut out,
            ["SEEN", "DAYS", "PAIRS", "TRUE", "SHARE", "95 %"],
            &shares.iter().map(cells).collect::<Vec<_>>(),
        )?;
    }
    Ok(out.flush()?)
}

fn share(kind: String, days: u32, pairs: u32, known: u32) -> Share {
    let interval = (pairs >= PAIRS_MIN).then(|| wilson(known, pairs));
    Share {
        kind,
        days,
        pairs,
        r#true: known,
        share: interval.map(|[share, ..]| share),
        low: interval.map(|[_, low, _]| low),
        high: interval.map(|[.., high]| high),
    }
}

fn cells(share: &Share) -> [String; 6] {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let seen = match share.kind.as_str() {
        "both" => "both wrote",
        "one" => "one wrote",
        "met" => "met",
        other => other,
    };
    let more = if share.days == DAYS_MOST { " and more" } else { "" };
    let interval =
        share.low.zip(share.high).map(|(low, high)| format!("{} to {}", percent(low), percent(high)));
    [
        seen.to_owned(),
        format!("{}{more}", share.days),
        share.pairs.to_string(),
        share.r#true.to_string(),
        share.share.map_or_else(|| "-".to_owned(), percent),
        interval.unwrap_or_else(|| "-".to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_wilsons_interval_from_twenty_pairs_on() {
        let close =
            |value: Option<f64>, expected: f64| value.is_some_and(|value| (value - expected).abs() < 5e-4);
        let of = share("both".to_owned(), 1, 663, 571);
        assert!(close(of.share, 0.861) && close(of.low, 0.833) && close(of.high, 0.885), "{of:?}");
        assert_eq!(share("one".to_owned(), 2, 19, 19).share, None);
        let all = share("one".to_owned(), 2, 20, 20);
        assert!(
            close(all.share, 1.0) && close(all.high, 1.0) && all.low.is_some_and(|low| low < 0.9),
            "{all:?}"
        );
    }
}
