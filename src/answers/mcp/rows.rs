//! The rows of the table of tools. Shapes, bounds and choices come from the API's own table.

use std::sync::LazyLock;

use crate::api::schema::{Field, Schema, Shape, TEXT, often};
use crate::openapi::schemas;
use crate::openapi::serve::described;
use crate::openapi::table::Endpoint;

static OPERATIONS: LazyLock<Vec<Endpoint>> = LazyLock::new(described);
static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(schemas::all);

pub(super) struct Tool {
    /// Its name for assistants.
    pub(super) name: &'static str,
    /// Its name for people.
    pub(super) title: &'static str,
    /// Its purpose, when to use it, and when not.
    pub(super) text: &'static str,
    /// Whether it needs a user's token.
    pub(super) is_own: bool,
    /// Whether it exists only with asks.
    pub(super) needs_asks: bool,
    /// Whether it writes.
    pub(super) writes: bool,
    /// Whether it uses the language-model provider, if there is one.
    pub(super) may_ask_outside: bool,
    pub(super) arguments: Vec<Argument>,
    /// The fields of its answer, below `data`.
    pub(super) answer: Vec<Field>,
}

/// An argument of a tool.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    /// The API's parameter that reads it; `None` if the tool reads it itself.
    pub(super) read_as: Option<&'static str>,
    /// The shape of its value.
    pub(super) shape: Shape,
    /// Whether it is required.
    pub(super) required: bool,
    /// Its description.
    pub(super) text: &'static str,
}

impl Argument {
    /// An argument that is not a parameter of the API.
    pub(super) fn own(name: &'static str, shape: Shape, text: &'static str) -> Self {
        Self { name, read_as: None, shape, required: false, text }
    }

    /// The API's `parameter` of `operation`.
    pub(super) fn like(
        operation: &str,
        parameter: &'static str,
        name: &'static str,
        text: &'static str,
    ) -> Self {
        let endpoint = OPERATIONS.iter().find(|endpoint| endpoint.route.id == operation);
        let row = endpoint.and_then(|endpoint| endpoint.parameters.iter().find(|row| row.name == parameter));
        let shape = row.map_or(TEXT, |row| row.shape.clone());
        Self { read_as: Some(parameter), ..Self::own(name, shape, text) }
    }

    /// The same, but required.
    pub(super) fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// The same with another text.
    pub(super) fn with_text(self, text: &'static str) -> Self {
        Self { text, ..self }
    }

    /// The same with fewer choices, or another limit.
    pub(super) fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }
}

/// Fields of the API's `schema`, separated by spaces; `field=name` renames one. An unknown field gets no text, which a
/// test notices.
pub(super) fn same(schema: &str, fields: &'static str) -> Vec<Field> {
    let schema = SCHEMAS.iter().find(|row| row.name == schema);
    let named = |word: &'static str| {
        let (field, name) = word.split_once('=').unwrap_or((word, word));
        let row = schema.and_then(|schema| schema.fields.iter().find(|row| row.name == field));
        row.map_or(often(name, TEXT, ""), |row| Field { name, ..row.clone() })
    };
    fields.split(' ').map(named).collect()
}
