//! The asks of all organizations in memory, and reading new events.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use kith::asks::book::{AskBook, WrittenEvent};

use crate::ask_file::error::AskStoreError;
use crate::ask_file::rows;
use crate::ask_file::sql::{Sql, lock};

/// The books as last read.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptBooks {
    /// The version of the file when last read.
    pub(crate) version: Option<i64>,
    epoch: i64,
    /// The number of the last event read.
    seq: i64,
    books: HashMap<String, Arc<AskBook>>,
    /// The book of organizations without asks.
    empty: Arc<AskBook>,
}

impl KeptBooks {
    /// The book of `org`.
    pub(crate) fn of(&self, org: &str) -> Arc<AskBook> {
        Arc::clone(self.books.get(org).unwrap_or(&self.empty))
    }

    /// [`Self::catch_up`] for shared books, without holding their lock while reading.
    ///
    /// # Errors
    /// Returns an error if it cannot be read; then the books are as they were.
    pub(crate) fn catch_up_in(shared: &Mutex<Self>, sql: &mut dyn Sql) -> Result<(), AskStoreError> {
        let mut next = lock(shared).clone();
        next.catch_up(sql)?;
        let mut now = lock(shared);
        // Another thread may have read more meanwhile.
        if (next.epoch, next.seq) >= (now.epoch, now.seq) {
            *now = next;
        }
        Ok(())
    }

    /// Reads the events written since the last look.
    ///
    /// # Errors
    /// Returns an error if it cannot be read; then the books are as they were.
    pub(crate) fn catch_up(&mut self, sql: &mut dyn Sql) -> Result<(), AskStoreError> {
        let epoch = sql.first("SELECT number FROM epoch", &[])?.and_then(|row| row.number(0)).unwrap_or(0);
        let is_new = epoch != self.epoch;
        let since = if is_new { 0 } else { self.seq };
        let (by_org, seq) = events_after(sql, since)?;
        if !is_new && by_org.is_empty() {
            return Ok(());
        }
        let mut books = if is_new { HashMap::new() } else { self.books.clone() };
        let mut orgs: BTreeSet<String> = by_org.keys().cloned().collect();
        if is_new {
            orgs.extend(sql.texts("SELECT org FROM preferences UNION SELECT org FROM merged", &[])?);
        }
        for (org, events) in by_org {
            let book = books.get(&org).cloned().unwrap_or_default();
            books.insert(org, Arc::new(book.after(events)));
        }
        if is_new {
            for org in orgs {
                let book = books.entry(org.clone()).or_default();
                let book = Arc::make_mut(book);
                book.preferences = rows::preferences(sql, &org)?;
                book.formerly = rows::merged(sql, &org)?.into_iter().collect();
            }
        }
        (self.epoch, self.seq, self.books) = (epoch, seq, books);
        Ok(())
    }
}

/// The events with numbers above `seq`, by organization, and the number of the last.
fn events_after(
    sql: &mut dyn Sql,
    seq: i64,
) -> Result<(HashMap<String, Vec<WrittenEvent>>, i64), AskStoreError> {
    let new = format!("SELECT {} FROM events WHERE seq > $1 ORDER BY seq", rows::COLUMNS);
    let (mut by_org, mut last): (HashMap<String, Vec<WrittenEvent>>, _) = (HashMap::new(), seq);
    for row in sql.rows(&new, &[seq.into()])? {
        last = row.number(rows::SEQ).unwrap_or(last);
        by_org.entry(row.owned(rows::ORG).unwrap_or_default()).or_default().push(rows::event(&row)?);
    }
    Ok((by_org, last))
}
