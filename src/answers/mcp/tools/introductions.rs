//! `find_introductions`: answers like `searchWarmPaths`, for one target or for many.

use crate::admission::class::Class;
use crate::api::endpoints::warm_paths::read_request;
use crate::api::json::Json;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, text, texts};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{
    LIMIT_DEFAULT, scope, write_card, write_company, write_doubt, write_end, write_intro,
};
use crate::mcp::tools::many;
use crate::query::paths;
use crate::query::paths::answer::PathCoverage;
use crate::query::paths::found::{Alternative, FoundNear, FoundPath, FoundTarget, PathPage};
use crate::query::paths::request::PathType;
use crate::query::paths::target::MatchedBy;

/// Maximum reasons of a score.
const REASONS_MAX: usize = 2;
/// The ways to name targets; a call must use exactly one.
const WAYS: [&str; 3] = ["person", "company", "targets"];

/// Answers `find_introductions`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    if asked.is_true("only_me") {
        asker.own_member("only_me")?;
    }
    match asked.exactly_one(&WAYS)? {
        "targets" => many::answer(tool, asker, asked).await,
        way => one(tool, asker, asked, way).await,
    }
}

async fn one(tool: &Tool, asker: &Asker, asked: &Arguments, way: &str) -> Result<Vec<u8>, Refused> {
    let _permit = asker.permit(Class::Short).await?;
    let index = asker.index();
    let who = asked.text(way).unwrap_or("");
    let list = asker.list(&(tool.name, asked, asker.member().map(|member| member.0)));
    let offset = asked.cursor().map_or(Ok(0), |cursor| list.offset(cursor))?;
    let named_by = match (way, asked.text("at")) {
        ("person", None) => "prospect",
        ("person", Some(_)) => "prospectName",
        _ if who.starts_with("company_") => "prospectId",
        _ => "prospectCompany",
    };
    let more = [(named_by, Some(who)), ("scope", scope(asked)), ("include", Some("match,reasons,near"))];
    let params = asked.params(&more, asked.limit(LIMIT_DEFAULT), offset);
    let request = read_request(index, asker.member(), &params, false);
    let request =
        request.map_err(|error| asked.named(error, tool, &[(named_by, way), ("prospectName", "person")]))?;
    let found = asker.past().page(index, &paths::find(index, &request, asker.limits()));
    asker.looks_at(tool.name, found.person_id());
    if found.coverage.is_capped() {
        asker.count_capped();
    }
    Ok(object_within(
        "introductions",
        &found.paths,
        |json| write_head(json, &found),
        write_path,
        |json, count| {
            write_end(json, list, request.page, (count, found.total), cut(&found.coverage));
        },
    ))
}

/// Returns the sentence on what a bound left out.
fn cut(coverage: &PathCoverage) -> Option<&'static str> {
    match (coverage.candidates_capped, coverage.second_degree_capped) {
        (true, _) => Some("employees"),
        (false, true) => Some("second-degree paths"),
        (false, false) => None,
    }
}

fn write_head(json: &mut Json, found: &PathPage<'_>) {
    json.field("found", found.target.is_some());
    match &found.target {
        None => {}
        Some(FoundTarget::Person { person, intro }) => json.object_field("person", |json| {
            write_card(json, person);
            write_intro(json, intro.as_ref());
        }),
        Some(FoundTarget::Company(company)) => {
            json.object_field("company", |json| write_company(json, company));
        }
    }
    if let Some(matched) = &found.matched {
        json.field_if("matched_by", matched.by.map(MatchedBy::name));
        write_doubt(json, &matched.doubt);
        if matched.others > 0 {
            json.field("others", matched.others);
            json.array_field("candidates", &matched.alternatives, |json, other| {
                json.object(|json| match other {
                    Alternative::Person(person) => write_card(json, person),
                    Alternative::Company(company) => {
                        json.field("id", company.id);
                        text(json, "name", company.name);
                    }
                });
            });
        }
    }
    let reasons = found.reasons.as_deref().unwrap_or_default();
    if !reasons.is_empty() {
        json.array_field("reasons", reasons, |json, reason| {
            json.object(|json| {
                json.field("code", reason.reason.code());
                json.field("message", &in_own_names(&reason.message));
            });
        });
    }
    if let Some(near) = &found.near {
        json.object_field("near", |json| write_near(json, near));
    }
    if found.coverage.excluded_intro_requested > 0 {
        json.field("withheld", found.coverage.excluded_intro_requested);
    }
}

/// The people and paths nearest to a target that was not found or has no path.
fn write_near(json: &mut Json, near: &FoundNear<'_>) {
    if !near.people.is_empty() {
        json.array_field("people", &near.people, |json, person| json.object(|json| write_card(json, person)));
    }
    if let Some(company) = &near.company {
        json.object_field("company", |json| {
            json.field("id", company.id);
            text(json, "name", company.name);
        });
    }
    if !near.paths.is_empty() {
        json.array_field("introductions", &near.paths, |json, path| {
            json.object(|json| write_path(json, path))
        });
    }
}

/// Rewrites a sentence of the API with the parameter names used here.
fn in_own_names(sentence: &str) -> String {
    [
        ("scope and fromUserIds", "only_me and from_members"),
        ("includeIntroRequested=true", "include_requested"),
        ("connectionTypes", "types"),
    ]
    .iter()
    .fold(sentence.to_owned(), |sentence, (api, own)| sentence.replace(api, own))
}

fn write_path(json: &mut Json, path: &FoundPath<'_>) {
    json.field("type", path.kind.name());
    json.field("warmness", path.warmness);
    json.object_field("ask", |json| {
        json.field("id", path.from.id);
        text(json, "name", path.from.name);
    });
    if path.kind != PathType::Direct {
        json.object_field("connector", |json| write_card(json, &path.connector));
    }
    if let Some(via) = &path.via {
        json.object_field("via", |json| write_card(json, &via.person));
    }
    if let Some(target) = &path.target {
        json.object_field("target", |json| write_card(json, target));
    }
    if let Some(first) = &path.first_leg {
        texts(json, "why_connector", first.signals.sentences(), REASONS_MAX);
    }
    texts(json, "why_target", path.last_leg.signals.sentences(), REASONS_MAX);
    if path.is_derived() {
        json.field("derived", true);
    }
}
