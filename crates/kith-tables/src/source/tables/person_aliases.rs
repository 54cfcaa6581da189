//! The table of other handles and addresses of people.

use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::aliases::{AliasColumn, Aliases};
use kith::model::column::ColumnFull;
use kith::model::ix::PersonIx;

/// The aliases read so far, in the order of the file.
pub(crate) struct AliasTable<'a> {
    people: &'a Ids,
    handles: AliasColumn,
    emails: AliasColumn,
}

/// One row as read. Missing texts are empty.
pub(crate) struct AliasRow {
    person: PersonIx,
    handle: String,
    email: String,
}

impl<'a> AliasTable<'a> {
    /// No aliases yet; they belong to `people`.
    pub(crate) fn new(people: &'a Ids) -> Self {
        Self { people, handles: AliasColumn::default(), emails: AliasColumn::default() }
    }

    /// The aliases sorted, each once.
    pub(crate) fn sort(self) -> Aliases {
        Aliases { handles: sorted(&self.handles), emails: sorted(&self.emails) }
    }
}

fn add(column: &mut AliasColumn, person: PersonIx, text: &str) -> Result<(), ColumnFull> {
    if !text.is_empty() {
        column.texts.push(text)?;
        column.people.push(person);
    }
    Ok(())
}

fn sorted(column: &AliasColumn) -> AliasColumn {
    let key = |&row: &u32| (column.people[row as usize], column.texts.get(row));
    let mut order: Vec<u32> = (0..column.len() as u32).collect();
    order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    order.dedup_by(|one, other| key(one) == key(other));
    AliasColumn {
        people: order.iter().map(|&row| column.people[row as usize]).collect(),
        texts: column.texts.gather(&order),
    }
}

impl Table<3> for AliasTable<'_> {
    const COLUMNS: [TableColumn; 3] = [required("personId"), optional("linkedinId"), optional("email")];
    type Part = Vec<AliasRow>;

    fn read(&self, row: [NamedCell<'_>; 3], _line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [person, handle, email] = row;
        part.push(AliasRow {
            person: PersonIx(person.reference(self.people)?),
            handle: handle.optional_text()?,
            email: email.optional_text()?,
        });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, _faults: &mut RowFaults) -> Result<(), TableFault> {
        for AliasRow { person, handle, email } in part {
            add(&mut self.handles, person, &handle)?;
            add(&mut self.emails, person, &email)?;
        }
        Ok(())
    }
}
