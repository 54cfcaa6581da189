//! Outcomes of asks: how many got how far, by path type, warmness, month and connector.

use std::collections::BTreeMap;

use crate::asks::event::EventKind;
use crate::asks::overlay::{AskOverlay, FoundAsk};

/// Minimum number of asks for shares to be reported.
pub const SHARES_FROM: u32 = 20;
/// Minimum number of asks for a connector to be named.
const CONNECTOR_FROM: u32 = 5;
/// The normal quantile of a 95 % interval.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The counted kinds, in order.
pub const COUNTED: [EventKind; 7] = [
    EventKind::Asked,
    EventKind::Agreed,
    EventKind::Introduced,
    EventKind::InTouch,
    EventKind::Met,
    EventKind::Declined,
    EventKind::NoAnswer,
];

/// How far the asks of one group got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskCounts {
    /// The value that the asks of the group share.
    pub key: String,
    /// The count of each kind of [`COUNTED`].
    pub counts: [u32; 7],
}

/// The outcomes of an organization's asks; ignored and withdrawn asks are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskReport {
    /// All asks, as one entry.
    pub all: Vec<AskCounts>,
    /// Counts by path type.
    pub connection_type: Vec<AskCounts>,
    /// Counts by warmness band, `0-19` to `80-100`.
    pub band: Vec<AskCounts>,
    /// Counts by month in UTC, such as `2026-11`.
    pub month: Vec<AskCounts>,
    /// Counts by the connector's id.
    pub connector: Vec<AskCounts>,
}

impl AskReport {
    /// Builds the report of `overlay`, each list ordered by key; it lists connectors only if `names_connectors`.
    #[must_use]
    pub fn of(overlay: &AskOverlay, names_connectors: bool) -> Self {
        let by = |key: &dyn Fn(&FoundAsk) -> Option<String>| {
            let mut counted: BTreeMap<String, [u32; 7]> = BTreeMap::new();
            for found in overlay.asks().iter().filter(|found| found.state != EventKind::Withdrawn) {
                if let Some(key) = key(found) {
                    count(found, counted.entry(key).or_default());
                }
            }
            counted.into_iter().map(|(key, counts)| AskCounts { key, counts }).collect::<Vec<_>>()
        };
        let connector = |found: &FoundAsk| {
            let connector = found.connector.filter(|_| names_connectors)?;
            Some(overlay.index.data.people.ids.get(connector.0).to_owned())
        };
        let mut connectors = by(&connector);
        connectors.retain(|counts| counts.counts[0] >= CONNECTOR_FROM);
        Self {
            all: by(&|_| Some("all".to_owned())),
            connection_type: by(&|found| found.ask.over.connection_type.clone()),
            band: by(&|found| found.ask.over.warmness.map(band)),
            month: by(&|found| Some(found.ask.asked_at().to_rfc3339_ms()[..7].to_owned())),
            connector: connectors,
        }
    }
}

impl AskCounts {
    /// The share of the asks that reached each kind but the first, with its 95 % Wilson interval; `None` below
    /// [`SHARES_FROM`] asks.
    #[must_use]
    pub fn shares(&self) -> Option<Vec<(EventKind, [f64; 3])>> {
        let asked = self.counts[0];
        (asked >= SHARES_FROM).then(|| {
            let counted = COUNTED.into_iter().zip(self.counts).skip(1);
            counted.map(|(kind, count)| (kind, wilson(count, asked))).collect()
        })
    }
}

/// An ask counts in each step up to its furthest, and in its present state.
fn count(found: &FoundAsk, counts: &mut [u32; 7]) {
    let furthest = found.ask.counting().filter_map(|event| event.kind.step()).max().unwrap_or(0);
    for (place, kind) in COUNTED.into_iter().enumerate() {
        let is_passed = kind.step().is_some_and(|step| step <= furthest);
        counts[place] += u32::from(is_passed || kind == found.state);
    }
}

fn band(warmness: u32) -> String {
    match warmness / 20 {
        least @ 0..=3 => format!("{}-{}", least * 20, least * 20 + 19),
        _ => "80-100".to_owned(),
    }
}

/// The share of `count` in `all`, and the bounds of its 95 % Wilson interval.
#[must_use]
pub fn wilson(count: u32, all: u32) -> [f64; 3] {
    let (n, share) = (f64::from(all), f64::from(count) / f64::from(all));
    let scale = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    [share, (centre - half).max(0.0), (centre + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_wilsons() {
        // From the table in Newcombe (1998): 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (count, all, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let [share, found_low, found_high] = wilson(count, all);
            assert!((share - f64::from(count) / f64::from(all)).abs() < 1e-12);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{count} of {all}");
        }
    }

    #[test]
    fn bands_are_of_twenty_and_the_last_ends_at_a_hundred() {
        for (warmness, key) in
            [(0, "0-19"), (19, "0-19"), (20, "20-39"), (79, "60-79"), (80, "80-100"), (100, "80-100")]
        {
            assert_eq!(band(warmness), key);
        }
    }
}
