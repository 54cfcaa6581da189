//! `kith plan`: whom to ask now for each target of a list, so that nobody is asked too often.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kith::asks::book::AskBook;
use kith::asks::caps::AskCaps;
use kith::asks::overlay::AskOverlay;
use kith::asks::plan::Planner;
use kith::limits::Limits;

use crate::api::endpoints::warm_paths_batch::{AskPlan, Planned};
use crate::api::json::Json;
use crate::ask_file::keeper::AskKeeper;
use crate::ask_file::service::moment;
use crate::cli::listing::reader_may_leave;
use crate::cli::opened::{ListArg, open};
use crate::cli::table::{write_fitted, write_line};
use crate::cli::targets::{self, ListedTarget};
use crate::clock;
use crate::query::page::Page;
use crate::query::paths::found::FoundPath;
use crate::query::paths::from_set::FromSet;
use crate::query::paths::request::{PathRequest, PathSort, PathType};

/// Say whom to ask now, whom later and whom not, for each target of a list
#[derive(Debug, Args)]
pub struct PlanCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// The targets, one a line, as people write them
    #[arg(long, value_name = "FILE")]
    targets: PathBuf,
    /// The file of asks, which `kith ask create` makes: what was asked lately counts
    #[arg(long, value_name = "FILE")]
    asks: Option<PathBuf>,
    /// The most asks over one connector within the days; 0 for no cap
    #[arg(long, value_name = "N", default_value_t = AskCaps::default().per_connector)]
    per_connector: u32,
    /// Those days
    #[arg(long, value_name = "N", default_value_t = AskCaps::default().days)]
    days: u32,
    /// Print the JSON that the API answers
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    list: ListArg,
}

impl PlanCommand {
    /// Prints the plan.
    ///
    /// # Errors
    /// Returns an error if a file cannot be used.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let index = open(&self.snapshot, &self.list)?;
        let targets = targets::read(&self.targets)?;
        let book = match &self.asks {
            Some(file) => AskKeeper::open(file)?.book(&index.data.organization.id)?,
            None => Arc::new(AskBook::default()),
        };
        let overlay = AskOverlay::build(&index, &book);
        let caps = AskCaps { per_connector: self.per_connector, days: self.days, ..AskCaps::default() };
        let mut planner = Planner::new(&overlay, caps, moment(clock::wall_time()));
        let from = FromSet::new(&overlay.index, None);
        for (place, listed) in targets.iter().enumerate() {
            let (target, position) = listed.read().map_err(|error| error.sentence())?;
            let page = Page { limit: 1, offset: 0 };
            let request = PathRequest { position, sort: PathSort::Warmness, ..PathRequest::to(target, page) };
            planner.add(place, &from, &request, &Limits::DEFAULT);
        }
        let planned = Planned { plan: planner.share_out(), index: &overlay.index };
        let mut out = BufWriter::new(io::stdout().lock());
        let print = |out: &mut BufWriter<_>| {
            if self.json {
                let json = Json::of_object(1024, |json| AskPlan::write(json, &planned));
                out.write_all(&json.into_bytes())?;
                return writeln!(out);
            }
            print(out, &targets, &planned)
        };
        Ok(reader_may_leave(print(&mut out).and_then(|()| out.flush()))?)
    }
}

fn print(out: &mut impl Write, targets: &[ListedTarget], planned: &Planned<'_>) -> io::Result<()> {
    let plan = &planned.plan;
    let found = plan.now.len() + plan.later.len() + plan.never.len();
    let missing = targets.len() - found;
    write_line(
        out,
        &format!(
            "now: {}, later: {}, not: {}, not found: {missing}",
            plan.now.len(),
            plan.later.len(),
            plan.never.len()
        ),
    )?;
    writeln!(out)?;
    let path = |when: &str, place: usize, path: &FoundPath<'_>| {
        let through = match path.kind {
            PathType::Direct => "-".to_owned(),
            _ => path.connector.name.to_owned(),
        };
        let to = targets[place].text.clone();
        [when.to_owned(), to, path.warmness.to_string(), path.from.name.to_owned(), through]
    };
    let now = plan.now.iter().map(|one| path("now", one.place, &planned.path(one)));
    let later = plan.later.iter().map(|(one, after)| path(after, one.place, &planned.path(one)));
    let never = plan.never.iter().map(|&(place, reason)| {
        let why = format!("not: {}", reason.name());
        [why, targets[place].text.clone(), String::new(), String::new(), String::new()]
    });
    let rows: Vec<[String; 5]> = now.chain(later).chain(never).collect();
    write_fitted(out, ["WHEN", "TARGET", "WARM", "ASK", "THROUGH"], &rows)
}
