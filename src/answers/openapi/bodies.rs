//! The endpoints with a body: network search, and the batch of targets.

use crate::api::route::Route;
use crate::api::schema::{Field, often};
use crate::limits::{BATCH_PATHS_DEFAULT, BATCH_PATHS_MAX, SEARCH_OFFSET_MAX};
use crate::openapi::failures::{self, failures_with};
use crate::openapi::parameters::{
    WRITTEN, boolean, choice, email, further, handle, limit, member_id, sentence, some_member_ids, some_of,
    target_id, targets, text, whole, written,
};
use crate::openapi::table::{Access, Endpoint, Parameter, Success};
use crate::query::paths::request::{GroupBy, PathExtra, PathSort, PathType, Scope};
use crate::search::conditions::NetworkKind;
use crate::search::engine::Mode;
use crate::search::rank::Strictness;
use crate::search::understood::SearchExtra;

/// Describes `searchNetwork`, which is listed under `tag`.
#[must_use]
pub fn search_network(route: Route, tag: &'static str) -> Endpoint {
    Endpoint {
        route,
        tag,
        summary: "Search the network",
        text: "Finds people by a question in plain language: what they do, where they work or worked, in what \
               industry and place, how senior they are, what they are called.\n\nWho can be found are the people \
               in the chosen networks, the acting member left out. Best matches come first; there are no further \
               pages. Without a condition everybody is found, the warmest first. `searchTerms` tells what was \
               searched for, `backend` which engine found it.",
        access: Access::Either,
        parameters: search_fields().into_iter().map(Parameter::in_body).collect(),
        success: Success::Json {
            schema: "NetworkSearchAnswer",
            request: "/api/v1/search/network",
            body: Some(include_str!("examples/searchNetwork.request.json").trim_ascii_end()),
            answer: include_str!("examples/searchNetwork.json"),
        },
        failures: failures_with([
            failures::forbidden(),
            failures::payload_too_large(),
            failures::unsupported_media_type(),
        ]),
    }
}

fn search_fields() -> Vec<Parameter> {
    let networks = "Whom to look among: `user`, people the acting member knows; `advocate`, people the acting \
                    member's advocates know; `organization`, people any member knows. Where it is not sent, the \
                    networks that the query names count, and all three where it names none.";
    let strictness =
        "How many conditions of the query people must match: 1 any, 2 more than half, 3 every one.";
    let acting = "The acting member, by user id or person id; where it is not sent, the token's own user, and \
                  with an organization key the oldest admin.";
    let mode = "Which engine answers: `vector` by the sense of texts, `graph` by their words, `relational` by \
                SQL. `auto` takes the first of these that can, and tells in `meta.fallback` where that was not \
                the first; any other is refused where its engine is unavailable.";
    let include = "What else to answer. `ids`: what other systems know people by, the handle, where they live, and what \
                   their company works in. `understood`: what each term of the question was read as and how many people \
                   fit it, and of each person found the terms that they fit and by what. `ties`: the \
                   members who know each person.";
    let all = NetworkKind::ALL.map(NetworkKind::name);
    vec![
        sentence("query", "The question.").required().such_as("who runs finance at a software company"),
        some_of("networks", &all, networks).or(format!("[\"{}\"]", all.join("\",\""))),
        whole("strictness", Strictness::ALL.len() as u32, strictness).or(1),
        member_id("asUserId", acting).such_as("user_f37qch"),
        limit(),
        further(SEARCH_OFFSET_MAX),
        some_of("include", &SearchExtra::ALL.map(SearchExtra::name), include),
        choice("mode", &Mode::ALL.map(Mode::name), mode).or(Mode::ALL[0].name()),
    ]
}

/// Describes `searchWarmPathsBatch`, which is listed under `tag`.
#[must_use]
pub fn search_warm_paths_batch(route: Route, tag: &'static str) -> Endpoint {
    Endpoint {
        route,
        tag,
        summary: "Find warm paths to many targets",
        text: "Finds the warm paths to up to 500 targets. Each entry of `results` is what `GET \
               /api/v1/search/warm-paths` answers with `limit` as `perTarget` and `include=match,reasons`, without the \
               fields of its pages; they stand in the order in which the targets were sent.\n\nA target that cannot be \
               taken has `error` and `code` in its place and spoils no other. `connectors` says who is asked most.",
        access: Access::Either,
        parameters: batch_fields().into_iter().map(Parameter::in_body).collect(),
        success: Success::Json {
            schema: "WarmPathsBatchAnswer",
            request: "/api/v1/search/warm-paths/batch",
            body: Some(include_str!("examples/searchWarmPathsBatch.request.json").trim_ascii_end()),
            answer: include_str!("examples/searchWarmPathsBatch.json"),
        },
        failures: failures_with([
            failures::forbidden_to_keys(),
            failures::batch_too_large(),
            failures::unsupported_media_type(),
        ]),
    }
}

fn batch_fields() -> Vec<Parameter> {
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
        some_of("include", &PathExtra::WITHOUT_ASKS.map(PathExtra::name), extras),
    ]
}

/// The ways to name a target, and optional fields beside them.
fn target() -> Vec<Field> {
    [
        target_id("id", "The person, or anyone at the company, with this id."),
        handle("linkedinId", "The person with this handle or profile address."),
        email("email", "The person with this e-mail address."),
        text("name", "The person whose name matches best."),
        text("at", "The company at which that name is looked up; only beside `name`."),
        text("company", "Anyone at the company whose name matches best."),
        written("text", WRITTEN),
        text("position", "Only employees whose position contains this; only with a company."),
    ]
    .into_iter()
    .map(|part| often(part.name, part.shape, part.text))
    .collect()
}
