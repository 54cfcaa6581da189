//! Who is asked most on the paths to many targets.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::query::card::{MemberCard, PersonCard};
use crate::query::paths::answer::WarmPath;

/// How many targets each member reaches through each connector, on the paths that are shown.
#[derive(Debug, Default)]
pub struct AskedMost {
    pairs: HashMap<(PersonIx, MemberIx), Pair>,
    /// The number of targets.
    targets: u32,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    targets: u32,
    /// The number of the last target that was counted.
    last: u32,
}

/// A connector whom a member asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedConnector<'a> {
    /// The person who is asked; on a direct path the member's own.
    pub connector: PersonCard<'a>,
    /// The member who asks.
    pub from: MemberCard<'a>,
    /// For how many targets.
    pub targets: u32,
}

impl AskedMost {
    /// Counts the `paths` that are shown to one more target: of a connector and a member once.
    pub fn count(&mut self, paths: &[WarmPath]) {
        self.targets += 1;
        for path in paths {
            let pair = self.pairs.entry((path.connector, path.member));
            let pair = pair.or_insert(Pair { targets: 0, last: 0 });
            pair.targets += u32::from(pair.last != self.targets);
            pair.last = self.targets;
        }
    }

    /// The `most` who are asked for most targets; ties by the connector's id, then the user's.
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
