//! What a network search says of how its question was understood, if it is asked for.

use crate::openapi::schema_fields::{COUNT, always, object, often};
use crate::openapi::table::{Field, Schema, Shape};
use crate::search::conditions::TermKind;
use crate::search::field::SearchField;
use crate::search::understood::How;

/// The fields that `meta` has with `understood`.
#[must_use]
pub fn of_meta() -> Vec<Field> {
    vec![
        often(
            "understood",
            Shape::list(Shape::Schema("UnderstoodTerm")),
            "The terms of the question, in the order of `searchTerms`; with `understood`.",
        ),
        often(
            "ignored",
            Shape::list(Shape::TEXT),
            "Words that say nothing of whom to find; with `understood`.",
        ),
        often(
            "counts",
            Shape::Schema("SearchCounts"),
            "How many people fit how many of the conditions; with `understood`.",
        ),
    ]
}

/// The field that a person found has with `understood`.
#[must_use]
pub fn matched() -> Field {
    often(
        "matched",
        Shape::list(Shape::Schema("TermMatch")),
        "The terms that the person fits; with `understood`.",
    )
}

/// The schemas of what was understood.
#[must_use]
pub fn schemas() -> Vec<Schema> {
    let term = vec![
        always("term", Shape::TEXT, "Its words, as the question has them."),
        always("kind", Shape::Choice(TermKind::ALL.map(TermKind::name).to_vec()), "What it is about."),
        always("negated", Shape::Boolean, "Whether the people wanted are those it does not fit."),
        always("past", Shape::Boolean, "Whether it was so in the past."),
        often("readAs", Shape::TEXT, "As what its words were read, if not as they are written."),
        often(
            "widenedTo",
            Shape::list(Shape::TEXT),
            "Up to three texts of people in the chosen networks that say the same in other words, the most frequent first.",
        ),
        always("people", COUNT, "How many people of the chosen networks it fits, negated or not."),
    ];
    let counts = vec![
        always("every", COUNT, "Those who fit every condition."),
        always("most", COUNT, "Those who fit more than half of them."),
        always("any", COUNT, "Those who fit at least one."),
    ];
    let matched = vec![
        always("term", COUNT, "Which of the terms of `meta.understood`, counted from 0."),
        always(
            "field",
            Shape::Choice(SearchField::ALL.map(SearchField::name).to_vec()),
            "What of the person it fits.",
        ),
        always("text", Shape::TEXT, "The text there."),
        always(
            "how",
            Shape::Choice(How::ALL.map(How::name).to_vec()),
            "`words`: the text has the words of the term; `sense`: it says the same in other words; `past`: it was so once; `number`: by what is counted.",
        ),
    ];
    vec![
        object("UnderstoodTerm", "A term of a question, and how it was read.", term),
        object(
            "SearchCounts",
            "How many people fit how many conditions. Nobody whom a negated term fits is counted.",
            counts,
        ),
        object("TermMatch", "A term that a person fits, and by what.", matched),
    ]
}
