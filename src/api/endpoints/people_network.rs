//! `GET /api/v1/people/network`.

use axum::extract::RawQuery;

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{write_handle, write_identity, write_occupation, write_page, write_signals};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::graph::index::GraphIndex;
use crate::limits::ID_BYTES_MAX;
use crate::query::intro::annotation;
use crate::query::paths::answer::Leg;
use crate::query::people_network::{PersonQuery, find};

/// The three ways to name the person; exactly one is sent.
const HANDLES: [&str; 3] = ["name", "linkedinId", "personId"];

/// Answers `getPeopleNetwork`.
///
/// # Errors
/// 400 for parameters that cannot be taken; 403 where the person is outside, or does not exist.
pub async fn get_people_network(caller: Caller, RawQuery(query): RawQuery) -> Result<Json, ApiError> {
    let params = Params::parse(query.as_deref().unwrap_or(""));
    params.check()?;
    let person = match params.exactly_one(&HANDLES)? {
        name @ "name" => PersonQuery::Name(params.text(name)?),
        name @ "linkedinId" => PersonQuery::Handle(params.handle(name)?),
        name => {
            let expected = format!("an id of 1 to {ID_BYTES_MAX} bytes");
            PersonQuery::Id(params.id(name)?.ok_or_else(|| ApiError::missing(name, expected))?)
        }
    };
    let include = params.once("includeIntroRequested")? == Some("true");
    let page = params.page()?;
    let index = caller.index();
    let found = find(index, person, include, page).ok_or(ApiError::OutsideNetwork)?;
    let mut json = Json::with_capacity(512 + 384 * found.edges.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.object_field("person", |json| {
                write_identity(json, index, found.person);
                write_handle(json, index, found.person);
                write_occupation(json, index, found.person, "currentCompany");
            });
            json.array_field("connections", &found.edges, |json, edge| {
                json.object(|json| write_connection(json, index, *edge, include));
            });
            write_page(json, page, found.total, found.edges.len());
            json.number("excludedIntroRequested", found.excluded);
            json.text("coverage", found.coverage.name());
        });
    });
    Ok(json)
}

fn write_connection(json: &mut Json, index: &GraphIndex, edge: Leg, include_requested: bool) {
    let Leg { from, to, score } = edge;
    write_identity(json, index, to);
    write_occupation(json, index, to, "currentCompany");
    json.text_if("city", index.people.cities.value(to.0));
    json.text_if("country", index.people.countries.value(to.0));
    json.number_if("warmness", score.score());
    write_signals(json, "warmnessSignals", index.breakdown(from, to, score));
    if let Some(intro) = annotation(index, to).filter(|_| include_requested) {
        json.boolean("introRequested", true);
        json.text("introStatus", intro.status);
    }
}
