//! The connector's link: one for each ask, void after an answer, in time, or when the ask closes otherwise.
//!
//! The code is in the link alone. What is kept is its hash.

use kith::asks::event::{EventBy, EventKind};
use kith::model::time::Timestamp;
use rusqlite::{OptionalExtension, params};
use sha2::{Digest, Sha256};

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::store::{AskStore, new_id};
use crate::ask_file::writing::WrittenAsk;

/// What a connector answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkAnswer {
    /// They make the introduction.
    Yes,
    /// They do not.
    No,
    /// Not before the day after this one, `2026-11-27`.
    NotNow(String),
    /// Never to this person.
    NeverAbout,
    /// They are never to be asked.
    NeverMe,
}

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The organization.
    pub org: String,
    /// The ask.
    pub ask: String,
    /// The text to forward.
    pub text: Option<String>,
}

impl AskStore {
    /// Makes the link of `ask`, in the place of the one before: its code. It holds until `expires_at`, in milliseconds since
    /// 1970.
    ///
    /// # Errors
    /// Returns an error if the ask is closed, or the file cannot be written.
    pub fn make_link(
        &self,
        org: &str,
        ask: &str,
        text: Option<&str>,
        expires_at: i64,
    ) -> Result<String, WriteRefused> {
        let found = self.load(org, ask)?.ok_or(WriteRefused::UnknownAsk)?;
        let state = found.state();
        if !state.is_open() {
            return Err(WriteRefused::State { wanted: EventKind::Agreed, state });
        }
        let code = new_id("")?;
        let error = AskStoreError::at(self.path());
        self.change(|change| {
            let made = change.execute(
                "INSERT OR REPLACE INTO links (ask, org, code, text, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![ask, org, hash(&code), text, expires_at],
            );
            Ok(made.map(drop).map_err(&error)?)
        })?;
        Ok(code)
    }

    /// What `code` leads to at `now`, in milliseconds since 1970; `None` for a code that is void or never was.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn linked(&self, code: &str, now: i64) -> Result<Option<Linked>, WriteRefused> {
        let error = AskStoreError::at(self.path());
        let found = self.change(|change| {
            let found = change
                .query_row(
                    "SELECT org, ask, text FROM links WHERE code = ?1 AND expires_at > ?2",
                    params![hash(code), now],
                    |row| Ok(Linked { org: row.get(0)?, ask: row.get(1)?, text: row.get(2)? }),
                )
                .optional();
            Ok(found.map_err(&error)?)
        })?;
        let Some(linked) = found else { return Ok(None) };
        let ask = self.load(&linked.org, &linked.ask)?;
        Ok(ask.filter(|ask| ask.state().is_open()).map(|_| linked))
    }

    /// Writes the `answer` that the connector gives over the link with `code`, which is void then. With `is_direct` the ask has no
    /// connector, so the preferences name the `connector` given.
    ///
    /// # Errors
    /// Returns an error if the link is void, the answer does not follow the state, or the file cannot be written.
    pub fn answer(
        &self,
        code: &str,
        answer: &LinkAnswer,
        now: (Timestamp, i64),
    ) -> Result<WrittenAsk, WriteRefused> {
        let linked = self.linked(code, now.1)?.ok_or(WriteRefused::UnknownAsk)?;
        let error = AskStoreError::at(self.path());
        self.change(|change| {
            // Of two answers at once the second finds no link.
            let gone = change.execute("DELETE FROM links WHERE code = ?1", [hash(code)]).map_err(&error)?;
            if gone == 0 {
                return Err(WriteRefused::UnknownAsk);
            }
            let kind = if *answer == LinkAnswer::Yes { EventKind::Agreed } else { EventKind::Declined };
            let Linked { org, ask, .. } = &linked;
            let said = (kind, EventBy::Connector);
            let written = Self::append(change, self.path(), org, ask, said, now.0)?;
            let people = &written.ask.people;
            let (target, until) = match answer {
                LinkAnswer::Yes | LinkAnswer::No => return Ok(written),
                LinkAnswer::NotNow(until) => (None, Some(until)),
                LinkAnswer::NeverAbout => (Some(&people.person), None),
                LinkAnswer::NeverMe => (None, None),
            };
            if let Some(connector) = &people.connector {
                let insert = change.execute(
                    "INSERT INTO preferences (org, connector, target, until, ask, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![org, connector, target, until, ask, now.0.to_rfc3339_ms()],
                );
                insert.and_then(|_| change.execute("UPDATE epoch SET number = number + 1", [])).map_err(&error)?;
            }
            Ok(written)
        })
    }

    /// Takes back what the person `connector` said over links, under any of the ids `also`: how many preferences.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn allow(&self, org: &str, connectors: &[String]) -> Result<usize, WriteRefused> {
        let error = AskStoreError::at(self.path());
        self.change(|change| {
            let mut gone = 0;
            for connector in connectors {
                gone += change
                    .execute("DELETE FROM preferences WHERE org = ?1 AND connector = ?2", [org, connector])
                    .map_err(&error)?;
            }
            change.execute("UPDATE epoch SET number = number + 1", []).map_err(&error)?;
            Ok(gone)
        })
    }
}

/// The address `url` of a service, without a slash at its end. Returns `None` if it is no `http` or `https` address.
#[must_use]
pub fn public_address(url: &str) -> Option<String> {
    let url = url.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let is_plain = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || "?#\"<>@".contains(c));
    is_plain.then(|| url.to_owned())
}

fn hash(code: &str) -> [u8; 32] {
    Sha256::digest(code.as_bytes()).into()
}
