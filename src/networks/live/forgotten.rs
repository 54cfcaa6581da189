//! The people whom a network was built without, and whether a list still names exactly them.

use std::sync::Arc;

use crate::suppress::list::Suppressions;

/// The people whom a network was built without, as entries of the list: no names are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forgotten {
    /// The people that this list names.
    named: Option<Arc<Suppressions>>,
    /// Whether an earlier list named more.
    and_more: bool,
}

impl Forgotten {
    /// Exactly the people that `wanted` names.
    pub(crate) fn named(wanted: &Arc<Suppressions>) -> Self {
        Self { named: Some(Arc::clone(wanted)), and_more: false }
    }

    /// The people forgotten already, and those that `wanted` names.
    pub(crate) fn and_named(&self, wanted: &Arc<Suppressions>) -> Self {
        Self { named: Some(Arc::clone(wanted)), and_more: !self.is_within(Some(wanted)) }
    }

    /// The list kept to, if it named anybody.
    pub(crate) fn by(&self) -> Option<&Arc<Suppressions>> {
        self.named.as_ref()
    }

    /// Whether one list names all of them, so that the network can be rebuilt from its snapshot.
    pub(crate) fn is_by_one_list(&self) -> bool {
        !self.and_more
    }

    /// Whether they are exactly the people that `wanted` names.
    pub(crate) fn is_just(&self, wanted: Option<&Arc<Suppressions>>) -> bool {
        !self.and_more && self.named.as_ref() == wanted
    }

    /// Whether `wanted` names all of them, and possibly more.
    pub(crate) fn is_within(&self, wanted: Option<&Arc<Suppressions>>) -> bool {
        let named = self.named.as_deref();
        !self.and_more && named.is_none_or(|named| wanted.is_some_and(|wanted| wanted.includes(named)))
    }
}
