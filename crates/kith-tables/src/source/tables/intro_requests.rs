//! The table of intro requests: the people that the organization asked to meet.

use std::cmp::Reverse;

use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::column::{ColumnFull, DictionaryColumn, TextColumn};
use kith::model::dataset::IntroRequests;
use kith::model::ix::{MemberIx, PersonIx};
use kith::model::time::Timestamp;

/// The intro requests read so far, in the order of the file.
pub(crate) struct IntroTable<'a> {
    people: &'a Ids,
    user_ids: &'a Ids,
    rows: Vec<IntroRow>,
}

pub(crate) struct IntroRow {
    person: PersonIx,
    status: String,
    requested_by: MemberIx,
    requested_at: Timestamp,
}

impl<'a> IntroTable<'a> {
    /// No intro requests yet; members, whose ids are `user_ids`, make them for `people`.
    pub(crate) fn new(people: &'a Ids, user_ids: &'a Ids) -> Self {
        Self { people, user_ids, rows: Vec::new() }
    }

    /// The table by person; for one person the newest request first.
    ///
    /// # Errors
    /// Returns an error if the statuses would exceed 4 GiB.
    pub(crate) fn sort(mut self) -> Result<IntroRequests, ColumnFull> {
        self.rows.sort_unstable_by(|a, b| {
            let key = |row: &IntroRow| (row.person, Reverse((row.requested_at, row.requested_by)));
            key(a).cmp(&key(b)).then_with(|| b.status.cmp(&a.status))
        });
        let statuses = TextColumn::from_texts(self.rows.iter().map(|row| row.status.as_str()))?;
        Ok(IntroRequests {
            people: self.rows.iter().map(|row| row.person).collect(),
            statuses: DictionaryColumn::from_texts(&statuses),
            requested_by: self.rows.iter().map(|row| row.requested_by).collect(),
            requested_at: self.rows.iter().map(|row| row.requested_at).collect(),
        })
    }
}

impl Table<4> for IntroTable<'_> {
    const COLUMNS: [TableColumn; 4] =
        [required("personId"), required("status"), required("requestedBy"), required("requestedAt")];
    type Part = Vec<IntroRow>;

    fn read(&self, row: [NamedCell<'_>; 4], _line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [person, status, requested_by, requested_at] = row;
        part.push(IntroRow {
            person: PersonIx(person.reference(self.people)?),
            status: status.text()?,
            requested_by: MemberIx(requested_by.reference(self.user_ids)?),
            requested_at: requested_at.time()?,
        });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, _faults: &mut RowFaults) -> Result<(), TableFault> {
        self.rows.extend(part);
        Ok(())
    }
}
