//! `search_network`: as `searchNetwork` answers.

use crate::api::endpoints::network_search::read;
use crate::api::json::Json;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, text, text_if, texts};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::LIMIT_DEFAULT;
use crate::search::question::{Found, FoundPerson};

/// The most terms that an answer says it searched for.
const TERMS_MAX: usize = 12;

/// Answers `search_network`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let body = asked.body(asked.limit(LIMIT_DEFAULT))?;
    let question = read(asker.index(), asker.member(), &body);
    let question = question.map_err(|error| asked.named(error, tool, &[]))?;
    asker.search(question, write).await
}

fn write(found: &Found<'_>) -> Vec<u8> {
    object_within(
        "people",
        &found.people,
        |json| texts(json, "terms", &found.terms, TERMS_MAX),
        write_person,
        {
            |json, count| {
                json.number("total", found.total);
                json.boolean("complete", count as u64 == found.total);
            }
        },
    )
}

fn write_person(json: &mut Json, found: &FoundPerson<'_>) {
    json.text("id", found.person.id);
    text(json, "name", found.person.name);
    text_if(json, "position", found.person.position);
    text_if(json, "company", found.employer.map(|employer| employer.name));
    text_if(json, "city", found.city);
    text_if(json, "country", found.country);
    json.number_if("warmness", found.warmness);
    json.array_field("sources", found.sources.iter().take(2), |json, source| {
        json.object(|json| {
            json.text("type", source.kind.name());
            text(json, "name", source.name);
        });
    });
}
