//! `list_opportunities`: answers like `listGhostOpportunities`.

use crate::admission::class::Class;
use crate::api::endpoints::opportunities::read_request;
use crate::api::json::{Json, Raw};
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, text, text_if};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{LIMIT_DEFAULT, write_card, write_end};
use crate::query::opportunities::{Opportunity, list};

/// Answers `list_opportunities`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let _permit = asker.permit(Class::Short).await?;
    let pages = asker.list(&(tool.name, asked));
    let offset = asked.cursor().map_or(Ok(0), |cursor| pages.offset(cursor))?;
    let params = asked.params(&[], asked.limit(LIMIT_DEFAULT), offset);
    let request = read_request(asker.member(), &params).map_err(|error| asked.named(error, tool, &[]))?;
    let (rows, total) = list(asker.index(), &request);
    Ok(object_within(
        "opportunities",
        &rows,
        |_| {},
        write_opportunity,
        |json, count| {
            write_end(json, pages, request.page, (count, total), None);
        },
    ))
}

fn write_opportunity(json: &mut Json, row: &Opportunity<'_>) {
    json.field("id", row.id);
    json.object_field("prospect", |json| write_card(json, &row.prospect));
    json.field("score", Raw(row.overall_score));
    text_if(json, "priority", row.priority);
    json.field("status", row.status.name());
    json.field("intro_requested", row.intro_requested);
    json.field("discovered_at", &row.discovered_at.to_rfc3339_ms());
    text(json, "discovered_by", row.discovered_by.name);
    if let Some(path) = &row.best_path {
        json.object_field("best_path", |json| {
            json.field("id", path.connector.id);
            text(json, "name", path.connector.name);
            text_if(json, "type", path.kind);
            json.field("strength", Raw(path.strength));
        });
    }
}
