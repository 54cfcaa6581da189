//! `GET /api/v1/connections` and `GET /api/v1/connections/second-degree`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::admission::class::Class;
use crate::api::again;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{Envelope, Identity, PersonAtWork, TiesOf};
use crate::api::json::{IsCapped, Json};
use crate::api::params::Params;
use crate::api::schema::{COUNT, SCORE, Shape, schema};
use crate::api::state::ApiState;
use crate::live::answers::WrittenAnswer;
use crate::query::card::PersonCard;
use crate::query::connections::{ReachedPerson, SecondDegreePage, list, list_second_degree};
use crate::query::page::Page;
use crate::query::person::{MemberTie, ties};

/// The parameters that `listConnections` takes.
pub const PARAMETERS: [&str; 3] = ["limit", "offset", "include"];
/// The values that `include` of `listConnections` takes.
pub const EXTRAS: [&str; 1] = ["ties"];
/// The parameters that `listSecondDegreeConnections` takes.
pub const SECOND_DEGREE_PARAMETERS: [&str; 3] = ["limit", "offset", "viaConnectorId"];

/// Answers `listConnections`.
///
/// # Errors
/// Returns 403 for an organization key; 503 if the service is overloaded; 400 for invalid parameters.
pub async fn list_connections(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    params: Params,
) -> Result<Json, ApiError> {
    let member = caller.own_member("Listing connections")?;
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let page = params.page()?;
    let has_ties = params.names("include", EXTRAS, |name| name)?.is_some();
    let index = caller.index();
    let (people, total) = list(index, member, page);
    let tied = |person: PersonCard<'_>| index.find_person(person.id).map(|found| ties(index, found));
    let people: Vec<_> =
        people.into_iter().map(|person| (person, has_ties.then(|| tied(person)).flatten())).collect();
    let bytes = 256 + 512 * people.len();
    Ok(Json::of_object(bytes, |json| ConnectionsAnswer::write(json, (&people, total, page))))
}

/// Answers `listSecondDegreeConnections`.
///
/// # Errors
/// Returns 403 for an organization key; 503 if the service is overloaded; 400 for invalid parameters; 404 if
/// `viaConnectorId` is not a contact of the user.
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
        let bytes = 256 + 384 * found.people.len();
        Ok(Json::of_object(bytes, |json| SecondDegreeAnswer::write(json, (&found, page))))
    })
}

/// A contact of the user, and with `include=ties` the members who know them.
type OwnContact<'a> = (PersonCard<'a>, Option<Vec<MemberTie<'a>>>);

schema! {
    ConnectionsAnswer(found: (&[OwnContact<'_>], u64, Page)) "Whom the user knows." {
        "data": {Connections} => found, "The answer.";
    }

    Connections((people, total, page): (&[OwnContact<'_>], u64, Page)) "A page of whom the user knows." {
        "connections": [{Contact}] => people, "The people of this page.";
        ..Envelope => (page, total, people.len());
    }

    Contact((person, ties): &OwnContact<'_>) "A person by what they do." {
        ..PersonAtWork => person;
        ..TiesOf => ties.as_deref();
    }

    SecondDegreeAnswer(found: (&SecondDegreePage<'_>, Page)) "Whom the user could get to know." {
        "data": {SecondDegree} => found, "The answer.";
    }

    SecondDegree((found, page): (&SecondDegreePage<'_>, Page)) "A page of whom contacts know." {
        "connections": [{Reached}] => &found.people, "The people of this page.";
        ..Envelope => (page, found.total, found.people.len());
        "scannedBridges": COUNT => found.bridges, "How many contacts were looked at.";
        "capped": (Shape::Boolean) => IsCapped(found.capped), "Whether a bound left out contacts or connections.";
    }

    Reached(reached: &ReachedPerson<'_>) "A person whom a contact knows." {
        ..PersonAtWork => &reached.person;
        "warmness"?: SCORE => reached.warmness, "How well the contact knows the person.";
        "viaConnector": {Bridge} => &reached.via, "The contact who knows the person.";
    }

    Bridge(person: &PersonCard<'_>) "A contact of the user." {
        ..Identity => person;
    }
}
