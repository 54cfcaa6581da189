//! `GET /api/v1/ghost/opportunities`.

use axum::extract::RawQuery;

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{member_name, write_handle, write_identity, write_occupation, write_page};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::graph::index::GraphIndex;
use crate::model::dataset::{MemberIx, OpportunityStatus, PersonIx};
use crate::query::intro::is_requested;
use crate::query::opportunities::{OpportunityRequest, Sort, best_path, list, prospect};

pub(crate) const SORT_NAMES: [&str; 3] = ["newest", "oldest", "relevancy"];
const SORTS: [Sort; 3] = [Sort::Newest, Sort::Oldest, Sort::Relevancy];

/// Answers `listGhostOpportunities`.
///
/// # Errors
/// 400 for parameters that cannot be taken.
pub async fn list_ghost_opportunities(caller: Caller, RawQuery(query): RawQuery) -> Result<Json, ApiError> {
    let params = Params::parse(query.as_deref().unwrap_or(""));
    params.check()?;
    let search = params.once("search")?.map(|_| params.text("search")).transpose()?;
    let request = OpportunityRequest {
        status: params
            .choice("status", &OpportunityStatus::NAMES)?
            .map(|place| OpportunityStatus::ALL[place]),
        search,
        sort: params.choice("sort", &SORT_NAMES)?.map_or(Sort::Newest, |place| SORTS[place]),
        member: caller.member,
        page: params.page()?,
    };
    let index = caller.index();
    let (rows, total) = list(index, &request);
    let mut json = Json::with_capacity(256 + 1024 * rows.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.array_field("opportunities", &rows, |json, &row| {
                json.object(|json| write_opportunity(json, index, row));
            });
            write_page(json, request.page, total, rows.len());
        });
    });
    Ok(json)
}

fn write_opportunity(json: &mut Json, index: &GraphIndex, row: u32) {
    let opportunities = &index.opportunities;
    let person = prospect(index, row);
    let status = opportunities.statuses[row as usize];
    json.text("id", opportunities.ids.get(row));
    json.object_field("prospect", |json| {
        write_identity(json, index, person);
        write_occupation(json, index, person, "company");
        write_handle(json, index, person);
    });
    json.raw("overallScore", opportunities.overall_scores.get(row));
    json.text_if("priority", opportunities.priorities.value(row));
    json.raw_if("confidenceLevel", opportunities.confidence_levels.value(row));
    json.text("status", status.name());
    let requested = status == OpportunityStatus::IntroRequested || is_requested(index, person);
    json.boolean("introRequested", requested);
    json.text("discoveredAt", &opportunities.discovered_at[row as usize].to_rfc3339_ms());
    json.text_if("searchSource", opportunities.search_sources.value(row));
    json.raw_if("icpEvaluation", opportunities.icp_evaluations.value(row));
    json.raw_if("buyingIntent", opportunities.buying_intents.value(row));
    json.raw_if("keyInsights", opportunities.key_insights.value(row));
    if let Some(path) = best_path(index, row) {
        json.object_field("bestPath", |json| write_best_path(json, index, path));
    }
    let member = MemberIx(opportunities.discovered_by[row as usize]);
    json.object_field("discoveredBy", |json| {
        json.text("id", index.members.user_ids.get(member.0));
        json.text("name", member_name(index, member));
    });
}

fn write_best_path(json: &mut Json, index: &GraphIndex, path: u32) {
    let opportunities = &index.opportunities;
    let connector = PersonIx(opportunities.path_connections[path as usize]);
    json.text("connectionId", index.people.ids.get(connector.0));
    json.text("connectionName", index.people.names.get(connector.0));
    json.text_if("connectionType", opportunities.path_types.value(path));
    write_occupation(json, index, connector, "company");
    json.raw("strengthScore", opportunities.path_strengths.get(path));
    json.raw_if("userToHomieWarmness", opportunities.path_warmness.value(path));
}
