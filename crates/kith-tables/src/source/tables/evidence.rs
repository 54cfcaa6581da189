//! The table of evidence: the reasons for the scores of edges.

use std::cmp::Reverse;

use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::{Distinct, Ids, inverse};
use crate::source::rows::Table;
use kith::limits::NOTE_CHARS_MAX;
use kith::model::column::{ColumnFull, DictionaryColumn, TextColumn};
use kith::model::evidence::Evidence;
use kith::model::ix::PersonIx;
use kith::model::time::Timestamp;

/// The evidence read so far, in the order of the file.
pub(crate) struct EvidenceTable<'a> {
    people: &'a Ids,
    rows: Vec<EvidenceRow>,
    /// Distinct kinds and sources; the first is empty.
    texts: Distinct,
    /// The note of each row.
    notes: TextColumn,
}

/// One row, its texts by their number in [`EvidenceTable::texts`].
#[derive(Clone, Copy)]
struct EvidenceRow {
    from: PersonIx,
    to: PersonIx,
    at: Timestamp,
    kind: u32,
    source: u32,
}

/// One row as read. Missing texts are empty.
pub(crate) struct WrittenEvidence {
    pub(crate) from: PersonIx,
    pub(crate) to: PersonIx,
    pub(crate) at: Timestamp,
    pub(crate) kind: String,
    pub(crate) source: String,
    pub(crate) note: String,
}

impl<'a> EvidenceTable<'a> {
    /// No evidence yet; it belongs to edges between `people`.
    pub(crate) fn new(people: &'a Ids) -> Self {
        let mut texts = Distinct::default();
        let none = texts.number("");
        debug_assert_eq!(none, Ok((0, true)), "the empty text fits");
        Self { people, rows: Vec::new(), texts, notes: TextColumn::default() }
    }

    /// The table by the ends of its edges; for one edge the newest first. Does not check that an edge exists; kinds and
    /// sources still share one list of texts.
    pub(crate) fn sort(mut self) -> Evidence {
        let ranks = inverse(&self.texts.sort());
        for row in &mut self.rows {
            (row.kind, row.source) = (ranks[row.kind as usize], ranks[row.source as usize]);
        }
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        let key = |row: &EvidenceRow| (row.from, row.to, Reverse(row.at), row.kind, row.source);
        order.sort_unstable_by(|&a, &b| {
            let keys = key(&self.rows[a as usize]).cmp(&key(&self.rows[b as usize]));
            keys.then_with(|| self.notes.get(a).cmp(self.notes.get(b)))
        });
        let rows = || order.iter().map(|&row| self.rows[row as usize]);
        let all = self.texts.texts();
        let dictionary = |numbers: Vec<u32>| DictionaryColumn { values: all.clone(), rows: numbers };
        Evidence {
            from: rows().map(|row| row.from).collect(),
            to: rows().map(|row| row.to).collect(),
            at: rows().map(|row| row.at).collect(),
            kinds: dictionary(rows().map(|row| row.kind).collect()),
            sources: dictionary(rows().map(|row| row.source).collect()),
            notes: self.notes.gather(&order),
        }
    }

    /// Adds a row that is not in a file.
    pub(crate) fn add(&mut self, row: &WrittenEvidence) -> Result<(), ColumnFull> {
        let &WrittenEvidence { from, to, at, .. } = row;
        let (kind, _) = self.texts.number(&row.kind)?;
        let (source, _) = self.texts.number(&row.source)?;
        self.notes.push(&row.note)?;
        self.rows.push(EvidenceRow { from, to, at, kind, source });
        Ok(())
    }
}

impl Table<6> for EvidenceTable<'_> {
    const COLUMNS: [TableColumn; 6] = [
        required("from"),
        required("to"),
        required("kind"),
        required("at"),
        optional("source"),
        optional("note"),
    ];
    type Part = Vec<WrittenEvidence>;

    fn read(&self, row: [NamedCell<'_>; 6], _line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [from, to, kind, at, source, note] = row;
        part.push(WrittenEvidence {
            from: PersonIx(from.reference(self.people)?),
            to: PersonIx(to.reference(self.people)?),
            kind: kind.text()?,
            at: at.time()?,
            source: source.optional_text()?,
            note: note.optional_short_text(NOTE_CHARS_MAX)?,
        });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, _faults: &mut RowFaults) -> Result<(), TableFault> {
        Ok(part.iter().try_for_each(|row| self.add(row))?)
    }
}
