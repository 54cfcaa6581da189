//! `GET /api/v1/connections` and `GET /api/v1/connections/second-degree`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::admission::class::Class;
use crate::api::again;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{write_card, write_identity, write_page};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::state::ApiState;
use crate::live::answers::WrittenAnswer;
use crate::query::connections::{list, list_second_degree};

/// The parameters that `listConnections` takes.
pub const PARAMETERS: [&str; 2] = ["limit", "offset"];
/// The parameters that `listSecondDegreeConnections` takes.
pub const SECOND_DEGREE_PARAMETERS: [&str; 3] = ["limit", "offset", "viaConnectorId"];

/// Answers `listConnections`.
///
/// # Errors
/// Returns 403 for an organization key; 503 if there is too much to do already; 400 for parameters that
/// cannot be taken.
pub async fn list_connections(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    params: Params,
) -> Result<Json, ApiError> {
    let member = caller.own_member("Listing connections")?;
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let page = params.page()?;
    let (people, total) = list(caller.index(), member, page);
    let mut json = Json::with_capacity(256 + 256 * people.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.array_field("connections", &people, |json, person| {
                json.object(|json| write_card(json, person, "currentCompany"));
            });
            write_page(json, page, total, people.len());
        });
    });
    Ok(json)
}

/// Answers `listSecondDegreeConnections`.
///
/// # Errors
/// Returns 403 for an organization key; 503 if there is too much to do already; 400 for parameters that
/// cannot be taken; 404 if `viaConnectorId` is not a contact of the user.
pub async fn list_second_degree_connections(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    let member = caller.own_member("Listing second-degree connections")?;
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&SECOND_DEGREE_PARAMETERS)?;
    let page = params.page()?;
    let via = params.id("viaConnectorId")?;
    again::answer(&caller, "listSecondDegreeConnections", address.query(), &state.limits, || {
        let found = list_second_degree(caller.index(), member, via, page, &state.limits);
        let found = found.ok_or(ApiError::NotFound)?;
        let mut json = Json::with_capacity(256 + 384 * found.people.len());
        json.object(|json| {
            json.object_field("data", |json| {
                json.array_field("connections", &found.people, |json, reached| {
                    json.object(|json| {
                        write_card(json, &reached.person, "currentCompany");
                        json.number_if("warmness", reached.warmness);
                        json.object_field("viaConnector", |json| write_identity(json, &reached.via));
                    });
                });
                write_page(json, page, found.total, found.people.len());
                json.number("scannedBridges", found.bridges);
                json.capped(found.capped);
            });
        });
        Ok(json)
    })
}
