//! The caller of a tool: the one network they may see, and their permit to work.

use std::sync::Arc;

use kith::asks::overlay::AskOverlay;

use crate::admission::Permit;
use crate::admission::class::Class;
use crate::api::caller::Caller;
use crate::api::endpoints::network_search;
use crate::api::error::ApiError;
use crate::api::marks::AnsweredFrom;
use crate::api::state::ApiState;
use crate::ask_file::error::AskStoreError;
use crate::ask_file::service::AskService;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::limits::STORE_LOOKUP_DEADLINE;
use crate::live::network::LiveNetwork;
use crate::mcp::cursor::List;
use crate::mcp::refused::Refused;
use crate::mcp::settings::PATH;
use crate::model::ix::MemberIx;
use crate::search::engine::{Engines, Mode};
use crate::search::index::SearchIndex;
use crate::search::past::PastCompanies;
use crate::search::question::{Found, Question, ask};
use crate::search::searched::Searched;
use kith::limits::Limits;

/// The caller of a tool.
#[derive(Debug)]
pub(super) enum Asker {
    /// A caller of the service.
    Served {
        /// The caller, with their network pinned.
        caller: Caller,
        /// State shared by all callers.
        state: Arc<ApiState>,
        /// The place to report to, for the log.
        from: AnsweredFrom,
    },
    /// The user who started this program for a single snapshot.
    Alone(Box<Alone>),
}

/// A network of a program with a single user.
#[derive(Debug)]
pub(super) struct Alone {
    index: GraphIndex,
    search: Arc<SearchIndex>,
    member: Option<MemberIx>,
    asks: Option<Arc<AskService>>,
    /// The asks at the time of the call.
    overlay: Option<Arc<AskOverlay>>,
}

impl Alone {
    /// The network of `index`, asked by `member`; `None` acts like an organization's key.
    pub(super) fn new(index: GraphIndex, member: Option<MemberIx>, asks: Option<Arc<AskService>>) -> Self {
        Self { search: Arc::new(SearchIndex::build(&index)), index, member, asks, overlay: None }
    }

    /// The same network with its present asks.
    fn with_asks(&self, asks: &AskService) -> Result<Self, ApiError> {
        let unread = |error: AskStoreError| {
            tracing::error!(%error, "asks cannot be read");
            ApiError::Unavailable
        };
        let book = asks.book(&self.index.data.organization.id).map_err(unread)?;
        let overlay = book.map(|book| Arc::new(AskOverlay::build(&self.index, &book)));
        Ok(Self {
            index: overlay.as_ref().map_or_else(|| self.index.clone(), |overlay| overlay.index.clone()),
            search: Arc::clone(&self.search),
            member: self.member,
            asks: self.asks.clone(),
            overlay,
        })
    }
}

impl Asker {
    /// The only index they can reach.
    pub(super) fn index(&self) -> &GraphIndex {
        match self {
            Self::Served { caller, .. } => caller.index(),
            Self::Alone(alone) => &alone.index,
        }
    }

    /// Former companies of people.
    pub(super) fn past(&self) -> &PastCompanies {
        match self {
            Self::Served { caller, .. } => &caller.network().search.past,
            Self::Alone(alone) => &alone.search.past,
        }
    }

    /// The same, with the present asks: a standalone program runs for long, and others may write meanwhile.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub(super) fn current(self: &Arc<Self>) -> Result<Arc<Self>, ApiError> {
        match &**self {
            Self::Alone(alone) => match &alone.asks {
                Some(asks) => Ok(Arc::new(Self::Alone(Box::new(alone.with_asks(asks)?)))),
                None => Ok(Arc::clone(self)),
            },
            Self::Served { .. } => Ok(Arc::clone(self)),
        }
    }

    /// Whether asks are kept.
    pub(super) fn has_asks(&self) -> bool {
        match self {
            Self::Served { caller, .. } => caller.asked().is_some(),
            Self::Alone(alone) => alone.asks.is_some(),
        }
    }

    /// The asks of the organization, and their storage.
    ///
    /// # Errors
    /// Returns an error if none are kept.
    pub(super) fn asks(&self) -> Result<(Arc<AskOverlay>, Arc<AskService>), ApiError> {
        let kept = match self {
            Self::Served { caller, state, .. } => {
                caller.asked().map(|asked| Arc::clone(&asked.asks)).zip(state.asks.clone())
            }
            Self::Alone(alone) => alone.overlay.clone().zip(alone.asks.clone()),
        };
        kept.ok_or(ApiError::UnknownPath)
    }

    /// The member who may write.
    ///
    /// # Errors
    /// Returns an error for an organization, and for a token without the write scope.
    pub(super) fn may_write(&self) -> Result<MemberIx, ApiError> {
        let member = self.own_member("Writing an ask")?;
        match self {
            Self::Served { caller, .. } if !caller.scopes.has_write() => {
                Err(ApiError::InsufficientWriteScope)
            }
            _ => Ok(member),
        }
    }

    /// The asking member; `None` for an organization.
    pub(super) fn member(&self) -> Option<MemberIx> {
        match self {
            Self::Served { caller, .. } => caller.member,
            Self::Alone(alone) => alone.member,
        }
    }

    /// The asking member.
    ///
    /// # Errors
    /// Returns an error for an organization; `what` names the operation that needs a member.
    pub(super) fn own_member(&self, what: &'static str) -> Result<MemberIx, ApiError> {
        self.member().ok_or(ApiError::ForbiddenScope(what))
    }

    /// Returns the bounds on the work of a call.
    pub(super) fn limits(&self) -> &Limits {
        match self {
            Self::Served { state, .. } => &state.limits,
            Self::Alone(_) => &Limits::DEFAULT,
        }
    }

    /// Whether an external provider parses searches.
    pub(super) fn asks_outside(&self) -> bool {
        matches!(self, Self::Served { state, .. } if state.language_model.requests_in_flight().is_some())
    }

    /// Waits for a permit to work; `None` if there are no other callers.
    ///
    /// # Errors
    /// Returns an error if the service is overloaded.
    pub(super) async fn permit(&self, class: Class) -> Result<Option<Permit>, ApiError> {
        match self {
            Self::Served { caller, state, .. } => caller.permit(state, class).await.map(Some),
            Self::Alone(_) => Ok(None),
        }
    }

    /// Lets others go first between two parts of the work.
    ///
    /// # Errors
    /// Returns an error if its next turn does not come in time.
    pub(super) async fn give_way(&self, permit: Option<Permit>) -> Result<Option<Permit>, ApiError> {
        match (self, permit) {
            (Self::Served { caller, state, .. }, Some(permit)) => {
                tokio::task::yield_now().await;
                caller.give_way(state, permit).await.map(Some)
            }
            (_, permit) => Ok(permit),
        }
    }

    /// Asks `question`, and returns `write` of the people found.
    ///
    /// # Errors
    /// Returns an error if the service is overloaded, or no engine can answer.
    pub(super) async fn search<T: Send + 'static>(
        &self,
        question: Question,
        write: impl FnOnce(&Found<'_>) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        match self {
            Self::Served { caller, state, .. } => {
                Ok(network_search::search(Arc::clone(state), caller, question, write).await?)
            }
            Self::Alone(alone) => {
                let searched = Searched {
                    index: &alone.index,
                    search: &alone.search,
                    store: None,
                    engines: Engines::ALL,
                    deadline: clock::now() + STORE_LOOKUP_DEADLINE,
                };
                let found = ask(searched, &question, None);
                let found = found.map_err(|reason| network_search::refuse(Mode::Auto, reason))?;
                Ok(write(&found))
            }
        }
    }

    /// The list that answers `question` from the present state of this network.
    pub(super) fn list(&self, question: &impl std::hash::Hash) -> List {
        let people = self.index().data.people.len();
        match self {
            Self::Served { caller, from, .. } => {
                let network: &LiveNetwork = caller.network();
                let generation = from.reported().map(|(_, generation)| *generation);
                List::new(question, &(format!("{:?}", network.identity), generation, people))
            }
            Self::Alone(_) => List::new(question, &people),
        }
    }

    /// Reports the call of `tool` for the log.
    pub(super) fn report_tool(&self, tool: &'static str) {
        if let Self::Served { from, .. } = self {
            from.report_tool(tool);
        }
    }

    /// Counts a call of `tool` that ended in `outcome`.
    pub(super) fn count(&self, tool: &'static str, outcome: &'static str) {
        if let Self::Served { state, .. } = self {
            state.metrics.called_tool(tool, outcome);
        }
    }

    /// Logs that the caller looked at `person` through `tool`, if look-ups are logged.
    pub(super) fn looks_at(&self, tool: &str, person: Option<&str>) {
        if let Self::Served { caller, state, .. } = self {
            caller.looks_at(state, tool, person);
        }
    }

    /// Counts an answer that a bound on work cut short.
    pub(super) fn count_capped(&self) {
        if let Self::Served { state, .. } = self {
            state.metrics.capped(PATH);
        }
    }
}
