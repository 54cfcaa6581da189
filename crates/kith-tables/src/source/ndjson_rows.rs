//! JSON objects as rows.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::source::error::{Expected, Reason, TableFault, echo};
use crate::source::fields::{Cell, NamedCell, TableColumn};
use crate::source::json::{self, JsonFault};

/// Calls `take` with each line of `text` that is not blank; `text` begins with line `first_line`.
///
/// # Errors
/// Returns the first fault of a line: its length (`bytes_max`), or the error of `take`.
pub(crate) fn each_line<'a>(
    text: &'a str,
    first_line: u64,
    bytes_max: usize,
    mut take: impl FnMut(u64, &'a str) -> Result<(), TableFault>,
) -> Result<(), TableFault> {
    for (line, row) in (first_line..).zip(text.split('\n')) {
        if row.len() > bytes_max {
            return Err(TableFault::from(Reason::LineTooLong(bytes_max)).at(line));
        }
        if row.trim_ascii_start().starts_with('[') {
            return Err(TableFault::from(Reason::Array(echo(row.trim_ascii()))).at(line));
        }
        if !row.trim_ascii().is_empty() {
            take(line, row).map_err(|fault| fault.at(line))?;
        }
    }
    Ok(())
}

/// The fields of the object `row` in the order of `columns`; the names of others go to `unknown`.
///
/// # Errors
/// Returns an error if `row` is not a valid JSON object or has a key twice. The line of a syntax fault counts from the
/// start of `row`.
pub(crate) fn fields<'a, const N: usize>(
    row: &'a str,
    columns: &[TableColumn; N],
    unknown: &mut BTreeSet<String>,
) -> Result<[NamedCell<'a>; N], TableFault> {
    if !row.trim_ascii_start().starts_with('{') {
        return Err(Reason::Unfit { expected: Expected::Object, found: echo(row.trim_ascii()) }.into());
    }
    let mut fields = columns.map(|column| NamedCell { name: column.name, cell: Cell::None });
    let mut seen = [false; N];
    let mut twice: Option<&str> = None;
    let mut others: Vec<Cow<'a, str>> = Vec::new();
    json::each_entry(row, |key, raw| match columns.iter().position(|column| column.name == key) {
        Some(place) if seen[place] => twice = twice.or(Some(columns[place].name)),
        Some(place) => {
            seen[place] = true;
            fields[place].cell = Cell::json(raw);
        }
        None => others.push(key),
    })?;
    others.sort_unstable();
    let other_twice = others.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].as_ref());
    if let Some(key) = twice.or(other_twice) {
        return Err(TableFault::of(key, Reason::FieldTwice));
    }
    for key in others {
        if !unknown.contains(key.as_ref()) {
            unknown.insert(key.into_owned());
        }
    }
    Ok(fields)
}

impl From<JsonFault> for TableFault {
    fn from(fault: JsonFault) -> Self {
        let reason = Reason::NotJson { column: fault.column, message: fault.message };
        Self::from(reason).at(fault.line as u64)
    }
}
