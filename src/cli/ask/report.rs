//! Counts the outcomes of asks.

use std::error::Error;
use std::io::{self, BufWriter, Write};

use clap::Args;
use kith::asks::report::{AskCounts, AskReport, SHARES_FROM};

use crate::ask_file::reported::report_json;
use crate::cli::ask::book::AskedSnapshot;
use crate::cli::listing::reader_may_leave;
use crate::cli::table::{write_fitted, write_line};

/// Count what came of asks: how many were answered, introduced, in touch and met
#[derive(Debug, Args)]
pub struct ReportCommand {
    #[command(flatten)]
    of: AskedSnapshot,
    /// Leave the connectors out
    #[arg(long)]
    without_connectors: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ReportCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let overlay = self.of.overlay()?;
        let report = AskReport::of(&overlay, !self.without_connectors);
        let mut out = BufWriter::new(io::stdout().lock());
        let print = |out: &mut BufWriter<_>| match self.json {
            true => writeln!(out, "{}", report_json(&report)),
            false => print(out, &report),
        };
        Ok(reader_may_leave(print(&mut out).and_then(|()| out.flush()))?)
    }
}

fn print(out: &mut impl Write, report: &AskReport) -> io::Result<()> {
    let asked = report.all.first().map_or(0, |all| all.counts[0]);
    if asked == 0 {
        return write_line(out, "nobody was asked yet");
    }
    if asked < SHARES_FROM {
        write_line(out, &format!("not enough to tell shares by: {asked} of {SHARES_FROM} asks"))?;
    }
    for (title, counts) in [
        ("ALL", &report.all),
        ("TYPE", &report.connection_type),
        ("WARMNESS", &report.band),
        ("MONTH", &report.month),
        ("THROUGH", &report.connector),
    ] {
        if counts.is_empty() {
            continue;
        }
        writeln!(out)?;
        let rows: Vec<[String; 8]> = counts.iter().map(cells).collect();
        let titles = [title, "ASKED", "AGREED", "INTRODUCED", "IN TOUCH", "MET", "DECLINED", "NO ANSWER"];
        write_fitted(out, titles, &rows)?;
    }
    Ok(())
}

fn cells(counts: &AskCounts) -> [String; 8] {
    let shares = counts.shares();
    let cell = |place: usize| match (&shares, place) {
        (Some(shares), 1..) => {
            let (_, [_, low, high]) = shares[place - 1];
            let percent = |share: f64| (share * 100.0).round();
            format!("{} ({}-{} %)", counts.counts[place], percent(low), percent(high))
        }
        _ => counts.counts[place].to_string(),
    };
    [counts.key.clone(), cell(0), cell(1), cell(2), cell(3), cell(4), cell(5), cell(6)]
}
