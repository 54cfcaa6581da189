//! The tables, and their rows in memory.

use kith::asks::book::WrittenEvent;
use kith::asks::event::{AskEvent, AskedOver, AskedPeople, EventBy, EventKind};
use kith::asks::preferences::Preference;
use kith::model::preferences::PreferenceRule;
use kith::model::time::Timestamp;

use crate::ask_file::error::AskStoreError;
use crate::ask_file::sql::{Sql, SqlCell, SqlRow};

/// The tables. Events are appended and never changed; `epoch` rises when anything else changes, so that readers read
/// everything again. Times are RFC 3339, or for an expiry milliseconds since 1970-01-01T00:00:00Z.
const TABLES: &str = r#"
    CREATE TABLE events (
        seq {seq},
        org TEXT NOT NULL,
        id TEXT NOT NULL UNIQUE,
        ask TEXT NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        "user" TEXT,
        name TEXT,
        source TEXT,
        day TEXT,
        note TEXT,
        undoes TEXT,
        key TEXT,
        person TEXT,
        connector TEXT,
        via TEXT,
        path_type TEXT,
        warmness {number},
        overridden TEXT
    ){strict};
    CREATE INDEX events_of_ask ON events (ask);
    CREATE INDEX asks_of_member ON events (org, "user") WHERE kind = 'asked';
    CREATE UNIQUE INDEX events_by_key ON events (org, "user", key) WHERE key IS NOT NULL;
    CREATE TABLE preferences (
        seq {seq},
        org TEXT NOT NULL,
        connector TEXT NOT NULL,
        target TEXT,
        until TEXT,
        ask TEXT NOT NULL,
        at TEXT NOT NULL
    ){strict};
    CREATE TABLE links (
        ask TEXT PRIMARY KEY,
        org TEXT NOT NULL,
        code {bytes} NOT NULL UNIQUE,
        text TEXT,
        expires_at {number} NOT NULL
    ){strict};
    CREATE TABLE merged (
        org TEXT NOT NULL,
        former TEXT NOT NULL,
        present TEXT NOT NULL,
        PRIMARY KEY (org, former)
    ){strict};
    CREATE TABLE epoch (number {number} NOT NULL){strict};
    INSERT INTO epoch VALUES (1);
"#;

/// The statements that create the tables, with the database's own types for a column that numbers its rows, whole
/// numbers and bytes, and its clause for strict tables.
pub(crate) fn tables(seq: &str, number: &str, bytes: &str, strict: &str) -> String {
    let words = [("{seq}", seq), ("{number}", number), ("{bytes}", bytes), ("{strict}", strict)];
    words.iter().fold(TABLES.to_owned(), |tables, (word, with)| tables.replace(word, with))
}

/// The columns of an event, in reading order.
pub(crate) const COLUMNS: &str = r#"id, ask, at, kind, "user", source, day, note, undoes, person, connector, via, path_type, warmness, overridden, name, org, seq"#;
/// The positions of `org` and `seq` among them.
pub(crate) const ORG: usize = 16;
pub(crate) const SEQ: usize = 17;

/// The event in a row of [`COLUMNS`].
///
/// # Errors
/// Returns an error for a malformed row.
pub(crate) fn event(row: &SqlRow) -> Result<WrittenEvent, AskStoreError> {
    read_event(row).ok_or_else(|| AskStoreError::OddRow { row: row.owned(0).unwrap_or_default() })
}

fn read_event(row: &SqlRow) -> Option<WrittenEvent> {
    let user = row.owned(4);
    let by = match (user.clone(), row.owned(5)) {
        (Some(user_id), _) => EventBy::Member { user_id, name: row.owned(15).unwrap_or_default() },
        (None, Some(source)) => EventBy::Observed { source, day: row.owned(6)? },
        (None, None) => EventBy::Connector,
    };
    let event = AskEvent {
        id: row.owned(0)?,
        ask: row.owned(1)?,
        at: Timestamp::parse(row.text(2)?)?,
        kind: EventKind::named(row.text(3)?)?,
        by,
        note: row.owned(7),
        undoes: row.owned(8),
    };
    let begins = match row.owned(9) {
        None => None,
        Some(person) => {
            let people = AskedPeople { person, connector: row.owned(10), via_advocate: row.owned(11) };
            let warmness = row.number(13).map(u32::try_from).transpose().ok()?;
            let over = AskedOver { connection_type: row.owned(12), warmness, overridden: row.owned(14) };
            Some((user?, people, over))
        }
    };
    Some(WrittenEvent { event, begins })
}

/// Appends `written` for `org`, with its `key`.
pub(crate) fn insert(
    sql: &mut dyn Sql,
    org: &str,
    written: &WrittenEvent,
    key: Option<&str>,
) -> Result<(), AskStoreError> {
    let AskEvent { id, ask, at, kind, by, note, undoes } = &written.event;
    let ((user, name), (source, day)) = match by {
        EventBy::Member { user_id, name } => ((Some(user_id), Some(name)), (None, None)),
        EventBy::Connector => ((None, None), (None, None)),
        EventBy::Observed { source, day } => ((None, None), (Some(source), Some(day))),
    };
    let (people, over) = written.begins.as_ref().map(|(_, people, over)| (people, over)).unzip();
    let row: [SqlCell; 18] = [
        org.into(),
        id.into(),
        ask.into(),
        (&at.to_rfc3339_ms()).into(),
        kind.name().into(),
        user.into(),
        source.into(),
        day.into(),
        note.as_ref().into(),
        undoes.as_ref().into(),
        key.into(),
        people.map(|people| &people.person).into(),
        people.and_then(|people| people.connector.as_ref()).into(),
        people.and_then(|people| people.via_advocate.as_ref()).into(),
        over.and_then(|over| over.connection_type.as_ref()).into(),
        over.and_then(|over| over.warmness).map(i64::from).into(),
        over.and_then(|over| over.overridden.as_ref()).into(),
        name.into(),
    ];
    let insert = r#"INSERT INTO events (org, id, ask, at, kind, "user", source, day, note, undoes, key, person, connector, via,
         path_type, warmness, overridden, name)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"#;
    sql.execute(insert, &row).map(drop)
}

/// Makes readers read everything again.
pub(crate) fn raise_epoch(sql: &mut dyn Sql) -> Result<(), AskStoreError> {
    sql.execute("UPDATE epoch SET number = number + 1", &[]).map(drop)
}

/// The preferences that connectors of `org` gave over links, in the order written.
pub(crate) fn preferences(sql: &mut dyn Sql, org: &str) -> Result<Vec<Preference>, AskStoreError> {
    let all = "SELECT connector, target, until FROM preferences WHERE org = $1 ORDER BY seq";
    let read = |row: &SqlRow| Preference {
        connector: row.owned(0),
        target: row.owned(1),
        rule: PreferenceRule::Never,
        through: None,
        until: row.owned(2),
    };
    Ok(sql.rows(all, &[org.into()])?.iter().map(read).collect())
}

/// Maps the ids of merged people of `org` to the ids that stayed.
pub(crate) fn merged(sql: &mut dyn Sql, org: &str) -> Result<Vec<(String, String)>, AskStoreError> {
    let all = sql.rows("SELECT former, present FROM merged WHERE org = $1", &[org.into()])?;
    Ok(all.iter().filter_map(|row| row.owned(0).zip(row.owned(1))).collect())
}
