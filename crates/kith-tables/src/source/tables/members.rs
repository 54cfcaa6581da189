//! The table of members: the people who belong to the organization.

use std::collections::HashMap;

use crate::source::error::{Reason, TableFault};
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::column::{ColumnFull, TextColumn};
use kith::model::dataset::{Members, Role};
use kith::model::ix::PersonIx;
use kith::model::time::Timestamp;

/// The members read so far, in the order of the file.
pub(crate) struct MemberTable<'a> {
    people: &'a Ids,
    ids: Ids,
    rows: Vec<MemberRow>,
    /// The line of each person who is a member.
    line_of_person: HashMap<PersonIx, u64>,
}

pub(crate) struct MemberRow {
    line: u64,
    user_id: String,
    person: PersonIx,
    role: Role,
    external_id: String,
    joined_at: Timestamp,
    synced_at: Option<Timestamp>,
}

impl<'a> MemberTable<'a> {
    /// No members yet; they are among `people`.
    pub(crate) fn new(people: &'a Ids) -> Self {
        Self { people, ids: Ids::new("members", "user_"), rows: Vec::new(), line_of_person: HashMap::new() }
    }

    /// The table sorted by id, and its ids apart, which later tables still look up.
    ///
    /// # Errors
    /// Returns an error if external ids would exceed 4 GiB.
    pub(crate) fn sort(mut self) -> Result<(Ids, Members), ColumnFull> {
        let order = self.ids.sort();
        let rows = || order.iter().map(|&row| &self.rows[row as usize]);
        let external_ids = TextColumn::from_texts(rows().map(|row| row.external_id.as_str()))?;
        let sorted = Members {
            user_ids: TextColumn::default(),
            people: rows().map(|row| row.person).collect(),
            roles: rows().map(|row| row.role).collect(),
            external_ids,
            joined_at: rows().map(|row| row.joined_at).collect(),
            synced_at: rows().map(|row| row.synced_at).collect(),
        };
        Ok((self.ids, sorted))
    }

    fn add(&mut self, row: MemberRow) -> Result<(), TableFault> {
        self.ids.add(row.line, "userId", &row.user_id)?;
        let (person, line) = (row.person, row.line);
        // Also for a row with a fault: each id has its row.
        self.rows.push(row);
        let Some(line) = self.line_of_person.insert(person, line) else { return Ok(()) };
        let person = self.people.get(person.0).to_owned();
        Err(TableFault::of("personId", Reason::PersonTwice { person, earlier: line.into() }))
    }
}

impl Table<6> for MemberTable<'_> {
    const COLUMNS: [TableColumn; 6] = [
        required("userId"),
        required("personId"),
        required("role"),
        required("joinedAt"),
        optional("connectionsSyncedAt"),
        optional("externalId"),
    ];
    type Part = Vec<MemberRow>;

    fn read(&self, row: [NamedCell<'_>; 6], line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [user, person, role, joined_at, synced_at, external_id] = row;
        part.push(MemberRow {
            line,
            user_id: user.own_id(self.ids.prefix)?,
            person: PersonIx(person.reference(self.people)?),
            role: role.one_of(&["admin", "member"], &[Role::Admin, Role::Member])?,
            joined_at: joined_at.time()?,
            synced_at: synced_at.optional_time()?,
            external_id: external_id.optional_text()?,
        });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, faults: &mut RowFaults) -> Result<(), TableFault> {
        part.into_iter().try_for_each(|row| faults.keep(row.line, self.add(row)))
    }
}
