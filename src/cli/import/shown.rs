//! The report of an import on a terminal.

use std::io::{self, Write};
use std::path::Path;

use crate::cli::listing::grouped;
use crate::cli::table::{write_fitted, write_line, write_sentence};
use kith_import::imported::Imported;
use kith_import::report::RowTotals;

/// The most skipped rows that are shown.
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
    let mut rows: Vec<_> =
        imported.files().iter().map(|file| row(&file.file, &file.format, file.totals())).collect();
    rows.push(row("total", "", imported.totals()));
    write_fitted(out, ["FILE", "FORMAT", "READ", "USED", "MERGED", "SKIPPED"], &rows)?;
    print_skips(out, imported)?;
    print_notes(out, imported)?;
    print_network(out, imported)?;
    match tables {
        Some(tables) => write_line(out, &format!("tables in {}", tables.display())),
        None => write_line(out, "no tables were written"),
    }
}

fn print_skips(out: &mut impl Write, imported: &Imported) -> io::Result<()> {
    let skips =
        imported.files().iter().flat_map(|file| file.skips.iter().map(move |skip| (&file.file, skip)));
    let count = imported.totals().skipped;
    for (file, (line, reason)) in skips.take(SKIPS_SHOWN) {
        write_line(out, &format!("skipped {file} line {line}: {reason}"))?;
    }
    if count > SKIPS_SHOWN as u64 {
        let more = grouped(count - SKIPS_SHOWN as u64);
        write_line(out, &format!("skipped {more} more; --report FILE.json has all"))?;
    }
    Ok(())
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
