//! The report of an import on a terminal.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use crate::cli::listing::grouped;
use crate::cli::table::{LINE_WIDTH, write_fitted, write_line, write_sentence};
use kith_import::imported::Imported;
use kith_import::outcome::{ImportedFile, RowSkip};
use kith_import::report::RowTotals;

const HEADINGS: [&str; 6] = ["FILE", "FORMAT", "READ", "USED", "MERGED", "SKIPPED"];
/// The rows of a file and a reason from which on they are one line.
const TOGETHER_ROWS: usize = 3;
/// The fewest characters of a file's path in the table.
const FILE_CHARS_MIN: usize = 20;
/// The most lines on skipped rows that are shown.
const SKIPS_SHOWN: usize = 20;

/// Prints the rows of each file, the rows that were skipped, and what the network can answer.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(super) fn print(out: &mut impl Write, imported: &Imported, tables: Option<&Path>) -> io::Result<()> {
    let row = |file: &str, format: &str, totals: RowTotals| {
        let RowTotals { read, used, merged, skipped } = totals;
        let [read, used, merged, skipped] = [read, used, merged, skipped].map(grouped);
        [file.to_owned(), format.to_owned(), read, used, merged, skipped]
    };
    let (without, with): (Vec<&ImportedFile>, Vec<&ImportedFile>) =
        imported.files().iter().partition(|file| file.is_without_contacts());
    let mut rows: Vec<_> = with.iter().map(|file| row(&file.file, &file.format, file.totals())).collect();
    rows.push(row("total", "", imported.totals()));
    let others: usize = (1..6)
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([HEADINGS[column].len()]).max().unwrap_or(0) + 2
        })
        .sum();
    let most = LINE_WIDTH.saturating_sub(others).max(FILE_CHARS_MIN);
    rows.iter_mut().for_each(|row| row[0] = shortened(&row[0], most));
    write_fitted(out, HEADINGS, &rows)?;
    print_without_contacts(out, &without)?;
    print_skips(out, imported)?;
    print_notes(out, imported)?;
    print_network(out, imported)?;
    match tables {
        Some(tables) => write_line(out, &format!("tables in {}", tables.display())),
        None => write_line(out, "no tables were written"),
    }
}

/// The path of a file in at most `most` characters, which its beginning and its name share: folders of an export have long names.
fn shortened(path: &str, most: usize) -> String {
    let characters = path.chars().count();
    if characters <= most {
        return path.to_owned();
    }
    let base = path.rfind('/').map_or(path, |place| &path[place..]);
    let left = most.saturating_sub(base.chars().count() + 1).max(most / 3);
    let begin: String = path.chars().take(left).collect();
    let end: String = path.chars().skip(characters - (most - left - 1)).collect();
    format!("{begin}…{end}")
}

/// Prints the names of `files`, which hold no contacts, as they are expected to.
fn print_without_contacts(out: &mut impl Write, files: &[&ImportedFile]) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let names: BTreeSet<&str> = files.iter().map(|file| file.base()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let are = if files.len() == 1 {
        "1 file of LinkedIn's export holds".to_owned()
    } else {
        format!("{} files of LinkedIn's export hold", grouped(files.len() as u64))
    };
    write_sentence(out, &format!("{are} no contacts, as expected: {}", names.join(", ")))
}

/// Prints the skipped rows; several rows of a file with the same reason share a line.
fn print_skips(out: &mut impl Write, imported: &Imported) -> io::Result<()> {
    let skips =
        imported.files().iter().flat_map(|file| by_reason(file).into_iter().map(move |rows| (file, rows)));
    let mut left = imported.totals().skipped;
    for (file, rows) in skips.take(SKIPS_SHOWN) {
        let Some((line, reason)) = rows.first() else { continue };
        let more = match rows.len() - 1 {
            0 => String::new(),
            more => format!(" and {} more", grouped(more as u64)),
        };
        write_sentence(out, &format!("skipped {} line {line}{more}: {reason}", file.file))?;
        left -= rows.len() as u64;
    }
    if left > 0 {
        write_line(out, &format!("skipped {} more; --report FILE.json has all", grouped(left)))?;
    }
    Ok(())
}

/// The skipped rows of `file` by reason, in the order of their first lines; a few of one reason each alone.
fn by_reason(file: &ImportedFile) -> Vec<Vec<(u64, RowSkip)>> {
    let mut all: Vec<Vec<(u64, RowSkip)>> = Vec::new();
    for skip in &file.skips {
        match all.iter_mut().find(|rows| rows[0].1 == skip.1) {
            Some(rows) => rows.push(*skip),
            None => all.push(vec![*skip]),
        }
    }
    let alone = |rows: Vec<(u64, RowSkip)>| {
        let length = if rows.len() < TOGETHER_ROWS { 1 } else { rows.len() };
        rows.chunks(length).map(<[_]>::to_vec).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = all.into_iter().flat_map(alone).collect();
    all.sort_by_key(|rows| rows[0].0);
    all
}

fn print_notes(out: &mut impl Write, imported: &Imported) -> io::Result<()> {
    let notes = imported.notes();
    notes.iter().take(SKIPS_SHOWN).try_for_each(|note| write_sentence(out, &format!("note: {note}")))?;
    if notes.len() > SKIPS_SHOWN {
        let more = grouped((notes.len() - SKIPS_SHOWN) as u64);
        write_line(out, &format!("note: {more} more; --report FILE.json has all"))?;
    }
    Ok(())
}

fn print_network(out: &mut impl Write, imported: &Imported) -> io::Result<()> {
    let facts = imported.facts();
    let share = |part: usize| format!("{} %", (part * 100).checked_div(facts.people).unwrap_or(0));
    let mut line = |label: &str, value: String| write_line(out, &format!("{label:22} {value}"));
    line("organization", imported.organization_id().to_owned())?;
    for (id, name) in imported.members() {
        line("member", format!("{name} ({id})"))?;
    }
    line("accepted advocates", grouped(facts.advocates as u64))?;
    line("people", grouped(facts.people as u64))?;
    line("  that an edge reaches", grouped(facts.reached as u64))?;
    line("  with a handle", share(facts.with_handle))?;
    line("  with an address", share(facts.with_email))?;
    line("  with a company", share(facts.with_company))?;
    line("edges", grouped(facts.edges as u64))?;
    if imported.doubles() > 0 {
        line("likely doubles", grouped(imported.doubles() as u64))?;
        line("", "pairs that may be one person; kith doubles lists them".to_owned())?;
    }
    if let Some((ties, people)) = imported.expired() {
        let ended = format!("{}, and {} people with them", grouped(ties as u64), grouped(people as u64));
        line("edges past retain", ended)?;
    }
    if imported.together() > 0 {
        line("edges of places", grouped(imported.together() as u64))?;
    }
    if let (1.., people) = imported.derived() {
        let newcomers = if people == 0 { String::new() } else { format!(", to {people} whom no row names") };
        line("derived edges", format!("{}{newcomers}", grouped(imported.derived().0 as u64)))?;
        line("", "by whom members' mail and meetings show together;".to_owned())?;
        line("", "derive = false in a member's section leaves theirs out".to_owned())?;
    }
    write_sentence(
        out,
        "Members reach their own contacts directly. A colleague is asked on the ways of one member alone: “Only mine” on the \
         page, scope=me over the API. People whom nobody of the organization knows need advocates.",
    )
}
