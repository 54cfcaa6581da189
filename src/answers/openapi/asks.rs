//! The API's description with asks: two more endpoints, and further fields of others.

use crate::api::endpoints::asks::AskStates;
use crate::api::endpoints::{ASK_ROUTES, ROUTES};
use crate::api::schema::{Schema, Shape};
use crate::openapi::endpoints::PATHS;
use crate::openapi::failures::{self, failures_with};
use crate::openapi::parameters::{boolean, choice, limit, offset, path_id, person_id};
use crate::openapi::table::{Access, Endpoint, Success};
use crate::query::paths::request::PathExtra;

/// The schemas that exist only with asks.
const SCHEMAS: [&str; 16] = [
    "AsksAnswer",
    "Asks",
    "AskAnswer",
    "AskWithEvents",
    "Ask",
    "Named",
    "Asker",
    "Event",
    "EventAuthor",
    "AskLoad",
    "AskedAbout",
    "BrokenRule",
    "AskPlan",
    "AskNow",
    "AskLater",
    "AskNever",
];
/// The fields of other schemas that exist only with asks.
const FIELDS: [(&str, &str); 5] = [
    ("WarmPath", "asks"),
    ("WarmPath", "preference"),
    ("Prospect", "asks"),
    ("Target", "asks"),
    ("WarmPathsBatch", "plan"),
];

/// `schemas` without those and fields that exist only with asks.
#[must_use]
pub fn without(mut schemas: Vec<Schema>) -> Vec<Schema> {
    schemas.retain(|schema| !SCHEMAS.contains(&schema.name));
    for schema in &mut schemas {
        let name = schema.name;
        schema.fields.retain(|field| !FIELDS.contains(&(name, field.name)));
    }
    schemas
}

/// `described` with the endpoints and fields that exist only with asks.
#[must_use]
pub fn with(mut described: Vec<Endpoint>) -> Vec<Endpoint> {
    let plan = "Whether to say whom to ask now, whom later and whom not, so that nobody is asked too often.";
    for endpoint in &mut described {
        let is_batch = endpoint.route.id == "searchWarmPathsBatch";
        if !is_batch && endpoint.route.id != ROUTES[0].id {
            continue;
        }
        for parameter in endpoint.parameters.iter_mut().filter(|parameter| parameter.name == "include") {
            if let Shape::List(_, _, item) = &mut parameter.shape {
                **item = Shape::choice(PathExtra::ALL.map(PathExtra::name));
            }
        }
        if is_batch {
            endpoint.parameters.push(boolean("plan", plan).in_body());
        }
    }
    let place = described.iter().position(|endpoint| endpoint.tag != PATHS).unwrap_or(described.len());
    described.splice(place..place, [list_asks(), get_ask()]);
    described
}

fn list_asks() -> Endpoint {
    let listed = "Which asks: those that are open (asked, agreed or introduced), the others, or all.";
    let mine = "Whether only those of the token's own user; it needs a user token.";
    Endpoint {
        route: ASK_ROUTES[0],
        tag: PATHS,
        summary: "List asks",
        text: "Lists whom the organization's members asked for introductions, the latest first.",
        access: Access::Either,
        parameters: vec![
            choice("state", &AskStates::ALL.map(AskStates::name), listed).or(AskStates::ALL[0].name()),
            person_id("connectorId", "Only asks over this person; a direct one is over the member who asks."),
            person_id("personId", "Only asks about this person."),
            boolean("mine", mine).or("false"),
            limit(),
            offset(),
        ],
        success: Success::Json {
            schema: "AsksAnswer",
            request: "/api/v1/asks",
            body: None,
            answer: include_str!("examples/listAsks.json"),
        },
        failures: failures_with([failures::forbidden_to_keys()]),
    }
}

fn get_ask() -> Endpoint {
    Endpoint {
        route: ASK_ROUTES[1],
        tag: PATHS,
        summary: "Get an ask",
        text: "One ask, and what happened to it.",
        access: Access::Either,
        parameters: vec![path_id("id", "The ask's id.").such_as("ask_7e0eJy12LH2awkGnXw8YAj")],
        success: Success::Json {
            schema: "AskAnswer",
            request: "/api/v1/asks/ask_7e0eJy12LH2awkGnXw8YAj",
            body: None,
            answer: include_str!("examples/getAsk.json"),
        },
        failures: failures_with([failures::forbidden(), failures::not_found()]),
    }
}
