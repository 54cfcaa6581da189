//! `GET /api/v1/ghost/opportunities`.

use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::{write_handle, write_identity, write_occupation, write_page};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::model::dataset::OpportunityStatus;
use crate::model::ix::MemberIx;
use crate::query::opportunities::{BestPath, Opportunity, OpportunityRequest, Sort, list};

/// The parameters that `listGhostOpportunities` takes.
pub const PARAMETERS: [&str; 5] = ["status", "sort", "search", "limit", "offset"];

/// Answers `listGhostOpportunities`.
///
/// # Errors
/// Returns 400 for parameters that cannot be taken.
pub async fn list_ghost_opportunities(caller: Admitted, params: Params) -> Result<Json, ApiError> {
    params.check(&PARAMETERS)?;
    let request = read_request(caller.member, &params)?;
    let (rows, total) = list(caller.index(), &request);
    let mut json = Json::with_capacity(256 + 1024 * rows.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.array_field("opportunities", &rows, |json, row| {
                json.object(|json| write_opportunity(json, row));
            });
            write_page(json, request.page, total, rows.len());
        });
    });
    Ok(json)
}

/// What `params` ask, for `asking` if a member asks.
///
/// # Errors
/// Returns an error if one of them cannot be taken.
pub(crate) fn read_request(
    asking: Option<MemberIx>,
    params: &Params,
) -> Result<OpportunityRequest<'_>, ApiError> {
    let search = params.once("search")?.map(|_| params.text("search")).transpose()?;
    Ok(OpportunityRequest {
        status: params.one_of("status", OpportunityStatus::ALL, OpportunityStatus::name)?,
        search,
        sort: params.one_of("sort", Sort::ALL, Sort::name)?.unwrap_or(Sort::Newest),
        member: asking,
        page: params.page()?,
    })
}

fn write_opportunity(json: &mut Json, row: &Opportunity<'_>) {
    json.text("id", row.id);
    json.object_field("prospect", |json| {
        write_identity(json, &row.prospect);
        write_occupation(json, &row.prospect, "company");
        write_handle(json, &row.prospect);
    });
    json.raw("overallScore", row.overall_score);
    json.text_if("priority", row.priority);
    json.raw_if("confidenceLevel", row.confidence_level);
    json.text("status", row.status.name());
    json.boolean("introRequested", row.intro_requested);
    json.text("discoveredAt", &row.discovered_at.to_rfc3339_ms());
    json.text_if("searchSource", row.search_source);
    json.raw_if("icpEvaluation", row.icp_evaluation);
    json.raw_if("buyingIntent", row.buying_intent);
    json.raw_if("keyInsights", row.key_insights);
    if let Some(path) = &row.best_path {
        json.object_field("bestPath", |json| write_best_path(json, path));
    }
    json.object_field("discoveredBy", |json| {
        json.text("id", row.discovered_by.id);
        json.text("name", row.discovered_by.name);
    });
}

fn write_best_path(json: &mut Json, path: &BestPath<'_>) {
    json.text("connectionId", path.connector.id);
    json.text("connectionName", path.connector.name);
    json.text_if("connectionType", path.kind);
    write_occupation(json, &path.connector, "company");
    json.raw("strengthScore", path.strength);
    json.raw_if("userToHomieWarmness", path.warmness);
}
