//! The texts of people in the order in which a search lists them.
//!
//! A search wants the first few matches of a fixed order, so the texts are stored in that order: a scan from the start
//! can stop at the last match wanted.

use rayon::prelude::*;

use crate::graph::names::Names;
use crate::graph::near::Near;
use crate::graph::text_blocks::TextBlocks;
use crate::model::column::{TextColumn, held};
use crate::model::dataset::People;
use crate::model::ix::{CompanyIx, OptionalIx, PersonIx};
use crate::model::text::plain_onto;
use crate::model::warmness::Warmness;

/// Rows of a column that one core writes at a time.
const PIECE_ROWS: usize = 1 << 14;

/// Everyone in the network (first or second degree), with their plain texts.
///
/// Every column has one row per person: first degree first, then warmness descending, unscored last, then name, then
/// id.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PeopleText {
    /// The person of each row.
    pub people: Vec<PersonIx>,
    /// Plain names.
    pub names: TextColumn,
    /// Plain e-mail addresses, all of a person in one row, separated by a line end, which no plain text contains.
    pub emails: TextColumn,
    /// The blocks of `names` that can contain a text.
    pub name_blocks: TextBlocks,
    /// The blocks of `emails` that can contain a text.
    pub email_blocks: TextBlocks,
    /// Each person's position at work, as a row of `plain_positions`.
    pub positions: Vec<u32>,
    /// The company of each person.
    pub companies: Vec<OptionalIx<CompanyIx>>,
    /// Each distinct position in plain form, in the order of the dataset's dictionary.
    pub plain_positions: TextColumn,
    /// The blocks of `plain_positions` that can contain a text.
    pub position_blocks: TextBlocks,
}

impl PeopleText {
    /// Builds the texts of a network. Costs a sort of the people and one pass over their texts, on all cores.
    #[must_use]
    pub fn build(people: &People, near: &Near, names: Names<'_>) -> Self {
        let mut order: Vec<(u16, u32, u32)> = (0..people.len() as u32)
            .into_par_iter()
            .filter_map(|row| Some((nearness(near, PersonIx(row))?, names.rank(row), row)))
            .collect();
        order.par_sort_unstable();
        let ranked: Vec<u32> = order.iter().map(|&(_, _, row)| row).collect();
        let values = &people.positions.values;
        let (texts, plain_positions) = rayon::join(
            || {
                let name = |place: usize, out: &mut String| plain_onto(names.folded(ranked[place]), out);
                (appended_column(ranked.len(), name), plain_emails(people, &ranked))
            },
            || plain_column(values),
        );
        Self {
            positions: ranked.iter().map(|&row| people.positions.rows[row as usize]).collect(),
            companies: ranked.iter().map(|&row| people.companies[row as usize]).collect(),
            people: ranked.into_iter().map(PersonIx).collect(),
            name_blocks: TextBlocks::build(&texts.0),
            email_blocks: TextBlocks::build(&texts.1),
            position_blocks: TextBlocks::build(&plain_positions),
            names: texts.0,
            emails: texts.1,
            plain_positions,
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let texts = [&self.names, &self.emails, &self.plain_positions];
        let blocks = [&self.name_blocks, &self.email_blocks, &self.position_blocks];
        texts.iter().map(|column| column.size_bytes()).sum::<usize>()
            + blocks.iter().map(|blocks| blocks.size_bytes()).sum::<usize>()
            + held(&self.people)
            + held(&self.positions)
            + held(&self.companies)
    }
}

/// The sort key before names: degree, then coldness; `None` for a person outside.
fn nearness(near: &Near, person: PersonIx) -> Option<u16> {
    const SECOND: u16 = 1 << 8;
    let row = near.row(person);
    if near.is_first_degree(person) {
        let warmest = row.members.first().map_or(Warmness::UNSCORED, |edge| edge.score());
        return Some(u16::from(warmest.coldness()));
    }
    let edge = row.bridges.iter().find(|edge| near.is_first_degree(PersonIx(edge.source)))?;
    Some(SECOND | u16::from(edge.score().coldness()))
}

/// The addresses of `people`, one row for each of `ranked`.
fn plain_emails(people: &People, ranked: &[u32]) -> TextColumn {
    let emails = people.email_texts();
    appended_column(ranked.len(), |place, out| {
        let row = ranked[place];
        plain_onto(emails.own.get(row), out);
        for email in emails.others.texts_of(PersonIx(row)) {
            out.push('\n');
            plain_onto(email, out);
        }
    })
}

/// The plain texts of `column`, computed on all cores.
pub(crate) fn plain_column(column: &TextColumn) -> TextColumn {
    appended_column(column.len(), |row, out| plain_onto(column.get(row as u32), out))
}

/// Builds a column of `rows` rows with `append`, on all cores. A column that would pass 4 GiB is left empty, so its
/// texts are not found.
pub(crate) fn appended_column(rows: usize, append: impl Fn(usize, &mut String) + Sync) -> TextColumn {
    let piece_of = |piece: usize| {
        let mut column = TextColumn::default();
        for row in piece * PIECE_ROWS..((piece + 1) * PIECE_ROWS).min(rows) {
            if column.push_appended(|out| append(row, out)).is_err() {
                push_empty(&mut column);
            }
        }
        column
    };
    let pieces: Vec<TextColumn> = (0..rows.div_ceil(PIECE_ROWS)).into_par_iter().map(piece_of).collect();
    let mut column = TextColumn::default();
    for text in pieces.iter().flat_map(TextColumn::iter) {
        if column.push(text).is_err() {
            push_empty(&mut column);
        }
    }
    column
}

/// An empty text takes no room, so it always fits.
fn push_empty(column: &mut TextColumn) {
    let _ = column.push("");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_same_rows_in_whatever_pieces_it_is_written() {
        for rows in [0, 1, PIECE_ROWS, PIECE_ROWS + 1, 2 * PIECE_ROWS + 7] {
            let text = |row: usize| row.to_string().repeat(row % 3);
            let column = appended_column(rows, |row, out| out.push_str(&text(row)));
            assert_eq!(column.len(), rows);
            assert!(column.iter().enumerate().all(|(row, held)| held == text(row)), "{rows}");
        }
    }
}
