//! `record_ask`, `report_outcome` and `list_asks`: like the API's list of asks and the page's writes.

use kith::asks::event::EventKind;
use kith::asks::overlay::FoundAsk;
use serde_json::Value;

use crate::admission::class::Class;
use crate::api::asking::{AskWords, AskWriter, HowWritten, write_answer};
use crate::api::endpoints::asks::{Ask, AskFilter, AskRow, AskStates, list};
use crate::api::error::ApiError;
use crate::api::json::{Json, Raw};
use crate::ask_file::store::AskStore;
use crate::ask_file::writing::WrittenAsk;
use crate::clock;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::{object_within, plain};
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{LIMIT_DEFAULT, write_end};
use crate::query::page::Page;

/// Answers `record_ask`.
pub(super) async fn record(asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let words = AskWords {
        target: asked.text("target").unwrap_or("").to_owned(),
        connector: asked.text("connector").map(str::to_owned),
        via_advocate: asked.text("via_advocate").map(str::to_owned),
        overrides: asked.is_true("override"),
    };
    let how = how_written(asked);
    write(asker, move |writer, store| writer.record(store, &words, &how, clock::wall_time())).await
}

/// Answers `report_outcome`.
pub(super) async fn report(asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let ask = asked.text("ask").unwrap_or("").to_owned();
    let kind = asked.text("outcome").and_then(EventKind::named).ok_or(ApiError::Internal)?;
    let how = how_written(asked);
    write(asker, move |writer, store| writer.report(store, &ask, kind, &how, clock::wall_time())).await
}

/// Answers `list_asks`.
pub(super) async fn listed(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    if asked.is_true("mine") {
        asker.own_member("mine")?;
    }
    let _permit = asker.permit(Class::Short).await?;
    let (overlay, _) = asker.asks()?;
    let filter = AskFilter {
        listed: asked
            .text("state")
            .and_then(|text| AskStates::ALL.into_iter().find(|one| one.name() == text)),
        connector: asked.text("connector"),
        person: asked.text("person"),
        asker: asker.member().filter(|_| asked.is_true("mine")),
    };
    let all = list(&overlay, &filter);
    let pages = asker.list(&(tool.name, asked, asker.member().map(|member| member.0)));
    let offset = asked.cursor().map_or(Ok(0), |cursor| pages.offset(cursor))?;
    let page = Page { limit: asked.limit(LIMIT_DEFAULT), offset };
    let from = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
    let rows: Vec<&FoundAsk> = all[from..].iter().take(page.limit as usize).copied().collect();
    let total = all.len() as u64;
    Ok(object_within(
        "asks",
        &rows,
        |_| {},
        |json, found| {
            let row = Json::of_object(512, |json| Ask::write(json, AskRow::of(&overlay, found)));
            write_plain(json, row);
        },
        |json, count| write_end(json, pages, page, (count, total), None),
    ))
}

fn how_written(asked: &Arguments) -> HowWritten {
    HowWritten {
        note: asked.text("note").map(str::to_owned),
        key: asked.text("key").map(str::to_owned),
        is_dry_run: asked.is_true("dry_run"),
        at: None,
    }
}

/// Does `work` on behalf of the calling member, on a thread that may block.
async fn write(
    asker: &Asker,
    work: impl FnOnce(&AskWriter<'_>, &AskStore) -> Result<WrittenAsk, ApiError> + Send + 'static,
) -> Result<Vec<u8>, Refused> {
    let member = asker.may_write()?;
    let _permit = asker.permit(Class::Short).await?;
    let (overlay, service) = asker.asks()?;
    let limits = *asker.limits();
    let writing = tokio::task::spawn_blocking(move || {
        let writer = AskWriter { overlay: &overlay, member, limits: &limits };
        let written = work(&writer, &service.store)?;
        Ok(Json::of_object(128, |json| write_plain(json, write_answer(&overlay, &written))).into_bytes())
    });
    writing.await.map_err(|_| ApiError::Internal)?.map_err(|error: ApiError| error.into())
}

/// Writes the fields of the object `row`, with texts made safe for agents.
fn write_plain(json: &mut Json, row: Json) {
    let read: Value = serde_json::from_slice(&row.into_bytes()).unwrap_or_default();
    let Value::Object(fields) = read else { return };
    for (name, value) in &fields {
        json.field(name, Raw(&as_seen(value).to_string()));
    }
}

fn as_seen(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(plain(text)),
        Value::Array(items) => items.iter().map(as_seen).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), as_seen(value))).collect())
        }
        other => other.clone(),
    }
}
