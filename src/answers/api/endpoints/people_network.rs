//! `GET /api/v1/people/network`.

use std::sync::Arc;

use axum::extract::State;

use crate::api::caller::Admitted;
use crate::api::endpoints::connections::Contact;
use crate::api::endpoints::warm_paths::Match;
use crate::api::error::ApiError;
use crate::api::fields::{City, Country, CurrentOccupation, Envelope, Identity, IntroState, SIGNALS};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::schema::{COUNT, SCORE, Shape, TEXT, schema};
use crate::api::state::ApiState;
use crate::query::page::Page;
use crate::query::paths::found::FoundMatch;
use crate::query::people_network::{Connection, Coverage, PersonNetwork, PersonQuery, find, matched};
use kith::limits::ID_BYTES_MAX;

/// The parameters that `getPeopleNetwork` takes.
pub const PARAMETERS: [&str; 7] =
    ["name", "linkedinId", "personId", "limit", "offset", "includeIntroRequested", "include"];
/// The three ways to name the person; exactly one is sent.
const HANDLES: [&str; 3] = ["name", "linkedinId", "personId"];

/// Answers `getPeopleNetwork`.
///
/// # Errors
/// Returns 400 for invalid parameters; 403 if the person is outside, or does not exist.
pub async fn get_people_network(
    State(state): State<Arc<ApiState>>,
    caller: Admitted,
    params: Params,
) -> Result<Json, ApiError> {
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
    caller.looks_at(&state, "getPeopleNetwork", Some(found.person.id));
    let matched = (!extras.is_empty()).then(|| matched(caller.index(), person));
    let bytes = 512 + 384 * found.connections.len();
    Ok(Json::of_object(bytes, |json| NetworkAnswer::write(json, (&found, page, matched.as_ref()))))
}

schema! {
    NetworkAnswer(found: (&PersonNetwork<'_>, Page, Option<&FoundMatch<'_>>)) "Whom a person knows." {
        "data": {Network} => found, "The answer.";
    }

    Network((found, page, matched): (&PersonNetwork<'_>, Page, Option<&FoundMatch<'_>>)) "A page of whom a person knows." {
        "person": {Contact} => &(found.person, None), "The person who was found.";
        "connections": [{Known}] => &found.connections, "The people of this page.";
        ..Envelope => (page, found.total, found.connections.len());
        "excludedIntroRequested": COUNT => found.excluded, "People withheld because they were asked for already.";
        "coverage": (Shape::choice(Coverage::ALL.map(Coverage::name))) => found.coverage.name(),
            "`synced`: their connections were imported. `derived`: some were observed. `none`: none is known, which does not \
             mean that there are none.";
        "match"?: {Match} => matched, "How the person was found; with `include=match`.";
    }

    Known(known: &Connection<'_>) "A person whom that person knows." {
        ..Identity => &known.person;
        ..CurrentOccupation => &known.person;
        ..City => known.city;
        ..Country => known.country;
        "warmness"?: SCORE => known.warmness, "How well the two know each other.";
        "warmnessSignals"?: [TEXT] => known.signals.any(), SIGNALS;
        ..IntroState => known.intro_status;
    }
}
