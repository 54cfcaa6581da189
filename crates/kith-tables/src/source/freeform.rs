//! The compact form of free-form JSON objects.
//!
//! It has no white space; keys keep their order, numbers their digits, and texts have as few escapes as possible.
//! Objects that differ in nothing else have the same compact form.

use std::borrow::Cow;

use crate::source::error::{FreeformFault, echo};
use crate::source::json::{self, JsonFault};
use kith::limits::JSON_DEPTH_MAX;

/// The only factor of a breakdown with a text value.
const TEXT_FACTOR: &str = "pastCompanyName";

type Entries<'a> = Vec<(Cow<'a, str>, &'a str)>;

/// The compact form of the object `raw`.
///
/// Costs one pass per level of nesting.
///
/// # Errors
/// Returns an error if `raw` is not a valid JSON object, has a key twice at any depth, or is nested too deep.
pub fn compact(raw: &str) -> Result<String, FreeformFault> {
    let mut out = String::with_capacity(raw.len());
    write_entries(&mut out, &entries_of(raw)?, 1)?;
    Ok(out)
}

/// The compact form of the breakdown `raw`; empty if it has no content.
///
/// # Errors
/// Returns the errors of [`compact`], and an error if a factor is not a number or `pastCompanyName` is not text.
pub fn compact_breakdown(raw: &str) -> Result<String, FreeformFault> {
    let entries = entries_of(raw)?;
    entries.iter().try_for_each(|(factor, value)| check_factor(factor, value))?;
    let mut out = String::with_capacity(raw.len());
    if !entries.is_empty() {
        write_entries(&mut out, &entries, 1)?;
    }
    Ok(out)
}

fn check_factor(factor: &str, value: &str) -> Result<(), FreeformFault> {
    let is_text = value.starts_with('"');
    let is_number = value.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    if factor == TEXT_FACTOR && !is_text {
        return Err(FreeformFault::FactorNotText { factor: TEXT_FACTOR, found: echo(value) });
    }
    if factor != TEXT_FACTOR && !is_number {
        return Err(FreeformFault::FactorNotNumber { factor: echo(factor), found: echo(value) });
    }
    Ok(())
}

fn entries_of(raw: &str) -> Result<Entries<'_>, FreeformFault> {
    if !raw.trim_ascii_start().starts_with('{') {
        return Err(FreeformFault::NotAnObject(echo(raw)));
    }
    let mut entries = Entries::new();
    json::each_entry(raw, |key, value| entries.push((key, value)))?;
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_ref()).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(FreeformFault::KeyTwice(echo(pair[0]))),
        None => Ok(entries),
    }
}

/// Appends a valid JSON value that is inside `depth` objects and arrays.
fn write_value(out: &mut String, raw: &str, depth: usize) -> Result<(), FreeformFault> {
    match raw.as_bytes().first() {
        Some(b'{' | b'[') if depth == JSON_DEPTH_MAX => Err(FreeformFault::TooDeep),
        Some(b'{') => write_entries(out, &entries_of(raw)?, depth + 1),
        Some(b'[') => write_items(out, &json::items(raw)?, depth + 1),
        Some(b'"') => write_text(out, raw),
        _ => {
            out.push_str(raw);
            Ok(())
        }
    }
}

fn write_entries(out: &mut String, entries: &Entries<'_>, depth: usize) -> Result<(), FreeformFault> {
    out.push('{');
    for (place, (key, value)) in entries.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        json::push_text(out, key)?;
        out.push(':');
        write_value(out, value, depth)?;
    }
    out.push('}');
    Ok(())
}

fn write_items(out: &mut String, items: &[&str], depth: usize) -> Result<(), FreeformFault> {
    out.push('[');
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        write_value(out, item, depth)?;
    }
    out.push(']');
    Ok(())
}

/// Appends a JSON string; one without an escape is already in its shortest form.
fn write_text(out: &mut String, raw: &str) -> Result<(), FreeformFault> {
    match json::text(raw)? {
        Some(Cow::Owned(text)) => json::push_text(out, &text)?,
        _ => out.push_str(raw), // borrowed: nothing was escaped
    }
    Ok(())
}

impl From<JsonFault> for FreeformFault {
    fn from(fault: JsonFault) -> Self {
        Self::NotJson { column: fault.column, message: fault.message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object nested `depth` deep, itself included; every second level is an array.
    fn nested(depth: usize) -> String {
        let opening =
            (1..depth).map(|level| if level % 2 == 1 { "[" } else { "{\"a\":" }).collect::<String>();
        let closing =
            (1..depth).rev().map(|level| if level % 2 == 1 { "]" } else { "}" }).collect::<String>();
        format!("{{\"a\":{opening}1{closing}}}")
    }

    #[test]
    fn the_compact_form_keeps_order_and_letters_and_drops_white_space() {
        let digits = "1234567890123456789012345678901234567890";
        for (raw, expected) in [
            ("{}", "{}"),
            (" {\t} ", "{}"),
            (r#"{ "b" : 1.0e+5 , "a":[ -0 , 1E400,0.10 ,{ } ] }"#, r#"{"b":1.0e+5,"a":[-0,1E400,0.10,{}]}"#),
            (r#"{"\u0041\/":"\u00e9\/\ud83d\ude00"}"#, r#"{"A/":"é/😀"}"#),
            (r#"{"a":"\u000a\u0001\u007f\"\\"}"#, "{\"a\":\"\\n\\u0001\u{7f}\\\"\\\\\"}"),
            (r#"{"a":null,"b":[true ,false]}"#, r#"{"a":null,"b":[true,false]}"#),
            (&format!("{{\"n\": {digits}}}"), &format!("{{\"n\":{digits}}}")),
        ] {
            assert_eq!(compact(raw).as_deref(), Ok(expected), "{raw}");
            assert_eq!(compact(expected).as_deref(), Ok(expected), "compacting twice is compacting once");
        }
    }

    #[test]
    fn a_key_twice_is_refused_at_any_depth() {
        for raw in [r#"{"a":1,"b":2,"\u0061":3}"#, r#"{"x":[{"a":1,"a":1}]}"#, r#"{"x":{"y":{"a":1,"a":2}}}"#]
        {
            assert_eq!(compact(raw), Err(FreeformFault::KeyTwice("a".to_owned())), "{raw}");
        }
        assert!(compact(r#"{"a":{"a":{"a":1}},"b":{"a":1}}"#).is_ok());
    }

    #[test]
    fn nesting_is_accepted_up_to_its_bound() {
        let deepest = nested(JSON_DEPTH_MAX);
        assert_eq!(compact(&deepest).as_deref(), Ok(deepest.as_str()));
        assert_eq!(compact(&nested(JSON_DEPTH_MAX + 1)), Err(FreeformFault::TooDeep));
        assert_eq!(compact(&nested(100_000)), Err(FreeformFault::TooDeep));
    }

    #[test]
    fn what_is_no_object_is_kept_as_it_stands() {
        for raw in ["[]", "5", "\"a\"", "nothing", ""] {
            assert_eq!(compact(raw), Err(FreeformFault::NotAnObject(raw.to_owned())), "{raw}");
        }
        for raw in ["{", "{\"a\":01}", "{} {}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\t\"}", "{\"a\":1,}"] {
            assert!(matches!(compact(raw), Err(FreeformFault::NotJson { .. })), "{raw}");
        }
    }

    #[test]
    fn factors_are_numbers_and_the_past_company_has_a_name() {
        for (raw, expected) in [
            ("{}", ""),
            ("{ }", ""),
            (r#"{"sameCity": 5, "new": -1e400}"#, r#"{"sameCity":5,"new":-1e400}"#),
            (r#"{"pastCompanyName": ""}"#, r#"{"pastCompanyName":""}"#),
        ] {
            assert_eq!(compact_breakdown(raw).as_deref(), Ok(expected), "{raw}");
        }
        for raw in [r#"{"a":"5"}"#, r#"{"a":null}"#, r#"{"a":{}}"#, r#"{"a":true}"#] {
            assert!(matches!(compact_breakdown(raw), Err(FreeformFault::FactorNotNumber { .. })), "{raw}");
        }
        for raw in [r#"{"pastCompanyName":5}"#, r#"{"pastCompanyName":null}"#] {
            assert!(matches!(compact_breakdown(raw), Err(FreeformFault::FactorNotText { .. })), "{raw}");
        }
    }
}
