//! The people asked most often on the paths to many targets.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::query::card::{MemberCard, PersonCard};
use crate::query::paths::answer::WarmPath;

/// Counts the targets that each member reaches through each connector, on the paths shown.
#[derive(Debug, Default)]
pub struct AskedMost {
    pairs: HashMap<(PersonIx, MemberIx), Pair>,
    /// The number of targets.
    targets: u32,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    targets: u32,
    /// The number of the last target counted.
    last: u32,
}

/// A connector whom a member asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedConnector<'a> {
    /// The person asked; on a direct path the member.
    pub connector: PersonCard<'a>,
    /// The member who asks.
    pub from: MemberCard<'a>,
    /// The number of targets.
    pub targets: u32,
}

impl AskedMost {
    /// Counts the `paths` shown to one more target; each pair of connector and member counts once.
    pub fn count(&mut self, paths: &[WarmPath]) {
        self.targets += 1;
        for path in paths {
            let pair = self.pairs.entry((path.connector, path.member));
            let pair = pair.or_insert(Pair { targets: 0, last: 0 });
            pair.targets += u32::from(pair.last != self.targets);
            pair.last = self.targets;
        }
    }

    /// The `most` pairs with the most targets; ties go to the lesser connector id, then user id.
    #[must_use]
    pub fn first<'a>(&self, index: &'a GraphIndex, most: usize) -> Vec<AskedConnector<'a>> {
        let mut pairs: Vec<_> = self
            .pairs
            .iter()
            .map(|(&(connector, member), pair)| (Reverse(pair.targets), connector, member))
            .collect();
        pairs.sort_unstable();
        let row =
            |&(Reverse(targets), connector, member): &(Reverse<u32>, PersonIx, MemberIx)| AskedConnector {
                connector: PersonCard::of(index, connector),
                from: MemberCard::of(index, member),
                targets,
            };
        pairs.iter().take(most).map(row).collect()
    }
}
