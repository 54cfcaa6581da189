//! Statements in one form for SQLite and PostgreSQL: their parameters are `$1`, `$2` and so on, in the order of their
//! first use.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ask_file::error::AskStoreError;

/// A value of a row or of a statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SqlCell {
    /// No value.
    Null,
    Text(String),
    /// A whole number.
    Number(i64),
    Bytes(Vec<u8>),
}

impl From<&str> for SqlCell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for SqlCell {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<i64> for SqlCell {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl<T> From<Option<T>> for SqlCell
where
    SqlCell: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::from)
    }
}

/// A row of a result.
#[derive(Clone, Debug)]
pub(crate) struct SqlRow(pub(crate) Vec<SqlCell>);

impl SqlRow {
    /// The text in `column`, if there is one.
    pub(crate) fn text(&self, column: usize) -> Option<&str> {
        match self.0.get(column) {
            Some(SqlCell::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The number in `column`, if there is one.
    pub(crate) fn number(&self, column: usize) -> Option<i64> {
        match self.0.get(column) {
            Some(SqlCell::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// An owned copy of [`Self::text`].
    pub(crate) fn owned(&self, column: usize) -> Option<String> {
        self.text(column).map(str::to_owned)
    }
}

/// A transaction in which statements run.
pub(crate) trait Sql {
    /// Queries `sql`.
    ///
    /// # Errors
    /// Returns an error if the database refuses.
    fn rows(&mut self, sql: &str, with: &[SqlCell]) -> Result<Vec<SqlRow>, AskStoreError>;

    /// Runs `sql`; returns the number of rows changed.
    ///
    /// # Errors
    /// Returns an error if the database refuses.
    fn execute(&mut self, sql: &str, with: &[SqlCell]) -> Result<usize, AskStoreError>;

    /// The first row of `sql`.
    ///
    /// # Errors
    /// Returns an error if the database refuses.
    fn first(&mut self, sql: &str, with: &[SqlCell]) -> Result<Option<SqlRow>, AskStoreError> {
        Ok(self.rows(sql, with)?.into_iter().next())
    }

    /// The texts in the first column of `sql`.
    ///
    /// # Errors
    /// Returns an error if the database refuses.
    fn texts(&mut self, sql: &str, with: &[SqlCell]) -> Result<Vec<String>, AskStoreError> {
        Ok(self.rows(sql, with)?.iter().filter_map(|row| row.owned(0)).collect())
    }
}

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreAccess {
    /// Look-ups.
    Read,
    /// Changes, each on disk before it is answered.
    Write,
}

/// The address of a server, if `place` is one.
pub(crate) fn address(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| text.starts_with("postgres://") || text.starts_with("postgresql://"))
}

/// The error that this build cannot use the database at `address`.
#[cfg(not(feature = "postgres"))]
pub(crate) fn other_build(address: &str) -> AskStoreError {
    AskStoreError::OtherBuild { place: without_password(address) }
}

/// `address` without user and password.
pub(crate) fn without_password(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    // The parameters may contain a password too.
    format!("{scheme}://{}", host.split('?').next().unwrap_or(host))
}

/// Locks `shared`. Changes of a panicked thread were rolled back.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_in_no_place_that_is_shown() {
        for (address, shown) in [
            ("postgres://kith:secret@db.example:5432/asks", "postgres://db.example:5432/asks"),
            ("postgres://db/asks?password=secret", "postgres://db/asks"),
            ("postgresql://a:p@ss@db/asks", "postgresql://db/asks"),
        ] {
            assert_eq!(without_password(address), shown);
        }
    }
}
