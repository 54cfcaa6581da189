//! `GET /api/v1/ghost/opportunities`.

use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::{Discoverer, Envelope, FREE, Handle, Identity, Occupation};
use crate::api::json::{Json, Raw};
use crate::api::params::Params;
use crate::api::schema::{MOMENT, PERSON_ID, Shape, TEXT, schema};
use crate::model::dataset::OpportunityStatus;
use crate::model::ix::MemberIx;
use crate::query::card::PersonCard;
use crate::query::opportunities::{self, OpportunityRequest, Sort, list};
use crate::query::page::Page;

/// The parameters that `listGhostOpportunities` takes.
pub const PARAMETERS: [&str; 5] = ["status", "sort", "search", "limit", "offset"];

/// Answers `listGhostOpportunities`.
///
/// # Errors
/// Returns 400 for invalid parameters.
pub async fn list_ghost_opportunities(caller: Admitted, params: Params) -> Result<Json, ApiError> {
    params.check(&PARAMETERS)?;
    let request = read_request(caller.member, &params)?;
    let (rows, total) = list(caller.index(), &request);
    let bytes = 256 + 1024 * rows.len();
    Ok(Json::of_object(bytes, |json| OpportunitiesAnswer::write(json, (&rows, total, request.page))))
}

/// Reads a request from `params`; `asking` is the member who asks, if any.
///
/// # Errors
/// Returns an error for an invalid parameter.
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

schema! {
    OpportunitiesAnswer(found: (&[opportunities::Opportunity<'_>], u64, Page)) "Prospects that were discovered." {
        "data": {Opportunities} => found, "The answer.";
    }

    Opportunities((rows, total, page): (&[opportunities::Opportunity<'_>], u64, Page)) "A page of opportunities." {
        "opportunities": [{Opportunity}] => rows, "The opportunities of this page.";
        ..Envelope => (page, total, rows.len());
    }

    Opportunity(row: &opportunities::Opportunity<'_>) "A prospect, and why." {
        "id": (Shape::pattern("^ghost_")) => row.id, "The opportunity's id.";
        "prospect": {GhostProspect} => &row.prospect, "Whom it is about.";
        "overallScore": (Shape::Number) => Raw(row.overall_score), "How promising it is.";
        "priority"?: TEXT => row.priority, "How pressing it is, in a word.";
        "confidenceLevel"?: (Shape::Number) => row.confidence_level.map(Raw), "How sure the agent was.";
        "status": (Shape::choice(OpportunityStatus::NAMES)) => row.status.name(), "What became of it.";
        "introRequested": (Shape::Boolean) => row.intro_requested, "Whether an introduction was asked for.";
        "discoveredAt": MOMENT => row.discovered_at, "When it was discovered.";
        "searchSource"?: TEXT => row.search_source, "Where it was found.";
        "icpEvaluation"?: FREE => row.icp_evaluation.map(Raw), "How the prospect fits.";
        "buyingIntent"?: FREE => row.buying_intent.map(Raw), "Whether the prospect may buy.";
        "keyInsights"?: FREE => row.key_insights.map(Raw), "What is worth knowing.";
        "bestPath"?: {BestPath} => &row.best_path, "The best path whose connector is no member.";
        "discoveredBy": {Discoverer} => &row.discovered_by, "Who ran the discovery.";
    }

    GhostProspect(person: &PersonCard<'_>) "A person worth meeting." {
        ..Identity => person;
        ..Occupation => person;
        ..Handle => person;
    }

    BestPath(path: &opportunities::BestPath<'_>) "A way to the prospect." {
        "connectionId": PERSON_ID => path.connector.id, "The connector's id.";
        "connectionName": TEXT => path.connector.name, "The connector's name.";
        "connectionType": TEXT => path.kind.unwrap_or(""), "How the connector is reached.";
        ..Occupation => &path.connector;
        "strengthScore": (Shape::Number) => Raw(path.strength), "How strong the path is.";
        "userToHomieWarmness"?: (Shape::Number) => path.warmness.map(Raw), "The member's own warmness to the prospect.";
    }
}
