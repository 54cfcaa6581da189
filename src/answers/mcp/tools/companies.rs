//! `find_company`: answers like `searchCompanies`.

use crate::admission::class::Class;
use crate::api::json::Json;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::lean::object_within;
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::tools::fields::{LIMIT_DEFAULT, write_company, write_end};
use crate::query::company_search::{CompanyMatch, find};

/// Answers `find_company`.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    let _permit = asker.permit(Class::Short).await?;
    let list = asker.list(&(tool.name, asked));
    let offset = asked.cursor().map_or(Ok(0), |cursor| list.offset(cursor))?;
    let params = asked.params(&[], asked.limit(LIMIT_DEFAULT), offset);
    let named = |error| asked.named(error, tool, &[]);
    let (plain, page) = (params.plain("q").map_err(named)?, params.page().map_err(named)?);
    let (companies, total) = find(asker.index(), &plain, page);
    Ok(object_within(
        "companies",
        &companies,
        |_| {},
        write_match,
        |json, count| {
            write_end(json, list, page, (count, total), None);
        },
    ))
}

fn write_match(json: &mut Json, found: &CompanyMatch<'_>) {
    write_company(json, &found.company);
    json.field_if("min_size", found.min_size);
    json.field_if("max_size", found.max_size);
}
