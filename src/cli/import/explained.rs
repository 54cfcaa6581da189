//! `kith import --explain`: which rows a person was made of.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::cli::table::escaped;
use kith_import::tables::explain::explain;

/// Prints the rows of the person `id` in the tables of `folder`, each with its rule and the value.
///
/// # Errors
/// Returns an error if there is no such person, or the tables cannot be read.
pub(super) fn print(folder: &Path, id: &str) -> Result<(), Box<dyn Error>> {
    let Some(person) = explain(folder, id)? else {
        return Err(format!("{id} is nobody in {}", folder.display()).into());
    };
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "id        {}", person.id)?;
    for (label, values) in
        [("formerly", &person.formerly), ("handle", &person.handles), ("address", &person.emails)]
    {
        for value in values {
            writeln!(out, "{label:9} {}", escaped(value))?;
        }
    }
    for row in &person.rows {
        let place = escaped(&format!("{}:{}", row.file, row.line));
        let joined =
            if row.value.is_empty() { row.rule.clone() } else { format!("{}: {}", row.rule, row.value) };
        writeln!(out, "row       {place}  {}", escaped(&joined))?;
    }
    if person.kept {
        writeln!(out, "kept      no file of the last import names this person")?;
    }
    out.flush()?;
    Ok(())
}
