//! Callers who need not wait while their network is rebuilt without people to forget, because the answer is the same
//! before and after. `tests/api/suppression/early.rs` checks this.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;

use crate::api::caller::{Caller, InService, Pin, asks_of, authenticate, network_of, refuse};
use crate::api::error::ApiError;
use crate::api::marks::AnsweredFrom;
use crate::api::state::ApiState;
use crate::graph::index::GraphIndex;
use crate::graph::touched::Touched;

/// A caller whose network may still contain people to forget while it is rebuilt without them: for handlers that can
/// determine whether their answer stays the same.
///
/// Extracting one makes the checks of [`Caller`], but does not wait for the network.
#[derive(Debug)]
pub struct EarlyCaller {
    caller: Caller,
    from: Option<AnsweredFrom>,
}

impl EarlyCaller {
    /// The network before the change of the list, and the people affected; `None` if there is nothing to wait for, or
    /// any answer may change.
    #[must_use]
    pub fn before(&self) -> Option<(&GraphIndex, &Touched)> {
        let caller = &self.caller;
        let asks = caller.asked.as_ref().map(|asked| &*asked.asks);
        Some((caller.index(), caller.leaving.as_ref()?.touched(asks)?))
    }

    /// The caller with a network that keeps to the list. Waits until it is built.
    ///
    /// # Errors
    /// 503 if it cannot be built; 401 for a member who is not in it.
    pub async fn settled(mut self, state: &ApiState) -> Result<Caller, ApiError> {
        if self.caller.leaving.take().is_some() {
            let data = &self.caller.index().data;
            let organization = data.organization.id.clone();
            let user = self.caller.member.map(|member| data.members.user_ids.get(member.0).to_owned());
            let InService { network, generation, predecessor, .. } =
                network_of(&organization, state, Pin::Kept).await.map_err(|(error, _)| error)?;
            let find = |user: String| {
                network.index.find_user(&user).ok_or(ApiError::Unauthorized { was_sent: true })
            };
            self.caller.member = user.map(find).transpose()?;
            self.caller.asked = asks_of(state, &organization, &network).map_err(|(error, _)| error)?;
            (self.caller.network, self.caller.generation) = (network, generation);
            self.caller.predecessor = predecessor;
        }
        self.report();
        Ok(self.caller)
    }

    /// The caller at once if `is_same` holds for the network before the change, otherwise [`Self::settled`].
    ///
    /// # Errors
    /// Returns the errors of [`Self::settled`].
    pub async fn settled_unless(
        self,
        state: &ApiState,
        is_same: impl FnOnce(&GraphIndex, &Touched) -> bool,
    ) -> Result<Caller, ApiError> {
        match self.before().is_some_and(|(index, touched)| is_same(index, touched)) {
            true => {
                self.report();
                Ok(self.caller)
            }
            false => self.settled(state).await,
        }
    }

    /// Reports the network that answers; for the previous one, only once its answer is known to be the same.
    pub fn report(&self) {
        if let Some(from) = &self.from {
            from.report(&self.caller.network, self.caller.generation);
        }
    }
}

impl FromRequestParts<Arc<ApiState>> for EarlyCaller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<ApiState>) -> Result<Self, Response> {
        let from = parts.extensions.get::<AnsweredFrom>().cloned();
        let caller = authenticate(&parts.headers, state, from.as_ref(), Pin::Early).await.map_err(refuse)?;
        Ok(Self { caller, from })
    }
}

impl Deref for EarlyCaller {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}
