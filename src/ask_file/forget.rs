//! Taking people out of the file of asks, to the last byte; and ids that an import merged.

use std::collections::BTreeSet;

use rusqlite::{ToSql, params};

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::store::AskStore;

impl AskStore {
    /// Takes out all asks of `org` about, over or by the people of these ids, whole, and all other events that a member of
    /// these user ids wrote; and then every byte of them: how many events.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn forget(
        &self,
        org: &str,
        people: &BTreeSet<String>,
        users: &BTreeSet<String>,
    ) -> Result<usize, WriteRefused> {
        let error = AskStoreError::at(self.path());
        let gone = self.change(|change| {
            let mut gone = 0;
            let mut asks: BTreeSet<String> = BTreeSet::new();
            let mut find = change
                .prepare(
                    "SELECT ask, person, connector, via, user FROM events WHERE org = ?1 AND kind = 'asked'",
                )
                .map_err(&error)?;
            let mut rows = find.query([org]).map_err(&error)?;
            while let Some(row) = rows.next().map_err(&error)? {
                let is_named = |column, wanted: &BTreeSet<String>| {
                    let id: Option<String> = row.get(column)?;
                    Ok::<_, rusqlite::Error>(id.is_some_and(|id| wanted.contains(&id)))
                };
                let named = [(1, people), (2, people), (3, people), (4, users)]
                    .map(|(column, wanted)| is_named(column, wanted));
                if named.into_iter().collect::<Result<Vec<_>, _>>().map_err(&error)?.contains(&true) {
                    asks.insert(row.get(0).map_err(&error)?);
                }
            }
            drop(rows);
            for ask in &asks {
                gone += change.execute("DELETE FROM events WHERE ask = ?1", [ask]).map_err(&error)?;
                change.execute("DELETE FROM links WHERE ask = ?1", [ask]).map_err(&error)?;
                change.execute("DELETE FROM preferences WHERE ask = ?1", [ask]).map_err(&error)?;
            }
            for user in users {
                gone += change
                    .execute("DELETE FROM events WHERE org = ?1 AND user = ?2", [org, user])
                    .map_err(&error)?;
            }
            for id in people {
                change
                    .execute(
                        "DELETE FROM preferences WHERE org = ?1 AND (connector = ?2 OR target = ?2)",
                        [org, id],
                    )
                    .and_then(|_| {
                        change.execute(
                            "DELETE FROM merged WHERE org = ?1 AND (former = ?2 OR present = ?2)",
                            [org, id],
                        )
                    })
                    .map_err(&error)?;
            }
            change.execute("UPDATE epoch SET number = number + 1", []).map_err(&error)?;
            Ok(gone)
        })?;
        self.compact()?;
        Ok(gone)
    }

    /// Notes that the people of these former ids go by others now, `(former, present)`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn follow(&self, org: &str, merged: &[(String, String)]) -> Result<(), WriteRefused> {
        let error = AskStoreError::at(self.path());
        self.change(|change| {
            for (former, present) in merged {
                change
                    .execute(
                        "INSERT OR REPLACE INTO merged (org, former, present) VALUES (?1, ?2, ?3)",
                        params![org, former, present],
                    )
                    .map_err(&error)?;
            }
            change.execute("UPDATE epoch SET number = number + 1", []).map_err(&error)?;
            Ok(())
        })
    }

    /// Writes the file anew without what was taken out, and empties its log.
    fn compact(&self) -> Result<(), WriteRefused> {
        let error = AskStoreError::at(self.path());
        let writer = self.writer();
        writer.execute_batch("VACUUM").map_err(&error)?;
        writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(&error)?;
        Ok(())
    }
}

/// The ids of all people of asks of `org`.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn ids_in(store: &AskStore, org: &str) -> Result<Vec<String>, AskStoreError> {
    let sql = "SELECT person FROM events WHERE org = ?1 AND person IS NOT NULL \
               UNION SELECT connector FROM events WHERE org = ?1 AND connector IS NOT NULL \
               UNION SELECT via FROM events WHERE org = ?1 AND via IS NOT NULL \
               UNION SELECT connector FROM preferences WHERE org = ?1";
    texts(store, sql, &[&org])
}

impl AskStore {
    /// The organizations of which anything is in the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn organizations(&self) -> Result<Vec<String>, AskStoreError> {
        texts(
            self,
            "SELECT org FROM events UNION SELECT org FROM preferences UNION SELECT org FROM merged",
            &[],
        )
    }
}

fn texts(store: &AskStore, sql: &str, with: &[&dyn ToSql]) -> Result<Vec<String>, AskStoreError> {
    let connection = store.writer();
    let read = connection.prepare(sql).and_then(|mut texts| {
        texts.query_map(with, |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
    });
    read.map_err(AskStoreError::at(store.path()))
}
