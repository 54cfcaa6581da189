//! `GET /api/v1/asks` and `GET /api/v1/asks/{id}`: asks and their outcomes.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use kith::asks::ask::Ask as AskHistory;
use kith::asks::event::{AskEvent, EventBy, EventKind};
use kith::asks::overlay::{AskOverlay, FoundAsk};
use kith::model::preferences::PreferenceRule;

use crate::admission::class::Class;
use crate::api::caller::{Admitted, Caller};
use crate::api::error::ApiError;
use crate::api::fields::{Envelope, Identity};
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::schema::{COUNT, DAY, MOMENT, SCORE, Shape, TEXT, USER_ID, schema};
use crate::api::state::ApiState;
use crate::ask_file::overridden::OverriddenPreference;
use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::named::named;
use crate::query::card::{MemberCard, PersonCard};
use crate::query::handle::percent_decode;
use crate::query::page::Page;
use crate::query::paths::marks::{BrokenPreference, ConnectorAsks, TargetAsks};

/// The parameters that `listAsks` takes.
pub const PARAMETERS: [&str; 6] = ["state", "connectorId", "personId", "mine", "limit", "offset"];
/// Approximate size of one ask in an answer, in bytes.
const ASK_BYTES: usize = 384;

/// The asks to list, by state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskStates {
    /// Only open asks.
    Open,
    /// The others.
    Closed,
    /// All.
    All,
}

named! {
    /// Every choice; the first is the default.
    AskStates { Open = "open", Closed = "closed", All = "all" }
}

/// The filter of the list.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskFilter<'a> {
    /// The states to list; `None` means open asks.
    pub listed: Option<AskStates>,
    /// The connector's id.
    pub connector: Option<&'a str>,
    /// The target's id.
    pub person: Option<&'a str>,
    /// The member who asked.
    pub asker: Option<MemberIx>,
}

/// The asks of `overlay` that pass `filter`, latest first, then by id.
pub fn list<'a>(overlay: &'a AskOverlay, filter: &AskFilter<'_>) -> Vec<&'a FoundAsk> {
    let listed = filter.listed.unwrap_or(AskStates::Open);
    let find = |id: &str| overlay.index.find_person(overlay.book.present_id(id));
    let (over, about) = (filter.connector.map(find), filter.person.map(find));
    let is_wanted =
        |wanted: Option<Option<PersonIx>>, person| wanted.is_none_or(|wanted| wanted == Some(person));
    let fits = |found: &&FoundAsk| {
        let is_listed = match listed {
            AskStates::Open => found.state.is_open(),
            AskStates::Closed => !found.state.is_open(),
            AskStates::All => true,
        };
        is_listed
            && is_wanted(over, found.over)
            && is_wanted(about, found.person)
            && filter.asker.is_none_or(|asker| asker == found.asker)
    };
    let mut asks: Vec<&FoundAsk> = overlay.asks().iter().filter(fits).collect();
    asks.sort_by_key(|found| (Reverse(found.ask.asked_at()), &found.ask.id));
    asks
}

/// Answers `listAsks`.
///
/// # Errors
/// 404 if the service has no asks; 403 for an organization key that wants its own asks; 400 for invalid parameters.
pub async fn list_asks(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    params: Params,
) -> Result<Json, ApiError> {
    let overlay = caller.asks()?;
    if caller.member.is_none() && params.once("mine") == Ok(Some("true")) {
        return Err(ApiError::ForbiddenScope("mine=true"));
    }
    let _permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let is_mine = params.choice("mine", &["true", "false"])? == Some(0);
    let filter = AskFilter {
        listed: params.one_of("state", AskStates::ALL, AskStates::name)?,
        connector: params.id("connectorId")?,
        person: params.id("personId")?,
        asker: caller.member.filter(|_| is_mine),
    };
    let page = params.page()?;
    let all = list(overlay, &filter);
    let total = all.len() as u64;
    let from = usize::try_from(page.offset).unwrap_or(usize::MAX).min(all.len());
    let shown = &all[from..(from + page.limit as usize).min(all.len())];
    let bytes = 256 + ASK_BYTES * shown.len();
    Ok(Json::of_object(bytes, |json| AsksAnswer::write(json, (overlay, shown, page, total))))
}

/// Answers `getAsk`.
///
/// # Errors
/// 404 for an unknown ask, or if the service has no asks.
pub async fn get_ask(caller: Admitted, address: Uri, params: Params) -> Result<Json, ApiError> {
    let overlay = caller.asks()?;
    params.check(&[])?;
    // Reads the last part of the path as sent: axum's own extractor lets broken encoding pass.
    let sent = address.path().rsplit('/').next().unwrap_or("");
    let id = percent_decode(sent).ok_or_else(|| ApiError::invalid("id", sent, "percent-encoded UTF-8"))?;
    let found = overlay.find(&id).ok_or(ApiError::NotFound)?;
    let row = AskRow::of(overlay, found);
    Ok(Json::of_object(2 * ASK_BYTES, |json| AskAnswer::write(json, &row)))
}

/// One ask in an answer.
#[derive(Clone, Copy, Debug)]
pub struct AskRow<'a> {
    index: &'a GraphIndex,
    ask: &'a AskHistory,
    state: EventKind,
    asker: MemberCard<'a>,
    person: PersonCard<'a>,
    connector: Option<PersonCard<'a>>,
    via_advocate: Option<PersonCard<'a>>,
}

impl<'a> AskRow<'a> {
    /// The row of `found`.
    #[must_use]
    pub fn of(overlay: &'a AskOverlay, found: &'a FoundAsk) -> Self {
        let index = &overlay.index;
        let card = |person: PersonIx| PersonCard::of(index, person);
        Self {
            index,
            ask: &found.ask,
            state: found.state,
            asker: MemberCard::of(index, found.asker),
            person: card(found.person),
            connector: found.connector.map(card),
            via_advocate: found.via_advocate.map(card),
        }
    }

    /// The preference that was overridden when the ask was made.
    fn overridden(&self) -> Option<BrokenPreference<'a>> {
        OverriddenPreference::read(self.ask.over.overridden.as_deref()?)?.over(self.index)
    }
}

/// An event, with the name of the member who wrote it if they are still there.
pub(crate) fn event_row<'a>(row: &AskRow<'a>, event: &'a AskEvent) -> EventRow<'a> {
    let member = match &event.by {
        EventBy::Member { user_id, .. } => row.index.find_user(user_id),
        EventBy::Connector | EventBy::Observed { .. } => None,
    };
    EventRow { event, name: member.map(|member| MemberCard::of(row.index, member).name) }
}

/// One event in an answer.
#[derive(Clone, Copy, Debug)]
pub struct EventRow<'a> {
    event: &'a AskEvent,
    name: Option<&'a str>,
}

impl<'a> EventRow<'a> {
    fn kind(&self) -> &'static str {
        match self.event.by {
            EventBy::Member { .. } => "member",
            EventBy::Connector => "connector",
            EventBy::Observed { .. } => "observed",
        }
    }

    fn user(&self) -> Option<&'a String> {
        match &self.event.by {
            EventBy::Member { user_id, .. } => Some(user_id),
            _ => None,
        }
    }

    fn observed(&self) -> Option<(&'a String, &'a String)> {
        match &self.event.by {
            EventBy::Observed { source, day } => Some((source, day)),
            _ => None,
        }
    }
}

schema! {
    AsksAnswer((overlay, shown, page, total): (&AskOverlay, &[&FoundAsk], Page, u64)) "Who was asked." {
        "data": {Asks} => (overlay, shown, page, total), "The answer.";
    }

    Asks((overlay, shown, page, total): (&AskOverlay, &[&FoundAsk], Page, u64)) "A page of asks, the latest first." {
        "asks": [{Ask}] => shown.iter().map(|found| AskRow::of(overlay, found)), "The asks of this page.";
        ..Envelope => (page, total, shown.len());
    }

    AskAnswer(row: &AskRow<'_>) "One ask." {
        "data": {AskWithEvents} => row, "The answer.";
    }

    AskWithEvents(row: &AskRow<'_>) "An ask, and what happened to it." {
        ..AskFields => row;
        "events": [{Event}] => row.ask.events.iter().map(|event| event_row(row, event)),
            "What happened, in the order written.";
    }

    Ask(row: AskRow<'_>) "An ask for an introduction." {
        ..AskFields => &row;
    }

    AskFields(row: &AskRow<'_>) {
        "id": TEXT => &row.ask.id, "Its id.";
        "person": {Named} => &row.person, "The target.";
        "connector"?: {Named} => row.connector.as_ref(), "Who was asked; left out where the member went directly.";
        "viaAdvocate"?: {Named} => row.via_advocate.as_ref(), "The advocate who was asked first.";
        "state": (Shape::choice(EventKind::ALL.map(EventKind::name))) => row.state.name(), "Its state.";
        "open": (Shape::Boolean) => row.state.is_open(), "Whether it is asked, agreed or introduced.";
        "askedBy": {Asker} => &row.asker, "The member who asked.";
        "askedAt": MOMENT => row.ask.asked_at(), "When they asked.";
        "changedAt": MOMENT => row.ask.changed_at(), "When the last event happened.";
        "connectionType"?: TEXT => &row.ask.over.connection_type, "The type of the warmest path over these people then.";
        "warmness"?: SCORE => row.ask.over.warmness, "The score of that path.";
        "preference"?: {BrokenRule} => row.overridden(), "What was overridden.";
    }

    Named(person: &PersonCard<'_>) "A person." {
        ..Identity => person;
    }

    Asker(member: &MemberCard<'_>) "A member." {
        "userId": USER_ID => member.id, "The member's user id.";
        "name": TEXT => member.name, "Their name.";
    }

    Event(row: EventRow<'_>) "What happened to an ask." {
        "id": TEXT => &row.event.id, "Its id.";
        "ask": TEXT => &row.event.ask, "The id of the ask.";
        "at": MOMENT => row.event.at, "When it happened.";
        "kind": (Shape::choice(EventKind::ALL.map(EventKind::name))) => row.event.kind.name(), "What happened.";
        "by": {EventAuthor} => row, "Who says so.";
        "note"?: TEXT => &row.event.note, "Their note.";
        "undoes"?: TEXT => &row.event.undoes, "The event that does not count any more.";
    }

    EventAuthor(row: EventRow<'_>) "Who says what happened." {
        "kind": (Shape::choice(["member", "connector", "observed"])) => row.kind(), "A member, the connector, or mail and calendars.";
        "userId"?: USER_ID => row.user(), "The member's user id.";
        "name"?: TEXT => row.name, "The member's name.";
        "source"?: TEXT => row.observed().map(|(source, _)| source), "What it was seen in.";
        "day"?: DAY => row.observed().map(|(_, day)| day), "The day of it.";
    }

    AskLoad(asks: &ConnectorAsks) "How often somebody is asked." {
        "open": COUNT => asks.open, "Asks over them that are open.";
        "recent": COUNT => asks.recent, "Asks over them of the last days that were not withdrawn.";
        "coolUntil"?: MOMENT => asks.cool_until, "When they are no longer asked too often; only where they are.";
    }

    AskedAbout(asks: &TargetAsks<'_>) "What was asked of a target." {
        "open": COUNT => asks.open, "Asks about them that are open.";
        "by"?: {Asker} => asks.latest.as_ref().map(|(member, _)| member), "Who asked last, of those that are open or cool.";
        "at"?: MOMENT => asks.latest.map(|(_, at)| at), "When.";
        "coolUntil"?: MOMENT => asks.cool_until, "When they may be asked for again; only while they cool.";
    }

    BrokenRule(broken: BrokenPreference<'_>) "A preference that a path breaks." {
        "rule": (Shape::choice(PreferenceRule::ALL.map(PreferenceRule::name))) => broken.rule, "What it says.";
        "through"?: {Named} => broken.through.as_ref(), "Through whom a path may go.";
        "until"?: DAY => &broken.until, "The last day on which it holds.";
    }
}
