//! `kith score --outcomes`: whether warmer asks succeeded more often, and the weights of factors that fit the outcomes.
//!
//! The weights come from a logistic regression of success on the points of each factor, summed over the legs of the
//! ask's people. Each factor's points are worth `slope × multiple`; a ridge keeps multiples, from 0 to
//! [`MULTIPLE_MAX`], near 1, so that little data changes little.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use kith::asks::overlay::{AskOverlay, FoundAsk};
use kith::asks::took::{area_under_curve, took};
use serde_json::{Map, Value, json};

use crate::ask_file::keeper::AskKeeper;
use crate::cli::table::{write_fitted, write_line, write_sentence};
use crate::graph::index::GraphIndex;
use crate::model::dataset::Dataset;
use crate::model::ix::PersonIx;
use kith_import::score::breakdown::Factor;
use kith_import::score::weights::{Weight, Weights};

/// Minimum number of ended asks for weights.
const ENDED_MIN: usize = 200;
/// Maximum worth of a factor's points relative to the others.
const MULTIPLE_MAX: f64 = 3.0;
/// The strength of the ridge, as a number of asks that say 1.
const RIDGE: f64 = 20.0;
/// The number of gradient steps, and their length.
const STEPS: usize = 4_000;
const STEP: f64 = 0.05;
/// Points are divided by this, so that all numbers are near 1.
const UNIT: f64 = 20.0;

/// The data of an ended ask.
struct EndedAsk {
    took: bool,
    warmness: f64,
    /// The points of each factor, over all legs.
    points: [f64; Factor::ALL.len()],
}

/// Prints whether warmer asks succeeded more often, for the asks at `place` over `index`.
///
/// # Errors
/// Returns an error if the asks cannot be read.
pub(super) fn print(index: &GraphIndex, place: &Path, is_json: bool) -> Result<(), Box<dyn Error>> {
    let book = AskKeeper::open(place)?.book(&index.data.organization.id)?;
    let overlay = AskOverlay::build(index, &book);
    let ended: Vec<EndedAsk> = overlay.asks().iter().filter_map(|found| ended(&index.data, found)).collect();
    let scored: Vec<(f64, bool)> = ended.iter().map(|ask| (ask.warmness, ask.took)).collect();
    let area = area_under_curve(&scored);
    let weights = if ended.len() < ENDED_MIN { None } else { weights_by(&ended) };
    let mut out = BufWriter::new(io::stdout().lock());
    if is_json {
        writeln!(out, "{}", as_json(&ended, area, weights.as_deref()))?;
    } else {
        write_outcomes(&mut out, &ended, area, weights.as_deref())?;
    }
    Ok(out.flush()?)
}

fn ended(data: &Dataset, found: &FoundAsk) -> Option<EndedAsk> {
    let took = took(found)?;
    let warmness = f64::from(found.ask.over.warmness?);
    let asker = data.members.person(found.asker);
    let people: Vec<PersonIx> = [Some(asker), found.via_advocate, found.connector, Some(found.person)]
        .into_iter()
        .flatten()
        .collect();
    let mut points = [0.0; Factor::ALL.len()];
    for leg in people.windows(2) {
        let factors: Map<String, Value> =
            serde_json::from_str(breakdown(data, leg[0], leg[1])).unwrap_or_default();
        for (name, value) in &factors {
            if let Some(factor) = Factor::named(name) {
                points[factor as usize] += value.as_f64().unwrap_or(0.0) / UNIT;
            }
        }
    }
    Some(EndedAsk { took, warmness, points })
}

fn breakdown(data: &Dataset, from: PersonIx, to: PersonIx) -> &str {
    let row = data.edges.out.row(from);
    let place = row.ends.iter().position(|end| *end == to);
    place.map_or("", |place| data.breakdowns.get(data.edges.breakdowns.get(row.start + place)))
}

/// A weight of `[scoring]`: its key, its default, and the value that fits the outcomes.
type SuggestedWeight = (&'static str, u16, u16);

/// The weights that fit the outcomes; `None` if warmness does not affect them.
fn weights_by(ended: &[EndedAsk]) -> Option<Vec<SuggestedWeight>> {
    let multiples = multiples(ended)?;
    let defaults: Vec<(&str, u16)> = Weights::default().entries().collect();
    let counts = |factor: Factor| ended.iter().any(|ask| ask.points[factor as usize] > 0.0);
    let weights = WEIGHED.iter().filter(|(factor, _)| counts(*factor)).map(|&(factor, weight)| {
        let (key, default) = defaults[weight as usize];
        let scaled = (f64::from(default) * multiples[factor as usize]).round() as u16;
        // With the points for years, a connection alone is worth at most 30.
        let most = if weight == Weight::Connection { 20 } else { 100 };
        (key, default, scaled.min(most))
    });
    Some(weights.collect())
}

/// The factors that take their points from a single weight.
const WEIGHED: [(Factor, Weight); 9] = [
    (Factor::Connection, Weight::Connection),
    (Factor::CurrentCompanyMatch, Weight::CurrentCompany),
    (Factor::PastCompanyOverlap, Weight::PastCompany),
    (Factor::SharedAccelerator, Weight::Accelerator),
    (Factor::SameCity, Weight::City),
    (Factor::MessageRecency, Weight::MessageRecency),
    (Factor::MessageVolume, Weight::MessageVolume),
    (Factor::MessageReciprocity, Weight::MessageReciprocity),
    (Factor::Meetings, Weight::Meetings),
];

/// The relative worth of the points of each factor, on average 1; `None` if warmness does not affect success.
fn multiples(ended: &[EndedAsk]) -> Option<[f64; Factor::ALL.len()]> {
    let count = ended.len() as f64;
    let (mut base, mut slope) = (0.0, 0.5);
    let mut multiples = [1.0; Factor::ALL.len()];
    for _ in 0..STEPS {
        let (mut of_base, mut of_slope, mut of_multiples) = (0.0, 0.0, [0.0; Factor::ALL.len()]);
        for ask in ended {
            let sum: f64 = ask.points.iter().zip(multiples).map(|(points, multiple)| points * multiple).sum();
            let error = 1.0 / (1.0 + (-(base + slope * sum)).exp()) - f64::from(u8::from(ask.took));
            of_base += error;
            of_slope += error * sum;
            for (of, points) in of_multiples.iter_mut().zip(ask.points) {
                *of += error * slope * points;
            }
        }
        base -= STEP * of_base / count;
        slope -= STEP * of_slope / count;
        for (multiple, of) in multiples.iter_mut().zip(of_multiples) {
            let pulled = of + RIDGE * (*multiple - 1.0) / count.sqrt();
            *multiple = (*multiple - STEP * pulled / count).clamp(0.0, MULTIPLE_MAX);
        }
    }
    let weighed = |multiples: &[f64]| -> f64 {
        ended.iter().flat_map(|ask| ask.points.iter().zip(multiples)).map(|(points, by)| points * by).sum()
    };
    let scale = weighed(&[1.0; Factor::ALL.len()]) / weighed(&multiples);
    (slope > 0.0 && scale.is_finite()).then(|| multiples.map(|multiple| multiple * scale))
}

fn as_json(ended: &[EndedAsk], area: Option<[f64; 3]>, weights: Option<&[SuggestedWeight]>) -> Value {
    let mut said = json!({ "ended": ended.len(), "took": ended.iter().filter(|ask| ask.took).count() });
    if let Some(area) = area {
        said["auc"] = json!(area);
    }
    match weights {
        Some(weights) => {
            let weights: BTreeMap<&str, u16> =
                weights.iter().map(|&(key, _, weight)| (key, weight)).collect();
            said["weights"] = json!(weights);
        }
        None => said["reason"] = reason(ended.len()).into(),
    }
    said
}

fn reason(ended: usize) -> String {
    match ended < ENDED_MIN {
        true => format!("not enough to tell: {ended} of {ENDED_MIN}"),
        false => "warmer paths did not take more often: no weights of the factors fit".to_owned(),
    }
}

fn write_outcomes(
    out: &mut impl Write,
    ended: &[EndedAsk],
    area: Option<[f64; 3]>,
    weights: Option<&[SuggestedWeight]>,
) -> io::Result<()> {
    let took = ended.iter().filter(|ask| ask.took).count();
    write_line(out, &format!("asks that ended: {}, of which took: {took}", ended.len()))?;
    if let Some([area, low, high]) = area {
        let verdict = match (low > 0.5, high < 0.5) {
            (true, _) => "warmer paths took more often",
            (_, true) => "warmer paths took less often",
            _ => "whether warmer paths take cannot be told",
        };
        write_sentence(out, &format!("AUC {area:.2} (95 %: {low:.2} to {high:.2}): {verdict}."))?;
    }
    let Some(weights) = weights else {
        return write_sentence(out, &format!("Weights: {}.", reason(ended.len())));
    };
    writeln!(out)?;
    let rows: Vec<[String; 3]> = weights
        .iter()
        .map(|(key, default, by)| [by.to_string(), default.to_string(), (*key).to_owned()])
        .collect();
    write_fitted(out, ["BY OUTCOMES", "DEFAULT", "[scoring]"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks with random points; those with many points of `deciding` succeeded.
    fn asks(deciding: Option<Factor>) -> Vec<EndedAsk> {
        let mut state = 7_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        (0..400)
            .map(|_| {
                let mut points = [0.0; Factor::ALL.len()];
                for factor in [Factor::Connection, Factor::MessageVolume, Factor::Meetings] {
                    points[factor as usize] = draw();
                }
                let chance = deciding.map_or(0.5, |factor| points[factor as usize]);
                EndedAsk { took: draw() < chance, warmness: 100.0 * draw(), points }
            })
            .collect()
    }

    #[test]
    fn the_factor_that_decides_gains_and_the_others_lose() {
        let weights = weights_by(&asks(Some(Factor::Meetings))).unwrap();
        let of = |key: &str| weights.iter().find(|(of, ..)| *of == key).copied().unwrap();
        let (_, default, meetings) = of("meetings");
        assert!(meetings > default, "{weights:?}");
        let (_, default, volume) = of("message_volume");
        assert!(volume < default, "{weights:?}");
    }

    #[test]
    fn of_few_asks_there_are_no_weights_and_of_chance_none_far_from_the_defaults() {
        assert_eq!(reason(199), "not enough to tell: 199 of 200");
        // The control: random success moves no weight far.
        for (_, default, weight) in weights_by(&asks(None)).unwrap_or_default() {
            assert!(weight.abs_diff(default) <= default.div_ceil(2), "{default} became {weight}");
        }
    }
}
