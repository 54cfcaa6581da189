//! Likely doubles side by side, for people to decide: who both are, where they came from, and what they would be as
//! one.

use std::io::{self, Write};

use serde::Serialize;

use crate::doubles::{Double, JoinedTie};
use crate::imported::Imported;

/// Maximum rows listed for a person.
const ROWS_SHOWN: usize = 5;

#[derive(Serialize)]
struct DoublesLine<'a> {
    doubles: Vec<SideBySide<'a>>,
    #[serde(rename = "doublesLeft")]
    left: usize,
}

#[derive(Serialize)]
struct SideBySide<'a> {
    a: Side<'a>,
    b: Side<'a>,
    score: f64,
    reasons: Vec<&'static str>,
    ties: Vec<TieLine<'a>>,
}

#[derive(Serialize)]
struct Side<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    position: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    company: &'a str,
    #[serde(rename = "linkedinId", skip_serializing_if = "str::is_empty")]
    handle: &'a str,
    rows: Vec<RowLine<'a>>,
    #[serde(rename = "rowsLeft")]
    rows_left: usize,
}

#[derive(Serialize)]
struct RowLine<'a> {
    file: &'a str,
    line: u64,
    name: &'a str,
}

#[derive(Serialize)]
struct TieLine<'a> {
    name: &'a str,
    a: u8,
    b: u8,
    joined: u8,
}

impl Imported {
    /// Writes the likeliest `most` pairs of likely doubles as JSON: `a` and `b` with their rows, `score` (0 to 1),
    /// `reasons`, and `ties` of the members and advocates who know both, with their present warmness and the `joined`
    /// one. Pairs with equal scores are ordered by id. Contains no addresses.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn write_doubles_up_to(&self, most: usize, mut out: impl Write) -> io::Result<()> {
        let left = self.doubles.len().saturating_sub(most);
        let doubles = self.doubles.iter().take(most).map(|double| self.side_by_side(double)).collect();
        serde_json::to_writer(&mut out, &DoublesLine { doubles, left })?;
        Ok(())
    }

    fn side_by_side(&self, double: &Double) -> SideBySide<'_> {
        let Double { one, other, .. } = *double;
        let (a, b) = if self.id(one) <= self.id(other) { (one, other) } else { (other, one) };
        let tie = |tie: &JoinedTie| {
            let name = &self.plan.holders[tie.holder as usize].name;
            let (a, b) = if a == double.one { (tie.one, tie.other) } else { (tie.other, tie.one) };
            TieLine { name, a, b, joined: tie.joined }
        };
        SideBySide {
            a: self.side(a),
            b: self.side(b),
            score: f64::from(double.score) / 100.0,
            reasons: double.reasons.iter().map(|reason| reason.text()).collect(),
            ties: double.ties.iter().map(tie).collect(),
        }
    }

    fn side(&self, person: u32) -> Side<'_> {
        let of = &self.people.people[person as usize];
        let rows: Vec<RowLine<'_>> = self
            .rows_of(person)
            .filter(|row| row.is_of_file())
            .map(|row| RowLine {
                file: &self.gathered.outcomes[row.file as usize].file,
                line: row.line,
                name: &row.name,
            })
            .collect();
        let company =
            if of.company == 0 { "" } else { self.gathered.companies.company(of.company).name.as_str() };
        Side {
            id: self.id(person),
            name: &self.gathered.rows[of.name as usize].name,
            position: &self.gathered.texts[of.position as usize],
            company,
            handle: &of.handle,
            rows_left: rows.len().saturating_sub(ROWS_SHOWN),
            rows: rows.into_iter().take(ROWS_SHOWN).collect(),
        }
    }
}
