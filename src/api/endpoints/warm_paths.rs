//! `GET /api/v1/search/warm-paths`: parameters in, paths out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::admission::class::Class;
use crate::api::again;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{
    write_annotation, write_card, write_company, write_evidence, write_identity, write_match,
    write_occupation, write_page, write_signals,
};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::api::target::read_target;
use crate::graph::index::GraphIndex;
use crate::live::answers::WrittenAnswer;
use crate::model::ix::MemberIx;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::found::{FoundPath, FoundTarget, PathPage};
use crate::query::paths::request::{GroupBy, PathExtra, PathRequest, PathSort, PathType, PathTypes, Scope};

/// The parameters that `searchWarmPaths` takes.
pub const PARAMETERS: [&str; 16] = [
    "prospectLinkedinId",
    "prospectName",
    "prospectCompany",
    "prospectId",
    "prospectEmail",
    "prospectNameAt",
    "position",
    "limit",
    "offset",
    "includeIntroRequested",
    "scope",
    "fromUserIds",
    "connectionTypes",
    "sort",
    "groupBy",
    "include",
];
/// About what one path takes in an answer, in bytes.
pub(super) const PATH_BYTES: usize = 768;

/// Answers `searchWarmPaths`.
///
/// # Errors
/// 403 for a scope that an organization key has not; 503 if there is too much to do already; 400 for parameters
/// that cannot be taken.
pub async fn search_warm_paths(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    if caller.member.is_none() && params.once("scope") == Ok(Some(Scope::Me.name())) {
        return Err(ApiError::ForbiddenScope("scope=me"));
    }
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let request = read_request(caller.index(), caller.member, &params)?;
    again::answer(&caller, "searchWarmPaths", address.query(), &state.limits, || {
        Ok(write_answer(&paths::list(caller.index(), &request, &state.limits), request.page))
    })
}

/// What `params` ask of `index`, which `asking` asks if a member does.
///
/// # Errors
/// Returns an error if one of them cannot be taken.
pub(crate) fn read_request<'a>(
    index: &GraphIndex,
    asking: Option<MemberIx>,
    params: &'a Params,
) -> Result<PathRequest<'a>, ApiError> {
    let scope = params.one_of("scope", Scope::ALL, Scope::name)?.unwrap_or(Scope::Organization);
    let named = read_members(index, params)?;
    let (target, position) = read_target(params)?;
    Ok(PathRequest {
        target,
        position,
        from: scope.members(asking, named),
        types: read_types(params)?,
        include_intro_requested: params.choice("includeIntroRequested", &["true", "false"])? == Some(0),
        sort: params.one_of("sort", PathSort::ALL, PathSort::name)?.unwrap_or(PathSort::Tier),
        group_by: params.one_of("groupBy", GroupBy::ALL, GroupBy::name)?,
        extras: params.names("include", PathExtra::ALL, PathExtra::name)?.into_iter().flatten().collect(),
        page: params.page()?,
    })
}

fn read_members(index: &GraphIndex, params: &Params) -> Result<Option<Vec<MemberIx>>, ApiError> {
    let (name, expected) = ("fromUserIds", "user ids or person ids of members of the organization");
    let find = |id| index.find_member(id).ok_or_else(|| Sent::new(name, id).refused(expected));
    params.list(name, || expected.to_owned())?.map(|ids| ids.into_iter().map(find).collect()).transpose()
}

fn read_types(params: &Params) -> Result<PathTypes, ApiError> {
    let sent = params.names("connectionTypes", PathType::ALL, PathType::name)?;
    Ok(sent.map_or(PathTypes::ALL, |types| types.into_iter().collect()))
}

/// The body of an answer with `page` of the paths.
pub(crate) fn write_answer(answer: &PathPage<'_>, page: Page) -> Json {
    let mut json = Json::with_capacity(1024 + PATH_BYTES * answer.paths.len());
    json.object(|json| json.object_field("data", |json| write_data(json, answer, page)));
    json
}

fn write_data(json: &mut Json, answer: &PathPage<'_>, page: Page) {
    write_found(json, answer, |json| write_page(json, page, answer.total, answer.paths.len()));
}

/// Writes what was found; `count` writes the number of paths.
pub(super) fn write_found(json: &mut Json, answer: &PathPage<'_>, count: impl FnOnce(&mut Json)) {
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
    count(json);
    json.number("excludedIntroRequested", answer.coverage.excluded_intro_requested);
    json.object_field("coverage", |json| {
        let coverage = &answer.coverage;
        json.capped(coverage.is_capped());
        json.number("candidatePeople", coverage.candidates);
        json.number_if("candidatePeopleCap", coverage.candidates_cap);
        json.boolean("secondDegreeEdgesCapped", coverage.second_degree_capped);
    });
    if let Some(matched) = &answer.matched {
        json.object_field("match", |json| write_match(json, matched));
    }
    if let Some(reasons) = &answer.reasons {
        json.array_field("reasons", reasons, |json, reason| {
            json.object(|json| {
                json.text("code", reason.code());
                json.text("message", reason.message());
            });
        });
    }
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
    write_evidence(json, "userToConnectorEvidence", &path.first_evidence);
    write_evidence(json, "connectorToProspectEvidence", &path.last_evidence);
    if let Some(target) = &path.target {
        json.object_field("target", |json| write_card(json, target, "company"));
    }
    if let Some(via) = &path.via {
        json.object_field("viaAdvocate", |json| {
            write_card(json, &via.person, "company");
            json.number_if("warmness", via.warmness);
        });
    }
    json.number_if("alternatives", path.alternatives);
}
