//! `GET /api/v1/search/warm-paths`: parameters in, paths out.

use std::sync::Arc;

use axum::extract::State;

use crate::admission::class::Class;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{
    write_annotation, write_card, write_company, write_identity, write_occupation, write_page, write_signals,
};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::model::ix::MemberIx;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::found::{FoundPath, FoundTarget, PathPage};
use crate::query::paths::request::{PathRequest, PathType, PathTypes, Scope, TargetQuery};

/// The three ways to name a target; exactly one is sent.
const TARGETS: [&str; 3] = ["prospectLinkedinId", "prospectName", "prospectCompany"];
/// About what one path takes in an answer, in bytes.
const PATH_BYTES: usize = 768;

/// Answers `searchWarmPaths`.
///
/// # Errors
/// 403 for a scope that an organization key has not; 503 if there is too much to do already; 400 for parameters
/// that cannot be taken.
pub async fn search_warm_paths(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    params: Params,
) -> Result<Json, ApiError> {
    if caller.member.is_none() && params.once("scope") == Ok(Some(Scope::Me.name())) {
        return Err(ApiError::ForbiddenScope("scope=me"));
    }
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check()?;
    let request = read_request(&caller, &params)?;
    let answer = paths::list(caller.index(), &request, &state.limits);
    Ok(write_answer(&answer, request.page))
}

fn read_request<'a>(caller: &Caller, params: &'a Params) -> Result<PathRequest<'a>, ApiError> {
    let scope = params.one_of("scope", Scope::ALL, Scope::name)?.unwrap_or(Scope::Organization);
    let named = read_members(caller, params)?;
    Ok(PathRequest {
        target: read_target(params)?,
        from: scope.members(caller.member, named),
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

fn read_members(caller: &Caller, params: &Params) -> Result<Option<Vec<MemberIx>>, ApiError> {
    let (name, expected) = ("fromUserIds", "user ids or person ids of members of the organization");
    let find = |id| caller.index().find_member(id).ok_or_else(|| Sent::new(name, id).refused(expected));
    params.list(name, expected)?.map(|ids| ids.into_iter().map(find).collect()).transpose()
}

fn read_types(params: &Params) -> Result<PathTypes, ApiError> {
    let name = "connectionTypes";
    let names = PathType::ALL.map(PathType::name);
    let Some(sent) = params.list(name, &format!("one of {}", names.join(", ")))? else {
        return Ok(PathTypes::ALL);
    };
    sent.into_iter().map(|value| Sent::new(name, value).one_of(PathType::ALL, PathType::name)).collect()
}

fn write_answer(answer: &PathPage<'_>, page: Page) -> Json {
    let mut json = Json::with_capacity(1024 + PATH_BYTES * answer.paths.len());
    json.object(|json| json.object_field("data", |json| write_data(json, answer, page)));
    json
}

fn write_data(json: &mut Json, answer: &PathPage<'_>, page: Page) {
    match &answer.target {
        None => {
            json.null("prospect");
            json.null("company");
        }
        Some(FoundTarget::Person { person, intro }) => {
            json.object_field("prospect", |json| {
                write_card(json, person, "company");
                write_annotation(json, intro.as_ref());
            });
            json.null("company");
        }
        Some(FoundTarget::Company(company)) => {
            json.null("prospect");
            json.object_field("company", |json| write_company(json, company));
        }
    }
    json.array_field("paths", &answer.paths, |json, path| json.object(|json| write_path(json, path)));
    write_page(json, page, answer.total, answer.paths.len());
    json.number("excludedIntroRequested", answer.coverage.excluded_intro_requested);
    json.object_field("coverage", |json| {
        let coverage = &answer.coverage;
        json.capped(coverage.is_capped());
        json.number("candidatePeople", coverage.candidates);
        json.number_if("candidatePeopleCap", coverage.candidates_cap);
        json.boolean("secondDegreeEdgesCapped", coverage.second_degree_capped);
    });
}

fn write_path(json: &mut Json, path: &FoundPath<'_>) {
    json.text("fromUserId", path.from.id);
    json.text("fromUserName", path.from.name);
    json.object_field("connector", |json| {
        write_identity(json, &path.connector);
        write_occupation(json, &path.connector, "company");
    });
    json.text("connectionType", path.kind.name());
    json.number("warmness", path.warmness);
    json.number("userToConnectorWarmness", path.to_connector);
    if let Some(reasons) = &path.first_leg {
        json.raw_if("userToConnectorBreakdown", reasons.breakdown);
        write_signals(json, "userToConnectorSignals", &reasons.signals);
    }
    json.number("connectorToProspectWarmness", path.to_target);
    json.raw("connectorToProspectBreakdown", path.last_leg.breakdown.unwrap_or("{}"));
    write_signals(json, "connectorToProspectSignals", &path.last_leg.signals);
    if let Some(target) = &path.target {
        json.object_field("target", |json| write_card(json, target, "company"));
    }
    if let Some(via) = &path.via {
        json.object_field("viaAdvocate", |json| {
            write_card(json, &via.person, "company");
            json.number_if("warmness", via.warmness);
        });
    }
}
