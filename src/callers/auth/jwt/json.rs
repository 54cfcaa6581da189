//! JSON objects with distinct names.
//!
//! Readers differ in which of two equal names they use, so the signer could mean one and the checker see the other.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses the JSON object in `bytes`; `None` if they are not one in UTF-8, if an object at any depth repeats a name, or
/// if it is nested more than 128 levels deep.
pub(crate) fn object(bytes: &[u8]) -> Option<Map<String, Value>> {
    match serde_json::from_slice(bytes) {
        Ok(Unique(Value::Object(object))) => Some(object),
        _ => None,
    }
}

/// A value without repeated names.
struct Unique(Value);

struct UniqueVisitor;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Unique(value))) = entries.next_entry::<String, Unique>()? {
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("a name stands twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_reads_as_what_it_is() {
        let text = r#" {"a":null,"b":[true,-1,2,0.5,"é\u0041"],"c":{"a":18446744073709551615}} "#;
        let value = serde_json::from_str::<Value>(text).ok();
        assert_eq!(object(text.as_bytes()).map(Value::Object), value);
        assert!(object(b"{}").is_some_and(|object| object.is_empty()));
    }

    #[test]
    fn a_name_twice_at_any_depth_is_refused_however_it_is_written() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#"{"b":{"a":1,"a":2}}"#,
            r#"{"b":[{"a":1,"x":0,"a":2}]}"#,
            r#"{"":1,"":1}"#,
        ] {
            assert!(object(text.as_bytes()).is_none(), "{text}");
        }
        assert!(object(br#"{"a":{"a":1},"A":1}"#).is_some());
    }

    #[test]
    fn what_is_no_object_is_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        for text in [
            "",
            " ",
            "[]",
            "1",
            "null",
            "\"a\"",
            "{",
            "{}{}",
            "{} x",
            "\u{feff}{}",
            "{a:1}",
            r#"{"a":1e999}"#,
            &deep,
        ] {
            assert!(object(text.as_bytes()).is_none(), "{}", &text[..text.len().min(20)]);
        }
        for bytes in [&b"{\"a\":\"\xff\"}"[..], b"{\"a\":\"\\ud800\"}", b"{\"a\":\"\0\"}"] {
            assert!(object(bytes).is_none(), "{bytes:?}");
        }
    }
}
