//! The report of asks as JSON, for the shell and the page.

use kith::asks::report::{AskCounts, AskReport, COUNTED};
use serde_json::{Map, Value, json};

/// The report as JSON: its five lists.
#[must_use]
pub fn report_json(report: &AskReport) -> Value {
    let list = |counts: &[AskCounts]| counts.iter().map(counts_json).collect::<Vec<_>>();
    json!({
        "all": list(&report.all),
        "connectionType": list(&report.connection_type),
        "band": list(&report.band),
        "month": list(&report.month),
        "connector": list(&report.connector),
    })
}

fn counts_json(counts: &AskCounts) -> Value {
    let mut row = Map::from_iter([("key".to_owned(), Value::from(counts.key.clone()))]);
    row.extend(COUNTED.iter().zip(counts.counts).map(|(kind, count)| (kind.name().to_owned(), count.into())));
    if let Some(shares) = counts.shares() {
        let shares = shares.into_iter().map(|(kind, share)| (kind.name().to_owned(), json!(share)));
        row.insert("shares".to_owned(), Value::Object(shares.collect()));
    }
    Value::Object(row)
}
