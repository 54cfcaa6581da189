//! `kith bench`: the latencies of the API's questions on a snapshot and this machine, how often a bound cuts an answer,
//! and the cost of each bound.

mod asked;
mod bound;
mod draw;
mod kind;
mod measure;
mod report;
mod shown;

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::bench::asked::BenchedNetwork;
use crate::cli::bench::bound::Bound;
use crate::cli::bench::draw::Drawn;
use crate::cli::bench::kind::Kind;
use crate::cli::bench::measure::measure;
use crate::cli::bench::report::{BenchReport, BoundRow, KindRow};
use crate::cli::config::Config;
use crate::cli::environment;
use crate::cli::opened::{ListArg, open};
use crate::search::index::SearchIndex;
use kith::limits::Limits;

/// Measure how long questions take on a snapshot, and what each bound costs
#[derive(Debug, Args)]
#[command(after_help = "\
Questions are answered in this process: without HTTP, credentials and JSON, which a
server adds. They are drawn from the snapshot by the seed; the times are this machine's.

Examples:
  kith bench snapshots/acme.kith
  kith bench snapshots/acme.kith --config kith.toml --seconds 60 --json")]
pub struct BenchCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// For so long, in seconds, 1 to 3600; loading comes on top
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// The seed by which the questions are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The configuration whose limits are in force, as for `kith serve`
    #[arg(long, value_name = "FILE", env = "KITH_CONFIG")]
    config: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    list: ListArg,
}

impl BenchCommand {
    /// Measures, and prints the tables.
    ///
    /// # Errors
    /// Returns an error if the snapshot, the list or the configuration cannot be used.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let limits = Config::read(self.config.as_deref(), environment::variables())?.limits()?;
        let index = open(&self.snapshot, &self.list)?;
        let search = SearchIndex::build(&index);
        let asked = BenchedNetwork { index: &index, search: &search, limits };
        let report = self.report(asked);
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            writeln!(out, "{:#}", shown::as_json(&report))?;
        } else {
            shown::print(&mut out, &report)?;
        }
        Ok(out.flush()?)
    }

    fn report<'a>(&self, asked: BenchedNetwork<'a>) -> BenchReport<'a> {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let drawn = Drawn::new(asked.index, self.seed);
        let runs = Kind::ALL.len() * 2 + Bound::ALL.len() * Bound::SCALES.len();
        let each = Duration::from_secs(self.seconds.into()) / runs as u32;
        let kinds = Kind::ALL.into_iter().map(|kind| {
            let questions = drawn.of(kind);
            KindRow {
                kind,
                capped: asked.capped_share(kind, questions),
                one: measure(1, each, questions, |question| asked.ask(kind, question)),
                all: measure(threads, each, questions, |question| asked.ask(kind, question)),
            }
        });
        let kinds = kinds.collect();
        let bounds = Bound::ALL.into_iter().flat_map(|bound| {
            let drawn = &drawn;
            Bound::SCALES.into_iter().map(move |scale| {
                let (kind, limits) = (bound.kind(), bound.scaled(&asked.limits, scale));
                let (asked, questions) = (BenchedNetwork { limits, ..asked }, drawn.of(kind));
                BoundRow {
                    bound,
                    kind,
                    value: bound.value(&limits),
                    is_in_force: scale == Bound::IN_FORCE,
                    capped: asked.capped_share(kind, questions),
                    measured: measure(1, each, questions, |question| asked.ask(kind, question)),
                }
            })
        });
        BenchReport { asked, seed: self.seed, threads, kinds, bounds: bounds.collect() }
    }
}

const _: () = assert!(Limits::MAX <= u32::MAX / 2, "twice a bound is a number");
