//! `GET /api/v1/search/companies`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::api::again;
use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::write_company;
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::state::ApiState;
use crate::live::answers::WrittenAnswer;
use crate::query::company_search::{CompanyMatch, find};
use crate::query::page::Page;

/// The parameters that `searchCompanies` takes.
pub const PARAMETERS: [&str; 3] = ["q", "page", "limit"];

/// Answers `searchCompanies`.
///
/// # Errors
/// Returns 400 for parameters that cannot be taken.
pub async fn search_companies(
    State(state): State<Arc<ApiState>>,
    caller: Admitted,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    params.check(&PARAMETERS)?;
    let folded = params.folded("q")?;
    let number = params.whole("page", 1..=u64::MAX)?.unwrap_or(1);
    let limit = params.limit()?;
    let page = Page { limit, offset: (number - 1).saturating_mul(limit.into()) };
    again::answer(&caller, "searchCompanies", address.query(), &state.limits, || {
        let (companies, total) = find(caller.index(), &folded, page);
        let mut json = Json::with_capacity(256 + 256 * companies.len());
        json.object(|json| {
            json.array_field("data", &companies, |json, found| json.object(|json| write_match(json, found)));
            json.number("totalCount", total);
            json.number("totalPages", total.div_ceil(limit.into()));
            json.number("currentPage", number);
        });
        Ok(json)
    })
}

fn write_match(json: &mut Json, found: &CompanyMatch<'_>) {
    write_company(json, &found.company);
    json.number_if("minSize", found.min_size);
    json.number_if("maxSize", found.max_size);
    json.text_if("logoUrl", found.logo_url);
}
