//! `GET /api/v1/connections` and `GET /api/v1/connections/second-degree`.

use std::sync::Arc;

use axum::extract::{RawQuery, State};

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{write_handle, write_identity, write_occupation, write_page};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::state::ApiState;
use crate::graph::index::GraphIndex;
use crate::model::dataset::PersonIx;
use crate::query::{connections, second_degree};

/// Answers `listConnections`.
///
/// # Errors
/// 403 for an organization key; 400 for parameters that cannot be taken.
pub async fn list_connections(caller: Caller, RawQuery(query): RawQuery) -> Result<Json, ApiError> {
    let member = caller.own_member("Listing connections")?;
    let params = Params::parse(query.as_deref().unwrap_or(""));
    params.check()?;
    let page = params.page()?;
    let index = caller.index();
    let (people, total) = connections::list(index, member, page);
    let mut json = Json::with_capacity(256 + 256 * people.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.array_field("connections", &people, |json, &person| {
                json.object(|json| write_connection(json, index, person));
            });
            write_page(json, page, total, people.len());
        });
    });
    Ok(json)
}

/// Answers `listSecondDegreeConnections`.
///
/// # Errors
/// 403 for an organization key; 400 for parameters that cannot be taken; 404 where
/// `viaConnectorId` is no contact of the user.
pub async fn list_second_degree_connections(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Json, ApiError> {
    let member = caller.own_member("Listing second-degree connections")?;
    let params = Params::parse(query.as_deref().unwrap_or(""));
    params.check()?;
    let page = params.page()?;
    let index = caller.index();
    let via = params.id("viaConnectorId")?;
    // Every contact is of first degree; whoever is not takes as long as nobody.
    let find = |id| index.inside.find_first_degree(&index.people.ids, id).ok_or(ApiError::NotFound);
    let via = via.map(find).transpose()?;
    let found = second_degree::list(index, member, via, page, &state.limits).ok_or(ApiError::NotFound)?;
    let mut json = Json::with_capacity(256 + 384 * found.people.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.array_field("connections", &found.people, |json, reached| {
                json.object(|json| {
                    write_connection(json, index, reached.person);
                    json.number_if("warmness", reached.score.score());
                    json.object_field("viaConnector", |json| write_identity(json, index, reached.bridge));
                });
            });
            write_page(json, page, found.total, found.people.len());
            json.number("scannedBridges", found.bridges);
            json.capped(found.capped);
        });
    });
    Ok(json)
}

fn write_connection(json: &mut Json, index: &GraphIndex, person: PersonIx) {
    write_identity(json, index, person);
    write_handle(json, index, person);
    write_occupation(json, index, person, "currentCompany");
}
