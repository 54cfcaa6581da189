//! `GET /api/v1/people/network`.

use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::{
    write_card, write_identity, write_match, write_occupation, write_page, write_signals,
};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::limits::ID_BYTES_MAX;
use crate::query::people_network::{Connection, PersonQuery, find, matched};

/// The parameters that `getPeopleNetwork` takes.
pub const PARAMETERS: [&str; 7] =
    ["name", "linkedinId", "personId", "limit", "offset", "includeIntroRequested", "include"];
/// The three ways to name the person; exactly one is sent.
const HANDLES: [&str; 3] = ["name", "linkedinId", "personId"];

/// Answers `getPeopleNetwork`.
///
/// # Errors
/// Returns 400 for parameters that cannot be taken; 403 if the person is outside, or does not exist.
pub async fn get_people_network(caller: Admitted, params: Params) -> Result<Json, ApiError> {
    params.check(&PARAMETERS)?;
    let person = match params.exactly_one(&HANDLES)? {
        name @ "name" => PersonQuery::Name(params.text(name)?),
        name @ "linkedinId" => PersonQuery::Handle(params.handle(name)?),
        name => {
            let expected = format!("an id of 1 to {ID_BYTES_MAX} bytes");
            PersonQuery::Id(params.id(name)?.ok_or_else(|| ApiError::missing(name, expected))?)
        }
    };
    let include = params.once("includeIntroRequested")? == Some("true");
    let extras = params.names("include", ["match"], |word| word)?.unwrap_or_default();
    let page = params.page()?;
    let found = find(caller.index(), person, include, page).ok_or(ApiError::OutsideNetwork)?;
    let mut json = Json::with_capacity(512 + 384 * found.connections.len());
    json.object(|json| {
        json.object_field("data", |json| {
            json.object_field("person", |json| write_card(json, &found.person, "currentCompany"));
            json.array_field("connections", &found.connections, |json, connection| {
                json.object(|json| write_connection(json, connection));
            });
            write_page(json, page, found.total, found.connections.len());
            json.number("excludedIntroRequested", found.excluded);
            json.text("coverage", found.coverage.name());
            if !extras.is_empty() {
                let matched = matched(caller.index(), person);
                json.object_field("match", |json| write_match(json, &matched));
            }
        });
    });
    Ok(json)
}

fn write_connection(json: &mut Json, connection: &Connection<'_>) {
    write_identity(json, &connection.person);
    write_occupation(json, &connection.person, "currentCompany");
    json.text_if("city", connection.city);
    json.text_if("country", connection.country);
    json.number_if("warmness", connection.warmness);
    write_signals(json, "warmnessSignals", &connection.signals);
    if let Some(status) = connection.intro_status {
        json.boolean("introRequested", true);
        json.text("introStatus", status);
    }
}
