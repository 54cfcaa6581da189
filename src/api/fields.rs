//! Fields that several answers write alike: people, companies, breakdowns, pages.

use crate::api::json::Json;
use crate::query::card::{CompanyCard, PersonCard};
use crate::query::leg::EvidenceEntry;
use crate::query::page::Page;
use crate::query::paths::found::{Alternative, FoundMatch};
use crate::query::paths::target::MatchedBy;
use crate::query::person::IntroAnnotation;
use crate::search::understood::{SearchCounts, TermMatch, Understood};

/// `id` and `name`.
pub fn write_identity(json: &mut Json, person: &PersonCard<'_>) {
    json.text("id", person.id);
    json.text("name", person.name);
}

/// `position`, and the current company's name under `company_key`.
pub fn write_occupation(json: &mut Json, person: &PersonCard<'_>, company_key: &str) {
    json.text_if("position", person.position);
    json.text_if(company_key, person.company);
}

/// `linkedinId`.
pub fn write_handle(json: &mut Json, person: &PersonCard<'_>) {
    json.text_if("linkedinId", person.handle);
}

/// `id`, `name`, `linkedinId`, `position`, and the current company's name under `company_key`.
pub fn write_card(json: &mut Json, person: &PersonCard<'_>, company_key: &str) {
    write_identity(json, person);
    write_handle(json, person);
    write_occupation(json, person, company_key);
}

/// The four fields of an intro request, if there is one.
pub fn write_annotation(json: &mut Json, intro: Option<&IntroAnnotation<'_>>) {
    if let Some(intro) = intro {
        json.boolean("introRequested", true);
        json.text("introStatus", intro.status);
        json.text("introRequestedBy", intro.requested_by);
        json.text("introRequestedAt", &intro.requested_at.to_rfc3339_ms());
    }
}

/// `id`, `name`, `companyId`, `industry` and `headquartersLocation`.
pub fn write_company(json: &mut Json, company: &CompanyCard<'_>) {
    json.text("id", company.id);
    json.text("name", company.name);
    json.text_if("companyId", company.handle);
    json.text_if("industry", company.industry);
    json.text_if("headquartersLocation", company.headquarters);
}

/// The sentences of a breakdown, if there are any.
pub fn write_signals(json: &mut Json, key: &str, signals: &[String]) {
    if !signals.is_empty() {
        json.array_field(key, signals, |json, signal| json.text_element(signal));
    }
}

/// Writes the evidence of an edge, if there is any.
pub fn write_evidence(json: &mut Json, key: &str, evidence: &[EvidenceEntry<'_>]) {
    if !evidence.is_empty() {
        json.array_field(key, evidence, |json, entry| {
            json.object(|json| {
                json.text("kind", entry.kind);
                json.text("at", &entry.at.to_rfc3339_ms());
                json.text_if("source", entry.source);
                json.text_if("note", entry.note);
            });
        });
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

/// Writes how a target was found, and who else it may have been.
pub fn write_match(json: &mut Json, matched: &FoundMatch<'_>) {
    json.text_if("by", matched.by.map(MatchedBy::name));
    json.array_field("alternatives", &matched.alternatives, |json, alternative| {
        json.object(|json| match alternative {
            Alternative::Person(person) => write_card(json, person, "company"),
            Alternative::Company(company) => write_company(json, company),
        });
    });
    json.number("others", matched.others);
}

/// `understood`, `ignored` and `counts` of a network search.
pub fn write_understood(json: &mut Json, understood: &Understood<'_>) {
    json.array_field("understood", &understood.terms, |json, term| {
        json.object(|json| {
            json.text("term", &term.term);
            json.text("kind", term.kind.name());
            json.boolean("negated", term.negated);
            json.boolean("past", term.past);
            json.text_if("readAs", term.read_as.as_deref());
            if !term.widened_to.is_empty() {
                json.array_field("widenedTo", &term.widened_to, |json, text| json.text_element(text));
            }
            json.number("people", term.people);
        });
    });
    json.array_field("ignored", &understood.ignored, |json, word| json.text_element(word));
    write_counts(json, understood.counts);
}

/// `counts` of a network search.
pub fn write_counts(json: &mut Json, counts: SearchCounts) {
    json.object_field("counts", |json| {
        json.number("every", counts.every);
        json.number("most", counts.most);
        json.number("any", counts.any);
    });
}

/// A term that a person fits, and by what; its text is shown as `text`.
pub fn write_matched(json: &mut Json, matched: &TermMatch<'_>, text: &str) {
    json.number("term", matched.term as u64);
    json.text("field", matched.field.name());
    json.text("text", text);
    json.text("how", matched.how.name());
}
