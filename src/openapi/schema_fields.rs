//! Fields that several objects of the answers have alike, as `api/fields.rs` writes them alike.

use crate::limits::PAGE_LIMIT_MAX;
use crate::openapi::table::{Field, Others, Schema, Shape, Text};

/// A score: whole, from 0 to 100.
pub const SCORE: Shape = Shape::Whole(0, Some(100));
/// A number of things.
pub const COUNT: Shape = Shape::Whole(0, None);
/// The id of a person.
pub const PERSON_ID: Shape = Shape::pattern("^person_");
/// The id of a company.
pub const COMPANY_ID: Shape = Shape::pattern("^company_");
/// The id of a member.
pub const USER_ID: Shape = Shape::pattern("^user_");
/// A moment, in UTC with milliseconds.
pub const MOMENT: Shape = Shape::Text(Text {
    least: 0,
    most: None,
    pattern: Some(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$"),
    format: Some("date-time"),
});
/// An object of `fields`, to which a later version may add others.
#[must_use]
pub fn object(name: &'static str, text: &'static str, fields: Vec<Field>) -> Schema {
    Schema { name, text, fields, others: Others::Nothing }
}

/// A body of which `data` is all.
#[must_use]
pub fn answer(name: &'static str, text: &'static str, data: Shape) -> Schema {
    object(name, text, vec![always("data", data, "The answer.")])
}

/// A breakdown.
pub const BREAKDOWN: Shape = Shape::Schema("Breakdown");

/// A field that is always there.
#[must_use]
pub fn always(name: &'static str, shape: Shape, text: &'static str) -> Field {
    Field { name, shape, always: true, text }
}

/// A field that is left out if it has no value.
#[must_use]
pub fn often(name: &'static str, shape: Shape, text: &'static str) -> Field {
    Field { name, shape, always: false, text }
}

/// Returns the field of an edge's evidence, under `name`.
#[must_use]
pub fn evidence(name: &'static str) -> Field {
    let entries = Shape::list(Shape::Schema("Evidence"));
    often(
        name,
        entries,
        "What the score rests on, the newest first, at most ten entries; with `include=evidence`.",
    )
}

/// `id` and `name` of a person.
#[must_use]
pub fn identity() -> Vec<Field> {
    vec![always("id", PERSON_ID, "The person's id."), always("name", Shape::TEXT, "The person's name.")]
}

/// `linkedinId`.
#[must_use]
pub fn handle() -> Field {
    often("linkedinId", Shape::TEXT, "The handle on the professional network.")
}

/// `position`, and the name of the current company under `company_key`.
#[must_use]
pub fn occupation(company_key: &'static str) -> Vec<Field> {
    let company = often(company_key, Shape::TEXT, "The name of the current company.");
    vec![position(), company]
}

/// `position`.
#[must_use]
pub fn position() -> Field {
    often("position", Shape::TEXT, "What the person does at work.")
}

/// `city`.
#[must_use]
pub fn city() -> Field {
    often("city", Shape::TEXT, "Where the person lives.")
}

/// The fields of a target and of an advocate.
#[must_use]
pub fn card() -> Vec<Field> {
    [identity(), vec![handle()], occupation("company")].concat()
}

/// The four fields of an intro request; they come together or not at all.
#[must_use]
pub fn intro() -> Vec<Field> {
    vec![
        intro_requested(),
        intro_status(),
        often("introRequestedBy", Shape::TEXT, "The name of the member who asked."),
        often("introRequestedAt", MOMENT, "When they asked."),
    ]
}

/// `introRequested`.
#[must_use]
pub fn intro_requested() -> Field {
    often("introRequested", Shape::True, "Only where the organization has asked for an introduction.")
}

/// `introStatus`.
#[must_use]
pub fn intro_status() -> Field {
    often("introStatus", Shape::TEXT, "What became of that request, such as `ACTIVE`.")
}

/// The fields of a company.
#[must_use]
pub fn company() -> Vec<Field> {
    vec![
        always("id", COMPANY_ID, "The company's id."),
        always("name", Shape::TEXT, "The company's name."),
        often("companyId", Shape::TEXT, "The company's handle."),
        often("industry", Shape::TEXT, "What it works in."),
        often("headquartersLocation", Shape::TEXT, "Where its headquarters are."),
    ]
}

/// The fields of the paged list envelope.
#[must_use]
pub fn envelope() -> Vec<Field> {
    vec![
        always("totalCount", COUNT, "How many entries there are on all pages."),
        always(
            "returnedCount",
            Shape::Whole(0, Some(u64::from(PAGE_LIMIT_MAX))),
            "How many are on this one.",
        ),
        always("limit", Shape::Whole(1, Some(u64::from(PAGE_LIMIT_MAX))), "The limit that was applied."),
        always("offset", COUNT, "The offset that was applied."),
        always("hasMore", Shape::Boolean, "Whether there is a further page."),
        often("nextOffset", COUNT, "The offset of the next page; only where there is one."),
    ]
}

/// The sentences of a breakdown under `name`.
#[must_use]
pub fn signals(name: &'static str) -> Field {
    often(name, Shape::list(Shape::TEXT), "What the breakdown says, in sentences, the warmest factor first.")
}
