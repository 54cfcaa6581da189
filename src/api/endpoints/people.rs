//! `GET /api/v1/people/{id}` and `GET /api/v1/search/people`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::api::again;
use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::{
    write_annotation, write_card, write_evidence, write_handle, write_identity, write_signals,
};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::live::answers::WrittenAnswer;
use crate::query::handle::percent_decode;
use crate::query::people_search::PersonMatch;
use crate::query::person::{Degree, PersonExtra, PersonProfile};
use crate::query::{people_search, person};

/// The parameters that `getPerson` takes.
pub const PARAMETERS: [&str; 1] = ["include"];
/// The parameters that `searchPeople` takes.
pub const SEARCH_PARAMETERS: [&str; 3] = ["q", "limit", "includeSecondDegree"];

/// Answers `getPerson`.
///
/// # Errors
/// Returns 400 for parameters that cannot be taken; 404 if the person is not in the network: the same bytes
/// as if they do not exist.
pub async fn get_person(caller: Admitted, address: Uri, params: Params) -> Result<Json, ApiError> {
    params.check(&PARAMETERS)?;
    // The route's last part as it was sent: axum's own reading lets broken encoding pass.
    let sent = address.path().rsplit('/').next().unwrap_or("");
    let id = percent_decode(sent).ok_or_else(|| ApiError::invalid("id", sent, "percent-encoded UTF-8"))?;
    let id = Sent::new("id", &id).id()?;
    let extras = params.names("include", PersonExtra::ALL, PersonExtra::name)?.unwrap_or_default();
    let profile = person::find_with(caller.index(), id, &extras).ok_or(ApiError::NotFound)?;
    let mut json = Json::with_capacity(1024);
    json.object(|json| json.object_field("data", |json| write_profile(json, &profile)));
    Ok(json)
}

fn write_profile(json: &mut Json, profile: &PersonProfile<'_>) {
    write_identity(json, &profile.person);
    write_handle(json, &profile.person);
    json.text_if("position", profile.person.position);
    json.text_if("city", profile.city);
    if let Some(employer) = profile.employer {
        json.object_field("currentCompany", |json| {
            json.text("id", employer.id);
            json.text("name", employer.name);
            json.text_if("industry", employer.industry);
        });
    }
    json.number_if("connectionsCount", profile.connections_count);
    json.text("degree", profile.degree.name());
    if let Some(edge) = profile.warmest {
        json.number("warmness", edge.score);
        json.raw_if("warmnessBreakdown", edge.breakdown);
    }
    write_signals(json, "warmnessSignals", &profile.signals);
    write_evidence(json, "evidence", &profile.evidence);
    write_annotation(json, profile.intro.as_ref());
}

/// Answers `searchPeople`.
///
/// # Errors
/// Returns 400 for parameters that cannot be taken.
pub async fn search_people(
    State(state): State<Arc<ApiState>>,
    caller: Admitted,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    params.check(&SEARCH_PARAMETERS)?;
    let folded = params.folded("q")?;
    let limit = params.limit()? as usize;
    let farthest = match params.choice("includeSecondDegree", &["true", "false"])? {
        Some(1) => Degree::First,
        _ => Degree::Second,
    };
    again::answer(&caller, "searchPeople", address.query(), &state.limits, || {
        let people = people_search::find(caller.index(), &folded, limit, farthest);
        let mut json = Json::with_capacity(256 + 512 * people.len());
        json.object(|json| {
            json.array_field("data", &people, |json, found| json.object(|json| write_match(json, found)));
        });
        Ok(json)
    })
}

fn write_match(json: &mut Json, found: &PersonMatch<'_>) {
    write_card(json, &found.person, "company");
    json.text_if("city", found.city);
    if let Some(edge) = found.warmest {
        json.number("warmness", edge.score);
        json.raw_if("warmnessBreakdown", edge.breakdown);
    }
    json.text("degree", found.degree.name());
    json.array_field("knownByUserIds", &found.known_by, |json, member| json.text_element(member));
    write_annotation(json, found.intro.as_ref());
}
