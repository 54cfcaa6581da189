//! Finds the members whom the owner column of a file names, in any form.

use std::collections::HashMap;

use crate::interaction::Party;
use crate::plan::PlannedHolder;
use crate::rows::NOBODY;
use kith::model::text::fold;

/// Members by the texts that may name them.
#[derive(Default)]
pub(crate) struct Owners {
    /// [`NOBODY`] for a name shared by two members.
    by_text: HashMap<String, u32>,
}

impl Owners {
    pub(crate) fn new(holders: &[PlannedHolder]) -> Self {
        let mut by_text: HashMap<String, u32> = HashMap::new();
        for (place, holder) in holders.iter().enumerate() {
            let texts = holder.emails.iter().cloned().chain(holder.handle.clone());
            for text in [fold(&holder.name)].into_iter().chain(texts) {
                by_text.entry(text).and_modify(|known| *known = NOBODY).or_insert(place as u32);
            }
        }
        Self { by_text }
    }

    /// The holder called `text`, by name, address or handle.
    pub(crate) fn named(&self, text: &str) -> Option<u32> {
        self.by_text.get(&fold(text)).copied().filter(|holder| *holder != NOBODY)
    }

    pub(crate) fn party(&self, party: &Party) -> Option<u32> {
        let texts = [party.handle.as_deref(), party.email.as_deref(), Some(party.name.as_str())];
        texts.into_iter().flatten().find_map(|text| self.named(text))
    }
}
