//! `POST /api/v1/search/network`: a sentence in, people out.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;

use crate::admission::class::Class;
use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::{City, Country, Identity, Position, TiesOf, filled};
use crate::api::json::Json;
use crate::api::metrics::Metrics;
use crate::api::params::Params;
use crate::api::schema::{COMPANY_ID, COUNT, SCORE, Shape, TEXT, schema};
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::limits::{QUERY_CHARS_MAX, SEARCH_OFFSET_MAX, STORE_LOOKUP_DEADLINE};
use crate::model::ix::MemberIx;
use crate::query::card::Employer;
use crate::query::page::Page;
use crate::search::conditions::{NetworkKind, TermKind};
use crate::search::engine::{Engine, EngineUnavailable, Mode};
use crate::search::field::SearchField;
use crate::search::question::{self, NamedSource, Question, ask};
use crate::search::rank::Strictness;
use crate::search::understood::{self, How, SearchExtra};
use kith::limits::PAGE_LIMIT_MAX;

/// The fields of the body that `searchNetwork` takes.
pub const FIELDS: [&str; 8] =
    ["query", "networks", "strictness", "asUserId", "limit", "offset", "include", "mode"];
/// Approximate size of one person in an answer, in bytes.
const PERSON_BYTES: usize = 384;

/// Answers `searchNetwork`.
///
/// # Errors
/// 400 for an invalid body, including a pinned mode whose engine cannot answer; 408, 413 and 415 for an unreadable
/// body; 503 if the service is overloaded, or no engine can answer.
pub async fn search_network(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    params: Params,
    body: Body,
) -> Result<Json, ApiError> {
    let body = body::read(&headers, body).await?;
    // The operation has no parameters; broken encoding is refused as everywhere.
    params.check(&[])?;
    let body = Object::parse(&body)?;
    body.check(params.handling(), &FIELDS)?;
    let mut question = read(caller.index(), caller.member, &body)?;
    let has_ids = read_extras(&body)?.contains(&SearchExtra::Ids);
    let offset = body.whole("offset", 0..=SEARCH_OFFSET_MAX)?;
    let page = offset.map(|offset| Page { limit: question.limit, offset });
    // Only the first people are ranked, so earlier pages come with this one.
    question.limit += offset.unwrap_or(0) as u32;
    search(state, &caller, question, move |found| write(found, has_ids, page)).await
}

/// Asks `question`, and returns `write` of the people found.
///
/// # Errors
/// 400 for a pinned mode whose engine cannot answer; 503 if the service is overloaded, or no engine can answer.
pub(crate) async fn search<T: Send + 'static>(
    state: Arc<ApiState>,
    caller: &Caller,
    question: Question,
    write: impl FnOnce(&question::Found<'_>) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let (network, asks) = (Arc::clone(caller.network()), caller.asked().cloned());
    let asked = state.language_model.understand(&network.index.data.organization.id, &question.text).await;
    asked.iter().for_each(|asked| state.metrics.asked_provider(asked));
    let draft = asked.and_then(|asked| asked.draft.ok());
    // Only now: neither a slow body nor a slow provider may hold a permit.
    let permit = caller.permit(&state, Class::Long).await?;
    // A search goes over everybody, so it runs off the threads that read and write requests. The permit goes with it
    // and ends with the search, even if nobody waits for the answer any more.
    let searching = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        state.search_threads.run(|| {
            let mut searched = network.searched(state.engines, clock::now() + STORE_LOOKUP_DEADLINE);
            if let Some(asks) = &asks {
                searched.index = &asks.asks.index;
            }
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

/// Reads a question to `index` from `body`; `asking` is the member who asks, if any.
///
/// # Errors
/// Returns an error for an invalid field.
pub(crate) fn read(
    index: &GraphIndex,
    asking: Option<MemberIx>,
    body: &Object,
) -> Result<Question, ApiError> {
    let strictness = body.whole("strictness", 1..=Strictness::ALL.len() as u64)?.unwrap_or(1);
    let question = Question {
        text: read_query(body)?,
        networks: body.names("networks", NetworkKind::ALL, NetworkKind::name)?,
        strictness: Strictness::ALL[strictness as usize - 1],
        view: read_member(index, body)?,
        acting: asking,
        limit: body.limit()?,
        mode: body.one_of("mode", Mode::ALL, Mode::name)?.unwrap_or(Mode::Auto),
        explains: false,
        names_ties: false,
    };
    let extras = read_extras(body)?;
    let has = |extra| extras.contains(&extra);
    Ok(Question { explains: has(SearchExtra::Understood), names_ties: has(SearchExtra::Ties), ..question })
}

fn read_query(body: &Object) -> Result<String, ApiError> {
    let expected = format!("1 to {QUERY_CHARS_MAX} characters that are not all blank");
    let text = body.text("query", &expected)?;
    let sent = text.as_deref().map(|text| Sent::new("query", text));
    Sent::required("query", sent, &expected)?.text(QUERY_CHARS_MAX, &expected).map(str::to_owned)
}

/// Returns the optional parts that `include` requests.
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

/// Counts the engine that could not answer, if any.
fn count_fallback(metrics: &Metrics, mode: Mode, asked: &Result<question::Found<'_>, EngineUnavailable>) {
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

/// The error for a search that no engine can answer.
pub(crate) fn refuse(mode: Mode, reason: EngineUnavailable) -> ApiError {
    match mode {
        Mode::Pinned(engine) => {
            let expected = format!("auto, or an engine that can answer; {}", reason.sentence());
            ApiError::invalid("mode", engine.mode(), expected)
        }
        Mode::Auto => ApiError::Unavailable,
    }
}

/// Writes an answer; with the fields of `include: ["ids"]` if `has_ids`, and only the people of `page` if given.
pub(crate) fn write(found: &question::Found<'_>, has_ids: bool, page: Option<Page>) -> Json {
    let before = page.map_or(0, |page| page.offset as usize).min(found.people.len());
    let people = &found.people[before..];
    let bytes = 512 + PERSON_BYTES * people.len();
    Json::of_object(bytes, |json| NetworkSearchAnswer::write(json, (found, people, has_ids, page)))
}

/// Whether another page follows this one of `total` people, and begins within the bound.
fn has_more((page, total): (Page, u64)) -> bool {
    page.has_more(total) && page.end() <= SEARCH_OFFSET_MAX
}

schema! {
    NetworkSearchAnswer(
        (found, people, has_ids, page): (&question::Found<'_>, &[question::FoundPerson<'_>], bool, Option<Page>)
    ) "People who fit a question." {
        "data": [{Found}] => people.iter().map(|person| (person, has_ids, found.understood.is_some())),
            "The people, best matches first.";
        "meta": {SearchMeta} => (found, people.len(), page), "How they were found.";
    }

    Found((found, has_ids, explains): (&question::FoundPerson<'_>, bool, bool)) "A person who fits." {
        "person": {FoundPerson} => (found, has_ids), "Who was found.";
        "currentCompany"?: {FoundCompany} => found.employer.map(|employer| (employer, has_ids)), "Where they work.";
        "warmness"?: SCORE => found.warmness,
            "The score of the warmest edge that leads to them in the chosen networks.";
        "connectionSources": [{ConnectionSource}] => &found.sources, "Every chosen network that they are in.";
        "matched"?: [{TermMatch}] => explains.then(|| found.matched.iter().map(|matched| (matched, &*matched.text))),
            "The terms that the person fits; with `understood`.";
        ..TiesOf => found.ties.as_deref();
    }

    FoundPerson((found, has_ids): (&question::FoundPerson<'_>, bool)) "A person by what they do." {
        ..Identity => &found.person;
        ..Position => &found.person;
        "linkedinId"?: TEXT => found.person.handle.filter(|_| has_ids), "The handle on the professional network.";
        ..City => found.city.filter(|_| has_ids);
        ..Country => found.country.filter(|_| has_ids);
    }

    FoundCompany((employer, has_ids): (Employer<'_>, bool)) "A current company." {
        "id": COMPANY_ID => employer.id, "The company's id.";
        "name": TEXT => employer.name, "The company's name.";
        "industry"?: TEXT => employer.industry.filter(|_| has_ids), "What it works in; with `ids`.";
    }

    ConnectionSource(source: &NamedSource<'_>) "A network that a person is in." {
        "type": (Shape::choice(NetworkKind::ALL.map(NetworkKind::name))) => source.kind.name(), "Which network.";
        "name": TEXT => source.name, "Whose it is: the acting member's, an advocate's, the organization's.";
    }

    SearchMeta((found, returned, page): (&question::Found<'_>, usize, Option<Page>)) "How people were found." {
        "searchTerms": [TEXT] => &found.terms, "What was really searched for.";
        "totalCount": COUNT => found.total, "How many people fit.";
        "returnedCount": (Shape::Whole(0, Some(PAGE_LIMIT_MAX.into()))) => returned, "How many are listed.";
        ..SearchPage => page.map(|page| (page, found.total));
        "backend": (Shape::choice(Engine::ALL.map(Engine::backend))) => found.engine.backend(),
            "The engine that answered.";
        "fallback"?: {Fallback} => found.fallback, "Only where automatic mode had to switch engines.";
        "understood"?: [{UnderstoodTerm}] => found.understood.as_ref().map(|understood| &understood.terms),
            "The terms of the question, in the order of `searchTerms`, then the member whom it names as the one who knows them; with \
             `understood`.";
        "language"?: TEXT => found.understood.as_ref().and_then(|understood| understood.language),
            "The code of the language the question was read as, such as `de`; with `understood`, if it was recognized.";
        "ignored"?: [TEXT] => found.understood.as_ref().map(|understood| &understood.ignored),
            "Words that say nothing of whom to find; with `understood`.";
        "counts"?: {SearchCounts} => found.understood.as_ref().map(|understood| understood.counts),
            "How many people fit how many of the conditions; with `understood`.";
    }

    SearchPage(page: Option<(Page, u64)>) {
        "limit"?: (Shape::Whole(1, Some(PAGE_LIMIT_MAX.into()))) => page.map(|(page, _)| page.limit),
            "The limit that was applied; with `offset`.";
        "offset"?: COUNT => page.map(|(page, _)| page.offset), "The offset that was applied.";
        "hasMore"?: (Shape::Boolean) => page.map(has_more), "Whether there is a further page that may be asked for.";
        "nextOffset"?: COUNT => page.filter(|&page| has_more(page)).map(|(page, _)| page.end()),
            "The offset of the next page; only where there is one.";
    }

    Fallback((from, reason): (Engine, EngineUnavailable)) "A switch of engines." {
        "from": (Shape::choice(Engine::ALL.map(Engine::backend))) => from.backend(), "The engine that should have answered.";
        "reason": TEXT => reason.sentence(), "Why it did not.";
    }

    UnderstoodTerm(term: &understood::UnderstoodTerm<'_>) "A term of a question, and how it was read." {
        "term": TEXT => &*term.term, "Its words, as the question has them.";
        "kind": (Shape::choice(TermKind::ALL.map(TermKind::name))) => term.kind.name(), "What it is about.";
        "negated": (Shape::Boolean) => term.negated, "Whether the people wanted are those it does not fit.";
        "past": (Shape::Boolean) => term.past, "Whether it was so in the past.";
        "readAs"?: TEXT => term.read_as.as_deref(), "As what its words were read, if not as they are written.";
        "widenedTo"?: [TEXT] => filled(&term.widened_to),
            "Up to three texts of people in the chosen networks that say the same in other words, the most frequent first.";
        "people": COUNT => term.people, "How many people of the chosen networks it fits, negated or not.";
    }

    SearchCounts(counts: understood::SearchCounts)
    "How many people fit how many conditions. Nobody whom a negated term fits is counted." {
        "every": COUNT => counts.every, "Those who fit every condition.";
        "most": COUNT => counts.most, "Those who fit more than half of them.";
        "any": COUNT => counts.any, "Those who fit at least one.";
    }

    TermMatch((matched, text): (&understood::TermMatch<'_>, &str)) "A term that a person fits, and by what." {
        "term": COUNT => matched.term, "Which of the terms of `meta.understood`, counted from 0.";
        "field": (Shape::choice(SearchField::ALL.map(SearchField::name))) => matched.field.name(),
            "What of the person it fits.";
        "text": TEXT => text, "The text there.";
        "how": (Shape::choice(How::ALL.map(How::name))) => matched.how.name(),
            "`words`: the text has the words of the term; `sense`: it says the same in other words; `past`: it was so once; \
             `number`: by what is counted.";
    }
}
