//! Writes asks: each write is checked against the present state, in one transaction that is on disk before it is
//! answered.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith::asks::ask::{Ask, Unfit, Writer};
use kith::asks::book::{AskBook, WrittenEvent};
use kith::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};

use crate::ask_file::books::KeptBooks;
use crate::ask_file::database::Database;
use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::rows;
use crate::ask_file::sql::{Sql, StoreAccess, lock};
use crate::ask_file::writing::{MemberWords, MemberWrite, WrittenAsk, who_may};
use crate::auth::base62;
use crate::clock;
use kith::model::time::Timestamp;

/// Random bytes in an id.
const ID_BYTES: usize = 16;
/// Digits of an id.
const ID_DIGITS: usize = 22;

/// How long an answer waits for the other machines to read the change, so that the next request finds it on any of
/// them.
const TOLD_WITHIN: Duration = Duration::from_millis(50);

/// The storage of asks, open for changes and shared by all threads of a server.
#[derive(Debug)]
pub struct AskStore {
    database: Mutex<Database>,
    /// The books of this process, which are updated before a write is answered.
    books: Option<Arc<Mutex<KeptBooks>>>,
    written: WrittenCounts,
}

/// The number of events written, by kind.
#[derive(Debug, Default)]
pub struct WrittenCounts([AtomicU64; EventKind::ALL.len()]);

impl WrittenCounts {
    /// Each kind with its count.
    pub fn by_kind(&self) -> impl Iterator<Item = (EventKind, u64)> {
        EventKind::ALL.into_iter().zip(&self.0).map(|(kind, count)| (kind, count.load(Ordering::Relaxed)))
    }

    fn count(&self, written: &WrittenAsk) {
        if written.is_new {
            self.0[written.event.kind as usize].fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl AskStore {
    /// Opens `place`: the path of a file, or the address of a server.
    ///
    /// # Errors
    /// Returns an error if it does not hold this program's tables, is not healthy, or is of a later version.
    pub fn open(place: &Path) -> Result<Self, AskStoreError> {
        Ok(Self {
            database: Mutex::new(Database::open(place, StoreAccess::Write)?),
            books: None,
            written: WrittenCounts::default(),
        })
    }

    /// Updates `books` after each change.
    pub(crate) fn with_books(self, books: Option<Arc<Mutex<KeptBooks>>>) -> Self {
        Self { books, ..self }
    }

    /// The events written by this process.
    pub fn written(&self) -> &WrittenCounts {
        &self.written
    }

    /// Runs `work` as one transaction that may write an event, and counts it.
    pub(crate) fn write_event(
        &self,
        work: impl FnOnce(&mut dyn Sql) -> Result<WrittenAsk, WriteRefused>,
    ) -> Result<WrittenAsk, WriteRefused> {
        self.change(work).inspect(|written| self.written.count(written))
    }

    /// Runs `work` as one transaction, whose commit is on disk when this returns. If `work` fails, nothing changes.
    ///
    /// # Errors
    /// Returns the error of `work`, or one if the database refuses.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, WriteRefused>,
    ) -> Result<T, WriteRefused> {
        let mut database = lock(&self.database);
        let outcome = database.change(work)?;
        if let Some(books) = &self.books {
            // The write stays even if it cannot be read again.
            let _later = database.read(|sql| KeptBooks::catch_up_in(books, sql));
            drop(database);
            clock::sleep(TOLD_WITHIN);
        }
        Ok(outcome)
    }

    /// Runs `work` over one consistent state.
    ///
    /// # Errors
    /// Returns the error of `work`, or one if the database refuses.
    pub(crate) fn read<T, E: From<AskStoreError>>(
        &self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        lock(&self.database).read(work)
    }

    /// Rewrites the storage without removed data.
    pub(crate) fn compact(&self) -> Result<(), AskStoreError> {
        lock(&self.database).compact()
    }

    /// Writes a member's event, if the rules allow it.
    ///
    /// # Errors
    /// Returns an error if it does not fit the present state, is not theirs to report, or cannot be written.
    pub fn write(&self, write: &MemberWrite, words: MemberWords) -> Result<WrittenAsk, WriteRefused> {
        let done = self.write_event(|sql| {
            let mut here = Here { sql, org: &write.org };
            if let Some(first) = here.by_key(write, &words)? {
                return Ok(first);
            }
            let written = match words {
                MemberWords::Asked(people, over) => here.ask(write, people, over)?,
                MemberWords::Outcome { ask, kind } => here.outcome(write, &ask, kind)?,
            };
            // A dry run leaves nothing.
            if write.is_dry_run { Err(WriteRefused::DryRun(Box::new(written))) } else { Ok(written) }
        });
        match done {
            Err(WriteRefused::DryRun(written)) => Ok(WrittenAsk { is_new: false, ..*written }),
            done => done,
        }
    }

    /// An earlier write equal to `write`: with its key, or the member's open ask for the same target.
    ///
    /// # Errors
    /// Returns an error if the key was used for another write, or it cannot be read.
    pub fn written_before(
        &self,
        write: &MemberWrite,
        words: &MemberWords,
    ) -> Result<Option<WrittenAsk>, WriteRefused> {
        self.read(|sql| {
            let mut here = Here { sql, org: &write.org };
            match (here.by_key(write, words)?, words) {
                (None, MemberWords::Asked(people, _)) => here.asked_before(&write.user, &people.person),
                (found, _) => Ok(found),
            }
        })
    }

    /// Appends an observed event of `ask`.
    ///
    /// # Errors
    /// Returns the errors of [`Self::write`].
    pub fn observed(
        &self,
        org: &str,
        ask: &str,
        seen: (EventKind, EventBy),
        at: Timestamp,
    ) -> Result<WrittenAsk, WriteRefused> {
        self.write_event(|sql| append(sql, org, ask, seen, at))
    }

    /// The ask with this id.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn load(&self, org: &str, ask: &str) -> Result<Option<Ask>, WriteRefused> {
        self.read(|sql| Here { sql, org }.load(ask))
    }
}

/// Appends an event from the connector's link, or an observed one, to `ask` of `org`.
///
/// # Errors
/// Returns the errors of [`AskStore::write`].
pub(crate) fn append(
    sql: &mut dyn Sql,
    org: &str,
    ask: &str,
    said: (EventKind, EventBy),
    at: Timestamp,
) -> Result<WrittenAsk, WriteRefused> {
    let mut here = Here { sql, org };
    let ask = here.load(ask)?.ok_or(WriteRefused::UnknownAsk)?;
    let writer = if said.1 == EventBy::Connector { Writer::Connector } else { Writer::Observed };
    here.append(ask, writer, said, (at, None, None))
}

/// One organization's part of the storage, in a transaction.
struct Here<'a> {
    sql: &'a mut dyn Sql,
    org: &'a str,
}

impl Here<'_> {
    /// The ask with this id.
    fn load(&mut self, id: &str) -> Result<Option<Ask>, WriteRefused> {
        let all = format!("SELECT {} FROM events WHERE org = $1 AND ask = $2 ORDER BY seq", rows::COLUMNS);
        let rows = self.sql.rows(&all, &[self.org.into(), id.into()])?;
        let events = rows.iter().map(rows::event).collect::<Result<Vec<_>, _>>()?;
        let book = AskBook::default().after(events);
        Ok(book.find(id).map(|(_, ask)| (**ask).clone()))
    }

    /// The earlier write with the key of `write`, if any.
    fn by_key(
        &mut self,
        write: &MemberWrite,
        words: &MemberWords,
    ) -> Result<Option<WrittenAsk>, WriteRefused> {
        let Some(key) = &write.key else { return Ok(None) };
        let of_key =
            format!(r#"SELECT {} FROM events WHERE org = $1 AND "user" = $2 AND key = $3"#, rows::COLUMNS);
        let found = self.sql.first(&of_key, &[self.org.into(), (&write.user).into(), key.into()])?;
        let found = found.as_ref().map(rows::event).transpose()?;
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
        &mut self,
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
        rows::insert(self.sql, self.org, &written, write.key.as_deref())?;
        let ask = self.load(&ask)?.ok_or(WriteRefused::UnknownAsk)?;
        Ok(WrittenAsk { ask, event, is_new: true })
    }

    /// The open ask of the member `user` for the target `person`, and its first event.
    fn asked_before(&mut self, user: &str, person: &str) -> Result<Option<WrittenAsk>, WriteRefused> {
        let open = self.open_ask(user, person, None)?;
        Ok(open.map(|ask| WrittenAsk { event: ask.events[0].clone(), ask, is_new: false }))
    }

    fn outcome(
        &mut self,
        write: &MemberWrite,
        id: &str,
        kind: EventKind,
    ) -> Result<WrittenAsk, WriteRefused> {
        let ask = self.load(id)?.ok_or(WriteRefused::UnknownAsk)?;
        let writer = write.writer_of(&ask);
        let said = (kind, write.by());
        self.append(ask, writer, said, (write.at, write.note.clone(), write.key.as_deref()))
    }

    fn append(
        &mut self,
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
        rows::insert(self.sql, self.org, &written, key)?;
        Ok(WrittenAsk { ask, event, is_new: true })
    }

    /// The open ask of the member `user` for the target `person`, under any of the target's ids; except the ask `but`.
    fn open_ask(&mut self, user: &str, person: &str, but: Option<&str>) -> Result<Option<Ask>, WriteRefused> {
        let mut ids = AskBook::default();
        ids.formerly = rows::merged(self.sql, self.org)?.into_iter().collect();
        let person = ids.present_id(person);
        let of_member = r#"SELECT ask, person FROM events WHERE org = $1 AND "user" = $2 AND kind = 'asked' ORDER BY seq"#;
        let asks = self.sql.rows(of_member, &[self.org.into(), user.into()])?;
        let asks = asks.iter().filter_map(|row| row.text(0).zip(row.text(1)));
        let about_them = asks.filter(|(ask, about)| ids.present_id(about) == person && but != Some(ask));
        for (id, _) in about_them {
            if let Some(ask) = self.load(id)?.filter(|ask| ask.state().is_open()) {
                return Ok(Some(ask));
            }
        }
        Ok(None)
    }
}

/// Passes every event at `place` to `take`, with its organization, in the order written.
///
/// # Errors
/// Returns an error if they cannot be read, or the error of `take`.
pub fn each_event(
    place: &Path,
    mut take: impl FnMut(&str, &WrittenEvent) -> io::Result<()>,
) -> Result<(), Box<dyn Error>> {
    let all = format!("SELECT {} FROM events ORDER BY seq", rows::COLUMNS);
    let found = Database::open(place, StoreAccess::Read)?.read(|sql| sql.rows(&all, &[]))?;
    for row in found {
        take(row.text(rows::ORG).unwrap_or_default(), &rows::event(&row)?)?;
    }
    Ok(())
}

/// A new id with this prefix.
pub(crate) fn new_id(beginning: &str) -> Result<String, AskStoreError> {
    let mut bytes = [0; ID_BYTES];
    getrandom::fill(&mut bytes).map_err(AskStoreError::Random)?;
    Ok(format!("{beginning}{}", base62::encode(&bytes, ID_DIGITS)))
}
