//! Which people a network was made without, and whether those are the people a list names now.

use std::sync::Arc;

use crate::suppress::list::Suppressions;

/// The people whom a network was made without, as entries of the list: no names are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forgotten {
    /// Those that these name.
    named: Option<Arc<Suppressions>>,
    /// Whether there are more, which an earlier list named.
    and_more: bool,
}

impl Forgotten {
    /// Just the people that `wanted` names.
    pub(crate) fn named(wanted: &Arc<Suppressions>) -> Self {
        Self { named: Some(Arc::clone(wanted)), and_more: false }
    }

    /// Those forgotten already, and the people whom `wanted` names.
    pub(crate) fn and_named(&self, wanted: &Arc<Suppressions>) -> Self {
        Self { named: Some(Arc::clone(wanted)), and_more: !self.is_within(Some(wanted)) }
    }

    /// The part of the list that was kept to; `None` if nobody was named.
    pub(crate) fn by(&self) -> Option<&Arc<Suppressions>> {
        self.named.as_ref()
    }

    /// Whether one list names all of them, so that the network can be made again from its snapshot.
    pub(crate) fn is_by_one_list(&self) -> bool {
        !self.and_more
    }

    /// Whether they are just the people that `wanted` names.
    pub(crate) fn is_just(&self, wanted: Option<&Arc<Suppressions>>) -> bool {
        !self.and_more && self.named.as_ref() == wanted
    }

    /// Whether `wanted` names all of them, and perhaps more.
    pub(crate) fn is_within(&self, wanted: Option<&Arc<Suppressions>>) -> bool {
        let named = self.named.as_deref();
        !self.and_more && named.is_none_or(|named| wanted.is_some_and(|wanted| wanted.includes(named)))
    }
}
