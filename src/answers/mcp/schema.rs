//! Writes the table of tools for rmcp: JSON Schema without null, `format`, references or combinations, which some
//! clients refuse.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as ListedTool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::api::schema::{Field, Shape, TEXT, Text};
use crate::mcp::rows::{Argument, Tool};

/// `tool` in the list; `asks_outside` if it uses a provider.
pub(super) fn listed(tool: &Tool, asks_outside: bool) -> ListedTool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(!tool.writes)
        .destructive(false)
        .idempotent(true)
        .open_world(tool.may_ask_outside && asks_outside);
    ListedTool::new(tool.name, tool.text, Arc::new(input(&tool.arguments)))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(output(&tool.answer)))
        .with_annotations(hints)
}

/// Returns the schema of a tool's arguments.
fn input(arguments: &[Argument]) -> JsonObject {
    let rows = arguments.iter().map(|it| (it.name, described(&it.shape, it.text), it.required));
    let mut schema = object_of(rows);
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// An object with these properties: the name of each, its schema, and whether it is always present.
fn object_of(rows: impl Iterator<Item = (&'static str, Value, bool)>) -> JsonObject {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, schema, is_required) in rows {
        properties.insert(name.to_owned(), schema);
        required.extend(is_required.then_some(name));
    }
    let mut schema =
        Map::from_iter([("type".to_owned(), "object".into()), ("properties".to_owned(), properties.into())]);
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}

/// Returns the schema of a tool's answer. A later version may add fields.
fn output(fields: &[Field]) -> JsonObject {
    let whole = [
        Field { name: "notice", shape: TEXT, always: true, text: "How to take the texts in data." },
        Field { name: "data", shape: Shape::Object(fields.to_vec()), always: true, text: "The answer." },
    ];
    object(&whole)
}

/// An object; one without fields is described by its text alone.
fn object(fields: &[Field]) -> JsonObject {
    if fields.is_empty() {
        return Map::from_iter([("type".to_owned(), "object".into())]);
    }
    // Answers keep to bounds and choices anyway: agents need only types.
    object_of(fields.iter().map(|it| (it.name, described(&kind(&it.shape), it.text), it.always)))
}

/// `shape` without bounds and choices.
fn kind(shape: &Shape) -> Shape {
    match shape {
        Shape::Text(_) | Shape::Choice(_) => TEXT,
        Shape::Whole(..) => Shape::Whole(0, None),
        Shape::List(.., item) => Shape::list(kind(item)),
        shape => shape.clone(),
    }
}

fn described(shape: &Shape, text: &str) -> Value {
    let mut schema = of(shape);
    schema.insert("description".to_owned(), text.into());
    schema.into()
}

fn of(shape: &Shape) -> JsonObject {
    let schema = match shape {
        Shape::Text(Text { most: Some(most), .. }) => json!({ "type": "string", "maxLength": most }),
        Shape::Choice(names) => json!({ "type": "string", "enum": names }),
        Shape::Whole(least, Some(most)) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::Whole(_, None) => json!({ "type": "integer" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Boolean | Shape::True => json!({ "type": "boolean" }),
        Shape::List(_, None, item) => json!({ "type": "array", "items": of(item) }),
        Shape::List(_, Some(most), item) => json!({ "type": "array", "maxItems": most, "items": of(item) }),
        Shape::Object(fields) => object(fields).into(),
        Shape::Text(_) | Shape::Schema(_) | Shape::OneOfOrNull(_) => {
            json!({ "type": "string" })
        }
    };
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}
