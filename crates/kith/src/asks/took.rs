//! Whether warmer asks succeeded more often: the area under the ROC curve, with its interval.

use std::cmp::Ordering;

use crate::asks::event::EventKind;
use crate::asks::overlay::FoundAsk;
use crate::asks::report::Z;

/// Whether `found` succeeded: the two are in touch or have met. `None` for an open or withdrawn ask.
#[must_use]
pub fn took(found: &FoundAsk) -> Option<bool> {
    match found.state {
        EventKind::InTouch | EventKind::Met => Some(true),
        EventKind::Declined | EventKind::NoAnswer => Some(false),
        _ => None,
    }
}

/// The probability that a successful ask was scored higher than an unsuccessful one, ties counting half, with the
/// bounds of its 95 % interval (DeLong, DeLong and Clarke-Pearson, 1988); all from 0 to 1. `None` if either group is
/// empty.
///
/// Cost: quadratic in the number of asks.
#[must_use]
pub fn area_under_curve(scored: &[(f64, bool)]) -> Option<[f64; 3]> {
    let of = |wanted: bool| scored.iter().filter(move |(_, took)| *took == wanted).map(|(score, _)| *score);
    let (took, failed): (Vec<f64>, Vec<f64>) = (of(true).collect(), of(false).collect());
    if took.is_empty() || failed.is_empty() {
        return None;
    }
    let beats = |one: f64, other: f64| match one.total_cmp(&other) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let above: Vec<f64> = took
        .iter()
        .map(|&one| mean(&failed.iter().map(|&other| beats(one, other)).collect::<Vec<_>>()))
        .collect();
    let below: Vec<f64> = failed
        .iter()
        .map(|&other| mean(&took.iter().map(|&one| beats(one, other)).collect::<Vec<_>>()))
        .collect();
    let area = mean(&above);
    let variance = |values: &[f64]| {
        let squares = values.iter().map(|value| (value - area).powi(2)).sum::<f64>();
        squares / (values.len().max(2) - 1) as f64 / values.len() as f64
    };
    let half = Z * (variance(&above) + variance(&below)).sqrt();
    Some([area, (area - half).max(0.0), (area + half).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order_with_ties_as_half() {
        let scored = [(80.0, true), (60.0, true), (60.0, false), (20.0, false)];
        let [area, low, high] = area_under_curve(&scored).unwrap();
        assert!((area - 0.875).abs() < 1e-12 && low < area && high == 1.0, "{area} {low} {high}");
        // Var(above) = (1/8)² · 2 / 1 / 2, and the same below: a standard error of 0.176 776 7.
        assert!((low - (0.875 - Z * 0.176_776_695)).abs() < 1e-6, "{low}");
        assert_eq!(area_under_curve(&[(80.0, true)]), None);
    }
}
