//! What a user token may do. Organization keys have no scopes: they read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The scopes of a token. Every endpoint of the API reads, so `mcp:read` is the one that is asked for. `feed` stands alone:
/// such a token fetches the member's feed and opens nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Scopes {
    read: bool,
    write: bool,
    /// No session is of such a token.
    #[serde(skip)]
    feed: bool,
}

/// The name of the scope of a feed.
const FEED: &str = "feed";

impl Scopes {
    /// `mcp:read` alone: what a token has unless more is asked for.
    pub const READ: Self = Self { read: true, write: false, feed: false };

    /// All that a caller of the API can have.
    pub const ALL: Self = Self { read: true, write: true, feed: false };

    /// `feed`.
    pub const FEED: Self = Self { read: false, write: false, feed: true };

    /// The scopes of a token of the store, as their `Display` wrote them.
    #[must_use]
    pub fn stored(list: &str) -> Self {
        if list == FEED { Self::FEED } else { Self::granted_by(list) }
    }

    /// The known scopes of callers of the API in a space-separated list (RFC 6749, section 3.3); unknown ones grant nothing.
    #[must_use]
    pub fn granted_by(list: &str) -> Self {
        let mut scopes = Self::default();
        for word in list.split(' ') {
            scopes.grant(word);
        }
        scopes
    }

    /// Whether `mcp:read` is among them.
    #[must_use]
    pub fn has_read(self) -> bool {
        self.read
    }

    /// Whether `mcp:write` is among them.
    #[must_use]
    pub fn has_write(self) -> bool {
        self.write
    }

    /// Whether it is `feed`.
    #[must_use]
    pub fn is_feed(self) -> bool {
        self.feed
    }

    /// Their names, always in the same order.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        [(self.read, "mcp:read"), (self.write, "mcp:write"), (self.feed, FEED)]
            .iter()
            .filter(|(has, _)| *has)
            .map(|(_, name)| *name)
            .collect()
    }

    /// Adds the scope that `word` names. Returns false if no scope has that name.
    fn grant(&mut self, word: &str) -> bool {
        match word {
            "mcp:read" => self.read = true,
            "mcp:write" => self.write = true,
            _ => return false,
        }
        true
    }
}

/// Writes the scopes as a space-separated list, always in the same order.
impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(" "))
    }
}

/// Reads what a person wrote: known scopes, at least one, separated by spaces or commas.
impl FromStr for Scopes {
    type Err = ScopeError;

    fn from_str(list: &str) -> Result<Self, ScopeError> {
        let mut scopes = Self::default();
        for word in list.split([' ', ',']).filter(|word| !word.is_empty()) {
            if word == FEED {
                scopes.feed = true;
            } else if !scopes.grant(word) {
                return Err(ScopeError::Unknown);
            }
        }
        match scopes {
            Self { read: false, write: false, feed: false } => Err(ScopeError::Empty),
            Self { feed: true, .. } if scopes != Self::FEED => Err(ScopeError::FeedAmongOthers),
            _ => Ok(scopes),
        }
    }
}

/// Why a list of scopes is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// It names no scope at all.
    #[error("no scope is named; write mcp:read, mcp:write or both, or feed")]
    Empty,
    /// It names `feed` beside another one.
    #[error("feed stands alone; write feed, or mcp:read, mcp:write or both")]
    FeedAmongOthers,
    /// It holds a word that is no scope.
    #[error("not a scope; write mcp:read, mcp:write or both, separated by a space or a comma, or feed")]
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_may_separate_scopes_by_spaces_or_commas() {
        for (list, written) in [
            ("mcp:read", "mcp:read"),
            ("mcp:write", "mcp:write"),
            ("mcp:write, mcp:read", "mcp:read mcp:write"),
            (" mcp:read  mcp:read,", "mcp:read"),
            ("feed", "feed"),
            (" feed,feed", "feed"),
        ] {
            assert_eq!(
                list.parse::<Scopes>().map(|scopes| scopes.to_string()).as_deref(),
                Ok(written),
                "{list}"
            );
        }
    }

    #[test]
    fn what_is_no_scope_is_refused() {
        for list in ["", " ", ","] {
            assert_eq!(list.parse::<Scopes>(), Err(ScopeError::Empty), "{list}");
        }
        for list in ["mcp", "mcp:read;mcp:write", "MCP:READ", "mcp:read admin", "mcp:read\tmcp:write"] {
            assert_eq!(list.parse::<Scopes>(), Err(ScopeError::Unknown), "{list}");
        }
    }

    #[test]
    fn feed_stands_alone_and_no_issuer_grants_it() {
        for list in ["feed mcp:read", "mcp:write,feed"] {
            assert_eq!(list.parse::<Scopes>(), Err(ScopeError::FeedAmongOthers), "{list}");
        }
        let stored = Scopes::stored(&Scopes::FEED.to_string());
        assert!(stored.is_feed() && !stored.has_read() && !stored.has_write());
        for list in ["feed", "feed mcp:read", "mcp:read feed"] {
            assert!(!Scopes::granted_by(list).is_feed(), "{list}");
        }
        for list in ["mcp:read", "mcp:read mcp:write", "feed mcp:read", "Feed", ""] {
            assert!(!Scopes::stored(list).is_feed(), "{list}");
        }
    }

    #[test]
    fn unknown_scopes_of_a_token_grant_nothing() {
        assert!(Scopes::granted_by("openid mcp:read").has_read());
        for list in ["", "mcp:write", "mcp:readonly", "MCP:READ", "xmcp:read"] {
            assert!(!Scopes::granted_by(list).has_read(), "{list}");
        }
        assert_eq!(Scopes::granted_by("mcp:write").to_string(), "mcp:write");
        assert_eq!(Scopes::READ.to_string(), "mcp:read");
    }
}
