//! The values of each parameter. Bounds and names are those that the handlers check.

use crate::api::schema::{Field, PERSON_ID, Shape, TEXT, Text};
use crate::limits::{BATCH_TARGETS_MAX, QUERY_CHARS_MAX, TARGET_CHARS_MAX, TEXT_CHARS_MAX};
use crate::openapi::table::{Parameter, Place};
use kith::limits::{EMAIL_CHARS_MAX, ID_BYTES_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX};

/// A text with at least one character that is no white space.
const NOT_BLANK: &str = r"\S";
/// The id of a member, without the comma that separates it from the next.
const MEMBER_ID: &str = "^(user|person)_[^,]*$";

/// An optional parameter of the query.
fn optional(name: &'static str, shape: Shape, text: &'static str) -> Parameter {
    Parameter { name, place: Place::Query, required: false, shape, default: None, example: None, text }
}

impl Parameter {
    /// The same, but required.
    #[must_use]
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// The same, with a default.
    #[must_use]
    pub fn or(self, default: impl ToString) -> Self {
        Self { default: Some(default.to_string()), ..self }
    }

    /// The same, as a field of the body.
    #[must_use]
    pub fn in_body(self) -> Self {
        Self { place: Place::Body, ..self }
    }

    /// The same, with an example.
    #[must_use]
    pub fn such_as(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }
}

/// The description of a target as text.
pub const WRITTEN: &str = "Whom this text means, as people write it: an id, an e-mail address, the address of a profile or a homepage, a name, \
     a name with a firm and a role, a firm.";

/// A text with a maximum length that matches a pattern. The bound on ids is in bytes, so it holds for characters too.
const fn bounded(most: usize, pattern: &'static str) -> Shape {
    Shape::Text(Text { least: 1, most: Some(most), pattern: Some(pattern), format: None })
}

macro_rules! kinds {
    ($($text:literal $kind:ident($($names:ident: $type:ty)?) = $shape:expr;)+) => {$(
        #[doc = $text]
        #[must_use]
        pub fn $kind(name: &'static str, $($names: $type,)? text: &'static str) -> Parameter {
            optional(name, $shape, text)
        }
    )+};
}

kinds! {
    "A name or search text." text() = bounded(TEXT_CHARS_MAX, NOT_BLANK);
    "A target as people write it." written() = bounded(TARGET_CHARS_MAX, NOT_BLANK);
    "A question in plain language." sentence() = bounded(QUERY_CHARS_MAX, NOT_BLANK);
    "A person's id." person_id() = bounded(ID_BYTES_MAX, "^person_");
    "A handle or the address of a profile. The bound is on the handle in it." handle() = Shape::pattern(NOT_BLANK);
    "The id of a person or of a company." target_id() = bounded(ID_BYTES_MAX, "^(person|company)_");
    "An e-mail address." email() = bounded(EMAIL_CHARS_MAX, "@");
    "One of `names`." choice(names: &[&'static str]) = Shape::choice(names);
    "True or false." boolean() = Shape::Boolean;
    "Any number of `names`." choices(names: &[&'static str]) = Shape::list(Shape::choice(names));
    "One or more of `names`." some_of(names: &[&'static str]) = Shape::some(Shape::choice(names));
    "The id of one member." member_id() = bounded(ID_BYTES_MAX, "^(user|person)_");
    "A whole number from 1 to `most`." whole(most: u32) = Shape::Whole(1, Some(u64::from(most)));
    "One or more members' ids." some_member_ids() = Shape::some(bounded(ID_BYTES_MAX, "^(user|person)_"));
    "Any number of members' ids." member_ids() = Shape::list(bounded(ID_BYTES_MAX, MEMBER_ID));
}

/// The targets of a batch: each an object with the `fields` that name one.
#[must_use]
pub fn targets(name: &'static str, fields: Vec<Field>, text: &'static str) -> Parameter {
    optional(name, Shape::List(1, Some(BATCH_TARGETS_MAX), Box::new(Shape::Object(fields))), text).required()
}

/// A person's id in the path, without a limit: an invalid id matches nobody.
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

/// `Prefer`, a header of every operation.
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

/// The number of entries to skip, at most `most`; only answers to it have the fields of a page.
#[must_use]
pub fn further(most: u64) -> Parameter {
    let text = "How many entries to skip: `nextOffset` of the previous answer. With it, 0 too, the fields of a page are \
                answered.";
    optional("offset", Shape::Whole(0, Some(most)), text)
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
