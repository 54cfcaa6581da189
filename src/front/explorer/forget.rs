//! Forgetting by a press: an admin's page puts people on the list that everything in service keeps to.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;

use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::prefer::Handling;
use crate::api::state::{ApiState, PageImport};
use crate::ask_file::service::moment;
use crate::audit;
use crate::clock;
use crate::explorer::report::import_of;
use crate::model::dataset::{Dataset, Role};
use crate::model::ix::PersonIx;
use crate::suppress::error::ListError;
use crate::suppress::file::change_or_create;
use crate::suppress::known::{Identities, KnownPeople, identities_in};

/// The field of a body.
const PEOPLE: &str = "people";

/// Whether the caller may have people forgotten: an admin whose token may write, where a list is kept to.
pub(crate) fn may_forget(state: &ApiState, caller: &Caller) -> bool {
    is_writing_admin(caller) && state.gate.list_path().is_some()
}

/// Whether the caller is an admin whose token may write.
pub(crate) fn is_writing_admin(caller: &Caller) -> bool {
    let roles = &caller.index().data.members.roles;
    caller.member.is_some_and(|member| roles[member.0 as usize] == Role::Admin) && caller.scopes.has_write()
}

/// Puts people on the list with everything that they alone are known by; from the next request on nobody is shown them.
///
/// Answers `forgotten`, their number, and `others`: people whom no import can distinguish from them. If there are any, nobody is
/// forgotten until they are named too.
///
/// # Errors
/// 400 if the request does not come from the page or its body cannot be taken; as [`Caller`]; 403 for who may not forget; 404 for
/// an id that is not there; 409 for a member or an advocate, and for a list that cannot be written.
pub async fn forget(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    check_site(&headers)?;
    caller.own_member("Forgetting people")?;
    if !may_forget(&state, &caller) {
        return Err(ApiError::Forbidden("Only an admin can have people forgotten.".to_owned()));
    }
    let body = Object::parse(&body::read(&headers, body).await?)?;
    body.check(Handling::default(), &[PEOPLE])?;
    let expected = "ids of people";
    let ids = body.some_texts(PEOPLE, expected)?.ok_or_else(|| ApiError::missing(PEOPLE, expected))?;
    let work = tokio::task::spawn_blocking(move || put_on_list(&state, &caller, &ids));
    work.await.map_err(|_| ApiError::Internal)?
}

fn put_on_list(state: &ApiState, caller: &Caller, ids: &[String]) -> Result<Json, ApiError> {
    let index = caller.index();
    let data = &index.data;
    let found: Option<BTreeSet<u32>> =
        ids.iter().map(|id| index.find_person(id).map(|person| person.0)).collect();
    let people = found.ok_or(ApiError::NotFound)?;
    check_are_contacts(data, &people)?;
    let identities =
        import_of(state, caller).map_or_else(|| Ok(Identities::new()), |import| noted(import))?;
    let known = KnownPeople::of(data, identities);
    let keys = known.keys(&people);
    let others = known.doubles(&people, &keys);
    let mut forgotten = 0;
    if let ([], Some(path)) = (others.as_slice(), state.gate.list_path()) {
        let (organization, now) = (data.organization.id.as_str(), moment(clock::wall_time()));
        let written = change_or_create(path, |list| {
            for (kind, form) in &keys {
                let entry = list.entry_of_form(organization, *kind, form);
                list.add(organization, entry, now);
            }
            Ok::<_, ListError>(())
        });
        written.map_err(|error| ApiError::Conflict(format!("Nobody was forgotten: {error}.")))?;
        forgotten = people.len();
        let by = caller.member.map_or("", |member| data.members.user_ids.get(member.0));
        audit::people_forgotten(organization, forgotten, by);
    }
    Ok(Json::of_object(64, |json| {
        json.field("forgotten", forgotten);
        json.array_field("others", others, |json, person| {
            let [id, name, company, _] = known.line(person);
            json.object(|json| {
                json.field("id", &id);
                json.field("name", &name);
                json.field("company", &company);
            });
        });
    }))
}

/// The import's notes on each person.
fn noted(import: &PageImport) -> Result<Identities, ApiError> {
    identities_in(&import.tables).map_err(|error| {
        ApiError::Conflict(format!("Nobody was forgotten, since the tables cannot be read: {error}."))
    })
}

/// Passes people who are neither members nor advocates: an import refuses to forget whose files it reads.
fn check_are_contacts(data: &Dataset, people: &BTreeSet<u32>) -> Result<(), ApiError> {
    let members = data.members.people.iter().copied();
    let mut holders = members.chain(data.advocates.iter().map(|advocate| advocate.person));
    let Some(PersonIx(holder)) = holders.find(|person| people.contains(&person.0)) else { return Ok(()) };
    let name = data.people.names.get(holder);
    Err(ApiError::Conflict(format!(
        "{name} is a member or an advocate of your organization: end that first, and then have them forgotten."
    )))
}
