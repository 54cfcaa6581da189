//! `GET /api/v1/search/companies`.

use axum::extract::RawQuery;

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::fields::write_company;
use crate::api::json::Json;
use crate::api::params::Params;
use crate::limits::{PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX};
use crate::model::dataset::NO_COUNT;
use crate::query::company_search::search;
use crate::query::page::Page;

/// Answers `searchCompanies`.
///
/// # Errors
/// 400 for parameters that cannot be taken.
pub async fn search_companies(caller: Caller, RawQuery(query): RawQuery) -> Result<Json, ApiError> {
    let params = Params::parse(query.as_deref().unwrap_or(""));
    params.check()?;
    let folded = params.folded("q")?;
    let number = params.whole("page", 1..=u64::MAX)?.unwrap_or(1);
    let limit = params.whole("limit", 1..=u64::from(PAGE_LIMIT_MAX))?;
    let limit = limit.unwrap_or(u64::from(PAGE_LIMIT_DEFAULT));
    let page = Page { limit: limit as u32, offset: (number - 1).saturating_mul(limit) };
    let index = caller.index();
    let (companies, total) = search(index, &folded, page);
    let mut json = Json::with_capacity(256 + 256 * companies.len());
    json.object(|json| {
        json.array_field("data", companies, |json, company| {
            json.object(|json| {
                write_company(json, index, company);
                let (row, known) = (company.0 as usize, |&count: &u64| count != NO_COUNT);
                json.number_if("minSize", Some(index.companies.min_sizes[row]).filter(known));
                json.number_if("maxSize", Some(index.companies.max_sizes[row]).filter(known));
                json.text_if("logoUrl", index.companies.logo_urls.value(company.0));
            });
        });
        json.number("totalCount", total);
        json.number("totalPages", total.div_ceil(limit));
        json.number("currentPage", number);
    });
    Ok(json)
}
