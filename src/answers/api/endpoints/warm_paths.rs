//! `GET /api/v1/search/warm-paths`: parameters in, paths out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;

use crate::admission::class::Class;
use crate::api::again;
use crate::api::caller::early::EarlyCaller;
use crate::api::endpoints::asks::{AskLoad, AskedAbout, BrokenRule};
use crate::api::error::ApiError;
use crate::api::fields::{
    BREAKDOWN, Card, Company, EVIDENCE, Envelope, Evidence, Handle, Identity, Intro, Occupation, Position,
    SIGNALS, filled,
};
use crate::api::json::{IsCapped, Json, Raw};
use crate::api::params::Params;
use crate::api::schema::{COUNT, SCORE, Shape, TEXT, USER_ID, schema};
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::api::target::read_target;
use crate::api::written::finished;
use crate::ask_file::service::moment;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::graph::touched::Touched;
use crate::live::answers::WrittenAnswer;
use crate::model::ix::MemberIx;
use crate::query::card::{CompanyCard, PersonCard};
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::answer::PathCoverage;
use crate::query::paths::former::FoundReason;
use crate::query::paths::found::{
    self, FoundAdvocate, FoundMatch, FoundNear, FoundPath, FoundTarget, PathPage,
};
use crate::query::paths::marks::{PathMarks, TargetAsks};
use crate::query::paths::reasons::PathReason;
use crate::query::paths::request::{
    GroupBy, PathExtra, PathExtras, PathRequest, PathSort, PathType, PathTypes, Scope,
};
use crate::query::paths::target::MatchedBy;
use crate::query::paths::written::{self, Doubt};
use crate::query::person::IntroAnnotation;

/// The parameters that `searchWarmPaths` takes.
pub const PARAMETERS: [&str; 17] = [
    "prospectLinkedinId",
    "prospectName",
    "prospectCompany",
    "prospectId",
    "prospectEmail",
    "prospect",
    "prospectNameAt",
    "position",
    "limit",
    "offset",
    "includeIntroRequested",
    "scope",
    "fromUserIds",
    "connectionTypes",
    "sort",
    "groupBy",
    "include",
];
/// Approximate size of one path in an answer, in bytes.
pub(super) const PATH_BYTES: usize = 768;

/// Answers `searchWarmPaths`.
///
/// # Errors
/// 403 for a scope that an organization key may not use; 503 if the service is overloaded; 400 for invalid parameters.
pub async fn search_warm_paths(
    State(state): State<Arc<ApiState>>,
    caller: EarlyCaller,
    address: Uri,
    params: Params,
) -> Result<WrittenAnswer, ApiError> {
    let caller =
        caller.settled_unless(&state, |index, touched| is_untouched(index, touched, &params)).await?;
    if caller.member.is_none() && params.once("scope") == Ok(Some(Scope::Me.name())) {
        return Err(ApiError::ForbiddenScope("scope=me"));
    }
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let request = read_request(caller.index(), caller.member, &params, caller.asked().is_some())?;
    // Recent asks change with time, and look-ups must be logged, so such an answer is not kept.
    let has_asks = request.extras.contains(PathExtra::Asks);
    if has_asks || state.look_ups.is_some() {
        let found = paths::find(caller.index(), &request, &state.limits);
        let mut page = caller.network().search.past.page(caller.index(), &found);
        caller.looks_at(&state, "searchWarmPaths", page.person_id());
        if has_asks {
            caller.asks()?.mark(&mut page, &found, &state.ask_caps(), moment(clock::wall_time()));
        }
        return finished(write_answer(&page, request.page));
    }
    again::answer(&caller, "searchWarmPaths", address.query(), &state.limits, || {
        let found = paths::find(caller.index(), &request, &state.limits);
        Ok(write_answer(&caller.network().search.past.page(caller.index(), &found), request.page))
    })
}

/// Whether the answer is the same after people left: the request names the target by id, the target is not touched, and
/// no parameter depends on other people.
fn is_untouched(index: &GraphIndex, touched: &Touched, params: &Params) -> bool {
    let Ok(Some(id)) = params.once("prospectId") else { return false };
    let is_of_others = |extras: PathExtras| {
        [PathExtra::Reasons, PathExtra::Near].iter().any(|extra| extras.contains(*extra))
    };
    if read_extras(params, false).map_or(true, is_of_others) {
        return false;
    }
    match (index.find_person(id), index.find_company(id)) {
        (Some(person), _) => !touched.has(person),
        (None, Some(company)) => !touched.has_one_at(index, company),
        (None, None) => false,
    }
}

/// Reads a request to `index` from `params`; `asking` is the member who asks, if any.
///
/// # Errors
/// Returns an error for an invalid parameter.
pub(crate) fn read_request<'a>(
    index: &GraphIndex,
    asking: Option<MemberIx>,
    params: &'a Params,
    has_asks: bool,
) -> Result<PathRequest<'a>, ApiError> {
    let scope = params.one_of("scope", Scope::ALL, Scope::name)?.unwrap_or(Scope::Organization);
    let named = read_members(index, params)?;
    let (target, position) = read_target(params)?;
    Ok(PathRequest {
        target,
        position,
        from: scope.members(asking, named),
        types: read_types(params)?,
        include_intro_requested: params.choice("includeIntroRequested", &["true", "false"])? == Some(0),
        sort: params.one_of("sort", PathSort::ALL, PathSort::name)?.unwrap_or(PathSort::Tier),
        group_by: params.one_of("groupBy", GroupBy::ALL, GroupBy::name)?,
        extras: read_extras(params, has_asks)?,
        page: params.page()?,
    })
}

fn read_members(index: &GraphIndex, params: &Params) -> Result<Option<Vec<MemberIx>>, ApiError> {
    let (name, expected) = ("fromUserIds", "user ids or person ids of members of the organization");
    let find = |id| index.find_member(id).ok_or_else(|| Sent::new(name, id).refused(expected));
    params.list(name, || expected.to_owned())?.map(|ids| ids.into_iter().map(find).collect()).transpose()
}

fn read_extras(params: &Params, has_asks: bool) -> Result<PathExtras, ApiError> {
    let sent = match has_asks {
        true => params.names("include", PathExtra::ALL, PathExtra::name),
        false => params.names("include", PathExtra::WITHOUT_ASKS, PathExtra::name),
    };
    Ok(sent?.into_iter().flatten().collect())
}

fn read_types(params: &Params) -> Result<PathTypes, ApiError> {
    let sent = params.names("connectionTypes", PathType::ALL, PathType::name)?;
    Ok(sent.map_or(PathTypes::ALL, |types| types.into_iter().collect()))
}

/// Writes an answer with `page` of the paths.
pub(crate) fn write_answer(answer: &PathPage<'_>, page: Page) -> Json {
    let bytes = 1024 + PATH_BYTES * answer.paths.len();
    Json::of_object(bytes, |json| WarmPathsAnswer::write(json, (answer, page)))
}

/// The person found, and the intro request to them.
pub(super) fn prospect<'a>(
    found: &'a PathPage<'_>,
) -> Option<(&'a PersonCard<'a>, Option<&'a IntroAnnotation<'a>>, Option<&'a TargetAsks<'a>>)> {
    match &found.target {
        Some(FoundTarget::Person { person, intro }) => {
            Some((person, intro.as_ref(), found.target_asks.as_ref()))
        }
        _ => None,
    }
}

/// The company that was found.
pub(super) fn company<'a>(found: &'a PathPage<'_>) -> Option<&'a CompanyCard<'a>> {
    match &found.target {
        Some(FoundTarget::Company(company)) => Some(company),
        _ => None,
    }
}

/// Another person or company that the target may mean.
fn either<'a>(
    other: &'a found::Alternative<'_>,
) -> (Option<&'a PersonCard<'a>>, Option<&'a CompanyCard<'a>>) {
    match other {
        found::Alternative::Person(person) => (Some(person), None),
        found::Alternative::Company(company) => (None, Some(company)),
    }
}

schema! {
    WarmPathsAnswer(found: (&PathPage<'_>, Page)) "Warm paths to a person or a company." {
        "data": {WarmPaths} => found, "The answer.";
    }

    WarmPaths((found, page): (&PathPage<'_>, Page)) "A page of warm paths, and whom they lead to." {
        "prospect": {Prospect | null} => prospect(found), "The person who was found; null for a company.";
        "company": {Company | null} => company(found), "The company that was found; null for a person.";
        "paths": [{WarmPath}] => &found.paths, "The paths of this page.";
        ..Envelope => (page, found.total, found.paths.len());
        "excludedIntroRequested": COUNT => found.coverage.excluded_intro_requested,
            "Employees withheld because they were asked for already.";
        "coverage": {PathsCoverage} => &found.coverage, "How complete the answer is.";
        "match"?: {Match} => &found.matched, "How the target was found; with `include=match`.";
        "reasons"?: [{Reason}] => &found.reasons,
            "Why there is no path, or fewer than there could be; with `include=reasons`.";
        "near"?: {Near} => &found.near,
            "What is nearest, if nobody was found or there is no path; with `include=near`. None of it is the target.";
    }

    Prospect((person, intro, asks): (&PersonCard<'_>, Option<&IntroAnnotation<'_>>, Option<&TargetAsks<'_>>))
    "The person whom paths lead to." {
        ..Card => person;
        ..Intro => intro;
        "asks"?: {AskedAbout} => asks, "What was asked of them; with `include=asks`.";
    }

    WarmPath(path: &FoundPath<'_>) "One way to be introduced." {
        "fromUserId": USER_ID => path.from.id, "The member whom the path starts from.";
        "fromUserName": TEXT => path.from.name, "Their name.";
        "connector": {Connector} => &path.connector, "Who can introduce; on direct paths the member themself.";
        "connectionType": (Shape::choice(PathType::ALL.map(PathType::name))) => path.kind.name(),
            "How the path gets from the member to the target.";
        "warmness": SCORE => path.warmness, "The score of the whole path.";
        "userToConnectorWarmness": SCORE => path.to_connector, "The score up to the connector; 100 on direct paths.";
        "userToConnectorBreakdown"?: BREAKDOWN => path.first_leg.as_ref().and_then(|leg| leg.breakdown).map(Raw),
            "What it is made of.";
        "userToConnectorSignals"?: [TEXT] => path.first_leg.as_ref().and_then(|leg| leg.signals.any()), SIGNALS;
        "connectorToProspectWarmness": SCORE => path.to_target, "The score of the last step; 0 where it has none.";
        "connectorToProspectBreakdown": BREAKDOWN => Raw(path.last_leg.breakdown.unwrap_or("{}")),
            "What it is made of; empty where nothing is known.";
        "connectorToProspectSignals"?: [TEXT] => path.last_leg.signals.any(), SIGNALS;
        "userToConnectorEvidence"?: [{Evidence}] => filled(&path.first_evidence), EVIDENCE;
        "connectorToProspectEvidence"?: [{Evidence}] => filled(&path.last_evidence), EVIDENCE;
        "target"?: {Target} => path.target.as_ref().map(|target| (target, path.marks.as_deref())),
            "Companies alone: the employee whom the path leads to.";
        "viaAdvocate"?: {Advocate} => &path.via, "Only on paths of type `advocate_second_degree`.";
        "alternatives"?: COUNT => path.alternatives, "The paths left out behind this one; with `groupBy`.";
        "asks"?: {AskLoad} => path.marks.as_ref().map(|marks| &marks.connector),
            "How often the connector is asked; with `include=asks`.";
        "preference"?: {BrokenRule} => path.marks.as_ref().and_then(|marks| marks.preference.clone()),
            "A preference that it breaks; with `include=asks`.";
    }

    Connector(person: &PersonCard<'_>) "Who can introduce." {
        ..Identity => person;
        ..Occupation => person;
    }

    Target((person, marks): (&PersonCard<'_>, Option<&PathMarks<'_>>)) "The employee whom a path leads to." {
        ..Identity => person;
        ..Handle => person;
        ..Position => person;
        "company": TEXT => person.company.unwrap_or(""), "The name of the current company.";
        "asks"?: {AskedAbout} => marks.map(|marks| &marks.target), "What was asked of them; with `include=asks`.";
    }

    Advocate(via: &FoundAdvocate<'_>) "The advocate whom the member can ask first." {
        ..Card => &via.person;
        "warmness"?: SCORE => via.warmness, "How well the member knows them.";
    }

    PathsCoverage(coverage: &PathCoverage) "How complete an answer is." {
        "capped": (Shape::Boolean) => IsCapped(coverage.is_capped()), "Whether a bound left out employees or edges.";
        "candidatePeople": COUNT => coverage.candidates, "How many people the paths may lead to.";
        "candidatePeopleCap"?: COUNT => coverage.candidates_cap, "The bound on them; for companies alone.";
        "secondDegreeEdgesCapped": (Shape::Boolean) => coverage.second_degree_capped, "Whether a bound left out edges.";
    }

    Match(matched: &FoundMatch<'_>) "How a target was found, and who else it may have been." {
        "by"?: (Shape::choice(MatchedBy::ALL.map(MatchedBy::name))) => matched.by.map(MatchedBy::name),
            "In what way: by the id, the handle, the e-mail address or the domain; by a name that is equal, has the same \
             words in another order, begins alike, or nearly does. Left out if nobody was found.";
        "alternatives": [{Alternative}] => matched.alternatives.iter().map(either), "The first of the others.";
        "others": COUNT => matched.others, "How many others match in the same way.";
        "read"?: {ReadTarget} => &matched.read, "What was read in a text; for a target that was sent as one.";
        "doubt"?: [(Shape::choice(Doubt::ALL.map(Doubt::name)))] =>
            filled(&matched.doubt).map(|doubt| doubt.iter().map(|doubt| doubt.name())),
            "What of the text does not fit: the firm, or the name, which is said or typed otherwise.";
    }

    ReadTarget(read: &written::ReadTarget) "What was read in the text of a target." {
        "id"?: TEXT => &read.id, "The id.";
        "email"?: TEXT => &read.email, "The e-mail address.";
        "handle"?: TEXT => &read.handle, "The handle.";
        "domain"?: TEXT => &read.domain, "The domain of a homepage.";
        "name"?: TEXT => &read.name, "The person's name.";
        "company"?: TEXT => &read.company, "The firm.";
        "position"?: TEXT => &read.position, "The role.";
    }

    Near(near: &FoundNear<'_>) "What is nearest to a target that was not found, or to whom no path leads." {
        "people": [{NearPerson}] => &near.people, "The people whose names are nearest, at most three.";
        "company"?: {NearCompany} => &near.company, "The firm that was named, else the one where the person works.";
        "paths": [{WarmPath}] => &near.paths, "The warmest paths to anybody there, at most three.";
    }

    NearPerson(person: &PersonCard<'_>) "A person with a name like the one that was sent." {
        ..Card => person;
    }

    NearCompany(company: &CompanyCard<'_>) "A firm." {
        "id": TEXT => company.id, "Its id.";
        "name": TEXT => company.name, "Its name.";
    }

    Alternative((person, company): (Option<&PersonCard<'_>>, Option<&CompanyCard<'_>>))
    "A person, or a company, that the target may have meant." {
        "id": (Shape::pattern("^(person|company)_")) => person.map(|it| it.id).or(company.map(|it| it.id)).unwrap_or(""),
            "The person's or the company's id.";
        "name": TEXT => person.map(|it| it.name).or(company.map(|it| it.name)).unwrap_or(""),
            "The person's or the company's name.";
        "linkedinId"?: TEXT => person.and_then(|it| it.handle), "The handle on the professional network.";
        "position"?: TEXT => person.and_then(|it| it.position), "What the person does at work.";
        "company"?: TEXT => person.and_then(|it| it.company), "The name of the current company.";
        "companyId"?: TEXT => company.and_then(|it| it.handle), "The company's handle.";
        "industry"?: TEXT => company.and_then(|it| it.industry), "What the company works in.";
        "headquartersLocation"?: TEXT => company.and_then(|it| it.headquarters), "Where its headquarters are.";
    }

    Reason(reason: &FoundReason) "Why there is no path, or fewer than there could be." {
        "code": (Shape::choice(PathReason::ALL.map(PathReason::code))) => reason.reason.code(), "The reason.";
        "message": TEXT => reason.message.as_ref(), "The same as a sentence; its wording may change.";
    }
}
