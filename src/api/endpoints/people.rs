//! `GET /api/v1/people/{id}` and `GET /api/v1/search/people`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::api::again;
use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::{
    AskedPage, Card, City, DegreeOf, EVIDENCE, Employer, Evidence, Handle, Identity, Intro, Position,
    SIGNALS, TiesOf, Warmest, filled,
};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::schema::{COUNT, TEXT, USER_ID, schema};
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::live::answers::WrittenAnswer;
use crate::query::handle::percent_decode;
use crate::query::page::Page;
use crate::query::people_search::PeopleExtra;
use crate::query::person::{Degree, PersonExtra, PersonProfile};
use crate::query::{people_search, person};

/// The parameters that `getPerson` takes.
pub const PARAMETERS: [&str; 1] = ["include"];
/// The parameters that `searchPeople` takes.
pub const SEARCH_PARAMETERS: [&str; 5] = ["q", "limit", "includeSecondDegree", "offset", "include"];

/// Answers `getPerson`.
///
/// # Errors
/// Returns 400 for parameters that cannot be taken; 404 if the person is not in the network: the same bytes
/// as if they do not exist; and for what is no person's id, which it says.
pub async fn get_person(
    State(state): State<Arc<ApiState>>,
    caller: Admitted,
    address: Uri,
    params: Params,
) -> Result<Json, ApiError> {
    params.check(&PARAMETERS)?;
    // The route's last part as it was sent: axum's own reading lets broken encoding pass.
    let sent = address.path().rsplit('/').next().unwrap_or("");
    let id = percent_decode(sent).ok_or_else(|| ApiError::invalid("id", sent, "percent-encoded UTF-8"))?;
    let id = Sent::new("id", &id).id()?;
    let extras = params.names("include", PersonExtra::ALL, PersonExtra::name)?.unwrap_or_default();
    if !id.contains('_') {
        return Err(ApiError::OfNoForm(
            "A person's id begins with person_; search/people finds ids by name.".into(),
        ));
    }
    let profile = person::find_with(caller.index(), id, &extras).ok_or(ApiError::NotFound)?;
    caller.looks_at(&state, "getPerson", Some(profile.person.id));
    Ok(Json::of_object(1024, |json| PersonAnswer::write(json, &profile)))
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
    let plain = params.plain("q")?;
    let page = params.page()?;
    let farthest = match params.choice("includeSecondDegree", &["true", "false"])? {
        Some(1) => Degree::First,
        _ => Degree::Second,
    };
    let extras = params.names("include", PeopleExtra::ALL, PeopleExtra::name)?.unwrap_or_default();
    let is_page = params.has("offset") || extras.contains(&PeopleExtra::Page);
    let has_ties = extras.contains(&PeopleExtra::Ties);
    again::answer(&caller, "searchPeople", address.query(), &state.limits, || {
        let (people, total) =
            people_search::find_page(caller.index(), &plain, page, farthest, (is_page, has_ties));
        let bytes = 256 + 512 * people.len();
        Ok(Json::of_object(bytes, |json| {
            PeopleAnswer::write(json, (&people, is_page.then_some((page, total))))
        }))
    })
}

schema! {
    PersonAnswer(profile: &PersonProfile<'_>) "One person." {
        "data": {Person} => profile, "The answer.";
    }

    Person(profile: &PersonProfile<'_>) "A person of the network." {
        ..Identity => &profile.person;
        ..Handle => &profile.person;
        ..Position => &profile.person;
        ..City => profile.city;
        "currentCompany"?: {Employer} => profile.employer, "Where the person works.";
        "connectionsCount"?: COUNT => profile.connections_count, "How many connections the person says to have.";
        ..DegreeOf => profile.degree;
        ..Warmest => profile.warmest;
        "warmnessSignals"?: [TEXT] => profile.signals.any(), SIGNALS;
        "evidence"?: [{Evidence}] => filled(&profile.evidence), EVIDENCE;
        ..TiesOf => profile.ties.as_deref();
        ..Intro => profile.intro.as_ref();
    }

    PeopleAnswer((people, page): (&[people_search::PersonMatch<'_>], Option<(Page, u64)>)) "People who match." {
        "data": [{PersonMatch}] => people, "The answer.";
        ..AskedPage => page.map(|(page, total)| (page, total, people.len()));
    }

    PersonMatch(found: &people_search::PersonMatch<'_>) "A person who matches." {
        ..Card => &found.person;
        ..City => found.city;
        ..Warmest => found.warmest;
        ..DegreeOf => found.degree;
        "knownByUserIds": [USER_ID] => &found.known_by, "The members who know the person.";
        ..TiesOf => found.ties.as_deref();
        ..Intro => found.intro.as_ref();
    }
}
