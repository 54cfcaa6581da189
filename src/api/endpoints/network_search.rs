//! `POST /api/v1/search/network`: a sentence in, people out.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;

use crate::admission::class::Class;
use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{write_handle, write_identity, write_matched, write_understood};
use crate::api::json::Json;
use crate::api::metrics::Metrics;
use crate::api::params::Params;
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::limits::{QUERY_CHARS_MAX, STORE_LOOKUP_DEADLINE};
use crate::model::ix::MemberIx;
use crate::search::conditions::NetworkKind;
use crate::search::engine::{EngineUnavailable, Mode};
use crate::search::question::{Found, FoundPerson, Question, ask};
use crate::search::rank::Strictness;
use crate::search::understood::SearchExtra;

/// The fields of the body that `searchNetwork` takes.
pub const FIELDS: [&str; 7] = ["query", "networks", "strictness", "asUserId", "limit", "include", "mode"];
/// About what one person takes in an answer, in bytes.
const PERSON_BYTES: usize = 384;

/// Answers `searchNetwork`.
///
/// # Errors
/// 400 for a body that cannot be taken, a pinned mode whose engine cannot answer among them; 408, 413 and 415
/// for one that cannot be read; 503 if there is too much to do already, or no engine can answer.
pub async fn search_network(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    params: Params,
    body: Body,
) -> Result<Json, ApiError> {
    let body = body::read(&headers, body).await?;
    // It takes no parameters; broken encoding is refused as everywhere.
    params.check(&[])?;
    let body = Object::parse(&body)?;
    body.check(params.handling(), &FIELDS)?;
    let question = read(caller.index(), caller.member, &body)?;
    let has_ids = read_extras(&body)?.contains(&SearchExtra::Ids);
    search(state, &caller, question, move |found| write(found, has_ids)).await
}

/// Asks `question`, and gives what `write` makes of the people found.
///
/// # Errors
/// 400 for a pinned mode whose engine cannot answer; 503 if there is too much to do already, or no engine can answer.
pub(crate) async fn search<T: Send + 'static>(
    state: Arc<ApiState>,
    caller: &Caller,
    question: Question,
    write: impl FnOnce(&Found<'_>) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let network = Arc::clone(caller.network());
    let asked = state.language_model.understand(&network.index.data.organization.id, &question.text).await;
    asked.iter().for_each(|asked| state.metrics.asked_provider(asked));
    let draft = asked.and_then(|asked| asked.draft.ok());
    // Only now: neither a slow body nor a slow provider holds a permit.
    let permit = caller.permit(&state, Class::Long).await?;
    // A search goes over everybody: off the threads that requests are read and written on.
    // The permit goes with it: it ends when the search does, also if nobody waits for the answer any more.
    let searching = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        state.search_threads.run(|| {
            let searched = network.searched(state.engines, clock::now() + STORE_LOOKUP_DEADLINE);
            let asked = ask(searched, &question, draft);
            count_fallback(&state.metrics, question.mode, &asked);
            network.log_store_failure();
            match asked {
                Ok(found) => Ok(write(&found)),
                Err(reason) => Err(refuse(question.mode, reason)),
            }
        })
    });
    searching.await.map_err(|_| ApiError::Internal)?
}

/// What `body` asks of `index`, which `asking` asks if a member does.
///
/// # Errors
/// Returns an error if a field cannot be taken.
pub(crate) fn read(
    index: &GraphIndex,
    asking: Option<MemberIx>,
    body: &Object,
) -> Result<Question, ApiError> {
    let strictness = body.whole("strictness", 1..=Strictness::ALL.len() as u64)?.unwrap_or(1);
    Ok(Question {
        text: read_query(body)?,
        networks: read_networks(body)?,
        strictness: Strictness::ALL[strictness as usize - 1],
        view: read_member(index, body)?,
        acting: asking,
        limit: body.limit()?,
        mode: read_mode(body)?,
        explains: read_extras(body)?.contains(&SearchExtra::Understood),
    })
}

fn read_query(body: &Object) -> Result<String, ApiError> {
    let expected = format!("1 to {QUERY_CHARS_MAX} characters that are not all blank");
    let text = body.text("query", &expected)?;
    let sent = text.as_deref().map(|text| Sent::new("query", text));
    Sent::required("query", sent, &expected)?.text(QUERY_CHARS_MAX, &expected).map(str::to_owned)
}

fn read_networks(body: &Object) -> Result<Option<Vec<NetworkKind>>, ApiError> {
    let names = NetworkKind::ALL.map(NetworkKind::name);
    let expected = format!("a list of one or more of {}", names.join(", "));
    let Some(sent) = body.texts("networks", &expected)? else { return Ok(None) };
    if sent.is_empty() {
        return Err(ApiError::invalid("networks", "[]", expected));
    }
    let kind = |name: &String| Sent::new("networks", name).one_of(NetworkKind::ALL, NetworkKind::name);
    sent.iter().map(kind).collect::<Result<_, _>>().map(Some)
}

/// Returns the further parts that `include` asks for.
fn read_extras(body: &Object) -> Result<Vec<SearchExtra>, ApiError> {
    Ok(body.names("include", SearchExtra::ALL, SearchExtra::name)?.unwrap_or_default())
}

fn read_member(index: &GraphIndex, body: &Object) -> Result<Option<MemberIx>, ApiError> {
    let expected = "the user id or person id of a member of the organization";
    let Some(id) = body.text("asUserId", expected)? else { return Ok(None) };
    let sent = Sent::new("asUserId", &id);
    let member = index.find_member(sent.id()?);
    member.map(Some).ok_or_else(|| sent.refused(expected))
}

fn read_mode(body: &Object) -> Result<Mode, ApiError> {
    let sent = body.text("mode", &format!("one of {}", Mode::ALL.map(Mode::name).join(", ")))?;
    sent.map_or(Ok(Mode::Auto), |mode| Sent::new("mode", &mode).one_of(Mode::ALL, Mode::name))
}

/// Counts the engine that could not answer, if one could not.
fn count_fallback(metrics: &Metrics, mode: Mode, asked: &Result<Found<'_>, EngineUnavailable>) {
    match (asked, mode) {
        (Ok(found), _) => {
            if let Some((engine, reason)) = found.fallback {
                metrics.fell_back(engine.mode(), reason.name());
            }
        }
        (Err(reason), Mode::Pinned(engine)) => metrics.fell_back(engine.mode(), reason.name()),
        (Err(reason), Mode::Auto) => metrics.fell_back("all", reason.name()),
    }
}

/// The error that says why no engine answers.
pub(crate) fn refuse(mode: Mode, reason: EngineUnavailable) -> ApiError {
    match mode {
        Mode::Pinned(engine) => {
            let expected = format!("auto, or an engine that can answer; {}", reason.sentence());
            ApiError::invalid("mode", engine.mode(), expected)
        }
        Mode::Auto => ApiError::Unavailable,
    }
}

/// The body of an answer; with the fields of `include: ["ids"]` if it `has_ids`.
pub(crate) fn write(found: &Found<'_>, has_ids: bool) -> Json {
    let mut json = Json::with_capacity(512 + PERSON_BYTES * found.people.len());
    json.object(|json| {
        json.array_field("data", &found.people, |json, person| {
            json.object(|json| {
                write_person(json, person, has_ids);
                if found.understood.is_some() {
                    json.array_field("matched", &person.matched, |json, matched| {
                        json.object(|json| write_matched(json, matched, &matched.text));
                    });
                }
            });
        });
        json.object_field("meta", |json| {
            json.array_field("searchTerms", &found.terms, |json, term| json.text_element(term));
            json.number("totalCount", found.total);
            json.number("returnedCount", found.people.len() as u64);
            json.text("backend", found.engine.backend());
            if let Some((from, reason)) = found.fallback {
                json.object_field("fallback", |json| {
                    json.text("from", from.backend());
                    json.text("reason", reason.sentence());
                });
            }
            if let Some(understood) = &found.understood {
                write_understood(json, understood);
            }
        });
    });
    json
}

fn write_person(json: &mut Json, found: &FoundPerson<'_>, has_ids: bool) {
    json.object_field("person", |json| {
        write_identity(json, &found.person);
        json.text_if("position", found.person.position);
        if has_ids {
            write_handle(json, &found.person);
            json.text_if("city", found.city);
            json.text_if("country", found.country);
        }
    });
    if let Some(employer) = found.employer {
        json.object_field("currentCompany", |json| {
            json.text("id", employer.id);
            json.text("name", employer.name);
            json.text_if("industry", employer.industry.filter(|_| has_ids));
        });
    }
    json.number_if("warmness", found.warmness);
    json.array_field("connectionSources", &found.sources, |json, source| {
        json.object(|json| {
            json.text("type", source.kind.name());
            json.text("name", source.name);
        });
    });
}
