//! The batch of targets: what it takes, and what it answers.

use crate::api::error::ApiError;
use crate::api::route::Route;
use crate::limits::{BATCH_PATHS_DEFAULT, BATCH_PATHS_MAX};
use crate::openapi::failures;
use crate::openapi::parameters::{
    boolean, choice, email, handle, some_member_ids, some_of, target_id, targets, text, whole,
};
use crate::openapi::schema_fields::{COUNT, USER_ID, always, identity, often};
use crate::openapi::table::{Access, Endpoint, Failure, Field, Others, Parameter, Schema, Shape, Success};
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

/// The objects that its answers are made of, beside those of one target's.
#[must_use]
pub fn schemas() -> Vec<Schema> {
    let object = |name, text, fields| Schema { name, text, fields, others: Others::Nothing };
    let list = |name| Shape::list(Shape::Schema(name));
    let whole = vec![
        always("data", Shape::Schema("WarmPathsBatch"), "The answer."),
        always("meta", Shape::Schema("BatchMeta"), "How complete it is."),
    ];
    let data = vec![
        always("results", list("BatchResult"), "One for each target, in the order in which they were sent."),
        always("connectors", list("AskedConnector"), "Who is asked most, at most 50."),
    ];
    let asked = vec![
        always(
            "connector",
            Shape::Schema("AskedPerson"),
            "Who is asked; on direct paths the member themself.",
        ),
        always("fromUserId", USER_ID, "The member who asks."),
        always("targets", Shape::Whole(1, None), "In how many results."),
    ];
    let company = often("company", Shape::TEXT, "The name of the current company.");
    let capped = vec![always("capped", Shape::Boolean, "Whether the coverage of some result is capped.")];
    vec![
        object("WarmPathsBatchAnswer", "Warm paths to many targets.", whole),
        object("WarmPathsBatch", "The paths to each target, and who is asked most.", data),
        object("BatchResult", "The paths to one target, or why it cannot be taken.", result()),
        object("AskedConnector", "Whom a member asks, and for how many targets.", asked),
        object("AskedPerson", "Who is asked.", [identity(), vec![company]].concat()),
        object("BatchMeta", "How complete a batch is.", capped),
    ]
}

fn result() -> Vec<Field> {
    let list = |name| Shape::list(Shape::Schema(name));
    let code = ApiError::missing("targets", "").code();
    vec![
        always("index", COUNT, "The place of the target among those sent, from 0."),
        often("prospect", Shape::SchemaOrNull("Prospect"), "The person who was found; null for a company."),
        often("company", Shape::SchemaOrNull("Company"), "The company that was found; null for a person."),
        often("paths", list("WarmPath"), "The first paths, at most `perTarget`."),
        often("totalCount", COUNT, "How many paths, or groups, there are."),
        often("excludedIntroRequested", COUNT, "Employees withheld because they were asked for already."),
        often("coverage", Shape::Schema("PathsCoverage"), "How complete the result is."),
        often("match", Shape::Schema("Match"), "How the target was found."),
        often("reasons", list("Reason"), "Why there is no path, or fewer than there could be."),
        often(
            "error",
            Shape::TEXT,
            "What is wrong with the target, in a sentence; then all above but `index` is left out.",
        ),
        often("code", Shape::Choice(vec![code]), "The same in a word."),
    ]
}
