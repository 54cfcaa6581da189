//! Fields that several answers write alike: people, companies, breakdowns, pages.

use crate::api::json::Json;
use crate::graph::index::GraphIndex;
use crate::model::dataset::{CompanyIx, MemberIx, PersonIx};
use crate::query::intro::IntroAnnotation;
use crate::query::page::Page;
use crate::query::signals::signals;

/// `id` and `name`.
pub fn write_identity(json: &mut Json, index: &GraphIndex, person: PersonIx) {
    json.text("id", index.people.ids.get(person.0));
    json.text("name", index.people.names.get(person.0));
}

/// `position`, and the current company's name under `company_key`.
pub fn write_occupation(json: &mut Json, index: &GraphIndex, person: PersonIx, company_key: &str) {
    json.text_if("position", index.people.positions.value(person.0));
    if let Some(company) = index.people.company(person) {
        json.text(company_key, index.companies.names.get(company.0));
    }
}

/// `linkedinId`.
pub fn write_handle(json: &mut Json, index: &GraphIndex, person: PersonIx) {
    json.text_if("linkedinId", index.people.handles.value(person.0));
}

/// The four fields of an intro request, where there is one.
pub fn write_annotation(json: &mut Json, index: &GraphIndex, annotation: Option<IntroAnnotation<'_>>) {
    let Some(intro) = annotation else {
        return;
    };
    json.boolean("introRequested", true);
    json.text("introStatus", intro.status);
    json.text("introRequestedBy", member_name(index, intro.requested_by));
    json.text("introRequestedAt", &intro.requested_at.to_rfc3339_ms());
}

/// A member's name.
#[must_use]
pub fn member_name(index: &GraphIndex, member: MemberIx) -> &str {
    index.people.names.get(index.members.person(member).0)
}

/// `id`, `name`, `companyId`, `industry` and `headquartersLocation`.
pub fn write_company(json: &mut Json, index: &GraphIndex, company: CompanyIx) {
    let CompanyIx(row) = company;
    json.text("id", index.companies.ids.get(row));
    json.text("name", index.companies.names.get(row));
    json.text_if("companyId", index.companies.handles.value(row));
    json.text_if("industry", index.companies.industries.value(row));
    json.text_if("headquartersLocation", index.companies.headquarters.value(row));
}

/// A breakdown, where anything is known.
pub fn write_breakdown(json: &mut Json, key: &str, breakdown: &str) {
    if !breakdown.is_empty() {
        json.raw(key, breakdown);
    }
}

/// The sentences of a breakdown, where there are any.
pub fn write_signals(json: &mut Json, key: &str, breakdown: &str) {
    let signals = signals(breakdown);
    if !signals.is_empty() {
        json.array_field(key, &signals, |json, signal| json.text_element(signal));
    }
}

/// The fields of the paged list envelope, for a page with `returned` of `total` entries.
pub fn write_page(json: &mut Json, page: Page, total: u64, returned: usize) {
    json.number("totalCount", total);
    json.number("returnedCount", returned as u64);
    json.number("limit", page.limit);
    json.number("offset", page.offset);
    json.boolean("hasMore", page.has_more(total));
    json.number_if("nextOffset", page.has_more(total).then_some(page.end()));
}
