//! `GET /api/v1/people/{id}` and `GET /api/v1/search/people`.

use axum::extract::RawQuery;
use axum::http::Uri;

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{
    write_annotation, write_breakdown, write_handle, write_identity, write_occupation, write_signals,
};
use crate::api::json::Json;
use crate::api::params::{Params, check_id};
use crate::graph::index::GraphIndex;
use crate::limits::{PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX};
use crate::model::dataset::{NO_COUNT, PersonIx};
use crate::query::handle::percent_decode;
use crate::query::intro::annotation;
use crate::query::people_search::search;
use crate::query::person::{Degree, degree, known_by, warmest_from_first_degree, warmest_from_members};

/// Answers `getPerson`.
///
/// # Errors
/// 404 for whoever is not in the network, the same bytes for who does not exist.
pub async fn get_person(caller: Caller, address: Uri, RawQuery(query): RawQuery) -> Result<Json, ApiError> {
    Params::parse(query.as_deref().unwrap_or("")).check()?;
    let index = caller.index();
    // The route's last part as it was sent: axum's own reading lets broken encoding pass.
    let sent = address.path().rsplit('/').next().unwrap_or("");
    let id = percent_decode(sent).ok_or_else(|| ApiError::invalid("id", sent, "percent-encoded UTF-8"))?;
    check_id("id", &id)?;
    // Sought inside alone: whoever is outside takes as long as nobody.
    let person = index.inside.find(&index.people.ids, &id);
    let person = person.and_then(|person| Some((person, degree(index, person)?)));
    let (person, degree) = person.ok_or(ApiError::NotFound)?;
    let mut json = Json::with_capacity(1024);
    json.object(|json| json.object_field("data", |json| write_person(json, index, person, degree)));
    Ok(json)
}

fn write_person(json: &mut Json, index: &GraphIndex, person: PersonIx, degree: Degree) {
    write_identity(json, index, person);
    write_handle(json, index, person);
    json.text_if("position", index.people.positions.value(person.0));
    json.text_if("city", index.people.cities.value(person.0));
    if let Some(company) = index.people.company(person) {
        json.object_field("currentCompany", |json| {
            json.text("id", index.companies.ids.get(company.0));
            json.text("name", index.companies.names.get(company.0));
            json.text_if("industry", index.companies.industries.value(company.0));
        });
    }
    let count = index.people.connections_counts[person.0 as usize];
    json.number_if("connectionsCount", Some(count).filter(|&count| count != NO_COUNT));
    json.text("degree", degree.name());
    let warmest = warmest_from_members(index, person).filter(|_| degree == Degree::First);
    if let Some(edge) = warmest {
        json.number_if("warmness", edge.score.score());
        let breakdown = index.breakdown(edge.from, person, edge.score);
        write_breakdown(json, "warmnessBreakdown", breakdown);
        write_signals(json, "warmnessSignals", breakdown);
    }
    write_annotation(json, index, annotation(index, person));
}

/// Answers `searchPeople`.
///
/// # Errors
/// 400 for parameters that cannot be taken.
pub async fn search_people(caller: Caller, RawQuery(query): RawQuery) -> Result<Json, ApiError> {
    let params = Params::parse(query.as_deref().unwrap_or(""));
    params.check()?;
    let folded = params.folded("q")?;
    let limit = params.whole("limit", 1..=u64::from(PAGE_LIMIT_MAX))?;
    let limit = limit.unwrap_or(u64::from(PAGE_LIMIT_DEFAULT)) as usize;
    let second_degree = params.choice("includeSecondDegree", &["true", "false"])? != Some(1);
    let index = caller.index();
    let people = search(index, &folded, limit, second_degree);
    let mut json = Json::with_capacity(256 + 512 * people.len());
    json.object(|json| {
        json.array_field("data", people, |json, person| {
            json.object(|json| write_match(json, index, person));
        });
    });
    Ok(json)
}

fn write_match(json: &mut Json, index: &GraphIndex, person: PersonIx) {
    write_identity(json, index, person);
    write_handle(json, index, person);
    write_occupation(json, index, person, "company");
    json.text_if("city", index.people.cities.value(person.0));
    let (degree, warmest) = if index.near.is_first_degree(person) {
        (Degree::First, warmest_from_members(index, person))
    } else {
        (Degree::Second, warmest_from_first_degree(index, person))
    };
    if let Some(edge) = warmest {
        json.number_if("warmness", edge.score.score());
        write_breakdown(json, "warmnessBreakdown", index.breakdown(edge.from, person, edge.score));
    }
    json.text("degree", degree.name());
    json.array_field("knownByUserIds", known_by(index, person), |json, member| {
        json.text_element(index.members.user_ids.get(member.0));
    });
    write_annotation(json, index, annotation(index, person));
}
