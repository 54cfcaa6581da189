//! `kith find`: finds people by a sentence in plain words, from a snapshot and without a server.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::api::endpoints::network_search;
use crate::cli::opened::{ListArg, open};
use crate::cli::table::{write_fitted, write_line};
use crate::clock;
use crate::digest::cells::joined;
use crate::limits::{QUERY_CHARS_MAX, STORE_LOOKUP_DEADLINE};
use crate::search::engine::{Engines, Mode};
use crate::search::index::SearchIndex;
use crate::search::question::{Found, FoundPerson, Question, ask};
use crate::search::rank::Strictness;
use crate::search::searched::Searched;
use crate::search::understood::{SearchCounts, Understood};
use kith::limits::PAGE_LIMIT_DEFAULT;

/// Find people by what they do, in plain words
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith find snapshots/acme.kith 'heads of finance in Berlin'")]
pub struct FindCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// The people to find, such as "heads of finance in Berlin"
    #[arg(value_parser = parse_words)]
    words: String,
    /// Print the JSON that the API answers
    #[arg(long)]
    json: bool,
    /// Also how the words were read; with --json also why each person fits
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    list: ListArg,
}

impl FindCommand {
    /// Prints the people who fit best.
    ///
    /// # Errors
    /// Returns an error if the snapshot or the list cannot be used.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let index = open(&self.snapshot, &self.list)?;
        let search = SearchIndex::build(&index);
        let question = Question {
            text: self.words,
            networks: None,
            strictness: Strictness::ALL[0],
            view: None,
            acting: None,
            limit: PAGE_LIMIT_DEFAULT,
            mode: Mode::Auto,
            explains: self.explain,
            names_ties: false,
        };
        // The engines in memory come before the relational store, which is not opened.
        let searched = Searched {
            index: &index,
            search: &search,
            store: None,
            engines: Engines::ALL,
            deadline: clock::now() + STORE_LOOKUP_DEADLINE,
        };
        let found = ask(searched, &question, None).map_err(|reason| reason.sentence())?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            out.write_all(&network_search::write(&found, false, None).into_bytes())?;
            writeln!(out)?;
        } else {
            print(&mut out, &found)?;
        }
        Ok(out.flush()?)
    }
}

fn print(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    let terms: Vec<Option<&str>> = found.terms.iter().map(|term| Some(term.as_str())).collect();
    write_line(out, &format!("searched for: {}", joined(&terms)))?;
    if let Some(understood) = &found.understood {
        print_understood(out, understood)?;
    }
    let (shown, total) = (found.people.len() as u64, found.total);
    write_line(
        out,
        &if shown < total {
            format!("people: the first {shown} of {total}")
        } else {
            format!("people: {total}")
        },
    )?;
    if found.people.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let cells = |found: &FoundPerson<'_>| {
        let warmness = found.warmness.map_or_else(|| joined(&[]), |warmness| warmness.to_string());
        let company = joined(&[found.employer.map(|employer| employer.name)]);
        [
            warmness,
            found.person.name.to_owned(),
            joined(&[found.person.position]),
            company,
            joined(&[found.city]),
        ]
    };
    let rows: Vec<[String; 5]> = found.people.iter().map(cells).collect();
    write_fitted(out, ["WARM", "NAME", "POSITION", "COMPANY", "CITY"], &rows)
}

fn print_understood(out: &mut impl Write, understood: &Understood<'_>) -> io::Result<()> {
    for term in &understood.terms {
        let not = if term.negated { "not " } else { "" };
        let once = if term.past { "once " } else { "" };
        let read = term.read_as.as_ref().map_or_else(String::new, |read| format!(" (read as {read})"));
        let also: Vec<Option<&str>> = term.widened_to.iter().copied().map(Some).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also {}", joined(&also)) };
        let (kind, text, people) = (term.kind.name(), &term.term, term.people);
        write_line(out, &format!("  {not}{once}{kind} {text}{read}: {people} fit{also}"))?;
    }
    if !understood.ignored.is_empty() {
        write_line(out, &format!("  passed over: {}", understood.ignored.join(", ")))?;
    }
    let SearchCounts { every, most, any } = understood.counts;
    write_line(out, &format!("  fit every condition: {every}, most: {most}, any: {any}"))
}

fn parse_words(text: &str) -> Result<String, String> {
    let is_taken = !text.trim().is_empty() && text.chars().count() <= QUERY_CHARS_MAX;
    if is_taken {
        Ok(text.to_owned())
    } else {
        Err(format!("it has 1 to {QUERY_CHARS_MAX} characters, not all blank"))
    }
}
