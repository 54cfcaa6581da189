//! A row as it was read, as a line of NDJSON.

use crate::source::error::{Reason, TableFault};
use crate::source::fields::{Cell, NamedCell};
use crate::source::freeform;
use crate::source::json;

/// Columns of numbers, which stand in CSV and in text columns of Parquet without a mark of their own.
const NUMBERS: &[&str] =
    &["minSize", "maxSize", "connectionsCount", "warmness", "overallScore", "confidenceLevel"];
const OBJECTS: &[&str] = &["breakdown", "icpEvaluation", "buyingIntent", "keyInsights"];
const LISTS: &[&str] = &["paths"];

/// The row `fields` as an object on one line, without fields that have no value.
///
/// # Errors
/// Returns an error if a text that is to hold an object or a list holds none.
pub(crate) fn line(fields: &[NamedCell<'_>]) -> Result<String, TableFault> {
    let mut line = String::from("{");
    for field in fields {
        let before = line.len();
        if before > 1 {
            line.push(',');
        }
        line.extend(["\"", field.name, "\":"]);
        if !push_value(&mut line, *field)? {
            line.truncate(before);
        }
    }
    line.push('}');
    Ok(line)
}

/// Appends the value of `field`, and returns whether it has one.
fn push_value(line: &mut String, field: NamedCell<'_>) -> Result<bool, TableFault> {
    let text = match field.cell {
        Cell::None => return Ok(false),
        Cell::Json(raw) => {
            line.push_str(raw);
            return Ok(true);
        }
        Cell::Csv(text) => text,
    };
    if OBJECTS.contains(&field.name) {
        let Some(object) = field.optional_json() else { return Ok(false) };
        line.push_str(&freeform::compact(object).map_err(|fault| field.freeform(fault))?);
    } else if LISTS.contains(&field.name) {
        let items = field.optional_items()?;
        line.push('[');
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                line.push(',');
            }
            line.push_str(&freeform::compact(item).map_err(|fault| field.freeform(fault))?);
        }
        line.push(']');
    } else if NUMBERS.contains(&field.name) && json::value(text) == Ok(text) {
        line.push_str(text);
    } else {
        let broken = |fault: json::JsonFault| {
            let reason = Reason::NotJson { column: fault.column, message: fault.message };
            TableFault::of(field.name, reason)
        };
        json::push_text(line, text).map_err(broken)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_every_format_become_the_same_line() {
        let line = |cells: [Cell<'_>; 4]| {
            let names = ["name", "warmness", "breakdown", "paths"];
            let fields: Vec<_> =
                names.into_iter().zip(cells).map(|(name, cell)| NamedCell { name, cell }).collect();
            super::line(&fields).map_err(|fault| fault.in_file("t").to_string())
        };
        let json = [Cell::Json("\"A\""), Cell::Json("7"), Cell::Json("{\"b\":0.30}"), Cell::Json("[{}]")];
        let csv = [Cell::Csv("A"), Cell::Csv("7"), Cell::Csv("{\"b\":\n0.30}"), Cell::Csv("[ {} ]")];
        let expected = r#"{"name":"A","warmness":7,"breakdown":{"b":0.30},"paths":[{}]}"#;
        assert_eq!(line(json).as_deref(), Ok(expected));
        assert_eq!(line(csv).as_deref(), Ok(expected));
        // What is no number stays a text, for the build to refuse.
        let none = [Cell::Csv("\"\n"), Cell::Csv("7\n"), Cell::None, Cell::Csv("null")];
        assert_eq!(line(none).as_deref(), Ok(r#"{"name":"\"\n","warmness":"7\n","paths":[]}"#));
        let broken = line([Cell::None, Cell::None, Cell::Csv("5"), Cell::None]);
        assert_eq!(broken.as_deref(), Err(&"t: field breakdown: expected a JSON object, got 5".to_owned()));
    }
}
