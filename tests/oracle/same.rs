//! Comparing an answer of the engine with one of the oracle.

use serde_json::{Map, Number, Value};

/// Objects whose numbers must come back exactly as they were written.
const FREE_FORM: [&str; 6] = [
    "warmnessBreakdown",
    "userToConnectorBreakdown",
    "connectorToProspectBreakdown",
    "icpEvaluation",
    "buyingIntent",
    "keyInsights",
];

/// Fields whose wording is free: the oracle lists factor names, the engine writes sentences.
const SIGNALS: [&str; 3] = ["warmnessSignals", "userToConnectorSignals", "connectorToProspectSignals"];

/// Fields that hold a sentence of the engine's own wording.
const WORDED: [&str; 2] = ["message", "error"];

/// Compares exactly, except signals, of which only the number of sentences counts, and messages and errors,
/// of which there only has to be one.
///
/// # Errors
///
/// Says where the two differ first, as a JSON path, and what each holds there.
pub(crate) fn same_answer(engine: &Value, oracle: &Value) -> Result<(), String> {
    compare(engine, oracle, "$", false)
}

fn compare(engine: &Value, oracle: &Value, path: &str, exact_numbers: bool) -> Result<(), String> {
    match (engine, oracle) {
        (Value::Object(engine), Value::Object(oracle)) => objects(engine, oracle, path, exact_numbers),
        (Value::Array(engine), Value::Array(oracle)) => {
            for (at, (engine, oracle)) in engine.iter().zip(oracle).enumerate() {
                compare(engine, oracle, &format!("{path}[{at}]"), exact_numbers)?;
            }
            let lengths = (engine.len(), oracle.len());
            if lengths.0 == lengths.1 {
                return Ok(());
            }
            Err(format!("{path}: the engine has {} entries, the oracle {}", lengths.0, lengths.1))
        }
        (Value::Number(a), Value::Number(b)) if same_number(a, b, exact_numbers) => Ok(()),
        _ if engine == oracle => Ok(()),
        _ => Err(format!("{path}: the engine has {engine}, the oracle {oracle}")),
    }
}

fn objects(
    engine: &Map<String, Value>,
    oracle: &Map<String, Value>,
    path: &str,
    exact_numbers: bool,
) -> Result<(), String> {
    for (name, value) in oracle {
        let path = format!("{path}.{name}");
        let Some(given) = engine.get(name) else {
            return Err(format!("{path}: absent in the engine, the oracle has {value}"));
        };
        if WORDED.contains(&name.as_str()) && !exact_numbers {
            let is_said = given.as_str().is_some_and(|message| !message.is_empty());
            if !is_said {
                return Err(format!("{path}: the engine says nothing"));
            }
        } else if SIGNALS.contains(&name.as_str()) && !exact_numbers {
            signals(given, value, &path)?;
        } else {
            compare(given, value, &path, exact_numbers || FREE_FORM.contains(&name.as_str()))?;
        }
    }
    match engine.iter().find(|(name, _)| !oracle.contains_key(*name)) {
        None => Ok(()),
        Some((name, value)) => Err(format!("{path}.{name}: the engine has {value}, absent in the oracle")),
    }
}

fn signals(engine: &Value, oracle: &Value, path: &str) -> Result<(), String> {
    let is_sentence = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let count = oracle.as_array().map_or(0, Vec::len);
    match engine.as_array() {
        Some(sentences) if sentences.len() == count && sentences.iter().all(is_sentence) => Ok(()),
        _ => Err(format!("{path}: the engine has {engine}, the oracle {count} sentences, for {oracle}")),
    }
}

/// Outside free-form objects only the value of a number counts: `90` and `90.0` are the same score.
fn same_number(a: &Number, b: &Number, exact: bool) -> bool {
    a == b || (!exact && a.as_f64() == b.as_f64())
}
