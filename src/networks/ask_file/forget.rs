//! Removes people from the asks, to the last byte; and records merged ids.

use std::collections::BTreeSet;

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::rows::raise_epoch;
use crate::ask_file::sql::Sql;
use crate::ask_file::store::AskStore;

impl AskStore {
    /// Removes all asks of `org` about, over or by the people of these ids, all other events written by a member with
    /// these user ids, and every byte of them; returns the number of events.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn forget(
        &self,
        org: &str,
        people: &BTreeSet<String>,
        users: &BTreeSet<String>,
    ) -> Result<usize, WriteRefused> {
        let gone = self.change(|sql| {
            let mut gone = 0;
            for ask in asks_with(sql, org, people, users)? {
                gone += sql.execute("DELETE FROM events WHERE ask = $1", &[(&ask).into()])?;
                for table in ["links", "preferences"] {
                    sql.execute(&format!("DELETE FROM {table} WHERE ask = $1"), &[(&ask).into()])?;
                }
            }
            for user in users {
                let theirs = r#"DELETE FROM events WHERE org = $1 AND "user" = $2"#;
                gone += sql.execute(theirs, &[org.into(), user.into()])?;
            }
            for id in people {
                for about in [
                    "DELETE FROM preferences WHERE org = $1 AND (connector = $2 OR target = $2)",
                    "DELETE FROM merged WHERE org = $1 AND (former = $2 OR present = $2)",
                ] {
                    sql.execute(about, &[org.into(), id.into()])?;
                }
            }
            raise_epoch(sql)?;
            Ok(gone)
        })?;
        self.compact()?;
        Ok(gone)
    }

    /// Records new ids of people as pairs `(former, present)`.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn follow(&self, org: &str, merged: &[(String, String)]) -> Result<(), WriteRefused> {
        self.change(|sql| {
            let note = "INSERT INTO merged (org, former, present) VALUES ($1, $2, $3) \
                        ON CONFLICT (org, former) DO UPDATE SET present = excluded.present";
            for (former, present) in merged {
                sql.execute(note, &[org.into(), former.into(), present.into()])?;
            }
            Ok(raise_epoch(sql)?)
        })
    }

    /// The organizations with data here.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn organizations(&self) -> Result<Vec<String>, AskStoreError> {
        let all = "SELECT org FROM events UNION SELECT org FROM preferences UNION SELECT org FROM merged";
        self.read(|sql| sql.texts(all, &[]))
    }

    /// The ids of all people in asks of `org`.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn people_of(&self, org: &str) -> Result<Vec<String>, AskStoreError> {
        let all = "SELECT person FROM events WHERE org = $1 AND person IS NOT NULL \
                   UNION SELECT connector FROM events WHERE org = $1 AND connector IS NOT NULL \
                   UNION SELECT via FROM events WHERE org = $1 AND via IS NOT NULL \
                   UNION SELECT connector FROM preferences WHERE org = $1";
        self.read(|sql| sql.texts(all, &[org.into()]))
    }
}

/// The asks of `org` with any of these people and members.
fn asks_with(
    sql: &mut dyn Sql,
    org: &str,
    people: &BTreeSet<String>,
    users: &BTreeSet<String>,
) -> Result<BTreeSet<String>, AskStoreError> {
    let all = r#"SELECT ask, person, connector, via, "user" FROM events WHERE org = $1 AND kind = 'asked'"#;
    let rows = sql.rows(all, &[org.into()])?;
    let is_named = |text: Option<&str>, wanted: &BTreeSet<String>| text.is_some_and(|id| wanted.contains(id));
    let named = rows.iter().filter(|row| {
        (1..4).any(|column| is_named(row.text(column), people)) || is_named(row.text(4), users)
    });
    Ok(named.filter_map(|row| row.owned(0)).collect())
}
