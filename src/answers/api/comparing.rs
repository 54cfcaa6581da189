//! Changes between two generations, computed once for all callers: a separate task compares everybody, in short turns.
//! It queues for each turn like a request of the organization, behind all earlier ones.
//!
//! It begins as soon as a generation replaces one that is kept, so callers hardly ever wait for it.

use std::sync::Arc;

use crate::admission::class::Class;
use crate::api::state::ApiState;
use crate::clock;
use crate::limits::{CHANGES_PAUSE, CHANGES_TURN, CHANGES_WAIT_MAX};
use crate::live::predecessor::{Noting, Predecessor};
use crate::query::changes::NotedChange;

/// The changes since `predecessor`, in order; the first caller starts computing them, and all wait for the result.
/// `None` if it does not come in time.
pub(crate) async fn changes_since(
    predecessor: &Arc<Predecessor>,
    organization: &str,
    state: &Arc<ApiState>,
) -> Option<Arc<Vec<NotedChange>>> {
    if predecessor.is_same() {
        return Some(Arc::default());
    }
    if let Some(noting) = predecessor.start_noting() {
        tokio::spawn(note(noting, organization.to_owned(), Arc::clone(state)));
    }
    tokio::time::timeout(CHANGES_WAIT_MAX, predecessor.noted()).await.ok()?
}

/// Computes the changes since each kept generation as soon as it is replaced, one organization after the other. Runs as
/// long as the gate can bring another generation.
pub async fn note_ahead(state: Arc<ApiState>) {
    let mut swaps = state.gate.swaps();
    loop {
        while let Some((organization, noting)) = state.gate.start_noting() {
            note(noting, organization, Arc::clone(&state)).await;
        }
        if swaps.changed().await.is_err() {
            return;
        }
    }
}

/// Compares everybody until it is done or no longer needed.
async fn note(noting: Noting, organization: String, state: Arc<ApiState>) {
    let predecessor = Arc::clone(noting.of());
    let comparison = predecessor.comparison(&state.limits);
    let (mut people, mut changes) = (comparison.everybody(), Vec::new());
    while !predecessor.is_over() {
        let Ok(permit) = state.admission.acquire(&organization, Class::Long).await else {
            tokio::time::sleep(CHANGES_PAUSE).await;
            continue;
        };
        let began = clock::now();
        while clock::now().saturating_duration_since(began) < CHANGES_TURN {
            let Some(person) = people.next() else { return noting.done(changes) };
            comparison.note(person, &mut changes);
        }
        drop(permit);
        tokio::task::yield_now().await;
    }
}
