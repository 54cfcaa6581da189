//! `GET /api/v1/search/companies`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::api::again;
use crate::api::caller::Admitted;
use crate::api::error::ApiError;
use crate::api::fields::Company;
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::schema::{COUNT, Shape, Text, schema};
use crate::api::state::ApiState;
use crate::live::answers::WrittenAnswer;
use crate::query::company_search::{self, find};
use crate::query::page::Page;

/// The parameters that `searchCompanies` takes.
pub const PARAMETERS: [&str; 3] = ["q", "page", "limit"];

/// Answers `searchCompanies`.
///
/// # Errors
/// Returns 400 for invalid parameters.
pub async fn search_companies(
    State(state): State<Arc<ApiState>>,
    caller: Admitted,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    params.check(&PARAMETERS)?;
    let plain = params.plain("q")?;
    let number = params.whole("page", 1..=u64::MAX)?.unwrap_or(1);
    let limit = params.limit()?;
    let page = Page { limit, offset: (number - 1).saturating_mul(limit.into()) };
    again::answer(&caller, "searchCompanies", address.query(), &state.limits, || {
        let (companies, total) = find(caller.index(), &plain, page);
        let bytes = 256 + 256 * companies.len();
        Ok(Json::of_object(bytes, |json| CompaniesAnswer::write(json, (&companies, total, number, limit))))
    })
}

schema! {
    CompaniesAnswer((companies, total, number, limit): (&[company_search::CompanyMatch<'_>], u64, u64, u32))
    "Companies that match." {
        "data": [{CompanyMatch}] => companies, "The companies of this page.";
        "totalCount": COUNT => total, "How many companies there are on all pages.";
        "totalPages": COUNT => total.div_ceil(limit.into()), "How many pages there are.";
        "currentPage": (Shape::Whole(1, None)) => number, "The page that was applied.";
    }

    CompanyMatch(found: &company_search::CompanyMatch<'_>) "A company that matches." {
        ..Company => &found.company;
        "minSize"?: COUNT => found.min_size, "The fewest people who work there.";
        "maxSize"?: COUNT => found.max_size, "The most people who work there.";
        "logoUrl"?: (Shape::Text(Text { least: 1, ..Text::default() })) => found.logo_url, "The address of its logo.";
    }
}
