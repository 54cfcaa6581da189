//! The rows of the file, and what they are in memory.

use std::error::Error;
use std::io;
use std::path::Path;

use kith::asks::book::WrittenEvent;
use kith::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use kith::asks::preferences::Preference;
use kith::model::preferences::PreferenceRule;
use kith::model::time::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};

use crate::ask_file::error::AskStoreError;
use crate::ask_file::file;

/// The columns of an event, in the order in which they are read.
pub(crate) const COLUMNS: &str = "id, ask, at, kind, user, source, day, note, undoes, person, connector, via, path_type, warmness, overridden, name";

/// The event in a row of [`COLUMNS`].
pub(crate) fn event(row: &Row<'_>) -> rusqlite::Result<WrittenEvent> {
    let at: String = row.get(2)?;
    let kind: String = row.get(3)?;
    let user: Option<String> = row.get(4)?;
    let source: Option<String> = row.get(5)?;
    let by = match (user.clone(), source) {
        (Some(user_id), _) => {
            EventBy::Member { user_id, name: row.get::<_, Option<String>>(15)?.unwrap_or_default() }
        }
        (None, Some(source)) => EventBy::Observed { source, day: row.get(6)? },
        (None, None) => EventBy::Connector,
    };
    let event = AskEvent {
        id: row.get(0)?,
        ask: row.get(1)?,
        at: Timestamp::parse(&at).ok_or_else(|| odd(2))?,
        kind: EventKind::named(&kind).ok_or_else(|| odd(3))?,
        by,
        note: row.get(7)?,
        undoes: row.get(8)?,
    };
    let begins = match row.get::<_, Option<String>>(9)? {
        None => None,
        Some(person) => {
            let people = AskedPeople { person, connector: row.get(10)?, via_advocate: row.get(11)? };
            let over =
                AskedOver { connection_type: row.get(12)?, warmness: row.get(13)?, overridden: row.get(14)? };
            Some((user.ok_or_else(|| odd(4))?, people, over))
        }
    };
    Ok(WrittenEvent { event, begins })
}

fn odd(column: usize) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, "no such value".into())
}

/// Appends `written` for `org`, with the `key` it was sent with.
pub(crate) fn insert(
    connection: &Connection,
    org: &str,
    written: &WrittenEvent,
    key: Option<&str>,
) -> rusqlite::Result<()> {
    let AskEvent { id, ask, at, kind, by, note, undoes } = &written.event;
    let ((user, name), (source, day)) = match by {
        EventBy::Member { user_id, name } => ((Some(user_id), Some(name)), (None, None)),
        EventBy::Connector => ((None, None), (None, None)),
        EventBy::Observed { source, day } => ((None, None), (Some(source), Some(day))),
    };
    let (people, over) = written.begins.as_ref().map(|(_, people, over)| (people, over)).unzip();
    let mut insert = connection.prepare_cached(
        "INSERT INTO events (org, id, ask, at, kind, user, source, day, note, undoes, key, person, connector, via, \
         path_type, warmness, overridden, name) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    )?;
    insert.execute(params![
        org,
        id,
        ask,
        at.to_rfc3339_ms(),
        kind.name(),
        user,
        source,
        day,
        note,
        undoes,
        key,
        people.map(|people| &people.person),
        people.and_then(|people| people.connector.as_ref()),
        people.and_then(|people| people.via_advocate.as_ref()),
        over.and_then(|over| over.connection_type.as_ref()),
        over.and_then(|over| over.warmness),
        over.and_then(|over| over.overridden.as_ref()),
        name,
    ])?;
    Ok(())
}

/// What connectors of `org` said over their links, in the order written.
pub(crate) fn preferences(connection: &Connection, org: &str) -> rusqlite::Result<Vec<Preference>> {
    let mut all = connection
        .prepare_cached("SELECT connector, target, until FROM preferences WHERE org = ?1 ORDER BY seq")?;
    let read = |row: &Row<'_>| {
        Ok(Preference {
            connector: Some(row.get(0)?),
            target: row.get(1)?,
            rule: PreferenceRule::Never,
            through: None,
            until: row.get(2)?,
        })
    };
    all.query_map([org], read)?.collect()
}

/// The ids of people of `org` that were merged, each with the one that stayed.
pub(crate) fn merged(connection: &Connection, org: &str) -> rusqlite::Result<Vec<(String, String)>> {
    let mut all = connection.prepare_cached("SELECT former, present FROM merged WHERE org = ?1")?;
    all.query_map([org], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Hands every event in the file at `path` to `take`, with its organization, in the order written.
///
/// # Errors
/// Returns an error if the file cannot be read, or the error of `take`.
pub fn each_event(
    path: &Path,
    mut take: impl FnMut(&str, &WrittenEvent) -> io::Result<()>,
) -> Result<(), Box<dyn Error>> {
    let error = AskStoreError::at(path);
    let connection = file::open_reader(&file::absolute(path)?)?;
    let sql = format!("SELECT {COLUMNS}, org FROM events ORDER BY seq");
    let mut events = connection.prepare(&sql).map_err(&error)?;
    let mut rows = events.query([]).map_err(&error)?;
    while let Some(row) = rows.next().map_err(&error)? {
        let (org, event) = (row.get::<_, String>(16).map_err(&error)?, event(row).map_err(&error)?);
        take(&org, &event)?;
    }
    Ok(())
}
