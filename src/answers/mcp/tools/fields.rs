//! Fields shared by several tools.

use crate::api::json::Json;
use crate::mcp::arguments::Arguments;
use crate::mcp::cursor::List;
use crate::mcp::lean::{text, text_if, texts};
use crate::query::card::{CompanyCard, PersonCard};
use crate::query::page::Page;
use crate::query::paths::request::Scope;
use crate::query::paths::written::Doubt;
use crate::query::person::IntroAnnotation;

/// Entries of an answer if the agent gives no `limit`.
pub(super) const LIMIT_DEFAULT: u32 = 10;

/// `id`, `name`, `position` and `company`.
pub(super) fn write_card(json: &mut Json, person: &PersonCard<'_>) {
    json.field("id", person.id);
    text(json, "name", person.name);
    text_if(json, "position", person.position);
    text_if(json, "company", person.company);
}

/// `id`, `name`, `industry` and `place`.
pub(super) fn write_company(json: &mut Json, company: &CompanyCard<'_>) {
    json.field("id", company.id);
    text(json, "name", company.name);
    text_if(json, "industry", company.industry);
    text_if(json, "place", company.headquarters);
}

/// `intro`, if an introduction was requested.
pub(super) fn write_intro(json: &mut Json, intro: Option<&IntroAnnotation<'_>>) {
    if let Some(intro) = intro {
        json.object_field("intro", |json| {
            text(json, "status", intro.status);
            text(json, "requested_by", intro.requested_by);
            json.field("requested_at", &intro.requested_at.to_rfc3339_ms());
        });
    }
}

/// The extent of a list of `total` entries with `count` listed, from `offset` on; `cut` says what a bound left out.
pub(super) fn write_end(
    json: &mut Json,
    list: List,
    page: Page,
    (count, total): (usize, u64),
    cut: Option<&str>,
) {
    let next = page.offset.saturating_add(count as u64);
    let goes_on = count > 0 && next < total;
    json.field("total", total);
    json.field("complete", page.offset == 0 && next >= total && cut.is_none());
    json.field_if("cut", cut);
    if goes_on {
        json.field("next_cursor", &list.cursor(next));
    }
}

/// The parts of a text that do not fit the target, if any.
pub(super) fn write_doubt(json: &mut Json, doubt: &[Doubt]) {
    let names: Vec<&str> = doubt.iter().map(|doubt| doubt.name()).collect();
    texts(json, "doubt", &names, names.len());
}

/// The requested scope of the API.
pub(super) fn scope(asked: &Arguments) -> Option<&'static str> {
    asked.is_true("only_me").then_some(Scope::Me.name())
}
