//! All asks of one organization, as its events made them. A book is never changed: a later one shares what stayed.

use std::collections::HashMap;
use std::sync::Arc;

use crate::asks::ask::Ask;
use crate::asks::event::{AskEvent, AskedOver, AskedPeople};
use crate::asks::preferences::Preference;

/// An event as it was read, with the ask that it begins if it begins one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenEvent {
    /// The event.
    pub event: AskEvent,
    /// Of the first event of an ask: the member who asks, the people and how it stood.
    pub begins: Option<(String, AskedPeople, AskedOver)>,
}

/// All asks of an organization.
#[derive(Clone, Debug, Default)]
pub struct AskBook {
    /// In the order written.
    asks: Vec<Arc<Ask>>,
    places: Arc<HashMap<String, usize>>,
    /// What connectors said over their links, in the order written.
    pub preferences: Vec<Preference>,
    /// The ids of people that an import merged into others, each with the one that stayed.
    pub formerly: HashMap<String, String>,
}

impl AskBook {
    /// This book after `events`, in the order written. An event of an ask that never began is passed over.
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

    /// The ask of this id, and its place.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<(usize, &Arc<Ask>)> {
        let place = *self.places.get(id)?;
        Some((place, &self.asks[place]))
    }

    /// The id by which a person goes who was called `id`: the one that stayed when entries were merged.
    #[must_use]
    pub fn present_id<'a>(&'a self, id: &'a str) -> &'a str {
        let mut present = id;
        // As many steps as there are merges: a circle ends too.
        for _ in 0..self.formerly.len() {
            match self.formerly.get(present) {
                Some(next) => present = next,
                None => break,
            }
        }
        present
    }
}
