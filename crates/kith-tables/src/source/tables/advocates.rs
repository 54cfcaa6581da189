//! The table of advocates: one row for each member that a person helps, or was asked to help.

use std::collections::HashMap;

use crate::source::error::{Reason, TableFault};
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::dataset::{Advocate, AdvocateStatus, Members};
use kith::model::ix::{MemberIx, PersonIx};

const STATUSES: [AdvocateStatus; 3] =
    [AdvocateStatus::Accepted, AdvocateStatus::Pending, AdvocateStatus::Declined];

/// The advocates read so far, in the order of the file.
pub(crate) struct AdvocateTable<'a> {
    people: &'a Ids,
    user_ids: &'a Ids,
    members: &'a Members,
    rows: Vec<Advocate>,
    line_of_pair: HashMap<(PersonIx, MemberIx), u64>,
}

impl<'a> AdvocateTable<'a> {
    /// No advocates yet; they are among `people` and help `members`, whose ids are `user_ids`.
    pub(crate) fn new(people: &'a Ids, user_ids: &'a Ids, members: &'a Members) -> Self {
        Self { people, user_ids, members, rows: Vec::new(), line_of_pair: HashMap::new() }
    }

    /// The rows, by person, then member.
    pub(crate) fn sort(mut self) -> Vec<Advocate> {
        self.rows.sort_unstable_by_key(|row| (row.person, row.member));
        self.rows
    }

    fn add(&mut self, row: Advocate, line: u64) -> Result<(), TableFault> {
        if let Some(line) = self.line_of_pair.insert((row.person, row.member), line) {
            return Err(TableFault::of("personId", Reason::AdvocateTwice { earlier: line.into() }));
        }
        self.rows.push(row);
        Ok(())
    }
}

impl Table<4> for AdvocateTable<'_> {
    const COLUMNS: [TableColumn; 4] =
        [required("personId"), required("userId"), required("status"), optional("connectionsSyncedAt")];
    type Part = Vec<(u64, Advocate)>;

    fn read(&self, row: [NamedCell<'_>; 4], line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [person, user, status, synced_at] = row;
        let row = Advocate {
            person: PersonIx(person.reference(self.people)?),
            member: MemberIx(user.reference(self.user_ids)?),
            status: status.one_of(&["accepted", "pending", "declined"], &STATUSES)?,
            synced_at: synced_at.optional_time()?,
        };
        if self.members.person(row.member) == row.person {
            let person = self.people.get(row.person.0).to_owned();
            return Err(TableFault::of("personId", Reason::OwnAdvocate { person }));
        }
        part.push((line, row));
        Ok(())
    }

    fn take(&mut self, part: Self::Part, faults: &mut RowFaults) -> Result<(), TableFault> {
        part.into_iter().try_for_each(|(line, row)| faults.keep(line, self.add(row, line)))
    }
}
