//! Pairs of people in files beside the tables: observed pairs, and likely doubles.

use std::io;

use serde::Serialize;

use crate::derived::pairs::DerivedPair;
use crate::imported::Imported;
use crate::tables::folder::{DERIVED, DOUBLES, TableFolder};

#[derive(Serialize)]
struct DerivedLine<'a> {
    from: &'a str,
    to: &'a str,
    kinds: DerivedKinds,
    days: usize,
    last: String,
    owners: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<bool>,
}

#[derive(Serialize)]
struct DerivedKinds {
    #[serde(skip_serializing_if = "Option::is_none")]
    both: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    one: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    met: Option<usize>,
}

#[derive(Serialize)]
struct DoubleLine<'a> {
    a: &'a str,
    b: &'a str,
    score: f64,
    reasons: Vec<&'static str>,
}

impl Imported {
    /// Writes the observed pairs, unless nothing may be derived.
    pub(super) fn write_derived(&self, folder: &TableFolder) -> io::Result<()> {
        if !self.derived.is_asked {
            folder.take_away(DERIVED);
            return Ok(());
        }
        let mut lines: Vec<DerivedLine<'_>> =
            self.derived.pairs.iter().map(|pair| self.derived_line(pair)).collect();
        lines.sort_unstable_by_key(|line| (line.from, line.to));
        let mut table = folder.table(DERIVED)?;
        lines.iter().try_for_each(|line| table.row(line))?;
        folder.add(table)
    }

    fn derived_line(&self, pair: &DerivedPair) -> DerivedLine<'_> {
        let wrote = Some(pair.wrote).filter(|days| *days > 0);
        let kinds = DerivedKinds {
            both: wrote.filter(|_| pair.is_both),
            one: wrote.filter(|_| !pair.is_both),
            met: Some(pair.met).filter(|days| *days > 0),
        };
        let mut owners: Vec<&str> = pair.owners.iter().map(|owner| self.id(*owner)).collect();
        owners.sort_unstable();
        DerivedLine {
            from: self.id(pair.from),
            to: self.id(pair.to),
            kinds,
            days: pair.days,
            last: pair.last.timestamp().to_rfc3339_ms()[..10].to_owned(),
            owners,
            known: pair.known,
        }
    }

    /// Writes the likely doubles, likeliest first.
    pub(super) fn write_doubles(&self, folder: &TableFolder) -> io::Result<()> {
        let lines: Vec<DoubleLine<'_>> = self
            .doubles
            .iter()
            .map(|double| {
                let (one, other) = (self.id(double.one), self.id(double.other));
                let reasons = double.reasons.iter().map(|reason| reason.text()).collect();
                DoubleLine {
                    a: one.min(other),
                    b: one.max(other),
                    score: f64::from(double.score) / 100.0,
                    reasons,
                }
            })
            .collect();
        let mut table = folder.table(DOUBLES)?;
        lines.iter().try_for_each(|line| table.row(line))?;
        folder.add(table)
    }
}
