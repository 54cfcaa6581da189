//! The batch of targets.

use crate::api::route::Route;
use crate::api::schema::{Field, often};
use crate::limits::{BATCH_PATHS_DEFAULT, BATCH_PATHS_MAX};
use crate::openapi::failures;
use crate::openapi::parameters::{
    boolean, choice, email, handle, some_member_ids, some_of, target_id, targets, text, whole,
};
use crate::openapi::table::{Access, Endpoint, Failure, Parameter, Success};
use crate::query::paths::request::{GroupBy, PathExtra, PathSort, PathType, Scope};

/// Describes `searchWarmPathsBatch`, which is listed under `tag` and may fail as every endpoint does.
#[must_use]
pub fn describe(route: Route, tag: &'static str, failures_of_all: [Failure; 3]) -> Endpoint {
    let [wrong_method, internal, unavailable] = failures_of_all;
    Endpoint {
        route,
        tag,
        summary: "Find warm paths to many targets",
        text: "Finds the warm paths to up to 500 targets. Each entry of `results` is what `GET \
               /api/v1/search/warm-paths` answers with `limit` as `perTarget` and `include=match,reasons`, without the \
               fields of its pages; they stand in the order in which the targets were sent.\n\nA target that cannot be \
               taken has `error` and `code` in its place and spoils no other. `connectors` says who is asked most.",
        access: Access::Either,
        parameters: fields().into_iter().map(Parameter::in_body).collect(),
        success: Success::Json {
            schema: "WarmPathsBatchAnswer",
            request: "/api/v1/search/warm-paths/batch",
            body: Some(include_str!("examples/searchWarmPathsBatch.request.json").trim_ascii_end()),
            answer: include_str!("examples/searchWarmPathsBatch.json"),
        },
        failures: vec![
            failures::bad_request(),
            failures::unauthorized(),
            failures::forbidden_to_keys(),
            wrong_method,
            failures::batch_too_large(),
            failures::unsupported_media_type(),
            failures::rate_limited(),
            internal,
            unavailable,
        ],
    }
}

fn fields() -> Vec<Parameter> {
    let scope = "`me` finds only paths that start from the token's own user; it needs a user token.";
    let include =
        "Whether employees whom the organization has already asked for an introduction to are targets too.";
    let types = PathType::ALL.map(PathType::name);
    let extras = "What else to answer; `match` and `reasons` are there anyway.";
    vec![
        targets("targets", target(), "Whom the paths should lead to: of each one way to name it."),
        whole("perTarget", BATCH_PATHS_MAX, "The most paths to each target.").or(BATCH_PATHS_DEFAULT),
        choice("scope", &Scope::ALL.map(Scope::name), scope).or(Scope::ALL[0].name()),
        choice("sort", &PathSort::ALL.map(PathSort::name), "As for one target.").or(PathSort::ALL[0].name()),
        choice("groupBy", &GroupBy::ALL.map(GroupBy::name), "As for one target."),
        some_member_ids("fromUserIds", "Members whom paths may start from, by user id or person id."),
        some_of("connectionTypes", &types, "The types of path to look for; all four if none is named."),
        boolean("includeIntroRequested", include).or("false"),
        some_of("include", &PathExtra::ALL.map(PathExtra::name), extras),
    ]
}

/// The ways to name a target, and what may stand beside them.
fn target() -> Vec<Field> {
    [
        target_id("id", "The person, or anyone at the company, with this id."),
        handle("linkedinId", "The person with this handle or profile address."),
        email("email", "The person with this e-mail address."),
        text("name", "The person whose name matches best."),
        text("at", "The company at which that name is looked up; only beside `name`."),
        text("company", "Anyone at the company whose name matches best."),
        text("position", "Only employees whose position contains this; only with a company."),
    ]
    .into_iter()
    .map(|part| often(part.name, part.shape, part.text))
    .collect()
}
