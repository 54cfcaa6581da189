//! `POST /api/v1/search/warm-paths/batch`: many targets in; the paths to each and the most asked people out.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use kith::asks::plan::{NeverReason, PlannedPath, Planner, SharedOut};

use crate::admission::Permit;
use crate::admission::class::Class;
use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::endpoints::warm_paths::{
    Match, Near, PATH_BYTES, PathsCoverage, Prospect, Reason, WarmPath, company, prospect,
};
use crate::api::error::ApiError;
use crate::api::fields::{Company, Identity};
use crate::api::json::{IsCapped, Json};
use crate::api::params::Params;
use crate::api::prefer::Handling;
use crate::api::schema::{COUNT, DAY, Others, Schema, Shape, TEXT, USER_ID, always, often, schema};
use crate::api::sent::{Sent, is_blank};
use crate::api::state::ApiState;
use crate::api::target::SentTarget;
use crate::ask_file::service::moment;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::limits::{
    BATCH_BODY_BYTES_MAX, BATCH_CONNECTORS_MAX, BATCH_PATHS_DEFAULT, BATCH_PATHS_MAX, BATCH_TARGETS_MAX,
};
use crate::model::ix::MemberIx;
use crate::query::card::PersonCard;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::asked_most::{self, AskedMost};
use crate::query::paths::found::{FoundPath, PathPage};
use crate::query::paths::from_set::FromSet;
use crate::query::paths::request::{
    GroupBy, PathExtra, PathExtras, PathRequest, PathSort, PathType, PathTypes, Scope, TargetQuery,
};
use kith::limits::ID_BYTES_MAX;

/// The fields of the body.
pub const FIELDS: [&str; 10] = [
    "targets",
    "perTarget",
    "scope",
    "sort",
    "groupBy",
    "fromUserIds",
    "connectionTypes",
    "includeIntroRequested",
    "include",
    "plan",
];
/// The fields available without asks.
pub const FIELDS_WITHOUT_ASKS: &[&str] = FIELDS.split_at(9).0;
/// Work on one thread after which others that wait for it get a turn.
const TURN: Duration = Duration::from_micros(500);
/// The advice for an answer that would be too long.
const SHORTER: &str = "fewer paths with perTarget, or for fewer targets";

/// Answers `searchWarmPathsBatch`.
///
/// # Errors
/// 415, 413 and 408 for an unreadable body; 503 if the service is overloaded; 403 for a scope that an organization key
/// may not use; 400 for anything invalid outside the targets.
pub async fn search_warm_paths_batch(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    params: Params,
    body: Body,
) -> Result<Json, ApiError> {
    let body =
        body::read_up_to(BATCH_BODY_BYTES_MAX, &headers, body, Some(&caller.network().long_bodies)).await?;
    // Before the body is parsed: refusing one costs milliseconds too, which count as the organization's turn.
    let permit = caller.permit(&state, Class::Long).await?;
    let fields = if caller.asked().is_some() { &FIELDS[..] } else { FIELDS_WITHOUT_ASKS };
    let body = Object::parse_known(&body, fields);
    let scope = |body: &Object| body.one_of("scope", Scope::ALL, Scope::name);
    if caller.member.is_none() && body.as_ref().is_ok_and(|body| scope(body) == Ok(Some(Scope::Me))) {
        return Err(ApiError::ForbiddenScope("scope=me"));
    }
    params.check(&[])?;
    let body = body?;
    body.check(params.handling(), fields)?;
    let batch = Batch::read(&caller, &body, params.handling())?;
    answer(&batch, &caller, &state, permit).await
}

/// The part of a batch that holds for all targets.
struct Batch<'a> {
    /// The targets, each as sent.
    targets: Vec<&'a str>,
    from: Option<Vec<MemberIx>>,
    types: PathTypes,
    include_intro_requested: bool,
    sort: PathSort,
    group_by: Option<GroupBy>,
    extras: PathExtras,
    per_target: u32,
    /// Whether to plan whom to ask.
    plans: bool,
    /// The treatment of unknown fields of a target.
    handling: Handling,
}

impl<'a> Batch<'a> {
    fn read(caller: &Caller, body: &'a Object, handling: Handling) -> Result<Self, ApiError> {
        let scope = body.one_of("scope", Scope::ALL, Scope::name)?.unwrap_or(Scope::Organization);
        let expected = format!("a list of 1 to {BATCH_TARGETS_MAX} targets");
        let types = body.names("connectionTypes", PathType::ALL, PathType::name)?;
        let has_asks = caller.asked().is_some();
        let sent = match has_asks {
            true => body.names("include", PathExtra::ALL, PathExtra::name),
            false => body.names("include", PathExtra::WITHOUT_ASKS, PathExtra::name),
        };
        let sent = sent?.into_iter().flatten();
        let extras = [PathExtra::Match, PathExtra::Reasons].into_iter().chain(sent).collect();
        let per_target = body.whole("perTarget", 1..=u64::from(BATCH_PATHS_MAX))?;
        Ok(Self {
            targets: body.elements("targets", BATCH_TARGETS_MAX, &expected)?,
            from: scope.members(caller.member, read_members(caller, body)?),
            types: types.map_or(PathTypes::ALL, |types| types.into_iter().collect()),
            include_intro_requested: body.boolean("includeIntroRequested")?.unwrap_or(false),
            sort: body.one_of("sort", PathSort::ALL, PathSort::name)?.unwrap_or(PathSort::Tier),
            group_by: body.one_of("groupBy", GroupBy::ALL, GroupBy::name)?,
            extras,
            handling,
            plans: has_asks && body.boolean("plan")?.unwrap_or(false),
            per_target: per_target.map_or(BATCH_PATHS_DEFAULT, |paths| paths as u32),
        })
    }

    /// The request for one target, with the from-set of the whole batch.
    fn request<'t>(&self, target: TargetQuery<'t>, position: Option<String>) -> PathRequest<'t> {
        PathRequest {
            target,
            position,
            from: None,
            types: self.types,
            include_intro_requested: self.include_intro_requested,
            sort: self.sort,
            group_by: self.group_by,
            extras: self.extras,
            page: Page { limit: self.per_target, offset: 0 },
        }
    }
}

fn read_members(caller: &Caller, body: &Object) -> Result<Option<Vec<MemberIx>>, ApiError> {
    let (name, expected) = ("fromUserIds", "user ids or person ids of members of the organization");
    let find = |id: &String| {
        let member = Some(id).filter(|id| !is_blank(id) && id.len() <= ID_BYTES_MAX);
        let member = member.and_then(|id| caller.index().find_member(id));
        member.ok_or_else(|| Sent::new(name, id).refused(expected))
    };
    body.some_texts(name, expected)?.map(|ids| ids.iter().map(find).collect()).transpose()
}

async fn answer(
    batch: &Batch<'_>,
    caller: &Caller,
    state: &ApiState,
    mut permit: Permit,
) -> Result<Json, ApiError> {
    let from = FromSet::new(caller.index(), batch.from.as_deref());
    let mut asked_most = AskedMost::default();
    let (caps, now) = (state.ask_caps(), moment(clock::wall_time()));
    let overlay = caller.asks().ok();
    let mut planner = overlay.filter(|_| batch.plans).map(|overlay| Planner::new(overlay, caps, now));
    let mut json = Json::with_capacity(1024 + PATH_BYTES * batch.targets.len());
    json.open_object();
    json.open_object_field("data");
    json.open_array_field("results");
    let mut began = clock::now();
    for (index, sent) in batch.targets.iter().enumerate() {
        if index > 0 {
            permit = caller.give_way(state, permit).await?;
            if clock::now().saturating_duration_since(began) >= TURN {
                tokio::task::yield_now().await;
                began = clock::now();
            }
        }
        let mut find = |request: PathRequest<'_>| {
            if let Some(planner) = &mut planner {
                planner.add(index, &from, &request, &state.limits);
            }
            paths::find_from(caller.index(), &from, &request, &state.limits)
        };
        let found = SentTarget::parse(sent, format_args!("targets[{index}]"), batch.handling)
            .and_then(|sent| sent.read().map(|(target, position)| find(batch.request(target, position))));
        if let Ok(found) = &found {
            asked_most.count(&found.paths);
        }
        let found = found.map(|found| {
            let mut page = caller.network().search.past.page(caller.index(), &found);
            caller.looks_at(state, "searchWarmPathsBatch", page.person_id());
            if let Some(overlay) = overlay.filter(|_| batch.extras.contains(PathExtra::Asks)) {
                overlay.mark(&mut page, &found, &caps, now);
            }
            page
        });
        json.object(|json| BatchResult::write(json, (index, found.as_ref().ok(), found.as_ref().err())));
        if json.is_too_long() {
            return Err(ApiError::AnswerTooLong { instead: SHORTER });
        }
    }
    json.close_array();
    let asked = asked_most.first(caller.index(), BATCH_CONNECTORS_MAX);
    json.array_field("connectors", asked, |json, asked| {
        json.object(|json| AskedConnector::write(json, asked))
    });
    if let Some(planner) = planner {
        let plan = Planned { plan: planner.share_out(), index: caller.index() };
        json.object_field("plan", |json| AskPlan::write(json, &plan));
    }
    json.close_object();
    let is_capped = json.is_capped();
    json.object_field("meta", |json| BatchMeta::write(json, is_capped));
    json.close_object();
    drop(permit);
    Ok(json)
}

/// The schemas of the answer and its `data`, which are written in parts as they are found.
pub(crate) fn written_in_parts() -> [Schema; 2] {
    let object = |name, text, fields| Schema { name, text, fields, others: Others::Nothing };
    let list = |name| Shape::list(Shape::Schema(name));
    let answer = vec![
        always("data", Shape::Schema("WarmPathsBatch"), "The answer."),
        always("meta", Shape::Schema("BatchMeta"), "How complete it is."),
    ];
    let data = vec![
        always("results", list("BatchResult"), "One for each target, in the order in which they were sent."),
        always("connectors", list("AskedConnector"), "Who is asked most, at most 50."),
        often("plan", Shape::Schema("AskPlan"), "Whom to ask now, whom later and whom not; with `plan`."),
    ];
    [
        object("WarmPathsBatchAnswer", "Warm paths to many targets.", answer),
        object("WarmPathsBatch", "The paths to each target, and who is asked most.", data),
    ]
}

/// A plan, with the index it was made from.
pub(crate) struct Planned<'a> {
    pub(crate) plan: SharedOut,
    pub(crate) index: &'a GraphIndex,
}

impl<'a> Planned<'a> {
    /// The row of a planned path.
    pub(crate) fn path(&self, planned: &PlannedPath) -> FoundPath<'a> {
        FoundPath::of(self.index, &planned.path, planned.to_company)
    }
}

schema! {
    AskPlan(planned: &Planned<'_>) "Whom to ask for each target; each that was found is in one list." {
        "now": [{AskNow}] => planned.plan.now.iter().map(|one| (one, planned.path(one))),
            "The introductions to ask for now, in the order in which they were chosen.";
        "later": [{AskLater}] => planned.plan.later.iter().map(|(one, after)| (one, planned.path(one), after)),
            "Those to ask for later.";
        "never": [{AskNever}] => planned.plan.never.iter().copied(), "The targets that are not to be asked for.";
    }

    AskNow((one, path): (&PlannedPath, FoundPath<'_>)) "An introduction to ask for now." {
        "index": COUNT => one.place, "The place of the target among those sent, from 0.";
        "path": {WarmPath} => &path, "The path.";
    }

    AskLater((one, path, after): (&PlannedPath, FoundPath<'_>, &String)) "An introduction to ask for later." {
        "index": COUNT => one.place, "The place of the target among those sent, from 0.";
        "path": {WarmPath} => &path, "Its warmest path.";
        "after": DAY => after, "The day after which its connector may be asked again.";
    }

    AskNever((place, reason): (usize, NeverReason)) "A target that is not to be asked for." {
        "index": COUNT => place, "The place of the target among those sent, from 0.";
        "reason": (Shape::choice(NeverReason::ALL.map(NeverReason::name))) => reason.name(), "Why.";
    }

    BatchResult((index, found, error): (usize, Option<&PathPage<'_>>, Option<&ApiError>))
    "The paths to one target, or why it cannot be taken." {
        "index": COUNT => index, "The place of the target among those sent, from 0.";
        "prospect"?: {Prospect | null} => found.map(prospect), "The person who was found; null for a company.";
        "company"?: {Company | null} => found.map(company), "The company that was found; null for a person.";
        "paths"?: [{WarmPath}] => found.map(|found| &found.paths), "The first paths, at most `perTarget`.";
        "totalCount"?: COUNT => found.map(|found| found.total), "How many paths, or groups, there are.";
        "excludedIntroRequested"?: COUNT => found.map(|found| found.coverage.excluded_intro_requested),
            "Employees withheld because they were asked for already.";
        "coverage"?: {PathsCoverage} => found.map(|found| &found.coverage), "How complete the result is.";
        "match"?: {Match} => found.and_then(|found| found.matched.as_ref()), "How the target was found.";
        "reasons"?: [{Reason}] => found.and_then(|found| found.reasons.as_ref()),
            "Why there is no path, or fewer than there could be.";
        "near"?: {Near} => found.and_then(|found| found.near.as_ref()),
            "What is nearest, if nobody was found or there is no path; with `near` in `include`.";
        "error"?: TEXT => error.map(ApiError::sentence).as_ref(),
            "What is wrong with the target, in a sentence; then all above but `index` is left out.";
        "code"?: (Shape::choice([ApiError::missing("targets", "").code()])) => error.map(ApiError::code),
            "The same in a word.";
    }

    AskedConnector(asked: asked_most::AskedConnector<'_>) "Whom a member asks, and for how many targets." {
        "connector": {AskedPerson} => &asked.connector, "Who is asked; on direct paths the member themself.";
        "fromUserId": USER_ID => asked.from.id, "The member who asks.";
        "targets": (Shape::Whole(1, None)) => asked.targets, "In how many results.";
    }

    AskedPerson(person: &PersonCard<'_>) "Who is asked." {
        ..Identity => person;
        "company"?: TEXT => person.company, "The name of the current company.";
    }

    BatchMeta(is_capped: bool) "How complete a batch is." {
        "capped": (Shape::Boolean) => IsCapped(is_capped), "Whether the coverage of some result is capped.";
    }
}
