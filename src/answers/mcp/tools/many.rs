//! `find_introductions` for many targets: answers like `searchWarmPathsBatch`, with just the best paths.

use crate::admission::class::Class;
use crate::api::endpoints::warm_paths::read_request;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Params;
use crate::limits::BATCH_PATHS_MAX;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, plain, text};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{scope, write_doubt};
use crate::query::paths;
use crate::query::paths::found::{FoundPath, FoundTarget, PathPage};
use crate::query::paths::from_set::FromSet;
use crate::query::paths::request::PathType;

/// Paths to each target if the agent gives no `limit`.
const PATHS_DEFAULT: u32 = 1;

struct TargetOutcome<'a> {
    asked: &'a str,
    found: Result<PathPage<'a>, ApiError>,
}

/// Answers for each of `targets`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let limit = check_each(asked.limit(PATHS_DEFAULT), BATCH_PATHS_MAX)?;
    let mut permit = asker.permit(Class::Long).await?;
    let index = asker.index();
    for alone in ["at", "position", "cursor"] {
        if let Some(sent) = asked.text(alone) {
            return Err(ApiError::invalid(alone, sent, "it not beside targets").into());
        }
    }
    let params = |name, who| {
        let sort = asked.text("sort").is_none().then_some("warmness");
        let fixed = [(name, Some(who)), ("scope", scope(asked)), ("include", Some("match")), ("sort", sort)];
        asked.params(&fixed, limit, 0)
    };
    // Faults of everything else are reported once, not per target.
    let common = params("prospectName", "anybody");
    let common = read_request(index, asker.member(), &common, false);
    let common = common.map_err(|error| asked.named(error, tool, &[]))?;
    let from = FromSet::new(index, common.from.as_deref());
    let targets = asked.texts("targets");
    let mut answered = Vec::with_capacity(targets.len());
    for (place, who) in targets.iter().enumerate() {
        if place > 0 {
            permit = asker.give_way(permit).await?;
        }
        let params: Params = params("prospect", who);
        let found = read_request(index, asker.member(), &params, false)
            .map(|request| PathPage::of(index, &paths::find_from(index, &from, &request, asker.limits())));
        let found = found.map_err(|error| match asked.named(error, tool, &[("prospect", "target")]) {
            Refused::Like(error) => error,
            Refused::Unseen | Refused::Changed => ApiError::NotFound,
        });
        if let Ok(found) = &found {
            asker.looks_at(tool.name, found.person_id());
            if found.coverage.is_capped() {
                asker.count_capped();
            }
        }
        answered.push(TargetOutcome { asked: who, found });
    }
    drop(permit);
    Ok(object_within(
        "results",
        &answered,
        |_| {},
        write_result,
        |json, count| {
            let left = answered.len() - count;
            json.field("total", answered.len() as u64);
            json.field("complete", left == 0);
            json.field_if("unanswered", Some(left as u64).filter(|&left| left > 0));
        },
    ))
}

fn write_result(json: &mut Json, answered: &TargetOutcome<'_>) {
    json.field("asked", &plain(answered.asked));
    let found = match &answered.found {
        Ok(found) => found,
        Err(error) => return json.field("error", &error.sentence()),
    };
    json.field("found", found.target.is_some());
    let (id, name) = match &found.target {
        None => return,
        Some(FoundTarget::Person { person, .. }) => (person.id, person.name),
        Some(FoundTarget::Company(company)) => (company.id, company.name),
    };
    json.field("id", id);
    text(json, "name", name);
    if let Some(matched) = &found.matched {
        write_doubt(json, &matched.doubt);
    }
    json.field("total", found.total);
    if found.coverage.is_capped() {
        json.field("capped", true);
    }
    json.array_field("best", &found.paths, |json, path| json.object(|json| write_best(json, path)));
}

fn write_best(json: &mut Json, path: &FoundPath<'_>) {
    json.field("type", path.kind.name());
    json.field("warmness", path.warmness);
    text(json, "ask", path.from.name);
    if path.kind != PathType::Direct {
        text(json, "connector", path.connector.name);
        json.field("connector_id", path.connector.id);
    }
    if let Some(target) = &path.target {
        text(json, "target", target.name);
    }
}

/// Refuses more paths than allowed per target.
fn check_each(limit: u32, most: u32) -> Result<u32, ApiError> {
    if limit > most {
        let expected = format!("a whole number from 1 to {most} with targets");
        return Err(ApiError::invalid("limit", &limit.to_string(), expected));
    }
    Ok(limit)
}
