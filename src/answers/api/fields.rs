//! Objects and rows shared by several answers: people, companies, breakdowns, pages.

use crate::api::json::{Day, Raw};
use crate::api::schema::{
    COMPANY_ID, COUNT, DAY, MOMENT, Others, PERSON_ID, SCORE, Schema, Shape, TEXT, USER_ID, often, schema,
};
use crate::query::card::{self, CompanyCard, MemberCard, PersonCard};
use crate::query::evidence::EvidenceEntry;
use crate::query::page::Page;
use crate::query::person::{self, Degree, IntroAnnotation, WarmestEdge};
use kith::limits::PAGE_LIMIT_MAX;

/// The schema of a score's breakdown.
pub(crate) const BREAKDOWN: Shape = Shape::Schema("Breakdown");
/// The schema of an object as it was imported.
pub(crate) const FREE: Shape = Shape::Schema("FreeForm");
/// The description of a breakdown's sentences.
pub(crate) const SIGNALS: &str = "What the breakdown says, in sentences, the warmest factor first.";
/// The description of an edge's evidence.
pub(crate) const EVIDENCE: &str =
    "What the score rests on, the newest first, at most ten entries; with `include=evidence`.";
/// The number of entries on a page.
const PAGE_ENTRIES: Option<u64> = Some(PAGE_LIMIT_MAX as u64);

/// The schema of breakdowns, which are written as imported.
pub(crate) fn breakdown() -> Schema {
    let text = "What a score is made of: a number for each factor. Known factors are `currentCompanyMatch`, \
                `pastCompanyOverlap`, `sharedAccelerator`, `sameCity` and `industryTypeMatch`; there may be others.";
    let company = often("pastCompanyName", TEXT, "Where the two worked at the same time.");
    Schema { name: "Breakdown", text, fields: vec![company], others: Others::Numbers }
}

/// The schema of other objects that are written as imported.
pub(crate) fn free_form() -> Schema {
    let text = "Anything, as the agent wrote it. Names may be added over time.";
    Schema { name: "FreeForm", text, fields: Vec::new(), others: Others::Anything }
}

/// A list, or `None` if it is empty.
pub(crate) fn filled<T>(list: &[T]) -> Option<&[T]> {
    (!list.is_empty()).then_some(list)
}

schema! {
    Identity(person: &PersonCard<'_>) {
        "id": PERSON_ID => person.id, "The person's id.";
        "name": TEXT => person.name, "The person's name.";
    }

    Handle(person: &PersonCard<'_>) {
        "linkedinId"?: TEXT => person.handle, "The handle on the professional network.";
    }

    Position(person: &PersonCard<'_>) {
        "position"?: TEXT => person.position, "What the person does at work.";
    }

    Occupation(person: &PersonCard<'_>) {
        ..Position => person;
        "company"?: TEXT => person.company, "The name of the current company.";
    }

    Card(person: &PersonCard<'_>) {
        ..Identity => person;
        ..Handle => person;
        ..Occupation => person;
    }

    CurrentOccupation(person: &PersonCard<'_>) {
        ..Position => person;
        "currentCompany"?: TEXT => person.company, "The name of the current company.";
    }

    PersonAtWork(person: &PersonCard<'_>) {
        ..Identity => person;
        ..Handle => person;
        ..CurrentOccupation => person;
    }

    City(city: Option<&str>) {
        "city"?: TEXT => city, "Where the person lives.";
    }

    Country(country: Option<&str>) {
        "country"?: TEXT => country, "The country the person lives in.";
    }

    Warmest(edge: Option<WarmestEdge<'_>>) {
        "warmness"?: SCORE => edge.map(|edge| edge.score), "The score of the warmest acquaintance.";
        "warmnessBreakdown"?: BREAKDOWN => edge.and_then(|edge| edge.breakdown).map(Raw), "What the score is made of.";
    }

    DegreeOf(degree: Degree) {
        "degree": (Shape::choice(Degree::ALL.map(Degree::name))) => degree.name(),
            "`first` where a member knows the person, `second` otherwise.";
    }

    IntroState(status: Option<&str>) {
        "introRequested"?: (Shape::True) => status.map(|_| true),
            "Only where the organization has asked for an introduction.";
        "introStatus"?: TEXT => status, "What became of that request, such as `ACTIVE`.";
    }

    Intro(intro: Option<&IntroAnnotation<'_>>) {
        ..IntroState => intro.map(|intro| intro.status);
        "introRequestedBy"?: TEXT => intro.map(|intro| intro.requested_by), "The name of the member who asked.";
        "introRequestedAt"?: MOMENT => intro.map(|intro| intro.requested_at), "When they asked.";
    }

    Company(company: &CompanyCard<'_>) "The company whose people paths lead to." {
        "id": COMPANY_ID => company.id, "The company's id.";
        "name": TEXT => company.name, "The company's name.";
        "companyId"?: TEXT => company.handle, "The company's handle.";
        "industry"?: TEXT => company.industry, "What it works in.";
        "headquartersLocation"?: TEXT => company.headquarters, "Where its headquarters are.";
    }

    Employer(employer: card::Employer<'_>) "A current company." {
        "id": COMPANY_ID => employer.id, "The company's id.";
        "name": TEXT => employer.name, "The company's name.";
        "industry"?: TEXT => employer.industry, "What it works in.";
    }

    Discoverer(member: &MemberCard<'_>) "A member." {
        "id": USER_ID => member.id, "The member's user id.";
        "name": TEXT => member.name, "The member's name.";
    }

    TiesOf(ties: Option<&[person::MemberTie<'_>]>) {
        "ties"?: [{Tie}] => ties, "The members who know the person, warmest first; with `include=ties`.";
    }

    Tie(tie: &person::MemberTie<'_>) "A member who knows a person." {
        "userId": USER_ID => tie.member.id, "The member's user id.";
        "name": TEXT => tie.member.name, "The member's name.";
        "warmness"?: SCORE => tie.warmness, "How well they know the person.";
        "since"?: DAY => tie.between.map(|(first, _)| Day(first)), "The day of the oldest evidence of it.";
        "lastContact"?: DAY => tie.between.map(|(_, last)| Day(last)), "The day of the newest.";
    }

    Evidence(entry: &EvidenceEntry<'_>) "Something that the score of an edge rests on." {
        "kind": TEXT => entry.kind, "What happened.";
        "at": MOMENT => entry.at, "When.";
        "source"?: TEXT => entry.source, "Where it was found.";
        "note"?: TEXT => entry.note, "More about it, at most 500 characters.";
    }

    AskedPage(page: Option<(Page, u64, usize)>) {
        "totalCount"?: COUNT => page.map(|(_, total, _)| total), "How many entries there are on all pages.";
        "returnedCount"?: (Shape::Whole(0, PAGE_ENTRIES)) => page.map(|(_, _, returned)| returned),
            "How many are on this one.";
        "limit"?: (Shape::Whole(1, PAGE_ENTRIES)) => page.map(|(page, ..)| page.limit), "The limit that was applied.";
        "offset"?: COUNT => page.map(|(page, ..)| page.offset), "The offset that was applied.";
        "hasMore"?: (Shape::Boolean) => page.map(|(page, total, _)| page.has_more(total)),
            "Whether there is a further page.";
        "nextOffset"?: COUNT => page.filter(|(page, total, _)| page.has_more(*total)).map(|(page, ..)| page.end()),
            "The offset of the next page; only where there is one.";
    }

    Envelope((page, total, returned): (Page, u64, usize)) {
        "totalCount": COUNT => total, "How many entries there are on all pages.";
        "returnedCount": (Shape::Whole(0, PAGE_ENTRIES)) => returned, "How many are on this one.";
        "limit": (Shape::Whole(1, PAGE_ENTRIES)) => page.limit, "The limit that was applied.";
        "offset": COUNT => page.offset, "The offset that was applied.";
        "hasMore": (Shape::Boolean) => page.has_more(total), "Whether there is a further page.";
        "nextOffset"?: COUNT => page.has_more(total).then_some(page.end()),
            "The offset of the next page; only where there is one.";
    }
}
