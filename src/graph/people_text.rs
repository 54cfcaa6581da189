//! The texts of people in the order in which a search lists them.
//!
//! A search wants the first few matches of a fixed order, so the texts stand in that order: a
//! scan from the start may stop at the last match wanted.

use rayon::prelude::*;

use crate::graph::names::Names;
use crate::graph::near::Near;
use crate::graph::text_blocks::TextBlocks;
use crate::model::column::{TextColumn, held};
use crate::model::dataset::People;
use crate::model::ix::{CompanyIx, OptionalIx, PersonIx};
use crate::model::text::fold;
use crate::model::warmness::Warmness;

/// Everyone in the network (first or second degree), with their folded texts.
///
/// All columns have one row for each of them: first degree first, then warmness descending, none
/// last, then name, then id.
#[derive(Debug, Default)]
pub struct PeopleText {
    /// Who stands at each place.
    pub people: Vec<PersonIx>,
    /// Folded names.
    pub names: TextColumn,
    /// Folded e-mail addresses, all of a person in one row: a line end, which no folded text has, stands between them.
    pub emails: TextColumn,
    /// The blocks of `names` that can hold a text.
    pub name_blocks: TextBlocks,
    /// The blocks of `emails` that can hold a text.
    pub email_blocks: TextBlocks,
    /// The number of each one's position in `folded_positions`.
    pub positions: Vec<u32>,
    /// Each one's company.
    pub companies: Vec<OptionalIx<CompanyIx>>,
    /// Each distinct position, folded; in the order of the dataset's dictionary.
    pub folded_positions: TextColumn,
    /// The blocks of `folded_positions` that can hold a text.
    pub position_blocks: TextBlocks,
}

impl PeopleText {
    /// The texts of a network. Costs a sort of the people and one pass over their texts, on all
    /// cores.
    #[must_use]
    pub fn build(people: &People, near: &Near, names: Names<'_>) -> Self {
        let mut order: Vec<(u16, u32, u32)> = (0..people.len() as u32)
            .into_par_iter()
            .filter_map(|row| Some((nearness(near, PersonIx(row))?, names.rank(row), row)))
            .collect();
        order.par_sort_unstable();
        let ranked: Vec<u32> = order.iter().map(|&(_, _, row)| row).collect();
        let values = &people.positions.values;
        let (texts, folded_positions) = rayon::join(
            || {
                rayon::join(
                    || gathered_column(ranked.iter().map(|&row| names.folded(row))),
                    || folded_emails(people, &ranked),
                )
            },
            || folded_column(values.len(), |value| values.get(value as u32)),
        );
        Self {
            positions: ranked.iter().map(|&row| people.positions.rows[row as usize]).collect(),
            companies: ranked.iter().map(|&row| people.companies[row as usize]).collect(),
            people: ranked.into_iter().map(PersonIx).collect(),
            name_blocks: TextBlocks::build(&texts.0),
            email_blocks: TextBlocks::build(&texts.1),
            position_blocks: TextBlocks::build(&folded_positions),
            names: texts.0,
            emails: texts.1,
            folded_positions,
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let texts = [&self.names, &self.emails, &self.folded_positions];
        let blocks = [&self.name_blocks, &self.email_blocks, &self.position_blocks];
        texts.iter().map(|column| column.size_bytes()).sum::<usize>()
            + blocks.iter().map(|blocks| blocks.size_bytes()).sum::<usize>()
            + held(&self.people)
            + held(&self.positions)
            + held(&self.companies)
    }
}

/// What people are ordered by before their names: degree, then coldness; nothing outside.
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

/// The addresses of `people`, a row for each of `ranked`.
fn folded_emails(people: &People, ranked: &[u32]) -> TextColumn {
    let emails = people.email_texts();
    let of = |&row: &u32| {
        let mut all = fold(emails.own.get(row));
        for email in emails.others.texts_of(PersonIx(row)) {
            all.push('\n');
            all.push_str(&fold(email));
        }
        all
    };
    let texts: Vec<String> = ranked.par_iter().map(of).collect();
    gathered_column(texts.iter().map(String::as_str))
}

/// A column of `count` texts, folded on all cores.
pub(crate) fn folded_column<'a>(count: usize, text: impl Fn(usize) -> &'a str + Sync) -> TextColumn {
    let texts: Vec<String> = (0..count).into_par_iter().map(|place| fold(text(place))).collect();
    gathered_column(texts.iter().map(String::as_str))
}

/// A column of `texts`; one that would pass 4 GiB is left empty: what cannot be held is not found.
pub(crate) fn gathered_column<'a>(texts: impl Iterator<Item = &'a str>) -> TextColumn {
    let mut column = TextColumn::default();
    for text in texts {
        if column.push(text).is_err() {
            // An empty text takes no room, so it always fits.
            let _ = column.push("");
        }
    }
    column
}
