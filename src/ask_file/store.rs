//! Writing to the file of asks: each write is checked against what is there, in one transaction that is on the disk before
//! it is answered.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kith::asks::ask::{Ask, Unfit, Writer};
use kith::asks::book::{AskBook, WrittenEvent};
use kith::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::writing::{MemberWords, MemberWrite, WrittenAsk, who_may};
use crate::ask_file::{file, rows};
use crate::auth::base62;
use kith::model::time::Timestamp;

/// Random bytes in an id.
const ID_BYTES: usize = 16;
/// Digits that hold them.
const ID_DIGITS: usize = 22;

/// The file of asks, open for changes. Shared by all threads of a server.
#[derive(Debug)]
pub struct AskStore {
    path: PathBuf,
    writer: Mutex<Connection>,
}

impl AskStore {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a healthy file of this version.
    pub fn open(path: &Path) -> Result<Self, AskStoreError> {
        let path = file::absolute(path)?;
        Ok(Self { writer: Mutex::new(file::open_writer(&path)?), path })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The connection. A change that panicked was taken back.
    pub(crate) fn writer(&self) -> MutexGuard<'_, Connection> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` as one transaction, whose commit is on the disk when this returns. What `work` refuses changes nothing.
    ///
    /// # Errors
    /// Returns the error of `work`, or one if the file cannot be written.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, WriteRefused>,
    ) -> Result<T, WriteRefused> {
        let error = AskStoreError::at(&self.path);
        let writer = self.writer();
        let change = Transaction::new_unchecked(&writer, TransactionBehavior::Immediate).map_err(&error)?;
        let outcome = work(&change)?;
        change.commit().map_err(&error)?;
        Ok(outcome)
    }

    /// Writes what a member says, if the rules allow it.
    ///
    /// # Errors
    /// Returns an error if it does not fit what is there, is not theirs to say, or the file cannot be written.
    pub fn write(&self, write: &MemberWrite, words: MemberWords) -> Result<WrittenAsk, WriteRefused> {
        let error = AskStoreError::at(&self.path);
        let done = self.change(|change| {
            let here = Here { connection: change, org: &write.org, error: &error };
            if let Some(first) = here.by_key(write, &words)? {
                return Ok(first);
            }
            let written = match words {
                MemberWords::Asked(people, over) => here.ask(write, people, over)?,
                MemberWords::Outcome { ask, kind } => here.outcome(write, &ask, kind)?,
            };
            // Nothing of a dry run stays.
            if write.is_dry_run { Err(DryRun(written).into()) } else { Ok(written) }
        });
        match done {
            Err(WriteRefused::DryRun(written)) => Ok(WrittenAsk { is_new: false, ..*written }),
            done => done,
        }
    }

    /// What is there already of what `write` would write: by its key, or the open ask of the member for the same target.
    ///
    /// # Errors
    /// Returns an error if the key was used for something else, or the file cannot be read.
    pub fn written_before(
        &self,
        write: &MemberWrite,
        words: &MemberWords,
    ) -> Result<Option<WrittenAsk>, WriteRefused> {
        let error = AskStoreError::at(&self.path);
        self.change(|change| {
            let here = Here { connection: change, org: &write.org, error: &error };
            match (here.by_key(write, words)?, words) {
                (None, MemberWords::Asked(people, _)) => here.asked_before(&write.user, &people.person),
                (found, _) => Ok(found),
            }
        })
    }

    /// Appends what was observed of `ask`.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn observed(
        &self,
        org: &str,
        ask: &str,
        seen: (EventKind, EventBy),
        at: Timestamp,
    ) -> Result<WrittenAsk, WriteRefused> {
        self.change(|change| Self::append(change, self.path(), org, ask, seen, at))
    }

    /// Appends `kind` to `ask` of `org`, said by the connector over their link or by what was observed.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(crate) fn append(
        change: &Transaction<'_>,
        path: &Path,
        org: &str,
        ask: &str,
        said: (EventKind, EventBy),
        at: Timestamp,
    ) -> Result<WrittenAsk, WriteRefused> {
        let here = Here { connection: change, org, error: &AskStoreError::at(path) };
        let ask = here.load(ask)?.ok_or(WriteRefused::UnknownAsk)?;
        let writer = if said.1 == EventBy::Connector { Writer::Connector } else { Writer::Observed };
        here.append(ask, writer, said, (at, None, None))
    }

    /// The ask of this id as the file has it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn load(&self, org: &str, ask: &str) -> Result<Option<Ask>, WriteRefused> {
        let error = AskStoreError::at(&self.path);
        self.change(|change| Here { connection: change, org, error: &error }.load(ask))
    }
}

/// What would have been written: it takes the transaction back.
struct DryRun(WrittenAsk);

impl From<DryRun> for WriteRefused {
    fn from(run: DryRun) -> Self {
        Self::DryRun(Box::new(run.0))
    }
}

/// One organization's part of the file, in a transaction.
struct Here<'a> {
    connection: &'a Connection,
    org: &'a str,
    error: &'a dyn Fn(rusqlite::Error) -> AskStoreError,
}

impl Here<'_> {
    fn said<T>(&self, outcome: rusqlite::Result<T>) -> Result<T, WriteRefused> {
        Ok(outcome.map_err(self.error)?)
    }

    /// The ask of this id.
    fn load(&self, id: &str) -> Result<Option<Ask>, WriteRefused> {
        let sql = format!("SELECT {} FROM events WHERE org = ?1 AND ask = ?2 ORDER BY seq", rows::COLUMNS);
        let events = self.said(self.connection.prepare_cached(&sql).and_then(|mut events| {
            events.query_map([self.org, id], rows::event)?.collect::<rusqlite::Result<Vec<_>>>()
        }))?;
        let book = AskBook::default().after(events);
        Ok(book.find(id).map(|(_, ask)| (**ask).clone()))
    }

    /// What was written by the key of `write`, if anything was.
    fn by_key(&self, write: &MemberWrite, words: &MemberWords) -> Result<Option<WrittenAsk>, WriteRefused> {
        let Some(key) = &write.key else { return Ok(None) };
        let sql = format!("SELECT {} FROM events WHERE org = ?1 AND user = ?2 AND key = ?3", rows::COLUMNS);
        let found =
            self.said(self.connection.prepare_cached(&sql).and_then(|mut found| {
                found.query_row([self.org, &write.user, key], rows::event).optional()
            }))?;
        let Some(WrittenEvent { event, begins }) = found else { return Ok(None) };
        let is_same = match words {
            MemberWords::Asked(people, _) => begins.as_ref().is_some_and(|(_, first, _)| first == people),
            MemberWords::Outcome { ask, kind } => *ask == event.ask && *kind == event.kind,
        };
        let ask = self.load(&event.ask)?.ok_or(WriteRefused::UnknownAsk)?;
        if !is_same {
            let first = format!("{} of {}", event.kind.name(), event.ask);
            return Err(WriteRefused::KeyUsed { first });
        }
        Ok(Some(WrittenAsk { ask, event, is_new: false }))
    }

    fn ask(
        &self,
        write: &MemberWrite,
        people: AskedPeople,
        over: AskedOver,
    ) -> Result<WrittenAsk, WriteRefused> {
        if let Some(first) = self.asked_before(&write.user, &people.person)? {
            return Ok(first);
        }
        let event = AskEvent {
            id: new_id("event_")?,
            ask: new_id("ask_")?,
            at: write.at,
            kind: EventKind::Asked,
            by: write.by(),
            note: write.note.clone(),
            undoes: None,
        };
        let ask = event.ask.clone();
        let begins = Some((write.user.clone(), people, over));
        let written = WrittenEvent { event: event.clone(), begins };
        self.said(rows::insert(self.connection, self.org, &written, write.key.as_deref()))?;
        let ask = self.load(&ask)?.ok_or(WriteRefused::UnknownAsk)?;
        Ok(WrittenAsk { ask, event, is_new: true })
    }

    /// The open ask of the member `user` for the target `person`, and its first event.
    fn asked_before(&self, user: &str, person: &str) -> Result<Option<WrittenAsk>, WriteRefused> {
        let open = self.open_ask(user, person, None)?;
        Ok(open.map(|ask| WrittenAsk { event: ask.events[0].clone(), ask, is_new: false }))
    }

    fn outcome(&self, write: &MemberWrite, id: &str, kind: EventKind) -> Result<WrittenAsk, WriteRefused> {
        let ask = self.load(id)?.ok_or(WriteRefused::UnknownAsk)?;
        let writer = write.writer_of(&ask);
        let said = (kind, write.by());
        self.append(ask, writer, said, (write.at, write.note.clone(), write.key.as_deref()))
    }

    fn append(
        &self,
        mut ask: Ask,
        writer: Writer,
        (kind, by): (EventKind, EventBy),
        (at, note, key): (Timestamp, Option<String>, Option<&str>),
    ) -> Result<WrittenAsk, WriteRefused> {
        ask.check(kind, writer).map_err(|unfit| match unfit {
            Unfit::NotTheirs => WriteRefused::NotTheirs { of: who_may(kind) },
            Unfit::State(state) => WriteRefused::State { wanted: kind, state },
        })?;
        let undoes = (kind == EventKind::Reopened).then(|| ask.standing().id.clone());
        let event = AskEvent { id: new_id("event_")?, ask: ask.id.clone(), at, kind, by, note, undoes };
        ask.events.push(event.clone());
        if kind == EventKind::Reopened
            && ask.state().is_open()
            && let Some(other) = self.open_ask(&ask.asker, &ask.people.person, Some(&ask.id))?
        {
            return Err(WriteRefused::OtherOpen { other: other.id });
        }
        let written = WrittenEvent { event: event.clone(), begins: None };
        self.said(rows::insert(self.connection, self.org, &written, key))?;
        Ok(WrittenAsk { ask, event, is_new: true })
    }

    /// The open ask of the member `user` for the target `person`, under any id that they had; `but` one.
    fn open_ask(&self, user: &str, person: &str, but: Option<&str>) -> Result<Option<Ask>, WriteRefused> {
        let formerly = self.said(rows::merged(self.connection, self.org))?.into_iter().collect();
        let mut ids = AskBook::default();
        ids.formerly = formerly;
        let person = ids.present_id(person);
        let asks = self.said(
            self.connection
                .prepare_cached(
                    "SELECT ask, person FROM events WHERE org = ?1 AND user = ?2 AND kind = 'asked' ORDER BY seq",
                )
                .and_then(|mut asks| {
                    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
                    asks.query_map([self.org, user], read)?
                        .collect::<rusqlite::Result<Vec<(String, String)>>>()
                }),
        )?;
        let about_them =
            asks.iter().filter(|(ask, about)| ids.present_id(about) == person && but != Some(ask));
        for (id, _) in about_them {
            if let Some(ask) = self.load(id)?.filter(|ask| ask.state().is_open()) {
                return Ok(Some(ask));
            }
        }
        Ok(None)
    }
}

/// A new id with this beginning.
pub(crate) fn new_id(beginning: &str) -> Result<String, AskStoreError> {
    let mut bytes = [0; ID_BYTES];
    getrandom::fill(&mut bytes).map_err(AskStoreError::Random)?;
    Ok(format!("{beginning}{}", base62::encode(&bytes, ID_DIGITS)))
}
