//! Checks JSON that is stored as written: numbers and compact objects.

use serde::de::IgnoredAny;

use crate::limits::JSON_DEPTH_MAX;

/// Whether `text` is exactly one finite JSON number.
pub(super) fn is_finite_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && text.ends_with(|last: char| last.is_ascii_digit())
        && is_valid(text)
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether `text` is one JSON object without white space outside its strings, of at most
/// [`JSON_DEPTH_MAX`] levels.
pub(super) fn is_compact_object(text: &str) -> bool {
    text.starts_with('{') && is_compact(text) && is_valid(text)
}

fn is_valid(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether valid JSON has no white space outside its strings and is not too deep.
fn is_compact(json: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    json.bytes().all(|byte| {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            return true;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b' ' | b'\t' | b'\n' | b'\r' => return false,
            _ => {}
        }
        depth <= JSON_DEPTH_MAX
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_json_numbers_and_finite() {
        for number in ["0", "-0", "1.50", "1e308", "-2.5E-3", "123456789012345678901234567890"] {
            assert!(is_finite_number(number), "{number}");
        }
        for other in [
            "", "-", "1.", ".5", "01", "+1", "1 ", " 1", "1e309", "inf", "NaN", "0x1", "1,2", "\"1\"", "null",
        ] {
            assert!(!is_finite_number(other), "{other}");
        }
    }

    #[test]
    fn objects_are_json_compact_and_not_too_deep() {
        let nested = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        let siblings = format!(r#"{{"a":[{}[]]}}"#, "{},".repeat(2 * JSON_DEPTH_MAX));
        for object in [
            "{}",
            r#"{"a b":" \" x\\","c":[1,{"d":null}]}"#,
            r#"{"a":1e999}"#,
            &nested(JSON_DEPTH_MAX),
            &siblings,
        ] {
            assert!(is_compact_object(object), "{object}");
        }
        for other in [
            "",
            "[]",
            "1",
            "{",
            "{} ",
            "{}{}",
            r#"{"a": 1}"#,
            r#"{"a":1,}"#,
            r#"{"a":"\"}"#,
            "{\"a\":\"\n\"}",
            r#"{"a":"x"}]"#,
            &nested(JSON_DEPTH_MAX + 1),
        ] {
            assert!(!is_compact_object(other), "{other}");
        }
    }
}
