//! The connector's link: one per ask, void after an answer, after some time, or when the ask closes otherwise.
//!
//! Only the link contains the code. The file keeps its hash.

use kith::asks::event::{EventBy, EventKind};
use kith::model::time::Timestamp;

use crate::ask_file::error::WriteRefused;
use crate::ask_file::rows::raise_epoch;
use crate::ask_file::sql::SqlCell;
use crate::ask_file::store::{AskStore, append, new_id};
use crate::ask_file::writing::WrittenAsk;
use crate::auth::link;

/// A connector's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkAnswer {
    /// They make the introduction.
    Yes,
    /// They do not.
    No,
    /// Not before the day after this one, such as `2026-11-27`.
    NotNow(String),
    /// Never about this person.
    NeverAbout,
    /// They never want to be asked.
    NeverMe,
}

/// The target of a link.
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
    /// Makes the link of `ask`, replacing an earlier one, and returns its code. It expires at `expires_at`, in
    /// milliseconds since 1970.
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
        self.change(|sql| {
            let replace = "INSERT INTO links (ask, org, code, text, expires_at) VALUES ($1, $2, $3, $4, $5) \
                           ON CONFLICT (ask) DO UPDATE SET code = excluded.code, text = excluded.text, \
                           expires_at = excluded.expires_at";
            let row = [ask.into(), org.into(), hash(&code), text.into(), expires_at.into()];
            Ok(sql.execute(replace, &row).map(drop)?)
        })?;
        Ok(code)
    }

    /// The target of `code` at `now`, in milliseconds since 1970; `None` if the code is void or unknown.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn linked(&self, code: &str, now: i64) -> Result<Option<Linked>, WriteRefused> {
        let of_code = "SELECT org, ask, text FROM links WHERE code = $1 AND expires_at > $2";
        let found = self.read(|sql| sql.first(of_code, &[hash(code), now.into()]))?;
        let linked = found.and_then(|row| {
            let (org, ask) = row.owned(0).zip(row.owned(1))?;
            Some(Linked { org, ask, text: row.owned(2) })
        });
        let Some(linked) = linked else { return Ok(None) };
        let ask = self.load(&linked.org, &linked.ask)?;
        Ok(ask.filter(|ask| ask.state().is_open()).map(|_| linked))
    }

    /// Writes the connector's `answer` over the link with `code`, which is then void.
    ///
    /// # Errors
    /// Returns an error if the link is void, the answer does not follow the state, or it cannot be written.
    pub fn answer(
        &self,
        code: &str,
        answer: &LinkAnswer,
        now: (Timestamp, i64),
    ) -> Result<WrittenAsk, WriteRefused> {
        let linked = self.linked(code, now.1)?.ok_or(WriteRefused::UnknownAsk)?;
        self.write_event(|sql| {
            // Of two concurrent answers the second finds no link.
            if sql.execute("DELETE FROM links WHERE code = $1", &[hash(code)])? == 0 {
                return Err(WriteRefused::UnknownAsk);
            }
            let kind = if *answer == LinkAnswer::Yes { EventKind::Agreed } else { EventKind::Declined };
            let Linked { org, ask, .. } = &linked;
            let written = append(sql, org, ask, (kind, EventBy::Connector), now.0)?;
            let people = &written.ask.people;
            let (target, until) = match answer {
                LinkAnswer::Yes | LinkAnswer::No => return Ok(written),
                LinkAnswer::NotNow(until) => (None, Some(until)),
                LinkAnswer::NeverAbout => (Some(&people.person), None),
                LinkAnswer::NeverMe => (None, None),
            };
            if let Some(connector) = &people.connector {
                let insert = "INSERT INTO preferences (org, connector, target, until, ask, at) \
                              VALUES ($1, $2, $3, $4, $5, $6)";
                let at = now.0.to_rfc3339_ms();
                let row =
                    [org.into(), connector.into(), target.into(), until.into(), ask.into(), (&at).into()];
                sql.execute(insert, &row)?;
                raise_epoch(sql)?;
            }
            Ok(written)
        })
    }

    /// Removes the preferences a person gave over links, under any of their ids `connectors`; returns their number.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn allow(&self, org: &str, connectors: &[String]) -> Result<usize, WriteRefused> {
        self.change(|sql| {
            let mut gone = 0;
            for connector in connectors {
                let theirs = "DELETE FROM preferences WHERE org = $1 AND connector = $2";
                gone += sql.execute(theirs, &[org.into(), connector.into()])?;
            }
            raise_epoch(sql)?;
            Ok(gone)
        })
    }
}

fn hash(code: &str) -> SqlCell {
    SqlCell::Bytes(link::hash(code).to_vec())
}
