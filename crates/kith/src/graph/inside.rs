//! The people a caller may learn of by asking, first and second degree, and the ways to find them.
//!
//! People outside are not in here, so that a search for one takes the same steps as a search for a person who does not
//! exist: not even the time of an answer shows who exists.

use std::cmp::Reverse;

use crate::graph::id_table::IdTable;
use crate::graph::names::{NameLookup, Names};
use crate::graph::near::Near;
use crate::graph::people_text::PeopleText;
use crate::graph::person_lookup::PersonLookup;
use crate::model::column::TextColumn;
use crate::model::column::held;
use crate::model::dataset::{Dataset, People};
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;
use crate::model::names::NameTable;
use crate::model::text::lower_onto;

/// The people inside, by id, by handle and by name.
#[derive(Debug)]
pub struct Inside {
    /// Members and their contacts, ascending.
    pub first_degree: Vec<PersonIx>,
    /// Index over their ids.
    first_ids: IdTable,
    /// Both degrees, ascending.
    both_degrees: Vec<PersonIx>,
    /// Index over the ids of both degrees.
    ids: IdTable,
    /// People of first degree by the handles that mean them.
    handles: PersonLookup,
    /// The names of people of first degree, by position in `first_degree`.
    name_table: NameTable,
    /// Ways into them.
    lookup: NameLookup,
}

impl Inside {
    /// Builds the people that `text` lists; `handles` covers all people of the network. Costs a sort and a
    /// pass over the names.
    #[must_use]
    pub fn build(data: &Dataset, near: &Near, text: &PeopleText, handles: &PersonLookup) -> Self {
        let Dataset { people, edges, .. } = data;
        let mut both_degrees = text.people.clone();
        both_degrees.sort_unstable();
        let is_first = |person: &PersonIx| near.is_first_degree(*person);
        let first_degree: Vec<PersonIx> = both_degrees.iter().copied().filter(is_first).collect();
        let weight = |row: u32| edges.out.edge_count(PersonIx(row)) + edges.into.edge_count(PersonIx(row));
        // A shared handle means one of its people, who may be outside: then it finds nobody here.
        let texts = people.handle_texts();
        let is_meant = |row: u32, handle: &str| {
            let same = handles.find_all(texts, handle);
            same.min_by_key(|&row| (Reverse(weight(row)), row)) == Some(row)
        };
        let rows: Vec<u32> = first_degree.iter().map(|person| person.0).collect();
        let own: Vec<u32> = rows.iter().copied().filter(|&row| is_meant(row, texts.own.get(row))).collect();
        let is_meant_by = |&alias: &u32| {
            let person = texts.others.people[alias as usize];
            near.is_first_degree(person) && is_meant(person.0, texts.others.texts.get(alias))
        };
        let others: Vec<u32> = (0..texts.others.len() as u32).filter(is_meant_by).collect();
        let handles = PersonLookup::of_rows(texts, lower_onto, own, others);
        let kept = Kept::of_rows(people.len(), rows);
        let name_table = data.person_names.gather(&kept);
        let lookup = NameLookup::build(&name_table);
        let table = |people: &[PersonIx]| {
            IdTable::build(people.len(), |place| data.people.ids.bytes(people[place as usize].0))
        };
        let (first_ids, ids) = (table(&first_degree), table(&both_degrees));
        Self { first_degree, first_ids, both_degrees, ids, handles, name_table, lookup }
    }

    /// The names of people of first degree, by position in `first_degree`.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names::new(&self.name_table, &self.lookup)
    }

    /// The people of first and second degree, ascending.
    #[must_use]
    pub fn people(&self) -> &[PersonIx] {
        &self.both_degrees
    }

    /// The person of first or second degree with this id; `ids` is the column of all ids. Costs a binary search over a
    /// few rows.
    #[must_use]
    pub fn find(&self, ids: &TextColumn, id: &str) -> Option<PersonIx> {
        find_among(&self.both_degrees, &self.ids, ids, id)
    }

    /// The person of first degree with this id; `ids` is the column of all ids. Costs a binary search over a few rows.
    #[must_use]
    pub fn find_first_degree(&self, ids: &TextColumn, id: &str) -> Option<PersonIx> {
        find_among(&self.first_degree, &self.first_ids, ids, id)
    }

    /// The person of first degree whom `handle` means; `people` is the whole table.
    #[must_use]
    pub fn find_first_degree_by_handle(&self, people: &People, handle: &str) -> Option<PersonIx> {
        self.handles.find_all(people.handle_texts(), handle).next().map(PersonIx)
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        held(&self.first_degree)
            + self.first_ids.size_bytes()
            + held(&self.both_degrees)
            + self.ids.size_bytes()
            + self.handles.size_bytes()
            + self.name_table.size_bytes()
            + self.lookup.size_bytes()
    }
}

/// The one of `people` with this id; `table` must index `people`. A missing id takes as many steps.
fn find_among(people: &[PersonIx], table: &IdTable, ids: &TextColumn, id: &str) -> Option<PersonIx> {
    let place = table.find(id.as_bytes(), |place| ids.bytes(people[place as usize].0))?;
    Some(people[place as usize])
}
