//! What a user token may do. Organization keys have no scopes: they read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::named::named;

/// The scopes of a token. Every endpoint of the API reads, so `mcp:read` is the one that is asked for. `feed` and `link` stand
/// alone: such a token fetches the member's feed, or logs them in to the page once, and opens nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Scopes {
    read: bool,
    write: bool,
    /// No session is of such a token.
    #[serde(skip)]
    alone: Option<LoneScope>,
}

/// A scope that stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoneScope {
    /// To fetch the member's feed.
    Feed,
    /// To log in to the page, once.
    Link,
}

named! {
    /// Both.
    LoneScope { Feed = "feed", Link = "link" }
}

impl LoneScope {
    fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|alone| alone.name() == word)
    }
}

impl Scopes {
    /// `mcp:read` alone: what a token has unless more is asked for.
    pub const READ: Self = Self { read: true, write: false, alone: None };

    /// All that a caller of the API can have.
    pub const ALL: Self = Self { read: true, write: true, alone: None };

    /// `feed`.
    pub const FEED: Self = Self { read: false, write: false, alone: Some(LoneScope::Feed) };

    /// `link`.
    pub const LINK: Self = Self { read: false, write: false, alone: Some(LoneScope::Link) };

    /// The scopes of a token of the store, as their `Display` wrote them.
    #[must_use]
    pub fn stored(list: &str) -> Self {
        match LoneScope::of(list) {
            Some(alone) => Self { alone: Some(alone), ..Self::default() },
            None => Self::granted_by(list),
        }
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

    /// The scope that stands alone, if it is one.
    #[must_use]
    pub fn alone(self) -> Option<LoneScope> {
        self.alone
    }

    /// Their names, always in the same order.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let readers = [(self.read, "mcp:read"), (self.write, "mcp:write")];
        let named = readers.into_iter().filter(|(has, _)| *has).map(|(_, name)| name);
        named.chain(self.alone.map(LoneScope::name)).collect()
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
            match LoneScope::of(word) {
                Some(alone) if scopes.alone.is_none_or(|other| other == alone) => scopes.alone = Some(alone),
                Some(_) => return Err(ScopeError::NotAlone),
                None if !scopes.grant(word) => return Err(ScopeError::Unknown),
                None => {}
            }
        }
        match scopes {
            Self { read: false, write: false, alone: None } => Err(ScopeError::Empty),
            Self { read, write, alone: Some(_) } if read || write => Err(ScopeError::NotAlone),
            _ => Ok(scopes),
        }
    }
}

/// Why a list of scopes is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// It names no scope at all.
    #[error("no scope is named; write mcp:read, mcp:write or both, or feed, or link")]
    Empty,
    /// It names `feed` or `link` beside another one.
    #[error("feed and link stand alone; write one of them, or mcp:read, mcp:write or both")]
    NotAlone,
    /// It holds a word that is no scope.
    #[error(
        "not a scope; write mcp:read, mcp:write or both, separated by a space or a comma, or feed, or link"
    )]
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
            ("link", "link"),
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
    fn feed_and_link_stand_alone_and_no_issuer_grants_them() {
        for list in ["feed mcp:read", "mcp:write,feed", "link mcp:read", "feed link", "link,feed"] {
            assert_eq!(list.parse::<Scopes>(), Err(ScopeError::NotAlone), "{list}");
        }
        for (scopes, alone) in [(Scopes::FEED, LoneScope::Feed), (Scopes::LINK, LoneScope::Link)] {
            let stored = Scopes::stored(&scopes.to_string());
            assert!(stored.alone() == Some(alone) && !stored.has_read() && !stored.has_write());
        }
        for list in ["feed", "feed mcp:read", "mcp:read feed", "link", "link mcp:write"] {
            assert_eq!(Scopes::granted_by(list).alone(), None, "{list}");
        }
        for list in ["mcp:read", "mcp:read mcp:write", "feed mcp:read", "feed link", "Feed", "Link", ""] {
            assert_eq!(Scopes::stored(list).alone(), None, "{list}");
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
