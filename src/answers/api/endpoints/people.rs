//! `GET /api/v1/people/{id}` and `GET /api/v1/search/people`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::admission::class::Class;
use crate::api::again;
use crate::api::caller::early::EarlyCaller;
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
use crate::api::written::finished;
use crate::graph::index::GraphIndex;
use crate::graph::touched::Touched;
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
/// Returns 400 for invalid parameters; 404, with the same bytes, if the person is outside the network or does not
/// exist; and another 404 for a malformed id.
pub async fn get_person(
    State(state): State<Arc<ApiState>>,
    caller: EarlyCaller,
    address: Uri,
    params: Params,
) -> Result<Json, ApiError> {
    // Reads the last part of the path as sent: axum's own extractor lets broken encoding pass.
    let sent = address.path().rsplit('/').next().unwrap_or("");
    let id = percent_decode(sent);
    let is_same = |index: &GraphIndex, touched: &Touched| {
        let person = id.as_deref().and_then(|id| index.find_person(id));
        person.is_some_and(|person| !touched.has(person))
    };
    let caller = caller.settled_unless(&state, is_same).await?;
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let id = id.ok_or_else(|| ApiError::invalid("id", sent, "percent-encoded UTF-8"))?;
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
/// Returns 400 for invalid parameters.
pub async fn search_people(
    State(state): State<Arc<ApiState>>,
    caller: EarlyCaller,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    let question = PeopleQuestion::read(&params);
    if let Some(answer) = early_people(&state, &caller, &question).await? {
        caller.report();
        return Ok(answer);
    }
    let caller = caller.settled(&state).await?;
    let _permit = caller.permit(&state, Class::Short).await?;
    let question = question?;
    again::answer(&caller, "searchPeople", address.query(), &state.limits, || {
        let (people, total) = question.find(caller.index());
        Ok(question.write(&people, total))
    })
}

/// A request to `searchPeople`.
struct PeopleQuestion {
    plain: String,
    page: Page,
    farthest: Degree,
    is_page: bool,
    has_ties: bool,
}

impl PeopleQuestion {
    fn read(params: &Params) -> Result<Self, ApiError> {
        params.check(&SEARCH_PARAMETERS)?;
        let plain = params.plain("q")?;
        let page = params.page()?;
        let farthest = match params.choice("includeSecondDegree", &["true", "false"])? {
            Some(1) => Degree::First,
            _ => Degree::Second,
        };
        let extras = params.names("include", PeopleExtra::ALL, PeopleExtra::name)?.unwrap_or_default();
        let is_page = params.has("offset") || extras.contains(&PeopleExtra::Page);
        Ok(Self { plain, page, farthest, is_page, has_ties: extras.contains(&PeopleExtra::Ties) })
    }

    fn find<'a>(&self, index: &'a GraphIndex) -> (Vec<people_search::PersonMatch<'a>>, u64) {
        let Self { plain, page, farthest, is_page, has_ties } = self;
        people_search::find_page(index, plain, *page, *farthest, (*is_page, *has_ties))
    }

    fn write(&self, people: &[people_search::PersonMatch<'_>], total: u64) -> Json {
        let page = self.is_page.then_some((self.page, total));
        Json::of_object(256 + 512 * people.len(), |json| PeopleAnswer::write(json, (people, page)))
    }
}

/// The answer to `question` from the network before people left it, if it is the same afterwards: a first page without
/// a total and without any affected person. Affected people never move towards the front.
async fn early_people(
    state: &ApiState,
    caller: &EarlyCaller,
    question: &Result<PeopleQuestion, ApiError>,
) -> Result<Option<WrittenAnswer>, ApiError> {
    let (Some((index, touched)), Ok(question)) = (caller.before(), question) else { return Ok(None) };
    if question.is_page {
        return Ok(None);
    }
    let _permit = caller.permit(state, Class::Short).await?;
    let (people, total) = question.find(index);
    let is_same = |found: &people_search::PersonMatch<'_>| {
        index.find_person(found.person.id).is_some_and(|person| !touched.has(person))
    };
    people.iter().all(is_same).then(|| finished(question.write(&people, total))).transpose()
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
