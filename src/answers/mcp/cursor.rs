//! Cursors: positions in a list, valid only for the same arguments and the same network.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::api::error::ApiError;
use crate::mcp::refused::Refused;

/// The identity of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct List {
    question: u32,
    network: u32,
}

impl List {
    /// The list that answers `question`, from `network`.
    pub(super) fn new(question: &impl Hash, network: &impl Hash) -> Self {
        Self { question: fingerprint(question), network: fingerprint(network) }
    }

    /// The cursor for the entry at `offset`.
    pub(super) fn cursor(self, offset: u64) -> String {
        format!("{offset}.{:08x}.{:08x}", self.question, self.network)
    }

    /// The offset of `cursor` in this list.
    ///
    /// # Errors
    /// Returns an error if the cursor belongs to another list, or to this one before the network changed.
    pub(super) fn offset(self, cursor: &str) -> Result<u64, Refused> {
        let expected = "next_cursor of an answer to the same arguments";
        let refuse = || Refused::from(ApiError::invalid("cursor", cursor, expected));
        let (offset, list) = cursor.split_once('.').ok_or_else(refuse)?;
        let (question, network) = list.split_once('.').ok_or_else(refuse)?;
        let offset = offset.parse().map_err(|_| refuse())?;
        let is = |text: &str, number: u32| u32::from_str_radix(text, 16) == Ok(number);
        match (is(question, self.question), is(network, self.network)) {
            (false, _) => Err(refuse()),
            (true, false) => Err(Refused::Changed),
            (true, true) => Ok(offset),
        }
    }
}

/// The same in every process of this program: there is no random key.
fn fingerprint(of: &impl Hash) -> u32 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_holds_for_the_same_list_alone() {
        let list = List::new(&"a", &1);
        let cursor = list.cursor(20);
        assert_eq!(list.offset(&cursor), Ok(20));
        assert_eq!(List::new(&"a", &2).offset(&cursor), Err(Refused::Changed));
        for broken in ["", "20", "20.x.y", "-1.0.0", "x", &cursor[1..], &cursor.replace("20.", "20x.")] {
            let refused = list.offset(broken).is_err() || broken == &cursor[1..];
            assert!(refused, "{broken}");
        }
        assert!(matches!(List::new(&"b", &1).offset(&cursor), Err(Refused::Like(_))));
    }
}
