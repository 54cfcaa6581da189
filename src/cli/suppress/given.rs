//! The people named on a command line, and whether each value is valid.

use std::io::{self, BufRead};
use std::path::PathBuf;

use clap::Args;

use crate::cli::suppress::usage::SuppressUsageError;
use crate::limits::SUPPRESSION_LIST_BYTES_MAX;
use crate::query::handle::handle_of;
use crate::suppress::known::Given;
use kith::limits::ID_BYTES_MAX;
use kith_import::addresses::addresses_in;
use kith_import::forgetting::company_form;

/// The value that means the lines of standard input.
const STDIN: &str = "-";
/// The prefix of people's ids.
const PERSON: &str = "person_";

/// People, and where they are looked up.
#[derive(Debug, Args)]
pub(super) struct NamedPeople {
    /// A person's handle, or the address of their profile; may be repeated; - reads one a line from standard input
    #[arg(long, value_name = "HANDLE", value_parser = parse_handle)]
    linkedin_id: Vec<String>,
    /// A person's e-mail address; may be repeated; - likewise
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    email: Vec<String>,
    /// A person's id; may be repeated; - likewise
    #[arg(long, value_name = "person_…", value_parser = parse_id)]
    id: Vec<String>,
    /// A person's name; - likewise. Without --tables or --snapshot only together with --company: a name alone is several
    /// people's
    #[arg(long, value_name = "NAME", value_parser = parse_text)]
    name: Vec<String>,
    /// The company of the people called --name
    #[arg(long, value_name = "COMPANY", requires = "name", value_parser = parse_company)]
    company: Option<String>,
    /// Look the people up in these tables, and enter everything that they are known by
    #[arg(long, value_name = "DIR", conflicts_with = "snapshot")]
    pub(super) tables: Option<PathBuf>,
    /// Look the people up in this snapshot, and enter everything that they are known by there
    #[arg(long, value_name = "FILE")]
    pub(super) snapshot: Option<PathBuf>,
}

impl NamedPeople {
    /// Whether to look them up in a network.
    pub(super) fn are_looked_up(&self) -> bool {
        self.tables.is_some() || self.snapshot.is_some()
    }

    /// The people named, in the order of the options. Reads standard input if a value says so.
    ///
    /// # Errors
    /// Returns an error if none is named, two values mean standard input, or it cannot be read or has an invalid value.
    pub(super) fn given(&self) -> Result<Vec<Given>, SuppressUsageError> {
        let all = [&self.linkedin_id, &self.email, &self.id, &self.name];
        match all.iter().copied().flatten().filter(|text| *text == STDIN).count() {
            0 | 1 => {}
            _ => return Err(SuppressUsageError::StdinTwice),
        }
        let company = &self.company;
        let mut given = Vec::new();
        take(&self.linkedin_id, parse_handle, &mut |text| given.push(Given::Handle(text)))?;
        take(&self.email, parse_address, &mut |text| given.push(Given::Email(text)))?;
        take(&self.id, parse_id, &mut |text| given.push(Given::Id(text)))?;
        take(&self.name, parse_text, &mut |text| given.push(Given::Name(text, company.clone())))?;
        if given.is_empty() {
            return Err(SuppressUsageError::Nobody);
        }
        if !self.are_looked_up() && !self.name.is_empty() && company.is_none() {
            return Err(SuppressUsageError::NameAlone);
        }
        Ok(given)
    }
}

/// Passes each of `texts` to `add`; for [`STDIN`], each line of standard input, parsed with `parse`.
fn take(
    texts: &[String],
    parse: fn(&str) -> Result<String, &'static str>,
    add: &mut dyn FnMut(String),
) -> Result<(), SuppressUsageError> {
    for text in texts {
        if text != STDIN {
            add(text.clone());
            continue;
        }
        let input = io::Read::take(io::stdin().lock(), SUPPRESSION_LIST_BYTES_MAX as u64);
        for (line, text) in input.lines().enumerate() {
            let text = text.map_err(SuppressUsageError::Stdin)?;
            if !text.trim().is_empty() {
                add(parse(&text).map_err(|fault| SuppressUsageError::Line { line: line + 1, fault })?);
            }
        }
    }
    Ok(())
}

fn parse_text(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    if text.is_empty() { Err("it is blank") } else { Ok(text.to_owned()) }
}

fn parse_handle(text: &str) -> Result<String, &'static str> {
    let text = parse_text(text)?;
    let handle = handle_of(&text);
    if handle.starts_with(PERSON) {
        return Err("that is an id; give it by --id");
    }
    if handle.contains('@') {
        return Err("that is an e-mail address; give it by --email");
    }
    if handle
        .contains(|found: char| found == '/' || found == ',' || found.is_whitespace() || found.is_control())
    {
        return Err(
            "that is no handle; give what stands behind /in/ in the address of the profile, or --name NAME",
        );
    }
    Ok(text)
}

/// The only address in `text`, also in the form of mail programs.
fn parse_address(text: &str) -> Result<String, &'static str> {
    let text = parse_text(text)?;
    let mut found = Vec::new();
    addresses_in(&text, &mut found);
    match (text.as_str(), found.pop()) {
        (STDIN, _) => Ok(text),
        (_, Some(address)) if found.is_empty() => Ok(address),
        _ => Err(
            "that is not one e-mail address; give it as ana@example.com, or --name NAME or --id for a person without one",
        ),
    }
}

fn parse_id(text: &str) -> Result<String, &'static str> {
    let text = parse_text(text)?;
    let is_id = text.starts_with(PERSON) && text.len() <= ID_BYTES_MAX;
    if is_id || text == STDIN { Ok(text) } else { Err("that is no person's id: those begin with person_") }
}

fn parse_company(text: &str) -> Result<String, &'static str> {
    let text = parse_text(text)?;
    if company_form(&text).is_empty() { Err("that names no company") } else { Ok(text) }
}
