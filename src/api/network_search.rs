//! `POST /api/v1/search/network`: a sentence in, people out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;

use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::{Params, check_id, choose, is_blank};
use crate::api::person::write_identity;
use crate::api::router::{REQUEST_DEADLINE, Service};
use crate::graph::index::GraphIndex;
use crate::language_model::LanguageModel;
use crate::language_model::settings::ProviderSettings;
use crate::limits::{PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, QUERY_CHARS_MAX};
use crate::live::networks::Network;
use crate::model::dataset::{MemberIx, PersonIx};
use crate::search::answer::{Answer, Request, answer};
use crate::search::conditions::{Draft, NetworkKind, Query};
use crate::search::engine::{Engine, EngineUnavailable, Mode};
use crate::search::parse::parse;
use crate::search::pool::{Pool, Source, default_member};
use crate::search::rank::Strictness;
use crate::search::resolve::resolve;

/// A look-up in the relational store is given up after this long.
const STORE_TIMEOUT: Duration = Duration::from_secs(2);
/// For all else that a search does.
const SEARCH_TIME: Duration = Duration::from_secs(2);
// A provider and a store that both hang leave the time to answer without them.
const _: () = assert!(
    ProviderSettings::TIMEOUT_MS_MAX as u128 + STORE_TIMEOUT.as_millis() + SEARCH_TIME.as_millis()
        < REQUEST_DEADLINE.as_millis()
);
/// About what one person takes in an answer, in bytes.
const PERSON_BYTES: usize = 384;
/// The strictest search, where 1 is the most relaxed.
pub const STRICTNESS_MAX: u32 = 3;
/// The modes; the first is what applies where none is sent.
pub const MODES: [&str; 4] = ["auto", "vector", "graph", "relational"];

/// What was asked, checked.
struct Asked {
    query: String,
    networks: Option<Vec<NetworkKind>>,
    strictness: Strictness,
    acting: Option<MemberIx>,
    limit: u32,
    mode: Mode,
}

/// Answers one search.
///
/// # Errors
/// As the contract's error table says; a pinned mode whose engine cannot answer is a validation error.
pub async fn handle(
    State(service): State<Arc<Service>>,
    caller: Caller,
    headers: HeaderMap,
    RawQuery(parameters): RawQuery,
    body: Body,
) -> Result<Json, ApiError> {
    let body = body::read(&headers, body).await?;
    // It takes no parameters; broken encoding is refused as everywhere.
    Params::parse(parameters.as_deref().unwrap_or("")).check()?;
    let asked = read(&caller, &Object::parse(&body)?)?;
    let network = Arc::clone(caller.network());
    // A search goes over everybody: off the threads that requests are read and written on.
    let draft = understand(&service.language_model, &network, &asked.query).await;
    // Only now: neither a slow body nor a slow provider holds a turn.
    let _turn = caller.turn(&service).await?;
    let found = tokio::task::spawn_blocking(move || find(&service, &network, &asked, draft)).await;
    found.map_err(|_| ApiError::Internal)?
}

/// What a language model makes of the query; nothing where there is none, or it fails: the built-in
/// parser serves then.
async fn understand(model: &LanguageModel, network: &Network, query: &str) -> Option<Draft> {
    if !model.is_on() {
        return None;
    }
    let parsed = model.parse(&network.index.organization.id, query).await;
    parsed.inspect_err(|failure| tracing::warn!(%failure, "the built-in parser serves this query")).ok()
}

fn read(caller: &Caller, body: &Object) -> Result<Asked, ApiError> {
    let strictness = body.whole("strictness", 1..=STRICTNESS_MAX)?;
    Ok(Asked {
        query: read_query(body)?,
        networks: read_networks(body)?,
        strictness: match strictness {
            None | Some(1) => Strictness::Relaxed,
            Some(2) => Strictness::Normal,
            Some(_) => Strictness::Strict,
        },
        acting: read_member(caller, body)?,
        limit: body.whole("limit", 1..=PAGE_LIMIT_MAX)?.unwrap_or(PAGE_LIMIT_DEFAULT),
        mode: read_mode(body)?,
    })
}

fn read_query(body: &Object) -> Result<String, ApiError> {
    let expected = format!("1 to {QUERY_CHARS_MAX} characters that are not all blank");
    let query = body.text("query", &expected)?.filter(|query| !is_blank(query));
    let query = query.ok_or_else(|| ApiError::missing("query", expected.as_str()))?;
    if query.chars().count() > QUERY_CHARS_MAX {
        return Err(ApiError::invalid("query", &query, expected));
    }
    Ok(query)
}

fn read_networks(body: &Object) -> Result<Option<Vec<NetworkKind>>, ApiError> {
    let names = NetworkKind::ALL.map(NetworkKind::name);
    let expected = format!("a list of one or more of {}", names.join(", "));
    let Some(sent) = body.texts("networks", &expected)? else { return Ok(None) };
    if sent.is_empty() {
        return Err(ApiError::invalid("networks", "[]", expected));
    }
    let kind = |name: &String| choose("networks", name, &names).map(|place| NetworkKind::ALL[place]);
    sent.iter().map(kind).collect::<Result<_, _>>().map(Some)
}

fn read_member(caller: &Caller, body: &Object) -> Result<Option<MemberIx>, ApiError> {
    let expected = "the user id or person id of a member of the organization";
    let Some(id) = body.text("asUserId", expected)? else {
        return Ok(caller.member.or_else(|| default_member(caller.index())));
    };
    check_id("asUserId", &id)?;
    let member = caller.index().find_member(&id);
    member.map(Some).ok_or_else(|| ApiError::invalid("asUserId", &id, expected))
}

fn read_mode(body: &Object) -> Result<Mode, ApiError> {
    let expected = format!("one of {}", MODES.join(", "));
    let Some(sent) = body.text("mode", &expected)? else { return Ok(Mode::Auto) };
    let place = choose("mode", &sent, &MODES)?;
    let pinned = Engine::ALL.into_iter().find(|engine| engine.mode() == MODES[place]);
    Ok(pinned.map_or(Mode::Auto, Mode::Pinned))
}

/// Searches `network`; `draft` is what a language model understood, where one did.
fn find(service: &Service, network: &Network, asked: &Asked, draft: Option<Draft>) -> Result<Json, ApiError> {
    let searched = network.searched(service.engines, Instant::now() + STORE_TIMEOUT);
    let draft = draft.unwrap_or_else(|| parse(&network.index, &network.search, &asked.query));
    let query = resolve(&draft);
    let networks = asked.networks.as_deref();
    // What the body says counts before what the sentence says.
    let named = Some(&query.networks[..]).filter(|named| !named.is_empty());
    let request = Request {
        query: &query,
        networks: networks.or(named).unwrap_or(&NetworkKind::ALL),
        acting: asked.acting,
        strictness: asked.strictness,
        limit: asked.limit,
        mode: asked.mode,
    };
    match answer(searched, &request) {
        Ok(answer) => Ok(write(&network.index, &query, &answer)),
        Err(reason) => Err(refuse(asked.mode, reason)),
    }
}

fn refuse(mode: Mode, reason: EngineUnavailable) -> ApiError {
    match mode {
        Mode::Pinned(engine) => {
            let expected = format!("auto, or an engine that can answer; {}", reason.sentence());
            ApiError::invalid("mode", engine.mode(), expected)
        }
        Mode::Auto => ApiError::Unavailable,
    }
}

fn write(index: &GraphIndex, query: &Query, answer: &Answer<'_>) -> Json {
    let people = &answer.ranking.people;
    let mut json = Json::with_capacity(512 + PERSON_BYTES * people.len());
    json.object(|json| {
        json.array_field("data", people, |json, &person| {
            json.object(|json| write_person(json, index, &answer.pool, person));
        });
        json.object_field("meta", |json| {
            let terms =
                query.conditions.iter().chain(&query.exclusions).map(|condition| condition.term.as_str());
            json.array_field("searchTerms", terms, |json, term| json.text_element(term));
            json.number("totalCount", answer.ranking.total);
            json.number("returnedCount", people.len() as u64);
            json.text("backend", answer.engine.backend());
            if let Some((from, reason)) = answer.fallback {
                json.object_field("fallback", |json| {
                    json.text("from", from.backend());
                    json.text("reason", reason.sentence());
                });
            }
        });
    });
    json
}

fn write_person(json: &mut Json, index: &GraphIndex, pool: &Pool<'_>, person: PersonIx) {
    json.object_field("person", |json| {
        write_identity(json, index, person);
        json.text_if("position", index.people.positions.value(person.0));
    });
    if let Some(company) = index.people.company(person) {
        json.object_field("currentCompany", |json| {
            json.text("id", index.companies.ids.get(company.0));
            json.text("name", index.companies.names.get(company.0));
        });
    }
    json.number_if("warmness", pool.warmness(person));
    json.array_field("connectionSources", pool.sources(person), |json, source| {
        json.object(|json| {
            let (kind, name) = match source {
                Source::User(member) => (NetworkKind::User, index.people.names.get(member.0)),
                Source::Advocate(advocate) => (NetworkKind::Advocate, index.people.names.get(advocate.0)),
                Source::Organization => (NetworkKind::Organization, index.organization.name.as_str()),
            };
            json.text("type", kind.name());
            json.text("name", name);
        });
    });
}
