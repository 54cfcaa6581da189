//! All asks of one organization, built from its events. A book never changes: a later one shares the asks that stayed
//! the same.

use std::collections::HashMap;
use std::sync::Arc;

use crate::asks::ask::Ask;
use crate::asks::event::{AskEvent, AskedOver, AskedPeople};
use crate::asks::preferences::Preference;

/// An event as read; the first event of an ask also contains the initial data of the ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenEvent {
    /// The event.
    pub event: AskEvent,
    /// For the first event of an ask: the asking member, the people, and the state of the paths.
    pub begins: Option<(String, AskedPeople, AskedOver)>,
}

/// All asks of an organization.
#[derive(Clone, Debug, Default)]
pub struct AskBook {
    /// In the order written.
    asks: Vec<Arc<Ask>>,
    places: Arc<HashMap<String, usize>>,
    /// Preferences that connectors gave over their links, in the order written.
    pub preferences: Vec<Preference>,
    /// Maps the id of a person merged by an import to the id that stayed.
    pub formerly: HashMap<String, String>,
}

impl AskBook {
    /// Returns the book after `events`, in the order written. Skips an event whose ask never began.
    #[must_use]
    pub fn after(&self, events: impl IntoIterator<Item = WrittenEvent>) -> Self {
        let mut next = self.clone();
        for WrittenEvent { event, begins } in events {
            if let Some((asker, people, over)) = begins {
                let (id, place) = (event.ask.clone(), next.asks.len());
                Arc::make_mut(&mut next.places).insert(id.clone(), place);
                next.asks.push(Arc::new(Ask { id, asker, people, over, events: vec![event] }));
            } else if let Some(&place) = next.places.get(&event.ask) {
                Arc::make_mut(&mut next.asks[place]).events.push(event);
            }
        }
        next
    }

    /// The asks, in the order written.
    #[must_use]
    pub fn asks(&self) -> &[Arc<Ask>] {
        &self.asks
    }

    /// Finds the ask with this id, and its position.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<(usize, &Arc<Ask>)> {
        let place = *self.places.get(id)?;
        Some((place, &self.asks[place]))
    }

    /// Returns the present id of the person once called `id`: after merges, the id that stayed.
    #[must_use]
    pub fn present_id<'a>(&'a self, id: &'a str) -> &'a str {
        let mut present = id;
        // At most one step per merge, so that a circle ends too.
        for _ in 0..self.formerly.len() {
            match self.formerly.get(present) {
                Some(next) => present = next,
                None => break,
            }
        }
        present
    }
}
