//! The caller, the one network they may see, and their permit to work.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use kith::asks::overlay::AskOverlay;

use crate::admission::Permit;
use crate::admission::class::Class;
use crate::api::bucket::take_one;
use crate::api::error::ApiError;
use crate::api::marks::{AnsweredFrom, Cause};
use crate::api::presented::{Presented, password, presented};
use crate::api::state::ApiState;
use crate::ask_file::service::moment;
use crate::audit::look_ups::LookUp;
use crate::auth::error::StoreError;
use crate::auth::scope::{LoneScope, Scopes};
use crate::auth::session::Visitor;
use crate::auth::verify::Principal;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::live::answers::Answers;
use crate::live::asked::AskedNetwork;
use crate::live::by_need::NotLoaded;
use crate::live::leaving::Leaving;
use crate::live::network::LiveNetwork;
use crate::live::predecessor::Predecessor;
use crate::model::ix::MemberIx;
use crate::query::members;

/// An authenticated caller, with their organization's network pinned for this request.
///
/// Extracting one makes the first checks, in the contract's order: credential (401), membership (401), rate (429),
/// network (503), scope (403). It takes no permit: see [`Admitted`] and [`Self::permit`].
#[derive(Debug)]
pub struct Caller {
    network: Arc<LiveNetwork>,
    asked: Option<Arc<AskedNetwork>>,
    generation: u64,
    predecessor: Option<Arc<Predecessor>>,
    /// The member of a user token; `None` for an organization key.
    pub member: Option<MemberIx>,
    /// The scopes of the credential; an organization key may read.
    pub scopes: Scopes,
    /// Whether they signed in to the page through the identity provider.
    pub is_signed_in: bool,
    /// The credential's name in the log of look-ups; `None` without such a log.
    looks_by: Option<String>,
    /// The people who are still in the network and about to be forgotten; `None` except for an
    /// [`EarlyCaller`](early::EarlyCaller).
    leaving: Option<Arc<Leaving>>,
}

/// A caller with a permit to work, held until this is dropped: for handlers that answer every caller and wait for no
/// body.
///
/// Extracting one makes the checks of [`Caller`], then waits for a permit (503).
#[derive(Debug)]
pub struct Admitted {
    caller: Caller,
    _permit: Permit,
}

impl Caller {
    /// The only index this caller can reach.
    #[must_use]
    pub fn index(&self) -> &GraphIndex {
        self.asked.as_ref().map_or(&self.network.index, |asked| &asked.asks.index)
    }

    /// The network with the asks over it; `None` if the service has no asks.
    #[must_use]
    pub fn asked(&self) -> Option<&Arc<AskedNetwork>> {
        self.asked.as_ref()
    }

    /// The asks of the organization.
    ///
    /// # Errors
    /// Returns the error of an unknown path if the service has no asks.
    pub fn asks(&self) -> Result<&AskOverlay, ApiError> {
        self.asked.as_ref().map(|asked| &*asked.asks).ok_or(ApiError::UnknownPath)
    }

    /// The kept answers.
    pub(crate) fn answers(&self) -> &Answers {
        self.asked.as_ref().map_or(&self.network.answers, |asked| &asked.answers)
    }

    /// The network itself, for work that outlives the handler.
    #[must_use]
    pub fn network(&self) -> &Arc<LiveNetwork> {
        &self.network
    }

    /// The generation of the network.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The generation before it, if it is kept.
    #[must_use]
    pub fn predecessor(&self) -> Option<&Arc<Predecessor>> {
        self.predecessor.as_ref()
    }

    /// Waits for a permit to work on the request: for handlers that first wait for a body, or refuse some callers.
    ///
    /// # Errors
    /// Returns 503 if the service is overloaded.
    pub async fn permit(&self, state: &ApiState, class: Class) -> Result<Permit, ApiError> {
        state.admission.acquire(&self.network.index.data.organization.id, class).await.map_err(|why| {
            state.metrics.shed(why);
            ApiError::Unavailable
        })
    }

    /// Lets others go first between two parts of the work; see [`Permit::give_way`].
    ///
    /// # Errors
    /// Returns 503 if its next turn does not come in time.
    pub async fn give_way(&self, state: &ApiState, permit: Permit) -> Result<Permit, ApiError> {
        permit.give_way().await.map_err(|why| {
            state.metrics.shed(why);
            ApiError::Unavailable
        })
    }

    /// Logs that the caller looked at the person `id` through `operation`, if look-ups are logged.
    pub(crate) fn looks_at(&self, state: &ApiState, operation: &str, id: Option<&str>) {
        let (Some(log), Some(credential), Some(person)) = (&state.look_ups, &self.looks_by, id) else {
            return;
        };
        let data = &self.index().data;
        log.note(&LookUp {
            at: &moment(clock::wall_time()).to_rfc3339_ms(),
            organization: &data.organization.id,
            credential,
            user: self.member.map(|member| data.members.user_ids.get(member.0)),
            operation,
            person,
        });
    }

    /// The caller behind a new session of `visitor`, checked as in a request.
    ///
    /// # Errors
    /// Returns the errors of extracting one.
    pub(crate) async fn behind(
        visitor: Visitor,
        state: &ApiState,
        from: Option<&AnsweredFrom>,
    ) -> Result<Self, Response> {
        admit(Presented::of(visitor), Right::Read, state, from, Pin::Kept).await.map_err(refuse)
    }

    /// The caller whose token of a feed is the password of HTTP Basic; every other credential is refused here, and that token
    /// everywhere else.
    ///
    /// # Errors
    /// 401 that asks for HTTP Basic; else as extracting one.
    pub(crate) async fn of_feed(
        headers: &HeaderMap,
        state: &ApiState,
        from: Option<&AnsweredFrom>,
    ) -> Result<Self, Response> {
        let token = password(headers).map_err(|_| ApiError::NoFeedToken.into_response())?;
        let admitted = admit(Presented::Credential(token.into()), Right::Feed, state, from, Pin::Kept).await;
        admitted.map_err(|(error, cause)| match error {
            ApiError::Unauthorized { .. } => refuse((ApiError::NoFeedToken, cause)),
            error => refuse((error, cause)),
        })
    }

    /// The member of a user token.
    ///
    /// # Errors
    /// Returns an error for an organization key; `what` names the operation that needs a token.
    pub fn own_member(&self, what: &'static str) -> Result<MemberIx, ApiError> {
        self.member.ok_or(ApiError::ForbiddenScope(what))
    }
}

impl FromRequestParts<Arc<ApiState>> for Caller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<ApiState>) -> Result<Self, Response> {
        let from = parts.extensions.get::<AnsweredFrom>();
        authenticate(&parts.headers, state, from, Pin::Kept).await.map_err(refuse)
    }
}

impl FromRequestParts<Arc<ApiState>> for Admitted {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<ApiState>) -> Result<Self, Response> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let permit = caller.permit(state, Class::Short).await.map_err(IntoResponse::into_response)?;
        Ok(Self { caller, _permit: permit })
    }
}

impl Deref for Admitted {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// The error to answer with, and for our own errors the text to log.
type Refusal = (ApiError, Option<String>);

fn refuse((error, cause): Refusal) -> Response {
    let mut response = error.into_response();
    if let Some(cause) = cause {
        response.extensions_mut().insert(Cause(cause));
    }
    response
}

async fn authenticate(
    headers: &HeaderMap,
    state: &ApiState,
    from: Option<&AnsweredFrom>,
    pin: Pin,
) -> Result<Caller, Refusal> {
    let presented = presented(headers, state).map_err(internal)?.map_err(unauthorized)?;
    admit(presented, Right::Read, state, from, pin).await
}

/// The right that a request needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Right {
    /// To read the network.
    Read,
    /// To fetch the feed of a member, and nothing else.
    Feed,
}

impl Right {
    /// Whether `principal` may have a feed: by a token of the store for that alone.
    fn is_feed_of(self, principal: &Principal) -> bool {
        self == Self::Feed && principal.alone() == Some(LoneScope::Feed)
    }
}

fn unauthorized(was_sent: bool) -> Refusal {
    (ApiError::Unauthorized { was_sent }, None)
}

fn internal(error: StoreError) -> Refusal {
    (ApiError::Internal, Some(error.to_string()))
}

async fn admit(
    presented: Presented<'_>,
    right: Right,
    state: &ApiState,
    from: Option<&AnsweredFrom>,
    pin: Pin,
) -> Result<Caller, Refusal> {
    let now = clock::wall_time();
    let is_signed_in = matches!(presented, Presented::SignedIn(_));
    let principal = match presented {
        Presented::Credential(credential) => state.credentials.admit(&credential, now).await,
        // The page's log-in may have been turned off, or moved, since they signed in.
        Presented::SignedIn(it) if !state.sign_in.as_ref().is_some_and(|at| at.is_of_provider(&it)) => {
            Ok(None)
        }
        Presented::SignedIn(it) => state.credentials.admit_signed_in(it.bearer, now).map(Some),
    };
    let principal = principal.map_err(internal)?.ok_or_else(|| unauthorized(true))?;
    let fetches_feed = right.is_feed_of(&principal);
    if right == Right::Feed && !fetches_feed {
        return Err(unauthorized(true));
    }
    if let Some(from) = from {
        from.report_credential(logged_as(&principal).to_owned());
    }
    let looks_by = state.look_ups.as_ref().map(|_| logged_as(&principal).to_owned());
    let found = network_of(principal.org(), state, pin).await;
    let member = match (&principal, &found) {
        (Principal::User { user, trusts_address, token_id, .. }, Ok(InService { network, .. })) => {
            let found = match token_id {
                Some(_) => network.index.find_user(user),
                None => members::signed_in(&network.index, user, *trusts_address),
            };
            Some(found.ok_or_else(|| unauthorized(true))?)
        }
        _ => None,
    };
    // Every 401 is behind us: nothing before this line may leave a mark on the answer. For an early caller the network
    // that answers is not known yet.
    if let (Some(from), Ok(InService { network, generation, leaving: None, .. })) = (from, &found) {
        from.report(network, *generation);
    }
    if let Some(rates) = &state.rates {
        take_one(rates, &principal, from).map_err(|error| (error, None))?;
    }
    let InService { network, generation, predecessor, leaving } = found?;
    let principal_org = &network.index.data.organization.id;
    let scopes = match principal {
        Principal::User { scopes, .. } => scopes,
        Principal::Organization { .. } => Scopes::READ,
    };
    if !scopes.has_read() && !fetches_feed {
        return Err((ApiError::InsufficientScope, None));
    }
    let asked = asks_of(state, principal_org, &network)?;
    Ok(Caller { network, asked, generation, predecessor, member, scopes, is_signed_in, looks_by, leaving })
}

/// The network that a request waits for.
#[derive(Clone, Copy)]
enum Pin {
    /// One without anybody who is to be forgotten.
    Kept,
    /// The same, or at once the previous one, together with the people who leave it.
    Early,
}

/// An organization's network in service.
struct InService {
    network: Arc<LiveNetwork>,
    generation: u64,
    predecessor: Option<Arc<Predecessor>>,
    /// The people in it who are about to be forgotten; `None` unless it was pinned early.
    leaving: Option<Arc<Leaving>>,
}

async fn network_of(organization: &str, state: &ApiState, pin: Pin) -> Result<InService, Refusal> {
    let unkept = || (ApiError::Unavailable, Some("the suppression list cannot be kept to".to_owned()));
    let pinned = match pin {
        Pin::Kept => state.gate.pin_for(organization).await.map(|networks| (networks, None)),
        Pin::Early => state.gate.pin_early(organization).await,
    };
    let (networks, leaving) = pinned.ok_or_else(unkept)?;
    let slot = networks.by_organization.get(organization).ok_or((ApiError::NoSnapshot, None))?;
    let not_loaded = |why: NotLoaded| (ApiError::Unavailable, Some(why.to_string()));
    Ok(InService {
        network: state.gate.network_in(slot).await.map_err(not_loaded)?,
        generation: networks.generation_of(organization),
        predecessor: networks.predecessors.get(organization).cloned(),
        leaving,
    })
}

/// Combines `network` with the asks of `organization` as they are now; `None` in a service without asks.
fn asks_of(
    state: &ApiState,
    organization: &str,
    network: &LiveNetwork,
) -> Result<Option<Arc<AskedNetwork>>, Refusal> {
    let Some(asks) = &state.asks else { return Ok(None) };
    let book = asks.book(organization).map_err(|error| (ApiError::Unavailable, Some(error.to_string())))?;
    Ok(book.map(|book| network.with_asks(&book)))
}

/// The credential of `principal` in the log: its id, or just the kind of a JWT, whose other claims are about a person.
fn logged_as(principal: &Principal) -> &str {
    match principal {
        Principal::Organization { key_id: id, .. } | Principal::User { token_id: Some(id), .. } => id,
        Principal::User { token_id: None, .. } => "jwt",
    }
}

pub mod early;
