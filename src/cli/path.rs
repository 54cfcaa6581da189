//! `kith path`: who can introduce us, from a snapshot and without a server.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::api::endpoints::warm_paths::write_answer;
use crate::cli::opened::{ListArg, open};
use crate::cli::table::{write_fitted, write_line, write_sentence};
use crate::digest::cells::joined;
use crate::limits::TARGET_CHARS_MAX;
use crate::query::name_match::NameClass;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::found::{FoundMatch, FoundPath, FoundTarget, PathPage};
use crate::query::paths::request::{PathExtra, PathExtras, PathRequest, PathType, TargetQuery};
use crate::query::paths::target::MatchedBy;
use crate::query::paths::written::{Doubt, is_taken};
use crate::search::past::PastCompanies;
use kith::limits::{Limits, PAGE_LIMIT_DEFAULT};

/// Say who can introduce us to a person, or to anyone at a company
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith path snapshots/acme.kith 'Deepa Reddy'
  kith path snapshots/acme.kith deepa@example.com --json")]
pub struct PathCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// A person or a company as people write them: an id, an e-mail address, a handle or the address of a profile or a
    /// homepage, a name, a name with a firm, a firm
    #[arg(value_parser = parse_who, allow_hyphen_values = true)]
    who: String,
    /// Print the JSON that the API answers
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    list: ListArg,
}

/// The first page with the API's default `limit`.
const PAGE: Page = Page { limit: PAGE_LIMIT_DEFAULT, offset: 0 };

impl PathCommand {
    /// Prints the first paths from all members, of all types.
    ///
    /// # Errors
    /// Returns an error if the snapshot or the list cannot be used, or nobody is found.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let index = open(&self.snapshot, &self.list)?;
        // The API answers none of these without further parameters; for a target not found, what is near is shown
        // anyway.
        let extras = if self.json { [PathExtra::Near].into_iter().collect() } else { PathExtras::ALL };
        let request = PathRequest { extras, ..PathRequest::to(TargetQuery::Text(&self.who), PAGE) };
        let found = paths::find(&index, &request, &Limits::DEFAULT);
        let mut answer = match found.paths.is_empty() {
            true => PastCompanies::build(&index).page(&index, &found),
            false => PathPage::of(&index, &found),
        };
        if answer.target.is_none() {
            print_near(&mut io::stderr().lock(), &answer)?;
            let (file, who) = (self.snapshot.display(), &self.who);
            return Err(format!("nobody and no company in {file} is meant by {who:?}").into());
        }
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            answer.near = None;
            out.write_all(&write_answer(&answer, PAGE).into_bytes())?;
            writeln!(out)?;
        } else {
            print(&mut out, &answer)?;
        }
        Ok(out.flush()?)
    }
}

fn print(out: &mut impl Write, answer: &PathPage<'_>) -> io::Result<()> {
    let is_company = print_target(out, answer)?;
    if let Some(matched) = &answer.matched {
        write_line(out, &match_line(matched))?;
        for doubt in &matched.doubt {
            write_line(out, doubt_line(*doubt))?;
        }
    }
    if answer.coverage.excluded_intro_requested > 0 {
        let asked = answer.coverage.excluded_intro_requested;
        write_line(out, &format!("left out, since introductions to them were asked for: {asked}"))?;
    }
    let (shown, total) = (answer.paths.len() as u64, answer.total);
    write_line(
        out,
        &if shown < total {
            format!("paths: the first {shown} of {total}")
        } else {
            format!("paths: {total}")
        },
    )?;
    for reason in answer.reasons.iter().flatten() {
        write_sentence(out, &reason.message)?;
    }
    if answer.paths.is_empty() {
        return print_near(out, answer);
    }
    writeln!(out)?;
    print_paths(out, &answer.paths, is_company)
}

/// Prints people with the nearest names, and the warmest paths to anybody at the firm, if any.
fn print_near(out: &mut impl Write, answer: &PathPage<'_>) -> io::Result<()> {
    let Some(near) = &answer.near else { return Ok(()) };
    for person in &near.people {
        let said = joined(&[Some(person.name), person.position, person.company]);
        write_line(out, &format!("a name like it: {said} ({})", person.id))?;
    }
    let Some(company) = near.company.filter(|_| !near.paths.is_empty()) else { return Ok(()) };
    write_line(out, &format!("others at {}:", company.name))?;
    print_paths(out, &near.paths, true)
}

fn print_paths(out: &mut impl Write, paths: &[FoundPath<'_>], is_company: bool) -> io::Result<()> {
    if is_company {
        let rows: Vec<[String; 5]> = paths
            .iter()
            .map(|path| {
                let [warm, kind, from, by] = cells(path);
                [
                    warm,
                    kind,
                    from,
                    by,
                    path.target.map_or_else(String::new, |to| joined(&[Some(to.name), to.position])),
                ]
            })
            .collect();
        write_fitted(out, ["WARM", "TYPE", "ASK", "THROUGH", "TO REACH"], &rows)
    } else {
        let rows: Vec<[String; 4]> = paths.iter().map(cells).collect();
        write_fitted(out, ["WARM", "TYPE", "ASK", "THROUGH"], &rows)
    }
}

/// Prints the target of the paths; returns whether it is a company.
fn print_target(out: &mut impl Write, answer: &PathPage<'_>) -> io::Result<bool> {
    match &answer.target {
        Some(FoundTarget::Person { person, .. }) => {
            let said = joined(&[Some(person.name), person.position, person.company]);
            write_line(out, &format!("{said} ({})", person.id))?;
            Ok(false)
        }
        Some(FoundTarget::Company(company)) => {
            let said = joined(&[Some(company.name), company.industry, company.headquarters]);
            write_line(out, &format!("{said} ({})", company.id))?;
            Ok(true)
        }
        None => Ok(false),
    }
}

fn match_line(matched: &FoundMatch<'_>) -> String {
    let way = match matched.by {
        Some(MatchedBy::Name(NameClass::Equal)) => "equal name",
        Some(MatchedBy::Name(NameClass::Reordered)) => "the same name in another order",
        Some(MatchedBy::Name(NameClass::Prefix)) => "part of the name",
        Some(MatchedBy::Name(NameClass::Fuzzy)) => "a name spelt a little differently",
        by => by.map_or("nothing", MatchedBy::name),
    };
    match matched.others {
        0 => format!("found by: {way}"),
        others => format!("found by: {way}, as {others} more"),
    }
}

const fn doubt_line(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Company => "in doubt: they are not known to work there",
        Doubt::Name => "in doubt: the name is written a little differently here",
    }
}

fn cells(path: &FoundPath<'_>) -> [String; 4] {
    let kind = match path.kind {
        PathType::Direct => "direct",
        PathType::Advocate => "advocate",
        PathType::SecondDegree => "second degree",
        PathType::AdvocateSecondDegree => "over advocate",
    };
    let by = through(path).unwrap_or_else(|| joined(&[]));
    let kind = if path.is_derived() { format!("{kind}, probably") } else { kind.to_owned() };
    [path.warmness.to_string(), kind, path.from.name.to_owned(), by]
}

/// The people on `path`, in the order to ask them; `None` if the member knows the target.
pub(super) fn through(path: &FoundPath<'_>) -> Option<String> {
    match (path.kind, &path.via) {
        (PathType::Direct, _) => None,
        (PathType::AdvocateSecondDegree, Some(via)) => {
            Some(format!("{}, then {}", via.person.name, path.connector.name))
        }
        _ => Some(joined(&[Some(path.connector.name), path.connector.company])),
    }
}

fn parse_who(text: &str) -> Result<String, String> {
    if is_taken(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("it has 1 to {TARGET_CHARS_MAX} characters, not all blank"))
    }
}
