//! `search_network`: answers like `searchNetwork`.

use crate::api::endpoints::network_search::{SearchCounts, TermMatch, read};
use crate::api::json::Json;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, plain, text, text_if, texts};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::LIMIT_DEFAULT;
use crate::search::question::{Found, FoundPerson};
use crate::search::understood::{Understood, WIDENED_MAX};

/// Maximum terms listed in an answer.
const TERMS_MAX: usize = 12;
/// Maximum ignored words listed.
const IGNORED_MAX: usize = 12;
/// The argument that requests how the description was understood.
const EXPLAIN: &str = "explain";

/// Answers `search_network`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let body = asked.body(asked.limit(LIMIT_DEFAULT))?;
    let question = read(asker.index(), asker.member(), &body);
    let mut question = question.map_err(|error| asked.named(error, tool, &[]))?;
    question.explains = asked.is_true(EXPLAIN);
    asker.search(question, write).await
}

fn write(found: &Found<'_>) -> Vec<u8> {
    object_within(
        "people",
        &found.people,
        |json| {
            texts(json, "terms", &found.terms, TERMS_MAX);
            if let Some(understood) = &found.understood {
                write_understood(json, understood);
            }
        },
        write_person,
        {
            |json, count| {
                json.field("total", found.total);
                json.field("complete", count as u64 == found.total);
            }
        },
    )
}

fn write_person(json: &mut Json, found: &FoundPerson<'_>) {
    json.field("id", found.person.id);
    text(json, "name", found.person.name);
    text_if(json, "position", found.person.position);
    text_if(json, "company", found.employer.map(|employer| employer.name));
    text_if(json, "city", found.city);
    text_if(json, "country", found.country);
    json.field_if("warmness", found.warmness);
    json.array_field("sources", found.sources.iter().take(2), |json, source| {
        json.object(|json| {
            json.field("type", source.kind.name());
            text(json, "name", source.name);
        });
    });
    if !found.matched.is_empty() {
        json.array_field("matched", &found.matched, |json, matched| {
            json.object(|json| TermMatch::write(json, (matched, &plain(&matched.text))));
        });
    }
}

fn write_understood(json: &mut Json, understood: &Understood<'_>) {
    json.array_field("understood", &understood.terms, |json, term| {
        json.object(|json| {
            text(json, "term", &term.term);
            json.field("kind", term.kind.name());
            json.field("negated", term.negated);
            json.field("past", term.past);
            text_if(json, "read_as", term.read_as.as_deref());
            texts(json, "widened_to", &term.widened_to, WIDENED_MAX);
            json.field("people", term.people);
        });
    });
    texts(json, "ignored", &understood.ignored, IGNORED_MAX);
    json.object_field("counts", |json| SearchCounts::write(json, understood.counts));
}
