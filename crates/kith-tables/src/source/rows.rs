//! A table's rows, parsed on all cores and passed on in the order of the file.
//!
//! While one batch of blocks is parsed, the next is unpacked and split. Results are taken in the order of the blocks
//! and rows with a fault are left out, so the result and the faults depend neither on the number of cores nor on the
//! block size.

use std::collections::BTreeSet;

use crate::progress::Progress;
use crate::source::blocks::{Block, BlockSize, Cutter, last_line_end, line_ends};
use crate::source::csv_rows::{self, CsvHeader, other_separator};
use crate::source::error::{Reason, TableFault};
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn};
use crate::source::folder::{Format, TableFile};
use crate::source::ndjson_rows;
use crate::source::parquet_file::PartReader;
use crate::source::parquet_rows::ColumnBlock;

/// A table with `N` columns, during reading.
pub(crate) trait Table<const N: usize>: Sync {
    const COLUMNS: [TableColumn; N];
    /// Fields inside its fields, with the names that [`Self::unknown_inside`] uses.
    const INSIDE: &'static [&'static str] = &[];
    /// The result of one block of rows.
    type Part: Default + Send;

    /// Adds the row of line `line`, its fields in the order of the columns, to the result of its block. Called on any
    /// thread.
    ///
    /// # Errors
    /// Returns the row's first fault; the part is then unchanged.
    fn read(&self, row: [NamedCell<'_>; N], line: u64, part: &mut Self::Part) -> Result<(), TableFault>;

    /// Adds the result of the next block. Called in the order of the file.
    ///
    /// # Errors
    /// Returns a fault after which nothing more can be read. Faults in relation to earlier rows go to `faults`.
    fn take(&mut self, part: Self::Part, faults: &mut RowFaults) -> Result<(), TableFault>;

    /// The names of unknown fields inside fields, after the last block.
    fn unknown_inside(&mut self) -> BTreeSet<String> {
        BTreeSet::new()
    }
}

/// The settings of a reading: its progress, and the block size.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) size: BlockSize,
}

/// The layout of the rows of a file.
enum Layout<const N: usize> {
    Objects,
    Cells(CsvHeader<N>),
    Columns,
}

/// The source of blocks.
enum Feed<'a, const N: usize> {
    Lines(Cutter<'a>),
    Parts(PartReader<'a, N>),
}

/// Some rows.
enum Rows<const N: usize> {
    Lines(Block),
    Columns(ColumnBlock<N>),
}

/// The result of one block.
struct Parsed<P> {
    part: P,
    unknown: BTreeSet<String>,
    /// The faults of rows that are left out.
    faults: RowFaults,
    /// The fault after which no row can be read.
    end: Option<TableFault>,
}

/// Some consecutive blocks, and how the file ends if it ends after them.
struct Batch<const N: usize> {
    blocks: Vec<Rows<N>>,
    end: Option<Result<(), TableFault>>,
}

/// Reads `file` into `table`. Rows with a fault are left out; their faults go to `faults`, and the names of fields that
/// are not columns to `unknown`.
///
/// # Errors
/// Returns the fault after which nothing more of the file can be read; the faults before it are in `faults`.
pub(crate) fn read_table<const N: usize, T: Table<N>>(
    file: &TableFile,
    table: &mut T,
    reading: Reading<'_>,
    faults: &mut RowFaults,
    unknown: &mut BTreeSet<String>,
) -> Result<(), TableFault> {
    let (mut feed, layout) = match file.format {
        Format::Parquet => {
            let parts = PartReader::new(file, &T::COLUMNS, reading.size, reading.progress);
            (Feed::Parts(parts), Layout::Columns)
        }
        Format::Csv => {
            let mut cutter = Cutter::open(file, reading.size, reading.progress)?;
            match read_header(&mut cutter, &T::COLUMNS, reading.size, unknown, faults)? {
                Some(header) => (Feed::Lines(cutter), Layout::Cells(header)),
                None => return Ok(()),
            }
        }
        Format::Json | Format::Ndjson => {
            (Feed::Lines(Cutter::open(file, reading.size, reading.progress)?), Layout::Objects)
        }
    };
    let mut batch = next_batch(&mut feed);
    loop {
        let none_yet = faults.another();
        let parse = |rows: Rows<N>| match rows {
            Rows::Lines(block) => parse_block(table, &layout, &block, reading.size, none_yet.another()),
            Rows::Columns(block) => parse_columns(table, block, reading.size, none_yet.another()),
        };
        let mut next = None;
        let mut parsed: Vec<Option<Parsed<T::Part>>> = batch.blocks.iter().map(|_| None).collect();
        let mut work: Vec<Work<'_>> = vec![Box::new(|| next = Some(next_batch(&mut feed)))];
        for (parsed, rows) in parsed.iter_mut().zip(batch.blocks) {
            let parse = &parse;
            work.push(Box::new(move || *parsed = Some(parse(rows))));
        }
        do_all(work);
        for block in parsed.into_iter().flatten() {
            let mut together = faults.another();
            let taken = table.take(block.part, &mut together);
            faults.take_block(block.faults, together);
            taken?;
            unknown.extend(block.unknown);
            block.end.map_or(Ok(()), Err)?;
        }
        if let Some(end) = batch.end {
            end?;
            unknown.extend(table.unknown_inside());
            return Ok(());
        }
        batch = next.expect("all work is done");
    }
}

/// A task for any thread.
type Work<'w> = Box<dyn FnOnce() + Send + 'w>;

/// Runs all `work` on all cores, in any order. One function for all tables: rayon's code for each closure takes as long
/// to compile as the reader.
fn do_all(work: Vec<Work<'_>>) {
    rayon::scope(|scope| work.into_iter().for_each(|work| scope.spawn(move |_| work())));
}

/// The next blocks: enough to keep every core busy, few enough to bound memory.
fn next_batch<const N: usize>(feed: &mut Feed<'_, N>) -> Batch<N> {
    let mut blocks = Vec::new();
    while blocks.len() < 2 * rayon::current_num_threads() {
        let block = match feed {
            Feed::Lines(cutter) => cutter.next_block().map(|block| block.map(Rows::Lines)),
            Feed::Parts(parts) => parts.next_block().map(|block| block.map(Rows::Columns)),
        };
        match block {
            Ok(Some(block)) => blocks.push(block),
            Ok(None) => return Batch { blocks, end: Some(Ok(())) },
            Err(fault) => return Batch { blocks, end: Some(Err(fault)) },
        }
    }
    Batch { blocks, end: None }
}

/// The header of a CSV file; `None` if the file is empty, or if its header has faults, which go to `faults`.
///
/// # Errors
/// Returns the fault of a header that cannot be read.
fn read_header<const N: usize>(
    cutter: &mut Cutter<'_>,
    columns: &[TableColumn; N],
    size: BlockSize,
    unknown: &mut BTreeSet<String>,
    faults: &mut RowFaults,
) -> Result<Option<CsvHeader<N>>, TableFault> {
    while let Some(block) = cutter.next_line()? {
        let (text, fault) = text_of(&block, Format::Csv);
        if let Some(separator) = other_separator(text.trim_ascii(), columns) {
            let blank = text.len() - text.trim_ascii_start().len();
            let line = block.first_line + line_ends(&text.as_bytes()[..blank]);
            return Err(TableFault::from(Reason::Separator(separator)).at(line));
        }
        let mut read = None;
        csv_rows::each_record(text, block.first_line, size.line_bytes_max, |record, line| {
            read = Some((CsvHeader::new(record, columns, unknown), line));
            Ok(())
        })?;
        fault.map_or(Ok(()), Err)?;
        match read {
            Some((Ok(header), _)) => return Ok(Some(header)),
            Some((Err(missing), line)) => {
                missing.into_iter().for_each(|fault| faults.push(fault.at(line)));
                return Ok(None);
            }
            None => {}
        }
    }
    Ok(None)
}

fn parse_block<const N: usize, T: Table<N>>(
    table: &T,
    layout: &Layout<N>,
    block: &Block,
    size: BlockSize,
    mut faults: RowFaults,
) -> Parsed<T::Part> {
    let (mut part, mut unknown) = (T::Part::default(), BTreeSet::new());
    let (first_line, max) = (block.first_line, size.line_bytes_max);
    let (parsed, broken) = match layout {
        Layout::Objects => {
            let (text, broken) = text_of(block, Format::Ndjson);
            let parsed = ndjson_rows::each_line(text, first_line, max, |line, row| {
                let fields = ndjson_rows::fields(row, &T::COLUMNS, &mut unknown);
                faults.keep(line, fields.and_then(|fields| table.read(fields, line, &mut part)))
            });
            (parsed, broken)
        }
        Layout::Cells(header) => {
            let (text, broken) = text_of(block, Format::Csv);
            let parsed = csv_rows::each_record(text, first_line, max, |record, line| {
                let fields = header.fields(record, &T::COLUMNS);
                faults.keep(line, fields.and_then(|fields| table.read(fields, line, &mut part)))
            });
            (parsed, broken)
        }
        // Parquet has no blocks of lines.
        Layout::Columns => (Ok(()), None),
    };
    Parsed { part, unknown, faults, end: parsed.err().or(broken) }
}

fn parse_columns<const N: usize, T: Table<N>>(
    table: &T,
    block: ColumnBlock<N>,
    size: BlockSize,
    mut faults: RowFaults,
) -> Parsed<T::Part> {
    let mut part = T::Part::default();
    let end = block.each_row(&T::COLUMNS, size.line_bytes_max, |fields, row| {
        faults.keep(row, fields.and_then(|fields| table.read(fields, row, &mut part)))
    });
    block.faults.into_iter().for_each(|fault| faults.push(fault.at(block.first_row)));
    Parsed { part, unknown: block.unknown.into_iter().collect(), faults, end: end.err() }
}

/// The text of a block up to the first line that is not UTF-8, and that line's fault.
fn text_of(block: &Block, format: Format) -> (&str, Option<TableFault>) {
    let fault = match std::str::from_utf8(&block.bytes) {
        Ok(text) => return (text, None),
        Err(fault) => fault,
    };
    let end = last_line_end(format, &block.bytes[..fault.valid_up_to()]).unwrap_or(0);
    let sound = &block.bytes[..end];
    let line = block.first_line + line_ends(sound);
    (std::str::from_utf8(sound).unwrap_or_default(), Some(TableFault::from(Reason::NotUtf8).at(line)))
}
