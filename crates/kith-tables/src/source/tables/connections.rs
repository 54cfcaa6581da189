//! The table of connections: who knows whom. It is by far the largest, so no row allocates.

use rayon::prelude::*;

use crate::limits::BREAKDOWN_BYTES_MAX;
use crate::source::error::{Reason, TableFault};
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::freeform;
use crate::source::ids::{Distinct, Ids, inverse};
use crate::source::rows::Table;
use kith::model::column::{ColumnFull, TextColumn};
use kith::model::ix::PersonIx;
use kith::model::warmness::Warmness;
use kith::prepare::edges::EdgeRow;

/// The connections read so far, in the order of the file.
pub(crate) struct ConnectionTable<'a> {
    people: &'a Ids,
    rows: Vec<EdgeRow>,
    breakdowns: Breakdowns,
}

/// Distinct breakdowns in their compact form; the first is empty.
struct Breakdowns(Distinct);

/// The connections of one block.
#[derive(Default)]
pub(crate) struct ConnectionPart {
    rows: Vec<EdgeRow>,
    /// The last `from` as written, and its row: tables tend to list a person's connections together.
    last_from: Option<(String, u32)>,
    breakdowns: Breakdowns,
    /// The breakdowns as written, so that each spelling is compacted once.
    written: Distinct,
    /// The breakdown of each spelling.
    compact_of: Vec<u32>,
}

impl Default for Breakdowns {
    fn default() -> Self {
        let mut texts = Distinct::default();
        let none = texts.number("");
        debug_assert_eq!(none, Ok((0, true)), "the empty text fits");
        Self(texts)
    }
}

impl<'a> ConnectionTable<'a> {
    /// No connections yet; they are between `people`.
    pub(crate) fn new(people: &'a Ids) -> Self {
        Self { people, rows: Vec::new(), breakdowns: Breakdowns::default() }
    }

    /// The rows read so far.
    pub(crate) fn rows(&self) -> &[EdgeRow] {
        &self.rows
    }

    /// Adds an edge that is not in a file.
    pub(crate) fn add(
        &mut self,
        from: PersonIx,
        to: PersonIx,
        score: Warmness,
        breakdown: &str,
    ) -> Result<(), ColumnFull> {
        let (breakdown, _) = self.breakdowns.0.number(breakdown)?;
        self.rows.push(EdgeRow { from, to, score, breakdown });
        Ok(())
    }

    /// The rows, and their breakdowns in byte order.
    pub(crate) fn sort(mut self) -> (Vec<EdgeRow>, TextColumn) {
        let ranks = inverse(&self.breakdowns.0.sort());
        self.rows.par_iter_mut().for_each(|row| row.breakdown = ranks[row.breakdown as usize]);
        (self.rows, self.breakdowns.0.into_texts())
    }
}

impl ConnectionPart {
    fn from(&mut self, field: NamedCell<'_>, people: &Ids) -> Result<PersonIx, TableFault> {
        let written = field.cell.written();
        match &mut self.last_from {
            Some((last, row)) if last == written => Ok(PersonIx(*row)),
            last => {
                let row = field.reference(people)?;
                let (kept, kept_row) = last.get_or_insert_default();
                written.clone_into(kept);
                *kept_row = row;
                Ok(PersonIx(row))
            }
        }
    }

    /// The number, within this block, of the breakdown in `field`.
    fn breakdown(&mut self, field: NamedCell<'_>) -> Result<u32, TableFault> {
        let Some(raw) = field.optional_json() else { return Ok(0) };
        if let Some(spelling) = self.written.find(raw) {
            return Ok(self.compact_of[spelling as usize]);
        }
        let compact = freeform::compact_breakdown(raw).map_err(|fault| field.freeform(fault))?;
        let compact = field.bounded(compact, BREAKDOWN_BYTES_MAX)?;
        let full = |full| TableFault::of(field.name, Reason::Full(full));
        let (number, _) = self.breakdowns.0.number(&compact).map_err(full)?;
        self.written.number(raw).map_err(full)?;
        self.compact_of.push(number);
        Ok(number)
    }
}

impl Table<4> for ConnectionTable<'_> {
    const COLUMNS: [TableColumn; 4] =
        [required("from"), required("to"), optional("warmness"), optional("breakdown")];
    type Part = ConnectionPart;

    fn read(&self, row: [NamedCell<'_>; 4], _line: u64, part: &mut ConnectionPart) -> Result<(), TableFault> {
        let [from, to, warmness, breakdown] = row;
        let row = EdgeRow {
            from: part.from(from, self.people)?,
            to: PersonIx(to.reference(self.people)?),
            score: score(warmness)?,
            breakdown: part.breakdown(breakdown)?,
        };
        part.rows.push(row);
        Ok(())
    }

    fn take(&mut self, part: ConnectionPart, _faults: &mut RowFaults) -> Result<(), TableFault> {
        let numbers = part.breakdowns.0.texts().iter().map(|text| Ok(self.breakdowns.0.number(text)?.0));
        let numbers = numbers.collect::<Result<Vec<u32>, ColumnFull>>()?;
        let renumbered = |row: EdgeRow| EdgeRow { breakdown: numbers[row.breakdown as usize], ..row };
        self.rows.extend(part.rows.into_iter().map(renumbered));
        Ok(())
    }
}

fn score(warmness: NamedCell<'_>) -> Result<Warmness, TableFault> {
    let score = warmness.optional_whole(100)?.and_then(|score| u8::try_from(score).ok());
    Ok(score.and_then(Warmness::new).unwrap_or(Warmness::UNSCORED))
}
