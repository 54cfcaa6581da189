//! `list_my_network`: answers like `listConnections` and `listSecondDegreeConnections`.

use crate::admission::class::Class;
use crate::api::error::ApiError;
use crate::api::json::Day;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::cursor::List;
use crate::mcp::lean::{object_within, text};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{LIMIT_DEFAULT, write_card, write_end};
use crate::model::ix::MemberIx;
use crate::query::connections::{list, list_second_degree};
use crate::query::page::Page;
use crate::query::person::Degree;
use crate::query::quiet::{QUIET_DAYS, quiet_ties};

/// The value of `degree` for strong ties that went quiet.
pub(crate) const QUIET: &str = "quiet";

/// Answers `list_my_network`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let member = asker.own_member(tool.name)?;
    let _permit = asker.permit(Class::Short).await?;
    let pages = asker.list(&(tool.name, asked, member.0));
    let offset = asked.cursor().map_or(Ok(0), |cursor| pages.offset(cursor))?;
    let params = asked.params(&[], asked.limit(LIMIT_DEFAULT), offset);
    let named = |error| asked.named(error, tool, &[]);
    let page = params.page().map_err(named)?;
    let via = params.id("viaConnectorId").map_err(named)?;
    let degree = asked.text("degree");
    if degree != Some(Degree::Second.name()) {
        if let Some(via) = via {
            return Err(ApiError::invalid("via_person", via, "it only beside degree second").into());
        }
        if degree == Some(QUIET) {
            return Ok(quiet(asker, member, (pages, page)));
        }
        let (people, total) = list(asker.index(), member, page);
        return Ok(object_within(
            "people",
            &people,
            |_| {},
            write_card,
            |json, count| {
                write_end(json, pages, page, (count, total), None);
            },
        ));
    }
    let found = list_second_degree(asker.index(), member, via, page, asker.limits());
    let found = found.ok_or(Refused::Unseen)?;
    let cut = found.capped.then_some("contacts or connections");
    if found.capped {
        asker.count_capped();
    }
    Ok(object_within(
        "people",
        &found.people,
        |_| {},
        |json, reached| {
            write_card(json, &reached.person);
            json.field_if("warmness", reached.warmness);
            json.object_field("via", |json| {
                json.field("id", reached.via.id);
                text(json, "name", reached.via.name);
            });
        },
        |json, count| write_end(json, pages, page, (count, found.total), cut),
    ))
}

/// The strong ties of `member` that went quiet.
fn quiet(asker: &Asker, member: MemberIx, (pages, page): (List, Page)) -> Vec<u8> {
    let ties = quiet_ties(asker.index(), Some(member), QUIET_DAYS);
    let from = ties.len().min(usize::try_from(page.offset).unwrap_or(usize::MAX));
    let shown: Vec<_> = ties[from..].iter().take(page.limit as usize).collect();
    object_within(
        "people",
        &shown,
        |_| {},
        |json, tie| {
            write_card(json, &tie.person);
            json.field("warmness", tie.warmness);
            json.field("last_contact", Day(tie.last));
        },
        |json, count| write_end(json, pages, page, (count, ties.len() as u64), None),
    )
}
