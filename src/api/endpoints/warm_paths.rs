//! `GET /api/v1/search/warm-paths`: parameters in, paths out.

use std::sync::Arc;

use axum::extract::{RawQuery, State};

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{
    member_name, write_annotation, write_breakdown, write_company, write_handle, write_identity,
    write_occupation, write_page, write_signals,
};
use crate::api::json::Json;
use crate::api::params::{Params, choose};
use crate::api::state::ApiState;
use crate::graph::index::GraphIndex;
use crate::model::dataset::{MemberIx, PersonIx};
use crate::query::intro::annotation;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::answer::{Leg, PathAnswer, Target, WarmPath};
use crate::query::paths::request::{PathRequest, PathType, PathTypes, TargetQuery};

/// The three ways to name a target; exactly one is sent.
const TARGETS: [&str; 3] = ["prospectLinkedinId", "prospectName", "prospectCompany"];
pub(crate) const SCOPES: [&str; 2] = ["organization", "me"];
/// About what one path takes in an answer, in bytes.
const PATH_BYTES: usize = 768;

/// Answers `searchWarmPaths`.
///
/// # Errors
/// As the contract's error table says.
pub async fn search_warm_paths(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Json, ApiError> {
    let params = Params::parse(query.as_deref().unwrap_or(""));
    if caller.member.is_none() && params.once("scope") == Ok(Some("me")) {
        return Err(ApiError::ForbiddenScope("scope=me"));
    }
    params.check()?;
    let request = read_request(&caller, &params)?;
    let answer = paths::find(caller.index(), &request, &state.limits);
    Ok(write_answer(caller.index(), &answer, request.page))
}

fn read_request<'a>(caller: &Caller, params: &'a Params) -> Result<PathRequest<'a>, ApiError> {
    let scope = params.choice("scope", &SCOPES)?;
    let named = read_members(caller.index(), params)?;
    let own = caller.member.filter(|_| scope == Some(1));
    Ok(PathRequest {
        target: read_target(params)?,
        from: match (own, named) {
            (Some(own), Some(named)) => Some(named.into_iter().filter(|&member| member == own).collect()),
            (Some(own), None) => Some(vec![own]),
            (None, named) => named,
        },
        types: read_types(params)?,
        include_intro_requested: params.choice("includeIntroRequested", &["true", "false"])? == Some(0),
        page: params.page()?,
    })
}

fn read_target(params: &Params) -> Result<TargetQuery<'_>, ApiError> {
    match params.exactly_one(&TARGETS)? {
        name @ "prospectLinkedinId" => params.handle(name).map(TargetQuery::Handle),
        name @ "prospectName" => params.text(name).map(TargetQuery::Name),
        name => params.text(name).map(TargetQuery::Company),
    }
}

fn read_members(index: &GraphIndex, params: &Params) -> Result<Option<Vec<MemberIx>>, ApiError> {
    let (name, expected) = ("fromUserIds", "user ids or person ids of members of the organization");
    let find = |id: &str| index.find_member(id).ok_or_else(|| ApiError::invalid(name, id, expected));
    params.list(name, expected)?.map(|ids| ids.into_iter().map(find).collect()).transpose()
}

fn read_types(params: &Params) -> Result<PathTypes, ApiError> {
    let name = "connectionTypes";
    let names = PathType::ALL.map(PathType::name);
    let Some(sent) = params.list(name, &format!("one of {}", names.join(", ")))? else {
        return Ok(PathTypes::ALL);
    };
    sent.into_iter().map(|value| choose(name, value, &names).map(|place| PathType::ALL[place])).collect()
}

fn write_answer(index: &GraphIndex, answer: &PathAnswer, page: Page) -> Json {
    let mut json = Json::with_capacity(1024 + PATH_BYTES * answer.paths.len());
    json.object(|json| json.object_field("data", |json| write_data(json, index, answer, page)));
    json
}

fn write_data(json: &mut Json, index: &GraphIndex, answer: &PathAnswer, page: Page) {
    match answer.target {
        None => {
            json.null("prospect");
            json.null("company");
        }
        Some(Target::Person(person)) => {
            json.object_field("prospect", |json| {
                write_identity(json, index, person);
                write_handle(json, index, person);
                write_occupation(json, index, person, "company");
                write_annotation(json, index, annotation(index, person));
            });
            json.null("company");
        }
        Some(Target::Company(company)) => {
            json.null("prospect");
            json.object_field("company", |json| write_company(json, index, company));
        }
    }
    let in_company = matches!(answer.target, Some(Target::Company(_)));
    json.array_field("paths", &answer.paths, |json, path| {
        json.object(|json| write_path(json, index, path, in_company));
    });
    write_page(json, page, answer.total, answer.paths.len());
    json.number("excludedIntroRequested", answer.coverage.excluded_intro_requested);
    json.object_field("coverage", |json| {
        let coverage = &answer.coverage;
        json.capped(coverage.candidates_capped || coverage.second_degree_capped);
        json.number("candidatePeople", coverage.candidates);
        json.number_if("candidatePeopleCap", coverage.candidates_cap);
        json.boolean("secondDegreeEdgesCapped", coverage.second_degree_capped);
    });
}

fn write_path(json: &mut Json, index: &GraphIndex, path: &WarmPath, in_company: bool) {
    json.text("fromUserId", index.members.user_ids.get(path.member.0));
    json.text("fromUserName", member_name(index, path.member));
    json.object_field("connector", |json| {
        write_identity(json, index, path.connector);
        write_occupation(json, index, path.connector, "company");
    });
    json.text("connectionType", path.kind.name());
    json.number("warmness", path.warmness);
    json.number("userToConnectorWarmness", path.to_connector);
    if let Some(leg) = path.first_leg {
        let breakdown = leg_breakdown(index, leg);
        write_breakdown(json, "userToConnectorBreakdown", breakdown);
        write_signals(json, "userToConnectorSignals", breakdown);
    }
    json.number("connectorToProspectWarmness", path.last_leg.score.weight());
    let breakdown = leg_breakdown(index, path.last_leg);
    json.raw("connectorToProspectBreakdown", if breakdown.is_empty() { "{}" } else { breakdown });
    write_signals(json, "connectorToProspectSignals", breakdown);
    if in_company {
        json.object_field("target", |json| write_card(json, index, path.target));
    }
    if let Some(via) = path.via {
        json.object_field("viaAdvocate", |json| {
            write_card(json, index, via.person);
            json.number_if("warmness", via.score.score());
        });
    }
}

/// `{id, name, position, company, linkedinId}`: what a target and an advocate are told by.
fn write_card(json: &mut Json, index: &GraphIndex, person: PersonIx) {
    write_identity(json, index, person);
    write_handle(json, index, person);
    write_occupation(json, index, person, "company");
}

fn leg_breakdown(index: &GraphIndex, leg: Leg) -> &str {
    index.breakdown(leg.from, leg.to, leg.score)
}
