//! What each parameter takes. Bounds and names are those that the handlers check by.

use crate::api::schema::{Field, PERSON_ID, Shape, TEXT, Text};
use crate::limits::{BATCH_TARGETS_MAX, QUERY_CHARS_MAX, TEXT_CHARS_MAX};
use crate::openapi::table::{Parameter, Place};
use kith::limits::{EMAIL_CHARS_MAX, ID_BYTES_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX};

/// A text with at least one character that is no white space.
const NOT_BLANK: &str = r"\S";
/// The id of a member, without the comma that separates it from the next.
const MEMBER_ID: &str = "^(user|person)_[^,]*$";

/// A parameter of the query that may be left out.
fn optional(name: &'static str, shape: Shape, text: &'static str) -> Parameter {
    Parameter { name, place: Place::Query, required: false, shape, default: None, example: None, text }
}

impl Parameter {
    /// The same, and it must be sent.
    #[must_use]
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// The same, with `default` if it is not sent.
    #[must_use]
    pub fn or(self, default: impl ToString) -> Self {
        Self { default: Some(default.to_string()), ..self }
    }

    /// The same, as a field of the body.
    #[must_use]
    pub fn in_body(self) -> Self {
        Self { place: Place::Body, ..self }
    }

    /// The same, with a value to show.
    #[must_use]
    pub fn such_as(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }
}

/// A name or search text, of a bounded number of characters.
#[must_use]
pub fn text(name: &'static str, text: &'static str) -> Parameter {
    let shape = Text { least: 1, most: Some(TEXT_CHARS_MAX), pattern: Some(NOT_BLANK), format: None };
    optional(name, Shape::Text(shape), text)
}

/// A question in plain language, of a bounded number of characters.
#[must_use]
pub fn sentence(name: &'static str, text: &'static str) -> Parameter {
    let shape = Text { least: 1, most: Some(QUERY_CHARS_MAX), pattern: Some(NOT_BLANK), format: None };
    optional(name, Shape::Text(shape), text)
}

/// A person's id. The bound is one of bytes, so that it holds for characters too.
#[must_use]
pub fn person_id(name: &'static str, text: &'static str) -> Parameter {
    let shape = Text { least: 1, most: Some(ID_BYTES_MAX), pattern: Some("^person_"), format: None };
    optional(name, Shape::Text(shape), text)
}

/// A handle or the address of a profile. The bound is on the handle in it, so there is none here.
#[must_use]
pub fn handle(name: &'static str, text: &'static str) -> Parameter {
    optional(name, Shape::pattern(NOT_BLANK), text)
}

/// The id of a person or of a company. The bound is one of bytes, so that it holds for characters too.
#[must_use]
pub fn target_id(name: &'static str, text: &'static str) -> Parameter {
    let id = Text { least: 1, most: Some(ID_BYTES_MAX), pattern: Some("^(person|company)_"), format: None };
    optional(name, Shape::Text(id), text)
}

/// An e-mail address.
#[must_use]
pub fn email(name: &'static str, text: &'static str) -> Parameter {
    let address = Text { least: 1, most: Some(EMAIL_CHARS_MAX), pattern: Some("@"), format: None };
    optional(name, Shape::Text(address), text)
}

/// One of `names`.
#[must_use]
pub fn choice(name: &'static str, names: &[&'static str], text: &'static str) -> Parameter {
    optional(name, Shape::Choice(names.to_vec()), text)
}

/// True or false.
#[must_use]
pub fn boolean(name: &'static str, text: &'static str) -> Parameter {
    optional(name, Shape::Boolean, text)
}

/// Any number of `names`.
#[must_use]
pub fn choices(name: &'static str, names: &[&'static str], text: &'static str) -> Parameter {
    optional(name, Shape::list(Shape::Choice(names.to_vec())), text)
}

/// One or more of `names`.
#[must_use]
pub fn some_of(name: &'static str, names: &[&'static str], text: &'static str) -> Parameter {
    optional(name, Shape::some(Shape::Choice(names.to_vec())), text)
}

/// The id of one member. The bound is one of bytes, so that it holds for characters too.
#[must_use]
pub fn member_id(name: &'static str, text: &'static str) -> Parameter {
    let id = Text { least: 1, most: Some(ID_BYTES_MAX), pattern: Some("^(user|person)_"), format: None };
    optional(name, Shape::Text(id), text)
}

/// A whole number from 1 to `most`.
#[must_use]
pub fn whole(name: &'static str, most: u32, text: &'static str) -> Parameter {
    optional(name, Shape::Whole(1, Some(u64::from(most))), text)
}

/// One or more members' ids.
#[must_use]
pub fn some_member_ids(name: &'static str, text: &'static str) -> Parameter {
    let id = Text { least: 1, most: Some(ID_BYTES_MAX), pattern: Some("^(user|person)_"), format: None };
    optional(name, Shape::some(Shape::Text(id)), text)
}

/// The targets of a batch: each an object of the `fields` by which one is named.
#[must_use]
pub fn targets(name: &'static str, fields: Vec<Field>, text: &'static str) -> Parameter {
    optional(name, Shape::List(1, Some(BATCH_TARGETS_MAX), Box::new(Shape::Object(fields))), text).required()
}

/// Any number of members' ids.
#[must_use]
pub fn member_ids(name: &'static str, text: &'static str) -> Parameter {
    let id = Text { least: 1, most: Some(ID_BYTES_MAX), pattern: Some(MEMBER_ID), format: None };
    optional(name, Shape::list(Shape::Text(id)), text)
}

/// A person's id in the path. It has no bound: a text that is no id is nobody's.
#[must_use]
pub fn path_id(name: &'static str, text: &'static str) -> Parameter {
    Parameter { place: Place::Path, required: true, ..optional(name, PERSON_ID, text) }
}

/// `limit`.
#[must_use]
pub fn limit() -> Parameter {
    let shape = Shape::Whole(1, Some(u64::from(PAGE_LIMIT_MAX)));
    optional("limit", shape, "The most entries to return.").or(PAGE_LIMIT_DEFAULT)
}

/// `Prefer`, a header that every operation of the API takes.
#[must_use]
pub fn prefer() -> Parameter {
    let text = "`handling=strict` (RFC 7240) refuses the first parameter or field of the body that is not known here: a \
                400 that names it and the nearest known one. Without it they are ignored.";
    Parameter { place: Place::Header, ..optional("Prefer", TEXT, text) }
}

/// `offset`.
#[must_use]
pub fn offset() -> Parameter {
    let text =
        "How many entries to skip: `nextOffset` of the previous answer. Past the end the list is empty.";
    optional("offset", Shape::Whole(0, Some(u64::MAX)), text).or(0)
}

/// A generation of the organization's network.
#[must_use]
pub fn generation(name: &'static str, text: &'static str) -> Parameter {
    optional(name, Shape::Whole(0, Some(u64::MAX)), text).required()
}

/// `page`.
#[must_use]
pub fn page() -> Parameter {
    let text = "Which page, from 1. Past the end the list is empty.";
    optional("page", Shape::Whole(1, Some(u64::MAX)), text).or(1)
}
