//! The links by which colleagues bring exports, made and revoked by an admin on the page.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use kith_import::addresses::addresses_in;
use tokio::task::spawn_blocking;

use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::prefer::Handling;
use crate::api::state::ApiState;
use crate::audit::{self, ExportsChange};
use crate::auth::clock::{duration_millis, to_millis};
use crate::auth::ttl::Ttl;
use crate::clock;
use crate::explorer::bring::{refused, written};
use crate::explorer::forget::is_writing_admin;
use crate::exports::error::ExportsError;
use crate::exports::part::{Colleague, Part};
use crate::exports::service::ExportService;
use crate::limits::EXPORT_LINK_LIFETIME;
use crate::model::dataset::{AdvocateStatus, Dataset, Role};
use crate::model::ix::PersonIx;

/// The fields of a body that makes a link.
const FIELDS: [&str; 5] = ["who", "name", "email", "as", "ttl"];
/// The most characters of a colleague's name.
const NAME_CHARS_MAX: usize = 200;

/// A colleague of the network, with their id.
struct Known {
    id: String,
    who: Colleague,
}

/// Whether the caller may make links.
pub(crate) fn may_invite(state: &ApiState, caller: &Caller) -> bool {
    state.exports.is_some() && is_writing_admin(caller)
}

/// Answers with the members, the advocates, and all others who have a part: what each brought in numbers, and until when their
/// link holds. What they brought is for nobody else.
///
/// # Errors
/// As [`Caller`]; 403 for who is no admin; 404 if no exports are kept.
pub async fn list(State(state): State<Arc<ApiState>>, caller: Caller) -> Result<Json, Response> {
    let service = admitted(&state, &caller).map_err(IntoResponse::into_response)?;
    let (organization, known) =
        (caller.index().data.organization.id.clone(), colleagues(&caller.index().data));
    drop(caller);
    let parts = work(move || service.folder.parts(&organization)).await?;
    let mut others: Vec<&Part> = parts.iter().map(|(part, _)| part).collect();
    let mut lines = Vec::new();
    for Known { id, who } in &known {
        let part = others.iter().position(|part| part.who.is(who)).map(|place| others.remove(place));
        lines.push((Some(id.as_str()), who, part));
    }
    lines.extend(others.iter().map(|part| (None, &part.who, Some(*part))));
    let now = to_millis(clock::wall_time());
    Ok(Json::of_object(256 * (lines.len() + 1), |json| {
        json.object_field("data", |json| {
            json.array_field("colleagues", &lines, |json, (id, who, part)| {
                json.object(|json| {
                    json.field_if("who", *id);
                    json.field("name", &who.name);
                    json.field("as", if who.helps.is_empty() { "member" } else { "advocate" });
                    let Some(part) = part else { return };
                    json.field("part", &part.id);
                    json.field("files", part.files.len() as u64);
                    json.field("bytes", part.files.iter().map(|file| file.bytes).sum::<u64>());
                    let last = part.files.iter().map(|file| file.at).max().map(written);
                    json.field_if("lastAt", last.as_deref());
                    let ends_at = part.link_ends_at(now).map(written);
                    json.field_if("linkEndsAt", ends_at.as_deref());
                });
            });
        });
    }))
}

/// Makes the link of a colleague, in the place of the one before.
///
/// # Errors
/// 400 if the request does not come from the page or its body cannot be taken; as [`list`]; 404 for who is neither a member nor an
/// advocate; 409 if there are too many.
pub async fn invite(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, Response> {
    let read = read(&state, &caller, &headers, body).await;
    let (service, who, ttl) = read.map_err(IntoResponse::into_response)?;
    let data = &caller.index().data;
    let organization = (data.organization.id.clone(), data.organization.name.clone());
    let by = user_id(&caller);
    drop(caller);
    let ends_at = to_millis(clock::wall_time()).saturating_add(duration_millis(ttl));
    let (url, id) = (service.settings.public_url.clone(), organization.0.clone());
    let made = work(move || service.folder.make_link((&organization.0, &organization.1), &who, ends_at));
    let (part, code) = made.await?;
    changed("export.link_made", &id, &part, &by);
    Ok(Json::of_object(256, |json| {
        json.field("part", &part);
        json.field("url", &format!("{url}/bring#{code}"));
        json.field("expiresAt", &written(ends_at));
    }))
}

/// Ends the link of a part; what was brought stays for the next import.
///
/// # Errors
/// 400 if the request does not come from the page; as [`list`]; 404 for a part that is not there.
pub async fn revoke(
    State(state): State<Arc<ApiState>>,
    Path(part): Path<String>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json, Response> {
    check_site(&headers).map_err(IntoResponse::into_response)?;
    let service = admitted(&state, &caller).map_err(IntoResponse::into_response)?;
    let (organization, by) = (caller.index().data.organization.id.clone(), user_id(&caller));
    drop(caller);
    let (of, id) = (organization.clone(), part.clone());
    work(move || service.folder.revoke(&of, &id, false)).await?;
    changed("export.link_revoked", &organization, &part, &by);
    Ok(Json::of_object(32, |json| json.field("revoked", true)))
}

async fn work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ExportsError> + Send + 'static,
) -> Result<T, Response> {
    let worked = spawn_blocking(work).await.map_err(|_| ApiError::Internal.into_response())?;
    worked.map_err(refused)
}

fn changed(event: &str, organization: &str, part: &str, by: &str) {
    audit::exports_changed(&ExportsChange { event, organization, part, file: None, by });
}

fn user_id(caller: &Caller) -> String {
    let members = &caller.index().data.members;
    caller.member.map_or_else(String::new, |member| members.user_ids.get(member.0).to_owned())
}

/// The exports, for an admin who may write.
fn admitted(state: &ApiState, caller: &Caller) -> Result<Arc<ExportService>, ApiError> {
    let service = state.exports.clone().ok_or(ApiError::UnknownPath)?;
    caller.own_member("Making links for colleagues")?;
    if !may_invite(state, caller) {
        return Err(ApiError::Forbidden(
            "Only an admin whose token may write makes links for colleagues.".to_owned(),
        ));
    }
    Ok(service)
}

async fn read(
    state: &ApiState,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Arc<ExportService>, Colleague, std::time::Duration), ApiError> {
    check_site(headers)?;
    let service = admitted(state, caller)?;
    let body = Object::parse(&body::read(headers, body).await?)?;
    body.check(Handling::default(), &FIELDS)?;
    let sent = body.text("ttl", "a time such as 30d")?;
    let ttl =
        sent.map(|ttl| ttl.parse::<Ttl>().map_err(|_| ApiError::invalid("ttl", &ttl, "a time such as 30d")));
    let ttl = ttl.transpose()?.map_or(EXPORT_LINK_LIFETIME, Ttl::as_duration);
    if let Some(id) = body.text("who", "the id of a member, an advocate or a part")? {
        let data = &caller.index().data;
        let known = colleagues(data).into_iter().find(|known| known.id == id).map(|known| known.who);
        let (folder, organization) = (Arc::clone(&service.folder), data.organization.id.clone());
        // Who is in no network yet is named by their part.
        let part = spawn_blocking(move || folder.part(&id)).await.map_err(|_| ApiError::Internal)?;
        let part = part.map_err(|_| ApiError::Internal)?.filter(|part| part.organization == organization);
        return Ok((service, known.or(part.map(|part| part.who)).ok_or(ApiError::NotFound)?, ttl));
    }
    let expected = format!("a name of 1 to {NAME_CHARS_MAX} characters");
    let name = body.text("name", &expected)?.map(|name| name.trim().to_owned());
    let name = name.filter(|name| (1..=NAME_CHARS_MAX).contains(&name.chars().count()));
    let name = name.ok_or_else(|| ApiError::missing("name", &expected[..]))?;
    let (mut emails, expected) = (Vec::new(), "their e-mail address");
    addresses_in(&body.text("email", expected)?.unwrap_or_default(), &mut emails);
    if emails.is_empty() {
        return Err(ApiError::missing("email", expected));
    }
    let roles = ["member", "admin", "advocate"];
    let role = body.one_of("as", roles, |role| role)?.unwrap_or("member");
    let own = (role == "advocate").then(|| own_name(caller)).flatten();
    let who =
        Colleague { name, emails, handle: None, helps: own.into_iter().collect(), is_admin: role == "admin" };
    Ok((service, who, ttl))
}

/// The address of the caller, else their name: by it an import knows whom an advocate helps.
fn own_name(caller: &Caller) -> Option<String> {
    let data = &caller.index().data;
    caller.member.map(|member| called(data, data.members.people[member.0 as usize]))
}

fn called(data: &Dataset, person: PersonIx) -> String {
    let address = data.people.emails.get(person.0);
    if address.is_empty() { data.people.names.get(person.0).to_owned() } else { address.to_owned() }
}

/// The members of a network, then the advocates who did not decline.
fn colleagues(data: &Dataset) -> Vec<Known> {
    let known = |id: &str, person: PersonIx, helps: Vec<String>, is_admin: bool| {
        let some = |text: &str| Some(text.to_lowercase()).filter(|text| !text.is_empty());
        let who = Colleague {
            name: data.people.names.get(person.0).to_owned(),
            emails: some(data.people.emails.get(person.0)).into_iter().collect(),
            handle: some(data.people.handles.get(person.0)),
            helps,
            is_admin,
        };
        Known { id: id.to_owned(), who }
    };
    let members = data.members.people.iter().zip(&data.members.roles).enumerate();
    let members = members.map(|(at, (person, role))| {
        known(data.members.user_ids.get(at as u32), *person, Vec::new(), *role == Role::Admin)
    });
    let may_help = || data.advocates.iter().filter(|row| row.status != AdvocateStatus::Declined);
    let people: BTreeSet<u32> = may_help().map(|row| row.person.0).collect();
    let advocates = people.into_iter().filter(|person| !data.members.people.contains(&PersonIx(*person)));
    let advocates = advocates.map(|person| {
        let rows = may_help().filter(|row| row.person.0 == person);
        let helps = rows.map(|row| called(data, data.members.people[row.member.0 as usize])).collect();
        known(data.people.ids.get(person), PersonIx(person), helps, false)
    });
    members.chain(advocates).collect()
}
